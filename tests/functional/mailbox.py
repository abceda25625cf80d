"""Somebody who plays by mail: reads what comes and answers with a mail program of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime

from tests.functional.clients import CLIENTS, Sheet
from tests.functional.house import House
from tests.functional.mails import Mail, Mailto, read_mail
from tests.functional.sink import Delivered


@dataclass
class MailPlayer:
    """A person with an address, perhaps more than one, and a favourite program."""

    house: House
    name: str
    address: str
    client: str = "gmail"
    more_addresses: list[str] = field(default_factory=list)
    _written: int = 0

    # -- reading --------------------------------------------------------------------------------

    @property
    def inbox(self) -> list[Mail]:
        """What has come, oldest first."""
        mine = {self.address, *self.more_addresses}
        return [read_mail(each) for each in self.house.sink.all_mails() if each.recipient in mine]

    def latest(self, kind: str | None = None) -> Mail:
        """The newest mail, or the newest of a kind."""
        for mail in reversed(self.inbox):
            if kind is None or self.house.letter_of(mail).kind == kind:
                return mail
        raise AssertionError(f"{self.name} has no mail of kind {kind}; {self.kinds()}")

    def kinds(self) -> list[str]:
        """The kinds of all mails that have come."""
        return [self.house.letter_of(mail).kind for mail in self.inbox]

    def wait_for(self, count: int) -> Mail:
        """The newest mail, once there are so many."""
        mine = {self.address, *self.more_addresses}

        def is_there(mails: list[Delivered]) -> bool:
            return sum(mail.recipient in mine for mail in mails) >= count

        self.house.sink.wait_for(is_there, f"mail number {count} to {self.name}")
        return self.inbox[-1]

    # -- writing --------------------------------------------------------------------------------

    def reply(
        self,
        mail: Mail,
        text: str,
        *,
        client: str | None = None,
        from_address: str | None = None,
        change: Callable[[EmailMessage], None] | None = None,
        envelope: str | None = None,
    ) -> bytes:
        """Answer a mail; the bytes that were sent."""
        address = from_address or self.address
        sheet = Sheet(self.name, address, text, self.house.clock.now, self._message_id(), mail)
        message = CLIENTS[client or self.client](sheet)
        if change is not None:
            change(message)
        return self.send(mail.reply_to, message.as_bytes(), sender=envelope, address=address)

    def tap(self, mail: Mail, is_meant: Callable[[Mailto], bool]) -> bytes:
        """Send the mail that a link begins, as it is."""
        (link,) = [each for each in mail.mailtos if is_meant(each)]
        return self.write(link.address, link.body, subject=link.subject)

    def write(self, to: str, text: str, *, subject: str = "") -> bytes:
        """A new mail."""
        message = EmailMessage(policy=policy.SMTP)
        message["From"] = f"{self.name} <{self.address}>"
        message["To"] = to
        message["Subject"] = subject
        message["Date"] = format_datetime(self.house.clock.now)
        message["Message-ID"] = self._message_id()
        message.set_content(f"{text}\n")
        return self.send(to, message.as_bytes())

    def send_again(self, raw: bytes) -> None:
        """The very same mail once more, as happens when a server has lost its answer."""
        self.send(str(message_from_bytes(raw, policy=policy.default)["To"]), raw)

    def send(
        self, to: str, raw: bytes, *, sender: str | None = None, address: str | None = None
    ) -> bytes:
        """Hand a mail over as it is, and let the server work."""
        envelope = address or self.address if sender is None else sender
        self.house.clock.now += timedelta(minutes=1)
        self.house.deliver(envelope, [to], raw)
        self.house.work()
        return raw

    def _message_id(self) -> str:
        self._written += 1
        return f"<{self.name.lower()}-{self._written}@{self.address.partition('@')[2]}>"
