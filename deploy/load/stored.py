"""Stored games that nobody plays: does a turn cost more where there are many of them?"""

from __future__ import annotations

from datetime import datetime
from random import Random

from growing import grow_postgresql, grow_sqlite
from sqlalchemy import make_url, text

from deploy.load.arranging import HOME
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.sampling import random_game
from pbem.play import games, invitations, players
from pbem.play.ports import Surroundings
from pbem.store.database import make_engine

BASE = 100
"""Games that are really played; the others are copies of them."""
ENTRIES = 6
_SENT = "UPDATE notices SET state = 'sent'"
_LETTERS = """
INSERT INTO letters (message_id, token_hash, kind, player_id, address, made_at, game_id, seat,
                     request_id, facts, prints)
SELECT message_id, 'hash ' || message_id, kind, player_id, 'stored@players.example', created_at,
       game_id, 0, NULL, facts, :prints
FROM notices WHERE game_id IS NOT NULL
"""
_PRINTS = bytes(range(256)) * 3
"""As many as a mail has lines, of none that anybody writes."""


def store_games(
    around: Surroundings, database_url: str, count: int, now: datetime, base: int = BASE
) -> None:
    """A store full of games that have begun, and whose mails were sent long ago."""
    _play_base(around, base, now)
    engine = make_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text(_SENT))
        connection.execute(text(_LETTERS), {"prints": _PRINTS})
    engine.dispose()
    copies = count // base - 1
    if copies > 0 and database_url.startswith("sqlite"):
        grow_sqlite(str(make_url(database_url).database), copies)
    elif copies > 0:
        grow_postgresql(database_url.replace("+psycopg", "", 1), copies)


def _play_base(around: Surroundings, count: int, now: datetime) -> None:
    people = [
        players.join(around, name, f"{name}@{HOME}", now=now, verified=True)
        for name in ("stored-gold", "stored-black")
    ]
    for number in range(count):
        agreement = {"level": LEVELS[number % len(LEVELS)]}
        invitation = invitations.invite(
            around, people[0].id, people[1].id, agreement, now=now, host_seat=0
        )
        game = invitations.accept(around, people[1].id, invitation.id, now=now)
        for entry in random_game(Random(number), game.start, max_entries=ENTRIES):
            games.submit(around, game.id, entry.seat or 0, entry.text, arrived=now)
