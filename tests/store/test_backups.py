"""A copy of a store that is in use, and a store made from it: whole games, whoever was at work."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Engine

from pbem.cli import main
from pbem.errors import ConfigError, StoreConflictError, StoreError, StoreUnavailableError
from pbem.play import players
from pbem.play.model import Notice
from pbem.play.outages import note_pulse
from pbem.play.post import NEW
from pbem.store import backups
from pbem.store.database import make_engine, open_store
from tests.ortus.games import TWO_ARCHERS, WAVE
from tests.play.club import NOON, Club
from tests.play.hammer import Work, hammer
from tests.play.hasty_store import HastyStore

SUBMISSIONS = 20


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.fixture
def empty_url(database_url: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty place of the same kind."""
    if database_url.startswith("sqlite"):
        return f"sqlite:///{tmp_path / 'new' / 'pbem.sqlite3'}"
    if shutil.which("pg_dump") is None or shutil.which("pg_restore") is None:
        reason = "pg_dump and pg_restore are not on the path"
        if os.environ.get("PBEM_REQUIRE_POSTGRES"):
            pytest.fail(reason)
        pytest.skip(reason)
    url: str = request.getfixturevalue("bare_postgres")
    with psycopg.connect(url) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return url


@pytest.fixture
def club(database_url: str) -> Iterator[Club]:
    store = HastyStore.open(database_url)
    yield Club(store)
    store.dispose()


@contextmanager
def engine_of(url: str) -> Iterator[Engine]:
    engine = make_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def hammered(url: str, ids: tuple[str, ...], folder: Path) -> Iterator[None]:
    """While two play; the block begins when they have begun."""
    works = [Work(url, ids, folder / name, name, SUBMISSIONS) for name in ("one", "two")]
    threads = [threading.Thread(target=hammer, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    until = time.monotonic() + 60
    while time.monotonic() < until and not all(work.file.exists() for work in works):
        time.sleep(0.01)
    yield
    for thread in threads:
        thread.join()


def test_a_copy_made_while_games_are_played(
    database_url: str,
    empty_url: str,
    club: Club,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ids = (club.study(TWO_ARCHERS).id, club.study(WAVE, dice="dicey").id)
    copies = [tmp_path / f"copy{number}" for number in range(2)]
    with hammered(database_url, ids, tmp_path), engine_of(database_url) as engine:
        for copy in copies:
            backups.back_up(engine, copy)
    assert copies[0].stat().st_mode & 0o077 == 0
    assert sorted(tmp_path.glob(".copy*")) == []

    monkeypatch.setenv("PBEM_DATABASE_URL", empty_url)
    told = run("db", "restore", str(copies[1]))
    assert told.exit_code == 0, told.output
    assert run("db", "check").exit_code == 0
    command = [sys.executable, "-c", "from pbem.cli import main; main()", "verify", "--all"]
    verified = subprocess.run(
        [*command, "--no-repair", "--jobs", "1"], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr
    restored, lived = open_store(empty_url), open_store(database_url)
    with restored.read() as copied, lived.read() as live:
        for game_id in ids:
            entries = list(copied.entries(game_id))
            assert entries
            assert entries == list(live.entries(game_id))[: len(entries)]
    restored.dispose()
    lived.dispose()


def test_what_is_lost_is_not_taken_for_something_else(
    database_url: str, empty_url: str, club: Club, tmp_path: Path
) -> None:
    """After a restore the same numbers come again, for other things: no mail, and so no token, and
    no player is mistaken for one of the lost time."""
    player = club.join().id
    with club.around.store.begin() as unit:
        unit.beat(NOON)
    with engine_of(database_url) as engine:
        backups.back_up(engine, tmp_path / "copy")
    lost = Notice("entry/17", player, "turn", NOON, None, {})
    with club.around.store.begin() as unit:
        unit.add_notice(lost)
    joined_since = club.join().id
    with club.around.store.read() as unit:
        before = {outgoing.message_id for outgoing, _ in unit.notices_in_state(NEW)}
    with engine_of(empty_url) as engine:
        backups.restore(engine, tmp_path / "copy")
    store = open_store(empty_url)
    around = replace(club.around, store=store)
    with around.store.begin() as unit:
        unit.add_notice(replace(lost, created_at=NOON + timedelta(days=1)))
    with around.store.read() as unit:
        [(again, _)] = unit.notices_in_state(NEW)
    assert again.message_id not in before
    joined = players.join(around, "Cas", "cas@example.org", now=NOON, verified=True)
    assert joined.id > joined_since
    # Nobody could play while the store was gone: that time counts for nobody.
    outage = note_pulse(around, NOON + timedelta(days=1), is_well=True)
    assert outage is not None
    assert (outage.begins, outage.ends) == (NOON, NOON + timedelta(days=1))
    store.dispose()


class TestRefusals:
    @pytest.mark.usefixtures("empty_url")
    def test_a_store_that_is_not_empty(self, database_url: str, tmp_path: Path) -> None:
        with engine_of(database_url) as engine:
            backups.back_up(engine, tmp_path / "copy")
            with pytest.raises(StoreConflictError, match="not empty"):
                backups.restore(engine, tmp_path / "copy")

    def test_a_store_without_tables(self, empty_url: str, tmp_path: Path) -> None:
        with engine_of(empty_url) as engine, pytest.raises(StoreUnavailableError, match="nothing"):
            backups.back_up(engine, tmp_path / "copy")
        assert not (tmp_path / "copy").exists()

    def test_a_file_that_is_there(self, database_url: str, tmp_path: Path) -> None:
        (tmp_path / "copy").write_text("precious")
        with engine_of(database_url) as engine, pytest.raises(StoreConflictError, match="already"):
            backups.back_up(engine, tmp_path / "copy")
        assert (tmp_path / "copy").read_text() == "precious"

    def test_a_copy_of_something_else_or_of_half(self, empty_url: str, tmp_path: Path) -> None:
        mark = b"SQLite format 3\x00" if empty_url.startswith("sqlite") else b"PGDMP"
        for number, content in enumerate((b"", b"some text", mark + bytes(2000))):
            file = tmp_path / f"file{number}"
            file.write_bytes(content)
            with engine_of(empty_url) as engine, pytest.raises(StoreError):
                backups.restore(engine, file)
        with engine_of(empty_url) as engine, pytest.raises(StoreUnavailableError, match="No such"):
            backups.restore(engine, tmp_path / "nothing")

    def test_what_another_database_has_left_behind(
        self, tmp_path: Path, migrated_sqlite: Path
    ) -> None:
        with engine_of(f"sqlite:///{migrated_sqlite}") as engine:
            backups.back_up(engine, tmp_path / "copy")
        (tmp_path / "pbem.sqlite3-wal").write_bytes(b"")
        with (
            engine_of(f"sqlite:///{tmp_path / 'pbem.sqlite3'}") as engine,
            pytest.raises(StoreConflictError, match="move it"),
        ):
            backups.restore(engine, tmp_path / "copy")

    def test_without_the_programs_of_postgresql(
        self, migrated_postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with engine_of(migrated_postgres) as engine:
            engine.connect().close()
            monkeypatch.setenv("PATH", str(tmp_path))
            with pytest.raises(ConfigError, match="pg_dump is not installed"):
                backups.back_up(engine, tmp_path / "copy")


def test_a_directory_keeps_the_newest(
    migrated_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_DATABASE_URL", f"sqlite:///{migrated_sqlite}")
    for name in ("pbem-20250101T000000Z.sqlite3", "pbem-20250102T000000Z.sqlite3", "other.sqlite3"):
        (tmp_path / name).write_text("old")
    told = run("db", "backup", "--keep", "2", str(tmp_path))
    assert told.exit_code == 0, told.output
    left = sorted(each.name for each in tmp_path.iterdir())
    assert left[:2] == ["other.sqlite3", "pbem-20250102T000000Z.sqlite3"]
    assert len(left) == 3


@pytest.mark.parametrize(
    ("name", "advice"), [("missing", "Make it first"), ("other.sqlite3", "Name a directory")]
)
def test_what_is_no_directory_keeps_no_copies(name: str, advice: str, tmp_path: Path) -> None:
    (tmp_path / "other.sqlite3").write_text("old")
    told = run("db", "backup", "--keep", "2", str(tmp_path / name))
    assert told.exit_code == 2
    said = " ".join(told.output.split())
    assert f"{tmp_path / name} is no directory" in said
    assert advice in said
    assert [each.name for each in tmp_path.iterdir()] == ["other.sqlite3"]


def test_waiting_for_the_tables(empty_database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_DATABASE_URL", empty_database_url)
    upgrading = threading.Timer(0.5, run, ("db", "upgrade"))
    upgrading.start()
    assert run("db", "current", "--wait", "30").exit_code == 0
    upgrading.join()
