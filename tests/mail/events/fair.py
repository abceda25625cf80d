"""An event whose people write and get mails: rows go out as bytes, and bytes come in as rows."""

from __future__ import annotations

import email
import email.policy
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

from pbem.mail.sending import send_waiting
from pbem.mail.transport import Delivered
from pbem.play.model import Player
from pbem.play.post import Inbound, Letter
from tests.mail.acting.room import DOMAIN, KEYS, Room
from tests.mail.stages import Sketches, part
from tests.play.events.festival import Festival
from tests.play.hasty_store import HastyStore


@dataclass(frozen=True)
class Got:
    """A mail as its reader gets it, with the letter that we keep of it."""

    message: EmailMessage
    letter: Letter

    @property
    def kind(self) -> str:
        return self.letter.kind

    @property
    def subject(self) -> str:
        return str(self.message["subject"])

    @property
    def text(self) -> str:
        return part(self.message, "text/plain")

    @property
    def html(self) -> str:
        return part(self.message, "text/html")

    @property
    def words(self) -> str:
        """The plain text without its line breaks."""
        return " ".join(self.text.split())


class Tray:
    """Takes every mail that is sent."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, bytes]] = []

    def send(self, envelope_from: str, recipient: str, data: bytes) -> Delivered:
        self.mails.append((recipient, data))
        return Delivered()

    def check(self) -> None:
        """It is there."""

    def close(self) -> None:
        """There is nothing to close."""


class Fair(Festival):
    """An event and a post office."""

    def __init__(self, store: HastyStore, count: int = 4, **charter: Any) -> None:
        self.room = Room(store, drawings=Sketches())
        charter.setdefault("format", "swiss")
        super().__init__(self.room, count, **charter)

    def deliver(self) -> list[Got]:
        """All mails that go out now, in order."""
        tray = Tray()
        while send_waiting(self.around, self.room.office, tray, self.now, limit=200).fates["sent"]:
            pass
        return [self._got(data) for _, data in tray.mails]

    def _got(self, data: bytes) -> Got:
        message = email.message_from_bytes(data, policy=email.policy.default)
        token = str(message["reply-to"]).rpartition("<")[2].strip("<>").partition("@")[0]
        with self.club.store.read() as unit:
            name = KEYS.find_message(str(message["message-id"]).strip("<>").partition("@")[0])
            letter = None if name is None else unit.find_letter_by_message_id(name)
        assert letter is not None, token
        return Got(message, letter)

    def to(self, player: Player, mails: list[Got]) -> list[Got]:
        """Those of some mails that are to a player."""
        return [mail for mail in mails if mail.letter.player_id == player.id]

    def reply(self, player: Player, mail: Got, body: str, **more: Any) -> Inbound:
        """A player answers a mail; reading the answer once more changes nothing."""
        return self.room.mail(player, body, mail.letter, now=self.now, **more)

    def write(self, player: Player, body: str) -> Inbound:
        """A player writes to us without answering anything."""
        return self.room.mail(player, body, f"play@{DOMAIN}", now=self.now)

    def start(self) -> None:
        super().start()
        self.now += timedelta(minutes=1)
