"""``pbem archive site``, as an operator has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main
from tests.archive.files import in_one, many


@pytest.fixture(autouse=True)
def _a_store(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_DATABASE_URL", database_url)


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["archive", *words])


def test_a_site_is_written_and_written_again(tmp_path: Path) -> None:
    file, folder = tmp_path / "games.ogn", tmp_path / "site"
    file.write_text(in_one(*many(3)))
    assert run("import", str(file), "--jobs", "1").exit_code == 0
    told = run("site", str(folder), "--name", "Our club", "--language", "nl")
    assert told.exit_code == 0, told.output
    assert told.stdout.startswith("3 games, 3 of them written, 0 files removed")
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "Our club" in page
    assert "Partijen" in page
    again = run("site", str(folder), "--name", "Our club", "--language", "nl")
    assert again.stdout.startswith("3 games, 0 of them written")


def test_what_cannot_be_is_said_in_a_line(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    told = run("site", str(folder))
    assert told.exit_code == 1
    assert "There are other files in " in told.stderr
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    told = run("site", str(tmp_path / "new"), "--language", "xx")
    assert told.exit_code == 2
    assert not (tmp_path / "new").exists()
