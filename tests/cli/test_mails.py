"""``pbem mails``: samples to look at."""

from __future__ import annotations

import email
import email.policy
from pathlib import Path

from click.testing import CliRunner

from pbem.cli import main


def test_samples_are_written_as_mails_and_to_look_at(tmp_path: Path) -> None:
    wanted = ["--language", "nl", "--board", "spoken", "--only", "defence_request"]
    done = CliRunner().invoke(main, ["mails", str(tmp_path), *wanted])
    assert done.exit_code == 0, done.output
    assert done.output == f"3 mails in {tmp_path}\n"
    folder = tmp_path / "nl-spoken"
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]
    names = {path.stem for path in folder.iterdir()}
    assert names == {"defence_request", "defence_request_several", "defence_request_dicey"}
    raw = (folder / "defence_request.eml").read_bytes()
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    assert mail["Content-Language"] == "nl"
    assert "Wind 1 op G11 redden?" in (folder / "defence_request.txt").read_text()
    assert (folder / "defence_request.html").read_text().startswith("<!DOCTYPE html>")
