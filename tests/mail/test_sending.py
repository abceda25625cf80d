"""The outbox is emptied: each mail once, its letter first, with pauses, second addresses and an
end (L1.3, L1.4, L5)."""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import Message
from typing import Any

import pytest
from sqlalchemy import text

from pbem.errors import StoreBusyError, StoreUnavailableError
from pbem.games.scene import Scene
from pbem.mail import sending
from pbem.mail.bounces import find_bounced
from pbem.mail.compose import compose as compose_mail
from pbem.mail.keys import token_hash
from pbem.mail.mime import message_id
from pbem.mail.patience import patiently
from pbem.mail.sending import Sent, find_pause, send_waiting
from pbem.mail.transport import Delivered, Failed, RelayDownError
from pbem.play import players
from pbem.play.farewell import delete
from pbem.play.model import Notice, Preferences
from pbem.play.ports import Surroundings, Unit
from pbem.play.post import DEAD, MOOT, NEW, SENT, AddressHealth, Outgoing
from pbem.store.transaction import Transaction
from tests.mail.post import DOMAIN, KEYS, make_inbound, make_office
from tests.mail.stages import Sketches
from tests.play.club import NOON, Club, Match, at
from tests.play.conftest import club, postgresql_store, sqlite_store, store  # noqa: F401

OFFICE = make_office(director="director@example.org")
SOFT = Failed(False, 450, "4.2.0 greylisted")
HARD = Failed(True, 550, "5.1.1 no such user")
COURIERS = ThreadPoolExecutor(3, thread_name_prefix="courier")


@dataclass
class Way:
    """A way out that keeps what it takes, and does otherwise when told."""

    outcome: Delivered | Failed | Exception = field(default_factory=Delivered)
    taken: list[tuple[str, str, bytes]] = field(default_factory=list)
    tried: int = 0
    before: Callable[[str, bytes], None] | None = None

    def send(self, envelope_from: str, recipient: str, data: bytes) -> Delivered | Failed:
        self.tried += 1
        if self.before is not None:
            self.before(recipient, data)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        if isinstance(self.outcome, Delivered):
            self.taken.append((envelope_from, recipient, data))
        return self.outcome

    def check(self) -> None: ...

    def close(self) -> None: ...

    @property
    def recipients(self) -> list[str]:
        return [recipient for _, recipient, _ in self.taken]

    def mail(self, number: int = -1) -> Message:
        return message_from_bytes(self.taken[number][2])


@pytest.fixture
def match(club: Club) -> Match:  # noqa: F811
    """A game that has just begun: both are asked for a set-up, and nothing else is to be sent."""
    begun = club.start()
    with begun.around.store.begin() as unit:
        for outgoing, _ in unit.notices_in_state(NEW):
            if outgoing.notice.kind != "setup_request":
                unit.end_notice(outgoing.id, SENT)
    return begun


def send(match: Match, way: Way, now: datetime = NOON, limit: int = 20) -> Sent:
    # Who is called by a courier is another sender, and has couriers of its own, or none.
    is_other = threading.current_thread().name.startswith("courier")
    couriers = None if is_other else COURIERS
    return send_waiting(match.around, OFFICE, way, now, limit, couriers=couriers)


def rows(match: Match, state: str) -> list[tuple[Outgoing, str]]:
    with match.around.store.read() as unit:
        return list(unit.notices_in_state(state))


def reply_to(mail: Message) -> str:
    return str(mail["Reply-To"]).partition("<")[2].partition(">")[0]


class TestOnce:
    def test_every_mail_is_sent_once(self, match: Match) -> None:
        way = Way()
        assert send(match, way).fates == {"sent": 2}
        assert sorted(way.recipients) == ["player1@example.org", "player2@example.org"]
        assert send(match, way).total == 0
        assert len(way.taken) == 2
        assert rows(match, NEW) == []

    def test_the_message_id_is_that_of_the_row(self, match: Match) -> None:
        way = Way()
        names = {message_id(out.message_id, OFFICE) for out, _ in rows(match, NEW)}
        send(match, way)
        assert {way.mail(0)["Message-ID"], way.mail(1)["Message-ID"]} == names

    def test_the_letter_is_known_before_the_mail_leaves(self, match: Match) -> None:
        found = []

        def look_up(recipient: str, data: bytes) -> None:
            local = reply_to(message_from_bytes(data)).partition("@")[0]
            with match.around.store.read() as unit:
                letter = unit.find_letter(token_hash(local.rpartition(".")[2]))
            assert letter is not None
            assert letter.address == recipient
            found.append(letter.request_id)

        send(match, Way(before=look_up))
        assert set(found) == {request.id for request in match.requests()}

    def test_a_mail_written_again_is_the_same_mail(self, match: Match) -> None:
        way = Way(outcome=SOFT)
        seen: dict[str, set[tuple[str, ...]]] = {}

        def keep(recipient: str, data: bytes) -> None:
            mail = message_from_bytes(data)
            same = ("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "List-Unsubscribe")
            seen.setdefault(recipient, set()).add(tuple(str(mail[name]) for name in same))

        way.before = keep
        send(match, way)
        way.outcome = Delivered()
        send(match, way, at(1))
        assert way.tried == 4
        assert [len(each) for each in seen.values()] == [1, 1]

    def test_the_return_path_leads_back_to_the_letter(self, match: Match) -> None:
        way = Way()
        send(match, way)
        for path, recipient, _ in way.taken:
            local, _, host = path.partition("@")
            assert host == DOMAIN
            kind, _, signed = local.partition(".")
            with match.around.store.read() as unit:
                inbound = make_inbound(destination=f"{kind}/{signed}", arrived=at(24))
                letter = find_bounced(unit, OFFICE, inbound)
            assert letter is not None
            assert letter.address == recipient

    def test_lines_end_as_they_must(self, match: Match) -> None:
        way = Way()
        send(match, way)
        data = way.taken[0][2]
        assert data.count(b"\n") == data.count(b"\r\n") == data.count(b"\r")
        assert data.isascii()

    def test_no_more_than_the_limit(self, match: Match) -> None:
        way = Way()
        assert send(match, way, limit=1).total == 1
        assert len(way.taken) == 1

    def test_two_senders_at_once_do_not_send_the_same(self, match: Match) -> None:
        other = Way()
        way = Way(before=lambda *_: None if other.tried else send_all(other))

        def send_all(by: Way) -> None:
            send(match, by, NOON + sending.LEASE - timedelta(seconds=1))

        send(match, way, limit=1)
        assert sorted(way.recipients + other.recipients) == [
            "player1@example.org",
            "player2@example.org",
        ]
        assert len(other.taken) == 1

    def test_mails_written_together_are_one_senders(self, match: Match) -> None:
        other = Way()
        way = Way(before=lambda *_: None if way.taken else send_all(other))

        def send_all(by: Way) -> None:
            assert send(match, by, NOON + sending.LEASE - timedelta(seconds=1)).total == 0

        assert send(match, way).total == 2

    def test_what_takes_too_long_is_anybodys_again(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sending, "HANDING_OVER", -1.0)
        way = Way()
        assert send(match, way).fates == {}
        assert way.tried == 0
        monkeypatch.undo()
        assert send(match, way).fates == {"sent": 2}

    def test_a_letter_that_cannot_be_stored_keeps_no_other(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = compose_mail
        bad = rows(match, NEW)[0][0].id

        def compose(around: object, office: object, outgoing: Outgoing, now: object) -> object:
            composed = real(around, office, outgoing, now)  # type: ignore[arg-type]
            if composed is None or outgoing.id != bad:
                return composed
            return replace(composed, letter=replace(composed.letter, game_id="none such"))

        monkeypatch.setattr(sending, "compose", compose)
        way = Way()
        assert send(match, way).fates == {"crashed": 1, "sent": 1}

    def test_the_second_mail_to_a_player_is_written_after_the_first(self, match: Match) -> None:
        first, second, third = (
            replace(outgoing, id=number, notice=replace(outgoing.notice, player_id=player))
            for number, player in enumerate((7, 8, 7))
            for outgoing in [rows(match, NEW)[0][0]]
        )
        assert list(sending._batches([first, second, third])) == [[first, second], [third]]

    def test_what_another_has_claimed_is_left_alone(self, match: Match) -> None:
        with match.around.store.begin() as unit:
            unit.claim_notices(NOON, lease=sending.LEASE, limit=1)
        way = Way()
        assert send(match, way).total == 1
        # The other one was killed: after its lease the mail is sent all the same.
        assert send(match, way, NOON + sending.LEASE - timedelta(seconds=1)).total == 0
        assert send(match, way, NOON + sending.LEASE).total == 1
        assert len(set(way.recipients)) == 2


class TestFailures:
    def test_a_failure_for_now_is_tried_again_later(self, match: Match) -> None:
        way = Way(outcome=SOFT)
        assert send(match, way).fates == {"failed": 2}
        assert send(match, way).total == 0
        (first, reason), (second, _) = rows(match, NEW)
        assert reason == "450 4.2.0 greylisted"
        assert (first.attempts, second.attempts) == (1, 1)
        way.outcome = Delivered()
        assert send(match, way, at(1)).fates == {"sent": 2}

    def test_after_five_days_it_is_given_up_and_counts_as_a_bounce(self, match: Match) -> None:
        def only_the_first(recipient: str, data: bytes) -> None:
            way.outcome = SOFT if recipient == "player1@example.org" else Delivered()

        way = Way(before=only_the_first)
        tried = [hour for hour in range(0, 24 * 6, 2) if send(match, way, at(hour)).fates["failed"]]
        assert timedelta(hours=tried[-1]) < timedelta(days=5)
        ((dead, reason),) = [
            row for row in rows(match, DEAD) if row[0].notice.kind == "setup_request"
        ]
        assert reason == "450 4.2.0 greylisted"
        assert dead.attempts > 12
        with match.around.store.read() as unit:
            health = unit.find_health("player1@example.org")
            player = unit.find_player(match.players[0].id)
        assert health is not None
        assert health.bounced_at is not None
        assert timedelta(days=5) <= health.bounced_at - NOON <= timedelta(days=5, hours=8)
        assert player is not None
        assert player.stopped_since == health.bounced_at
        assert "director@example.org" in way.recipients

    def test_pauses_grow_and_differ_from_mail_to_mail(self) -> None:
        notice = Notice("c", 1, "news", NOON)
        pauses = [
            [find_pause(Outgoing(n, notice, f"m{n}", attempts, NOON), NOON) for n in range(20)]
            for attempts in range(12)
        ]
        assert all(len(set(row)) > 10 for row in pauses)
        for attempts, row in enumerate(pauses):
            usual = min(timedelta(hours=6), timedelta(minutes=5) * 2**attempts)
            assert all(pause and 0.75 * usual <= pause <= 1.25 * usual for pause in row)

    def test_days_without_a_server_are_not_held_against_a_mail(self) -> None:
        outgoing = Outgoing(1, Notice("c", 1, "news", NOON), "m", 3, NOON)
        assert find_pause(outgoing, at(24 * 30)) is not None
        assert find_pause(replace(outgoing, attempts=30), at(24 * 30)) is None

    def test_a_refusal_for_good_goes_to_the_second_address(self, match: Match) -> None:
        player = match.players[0]
        players.add_address(match.around, player.id, "second@example.net", now=NOON)
        players.verify_address(match.around, player.id, "second@example.net", now=NOON)

        def judge(recipient: str, data: bytes) -> None:
            way.outcome = HARD if recipient == "player1@example.org" else Delivered()

        way = Way(before=judge)
        send(match, way)
        send(match, way, at(0.1))
        assert sorted(way.recipients) == [
            "director@example.org",
            "player2@example.org",
            "second@example.net",
        ]
        assert way.tried == 4
        assert rows(match, DEAD) == []

    def test_with_no_other_address_it_is_dead(self, match: Match) -> None:
        way = Way(
            before=lambda recipient, _: setattr(
                way, "outcome", HARD if recipient == "player1@example.org" else Delivered()
            )
        )
        send(match, way)
        send(match, way)  # what this has brought about
        ((_, reason),) = rows(match, DEAD)
        assert reason == "550 5.1.1 no such user"
        assert sorted(way.recipients) == ["director@example.org", "player2@example.org"]

    def test_who_cannot_be_reached_is_written_to_once_they_are_back(self, match: Match) -> None:
        player = match.players[0]
        with match.around.store.begin() as unit:
            health = AddressHealth("player1@example.org", bounced_at=NOON)
            unit.save_health(health)
        way = Way()
        assert send(match, way).fates == {"failed": 1, "sent": 1}
        with match.around.store.begin() as unit:
            unit.save_health(replace(health, bounced_at=None))
        assert send(match, way, at(1)).fates == {"sent": 1}
        assert way.recipients == ["player2@example.org", "player1@example.org"]
        assert player.name in str(way.mail()["To"])


class TestNoServer:
    def test_without_a_relay_nobody_keeps_what_was_claimed(self, match: Match) -> None:
        """Nor the second mail to somebody, which is written while the first is on its way."""
        first = rows(match, NEW)[0][0].notice
        with match.around.store.begin() as unit:
            unit.add_notice(replace(first, cause="more"))
        assert send(match, Way(outcome=RelayDownError("refused"))).fates == {}
        way = Way()
        soon = NOON + timedelta(seconds=15)
        assert send(match, way, soon).total == 3

    def test_nothing_is_counted_and_nothing_lost(self, match: Match) -> None:
        way = Way(outcome=RelayDownError("smtp://relay: refused"))
        for hours in range(0, 24 * 7, 24):
            sent = send_waiting(match.around, OFFICE, way, at(hours))
            assert sent.down == "smtp://relay: refused"
            assert sent.total == 0
        assert way.tried == 7  # one mail each time, not all of them
        assert [out.attempts for out, _ in rows(match, NEW)] == [0, 0]
        way.outcome = Delivered()
        assert send(match, way, at(24 * 7)).fates == {"sent": 2}

    def test_couriers_that_try_at_once_tell_of_it_once(self, match: Match) -> None:
        """Each has a mail in hand before any of them knows."""
        together = threading.Barrier(2)

        def wait(*_: object) -> None:
            together.wait(60)

        way = Way(outcome=RelayDownError("smtp://relay: refused"), before=wait)
        sent = send(match, way)
        assert (sent.down, sent.total, way.tried) == ("smtp://relay: refused", 0, 2)
        assert [out.attempts for out, _ in rows(match, NEW)] == [0, 0]
        assert send(match, Way(), at(1)).fates == {"sent": 2}

    def test_the_reason_shows_no_token(self, match: Match) -> None:
        token = KEYS.reply_token("whatever")
        send(match, Way(outcome=RelayDownError(f"550 ort1.{token}@{DOMAIN} refused")))
        assert all(token not in reason for _, reason in rows(match, NEW))


def told_by(match: Match, outgoing: Outgoing) -> Mapping[str, object]:
    """What the letter of a mail says that its reader knows."""
    with match.around.store.read() as unit:
        letter = unit.find_letter_by_message_id(outgoing.message_id)
    assert letter is not None
    return letter.facts


class TestDamage:
    """What is wrong with one mail keeps no other from leaving."""

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE games SET held = '[[\"x\"]]' WHERE id = :game",
            "UPDATE games SET options = '{' WHERE id = :game",
            "UPDATE games SET created_at = 9000000000000000000 WHERE id = :game",
        ],
    )
    def test_in_the_store(self, club: Club, damage: str) -> None:  # noqa: F811
        damaged, whole = club.start(), club.start()
        with whole.around.store.begin() as unit:
            assert isinstance(unit, Transaction)
            unit._connection.execute(text(damage), {"game": damaged.id})
        way = Way()
        fates: Counter[str] = Counter()
        for hours in range(0, 24 * 3, 12):
            fates += send_waiting(whole.around, OFFICE, way, at(hours), 20, couriers=COURIERS).fates
        assert fates["dead"]
        assert {each.notice.game_id for each, _ in rows(whole, DEAD)} <= {damaged.id}
        assert {each.notice.game_id for each, _ in rows(whole, SENT)} >= {whole.id}
        assert not any(each.notice.game_id == whole.id for each, _ in rows(whole, NEW))

    def test_on_the_way(self, match: Match) -> None:
        def burst(recipient: str, data: bytes) -> None:
            if recipient.startswith("player1"):
                raise ValueError("whatever a library does not foresee")

        way = Way(before=burst)
        assert send(match, way).fates == {"crashed": 1, "sent": 1}
        assert way.recipients == ["player2@example.org"]

    def test_in_a_picture(self, match: Match) -> None:
        class Panic(BaseException):
            """As the picture library's: no Exception."""

        class Drawings(Sketches):
            def png(self, scene: Scene) -> bytes:
                if scene.bottom_seat == 0:
                    raise Panic("no such corner")
                return super().png(scene)

        way, office = Way(), replace(OFFICE, drawings=Drawings())
        sent = send_waiting(match.around, office, way, NOON, 20, couriers=COURIERS)
        assert sent.fates == {"crashed": 1, "sent": 1}
        [(crashed, reason)] = rows(match, NEW)
        assert reason == "Panic: no such corner"
        assert told_by(match, crashed) == {}  # nobody has read it
        assert send(match, Way(), at(1)).fates == {"sent": 1}
        assert told_by(match, crashed) != {}


class TestCouriers:
    def test_the_next_mail_is_written_while_one_is_on_its_way(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        written = threading.Semaphore(0)

        def compose(*given: Any) -> object:
            written.release()
            return compose_mail(*given)

        def wait_for_both(recipient: str, data: bytes) -> None:
            monkeypatch.setattr(way, "before", None)
            seen.extend(written.acquire(timeout=60) for _ in range(2))

        seen: list[bool] = []
        way = Way(before=wait_for_both)
        monkeypatch.setattr(sending, "compose", compose)
        monkeypatch.setattr(sending, "TOGETHER", 1)
        assert send(match, way).fates == {"sent": 2}
        assert seen == [True, True]

    def test_what_was_written_meanwhile_is_given_back_if_no_server_takes_mail(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sending, "TOGETHER", 1)
        down = Way(outcome=RelayDownError("refused"))
        sent = send(match, down)
        assert (sent.down, sent.total, down.tried) == ("refused", 0, 1)
        with match.around.store.read() as unit:
            names = [out.message_id for out, _ in rows(match, NEW)]
            letters = [unit.find_letter_by_message_id(name) for name in names]
        assert letters.count(None) == 1  # nothing says that the second mail was written
        assert send(match, Way(), NOON + timedelta(seconds=15)).fates == {"sent": 2}

    def test_a_database_that_is_gone_is_told_to_whoever_sends(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sending, "patiently", at_once)
        begin = match.around.store.begin
        way = Way()

        def gone_then() -> AbstractContextManager[Unit]:
            if way.tried:
                raise StoreUnavailableError("gone")
            return begin()

        monkeypatch.setattr(match.around.store, "begin", gone_then)
        with ThreadPoolExecutor(1) as alone, pytest.raises(StoreUnavailableError):
            send_waiting(match.around, OFFICE, way, NOON, couriers=alone)
        assert way.tried == 1  # the other would come twice: nothing could be noted of it

    def test_nothing_is_tried_of_others_when_one_cannot_be_given_back(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each would wait for the database as long as the first has done."""
        tries = []

        def put_off(mail: object, at: object, **_: object) -> None:
            tries.append(mail)
            raise StoreUnavailableError("gone")

        monkeypatch.setattr(sending._Mail, "put_off", put_off)
        down = Way(outcome=RelayDownError("refused"))
        with ThreadPoolExecutor(1) as alone, pytest.raises(StoreUnavailableError):
            send_waiting(match.around, OFFICE, down, NOON, couriers=alone)
        assert len(tries) == 1

    def test_mails_written_together_are_handed_over_at_once(self, match: Match) -> None:
        both = threading.Barrier(2, timeout=60)

        def meet(*_: object) -> None:
            both.wait()

        assert send(match, Way(before=meet)).fates == {"sent": 2}

    def test_what_leaves_at_the_same_time_is_noted_together(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        way, units = Way(), []
        sender = sending.Sender(match.around, OFFICE, way, couriers=COURIERS)
        begin = match.around.store.begin

        def begin_late() -> AbstractContextManager[Unit]:
            if way.taken:
                units.append(wait_until(lambda: len(sender._notes._waiting) == 2))
            return begin()

        monkeypatch.setattr(match.around.store, "begin", begin_late)
        with sender:
            sender.send_some(NOON, 20)
        assert units == [True]
        assert sender.sent.fates == {"sent": 2}
        assert rows(match, NEW) == []

    def test_one_that_fails_keeps_no_other_from_leaving_that_is_on_its_way(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And is told when all are back."""
        both = threading.Barrier(2, timeout=60)
        hand_over = sending.Sender._hand_over

        def break_once(sender: Any, written: Any) -> object:
            if both.wait() == 0:
                raise StoreUnavailableError("gone")
            return hand_over(sender, written)

        monkeypatch.setattr(sending.Sender, "_hand_over", break_once)
        way = Way()
        sender = sending.Sender(match.around, OFFICE, way, couriers=COURIERS)
        with pytest.raises(StoreUnavailableError), sender:
            sender.send_some(NOON, 20)
        assert sender.sent.fates == {"sent": 1}
        assert (len(way.taken), len(rows(match, NEW))) == (1, 1)


def wait_until(is_so: Callable[[], bool]) -> bool:
    """Whether it comes to be so, within a minute."""
    until = time.monotonic() + 60
    while not is_so() and time.monotonic() < until:
        time.sleep(0.001)
    return is_so()


def at_once(work: Callable[[], object]) -> object:
    """Who waits for no database."""
    return patiently(work, 0)


class TestCrashes:
    def test_the_third_crash_is_the_last_and_others_go_on(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = compose_mail
        bad = rows(match, NEW)[0][0].id

        def compose(around: object, office: object, outgoing: Outgoing, now: object) -> object:
            if outgoing.id == bad:
                raise KeyError("a damaged game")
            return real(around, office, outgoing, now)  # type: ignore[arg-type]

        monkeypatch.setattr(sending, "compose", compose)
        way = Way()
        fates = [dict(send(match, way, at(hours)).fates) for hours in range(4)]
        assert fates == [{"crashed": 1, "sent": 1}, {"crashed": 1}, {"dead": 1}, {}]
        ((dead, reason),) = rows(match, DEAD)
        assert (dead.id, reason) == (bad, "KeyError: 'a damaged game'")
        with match.around.store.read() as unit:
            assert unit.find_health("player1@example.org") is None
            assert unit.find_health("player2@example.org") is None
        # The operator has mended it.
        monkeypatch.setattr(sending, "compose", real)
        with match.around.store.begin() as unit:
            assert unit.replay_notice(bad, at(5))
        assert send(match, way, at(5)).fates == {"sent": 1}

    def test_a_busy_database_is_no_crash(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def compose(*_: object) -> object:
            raise StoreBusyError("locked")

        monkeypatch.setattr(sending, "compose", compose)
        monkeypatch.setattr(sending, "patiently", at_once)
        with pytest.raises(StoreBusyError):
            send(match, Way())
        monkeypatch.undo()
        assert send(match, Way(), NOON + sending.LEASE).fates == {"sent": 2}


class TestFaultyStore:
    """A database that fails at the worst moment: the mail has left, and that is to be noted."""

    def failing(self, match: Match, faults: list[Exception]) -> Surroundings:
        real = match.around.store

        class Store:
            def read(self) -> AbstractContextManager[Unit]:
                return real.read()

            @contextmanager
            def begin(self) -> Iterator[Unit]:
                with real.begin() as unit:
                    yield unit
                    if faults and is_noted(unit):
                        raise faults.pop()

        def is_noted(unit: Unit) -> bool:
            return any(out.notice.kind == "setup_request" for out, _ in unit.notices_in_state(SENT))

        return replace(match.around, store=Store())

    def test_it_is_tried_again_to_note_it(self, match: Match) -> None:
        way = Way()
        around = self.failing(match, [StoreBusyError("a"), StoreUnavailableError("b")])
        assert send_waiting(around, OFFICE, way, NOON, 1).fates == {"sent": 1}
        assert way.tried == 1
        assert len(rows(match, NEW)) == 1

    def test_what_could_not_be_noted_is_sent_again_as_the_same_mail(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sending, "patiently", at_once)
        way = Way()
        around = self.failing(match, [StoreBusyError("always")])
        with pytest.raises(StoreBusyError):
            send_waiting(around, OFFICE, way, NOON, 1)
        send(match, way, NOON + sending.LEASE)
        names = [way.mail(number)["Message-ID"] for number in range(3)]
        assert (len(names), len(set(names))) == (3, 2)


class TestWishes:
    def test_a_player_who_left_gets_nothing(self, match: Match) -> None:
        delete(match.around, match.players[0].id, now=NOON)
        way = Way()
        send(match, way)
        assert "player1@example.org" not in way.recipients
        assert rows(match, NEW) == []

    def test_a_digest_waits_for_the_morning(self, match: Match) -> None:
        player = match.players[0]
        chosen = Preferences(delivery="digest", time_zone="Europe/Amsterdam")
        players.set_preferences(match.around, player.id, chosen, now=NOON)
        way = Way()
        assert send(match, way).fates == {"later": 1, "sent": 1}
        for hours in itertools.takewhile(lambda hours: hours < 17.9, itertools.count(1)):
            assert send(match, way, at(hours)).total == 0
        assert send(match, way, at(18)).fates == {"sent": 1}  # seven o'clock in Amsterdam
        assert way.recipients == ["player2@example.org", "player1@example.org"]

    def test_moot_mails_are_not_sent(self, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sending, "compose", lambda *_: None)
        way = Way()
        assert send(match, way).fates == {"moot": 2}
        assert way.tried == 0
        assert len(rows(match, MOOT)) == 2
