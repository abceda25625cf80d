"""A store full of games that nobody plays is what it seems to be, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

from sqlalchemy import text

from deploy.load.stored import store_games
from pbem.play.ports import Surroundings
from pbem.play.verification import verify
from pbem.store.database import SqlStore, make_engine

BASE = 10


def test_copies_of_games_are_games(store: SqlStore, database_url: str) -> None:
    around = Surroundings(store, Random("stored").randbytes)
    now = datetime.now(UTC)
    store_games(around, database_url, 3 * BASE, now, BASE)
    engine = make_engine(database_url)
    with engine.connect() as connection:

        def ask(question: str) -> int:
            return int(connection.execute(text(question)).scalar_one())

        assert ask("SELECT count(*) FROM games") == 3 * BASE
        assert ask("SELECT count(*) FROM notices WHERE state = 'new'") == 0
        assert ask("SELECT count(*) FROM letters WHERE game_id LIKE '%-2'") > BASE
        entries = ask("SELECT count(*) FROM log_entries")
        assert entries == 3 * ask("SELECT count(*) FROM log_entries WHERE game_id NOT LIKE '%-%'")
        game_id = connection.execute(text("SELECT min(id) FROM games")).scalar_one()
    engine.dispose()
    assert verify(around, game_id, now=now, repair=False).differences == ()
    with store.read() as unit:
        copied = unit.find_game(f"{game_id}-1")
        assert copied is not None
        assert len(unit.entries(copied.id)) == len(unit.entries(game_id))
