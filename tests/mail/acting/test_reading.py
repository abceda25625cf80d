"""The pipeline around one mail: guards, who, what, act, and what goes wrong (L1, L2, L3, L5)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import pytest

from pbem.errors import StoreBusyError, StoreUnavailableError
from pbem.mail import act as acting
from pbem.mail import mishaps, reading
from pbem.mail.bounces import return_path
from pbem.mail.keys import token_hash
from pbem.mail.office import Office
from pbem.mail.parts import read_message
from pbem.mail.patience import patiently
from pbem.mail.what import find_wanted
from pbem.mail.who import Known
from pbem.play.model import Player
from pbem.play.post import HANDLED, HELD, NEW, QUARANTINED, Inbound
from pbem.store.database import SqlUnit
from tests.mail.acting.room import DOMAIN, KEYS, Room, facts, sections
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import Match, at

T = TypeVar("T")

LATER = reading.LEASE.total_seconds() / 3600 + 0.01


def state_of(room: Room, number: int) -> tuple[str, int]:
    with room.store.read() as unit:
        found = unit.find_inbound(number)
    assert found is not None
    return found.state, found.attempts


# -- machines and strangers -----------------------------------------------------------------------


def test_an_out_of_office_is_held_for_its_player(room: Room, match: Match, ann: Player) -> None:
    headers = {"Auto-Submitted": "auto-replied; vacation"}
    mail = room.mail(ann, "F2>I6; end", room.letter(ann, match), headers=headers)
    assert (mail.state, mail.reason) == (HELD, "auto_submitted")
    assert (mail.player_id, mail.game_id) == (ann.id, match.id)
    assert match.texts() == []
    assert not [row for row in room.notices() if row[0].startswith("mail/")]


def test_a_foreign_sender_plays_nothing_and_the_player_is_told(
    room: Room, match: Match, ann: Player, bob: Player
) -> None:
    letter = room.letter(ann, match)
    mail = room.mail(bob, "resign", letter)
    assert (mail.state, mail.reason, mail.outcome) == (HANDLED, "foreign_from", {})
    assert not match.stored.is_over
    told = [(player, kind) for _, player, kind in room.notices() if kind == "foreign_sender"]
    assert told == [(ann.id, "foreign_sender")]


def test_an_unknown_token(room: Room, match: Match) -> None:
    mail = room.mail("stranger@example.net", "resign", f"game.{'a' * 26}@{DOMAIN}")
    assert (mail.state, mail.reason) == (HANDLED, "unknown_token")
    assert not [row for row in room.notices() if row[0].startswith("mail/")]


@pytest.mark.parametrize("service", ["postmaster", "director", "abuse"])
def test_mail_for_the_people_who_run_the_server_is_held(
    room: Room, ann: Player, service: str
) -> None:
    mail = room.mail(ann, "help", service)
    assert (mail.state, mail.reason) == (HELD, "to_operator")


def test_a_mail_that_its_domain_disowns_has_to_be_confirmed(
    room: Room, match: Match, ann: Player
) -> None:
    room.office = Office(DOMAIN, room.office.site_url, KEYS, authserv_id="mx.example.org")
    headers = {"Authentication-Results": "mx.example.org; dmarc=fail header.from=example.org"}
    mail = room.mail(ann, "F2>I6; end", room.letter(ann, match), headers=headers)
    assert (mail.state, mail.reason, mail.player_id) == (HELD, "to_confirm", ann.id)
    assert match.texts() == []
    asked = [(cause, kind) for cause, player, kind in room.notices() if player == ann.id]
    assert (f"mail/{mail.id}", "confirm_mail") in asked
    with room.store.begin() as unit:
        unit.save_inbound(replace(mail, state=NEW, reason=None, is_confirmed=True))
    room.read(at(1))
    assert match.texts() == [(0, "F2>I6; end")]
    assert match.entries()[-1].arrived == at()


def test_a_bounce_stops_the_clock_and_a_mail_starts_it_again(
    room: Room, match: Match, ann: Player
) -> None:
    letter = room.letter(ann, match)
    path = return_path(room.office, letter, at())
    report = "\n".join(
        (
            "--x",
            "Content-Type: message/delivery-status",
            "",
            "Reporting-MTA: dns; mx.example.org",
            "",
            f"Final-Recipient: rfc822; {room.address(ann)}",
            "Action: failed",
            "Status: 5.1.1",
            "--x--",
        )
    )
    headers = {
        "Return-Path": "",
        "Content-Type": 'multipart/report; report-type=delivery-status; boundary="x"',
    }
    mail = room.mail("mailer-daemon@example.org", report, path, headers=headers)
    assert mail.state == HANDLED
    with room.store.read() as unit:
        stopped = unit.find_player(ann.id)
    assert stopped is not None
    assert stopped.stopped_since == at()
    assert sections(room.mail(ann, "status", letter, now=at(5))) == ["status"]
    with room.store.read() as unit:
        back = unit.find_player(ann.id)
    assert back is not None
    assert back.stopped_since is None


def test_the_answered_message_id_is_as_good_as_the_token(
    room: Room, match: Match, ann: Player
) -> None:
    letter = room.letter(ann, match)
    name = KEYS.message_name(letter.message_id)
    headers = {"In-Reply-To": f"<{name}@{DOMAIN}>"}
    room.mail(ann, "F2>I6", f"game.{'b' * 26}@{DOMAIN}", headers=headers)
    assert match.texts() == [(0, "F2>I6")]


# -- once and only once ---------------------------------------------------------------------------


def test_reading_again_changes_nothing(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "F2>I6", room.letter(ann, match))
    before = room.contents()
    reading.read_inbound(room.around, room.office, mail, at(1))
    assert room.contents() == before


def test_an_answer_comes_again_with_its_mail(room: Room, match: Match, ann: Player) -> None:
    letter = room.letter(ann, match)
    mail = room.mail(ann, "status", letter, message_id="<s@example.net>")
    with room.store.begin() as unit:
        for outgoing in unit.claim_notices(at(1), lease=reading.LEASE, limit=100):
            unit.end_notice(outgoing.id, "sent")
    again = room.mail(ann, "status", letter, message_id="<s@example.net>", now=at(2))
    assert again.id == mail.id
    with room.store.begin() as unit:
        waiting = unit.claim_notices(at(2), lease=reading.LEASE, limit=100)
    assert [each.notice.cause for each in waiting] == [f"mail/{mail.id}"]


def test_two_readers_of_one_mail(room: Room, match: Match, ann: Player) -> None:
    number = room.write("F2>I6", sender=room.address(ann), to=room.letter(ann, match))
    readers = [
        threading.Thread(
            target=reading.read_inbound, args=(room.around, room.office, room.stored(number), at())
        )
        for _ in range(4)
    ]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert match.texts() == [(0, "F2>I6")]
    assert room.inbound(number).state == HANDLED


def test_who_comes_second_does_nothing(
    room: Room, match: Match, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one reader looks at the text, another has read the whole mail."""
    number = room.write("Hello!", sender=room.address(ann), to=room.letter(ann, match))
    find = find_wanted

    def find_late(*given: Any, **more: Any) -> Any:
        monkeypatch.setattr(reading, "find_wanted", find)
        reading.read_inbound(room.around, room.office, room.stored(number), at())
        return find(*given, **more)

    monkeypatch.setattr(reading, "find_wanted", find_late)
    reading.read_inbound(room.around, room.office, room.stored(number), at())
    with room.store.read() as unit:
        assert [message.text for message in unit.messages_of(match.id)] == ["Hello!"]


def test_mails_of_one_sender_are_read_in_order(room: Room, match: Match, ann: Player) -> None:
    letter, sender = room.letter(ann, match), room.address(ann)
    for minute, body in enumerate(("F2>I6", "W1>F5", "end")):
        room.write(body, sender=sender, to=letter, now=at(minutes=minute))
    room.read(at(1))
    assert [text for _, text in match.texts()] == ["F2>I6", "W1>F5", "end"]


def test_nothing_is_kept_of_a_mail_whose_reading_fails(
    room: Room, match: Match, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a mail leads to and the mark that it is handled are kept together (L1.2)."""
    number = room.write("F2>I6", sender=room.address(ann), to=room.letter(ann, match))
    before = room.contents()
    fail_at_the_end(monkeypatch, ValueError("at the very end"))
    with pytest.raises(ValueError, match="at the very end"):
        reading.read_inbound(room.around, room.office, room.stored(number), at())
    assert room.contents() == before


# -- what goes wrong ------------------------------------------------------------------------------


def fail_at_the_end(monkeypatch: pytest.MonkeyPatch, error: Exception) -> Callable[[], int]:
    """Everything is done, and then it fails; how often it has."""
    conclude = acting._conclude
    times = []

    def fail(errand: Any) -> dict[str, object]:
        conclude(errand)
        times.append(1)
        raise error

    monkeypatch.setattr(acting, "_conclude", fail)
    return lambda: len(times)


def test_a_mail_that_crashes_three_times_is_quarantined_and_the_queue_goes_on(
    room: Room, match: Match, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    letter = room.letter(ann, match)
    number = room.write("F2>I6", sender=room.address(ann), to=letter)
    with monkeypatch.context() as patched:
        crashes = fail_at_the_end(patched, RuntimeError("a secret of the mail"))
        for attempt in range(1, 4):
            now = at(attempt * LATER)
            assert reading.read_waiting(room.around, room.office, now) == 1
            assert reading.read_waiting(room.around, room.office, now) == 0, "it has its lease"
            assert crashes() == attempt
    assert state_of(room, number) == (QUARANTINED, 3)
    assert room.inbound(number).reason == "RuntimeError"
    assert match.texts() == []
    room.mail(ann, "W1>F5", letter, now=at(5 * LATER))
    assert match.texts() == [(0, "W1>F5")]


def test_others_are_read_while_one_crashes(
    room: Room, match: Match, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.write("status", sender=room.address(ann), to=room.letter(ann, match))
    number = room.write("status", sender=room.address(bob), to=room.letter(bob, match))
    read = read_message

    def crash(raw: bytes) -> Any:
        if room.address(ann).encode() in raw:
            raise RecursionError
        return read(raw)

    monkeypatch.setattr(reading, "read_message", crash)
    assert reading.read_waiting(room.around, room.office, at()) == 2
    assert room.inbound(number).state == HANDLED


def test_readers_read_at_once(
    room: Room, match: Match, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [
        room.write("status", sender=room.address(ann), to=room.letter(ann, match)),
        room.write("status", sender=room.address(bob), to=room.letter(bob)),
    ]
    both = threading.Barrier(2, timeout=60)
    read = read_message

    def meet(raw: bytes) -> Any:
        both.wait()
        return read(raw)

    monkeypatch.setattr(reading, "read_message", meet)
    with ThreadPoolExecutor(2) as readers:
        assert reading.read_waiting(room.around, room.office, at(), readers=readers) == 2
    assert [room.inbound(number).state for number in numbers] == [HANDLED, HANDLED]


def test_mails_about_one_game_are_read_in_the_order_in_which_they_came(
    room: Room, match: Match, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def note(around: object, office: object, inbound: Inbound, *_: object) -> bool:
        if not read:
            time.sleep(0.05)  # in which another reader would come first
        read.append(inbound.id)
        return True

    people = (ann, bob)
    numbers = [
        room.write("resign", sender=room.address(who), to=room.letter(who, match)) for who in people
    ]
    monkeypatch.setattr(reading, "read_claimed", note)
    with ThreadPoolExecutor(2) as readers:
        assert reading.read_waiting(room.around, room.office, at(), readers=readers) == 2
    assert read == numbers


def test_when_one_reader_has_no_database_no_other_mail_is_begun(
    room: Room, match: Match, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each would wait for it as long as the first has done, beyond its lease."""
    tries: list[int] = []

    def gone(around: object, office: object, inbound: Inbound, *_: object) -> bool:
        tries.append(inbound.id)
        raise StoreUnavailableError("gone")

    room.write("status", sender=room.address(ann), to=room.letter(ann, match))
    room.write("status", sender=room.address(bob), to=room.letter(bob))
    monkeypatch.setattr(reading, "read_claimed", gone)
    monkeypatch.setattr(reading, "patiently", lambda work: work())
    with ThreadPoolExecutor(1) as readers, pytest.raises(StoreUnavailableError):
        reading.read_waiting(room.around, room.office, at(), readers=readers)
    assert len(tries) == 1


class OneReader(ThreadPoolExecutor):
    """Is stopped when so many works were handed in."""

    def __init__(self, after: int) -> None:
        super().__init__(1)
        self.left = after
        self.is_stopped = threading.Event()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        submitted = super().submit(fn, *args, **kwargs)
        self.left -= 1
        if not self.left:
            self.shutdown(wait=False, cancel_futures=True)
            self.is_stopped.set()
        return submitted


@pytest.mark.parametrize("after", [1, 2])
def test_readers_that_are_stopped_leave_nobody_waiting(
    room: Room, match: Match, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    begun: list[int] = []

    def read(around: object, office: object, inbound: Inbound, *_: object) -> bool:
        begun.append(inbound.id)
        return reader.is_stopped.wait(30)

    room.write("status", sender=room.address(ann), to=room.letter(ann, match))
    room.write("status", sender=room.address(bob), to=room.letter(bob))
    monkeypatch.setattr(reading, "read_claimed", read)
    reader = OneReader(after)
    assert reading.read_waiting(room.around, room.office, at(), readers=reader) == after
    assert len(begun) < 2


def test_a_busy_store_counts_as_no_attempt(
    room: Room, match: Match, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = room.write("F2>I6", sender=room.address(ann), to=room.letter(ann, match))
    with monkeypatch.context() as patched:
        fail_at_the_end(patched, StoreBusyError("others"))
        for _ in range(5):
            reading.read_waiting(room.around, room.office, at())
            assert state_of(room, number) == (NEW, 0)
    room.read(at())
    assert match.texts() == [(0, "F2>I6")]


def test_without_a_database_nothing_is_said_to_be_read(
    room: Room, match: Match, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = room.write("F2>I6", sender=room.address(ann), to=room.letter(ann, match))
    with monkeypatch.context() as patched:
        fail_at_the_end(patched, StoreUnavailableError("gone"))
        patched.setattr(reading, "patiently", partial(patiently, seconds=0.2))
        with pytest.raises(StoreUnavailableError):
            reading.read_waiting(room.around, room.office, at())
    assert state_of(room, number)[0] == NEW
    room.read(at(LATER))
    assert match.texts() == [(0, "F2>I6")]


def test_reading_that_takes_too_long_is_given_up(
    room: Room, match: Match, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    read = read_message

    def crawl(raw: bytes) -> Any:
        go_on.wait(5)
        return read(raw)

    number = room.write("F2>I6", sender=room.address(ann), to=room.letter(ann, match))
    monkeypatch.setattr(mishaps, "SECONDS_TO_READ", 0.01)
    monkeypatch.setattr(mishaps, "SMALL", 0)
    monkeypatch.setattr(reading, "read_message", crawl)
    with pytest.raises(mishaps.TooSlowError):
        reading.read_inbound(room.around, room.office, room.stored(number), at())
    go_on.set()
    assert match.texts() == []


def test_a_player_who_changes_meanwhile_is_looked_at_again(
    room: Room, match: Match, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between reading the text and acting on it the address is taken from the player."""
    letter = room.letter(ann, match)
    number = room.write("F2>I6", sender=room.address(ann), to=letter)
    find = find_wanted
    address = room.address(ann)

    def find_and_drop(*given: Any, **more: Any) -> Any:
        with room.store.begin() as unit:
            if unit.find_address(address) is not None:
                unit.remove_address(address)
        return find(*given, **more)

    monkeypatch.setattr(reading, "find_wanted", find_and_drop)
    reading.read_inbound(room.around, room.office, room.stored(number), at())
    assert room.inbound(number).reason == "foreign_from"
    assert match.texts() == []


def test_a_game_that_ends_meanwhile_is_looked_at_again(
    room: Room, match: Match, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between reading a text and acting on it the opponent has resigned: it is a remark now."""
    number = room.write("Well played!", sender=room.address(ann), to=room.letter(ann, match))
    end = room.write("resign", sender=room.address(bob), to=room.letter(bob, match))
    was_over: list[bool] = []

    def find_late(*given: Any, **more: Any) -> Any:
        was_over.append(match.id in more["over"])
        if len(was_over) == 1:
            monkeypatch.setattr(reading, "find_wanted", find_wanted)
            reading.read_inbound(room.around, room.office, room.stored(end), at())
            monkeypatch.setattr(reading, "find_wanted", find_late)
        return find_wanted(*given, **more)

    monkeypatch.setattr(reading, "find_wanted", find_late)
    reading.read_inbound(room.around, room.office, room.stored(number), at())
    assert was_over == [False, True]
    assert room.inbound(number).state == HANDLED


def test_what_is_foreseen_of_several_mails_is_looked_up_once(
    room: Room, match: Match, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = (ann, bob)
    for who in people:
        room.write("status", sender=room.address(who), to=room.letter(who))
    with room.store.begin() as unit:
        claimed = unit.claim_inbound(at(), lease=reading.LEASE, limit=9)
    foreseen = reading._foresee(room.around, claimed)
    monkeypatch.setattr(SqlUnit, "_fetch", None)
    for mail, who in zip(claimed, people, strict=True):
        message = read_message(mail.arrival.raw)
        known = foreseen[mail.id]
        prepared = reading._prepare(room.around, room.office, mail, message, known)
        assert isinstance(prepared.identity, Known)
        assert prepared.identity.player.id == who.id


def test_what_changes_after_it_was_foreseen_is_looked_at_again(
    room: Room, match: Match, ann: Player, bob: Player
) -> None:
    numbers = [
        room.write("status", sender=room.address(who), to=room.letter(who)) for who in (ann, bob)
    ]
    with room.store.begin() as unit:
        claimed = unit.claim_inbound(at(), lease=reading.LEASE, limit=9)
    foreseen = reading._foresee(room.around, claimed)
    with room.store.begin() as unit:
        unit.remove_address(room.address(ann))
    for mail in claimed:
        reading.read_inbound(room.around, room.office, mail, at(), foreseen[mail.id])
    assert [room.inbound(number).reason for number in numbers] == ["foreign_from", None]


def test_another_game_of_a_mail_that_ends_after_it_was_foreseen_is_looked_at_again(
    room: Room, match: Match, ann: Player, bob: Player
) -> None:
    """Once a game is over, words about it are remarks, and no message to the opponent."""
    other = room.study(TWO_ARCHERS, gold=ann, black=bob, clock="10h")
    to_ann = room.letter(ann, other)
    room.write("resign", sender=room.address(bob), to=room.letter(bob, match))
    room.write(f"{match.id}:\n1g. Too soon!\n", sender=room.address(ann), to=to_ann)
    assert reading.read_waiting(room.around, room.office, at()) == 2
    with room.store.read() as unit:
        assert unit.messages_of(match.id) == []


def test_of_mails_about_one_game_only_the_first_is_foreseen(
    room: Room, match: Match, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreseen: list[object] = []

    def note(*given: object) -> bool:
        foreseen.append(given[-1])
        return True

    room.write("resign", sender=room.address(ann), to=room.letter(ann, match))
    room.write("resign", sender=room.address(bob), to=room.letter(bob, match))
    room.write("join", sender="new@example.net", to=f"play@{DOMAIN}")
    monkeypatch.setattr(reading, "read_claimed", note)
    assert reading.read_waiting(room.around, room.office, at()) == 3
    assert [each is not None for each in foreseen] == [True, False, True]


def test_clocks_stand_while_a_refused_player_waits_for_us(
    room: Room, match: Match, ann: Player
) -> None:
    before = match.deadline("gold")
    assert before is not None
    room.write("W1 str I4; end", sender=room.address(ann), to=room.letter(ann, match), now=at(1))
    room.read(at(3))
    assert match.deadline("gold") == before + (at(3) - at(1))
    match.verify()


def test_what_we_wrote_is_not_passed_on(room: Room, match: Match, ann: Player) -> None:
    letter = room.letter(ann, match, lines=["It is your turn, Ann of the North."])
    body = "Good luck!\n\nIt is your turn, Ann of the North.\n"
    mail = room.mail(ann, body, letter)
    assert facts(mail, "message_passed") == {"text": "Good luck!"}


def test_what_we_wrote_before_is_known_too(room: Room, match: Match, ann: Player) -> None:
    room.letter(ann, match, lines=["It is your turn, Ann of the North."])
    mail = room.mail(
        ann, "Good luck!\n\nIt is your turn, Ann of the North.\n", room.letter(ann, match)
    )
    assert facts(mail, "message_passed") == {"text": "Good luck!"}


def test_an_old_letter_that_is_answered_is_known(room: Room, match: Match, ann: Player) -> None:
    old = room.letter(ann, match, lines=["It is your turn, Ann of the North."])
    for number in range(20):
        room.letter(ann, match, lines=[f"You have {number} Energy left."])
    mail = room.mail(ann, "Good luck!\n\nIt is your turn, Ann of the North.\n", old)
    assert facts(mail, "message_passed") == {"text": "Good luck!"}


def test_the_token_is_nowhere_in_what_is_kept(room: Room, match: Match, ann: Player) -> None:
    letter = room.letter(ann, match)
    token = KEYS.reply_token(letter.message_id)
    room.mail(ann, f"Write to game.{token}@{DOMAIN}\n# {token}", letter)
    room.mail(ann, f"F2>I6 {token}\n\n> old\n\nW1>F5 {token}", letter)
    room.mail(ann, f"F2>I6; W1 str {token}", letter)
    for table, rows in room.contents().items():
        if table != "inbound":
            assert token not in repr(rows), table
    with room.store.read() as unit:
        assert unit.find_letter(token_hash(token)) is not None
