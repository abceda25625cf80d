"""Fetching over IMAP: stored first, marked afterwards; from a server of ours, and from Dovecot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.endpoints import Server, read_mailbox
from pbem.errors import ConfigError, StoreUnavailableError
from pbem.mail.imap import Backoff, ImapError, Visit, fetch_mail
from pbem.play.ports import Store, Surroundings, Unit
from pbem.play.post import NEW, Inbound
from pbem.store.database import SqlStore
from tests.mail.certificates import make_certificate
from tests.mail.imap_servers import (
    PASSWORD,
    USER,
    FakeMailbox,
    dovecot,
    fake_mailbox,
    find_dovecot,
)
from tests.mail.post import DOMAIN, NOON, make_office

PLAY = f"play@{DOMAIN}"


def a_mail(number: int, headers: str = f"To: {PLAY}\r\n") -> bytes:
    return (
        f"Return-Path: <ann@example.org>\r\nFrom: ann@example.org\r\n{headers}"
        f"Message-ID: <{number}@example.org>\r\n\r\nE7\r\n"
    ).encode()


def fetch(store: Store, server: Server, **more: Any) -> Visit:
    return fetch_mail(Surroundings(store, bytes), make_office(), server, clock=lambda: NOON, **more)


def stored(store: Store) -> list[Inbound]:
    with store.read() as unit:
        found = [unit.find_inbound(row.id) for row in unit.inbound_in_state(NEW)]
        return sorted((row for row in found if row is not None), key=lambda row: row.id)


@pytest.fixture
def mailbox() -> Iterator[FakeMailbox]:
    with fake_mailbox() as server:
        yield server


class TestFetching:
    def test_unread_mails_are_stored_and_marked(
        self, store: SqlStore, mailbox: FakeMailbox
    ) -> None:
        mails = [a_mail(number) for number in range(3)]
        for mail in mails:
            mailbox.add(mail)
        mailbox.add(a_mail(9), r"\Seen")
        visit = fetch(store, mailbox.address)
        rows = stored(store)
        assert [row.arrival.raw for row in rows] == mails
        assert visit == Visit(tuple(row.id for row in rows), 0, True)
        assert {row.arrival.sender for row in rows} == {"ann@example.org"}
        assert {row.arrival.via for row in rows} == {"imap"}
        assert list(mailbox.flags().values()) == [{r"\Seen"}] * 4
        assert fetch(store, mailbox.address) == Visit()

    def test_so_many_in_one_visit(self, store: SqlStore, mailbox: FakeMailbox) -> None:
        for number in range(3):
            mailbox.add(a_mail(number))
        assert not fetch(store, mailbox.address, limit=2).is_over
        assert fetch(store, mailbox.address, limit=2).is_over
        assert len(stored(store)) == 3

    @pytest.mark.parametrize("capabilities", ["IMAP4rev1 MOVE", "IMAP4rev1"])
    def test_into_another_folder(
        self, store: SqlStore, mailbox: FakeMailbox, capabilities: str
    ) -> None:
        mailbox.capabilities = capabilities
        mailbox.add(a_mail(1))
        fetch(store, replace(mailbox.address, done_folder="Done"))
        assert [mail.raw for mail in mailbox.folders["Done"].values()] == [a_mail(1)]
        left = [mail.flags for mail in mailbox.folders["INBOX"].values()]
        assert left in ([], [{r"\Seen", r"\Deleted"}])

    def test_what_cannot_be_taken_is_flagged_and_not_fetched_again(
        self, store: SqlStore, mailbox: FakeMailbox
    ) -> None:
        mailbox.add(a_mail(1, "To: nobody@example.net\r\n"))
        large = mailbox.add(a_mail(2))
        mailbox.sizes[large] = (10 << 20) + 1
        mailbox.add(a_mail(3))
        visit = fetch(store, mailbox.address)
        assert (len(visit.stored), visit.refused) == (1, 2)
        assert list(mailbox.flags().values()) == [{r"\Seen", r"\Flagged"}] * 2 + [{r"\Seen"}]
        assert mailbox.commands.count("UID FETCH") == 3 + 2  # the large one only by its size

    def test_a_mail_that_cannot_be_stored_now_stays_unread(
        self, store: SqlStore, mailbox: FakeMailbox
    ) -> None:
        mailbox.add(a_mail(1))
        mailbox.add(a_mail(2))
        broken = Broken(store)
        visit = fetch(broken, mailbox.address)
        assert visit == Visit((), 0, is_over=False)
        assert list(mailbox.flags().values()) == [set(), set()]
        broken.is_broken = False
        assert len(fetch(broken, mailbox.address).stored) == 2

    @pytest.mark.parametrize(
        "command", ["LOGIN", "SELECT", "UID SEARCH", "UID FETCH", "UID STORE", "UID MOVE", "LOGOUT"]
    )
    @pytest.mark.parametrize("after", [False, True])
    def test_wherever_it_breaks_no_mail_is_lost_or_doubled(
        self, store: SqlStore, mailbox: FakeMailbox, command: str, after: bool
    ) -> None:
        mailbox.add(a_mail(1))
        mailbox.add(a_mail(2))
        server = replace(mailbox.address, done_folder="Done")
        mailbox.breaks_at, mailbox.breaks_after = command, after
        if command == "LOGOUT":
            fetch(store, server)
        else:
            with pytest.raises(ImapError):
                fetch(store, server)
        mailbox.breaks_at = ""
        fetch(store, server)
        assert [row.arrival.raw for row in stored(store)] == [a_mail(1), a_mail(2)]
        with store.read() as unit:
            assert unit.inbound_in_state("handled") == []

    def test_no_password_is_told(self, store: SqlStore, mailbox: FakeMailbox) -> None:
        wrong = replace(mailbox.address, password="hunter2")
        with pytest.raises(ImapError) as caught:
            fetch(store, wrong)
        assert "hunter2" not in str(caught.value)
        assert caught.value.__suppress_context__
        with pytest.raises(ImapError, match="no such folder"):
            fetch(store, replace(mailbox.address, folder="Nowhere"))


class TestRecipient:
    @pytest.mark.parametrize(
        ("headers", "destinations"),
        [
            (f"Delivered-To: {PLAY}\r\nTo: help@{DOMAIN}\r\n", ["service/play"]),
            (f"X-Original-To: {PLAY}\r\nDelivered-To: box@example.net\r\n", ["service/play"]),
            (f"Delivered-To: box@example.net\r\nTo: {PLAY}\r\n", ["service/play"]),
            (f"Delivered-To: {PLAY}\r\nDelivered-To: help@{DOMAIN}\r\n", ["service/play"]),
            (f"To: a@b.example, {PLAY}\r\nCc: help@{DOMAIN}\r\n", ["service/help", "service/play"]),
            (f"Bcc: {PLAY}\r\n", []),
            ("To: " + "x@example.net, " * 5000 + f"{PLAY}\r\n", []),
        ],
    )
    def test_it_is_where_the_mail_was_delivered(
        self, store: SqlStore, mailbox: FakeMailbox, headers: str, destinations: list[str]
    ) -> None:
        mailbox.add(a_mail(1, headers))
        fetch(store, mailbox.address)
        assert sorted(row.arrival.destination for row in stored(store)) == destinations


class TestBackoff:
    def test_it_waits_longer_while_it_fails(self) -> None:
        backoff = Backoff()
        assert backoff.is_due(NOON)
        for number in range(1, 40):
            wait = backoff.failed(NOON)
            longest = min(timedelta(minutes=15), timedelta(seconds=30) * 2**number)
            assert longest / 2 <= wait <= longest
            assert not backoff.is_due(NOON + wait - timedelta(microseconds=1))
            assert backoff.is_due(NOON + wait)
        backoff.worked()
        assert backoff.is_due(NOON)
        assert backoff.failed(NOON) <= timedelta(minutes=1)


class Broken:
    """A real store that is out of order."""

    def __init__(self, inner: Store) -> None:
        self.inner = inner
        self.is_broken = True

    @contextmanager
    def begin(self) -> Iterator[Unit]:
        if self.is_broken:
            raise StoreUnavailableError("no disk")
        with self.inner.begin() as unit:
            yield unit

    def read(self) -> Any:
        return self.inner.read()


@pytest.mark.parametrize("tls", ["none", "starttls", "implicit"])
def test_from_dovecot(store: SqlStore, tmp_path: Path, tls: Any) -> None:
    program = find_dovecot()
    if program is None:
        pytest.skip("no Dovecot 2.3 here")
    certificate = make_certificate(tmp_path, "localhost")
    with dovecot(program, certificate) as running:
        running.add(a_mail(1), "1.one.host")
        running.add(a_mail(2, "To: nobody@example.net\r\n"), "2.two.host")
        port = running.tls_port if tls == "implicit" else running.port
        server = Server("imap", "localhost", port, tls, USER, PASSWORD, str(certificate))
        done = replace(server, done_folder="Done") if tls == "none" else server
        visit = fetch(store, done)
        assert (len(visit.stored), visit.refused) == (1, 1)
        assert [row.arrival.raw for row in stored(store)] == [a_mail(1)]
        if tls == "none":
            assert list(running.files(".Done").values()) == ["S"]
            assert list(running.files().values()) == ["FS"]
        else:
            assert sorted(running.files().values()) == ["FS", "S"]
        assert fetch(store, done) == Visit()
        if tls != "none":
            with pytest.raises(ImapError):
                fetch(store, replace(server, ca_file=None))


class TestAddressOfAMailbox:
    def test_where_fetched_mails_go(self) -> None:
        server = read_mailbox("imaps://ann:secret@mail.example.org/Turns?done=Played")
        assert (server.folder, server.done_folder) == ("Turns", "Played")

    @pytest.mark.parametrize("done", ["%22", "%5C", "%C3%BC", "%0A"])
    def test_a_folder_that_cannot_be_named(self, done: str) -> None:
        with pytest.raises(ConfigError, match="folders"):
            read_mailbox(f"imaps://ann:secret@mail.example.org/?done={done}")
