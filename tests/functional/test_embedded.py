"""A short game with the server as it runs: one process, its own clock, workers that are nudged."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.config import Settings
from pbem.endpoints import Endpoint, Server
from tests.functional.house import DOMAIN, SECRET
from tests.functional.mails import Mail, read_mail
from tests.functional.sink import Delivered, Sink
from workers.embedded import Embedded


@dataclass
class Correspondent:
    """Somebody who waits for a mail and answers it."""

    sink: Sink
    port: int
    address: str

    def write(self, to: str, text: str, *, answering: Mail | None = None) -> None:
        message = EmailMessage(policy=policy.SMTP)
        message["From"] = self.address
        message["To"] = to
        message["Subject"] = "" if answering is None else f"Re: {answering.subject}"
        if answering is not None:
            message["In-Reply-To"] = answering.message_id
        message.set_content(f"{text}\n")
        with smtplib.SMTP("127.0.0.1", self.port, timeout=60) as client:
            client.send_message(message)

    def reply(self, mail: Mail, text: str) -> None:
        self.write(mail.reply_to, text, answering=mail)

    def wait_for(self, subject: str) -> Mail:
        """The first mail with this in its subject."""

        def found(mails: list[Delivered]) -> list[Mail]:
            mine = [read_mail(each) for each in mails if each.recipient == self.address]
            return [mail for mail in mine if subject in mail.subject]

        self.sink.wait_for(lambda mails: bool(found(mails)), f"{subject!r} to {self.address}", 60)
        return found(self.sink.all_mails())[0]


@pytest.fixture
def sink() -> Iterator[Sink]:
    with Sink() as opened:
        yield opened


@pytest.fixture
def server(sink: Sink, database_url: str, tmp_path: Path) -> Iterator[Embedded]:
    settings = Settings(
        data_dir=tmp_path,
        database_url=database_url,
        mail_domain=DOMAIN,
        site_url=f"https://{DOMAIN}",
        secret=SECRET,
        relay=Server("smtp", "127.0.0.1", sink.port, "none"),
        listen_smtp=Endpoint("127.0.0.1", 0),
        listen_http=None,
    )
    with Embedded(settings) as running:
        yield running


def test_a_short_game(server: Embedded, sink: Sink) -> None:
    port = server.endpoints["smtp"].port
    ann = Correspondent(sink, port, "ann@example.org")
    beau = Correspondent(sink, port, "beau@example.net")
    ann.write(f"join@{DOMAIN}", "Hello")
    ann.reply(ann.wait_for("confirm"), "ok")
    ann.reply(ann.wait_for("Welcome"), f"invite {beau.address} apprentice 14d as gold starter gold")
    beau.reply(beau.wait_for("invites"), "accept")
    ann.reply(ann.wait_for("Your set-up"), "setup WFEAAEFW")
    beau.reply(beau.wait_for("Your set-up"), "setup WFEAAEFW")
    ann.reply(ann.wait_for("Your turn"), "F2>I3; end")
    beau.reply(beau.wait_for("Your turn"), "resign")
    for who in (ann, beau):
        sink.wait_for(
            lambda mails, who=who: any(  # type: ignore[misc]
                read_mail(mail).attachments for mail in mails if mail.recipient == who.address
            ),
            f"the record to {who.address}",
        )
    assert server.find_fault() is None
