"""How a game comes into being: its seed, its first entry, its first requests."""

from __future__ import annotations

import base64
from datetime import datetime
from typing import Final

from pbem.games.base import Start
from pbem.play.calendars import calendar_of
from pbem.play.course import Followed, begin_course, first_text
from pbem.play.errors import NoSuchPlayerError
from pbem.play.model import LockedGame, Player, StoredGame
from pbem.play.open_game import OpenGame, dump_clock
from pbem.play.ports import Surroundings, Unit
from pbem.play.terms import Agreement

ID_BYTES: Final = 5
SEED_BYTES: Final = 32


def short_id(around: Surroundings) -> str:
    """Eight letters and digits that survive mail, speech and lower-casing."""
    return base64.b32encode(around.entropy(ID_BYTES)).decode().lower()


def start_game(
    around: Surroundings,
    unit: Unit,
    agreement: Agreement,
    players: tuple[int, ...],
    *,
    at: datetime,
    rematch_of: str | None = None,
    tells: bool = True,
) -> StoredGame:
    """A new game between these players, by seat; everybody is asked for the first thing.

    With ``tells`` False nobody is written to because it begins: another mail tells them.
    """
    # Locked in the order of their numbers, so that none of them can leave meanwhile.
    locked = {player_id: lock_player(unit, player_id) for player_id in sorted(set(players))}
    people = [locked[player_id] for player_id in players]
    calendars = [calendar_of(player) for player in people]
    start = Start(short_id(around), agreement.options, around.entropy(SEED_BYTES))
    course = begin_course(start, agreement.game, agreement.terms, calendars, at)
    stored = StoredGame(
        start=start,
        game=agreement.game,
        terms=agreement.terms.to_plain(),
        players=players,
        created_at=at,
        state=course.play.dump(course.state),
        clock=dump_clock(course.clock),
        rematch_of=rematch_of,
    )
    unit.add_game(stored)
    game = OpenGame(around, unit, LockedGame(stored))
    text = first_text(start, agreement.game, agreement.terms, calendars)
    begun = Followed(course, text, (), (), course.requests)
    game.write(None, begun, at=at, arrived=at, tells=tells)
    for seat, player in enumerate(people):
        if player.standing != "off":
            game.decree(f"general {seat}: {player.standing}", at)
    game.save(at)
    return game.stored


def lock_player(unit: Unit, player_id: int) -> Player:
    """A player who is still there, kept from others. Raises NoSuchPlayerError."""
    player = unit.lock_player(player_id)
    if player is None or player.deleted_at is not None:
        raise NoSuchPlayerError(player=player_id)
    return player


def get_player(unit: Unit, player_id: int) -> Player:
    """A player who is still there. Raises NoSuchPlayerError."""
    player = unit.find_player(player_id)
    if player is None or player.deleted_at is not None:
        raise NoSuchPlayerError(player=player_id)
    return player
