"""Workers and beat that cannot do their work do not start, and say why in one line."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from pbem.config import Settings
from pbem.errors import ConfigError, SchemaError
from tests.workers.environment import BROKER, OFFICE, TOP, environ, open_no_desk
from workers import starting
from workers.app import make_app
from workers.celery import _check_beat, app
from workers.starting import check_tables, saying_why

AWAY = "postgresql://pbem@127.0.0.1:1/pbem"


@pytest.fixture
def old_tables(tmp_path: Path, migrated_sqlite: Path) -> Path:
    """A database as an older program has left it."""
    file = tmp_path / "pbem.sqlite3"
    shutil.copy(migrated_sqlite, file)
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE alembic_version SET version_num = '0001'")
        database.commit()
    return file


def fail(part: str, folder: Path, **more: str) -> str:
    """What a part says that does not start."""
    done = subprocess.run(
        [sys.executable, "-m", "celery", "-A", "workers", part],
        cwd=TOP,
        env=environ(folder, **more),
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        (OFFICE, "PBEM_BROKER_URL"),
        (BROKER, "PBEM_SMTP_URL"),
        (BROKER | OFFICE | {"PBEM_SITE_URL": ""}, "PBEM_SITE_URL"),
    ],
)
def test_a_worker_that_could_do_no_job_does_not_start(
    tmp_path: Path, settings: dict[str, str], missing: str
) -> None:
    assert fail("worker", tmp_path, **settings).startswith(f"Error: {missing} must be set")


@pytest.mark.parametrize("part", ["worker", "beat"])
def test_what_is_set_wrongly_is_one_line(tmp_path: Path, part: str) -> None:
    said = fail(part, tmp_path, **BROKER, **OFFICE, PBEM_PROXIES="x")
    assert said == "Error: PBEM_PROXIES must be a number from 0 to 9\n"


@pytest.mark.parametrize("part", ["worker", "beat"])
def test_tables_that_do_not_fit_are_refused(old_tables: Path, part: str) -> None:
    said = fail(part, old_tables.parent, **BROKER, **OFFICE)
    assert said.startswith("Error: The database is at revision 0001 and this program needs ")


def test_the_beat_of_a_server_in_one_process_has_settings_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PBEM_PROXIES", "x")
    other = make_app(open_no_desk, lambda: "memory://localhost")
    _check_beat(SimpleNamespace(app=other))
    with pytest.raises(SystemExit):
        _check_beat(SimpleNamespace(app=app))


def test_tables_are_looked_at(tmp_path: Path, old_tables: Path, migrated_sqlite: Path) -> None:
    whole = shutil.copy(migrated_sqlite, tmp_path / "whole.sqlite3")
    check_tables(Settings(tmp_path, f"sqlite:///{whole}"))
    with pytest.raises(SchemaError, match="revision 0001"):
        check_tables(Settings(tmp_path, f"sqlite:///{old_tables}"))
    with pytest.raises(SchemaError, match="no tables yet"):
        check_tables(Settings(tmp_path, f"sqlite:///{tmp_path / 'none.sqlite3'}"))


def test_a_database_that_stays_away_is_waited_for_and_keeps_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "STARTING", 0.3)
    begun = time.monotonic()
    with capture_logs() as told:
        check_tables(Settings(tmp_path, AWAY))
    assert time.monotonic() - begun >= 0.3
    assert [each["event"] for each in told] == ["tables_not_checked"]


def test_only_our_own_errors_become_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended, saying_why(3):
        raise ConfigError("nothing is set")
    assert ended.value.code == 3
    assert capsys.readouterr() == ("", "Error: Nothing is set\n")
    with pytest.raises(ZeroDivisionError), saying_why():
        print(1 / 0)
