"""``pbem ingest``: a mail server's pipe is told by the exit code what to do with a mail."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.play.post import NEW, Inbound
from pbem.store.database import open_store
from tests.mail.post import DOMAIN

PLAY = f"play@{DOMAIN}"
MAIL = b"From ann@example.org Mon Nov 16 12:00:00 2026\nFrom: ann@example.org\n\nE7\n"


@pytest.fixture
def url(migrated_sqlite: Path, tmp_path: Path) -> str:
    file = tmp_path / "pbem.sqlite3"
    shutil.copy(migrated_sqlite, file)
    return f"sqlite:///{file}"


@pytest.fixture
def environ(url: str, tmp_path: Path) -> dict[str, str | None]:
    nothing = dict.fromkeys(
        ("SENDER", "RECIPIENT", "ORIGINAL_RECIPIENT", "LOCAL_PART", "DOMAIN", "PBEM_SECRET")
    )
    return {
        **nothing,
        "PBEM_DATA_DIR": str(tmp_path),
        "PBEM_DATABASE_URL": url,
        "PBEM_MAIL_DOMAIN": DOMAIN,
        "PBEM_SITE_URL": "https://play.example.org",
    }


def ingest(environ: dict[str, str | None], *words: str, mail: bytes = MAIL) -> Result:
    return CliRunner(env=environ).invoke(main, ["ingest", *words], input=mail)


def stored(url: str) -> list[Inbound]:
    opened = open_store(url)
    with opened.read() as unit:
        found = [unit.find_inbound(row.id) for row in unit.inbound_in_state(NEW)]
    opened.dispose()
    return [row for row in found if row is not None]


def test_a_mail_is_stored(environ: dict[str, str | None], url: str) -> None:
    done = ingest(environ, "--recipient", PLAY, "--sender", "ann@example.org")
    assert (done.exit_code, done.output) == (0, "")
    (row,) = stored(url)
    assert row.arrival.raw == MAIL
    assert (row.arrival.sender, row.arrival.via) == ("ann@example.org", "pipe")
    assert row.arrival.destination == "service/play"


@pytest.mark.parametrize(
    ("told", "mail", "destination", "sender"),
    [
        ({"ORIGINAL_RECIPIENT": PLAY, "RECIPIENT": "x@y", "SENDER": "a@b"}, MAIL, "play", "a@b"),
        ({"RECIPIENT": PLAY, "SENDER": "MAILER-DAEMON"}, MAIL, "play", ""),
        ({"LOCAL_PART": "help", "DOMAIN": DOMAIN, "SENDER": ""}, MAIL, "help", ""),
        ({}, b"Return-Path: <>\nDelivered-To: %s\n\n" % PLAY.encode(), "play", ""),
        ({}, b"Return-Path: <a@b.example>\nTo: %s\n\n" % PLAY.encode(), "play", "a@b.example"),
        ({}, b"To: %s\n\n" % PLAY.encode(), "play", None),
    ],
)
def test_the_envelope_is_what_the_server_tells_or_the_headers(
    environ: dict[str, str | None],
    url: str,
    told: dict[str, str],
    mail: bytes,
    destination: str,
    sender: str | None,
) -> None:
    assert ingest({**environ, **told}, mail=mail).exit_code == 0
    (row,) = stored(url)
    assert row.arrival.destination == f"service/{destination}"
    assert row.arrival.sender == sender


class TestExitCodes:
    def test_no_such_recipient(self, environ: dict[str, str | None], url: str) -> None:
        assert ingest(environ, "--recipient", "x@example.net").exit_code == 67
        assert ingest(environ).exit_code == 67
        assert stored(url) == []

    def test_too_large(self, environ: dict[str, str | None], url: str) -> None:
        large = b"x" * ((10 << 20) + 1)
        assert ingest(environ, "--recipient", PLAY, mail=large).exit_code == 65
        assert stored(url) == []

    @pytest.mark.parametrize(
        "broken",
        [
            {"PBEM_DATABASE_URL": "sqlite:////nowhere/at/all.sqlite3"},
            {"PBEM_DATABASE_URL": "mysql://x"},
            {"PBEM_MAIL_DOMAIN": ""},
            {"PBEM_TRUST": "everybody"},
        ],
    )
    def test_whatever_is_wrong_with_us_is_tried_again(
        self, environ: dict[str, str | None], broken: dict[str, str]
    ) -> None:
        done = ingest({**environ, **broken}, "--recipient", PLAY)
        assert done.exit_code == 75
        assert "Traceback" not in done.output

    def test_so_is_a_command_that_was_written_wrongly(self, environ: dict[str, str | None]) -> None:
        assert ingest(environ, "--to", PLAY).exit_code == 75
        assert ingest(environ, "--recipient").exit_code == 75
        assert ingest(environ, "--help").exit_code == 0

    def test_one_recipient_of_several_is_enough(
        self, environ: dict[str, str | None], url: str
    ) -> None:
        done = ingest(environ, "--recipient", "x@example.net", "--recipient", PLAY)
        assert done.exit_code == 0
        assert len(stored(url)) == 1
