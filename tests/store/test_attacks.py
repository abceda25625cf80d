"""What the store must not do, whoever asks: tell secrets, or touch what is not its own."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import Column, MetaData, String, Table

from pbem.cli.database import db
from pbem.config import full_database_url, read_settings
from pbem.errors import ConfigError, StoreConflictError
from pbem.store.database import SqlStore, make_engine
from tests.store.things import add_game, an_entry


@pytest.mark.parametrize("password", ["ge@heim", "ge/@heim", "@geheim", "ge@h@eim"])
def test_an_at_sign_in_a_password_does_not_make_it_a_host(password: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_settings({"PBEM_DATABASE_URL": f"postgresql://ann:{password}@localhost/pbem"})
    assert "heim" not in str(caught.value)
    assert "%40" in str(caught.value)
    assert full_database_url("postgresql://ann:ge%40heim@localhost/pbem?x=a@b")


def test_a_data_directory_does_not_end_at_a_question_mark() -> None:
    with pytest.raises(ConfigError, match="PBEM_DATA_DIR"):
        read_settings({"PBEM_DATA_DIR": "/var/lib/what?/pbem"})


@pytest.mark.parametrize("revisions", [["deadbeef"], ["deadbeef", "cafe"]], ids=["one", "two"])
@pytest.mark.parametrize("command", ["upgrade", "current", "check"])
def test_the_database_of_another_program_is_left_alone(
    empty_database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    revisions: list[str],
) -> None:
    monkeypatch.setenv("PBEM_DATABASE_URL", empty_database_url)
    engine = make_engine(empty_database_url)
    theirs = MetaData()
    versions = Table("alembic_version", theirs, Column("version_num", String(32)))
    with engine.begin() as connection:
        theirs.create_all(connection)
        connection.execute(versions.insert(), [{"version_num": each} for each in revisions])
    done = CliRunner().invoke(db, [command])
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)
    assert "deadbeef" in done.output
    now = MetaData()
    now.reflect(engine)
    assert list(now.tables) == ["alembic_version"]
    engine.dispose()


def test_an_error_does_not_show_the_row_at_fault(store: SqlStore) -> None:
    """PostgreSQL would add the whole row: plans, salts, seeds."""
    secret = "W1 rng I4 [-: end]"
    entry = an_entry(0)
    entry = replace(entry, text=secret, salt=b"geheim", arrived=entry.at + timedelta(days=1))
    with store.begin() as unit:
        game = add_game(unit)
    with pytest.raises(StoreConflictError) as caught, store.begin() as unit:
        unit.add_entry(game.id, entry)
    told = str(caught.value)
    assert "arrived" in told
    assert secret not in told
    assert entry.salt.hex() not in told


def test_another_thread_may_take_the_last_connection_first(store: SqlStore) -> None:
    class Taken(deque[Any]):
        """As it looks to a thread that is stopped between asking and taking."""

        def __bool__(self) -> bool:
            return True

    store._idle = {engine: Taken() for engine in store._idle}
    with store.begin() as unit:
        game = add_game(unit)
    with store.read() as unit:
        assert unit.find_game(game.id) is not None
