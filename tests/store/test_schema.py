"""Migrations lead to the tables the program describes, and nothing runs on any other tables."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, text

from pbem.errors import (
    ConfigError,
    SchemaError,
    StoreBusyError,
    StoreConflictError,
    StoreUnavailableError,
)
from pbem.mail.known_lines import prints_of
from pbem.store import database, schema
from pbem.store.columns import Row
from pbem.store.database import make_engine, open_store
from pbem.store.revisions import (
    MIGRATIONS,
    check_schema,
    find_revision,
    known_revisions,
    newest_revision,
)
from pbem.store.schema import downgrade, find_damage, find_differences, upgrade


@pytest.fixture
def engine(empty_database_url: str) -> Iterator[Engine]:
    made = make_engine(empty_database_url)
    yield made
    made.dispose()


def test_migrations_make_the_tables_described(engine: Engine) -> None:
    upgrade(engine)
    assert find_differences(engine) == []
    assert find_damage(engine) == []
    migrated = _definitions(engine)
    downgrade(engine, "base")
    Row.metadata.create_all(engine)
    # To the letter: Alembic's own comparison does not look at conditions of indexes and checks.
    assert migrated == _definitions(engine)
    assert len(migrated) > 20


def test_down_and_up_again(engine: Engine) -> None:
    upgrade(engine)
    before = _definitions(engine)
    downgrade(engine, "base")
    assert find_revision(engine) is None
    assert _definitions(engine) == set()
    upgrade(engine)
    upgrade(engine)
    assert _definitions(engine) == before


def test_what_was_stored_before_the_post_stays(engine: Engine) -> None:
    upgrade(engine, "0001")
    rows = ["'g/3', 1, 'news', 0, 'g', '{\"entry\":3}', 'm1', 'new', 0, 0",
            "'x', 1, 'news', 0, NULL, '{}', 'm2', 'sent', 1, 0"]  # fmt: skip
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO players (id, name, created_at, language, time_zone, board, delivery,"
            " rests_on_weekends, messages_stop_plans, standing)"
            " VALUES (1, 'Ann', 0, 'en', 'UTC', 'image', 'digest', false, false, 'off')"
        )
        connection.exec_driver_sql(
            "INSERT INTO games (id, game, options, seed, terms, created_at, state, clock, entries,"
            " head, turns, held, trips_asked, trips_unaffordable, trips_by_rules, trips_by_plans)"
            " VALUES ('g', 'ortus', '{}', '', '{}', 0, '', '', 0, '', 0, '[]', 0, 0, 0, 0)"
        )
        for row in rows:
            connection.exec_driver_sql(
                "INSERT INTO notices (cause, player_id, kind, created_at, game_id, facts,"
                f" message_id, state, attempts, next_try) VALUES ({row})"
            )

    def found() -> list[tuple[object, ...]]:
        with engine.connect() as connection:
            told = connection.exec_driver_sql(
                "SELECT cause, state, attempts, message_id, entry FROM notices ORDER BY id"
            )
            return [tuple(row) for row in told]

    upgrade(engine)
    assert found() == [("g/3", "new", 0, "m1", 3), ("x", "sent", 1, "m2", None)]
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE notices SET state = 'moot' WHERE cause = 'x'")
        connection.exec_driver_sql("UPDATE players SET delivery = 'none'")
    downgrade(engine, "0001")
    upgrade(engine)
    assert found() == [("g/3", "new", 0, "m1", 3), ("x", "dead", 1, "m2", None)]
    assert find_damage(engine) == []


def test_revisions_are_told_by_the_names_of_their_files() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS))
    walked = [script.revision for script in scripts.walk_revisions()]
    assert known_revisions() == tuple(reversed(walked))
    assert newest_revision() == scripts.get_current_head()


def test_games_that_were_over_are_to_be_archived_and_rated(engine: Engine) -> None:
    upgrade(engine, "0005")
    with engine.begin() as connection:
        for game_id, ending in (("over", "1, 'guide'"), ("running", "NULL, NULL")):
            connection.exec_driver_sql(
                "INSERT INTO games (id, game, options, seed, terms, created_at, state, clock,"
                " entries, head, turns, held, trips_asked, trips_unaffordable, trips_by_rules,"
                " trips_by_plans, ended_at, termination) VALUES"
                f" ('{game_id}', 'ortus', '{{}}', '', '{{}}', 0, '', '', 0, '', 0, '[]', 0, 0, 0,"
                f" 0, {ending})"
            )
    upgrade(engine)
    with engine.connect() as connection:
        for table in ("unarchived_games", "games_to_rate"):
            waiting = connection.exec_driver_sql(f"SELECT game_id FROM {table}").scalars()
            assert list(waiting) == ["over"]


def test_lines_of_letters_become_their_fingerprints(engine: Engine) -> None:
    """As ``known_lines`` makes them; should that change, this is to compare with the old way."""
    upgrade(engine, "0010")
    lines = {
        number: ["Your turn.", "", "> F2 | G4 *now*", "Zażółć\ud800", f"You have {number} Energy."]
        for number in range(1, 1003)  # two full rounds of the migration, and a part of one
    }
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO players (id, name, created_at, language, time_zone, board, delivery,"
            " rests_on_weekends, messages_stop_plans, standing)"
            " VALUES (1, 'Ann', 0, 'en', 'UTC', 'image', 'each', '0', '0', '')"
        )
        insert = text(
            "INSERT INTO letters (id, message_id, token_hash, kind, player_id, address, made_at,"
            " facts, lines) VALUES (:id, :name, :name, 'x', 1, 'a', 0, '{}', :lines)"
        )
        for number, each in lines.items():
            joined = "".join(f"{line}\n" for line in each).encode("utf-8", "surrogatepass")
            row = {"id": number, "name": str(number), "lines": zlib.compress(joined)}
            connection.execute(insert, row)
        connection.execute(insert, {"id": 2000, "name": "damaged", "lines": b"not packed"})
        lines[2000] = []
    upgrade(engine)
    with engine.connect() as connection:
        kept = connection.execute(text("SELECT id, prints FROM letters")).all()
    assert {number: bytes(prints) for number, prints in kept} == {
        number: prints_of(each) for number, each in lines.items()
    }
    downgrade(engine, "0010")
    with engine.connect() as connection:
        [back] = connection.execute(text("SELECT DISTINCT lines FROM letters")).scalars()
    assert zlib.decompress(back) == b""


def test_differences_are_found(engine: Engine) -> None:
    upgrade(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE games ADD COLUMN luck INTEGER")
        connection.exec_driver_sql("DROP INDEX ix_games_due")
        connection.exec_driver_sql("DROP TABLE notes")
    found = "\n".join(find_differences(engine))
    assert "luck" in found
    assert "ix_games_due" in found
    assert "notes" in found


def test_a_missing_check_is_found(engine: Engine) -> None:
    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite cannot drop one")
    upgrade(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE games DROP CONSTRAINT ck_games_end")
    assert find_differences(engine) == ["games: check ck_games_end is missing"]


def test_a_store_without_tables_is_refused(empty_database_url: str) -> None:
    with pytest.raises(SchemaError, match="pbem db upgrade"):
        open_store(empty_database_url)
    if empty_database_url.startswith("sqlite"):
        assert not Path(empty_database_url.removeprefix("sqlite:///")).exists()


@pytest.mark.parametrize("revision", ["9999"])
def test_a_store_of_a_newer_program_is_refused(engine: Engine, revision: str) -> None:
    upgrade(engine)
    check_schema(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{revision}'")
    with pytest.raises(SchemaError, match="newer"):
        check_schema(engine)


def test_an_older_store_is_refused(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    upgrade(engine)
    monkeypatch.setattr("pbem.store.revisions.newest_revision", lambda: "9998")
    with pytest.raises(SchemaError, match="pbem db upgrade"):
        check_schema(engine)


def test_upgrades_at_the_same_time(empty_database_url: str) -> None:
    program = (
        "import sys; from pbem.store import database, schema;"
        "schema.upgrade(database.make_engine(sys.argv[1]))"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", program, empty_database_url],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for _ in range(2)
    ]
    told = [process.communicate(timeout=60)[0].decode() for process in running]
    assert [process.returncode for process in running] == [0, 0], told
    open_store(empty_database_url).dispose()


def test_an_upgrade_waits_for_another(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    first, second = make_engine(empty_database_url), make_engine(empty_database_url)
    with schema._migrating(first), pytest.raises(StoreBusyError):
        upgrade(second)
    upgrade(second)
    for engine in (first, second):
        engine.dispose()


def test_an_upgrade_leaves_the_connection_as_it_was(engine: Engine) -> None:
    upgrade(engine)
    with pytest.raises(StoreConflictError), engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO seats (game_id, seat, player_id) VALUES ('none', 0, 1)"
        )


def test_a_failed_upgrade_changes_nothing(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE seats (x INTEGER)")
    with pytest.raises(Exception, match="seats"):
        upgrade(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE seats")
    assert find_revision(engine) is None
    upgrade(engine)
    assert find_differences(engine) == []


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "mysql://x/y",
        "nonsense",
        "postgresql://x:y/",
    ],
)
def test_addresses_that_cannot_be_used(url: str) -> None:
    with pytest.raises(ConfigError):
        make_engine(url)


def test_a_password_is_never_shown() -> None:
    for url in ("postgresql://me:hunter2@127.0.0.1:1/x", "postgresql://me:hunter2@x:y/z"):
        with pytest.raises((ConfigError, StoreUnavailableError)) as caught:
            open_store(url)
        assert "hunter2" not in str(caught.value)


def test_settings_of_every_connection(database_url: str) -> None:
    engine = make_engine(database_url)
    with engine.connect() as connection:

        def ask(what: str) -> object:
            return connection.exec_driver_sql(what).scalar_one()

        if engine.dialect.name == "sqlite":
            assert ask("PRAGMA journal_mode") == "wal"
            assert ask("PRAGMA synchronous") == 2
            assert ask("PRAGMA foreign_keys") == 1
            assert ask("PRAGMA busy_timeout") == 30_000
        else:
            assert ask("SHOW transaction_isolation") == "read committed"
            assert ask("SHOW lock_timeout") == "30s"
            assert ask("SHOW synchronous_commit") != "off"
    engine.dispose()


def test_the_newest_revision_is_there() -> None:
    assert re.fullmatch(r"\d{4}", newest_revision())


def _definitions(engine: Engine) -> set[str]:
    """Everything the database says about our tables, as it says it."""
    if engine.dialect.name == "sqlite":
        questions = ["SELECT sql FROM sqlite_master WHERE tbl_name NOT LIKE 'sqlite%'"]
    else:
        questions = [
            "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
            "SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)"
            " FROM pg_constraint WHERE connamespace = 'public'::regnamespace",
            "SELECT concat_ws(' ', table_name, ordinal_position, column_name, data_type,"
            " is_nullable, column_default, collation_name)"
            " FROM information_schema.columns WHERE table_schema = 'public'",
        ]
    with engine.connect() as connection:
        told = [row[0] for question in questions for row in connection.exec_driver_sql(question)]
    return {_in_order(text) for text in told if text and "alembic_version" not in text}


def _in_order(definition: str) -> str:
    """A definition with its constraints sorted: in which order they were written means nothing.

    Nor do the quotes that SQLite puts around the name of a table that was made anew.
    """
    definition = re.sub(r'^CREATE TABLE "(\w+)"', r"CREATE TABLE \1", definition)
    parts = re.sub(r"\s+", " ", definition).removesuffix(" )").split(", CONSTRAINT ")
    return " | ".join([parts[0], *sorted(parts[1:])])
