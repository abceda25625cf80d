"""A mail becomes a row for each recipient, all of them or none, before anybody is told (L1.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import StoreUnavailableError, UnstorableError
from pbem.mail.keys import token_hash
from pbem.mail.receive import Receipt, Verdict, receive
from pbem.play.ports import Store, Surroundings, Unit
from pbem.play.post import HANDLED, NEW, Inbound
from pbem.store.database import SqlStore
from tests.mail.post import DOMAIN, KEYS, NOON, make_office

OFFICE = make_office()
TOKEN = KEYS.reply_token("a letter")
REPLY = f"game7.{TOKEN}@{DOMAIN}"
PLAY = f"play@{DOMAIN}"
MAIL = b"From: Ann <Ann@Example.org>\r\nMessage-ID: <one@example.org>\r\n\r\nE7\r\n"


def take(store: Store, recipients: Sequence[str], raw: bytes = MAIL, **more: Any) -> list[Receipt]:
    more = {"sender": "ann@example.org", "via": "smtp", "now": NOON, **more}
    return receive(Surroundings(store, bytes), OFFICE, recipients, raw, **more)


def verdicts(receipts: Sequence[Receipt]) -> list[Verdict]:
    return [receipt.verdict for receipt in receipts]


def stored(store: Store) -> list[Inbound]:
    """All mails that are new, with their bytes."""
    with store.read() as unit:
        found = [unit.find_inbound(row.id) for row in unit.inbound_in_state(NEW, limit=1000)]
        return sorted((row for row in found if row is not None), key=lambda row: row.id)


class TestRows:
    def test_a_mail_is_stored_as_it_came(self, store: SqlStore) -> None:
        (receipt,) = take(store, [REPLY])
        assert receipt.verdict == "stored"
        (row,) = stored(store)
        assert row.id == receipt.inbound_id
        assert row.arrival.raw == MAIL
        assert row.arrival.destination == f"reply/{token_hash(TOKEN)}"
        assert row.arrival.lane == "ann@example.org"
        assert (row.arrival.sender, row.arrival.via) == ("ann@example.org", "smtp")
        assert row.arrival.arrived == NOON

    def test_every_recipient_of_ours_gets_a_row_and_every_other_is_unknown(
        self, store: SqlStore
    ) -> None:
        receipts = take(store, [PLAY, "eve@example.net", f"postmaster@{DOMAIN}", f"x@{DOMAIN}"])
        assert verdicts(receipts) == ["stored", "unknown", "stored", "unknown"]
        assert [row.arrival.destination for row in stored(store)] == ["postmaster", "service/play"]

    def test_one_recipient_written_in_two_ways_is_one_mail(self, store: SqlStore) -> None:
        receipts = take(store, [REPLY, REPLY.upper(), f"<{REPLY}>"])
        assert verdicts(receipts) == ["stored"] * 3
        (row,) = stored(store)
        assert row.repeats == 0

    def test_nothing_is_stored_of_a_mail_that_is_too_large(self, store: SqlStore) -> None:
        whole = b"x" * (10 << 20)
        assert verdicts(take(store, [PLAY, "a@b"], whole + b"x")) == ["too_large", "unknown"]
        assert stored(store) == []
        assert verdicts(take(store, [PLAY], whole)) == ["stored"]

    def test_a_mail_for_nobody(self, store: SqlStore) -> None:
        assert take(store, []) == []
        assert verdicts(take(store, ["eve@example.net"])) == ["unknown"]


class TestSameMail:
    def test_it_is_known_by_its_message_id(self, store: SqlStore) -> None:
        first = take(store, [PLAY])
        folded = b"Received: again\r\nmessage-id:\r\n  <one@example.org>  \r\n\r\nother bytes"
        again = take(store, [PLAY], folded)
        assert again == first
        (row,) = stored(store)
        assert (row.arrival.raw, row.repeats) == (MAIL, 1)

    @pytest.mark.parametrize("named", [b"", b"Message-ID:\r\n", b"Message-ID: < >\r\n"])
    def test_without_one_by_its_bytes(self, store: SqlStore, named: bytes) -> None:
        mail = b"From: ann@example.org\r\n" + named + b"\r\nE7\r\n"
        take(store, [PLAY], mail)
        take(store, [PLAY], mail)
        take(store, [PLAY], mail + b"F2>G4\r\n")
        assert [row.repeats for row in stored(store)] == [1, 0]

    def test_for_another_recipient_it_is_another(self, store: SqlStore) -> None:
        take(store, [PLAY])
        take(store, [REPLY])
        assert len(stored(store)) == 2

    def test_two_at_the_same_moment_are_one(self, store: SqlStore) -> None:
        both: list[list[Receipt]] = []
        start = Barrier(4)

        def go() -> None:
            start.wait()
            both.append(take(store, [PLAY, REPLY]))

        threads = [Thread(target=go) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {tuple(verdicts(receipts)) for receipts in both} == {("stored", "stored")}
        assert [row.repeats for row in stored(store)] == [3, 3]


class TestLane:
    @pytest.mark.parametrize(
        "headers",
        [
            b"",
            b"From: ann@example.org\r\nFrom: bob@example.org\r\n",
            b"From: ann@example.org, bob@example.org\r\n",
            b"From: nobody at all\r\n",
            b"From: \x00\xff\xfe<@>\r\n",
            b"X: " + b"y" * 70_000 + b"\r\nFrom: ann@example.org\r\n",
        ],
    )
    def test_where_no_one_author_is_told_it_is_the_destination(
        self, store: SqlStore, headers: bytes
    ) -> None:
        take(store, [PLAY], headers + b"\r\nE7\r\n")
        (row,) = stored(store)
        assert row.arrival.lane == "service/play"


class TestEnvelope:
    @pytest.mark.parametrize(
        ("given", "kept"),
        [
            (None, None),
            ("", ""),
            ("<>", ""),
            ("<Ann@Example.org>", "Ann@Example.org"),
            ("a\0nn@example.org\r\n", "ann@example.org"),
            ("a\udcffnn@example.org", "ann@example.org"),
            ("x" * 5000, "x" * 320),
        ],
    )
    def test_the_sender_is_one_that_any_database_can_keep(
        self, store: SqlStore, given: str | None, kept: str | None
    ) -> None:
        assert verdicts(take(store, [PLAY], sender=given)) == ["stored"]
        (row,) = stored(store)
        assert row.arrival.sender == kept

    @given(
        recipient=st.text(max_size=80),
        sender=st.none() | st.text(max_size=80),
        raw=st.binary(max_size=300),
        peer=st.text(max_size=20),
    )
    def test_whatever_comes_is_stored_or_unknown(
        self, store: SqlStore, recipient: str, sender: str | None, raw: bytes, peer: str
    ) -> None:
        receipts = take(store, [recipient, PLAY], raw, sender=sender, peer=peer)
        assert receipts[0].verdict in ("stored", "unknown")
        assert receipts[1].verdict == "stored"


class TestLimit:
    def test_a_sender_who_sends_too_much_is_told_to_come_later(self, store: SqlStore) -> None:
        def send(number: int, **more: Any) -> list[Verdict]:
            mail = b"Message-ID: <%d@example.org>\r\n\r\n" % number
            return verdicts(take(store, [PLAY], mail, mails_an_hour=3, **more))

        assert [send(number) for number in range(5)] == [["stored"]] * 3 + [["later"]] * 2
        assert len(stored(store)) == 3
        # Others are not in its way, nor is the same name from elsewhere; and it may come later.
        assert send(5, sender="bob@example.org") == ["stored"]
        assert send(6, peer="192.0.2.1") == ["stored"]
        assert send(7, now=NOON + timedelta(hours=1)) == ["stored"]

    def test_reports_that_come_from_nobody_are_not_counted_together(self, store: SqlStore) -> None:
        for letter in range(4):
            signed = KEYS.sign("bounce", letter, until=NOON)
            mail = b"Message-ID: <%d@example.org>\r\n\r\n" % letter
            receipts = take(store, [f"bounce.{signed}@{DOMAIN}"], mail, sender="", mails_an_hour=1)
            assert verdicts(receipts) == ["stored"]


class TestNonce:
    """A nonce is good for one mail, and only together with that mail."""

    OTHER = b"Message-ID: <two@example.org>\r\n\r\nF2>G4\r\n"

    def test_the_same_request_again_changes_nothing(self, store: SqlStore) -> None:
        assert verdicts(take(store, [PLAY], nonce="n")) == ["stored"]
        assert verdicts(take(store, [PLAY], nonce="n")) == ["stored"]
        (row,) = stored(store)
        assert row.repeats == 0

    def test_another_mail_with_it_is_a_replay(self, store: SqlStore) -> None:
        take(store, [PLAY], nonce="n")
        for _ in range(2):
            assert verdicts(take(store, [PLAY], self.OTHER, nonce="n")) == ["replayed"]
        (row,) = stored(store)
        assert row.arrival.raw == MAIL

    def test_a_mail_that_was_not_stored_may_come_again_with_it(self, store: SqlStore) -> None:
        assert verdicts(take(store, [PLAY], nonce="n", mails_an_hour=0)) == ["later"]
        assert stored(store) == []
        assert verdicts(take(store, [PLAY], nonce="n")) == ["stored"]
        assert len(stored(store)) == 1

    def test_the_same_mail_with_a_new_one_is_a_repeat(self, store: SqlStore) -> None:
        (receipt,) = take(store, [PLAY], nonce="n")
        with store.begin() as unit:
            row = unit.lock_inbound(receipt.inbound_id or 0)
            assert row is not None
            unit.save_inbound(Inbound(row.id, row.arrival, HANDLED, outcome={"answer": None}))
        assert take(store, [PLAY], nonce="m") == [receipt]
        (row,) = stored(store)
        assert (row.state, row.repeats) == (NEW, 1)


@dataclass
class BrokenStore:
    """A store that breaks at a certain step, wrapped around a real one."""

    inner: Store
    step: str
    error: Exception

    @contextmanager
    def begin(self) -> Iterator[Unit]:
        if self.step == "begin":
            raise self.error
        with self.inner.begin() as unit:

            def fail(*_: object, **__: object) -> Any:
                raise self.error

            if self.step != "commit":
                setattr(unit, self.step, fail)
            yield unit
            if self.step == "commit":
                raise self.error

    read: Callable[[], Any] = None  # type: ignore[assignment]


@pytest.mark.parametrize("step", ["begin", "take_mail", "use_nonce", "commit"])
@pytest.mark.parametrize("error", [StoreUnavailableError("no disk"), UnstorableError("a NUL")])
def test_whatever_the_store_cannot_do_is_tried_later(
    store: SqlStore, step: str, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    broken = BrokenStore(store, step, error)
    assert verdicts(take(broken, [PLAY, "a@b"], nonce="n")) == ["later", "unknown"]
    assert caplog.messages == [f"a mail was not taken: {type(error).__name__}: {error}"]
    assert stored(store) == []
    assert verdicts(take(store, [PLAY, "a@b"], nonce="n")) == ["stored", "unknown"]
