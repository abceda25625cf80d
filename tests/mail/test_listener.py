"""The SMTP and LMTP listener, spoken to over real sockets (L1.1, L2)."""

from __future__ import annotations

import logging
import shutil
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import StoreUnavailableError
from pbem.mail.listener import Listener
from pbem.mail.smtp_gate import Limits, peer_name
from pbem.play.ports import Store, Surroundings, Unit
from pbem.play.post import NEW, Inbound
from pbem.store.database import SqlStore
from tests.mail.certificates import make_certificate
from tests.mail.post import DOMAIN, KEYS, NOON, make_office
from tests.mail.wire import Wire
from tests.play.hasty_store import HastyStore

PLAY = f"play@{DOMAIN}"
POSTMASTER = f"postmaster@{DOMAIN}"
TOKEN = KEYS.reply_token("a letter")
MAIL = b"From: Ann <ann@example.org>\r\nMessage-ID: <one@example.org>\r\n\r\nE7\r\n"
END = b".\r\n"


@pytest.fixture
def hasty(migrated_sqlite: Path, tmp_path: Path) -> Iterator[HastyStore]:
    file = tmp_path / "pbem.sqlite3"
    shutil.copy(migrated_sqlite, file)
    opened = HastyStore.open(f"sqlite:///{file}")
    yield opened
    opened.dispose()


class Stops:
    """A real store whose units wait, fail, or are counted."""

    def __init__(self, inner: Store) -> None:
        self.inner = inner
        self.error: Exception | None = None
        self.at_commit: Exception | None = None
        self.gate = threading.Event()
        self.gate.set()
        self.waiting = threading.Semaphore(0)
        self.threads: set[str] = set()

    @contextmanager
    def begin(self) -> Iterator[Unit]:
        self.threads.add(threading.current_thread().name)
        self.waiting.release()
        assert self.gate.wait(60)
        if self.error is not None:
            raise self.error
        with self.inner.begin() as unit:
            yield unit
            if self.at_commit is not None:
                raise self.at_commit

    def read(self) -> Any:
        return self.inner.read()


@pytest.fixture
def stops(hasty: HastyStore) -> Stops:
    return Stops(hasty)


Listen = Callable[..., Listener]


@pytest.fixture
def listen(stops: Stops) -> Iterator[Listen]:
    """Starts listeners that are stopped when the test ends."""
    with ExitStack() as stack:

        def start(protocol: Any = "smtp", **chosen: Any) -> Listener:
            around = Surroundings(stops, bytes)
            limits = Limits(**chosen.pop("limits", {}))
            return stack.enter_context(
                Listener(around, make_office(), protocol=protocol, limits=limits, **chosen)
            )

        yield start
        stops.gate.set()


def stored(store: Store) -> list[Inbound]:
    with store.read() as unit:
        found = [unit.find_inbound(row.id) for row in unit.inbound_in_state(NEW)]
        return sorted((row for row in found if row is not None), key=lambda row: row.id)


def mails(store: Store) -> list[bytes]:
    return [row.arrival.raw for row in stored(store)]


class TestSmtp:
    def test_a_mail_is_stored(self, listen: Listen, hasty: HastyStore) -> None:
        listener = listen(clock=lambda: NOON)
        with smtplib.SMTP("127.0.0.1", listener.port, timeout=60) as client:
            refused = client.sendmail("ann@example.org", [PLAY, "x@example.net"], MAIL)
        assert refused == {"x@example.net": (550, b"5.1.1 No such recipient here")}
        (row,) = stored(hasty)
        assert row.arrival.raw == MAIL
        assert (row.arrival.via, row.arrival.arrived) == ("smtp", NOON)
        assert row.arrival.sender == "ann@example.org"

    def test_on_both_databases(self, store: SqlStore) -> None:
        around = Surroundings(store, bytes)
        with Listener(around, make_office()) as listener, Wire(listener.port) as wire:
            wire.address(PLAY, POSTMASTER)
            assert wire.data(MAIL + END) == "250 2.0.0 Stored"
            assert len(stored(store)) == 2

    def test_what_it_offers(self, listen: Listen) -> None:
        with Wire(listen().port) as wire:
            assert wire.greeting == f"220 {DOMAIN} ESMTP pbem"
            assert wire.features.splitlines()[1:] == [
                "250-SIZE 10485760",
                "250-8BITMIME",
                "250-SMTPUTF8",
                "250 PIPELINING",
            ]

    @pytest.mark.parametrize(
        "local",
        [
            "play",
            "PLAY",
            "postmaster",
            f"game7.{TOKEN}",
            f"game7{TOKEN.upper()}",
            "g7.damagedtoken",
        ],
    )
    def test_recipients_that_have_the_shape_of_ours(self, listen: Listen, local: str) -> None:
        with Wire(listen().port) as wire:
            assert wire.address(f"{local}@{DOMAIN}")[1] == "250 2.1.5 OK"

    @pytest.mark.parametrize(
        "path",
        [
            f"<nobody@{DOMAIN}>",
            "<play@example.net>",
            "<play%example.net@example.net>",
            "<play>",
            "<>",
            f'<"play x"@{DOMAIN}>',
        ],
    )
    def test_all_others_are_refused_at_once(self, listen: Listen, path: str) -> None:
        with Wire(listen().port) as wire:
            wire.address()
            assert wire.ask(f"RCPT TO:{path}").startswith("550 5.1.1")
            assert wire.ask("DATA").startswith("503")

    def test_postmaster_is_taken_without_a_domain(self, listen: Listen) -> None:
        with Wire(listen().port) as wire:
            assert wire.address("Postmaster")[1].startswith("250")

    @pytest.mark.parametrize("bad", ["play", "<play", "<<>>", f"<{PLAY}> <{PLAY}>", "", "<a@b>x"])
    def test_what_is_no_address_is_refused_for_good(self, listen: Listen, bad: str) -> None:
        with Wire(listen().port) as wire:
            wire.address()
            assert wire.ask(f"RCPT TO:{bad}")[:3] in ("501", "553", "550", "555")
            assert wire.ask("NOOP").startswith("250")

    def test_a_report_has_no_sender(self, listen: Listen, hasty: HastyStore) -> None:
        with Wire(listen().port) as wire:
            wire.address(PLAY, sender="")
            wire.data(MAIL + END)
        assert stored(hasty)[0].arrival.sender == ""

    def test_letters_beyond_ascii(self, listen: Listen, hasty: HastyStore) -> None:
        with Wire(listen().port) as wire:
            assert wire.ask("MAIL FROM:<änn@example.org> SMTPUTF8 BODY=8BITMIME")[:3] == "250"
            assert wire.ask(f"RCPT TO:<{PLAY}>")[:3] == "250"
            assert wire.data("Subject: Zü\r\n\r\nE7\r\n".encode() + END)[:3] == "250"
            # Bytes that are no letters at all in a command
            assert wire.ask(b"MAIL FROM:<\xff\xfe@example.org>")[:3] == "250"
            assert wire.ask(b"RCPT TO:<\xff@example.org>")[:3] == "550"
            assert wire.ask(f"RCPT TO:<{PLAY}>")[:3] == "250"
            assert wire.data(b"\0\r\n\r\n\0\xff\r\n" + END)[:3] == "250"
        assert [row.arrival.sender for row in stored(hasty)] == ["änn@example.org", "@example.org"]

    def test_nothing_is_told_about_anybody(self, listen: Listen) -> None:
        with Wire(listen().port) as wire:
            assert wire.ask(f"VRFY {PLAY}") == wire.ask("VRFY nobody") == wire.ask("VRFY")
            assert wire.ask("EXPN play").startswith("502")
            assert wire.ask("AUTH PLAIN AGFubgBhbm4=").startswith("502")

    def test_a_whole_conversation_at_once(self, listen: Listen, hasty: HastyStore) -> None:
        one = f"MAIL FROM:<a@example.org>\r\nRCPT TO:<{PLAY}>\r\nDATA\r\n".encode()
        other = MAIL.replace(b"one@", b"two@")
        with Wire(listen().port) as wire:
            wire.send(one + MAIL + END + one + other + END + b"QUIT\r\n")
            replies = [wire.hear()[:3] for _ in range(9)]
            assert replies == ["250", "250", "354", "250", "250", "250", "354", "250", "221"]
        assert mails(hasty) == [MAIL, other]

    def test_commands_that_come_together_are_answered_together(self, listen: Listen) -> None:
        with Wire(listen().port) as wire:
            wire.send(f"MAIL FROM:<a@example.org>\r\nRCPT TO:<{PLAY}>\r\nDATA\r\n".encode())
            replies = wire.socket.recv(65536)
            assert [line[:3] for line in replies.splitlines()] == [b"250", b"250", b"354"]

    def test_however_many_come_together(self, listen: Listen) -> None:
        with Wire(listen().port) as wire:
            wire.send(b"NOOP\r\n" * 1000)
            assert {wire.hear() for _ in range(1000)} == {"250 OK"}

    def test_goodbye_is_said_whatever_follows(self, listen: Listen) -> None:
        with Wire(listen().port) as wire:
            wire.send(b"NOOP\r\nQUIT\r\n" + b"NOOP\r\n" * 3)
            assert [wire.hear()[:3] for _ in range(2)] == ["250", "221"]
            assert wire.is_over()

    def test_who_is_sent_away_hears_all_that_was_said_before(
        self, listen: Listen, hasty: HastyStore
    ) -> None:
        with Wire(listen().port) as wire:
            wire.address(PLAY)
            assert wire.ask("DATA").startswith("354")
            wire.send(MAIL + END + b"XXXX\r\n" * 5)
            heard = [wire.hear()[:3] for _ in range(6)]
            assert heard == ["250", "500", "500", "500", "500", "502"]
            assert wire.is_over()
        assert mails(hasty) == [MAIL]

    def test_who_has_said_all_and_only_listens_is_answered(
        self, listen: Listen, hasty: HastyStore
    ) -> None:
        said = f"MAIL FROM:<a@example.org>\r\nRCPT TO:<{PLAY}>\r\nDATA\r\n".encode() + MAIL + END
        with Wire(listen().port) as wire:
            wire.send(said)
            wire.socket.shutdown(socket.SHUT_WR)
            assert [wire.hear()[:3] for _ in range(4)] == ["250", "250", "354", "250"]
            assert wire.line()[:3] in ("451", "")
        assert mails(hasty) == [MAIL]


class TestPromise:
    """Success is said after the commit, and nothing but success (L1.1)."""

    def test_nothing_is_said_before_the_commit(self, listen: Listen, stops: Stops) -> None:
        listener = listen()
        stops.gate.clear()
        with Wire(listener.port) as wire, Wire(listener.port) as other:
            wire.address(PLAY)
            assert wire.ask("DATA").startswith("354")
            wire.send(MAIL + END)
            assert stops.waiting.acquire(timeout=60)
            wire.socket.settimeout(0.1)
            with pytest.raises(TimeoutError):
                wire.line()
            # Storing is in nobody's way.
            assert other.ask("NOOP").startswith("250")
            assert mails(stops) == []
            stops.gate.set()
            wire.socket.settimeout(20)
            assert wire.hear() == "250 2.0.0 Stored"
            assert mails(stops) == [MAIL]
        assert all(name.startswith("smtp-store") for name in stops.threads)

    @pytest.mark.parametrize("where", ["error", "at_commit"])
    @pytest.mark.parametrize(
        "error", [StoreUnavailableError("no disk"), RuntimeError("a fault"), MemoryError()]
    )
    def test_any_fault_of_ours_is_to_be_tried_later(
        self, listen: Listen, stops: Stops, error: Exception, where: str
    ) -> None:
        with Wire(listen().port) as wire:
            setattr(stops, where, error)
            wire.address(PLAY)
            assert wire.data(MAIL + END) == "451 4.3.0 Try again later"
            assert mails(stops) == []
            setattr(stops, where, None)
            wire.address(PLAY)
            assert wire.data(MAIL + END) == "250 2.0.0 Stored"
        assert mails(stops) == [MAIL]

    def test_a_sender_who_sends_too_much_comes_later(self, listen: Listen) -> None:
        with Wire(listen(mails_an_hour=1).port) as wire:
            wire.address(PLAY)
            assert wire.data(MAIL + END).startswith("250")
            wire.address(PLAY)
            assert wire.data(b"\r\nother\r\n" + END).startswith("451")
            wire.address(PLAY, sender="bob@example.org")
            assert wire.data(b"\r\nother\r\n" + END).startswith("250")

    def test_a_nudge_that_fails_costs_nothing(self, listen: Listen, hasty: HastyStore) -> None:
        told: list[int] = []

        def nudge(numbers: Any) -> None:
            told.extend(numbers)
            raise OSError("no broker")

        with Wire(listen(nudge=nudge).port) as wire:
            wire.address(PLAY, POSTMASTER)
            assert wire.data(MAIL + END).startswith("250")
        assert sorted(told) == [row.id for row in stored(hasty)]

    def test_stopping_waits_for_what_is_being_stored(self, listen: Listen, stops: Stops) -> None:
        listener = listen()
        stops.gate.clear()
        with Wire(listener.port) as wire, Wire(listener.port) as idle:
            wire.address(PLAY)
            wire.ask("DATA")
            wire.send(MAIL + END)
            assert stops.waiting.acquire(timeout=60)
            stopping = threading.Thread(target=listener.stop)
            stopping.start()
            assert idle.hear().startswith("421")
            assert idle.is_over()
            stops.gate.set()
            assert wire.hear() == "250 2.0.0 Stored"
            assert wire.hear().startswith("421")
            stopping.join(60)
        with pytest.raises(ConnectionError):
            Wire(listener.port)
        listener.stop()  # said again, nothing happens

    def test_a_port_that_is_taken(self, listen: Listen) -> None:
        taken = listen().port
        with pytest.raises(OSError, match="in use"):
            listen(port=taken)


class TestLmtp:
    def test_each_recipient_gets_a_reply(self, listen: Listen, hasty: HastyStore) -> None:
        with Wire(listen("lmtp").port, hello="LHLO mta.example.net") as wire:
            replies = wire.address(PLAY, f"nobody@{DOMAIN}", POSTMASTER)
            assert [reply[:3] for reply in replies] == ["250", "250", "550", "250"]
            assert wire.data(MAIL + END) == "250 2.0.0 Stored"
            assert wire.hear() == "250 2.0.0 Stored"
            assert wire.ask("NOOP").startswith("250")
        assert {row.arrival.via for row in stored(hasty)} == {"lmtp"}
        assert len(mails(hasty)) == 2

    def test_also_when_it_fails(self, listen: Listen, stops: Stops) -> None:
        with Wire(listen("lmtp", limits={"mail_bytes": 50}).port, hello="LHLO mta") as wire:
            for error in (StoreUnavailableError("no disk"), RuntimeError("a fault")):
                stops.error = error
                wire.address(PLAY, POSTMASTER)
                assert [wire.data(b"\r\nx\r\n" + END), wire.hear()] == [
                    "451 4.3.0 Try again later"
                ] * 2
            wire.address(PLAY, POSTMASTER)
            assert [wire.data(b"x" * 51 + b"\r\n" + END), wire.hear()] == [
                "552 5.3.4 Too large"
            ] * 2
            assert wire.ask("NOOP").startswith("250")

    def test_it_is_greeted_its_own_way(self, listen: Listen) -> None:
        with Wire(listen("lmtp").port, hello=None) as wire:
            assert wire.ask("EHLO mta").startswith("500")
            assert wire.ask("LHLO mta").startswith("250")


class TestSmuggling:
    """A bare CR or LF never ends a message (L2.4)."""

    @pytest.mark.parametrize(
        "false_end",
        [b"\n.\n", b"\r.\r", b"\r\n.\n", b"\r\n.\r", b"\n.\r\n", b"\r.\r\n", b"\r\n\0.\r\n"],
    )
    @pytest.mark.parametrize("in_pieces", [False, True])
    def test_what_is_smuggled_stays_text(
        self, listen: Listen, hasty: HastyStore, false_end: bytes, in_pieces: bool
    ) -> None:
        smuggled = f"MAIL FROM:<eve@example.net>\r\nRCPT TO:<{POSTMASTER}>\r\nDATA\r\n".encode()
        sent = MAIL + b"x" + false_end + smuggled + b"Subject: hers\r\n\r\ntext\r\n" + END
        with Wire(listen().port) as wire:
            wire.address(PLAY)
            wire.ask("DATA")
            if in_pieces:
                wire.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                cut = len(MAIL) + 1
                for piece in (sent[:cut], *(bytes([byte]) for byte in false_end)):
                    wire.send(piece)
                wire.send(sent[cut + len(false_end) :])
            else:
                wire.send(sent)
            assert wire.hear() == "250 2.0.0 Stored"
            assert wire.ask("NOOP").startswith("250")  # and not the answer to anything else
        (row,) = stored(hasty)
        assert row.arrival.destination == "service/play"
        assert smuggled in row.arrival.raw

    def test_dots_are_undone(self, listen: Listen, hasty: HastyStore) -> None:
        with Wire(listen().port) as wire:
            wire.address(PLAY)
            assert wire.data(b"..\r\n...\r\na.\r\n\n.b\r\n" + END).startswith("250")
        assert mails(hasty) == [b".\r\n..\r\na.\r\n\n.b\r\n"]


class TestCaps:
    def test_a_mail_as_large_as_may_be_and_one_byte_more(
        self, listen: Listen, hasty: HastyStore
    ) -> None:
        line = b"x" * 998 + b"\r\n"
        largest = (line * (10 * 1024 * 1024 // 1000 + 1))[: (10 << 20) - 2] + b"\r\n"
        assert len(largest) == 10 << 20
        with Wire(listen().port) as wire:
            wire.address(PLAY)
            assert wire.data(largest + END) == "250 2.0.0 Stored"
            wire.address(PLAY)
            assert wire.data(b"y" + largest + END) == "552 5.3.4 Too large"
            assert wire.ask("MAIL FROM:<a@example.org> SIZE=10485761").startswith("552")
            assert wire.ask("MAIL FROM:<a@example.org> SIZE=10485760").startswith("250")
        assert mails(hasty) == [largest]

    def test_a_line_without_an_end_is_sent_away(self, listen: Listen, hasty: HastyStore) -> None:
        with Wire(listen(limits={"mail_bytes": 100_000}).port) as wire:
            wire.address(PLAY)
            wire.ask("DATA")
            assert _keeps_out(wire, b"x" * 100_000)
        assert mails(hasty) == []

    @pytest.mark.parametrize("length", [2_000, 100_000, 5_000_000])
    def test_long_lines_are_taken(self, listen: Listen, hasty: HastyStore, length: int) -> None:
        mail = b"Subject: " + b"x" * length + b"\r\n\r\n" + b"y" * length + b"\r\n"
        with Wire(listen().port) as wire:
            wire.address(PLAY)
            assert wire.data(mail + END).startswith("250")
        assert mails(hasty) == [mail]

    def test_a_thousand_recipients(self, listen: Listen, hasty: HastyStore) -> None:
        with Wire(listen(limits={"recipients": 5, "refusals": 30}).port) as wire:
            wire.address()
            replies: list[str] = []
            for number in range(1000):
                try:
                    replies.append(wire.ask(f"RCPT TO:<g{number}.{TOKEN}@{DOMAIN}>")[:3])
                except ConnectionError:
                    break
                if not replies[-1] or replies[-1] == "421":
                    break
            assert replies[:35] == ["250"] * 5 + ["452"] * 30
            assert len(replies) < 40
        assert mails(hasty) == []

    def test_guessing_recipients_is_ended(self, listen: Listen) -> None:
        with Wire(listen(limits={"refusals": 3}).port) as wire:
            replies = wire.address(*(f"guess{number}@{DOMAIN}" for number in range(4)))
            assert [reply[:3] for reply in replies[1:]] == ["550"] * 3 + ["421"]

    def test_a_flood_of_commands_is_ended(self, listen: Listen) -> None:
        with Wire(listen(limits={"command_bytes": 1000}).port) as wire:
            assert _keeps_out(wire, b"NOOP\r\n" * 1000)

    @pytest.mark.parametrize("line", [b"A" * 600, b"MAIL FROM:<" + b"a" * 100_000 + b"@b>"])
    def test_a_long_command(self, listen: Listen, line: bytes) -> None:
        with Wire(listen().port) as wire:
            assert wire.ask(line).startswith("500")
            assert wire.ask("NOOP").startswith("250")

    def test_too_many_connections_are_told_to_come_later(self, listen: Listen) -> None:
        listener = listen(limits={"connections": 4, "connections_a_peer": 3})
        with ExitStack() as stack:
            wires = [stack.enter_context(Wire(listener.port)) for _ in range(3)]
            with Wire(listener.port) as refused:
                assert refused.greeting.startswith("421 4.7.0")
                assert refused.is_over()
            assert wires[0].ask("QUIT").startswith("221")
            assert wires[0].is_over()
            assert _eventually(lambda: _lets_in(listener.port))

    def test_a_hundred_at_once(self, listen: Listen, hasty: HastyStore) -> None:
        listener = listen(limits={"connections": 40, "connections_a_peer": 40})
        replies: list[str] = []

        def send(number: int) -> None:
            with Wire(listener.port) as wire:
                if not wire.greeting.startswith("220"):
                    replies.append(wire.greeting[:3])
                    return
                wire.address(PLAY)
                mail = b"Message-ID: <%d@example.org>\r\n\r\nE7\r\n" % number
                replies.append(wire.data(mail + END)[:3])

        threads = [threading.Thread(target=send, args=(number,)) for number in range(100)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert len(replies) == 100
        assert set(replies) <= {"250", "421", "451"}
        assert replies.count("250") == len(mails(hasty))
        assert replies.count("250") >= 40

    def test_mails_that_wait_together_are_bounded(self, listen: Listen, hasty: HastyStore) -> None:
        listener = listen(limits={"waiting_bytes": 50_000})
        with Wire(listener.port) as first, Wire(listener.port) as second:
            first.address(PLAY)
            first.ask("DATA")
            first.send(b"x" * 40_000)
            second.address(PLAY)
            assert _eventually(lambda: _is_refused(second))
            first.send(b"\r\n" + END)
            assert first.hear().startswith("250")
            second.address(PLAY)
            assert second.data(b"y" * 40_000 + b"\r\n" + END).startswith("250")


class TestPatience:
    """Who says nothing, or almost nothing, does not keep a connection (slowloris)."""

    def test_silence(self, listen: Listen) -> None:
        with Wire(listen(limits={"idle_seconds": 0.1}).port, hello=None) as wire:
            assert wire.hear() == "421 4.4.2 Timeout"
            assert wire.is_over()

    def test_a_drop_now_and_then(self, listen: Listen, hasty: HastyStore) -> None:
        with Wire(listen(limits={"idle_seconds": 0.5}).port) as wire:
            wire.address(PLAY)
            wire.ask("DATA")
            assert _drip(wire) in ("", "421 4.4.2 Timeout")
        assert mails(hasty) == []

    def test_commands_for_ever(self, listen: Listen) -> None:
        with Wire(listen(limits={"session_seconds": 1.5}).port) as wire:
            replies: list[str] = []
            while not replies or replies[-1].startswith("250"):
                replies.append(wire.ask("NOOP"))
                time.sleep(0.02)
            assert replies[-1] in ("", "421 4.4.2 This has taken too long")

    def test_less_of_it_while_many_are_here(self, listen: Listen) -> None:
        listener = listen(limits={"connections": 3, "busy_seconds": 1.0})
        with Wire(listener.port) as first, Wire(listener.port) as second:
            assert second.hear() == "421 4.4.2 Timeout"
            assert first.ask("NOOP").startswith("250")

    def test_who_never_listens_is_dropped(
        self, listen: Listen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("pbem.mail.smtp_session._GRACE", 0.1)
        limits = {"idle_seconds": 0.2, "connections_a_peer": 1, "command_bytes": 100_000}
        listener = listen(limits=limits)
        with socket.create_connection(("127.0.0.1", listener.port), 20) as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.sendall(b"HELP\r\n" * 10_000)
            assert _eventually(lambda: _lets_in(listener.port))

    def test_a_slow_but_steady_sender_is_heard(self, listen: Listen, hasty: HastyStore) -> None:
        # Longer in all than the silence that is allowed, but never silent so long.
        with Wire(listen(limits={"idle_seconds": 5.0}).port) as wire:
            wire.address(PLAY)
            wire.ask("DATA")
            for _ in range(11):
                wire.send(b"x" * 40_000)
                time.sleep(0.5)
            wire.send(b"\r\n" + END)
            assert wire.hear().startswith("250")

    def test_hanging_up_in_the_middle(self, listen: Listen, hasty: HastyStore) -> None:
        listener = listen(limits={"connections_a_peer": 1})
        for said in (b"", b"EHLO", b"EHLO x\r\nMAIL FROM:<a@b>\r\n", MAIL):
            assert _eventually(partial(_try_talk, listener.port, said))
        with _eventual_wire(listener.port) as wire:
            wire.address(PLAY)
            wire.ask("DATA")
            wire.send(MAIL)  # and no end
        assert _eventually(lambda: _lets_in(listener.port))
        assert mails(hasty) == []


class TestTls:
    @pytest.fixture
    def certificate(self, tmp_path: Path) -> Path:
        return make_certificate(tmp_path, "localhost")

    @pytest.fixture
    def context(self, certificate: Path) -> ssl.SSLContext:
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.load_cert_chain(certificate)
        return made

    def test_starttls(
        self, listen: Listen, hasty: HastyStore, certificate: Path, context: ssl.SSLContext
    ) -> None:
        with Wire(listen(tls=context).port) as wire:
            assert "250-STARTTLS" in wire.features
            wire.start_tls(ssl.create_default_context(cafile=str(certificate)))
            offered = wire.ask("EHLO client.example.net")
            assert "STARTTLS" not in offered
            assert "AUTH" not in offered
            assert wire.ask("STARTTLS").startswith("503")
            wire.address(PLAY)
            assert wire.data(MAIL + END).startswith("250")
        assert mails(hasty) == [MAIL]

    def test_what_was_said_before_it_counts_for_nothing(
        self, listen: Listen, hasty: HastyStore, certificate: Path, context: ssl.SSLContext
    ) -> None:
        with Wire(listen(tls=context).port) as wire:
            wire.address(PLAY)
            wire.send(b"STARTTLS\r\nNOOP injected\r\n")
            assert wire.hear().startswith("220")
            client = ssl.create_default_context(cafile=str(certificate))
            try:
                wire.socket = client.wrap_socket(wire.socket, server_hostname="localhost")
            except (ssl.SSLError, ConnectionError):
                return  # the handshake saw the injected bytes: just as well
            assert wire.ask("DATA").startswith("503")
        assert mails(hasty) == []

    def test_a_handshake_that_never_comes(
        self, listen: Listen, context: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("pbem.mail.smtp_session._GRACE", 0.1)
        limits = {"idle_seconds": 3.0, "connections_a_peer": 1}
        listener = listen(tls=context, limits=limits)
        with Wire(listener.port) as wire:
            assert wire.ask("STARTTLS").startswith("220")
            assert _eventually(lambda: _lets_in(listener.port))

    @pytest.mark.parametrize("said", [b"", b"\x16\x03\x01", b"NOOP\r\n" * 100])
    def test_a_handshake_that_breaks_off(
        self, listen: Listen, context: ssl.SSLContext, said: bytes
    ) -> None:
        listener = listen(tls=context, limits={"connections_a_peer": 1})
        with Wire(listener.port) as wire:
            assert wire.ask("STARTTLS").startswith("220")
            wire.send(said)
        assert _eventually(lambda: _lets_in(listener.port))


def test_no_address_is_logged(
    listen: Listen, caplog: pytest.LogCaptureFixture, stops: Stops
) -> None:
    logging.getLogger("mail.log").setLevel(logging.NOTSET)
    with caplog.at_level(logging.DEBUG), Wire(listen().port) as wire:
        wire.address(f"game7.{TOKEN}@{DOMAIN}")
        stops.error = RuntimeError(f"about {TOKEN}")
        wire.data(MAIL + END)
        wire.ask(f"RCPT FROM {TOKEN}")
    assert TOKEN not in caplog.text
    assert "RuntimeError" in caplog.text


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", "unknown"),
    ],
)
def test_who_a_peer_is(host: str, name: str) -> None:
    assert peer_name(host) == name


def _eventually(is_so: Callable[[], bool]) -> bool:
    """Whether something comes true within some seconds."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if is_so():
            return True
        time.sleep(0.02)
    return False


def _lets_in(port: int) -> bool:
    with Wire(port, hello=None) as wire:
        return wire.greeting.startswith("220")


def _keeps_out(wire: Wire, piece: bytes) -> bool:
    """Whether the other side hangs up on somebody who does not stop."""
    try:
        for _ in range(1000):
            wire.send(piece)
    except ConnectionError:
        return True
    return False


def _is_refused(wire: Wire) -> bool:
    """Whether a mail is not taken now; asks again until the other side has read its own."""
    reply = wire.data(b"y" * 40_000 + b"\r\n" + END)
    wire.address(PLAY)
    return reply.startswith("451")


def _drip(wire: Wire) -> str:
    """Send a byte now and then until the other side answers."""
    wire.socket.settimeout(0.05)
    for _ in range(200):
        try:
            wire.send(b"x")
            return wire.line()
        except TimeoutError:
            continue
        except OSError:
            return ""
    return "still here"


def _try_talk(port: int, said: bytes) -> bool:
    with Wire(port, hello=None) as wire:
        if wire.greeting.startswith("421"):
            return False
        wire.send(said)
        return True


@contextmanager
def _eventual_wire(port: int) -> Iterator[Wire]:
    """A connection, once there is room for one."""
    while True:
        wire = Wire(port)
        if wire.greeting.startswith("220"):
            break
        wire.socket.close()
    with wire:
        yield wire
