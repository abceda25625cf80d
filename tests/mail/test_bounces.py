"""Mails that do not arrive: only proved failures count, and what follows from one (L5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.addresses import find_destination
from pbem.mail.bounces import (
    BOUNCE_NOTICE,
    find_bounced,
    handle_bounce,
    permanent_failure,
    recover,
    resume,
    return_path,
    welcome_back,
)
from pbem.mail.delivery_address import choose_address
from pbem.mail.parts import read_message
from pbem.mail.reports import find_failure
from pbem.play import players
from pbem.play.model import Notice, Player
from pbem.play.ports import Store, Surroundings
from pbem.play.post import DEAD, NEW, SENT, AddressHealth, Letter, Outgoing
from tests.mail.post import DOMAIN, NOON, make_inbound, make_letter, make_office
from tests.mail.spoofs import away, exim_bounce, failed, mail, qmail_bounce, report

ANN = "ann@example.org"
SECOND = "ann@example.net"
THIRD = "ann@example.com"
DIRECTOR = "director@example.org"
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
OFFICE = make_office(director=DIRECTOR)


# -- what a report says -------------------------------------------------------------------------


def failure(raw: bytes, sender: str = "") -> str | None:
    return find_failure(make_inbound(raw, sender=sender), read_message(raw), ANN)


@pytest.mark.parametrize(
    ("group", "found"),
    [
        (failed(ANN, "5.1.1"), "hard"),
        (failed(ANN, "5.2.2"), "hard"),
        (failed(ANN, "5.7.1 (policy)"), "hard"),
        (failed("somebody@example.com", "5.1.1"), "hard"),
        (f"Original-Recipient: rfc822; {ANN}\r\n{failed('x@example.com', '5.0.0')}", "hard"),
        (f"final-recipient:RFC822;{ANN}\r\nACTION: Failed\r\nSTATUS: 5.1.10", "hard"),
        (f"Final-Recipient: rfc822; {ANN}\r\nStatus: 5.1.1", "hard"),
        ("Action: failed\r\nDiagnostic-Code: smtp;\r\n 550 5.1.1 no such user", "hard"),
        ("Action: failed\r\nDiagnostic-Code: smtp; 550 no such user", "hard"),
        (failed(ANN, "4.4.7"), "soft"),
        (failed(ANN, "4.2.2", "delayed"), "soft"),
        (failed(ANN, "5.4.1", "delayed"), "soft"),
        ("Action: failed\r\nDiagnostic-Code: smtp; 451 try later", "soft"),
        ("Action: failed", "soft"),
        (failed(ANN, "five", "failed"), "soft"),
        (failed(ANN, "2.0.0", "delivered"), None),
        (failed(ANN, "2.1.5", "relayed"), None),
        (failed(ANN, "5.1.1", "expanded"), None),
        ("Nothing: at all", None),
        ("", None),
    ],
)
def test_what_a_report_says_of_one_recipient(group: str, found: str | None) -> None:
    assert failure(report(group)) == found


def test_of_several_recipients_ours_counts_and_an_alias_dies_with_its_last() -> None:
    other, another = "x@example.com", "y@example.com"
    assert failure(report(failed(other), failed(ANN, "4.4.1"))) == "soft"
    assert failure(report(failed(other, "4.4.1"), failed(ANN))) == "hard"
    assert failure(report(failed(other), failed(another))) == "hard"
    assert failure(report(failed(other), failed(another, "2.0.0", "delivered"))) == "soft"


def test_reports_of_servers_that_know_no_status_are_for_now_at_most() -> None:
    assert failure(qmail_bounce()) == "soft"
    assert failure(qmail_bounce(), sender="mailer-daemon@example.org") == "soft"
    assert failure(exim_bounce()) == "soft"
    assert failure(exim_bounce("somebody@example.org")) is None


@pytest.mark.parametrize("sender", ["", ANN])
@pytest.mark.parametrize("says_so", [True, False])
def test_who_is_away_has_a_working_address(sender: str, says_so: bool) -> None:
    assert failure(away(says_so=says_so), sender) is None


def test_what_a_person_writes_to_a_return_path_is_no_failure() -> None:
    assert failure(mail(("From", "x@example.com"), body="Hello?"), "x@example.com") is None


@pytest.mark.parametrize("kind", ["feedback-report", "disposition-notification"])
def test_complaints_and_receipts_are_no_failures(kind: str) -> None:
    head = f"multipart/report; report-type={kind}; boundary=b"
    raw = mail(("From", "x@example.com"), ("Content-Type", head), body="--b\r\n\r\nx\r\n--b--")
    assert failure(raw) is None


def test_a_report_inside_a_mail_that_came_along_is_not_read() -> None:
    inner = report(failed(ANN)).decode()
    raw = mail(
        ("From", ANN),
        ("Content-Type", "multipart/mixed; boundary=c"),
        body=f"--c\r\nContent-Type: message/rfc822\r\n\r\n{inner}\r\n--c--",
    )
    assert failure(raw) is None


def test_a_report_to_which_a_server_has_added_a_footer_is_read() -> None:
    head, _, body = report(failed(ANN)).decode().partition("\r\n\r\n")
    inner = next(line for line in head.splitlines() if line.startswith("Content-Type"))
    raw = mail(
        ("From", "MAILER-DAEMON@example.org"),
        ("Content-Type", "multipart/mixed; boundary=c"),
        body=f"--c\r\n{inner}\r\n\r\n{body}\r\n--c\r\n\r\nScanned.\r\n--c--",
    )
    assert failure(raw) == "hard"


FIELDS = [
    "Action", "Status", "Final-Recipient", "Diagnostic-Code", ":", " ", "\r\n", "\t", "failed",
    "delivered", "5.1.1", "4", "2.0.0", "rfc822;", ANN, "<", '"', "(", "\0", "\u202e",
]  # fmt: skip


@given(st.lists(st.sampled_from(FIELDS), max_size=40).map("".join))
def test_no_report_raises(text: str) -> None:
    assert failure(report(text)) in (None, "soft", "hard")


# -- what follows -------------------------------------------------------------------------------


@dataclass
class Post:
    """Ann, who has three addresses, and a mail that was sent to her."""

    around: Surroundings
    ann: Player
    outgoing: Outgoing
    letter: Letter

    def path(self, letter: Letter | None = None, now: datetime = NOON) -> str:
        found = find_destination(return_path(OFFICE, letter or self.letter, now), DOMAIN)
        assert found is not None
        return found.key

    def come(self, raw: bytes | None = None, to: str | None = None, now: datetime = NOON) -> str:
        """What became of a report."""
        raw = report(failed(ANN)) if raw is None else raw
        inbound = make_inbound(raw, self.path() if to is None else to, sender="", arrived=now)
        return handle_bounce(self.around, OFFICE, inbound, read_message(raw), now)

    def send_again(self, now: datetime = NOON) -> Letter:
        """What a sender does with the row."""
        with self.around.store.begin() as unit:
            (outgoing,) = [
                each
                for each in unit.claim_notices(now, lease=DAY, limit=10)
                if each.notice.kind != BOUNCE_NOTICE
            ]
            address = choose_address(unit, self.player)
            assert address is not None
            letter = make_letter(self.ann.id, address.address, message_id=outgoing.message_id)
            letter = unit.save_letter(letter)
            unit.end_notice(outgoing.id, SENT)
            return letter

    @property
    def player(self) -> Player:
        with self.around.store.read() as unit:
            found = unit.find_player(self.ann.id)
        assert found is not None
        return found

    def goes_to(self) -> str | None:
        with self.around.store.read() as unit:
            found = choose_address(unit, self.ann)
        return None if found is None else found.address

    def health(self, address: str = ANN) -> AddressHealth | None:
        with self.around.store.read() as unit:
            return unit.find_health(address)

    def state(self) -> str:
        """What became of the mail's row."""
        with self.around.store.read() as unit:
            for state in (NEW, SENT, DEAD):
                found = unit.notices_in_state(state)
                if any(each.id == self.outgoing.id for each, _ in found):
                    return state
        raise AssertionError

    def told_director(self) -> list[dict[str, object]]:
        with self.around.store.read() as unit:
            found = [each.notice for each, _ in unit.notices_in_state(NEW)]
        return [dict(each.facts) for each in found if each.kind == BOUNCE_NOTICE]


@pytest.fixture
def post(store: Store) -> Post:
    around = Surroundings(store, bytes)
    ann = players.join(around, "Ann", ANN, now=NOON, verified=True)
    for address in (THIRD, SECOND):
        players.add_address(around, ann.id, address, now=NOON)
        players.verify_address(around, ann.id, address, now=NOON)
    players.choose_addresses(around, ann.id, preferred=ANN, fallback=SECOND)
    with store.begin() as unit:
        unit.add_notice(Notice("game/1", ann.id, "turn_request", NOON))
    with store.begin() as unit:
        (outgoing,) = unit.claim_notices(NOON, lease=DAY, limit=1)
        unit.end_notice(outgoing.id, SENT)
        letter = unit.save_letter(make_letter(ann.id, ANN, message_id=outgoing.message_id))
    return Post(around, ann, outgoing, letter)


def test_a_hard_bounce_suspends_stops_resends_and_tells(post: Post) -> None:
    assert post.come() == "hard"
    assert post.health() == AddressHealth(ANN, bounced_at=NOON)
    assert post.player.stopped_since == NOON
    assert post.goes_to() == SECOND
    assert post.state() == NEW
    assert post.told_director() == [
        {
            "address": ANN,
            "reason": "hard bounce",
            "stopped_until": "2026-11-30T12:00:00.000000+00:00",
            "next_address": SECOND,
        }
    ]


def test_the_same_again_changes_nothing(post: Post) -> None:
    path = post.path()
    post.come()
    assert post.come(now=NOON + DAY) == "known"
    assert post.health() == AddressHealth(ANN, bounced_at=NOON)
    assert len(post.told_director()) == 1
    # Nor does it when the mail has gone to the next address: that one takes mail.
    assert post.send_again().address == SECOND
    assert post.come(to=path, now=NOON + DAY) == "not_ours"
    assert (post.goes_to(), post.state()) == (SECOND, SENT)


def test_another_mail_that_was_on_its_way_goes_to_the_next_address_too(post: Post) -> None:
    with post.around.store.begin() as unit:
        unit.add_notice(Notice("game/2", post.ann.id, "turn_request", NOON))
    other = post.send_again()
    assert other.address == ANN
    post.come()
    assert post.come(to=post.path(other), now=NOON + DAY) == "hard"
    assert len(post.told_director()) == 1
    with post.around.store.read() as unit:
        waiting = {each.message_id for each, _ in unit.notices_in_state(NEW)}
    assert {post.letter.message_id, other.message_id} < waiting


def test_addresses_fail_one_after_the_other(post: Post) -> None:
    for address, following in ((ANN, SECOND), (SECOND, THIRD), (THIRD, None)):
        assert post.goes_to() == address
        assert post.come() == "hard"
        assert post.goes_to() == following
        if following is not None:
            post.letter = post.send_again()
    assert post.state() == DEAD
    assert [each["next_address"] for each in post.told_director()] == [None, THIRD, SECOND]


def test_an_address_that_is_not_verified_gets_nothing_else(post: Post) -> None:
    eve = players.join(post.around, "Eve", "eve@example.com", now=NOON)
    with post.around.store.read() as unit:
        assert choose_address(unit, eve) is None


def test_without_a_director_nobody_is_told(post: Post) -> None:
    permanent_failure(post.around, make_office(), post.letter.message_id, "550 no", NOON)
    assert post.told_director() == []
    assert post.goes_to() == SECOND


def test_a_refusal_by_the_next_server_is_the_same(post: Post) -> None:
    with post.around.store.begin() as unit:
        unit.requeue_notice("game/1", post.ann.id, "turn_request", NOON)
        unit.claim_notices(NOON, lease=DAY, limit=1)
    assert permanent_failure(post.around, OFFICE, post.letter.message_id, "550 no", NOON)
    assert (post.goes_to(), post.state()) == (SECOND, NEW)
    assert post.player.stopped_since == NOON
    # The row is free at once, not when the lease of the first try is over.
    assert post.send_again().address == SECOND


def test_a_mail_that_was_never_written_is_given_up_without_blame(post: Post) -> None:
    with post.around.store.begin() as unit:
        unit.add_notice(Notice("game/2", post.ann.id, "turn_request", NOON))
    with post.around.store.begin() as unit:
        (outgoing,) = unit.claim_notices(NOON, lease=DAY, limit=1)
    assert not permanent_failure(post.around, OFFICE, outgoing.message_id, "no", NOON)
    assert post.player.stopped_since is None
    with post.around.store.read() as unit:
        assert [each.id for each, _ in unit.notices_in_state(DEAD)] == [outgoing.id]


def test_an_address_that_is_not_the_players_stops_no_clock(post: Post) -> None:
    new = "ann.new@example.org"
    players.add_address(post.around, post.ann.id, new, now=NOON)
    for kind, address in (("address_confirmation", new), (BOUNCE_NOTICE, DIRECTOR)):
        with post.around.store.begin() as unit:
            letter = make_letter(post.ann.id, address, message_id=f"x{kind}", kind=kind)
            post.letter = unit.save_letter(letter)
        assert post.come(report(failed(address))) == "hard"
        assert post.health(address) == AddressHealth(address, bounced_at=NOON)
    assert post.player.stopped_since is None
    assert post.told_director() == []
    assert post.goes_to() == ANN


# -- forged, expired, soft ----------------------------------------------------------------------


def test_only_a_return_path_of_ours_counts(post: Post) -> None:
    path = post.path()
    head, _, signed = path.partition("/")
    number, day, mac = signed.split("-")
    forged = [
        f"{head}/{number}-{day}-{mac[::-1]}",
        f"{head}/{int(number) + 1}-{day}-{mac}",
        f"{head}/{number}-{int(day) + 9}-{mac}",
        f"{head}/{'9' * 18}-{day}-{mac}",
        f"{head}/nonsense",
        f"service/{signed}",
        f"reply/{post.letter.token_hash}",
        "postmaster",
    ]
    for to in forged:
        assert post.come(to=to) == "not_ours"
    assert post.come(to=path, now=NOON + 8 * DAY) == "not_ours"
    assert post.health() is None
    with post.around.store.read() as unit:
        assert find_bounced(unit, OFFICE, make_inbound(destination=path)) == post.letter
        late = make_inbound(destination=path, arrived=NOON + 7 * DAY)
        assert find_bounced(unit, OFFICE, late) == post.letter


def test_a_return_path_says_nothing_about_another_letter(post: Post) -> None:
    with post.around.store.begin() as unit:
        other = unit.save_letter(
            replace(make_letter(post.ann.id, SECOND, message_id="ff"), id=None)
        )
    assert post.path(other) != post.path()
    assert post.come(report(failed(SECOND)), to=post.path()) == "hard"
    assert post.health(SECOND) is None


def soft_letters(post: Post, count: int, every: timedelta) -> list[str]:
    results = []
    for number in range(count):
        now = NOON + number * every
        with post.around.store.begin() as unit:
            letter = unit.save_letter(make_letter(post.ann.id, ANN, message_id=f"s{number}"))
        post.letter = letter
        raw = report(failed(ANN, "4.4.7"))
        results.append(post.come(raw, to=post.path(letter, now), now=now))
        assert post.come(raw, to=post.path(letter, now), now=now) == "known"
    return results


def test_five_soft_bounces_together_are_a_hard_one(post: Post) -> None:
    assert soft_letters(post, 5, timedelta(0)) == ["soft"] * 4 + ["hard"]
    assert post.goes_to() == SECOND


def test_soft_bounces_are_forgotten(post: Post) -> None:
    assert soft_letters(post, 12, timedelta(days=3)) == ["soft"] * 12
    health = post.health()
    assert health is not None
    assert 1.9 < health.soft_score < 2.1
    assert post.goes_to() == ANN
    assert post.player.stopped_since is None


def test_a_mail_that_was_only_late_may_still_fail(post: Post) -> None:
    assert post.come(report(failed(ANN, "4.4.1", "delayed"))) == "soft"
    assert post.come(report(failed(ANN, "5.4.7"))) == "hard"


def test_what_is_no_failure_changes_nothing(post: Post) -> None:
    assert post.come(away()) == "answered"
    assert post.come(report(failed(ANN, "2.0.0", "delivered"))) == "no_failure"
    assert (post.health(), post.state()) == (None, SENT)


def test_who_writes_again_gets_mail_again(post: Post) -> None:
    with post.around.store.begin() as unit:
        unit.save_health(AddressHealth(ANN, unsubscribed_at=NOON))
    post.come()
    welcome_back(post.around, post.ann.id, NOON + DAY)
    assert post.player.stopped_since is None
    assert post.goes_to() == SECOND
    with post.around.store.begin() as unit:
        address = unit.find_address(ANN)
        assert address is not None
        recover(unit, address, NOON + DAY)
    assert post.goes_to() == ANN
    assert post.health() == AddressHealth(ANN, unsubscribed_at=NOON)


@pytest.mark.parametrize("by", ["the player", "the operator"])
def test_what_waited_for_an_address_goes_out_when_it_takes_mail_again(post: Post, by: str) -> None:
    post.come()
    later = NOON + DAY
    with post.around.store.begin() as unit:
        for each in unit.claim_notices(NOON, lease=MINUTE, limit=10):
            unit.retry_notice(each.id, later + DAY, is_counted=True, reason="no address")
    if by == "the operator":
        assert resume(post.around, ANN, later)
    else:
        with post.around.store.begin() as unit:
            address = unit.find_address(ANN)
            assert address is not None
            recover(unit, address, later)
    with post.around.store.begin() as unit:
        claimed = unit.claim_notices(later, lease=MINUTE, limit=10)
        assert post.outgoing.id in {each.id for each in claimed}


def test_the_operator_lets_mail_go_there_again(post: Post) -> None:
    with post.around.store.begin() as unit:
        unit.save_health(AddressHealth(ANN, unsubscribed_at=NOON))
    assert not resume(post.around, ANN, NOON)
    post.come()
    assert not resume(post.around, SECOND, NOON + DAY)
    assert post.player.stopped_since == NOON
    assert resume(post.around, ANN, NOON + DAY)
    assert post.player.stopped_since is None
    assert post.goes_to() == ANN
    assert post.health() == AddressHealth(ANN, unsubscribed_at=NOON)
    assert not resume(post.around, ANN, NOON + DAY)


def test_an_address_that_was_only_named_lets_no_clock_go_on(post: Post) -> None:
    post.come()
    named = "named@example.org"
    players.add_address(post.around, post.ann.id, named, now=NOON)
    with post.around.store.begin() as unit:
        unit.save_health(AddressHealth(named, bounced_at=NOON))
    assert resume(post.around, named, NOON + DAY)
    assert post.health(named) is None
    assert post.player.stopped_since == NOON
