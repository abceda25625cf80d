"""A mail that plays and whoever changes its player get into each other's way as little as can be:
players are locked before games, both before what is known of an address and before mails that wait;
and what is known of somebody is what is known once the lock is had."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

import pytest

from pbem.errors import StoreBusyError
from pbem.mail import bounces, reading
from pbem.mail.addresses import find_destination
from pbem.mail.bounces import permanent_failure
from pbem.mail.parts import read_message
from pbem.mail.reading import Fate
from pbem.play import farewell, leave
from pbem.play.model import Player
from pbem.play.ports import Surroundings
from pbem.play.post import NEW, AddressHealth, Letter
from pbem.play.subscribing import unsubscribe
from pbem.store.database import SqlUnit
from tests.databases import begin_waiting
from tests.mail.acting.room import Room
from tests.mail.post import make_inbound
from tests.play.club import Match, at

Done = TypeVar("Done")


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _only_with_locks_of_rows(room: Room) -> None:
    if room.store._engine.dialect.name != "postgresql":
        pytest.skip("SQLite has one writer at a time")


def write_orders(room: Room, match: Match, ann: Player, text: str = "F2>I6") -> int:
    return room.write(text, sender=room.address(ann), to=room.letter(ann, match))


def begin_to_read(pool: ThreadPoolExecutor, room: Room, number: int) -> Future[Fate | None]:
    inbound = room.stored(number)
    return begin_waiting(
        room.store, pool, lambda: reading.read_inbound(room.around, room.office, inbound, at())
    )


class SlowBounce:
    """A refusal for good, held up when it has locked the player and their games."""

    def __init__(self, room: Room, letter: Letter, monkeypatch: pytest.MonkeyPatch) -> None:
        self._room, self._letter = room, letter
        self._stop = leave.stop_clocks
        self._goes_on = threading.Event()
        self.has_locked = threading.Event()
        monkeypatch.setattr(bounces, "stop_clocks", self._stop_slowly)

    def _stop_slowly(self, around: Surroundings, player_id: int, *, now: datetime) -> Player | None:
        with around.store.begin() as unit:
            player = self._stop(around, player_id, now=now)
            assert isinstance(unit, SqlUnit)
            unit.flush()
        self.has_locked.set()
        assert self._goes_on.wait(60)
        return player

    def begin(self, pool: ThreadPoolExecutor) -> Future[bool]:
        room, message_id = self._room, self._letter.message_id
        done = pool.submit(permanent_failure, room.around, room.office, message_id, "550", at())
        assert self.has_locked.wait(60)
        return done

    def go_on(self) -> None:
        self._goes_on.set()


@pytest.fixture
def slow_bounce(
    room: Room, match: Match, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SlowBounce]:
    with room.store.begin() as unit:
        unit.save_health(AddressHealth(room.address(ann), soft_score=1.0, soft_at=at()))
    made = SlowBounce(room, room.letter(ann, match), monkeypatch)
    yield made
    made.go_on()


@pytest.mark.parametrize("text", ["F2>I6", "F2>I6\n\nGood luck with this one, my friend."])
def test_a_mail_and_a_bounce_of_its_sender(
    room: Room,
    match: Match,
    ann: Player,
    pool: ThreadPoolExecutor,
    slow_bounce: SlowBounce,
    text: str,
) -> None:
    number = write_orders(room, match, ann, text)
    bounced = slow_bounce.begin(pool)
    fate = begin_to_read(pool, room, number)
    slow_bounce.go_on()
    assert bounced.exception(60) is None
    assert fate.result(60) == "handled"
    assert (0, "F2>I6") in match.texts()


def test_who_unsubscribes_while_a_mail_to_them_bounces(
    room: Room, ann: Player, pool: ThreadPoolExecutor, slow_bounce: SlowBounce
) -> None:
    bounced = slow_bounce.begin(pool)
    address = room.address(ann)
    ended = begin_waiting(
        room.store, pool, lambda: unsubscribe(room.around, ann.id, address, now=at())
    )
    slow_bounce.go_on()
    assert bounced.exception(60) is None
    assert ended.exception(60) is None


def test_accounts_that_are_merged_while_a_mail_to_one_fails(
    room: Room, match: Match, ann: Player, pool: ThreadPoolExecutor
) -> None:
    kept = room.join("Ann too")
    with room.store.begin() as unit:
        mails = [each for each, _ in unit.notices_in_state(NEW)]
        mail = next(each for each in mails if each.notice.player_id == ann.id)
        sent = replace(room.letter(ann, match), message_id=mail.message_id, token_hash="another")
        unit.save_letter(replace(sent, id=None))

    def fail() -> bool:
        return permanent_failure(room.around, room.office, mail.message_id, "550", at())

    with room.store.begin() as unit:
        unit.lock_player(ann.id)
        failed = begin_waiting(room.store, pool, fail)
        farewell.merge(room.around.within(unit), kept.id, ann.id, now=at())
    with pytest.raises(StoreBusyError, match="merged"):  # and not a deadlock
        failed.result(60)
    fail()
    with room.store.read() as unit:
        player = unit.find_player(kept.id)
        assert player is not None
        assert player.stopped_since == at()


def test_a_bounce_too_many_locks_the_player_before_it_is_counted(
    room: Room, match: Match, ann: Player, pool: ThreadPoolExecutor
) -> None:
    """Whoever has the player and wants to know of the address need not wait for it."""
    address = room.address(ann)
    with room.store.begin() as unit:
        unit.save_health(AddressHealth(address, soft_score=bounces.MOST_SOFT, soft_at=at()))
    raw = (
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n"
        f"Final-Recipient: rfc822; {address}\r\nAction: failed\r\nStatus: 4.2.2\r\n\r\n--b--\r\n"
    ).encode()
    path = bounces.return_path(room.office, room.letter(ann, match), at())
    to = find_destination(path, room.office.domain)
    assert to is not None
    inbound = make_inbound(raw, to.key, sender="", arrived=at())
    around, office, report = room.around, room.office, read_message(raw)
    with room.store.begin() as unit:
        unit.lock_player(ann.id)
        done = begin_waiting(
            room.store, pool, lambda: bounces.handle_bounce(around, office, inbound, report, at())
        )
        health = unit.find_health(address)
        assert health is not None
        unit.save_health(replace(health, soft_score=0.5))
        unit.flush()
    assert done.result(60) == "hard"


def test_a_mail_that_waits_while_accounts_are_merged_is_played_for_the_one_that_is_kept(
    room: Room, match: Match, ann: Player, pool: ThreadPoolExecutor
) -> None:
    kept = room.join("Ann too")
    number = write_orders(room, match, ann)
    with room.store.begin() as unit:
        farewell.merge(room.around.within(unit), kept.id, ann.id, now=at())
        unit.flush()
        fate = begin_to_read(pool, room, number)
    assert fate.result(60) == "handled"
    assert (0, "F2>I6") in match.texts()
    assert room.stored(number).player_id == kept.id


def test_a_mail_of_a_player_whose_clocks_stand_does_not_hold_its_game_while_it_waits(
    room: Room, match: Match, ann: Player, pool: ThreadPoolExecutor
) -> None:
    number = write_orders(room, match, ann)
    leave.stop_clocks(room.around, ann.id, now=at())
    with room.store.begin() as unit:
        unit.lock_player(ann.id)
        fate = begin_to_read(pool, room, number)
        assert unit.lock_game(match.id) is not None
    assert fate.result(60) == "handled"
    assert (0, "F2>I6") in match.texts()
