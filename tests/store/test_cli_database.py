"""``pbem db`` from an empty directory to a database that is as it should be."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.store.database import make_engine
from pbem.store.revisions import newest_revision


def run(*command: str) -> Result:
    return CliRunner().invoke(main, ["db", *command])


def test_from_nothing(empty_database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_DATABASE_URL", empty_database_url)
    for command in ("current", "check"):
        told = run(command)
        assert told.exit_code == 1
        assert "pbem db upgrade" in told.output
    assert run("upgrade").exit_code == 0
    assert "already" in run("upgrade").output
    assert run("current").output == f"{newest_revision()}\n"
    assert run("check").exit_code == 0
    engine = make_engine(empty_database_url)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP INDEX ix_games_due")
    engine.dispose()
    told = run("check")
    assert told.exit_code == 1
    assert "ix_games_due" in told.output


def test_the_default_is_a_file_for_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PBEM_DATABASE_URL", raising=False)
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path / "a" / "b"))
    assert run("upgrade").exit_code == 0
    file = tmp_path / "a" / "b" / "pbem.sqlite3"
    assert file.stat().st_mode & 0o077 == 0
    assert file.parent.stat().st_mode & 0o077 == 0


def test_faults_are_told_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    for url in ("mysql://x", "postgresql://nobody@127.0.0.1:1/none", "sqlite:////proc/none/x.db"):
        monkeypatch.setenv("PBEM_DATABASE_URL", url)
        told = run("upgrade")
        assert told.exit_code == 1
        assert told.output.startswith("Error: ")
        assert "Traceback" not in told.output
