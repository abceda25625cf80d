"""Handing over mails to servers that take them, refuse them, hang up, or are not there (L1.4)."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.load.ports import free_port
from pbem.endpoints import Server
from pbem.mail import transport
from pbem.mail.transport import Delivered, Failed, RelayDownError, SmtpTransport, with_crlf
from tests.mail.certificates import make_certificate
from tests.mail.scripted import ScriptedServer

FROM = "bounce.7-1-abc@play.example.org"
TO = "ann@example.net"
MAIL = b"Subject: a turn\r\n\r\nIt is your turn.\r\n"


@contextmanager
def sending_to(server: ScriptedServer, relay: Server | None = None) -> Iterator[SmtpTransport]:
    with server:
        made = SmtpTransport(relay or server.relay(), name="play.example.org", timeout=60)
        yield made
        made.close()


def test_a_mail_is_handed_over_with_its_return_path() -> None:
    with sending_to(server := ScriptedServer()) as way:
        assert way.send(FROM, TO, MAIL) == Delivered("2.0.0 taken")
    assert server.mails == [MAIL]
    assert server.commands == [
        "ehlo play.example.org",
        f"mail FROM:<{FROM}>",
        f"rcpt TO:<{TO}>",
        "data",
        "quit",
    ]


def test_commands_are_said_together_where_the_server_allows_it() -> None:
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            peer, _ = listening.accept()
            with peer:
                for answer in (
                    b"220 here\r\n",
                    b"250-here\r\n250 PIPELINING\r\n",
                    b"250 OK\r\n250 OK\r\n354 go on\r\n",
                    b"250 taken\r\n",
                ):
                    peer.sendall(answer)
                    heard.append(peer.recv(1 << 16))

        thread = threading.Thread(target=serve)
        thread.start()
        relay = Server("smtp", "127.0.0.1", listening.getsockname()[1], "none")
        way = SmtpTransport(relay, name="play.example.org", timeout=60)
        assert way.send(FROM, TO, MAIL) == Delivered("taken")
        way.close()
        thread.join(60)
    said = f"mail FROM:<{FROM}>\r\nrcpt TO:<{TO}>\r\ndata\r\n"
    assert heard[1:3] == [said.encode(), MAIL + b".\r\n"]


def test_the_connection_is_kept_from_mail_to_mail() -> None:
    with sending_to(server := ScriptedServer()) as way:
        for _ in range(3):
            assert isinstance(way.send(FROM, TO, MAIL), Delivered)
    assert len(server.connections) == 1
    assert len(server.mails) == 3


@pytest.mark.parametrize(
    ("data", "on_the_wire"),
    [
        (b"a\nb\r\nc\rd", b"a\r\nb\r\nc\r\nd\r\n"),
        (b".\r\n..two\r\n", b"..\r\n...two\r\n"),
        (b"a\n.\nMAIL FROM:<evil@example.net>\n", b"a\r\n..\r\nMAIL FROM:<evil@example.net>\r\n"),
        (b"a\r.\rb", b"a\r\n..\r\nb\r\n"),
        (b"a\r\n.\n.\r\n", b"a\r\n..\r\n..\r\n"),
    ],
)
def test_no_bare_line_end_is_sent_and_no_line_ends_a_mail(data: bytes, on_the_wire: bytes) -> None:
    with sending_to(server := ScriptedServer()) as way:
        assert isinstance(way.send(FROM, TO, data), Delivered)
    assert server.mails == [on_the_wire]
    assert with_crlf(with_crlf(data)) == with_crlf(data)


def test_addresses_cannot_carry_commands() -> None:
    with sending_to(server := ScriptedServer()) as way:
        outcome = way.send(FROM, "ann@example.net>\r\nRCPT TO:<eve@example.net", MAIL)
    assert isinstance(outcome, Failed)
    assert outcome.is_permanent
    assert server.mails == []
    assert not any("eve" in command for command in server.commands)


@pytest.fixture(params=[(), ("PIPELINING",)], ids=["one by one", "together"])
def extensions(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Of servers that take one command at a time, and of those that take several."""
    found: tuple[str, ...] = request.param
    return found


class TestRefusals:
    @pytest.mark.parametrize(
        ("answer", "is_permanent"),
        [
            ("550 5.1.1 no such user", True),
            ("553 no", True),
            ("452 4.2.2 mailbox full", False),
            ("450 4.7.1 greylisted, come back later", False),
            ("554 5.7.1 relay access denied", False),
            ("550-5.7.1 not from\r\n550 5.7.1 you", False),
            ("530 log in first", False),
        ],
    )
    @pytest.mark.parametrize("command", ["RCPT", "DATA", "."])
    def test_now_or_for_good(
        self, command: str, answer: str, is_permanent: bool, extensions: tuple[str, ...]
    ) -> None:
        server = ScriptedServer({command: answer}, extensions=extensions)
        with sending_to(server) as way:
            outcome = way.send(FROM, TO, MAIL)
            assert isinstance(outcome, Failed)
            assert (outcome.is_permanent, outcome.code) == (is_permanent, int(answer[:3]))
            # The next one goes over the same connection.
            server.answers.clear()
            assert isinstance(way.send(FROM, TO, MAIL), Delivered)
        assert len(server.connections) == 1

    def test_one_recipient_is_refused_the_other_not(self, extensions: tuple[str, ...]) -> None:
        def judge(command: str) -> str:
            return "550 5.1.1 unknown" if TO in command else "250 OK"

        with sending_to(server := ScriptedServer({"RCPT": judge}, extensions=extensions)) as way:
            assert way.send(FROM, TO, MAIL) == Failed(True, 550, "5.1.1 unknown")
            assert isinstance(way.send(FROM, "bob@example.net", MAIL), Delivered)
        assert len(server.mails) == 1

    def test_a_mail_to_nobody_is_ended_at_once(self) -> None:
        answers = {"RCPT": "550 5.1.1 unknown", "DATA": "354 go on all the same"}
        with sending_to(server := ScriptedServer(answers, extensions=("PIPELINING",))) as way:
            assert way.send(FROM, TO, MAIL) == Failed(True, 550, "5.1.1 unknown")
            server.answers.clear()
            assert isinstance(way.send(FROM, TO, MAIL), Delivered)
        assert server.mails == [b"", MAIL]
        assert len(server.connections) == 1

    def test_a_server_that_refuses_and_hangs_up_has_refused(self) -> None:
        answers = {"RCPT": "550 5.1.1 unknown", "DATA": None}
        with sending_to(server := ScriptedServer(answers, extensions=("PIPELINING",))) as way:
            assert way.send(FROM, TO, MAIL) == Failed(True, 550, "5.1.1 unknown")
            server.answers.clear()
            assert isinstance(way.send(FROM, TO, MAIL), Delivered)
        assert len(server.connections) == 2

    def test_a_server_that_says_421_gets_a_new_connection(
        self, extensions: tuple[str, ...]
    ) -> None:
        server = ScriptedServer({"RCPT": "421 4.3.2 going down"}, extensions=extensions)
        with sending_to(server) as way:
            assert way.send(FROM, TO, MAIL) == Failed(False, 421, "4.3.2 going down")
            server.answers.clear()
            assert isinstance(way.send(FROM, TO, MAIL), Delivered)
        assert len(server.connections) == 2

    def test_what_a_server_says_is_one_printable_line(self) -> None:
        said = "550-first\r\n550-\x1b[31m second\r\n550 " + "x" * 400
        with sending_to(ScriptedServer({"RCPT": said})) as way:
            outcome = way.send(FROM, TO, MAIL)
        assert isinstance(outcome, Failed)
        assert outcome.text.startswith("first ?[31m second xxx")
        assert len(outcome.text) == 300

    @pytest.mark.parametrize("command", ["RCPT", "DATA", "."])
    def test_a_broken_connection_is_a_failure_for_now(
        self, command: str, extensions: tuple[str, ...]
    ) -> None:
        with sending_to(server := ScriptedServer({command: None}, extensions=extensions)) as way:
            outcome = way.send(FROM, TO, MAIL)
            assert isinstance(outcome, Failed)
            assert (outcome.is_permanent, outcome.code) == (False, 0)
            server.answers.clear()
            assert isinstance(way.send(FROM, TO, MAIL), Delivered)


class TestStaleConnections:
    def test_the_server_hung_up_meanwhile(self, extensions: tuple[str, ...]) -> None:
        with sending_to(server := ScriptedServer(extensions=extensions)) as way:
            way.send(FROM, TO, MAIL)
            server.hang_up()
            assert isinstance(way.send(FROM, TO, MAIL), Delivered)
        assert len(server.connections) == 2

    def test_after_a_pause_the_server_is_asked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(transport, "_TRUSTED", 0.0)
        with sending_to(server := ScriptedServer()) as way:
            way.send(FROM, TO, MAIL)
            way.send(FROM, TO, MAIL)
            assert server.commands.count("noop") == 1
            server.answers["NOOP"] = "421 idle for too long"
            way.send(FROM, TO, MAIL)
        assert len(server.connections) == 2
        assert len(server.mails) == 3

    def test_after_long_it_is_given_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(transport, "_KEPT", 0.0)
        with sending_to(server := ScriptedServer()) as way:
            way.send(FROM, TO, MAIL)
            way.send(FROM, TO, MAIL)
        assert len(server.connections) == 2

    def test_after_many_mails_there_is_a_new_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(transport, "_MOST", 2)
        with sending_to(server := ScriptedServer()) as way:
            for _ in range(5):
                way.send(FROM, TO, MAIL)
        assert [len(each.mails) for each in server.connections] == [2, 2, 1]


class TestDown:
    def test_nobody_is_there(self) -> None:
        port = free_port()
        way = SmtpTransport(Server("smtp", "127.0.0.1", port, "none"), name="play.example.org")
        with pytest.raises(RelayDownError):
            way.send(FROM, TO, MAIL)
        with pytest.raises(RelayDownError):
            way.check()

    def test_who_comes_when_all_is_closed_opens_nothing(self) -> None:
        with sending_to(server := ScriptedServer()) as way:
            assert way.send(FROM, TO, MAIL) == Delivered("2.0.0 taken")
            way.close()
            with pytest.raises(RelayDownError, match="nothing is sent any more"):
                way.send(FROM, TO, MAIL)
        assert len(server.mails) == 1

    @pytest.mark.parametrize(
        ("command", "answer"),
        [
            ("banner", "554 not you"),
            ("banner", None),
            ("EHLO", "421 busy"),
            ("EHLO", None),
            ("MAIL", "530 5.7.0 log in first"),
            ("MAIL", "451 4.3.0 try later"),
            ("MAIL", "550 5.1.8 sender refused"),
            ("MAIL", None),
        ],
    )
    def test_whoever_takes_no_mail_at_all_is_down(
        self, command: str, answer: str | None, extensions: tuple[str, ...]
    ) -> None:
        answers = {command: answer, "HELO": answer}
        with sending_to(server := ScriptedServer(answers, extensions=extensions)) as way:
            with pytest.raises(RelayDownError):
                way.send(FROM, TO, MAIL)
            with pytest.raises(RelayDownError):
                way.check()
            server.answers.clear()
            way.check()
            assert isinstance(way.send(FROM, TO, MAIL), Delivered)

    def test_a_check_hands_nothing_over_and_keeps_the_connection(self) -> None:
        with sending_to(server := ScriptedServer()) as way:
            way.check()
            way.check()
            way.send(FROM, TO, MAIL)
        assert len(server.connections) == 1
        assert len(server.mails) == 1


class TestLetters:
    """Addresses and mails beyond ASCII."""

    def test_a_host_is_written_as_dns_has_it(self) -> None:
        with sending_to(server := ScriptedServer()) as way:
            assert isinstance(way.send(FROM, "ann@bücher.example", MAIL), Delivered)
        assert "rcpt TO:<ann@xn--bcher-kva.example>" in server.commands

    def test_letters_left_of_the_at_need_a_server_that_takes_them(self) -> None:
        with sending_to(ScriptedServer()) as way:
            outcome = way.send(FROM, "zoë@example.net", MAIL)
            assert isinstance(outcome, Failed)
            assert outcome.is_permanent
        with sending_to(server := ScriptedServer(extensions=("SMTPUTF8", "8BITMIME"))) as way:
            assert isinstance(way.send(FROM, "zoë@example.net", MAIL), Delivered)
            assert isinstance(way.send(FROM, TO, MAIL), Delivered)
        asked = [each for each in server.commands if each.startswith("mail")]
        assert ["SMTPUTF8" in each for each in asked] == [True, False]
        assert "rcpt TO:<zoë@example.net>" in server.commands

    def test_eight_bits_are_announced_where_they_may_be(self) -> None:
        mail = MAIL + "é\r\n".encode()
        for extensions, is_announced in ((("8BITMIME",), True), ((), False)):
            with sending_to(server := ScriptedServer(extensions=extensions)) as way:
                way.send(FROM, TO, mail)
            (asked,) = [each for each in server.commands if each.startswith("mail")]
            assert ("BODY=8BITMIME" in asked) is is_announced


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls"), "localhost")


@pytest.fixture
def context(certificate: Path) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(certificate)
    return made


class TestTls:
    @pytest.mark.parametrize("is_implicit", [False, True])
    def test_mail_and_password_go_over_tls(
        self, is_implicit: bool, context: ssl.SSLContext, certificate: Path
    ) -> None:
        server = ScriptedServer(
            {"AUTH": "235 welcome"},
            extensions=("STARTTLS", "AUTH PLAIN"),
            context=context,
            is_implicit=is_implicit,
        )
        relay = server.relay(
            "implicit" if is_implicit else "starttls",
            host="localhost",
            user="me",
            password="hunter2",
            ca_file=str(certificate),
        )
        with sending_to(server, relay) as way:
            assert isinstance(way.send(FROM, TO, MAIL), Delivered)
        assert any(each.startswith("AUTH PLAIN ") for each in server.commands)
        assert server.mails == [MAIL]

    @pytest.mark.parametrize("is_implicit", [False, True])
    def test_a_certificate_nobody_vouches_for_is_refused(
        self, is_implicit: bool, context: ssl.SSLContext
    ) -> None:
        server = ScriptedServer(extensions=("STARTTLS",), context=context, is_implicit=is_implicit)
        relay = server.relay("implicit" if is_implicit else "starttls", host="localhost")
        with sending_to(server, relay) as way, pytest.raises(RelayDownError, match=r"(?i)certif"):
            way.send(FROM, TO, MAIL)
        assert server.mails == []

    def test_a_certificate_of_another_is_refused(
        self, context: ssl.SSLContext, certificate: Path
    ) -> None:
        server = ScriptedServer(extensions=("STARTTLS",), context=context)
        relay = server.relay("starttls", host="127.0.0.1", ca_file=str(certificate))
        with sending_to(server, relay) as way, pytest.raises(RelayDownError):
            way.send(FROM, TO, MAIL)
        assert server.mails == []

    def test_without_the_tls_that_was_asked_for_nothing_is_sent(self) -> None:
        with sending_to(server := ScriptedServer()) as way:
            asking = SmtpTransport(server.relay("starttls"), name="play.example.org", timeout=60)
            with pytest.raises(RelayDownError, match="STARTTLS"):
                asking.send(FROM, TO, MAIL)
            way.check()
        assert server.mails == []

    def test_a_wrong_password_is_not_the_players_fault_and_is_not_shown(
        self, context: ssl.SSLContext, certificate: Path
    ) -> None:
        server = ScriptedServer(
            {"AUTH": "535 5.7.8 no"},
            extensions=("AUTH PLAIN",),
            context=context,
            is_implicit=True,
        )
        relay = server.relay(
            "implicit",
            host="localhost",
            user="me",
            password="hunter2",
            ca_file=str(certificate),
        )
        with sending_to(server, relay) as way, pytest.raises(RelayDownError) as caught:
            way.send(FROM, TO, MAIL)
        assert "535" in str(caught.value)
        assert "hunter2" not in str(caught.value) + repr(relay) + str(relay)


def test_lmtp() -> None:
    server = ScriptedServer()
    relay = Server("lmtp", "127.0.0.1", server.port, "none")
    with sending_to(server, relay) as way:
        assert isinstance(way.send(FROM, TO, MAIL), Delivered)
        assert isinstance(way.send(FROM, TO, MAIL), Delivered)
    assert server.commands[0] == "lhlo play.example.org"
    assert len(server.connections) == 1


class TestThreads:
    """Those that send at once have a connection each, if the server allows it."""

    def test_a_connection_each(self) -> None:
        with sending_to(server := ScriptedServer({"RCPT": meeting(2)})) as way:
            send_from_threads(way, 2, 3)
        assert len(server.connections) == 2
        assert len(server.mails) == 6

    def test_what_one_is_done_with_another_uses(self) -> None:
        with sending_to(server := ScriptedServer()) as way:
            for _ in range(3):
                send_from_threads(way, 1, 1)
            way.check()
        assert len(server.connections) == 1
        assert len(server.mails) == 3

    def test_a_server_that_allows_one_connection_is_not_down(self) -> None:
        with sending_to(server := ScriptedServer(RoomForOne().answers)) as way:
            send_from_threads(way, 1, 3)
            send_from_threads(way, 3, 4)
            way.check()
        assert [len(each.mails) for each in server.connections if each.mails] == [15]

    def test_nor_is_it_when_that_one_has_carried_enough(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(transport, "_MOST", 2)
        with sending_to(server := ScriptedServer(RoomForOne().answers)) as way:
            send_from_threads(way, 1, 3)
            send_from_threads(way, 3, 3)
        assert [len(each.mails) for each in server.connections if each.mails] == [2] * 6

    def test_a_question_waits_for_no_room_while_mails_are_taken(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(transport, "_ANOTHER", 0.0)
        is_asked, may_go_on = threading.Event(), threading.Event()

        def go_on(_: str) -> str:
            is_asked.set()
            assert may_go_on.wait(60)
            return "250 OK"

        with sending_to(server := ScriptedServer(RoomForOne().answers)) as way:
            assert isinstance(way.send(FROM, TO, MAIL), Delivered)
            server.answers["RCPT"] = go_on
            slow = threading.Thread(target=lambda: way.send(FROM, TO, MAIL))
            slow.start()
            assert is_asked.wait(60)
            way.check()
            may_go_on.set()
            slow.join(60)
        assert len(server.mails) == 2

    def test_who_waits_for_a_connection_that_breaks_is_told(self) -> None:
        told: list[object] = []
        is_sending, is_refused = threading.Event(), threading.Event()
        room = RoomForOne()

        def let_in(_: str) -> str:
            answer = room.let_in(_)
            if answer.startswith("421"):
                is_refused.set()
            return answer

        def break_off(_: str) -> None:
            is_sending.set()
            assert is_refused.wait(60)

        answers = {"banner": let_in, "RCPT": break_off}
        with sending_to(ScriptedServer(answers)) as way:
            first = threading.Thread(target=lambda: told.append(way.send(FROM, TO, MAIL)))
            first.start()
            assert is_sending.wait(60)
            with pytest.raises(RelayDownError, match="too many"):
                way.send(FROM, TO, MAIL)
            first.join(60)
        assert isinstance(told[0], Failed)

    def test_those_that_nobody_used_for_long_are_closed(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with sending_to(server := ScriptedServer({"RCPT": meeting(2)})) as way:
            send_from_threads(way, 2, 1)
            monkeypatch.setattr(transport, "_KEPT", -1.0)
            way.check()
            ends = [each.commands[-1].lower() for each in server.connections[:2]]
            assert ends == ["quit", "quit"]
        assert len(server.connections) == 3


class RoomForOne:
    """Answers of a server that talks to one client at a time."""

    def __init__(self) -> None:
        self._room = threading.Lock()
        self.answers = {"banner": self.let_in, "QUIT": self.let_out}

    def let_in(self, _: str) -> str:
        return "220 hello" if self._room.acquire(blocking=False) else "421 too many connections"

    def let_out(self, _: str) -> str:
        self._room.release()
        return "221 bye"


def meeting(count: int) -> Callable[[str], str]:
    """An answer that so many clients get when all of them wait for it."""
    barrier = threading.Barrier(count, timeout=60)

    def meet(_: str) -> str:
        barrier.wait()
        return "250 OK"

    return meet


def send_from_threads(way: SmtpTransport, threads: int, mails: int) -> None:
    def send() -> None:
        for _ in range(mails):
            outcomes.append(way.send(FROM, TO, MAIL))

    outcomes: list[object] = []
    running = [threading.Thread(target=send) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join(60)
    assert [type(each) for each in outcomes] == [Delivered] * (threads * mails)
