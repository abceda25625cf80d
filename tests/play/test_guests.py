"""Inviting addresses that nobody has confirmed, and joining: nobody can be spammed by it (L5)."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

import pytest

from pbem.play import farewell, invitations, players
from pbem.play.errors import NotAllowedError
from pbem.play.invitations import INVITATION, STRANGERS_A_DAY, UNSENT, invite_address
from pbem.play.model import Invitation, Player
from pbem.play.players import JOINS_A_DAY, MOST_ASKED
from pbem.play.post import AddressHealth
from pbem.store.database import SqlUnit
from tests.play.club import NOON, Club, at
from tests.play.test_players import refusal

DAY = timedelta(days=1)
FRIEND = "friend.of-ann+games@example.net"


@pytest.fixture
def ann(club: Club) -> Player:
    return club.join("Ann", language="nl")


def invite(club: Club, host: Player, address: str = FRIEND, **agreement: object) -> Invitation:
    return invite_address(club.around, host.id, address, agreement, now=NOON)


def facts_of(club: Club, invitation: Invitation) -> Mapping[str, object]:
    """What is told of the mail that brings an invitation."""
    with club.store.read() as unit:
        (notice,) = unit.notices_for(f"invitation/{invitation.id}")
    return notice.facts


def get_guest(club: Club, invitation: Invitation) -> Player:
    assert invitation.guest_id is not None
    with club.store.read() as unit:
        found = unit.find_player(invitation.guest_id)
    assert found is not None
    return found


def test_a_stranger_becomes_a_guest(club: Club, ann: Player) -> None:
    invitation = invite(club, ann, "  Friend.of-Ann+games@EXAMPLE.net ")
    guest = get_guest(club, invitation)
    assert guest.name == "Friend Of Ann"
    assert guest.preferences.language == "nl"
    with club.store.read() as unit:
        (address,) = unit.addresses_of(guest.id)
        (notice,) = unit.notices_for(f"invitation/{invitation.id}")
    assert (address.address, address.verified_at, address.is_preferred) == (FRIEND, None, True)
    assert (notice.player_id, notice.kind) == (guest.id, INVITATION)
    assert notice.facts == {"invitation": invitation.id, "address": FRIEND}
    players.verify_address(club.around, guest.id, FRIEND, now=at(1))
    stored = invitations.accept(club.around, guest.id, invitation.id, now=at(1))
    assert set(stored.players) == {ann.id, guest.id}


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("bob@example.net", "Bob"),
        ("b.o_b@example.net", "B O B"),
        ("+tag@example.net", "Guest"),
        ("=?=@example.net", "Guest"),
        ("a" * 64 + "@example.net", "A" + "a" * 59),
    ],
)
def test_the_name_of_a_guest(club: Club, ann: Player, address: str, name: str) -> None:
    assert get_guest(club, invite(club, ann, address)).name == name


def test_an_address_of_a_player_is_that_player(club: Club, ann: Player) -> None:
    beau = club.join("Beau")
    with club.store.read() as unit:
        (address,) = unit.addresses_of(beau.id)
    invitation = invite(club, ann, address.address)
    assert invitation.guest_id == beau.id
    with club.store.read() as unit:
        (notice,) = unit.notices_for(f"invitation/{invitation.id}")
        assert invitations.find_named(unit, invitation) == address.address
    assert "address" not in notice.facts, "any of their addresses will do"


def test_the_same_guest_is_invited_by_all(club: Club, ann: Player) -> None:
    beau = club.join("Beau")
    assert invite(club, ann).guest_id == invite(club, beau).guest_id


def test_the_same_invitation_is_one(club: Club, ann: Player) -> None:
    first = invite(club, ann, clock="3d")
    for _ in range(MOST_ASKED + 1):
        assert invite(club, ann, clock="3d") == first
    assert invite(club, ann, clock="4d") != first
    beau = club.join("Beau")
    known = invitations.invite(club.around, ann.id, beau.id, {}, now=NOON)
    again = invitations.invite(club.around, ann.id, beau.id, {}, now=at(1))
    seated = invitations.invite(club.around, ann.id, beau.id, {}, now=at(1), host_seat=1)
    assert again == known != seated
    invitations.decline(club.around, beau.id, known.id, now=at(1))
    assert invitations.invite(club.around, ann.id, beau.id, {}, now=at(1)).id != known.id
    challenges = [invitations.invite(club.around, ann.id, None, {}, now=NOON) for _ in range(2)]
    assert challenges[0].id != challenges[1].id


def test_an_address_somebody_only_named_is_not_theirs(club: Club, ann: Player) -> None:
    """Else the invitation would go to whoever named it."""
    cuckoo = club.join("Cuckoo")
    players.add_address(club.around, cuckoo.id, FRIEND, now=NOON)
    guest = get_guest(club, invite(club, ann))
    assert guest.id != cuckoo.id
    with club.store.read() as unit:
        assert [each.address for each in unit.addresses_of(cuckoo.id)] == ["player2@example.org"]


def test_who_is_asked_to_join_can_be_invited(club: Club, ann: Player) -> None:
    newcomer = players.join(club.around, "New", FRIEND, now=NOON)
    assert invite(club, ann).guest_id == newcomer.id


@pytest.mark.parametrize(
    "health",
    [AddressHealth(FRIEND, bounced_at=NOON), AddressHealth(FRIEND, unsubscribed_at=NOON)],
    ids=["bounced", "unsubscribed"],
)
def test_an_address_that_takes_no_mail_is_left_alone(
    club: Club, ann: Player, health: AddressHealth
) -> None:
    with club.store.begin() as unit:
        unit.save_health(health)
    before = club.contents()
    assert refusal(invite, club, ann) == "address_takes_no_mail"
    assert club.contents() == before


def test_only_who_has_confirmed_an_address_invites(club: Club) -> None:
    newcomer = players.join(club.around, "New", "new@example.org", now=NOON)
    assert refusal(invite, club, newcomer) == "address_not_verified"


def test_nobody_invites_themselves(club: Club, ann: Player) -> None:
    assert refusal(invite, club, ann, "player1@example.org") == "plays_oneself"


def test_one_player_invites_few_strangers_a_day(club: Club, ann: Player) -> None:
    for number in range(STRANGERS_A_DAY):
        invite(club, ann, f"stranger{number}@example.net")
    before = club.contents()
    assert refusal(invite, club, ann) == "invited_many_today"
    assert club.contents() == before, "no guest without an invitation"
    invite_address(club.around, ann.id, FRIEND, {}, now=NOON + DAY)


def test_withdrawing_does_not_bring_more_mails(club: Club, ann: Player) -> None:
    for _ in range(MOST_ASKED):
        sent = invite(club, ann)
        invitations.decline(club.around, ann.id, sent.id, now=NOON)
    assert refusal(invite, club, ann) == "address_asked_often"
    assert facts_of(club, invite(club, club.join())).get(UNSENT), "whoever asks"
    assert refusal(players.join, club.around, "Friend", FRIEND, now=at(1)) == "address_asked_often"
    invite_address(club.around, ann.id, FRIEND, {}, now=NOON + 7 * DAY)


def test_nobody_can_tell_from_refusals_which_addresses_are_known(club: Club, ann: Player) -> None:
    """Others have asked often: the host of an invitation is not told, only no mail is sent."""
    club.join("Beau")
    told = []
    for address in ("player2@example.org", FRIEND):
        for number in range(MOST_ASKED):
            with suppress(NotAllowedError):
                players.join(club.around, f"Eve {number}", address, now=NOON)
        told.append([outcome(club, ann, address) for _ in range(MOST_ASKED + 1)])
    assert told[0] == told[1] == ["invited"] * MOST_ASKED + ["address_asked_often"]


def outcome(club: Club, host: Player, address: str) -> str:
    try:
        sent = invite(club, host, address)
    except NotAllowedError as error:
        return error.code
    invitations.decline(club.around, host.id, sent.id, now=NOON)
    return "invited"


def test_known_players_are_not_flooded_either(club: Club, ann: Player) -> None:
    beau = club.join("Beau")
    for _ in range(invitations.MOST_A_DAY):
        sent = invitations.invite(club.around, ann.id, beau.id, {}, now=NOON)
        invitations.decline(club.around, ann.id, sent.id, now=NOON)
    code = refusal(invitations.invite, club.around, ann.id, beau.id, {}, now=NOON)
    assert code == "invited_many_today"


def test_caps_hold_when_many_come_at_once(club: Club, ann: Player) -> None:
    def try_one(number: int) -> bool:
        try:
            invite(club, ann, f"stranger{number}@example.net")
        except NotAllowedError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(try_one, range(STRANGERS_A_DAY + 6)))
    assert done.count(True) == STRANGERS_A_DAY


def test_joining_is_capped_by_source(club: Club) -> None:
    def join(number: int, source: str, hours: float = 0) -> Player:
        return players.join(
            club.around, "New", f"new{number}@example.org", now=at(hours), source=source
        )

    for number in range(JOINS_A_DAY):
        join(number, "192.0.2.1")
    assert refusal(join, 100, "192.0.2.1") == "joined_often"
    join(101, "192.0.2.2")
    join(102, "192.0.2.1", 24)


# -- who never answers --------------------------------------------------------------------------


def test_guests_who_never_answer_are_forgotten(club: Club, ann: Player) -> None:
    silent = invite(club, ann, "silent@example.net")
    late = get_guest(club, invite(club, ann, "late@example.net"))
    players.verify_address(club.around, late.id, "late@example.net", now=at(1))
    players.join(club.around, "New", "new@example.org", now=NOON)
    recent = invite_address(club.around, ann.id, "recent@example.net", {}, now=NOON + DAY)
    assert farewell.forget_guests(club.around, now=NOON + 30 * DAY) == 0
    now = NOON + 30 * DAY + timedelta(seconds=1)
    assert farewell.forget_guests(club.around, now=now) == 2
    before = club.contents()
    assert farewell.forget_guests(club.around, now=now) == 0
    assert club.contents() == before
    assert get_guest(club, silent).deleted_at == now
    assert get_guest(club, recent).deleted_at is None
    with club.store.read() as unit:
        assert unit.find_address("silent@example.net") is None
        assert unit.find_address("late@example.net") is not None
        assert unit.find_address("new@example.org") is None
        closed = unit.find_invitation(silent.id)
        assert closed is not None
        assert closed.outcome == "withdrawn"


def test_who_answers_at_the_last_moment_stays(
    club: Club, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = get_guest(club, invite(club, ann))
    players.verify_address(club.around, guest.id, FRIEND, now=at(1))
    monkeypatch.setattr(SqlUnit, "idle_guests", lambda *_: [guest.id])  # as of a moment before
    before = club.contents()
    farewell.forget_guests(club.around, now=NOON + 31 * DAY)
    assert club.contents() == before


def test_a_guest_who_plays_stays(club: Club, ann: Player) -> None:
    invitation = invite(club, ann)
    guest = get_guest(club, invitation)
    invitations.accept(club.around, guest.id, invitation.id, now=NOON)
    assert farewell.forget_guests(club.around, now=NOON + 99 * DAY) == 0
