"""What the store must not do, whoever asks: tell secrets, or touch what is not its own."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from sqlalchemy import Column, MetaData, String, Table

from pbem.cli.database import db
from pbem.config import full_database_url, read_settings
from pbem.errors import ConfigError
from pbem.store.database import make_engine


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
