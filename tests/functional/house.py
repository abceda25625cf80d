"""The server under test: all of it, with real sockets at both ends and a clock that the test sets.

Mail comes in through a real listener and goes out over real SMTP to a ``Sink``; between them run
the jobs of the workers, called one after the other, so that weeks of a game pass in seconds. Every
mail that leaves is looked at as its reader would: no token, and nothing of the other side.
"""

from __future__ import annotations

import re
import smtplib
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Literal

from pbem.bootstrap import make_office
from pbem.config import Settings
from pbem.endpoints import Server
from pbem.mail.listener import Listener
from pbem.mail.office import Office
from pbem.mail.transport import Delivered as Sent
from pbem.mail.transport import Failed, SmtpTransport, Transport
from pbem.play.ports import Store, Surroundings
from pbem.play.post import DEAD, NEW, Inbound, Letter
from tests.functional.mails import Mail, read_mail
from tests.functional.sink import PATIENCE, Delivered, Sink
from workers import jobs
from workers.desk import Desk

DOMAIN = "play.example.org"
BEGIN = datetime(2026, 11, 16, 12, tzinfo=UTC)
SECRET = b"a secret that only this test knows."
_TOKEN = re.compile(r"[a-z2-7]{26}")


@dataclass
class Clock:
    """What time it is."""

    now: datetime = BEGIN

    def __call__(self) -> datetime:
        return self.now


class Counter:
    """Counts mails that were stored, on whatever thread, and waits for them."""

    def __init__(self) -> None:
        self.count = 0
        self.last = 0
        """The number of the newest."""
        self._changed = threading.Condition()

    def add(self, stored: Sequence[int]) -> None:
        """So many more."""
        with self._changed:
            self.count += len(stored)
            self.last = stored[-1]
            self._changed.notify_all()

    def wait_for(self, count: int) -> None:
        """Until there are as many; fails when they never come."""
        with self._changed:
            if not self._changed.wait_for(lambda: self.count >= count, PATIENCE):
                raise AssertionError(f"mail {count} was not stored, only {self.count} were")


class CountingTransport:
    """The real way out, which counts what was taken."""

    def __init__(self, port: int) -> None:
        self.taken = 0
        self._inner = _open_transport(port)

    def change(self, port: int) -> None:
        """Send another way from now on."""
        self._inner.close()
        self._inner = _open_transport(port)

    def send(self, envelope_from: str, recipient: str, data: bytes) -> Sent | Failed:
        """Hand over one mail."""
        done = self._inner.send(envelope_from, recipient, data)
        self.taken += isinstance(done, Sent)
        return done

    def check(self) -> None:
        """See whether mail would be taken now."""
        self._inner.check()

    def close(self) -> None:
        """Say goodbye."""
        self._inner.close()


def _open_transport(port: int) -> Transport:
    return SmtpTransport(Server("smtp", "127.0.0.1", port, "none"), name=DOMAIN)


@dataclass(frozen=True)
class Secret:
    """Words that only one player may read, while the game runs."""

    owner: str
    words: str


@dataclass
class House:
    """The server, its clock, and the world it writes to."""

    desk: Desk
    transport: CountingTransport
    listener: Listener
    arrivals: Counter
    sink: Sink
    clock: Clock
    way_in: int = 0
    """The port to which the world sends mail for us; ours, or that of a server before us."""
    secrets: list[Secret] = field(default_factory=list)
    astray: int = 0
    """How many mails were taken from us and will not come to the sink."""
    read_up_to: int = 0
    """How many of the mails in the sink have been looked at."""
    tokens: set[str] = field(default_factory=set)

    @property
    def around(self) -> Surroundings:
        return self.desk.around

    @property
    def office(self) -> Office:
        return self.desk.office

    # -- time -----------------------------------------------------------------------------------

    def work(self) -> None:
        """Let the workers do all there is to do now, and look at what leaves."""
        for _ in range(10):
            before = len(self.sink.all_mails())
            has_read = jobs.read(self.desk)
            jobs.sweep(self.desk)
            jobs.send(self.desk)
            self.sink.wait_for(self._has_all, "a mail that was sent")
            if not has_read and len(self.sink.all_mails()) == before:
                break
        self._check_faults()
        self.look_at_mails()

    def _check_faults(self) -> None:
        """No mail may have crashed who reads or writes it."""
        with self.around.store.read() as unit:
            written = [*unit.notices_in_state(NEW), *unit.notices_in_state(DEAD)]
            unread = unit.inbound_in_state(NEW)
        faults = [(out.notice.kind, reason) for out, reason in written if "Error" in reason]
        faults += [("mail that came in", each.reason or "?") for each in unread if each.attempts]
        assert not faults, faults

    def let_pass(self, *, days: float = 0, hours: float = 0, step_hours: float = 6) -> None:
        """Time goes by, and the workers look in now and then."""
        end = self.clock.now + timedelta(days=days, hours=hours)
        while self.clock.now < end:
            self.clock.now = min(end, self.clock.now + timedelta(hours=step_hours))
            self.work()

    def _has_all(self, mails: list[Delivered]) -> bool:
        return len(mails) >= self.transport.taken - self.astray

    # -- mail -----------------------------------------------------------------------------------

    def deliver(self, sender: str, recipients: Sequence[str], raw: bytes) -> None:
        """The world's mail server hands a mail over to us."""
        with smtplib.SMTP("127.0.0.1", self.way_in or self.listener.port, timeout=60) as client:
            expected = self.arrivals.count + 1
            client.sendmail(sender, list(recipients), raw)
        self.arrivals.wait_for(expected)

    def send_through(self, port: int) -> None:
        """Hand our mails to a server at this port, instead of to the world itself."""
        self.transport.change(port)

    def letter_of(self, mail: Mail) -> Letter:
        """What the server knows of a mail it wrote."""
        name = self.office.keys.find_message(mail.message_id.strip("<>").partition("@")[0])
        assert name is not None, f"not a Message-ID of ours: {mail.message_id}"
        with self.around.store.read() as unit:
            letter = unit.find_letter_by_message_id(name)
        assert letter is not None, f"no letter for {mail.message_id}"
        return letter

    def inbound_in(self, state: str) -> Sequence[Inbound]:
        """Mails that came in and are in this state."""
        with self.around.store.read() as unit:
            return unit.inbound_in_state(state)

    def forget_mails(self) -> None:
        """As if nothing had been sent yet."""
        self.sink.empty()
        self.transport.taken = self.astray = self.read_up_to = 0
        self.tokens.clear()

    def keep_secret(self, owner: str, *words: str) -> None:
        """From now on nobody but the owner of this address may read these words."""
        self.secrets += [Secret(owner, each) for each in words]

    def look_at_mails(self) -> None:
        """Check every mail that has left since the last time."""
        mails = self.sink.all_mails()
        since, self.read_up_to = self.read_up_to, len(mails)
        for delivered in mails[since:]:
            self._look_at(read_mail(delivered))

    def _look_at(self, mail: Mail) -> None:
        own = _TOKEN.findall(mail.reply_to.partition("@")[0])
        self.tokens.update(own)
        for token in self.tokens:
            assert token not in mail.words, f"a token can be read in {mail.subject!r}"
            if token not in own:
                assert token not in mail.delivered.raw.decode("latin-1"), "somebody's token"
        for secret in self.secrets:
            if mail.delivered.recipient != secret.owner:
                assert secret.words not in mail.words, f"{secret.words!r} in {mail.subject!r}"
        assert mail.header("Auto-Submitted") in ("auto-generated", "auto-replied")
        assert mail.header("X-Auto-Response-Suppress") == "All"
        if mail.delivered.recipient != self.office.director:
            assert mail.header("List-Unsubscribe").startswith("<https://")
            assert mail.header("List-Unsubscribe-Post") == "List-Unsubscribe=One-Click"
        self._check_thread(mail)
        assert mail.delivered.sender.startswith("bounce."), mail.delivered.sender
        assert mail.header("To").strip("<>").endswith(mail.delivered.recipient)
        assert mail.text.strip(), "a mail without text"
        assert len(mail.message.get_all("From", [])) == 1

    def _check_thread(self, mail: Mail) -> None:
        """All mails about a game are one thread, and say which game (L5)."""
        game_id = self.letter_of(mail).game_id
        if game_id is not None and mail.delivered.recipient != self.office.director:
            root = f"<game.{game_id}."
            assert mail.references.startswith(root), mail.references
            assert f"[{game_id}]" in mail.subject


@contextmanager
def open_house(
    store: Store,
    sink: Sink,
    *,
    protocol: Literal["smtp", "lmtp"] = "smtp",
    seed: str = "house",
    director: str | None = "director@example.com",
) -> Iterator[House]:
    """A server with an open door."""
    clock = Clock()
    settings = Settings(
        data_dir=Path(),
        database_url="",
        mail_domain=DOMAIN,
        site_url=f"https://{DOMAIN}",
        secret=SECRET,
        director=director,
    )
    office = make_office(settings)
    around = Surroundings(store, Random(seed).randbytes)
    transport = CountingTransport(sink.port)
    desk = Desk(settings, around, office, transport, clock=clock)
    arrivals = Counter()
    with Listener(around, office, protocol=protocol, clock=clock, nudge=arrivals.add) as listener:
        yield House(desk, transport, listener, arrivals, sink, clock)
    transport.close()
