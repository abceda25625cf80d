"""Invitations by mail, and people who are new here (L5, L6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.play import games, invitations
from pbem.play.model import Invitation, Player
from pbem.play.post import HANDLED, Letter
from tests.mail.acting.room import DEFAULT, Room, facts, sections
from tests.play.club import Match, at

CONFIRMATION = "address_confirmation"


def invitations_of(room: Room, player: Player) -> list[Invitation]:
    with room.store.read() as unit:
        return list(unit.open_invitations(player.id))


def find_player(room: Room, address: str) -> tuple[Player, bool] | None:
    """Who has an address, and whether it is confirmed."""
    with room.store.read() as unit:
        found = unit.find_address(address)
        player = None if found is None else unit.find_player(found.player_id)
    return None if found is None or player is None else (player, found.verified_at is not None)


def asked(room: Room) -> list[tuple[str, int]]:
    """Who was asked to confirm an address, and because of which mail."""
    return [(cause, player) for cause, player, kind in room.notices() if kind == CONFIRMATION]


# -- inviting -----------------------------------------------------------------------------------


def test_inviting_a_player(room: Room, ann: Player, bob: Player) -> None:
    letter = room.letter(ann, kind="answer")
    mail = room.mail(ann, f"invite {room.address(bob)} master crown 14d as black", letter)
    (invitation,) = invitations_of(room, bob)
    assert (invitation.host_id, invitation.guest_id, invitation.host_seat) == (ann.id, bob.id, 1)
    assert invitation.agreement["level"] == "master"
    assert invitation.agreement["clock"] == "14d"
    told = facts(mail, "invited")
    assert told == {"invitation": invitation.id, "address": room.address(bob)}
    assert (f"invitation/{invitation.id}", bob.id, "invitation") in set(room.notices())


def test_challenging_everybody(room: Room, ann: Player) -> None:
    mail = room.mail(ann, "invite everybody wind", room.letter(ann, kind="answer"))
    with room.store.read() as unit:
        (challenge,) = unit.open_invitations(None)
    assert facts(mail, "invited")["invitation"] == challenge.id


@pytest.mark.parametrize(
    ("line", "section"),
    [
        ("invite friend@example.net mastr", "faults"),
        ("invite friend@example.net 14x", "faults"),
        ("invite", "faults"),
        ("invite not@an@address", "faults"),
        ("invite player1@example.org", "not_allowed"),
    ],
)
def test_invitations_that_cannot_be(room: Room, ann: Player, line: str, section: str) -> None:
    mail = room.mail(ann, line, room.letter(ann, kind="answer"))
    assert sections(mail) == [section]
    assert invitations_of(room, ann) == []


def test_accepting(room: Room, ann: Player, bob: Player) -> None:
    made = invitations.invite(room.around, ann.id, bob.id, {}, now=at())
    letter = room.letter(bob, kind="invitation", invitation=made.id)
    mail = room.mail(bob, "Accept!", letter)
    game_id = facts(mail, "accepted")["game"]
    with room.store.read() as unit:
        stored = games.get_stored(unit, game_id)
    assert set(stored.players) == {ann.id, bob.id}
    answer = room.answer_to(mail)
    match = Match(room, game_id, (ann, bob))
    seat = stored.find_seat(bob.id)
    (request,) = [row for row in match.requests() if row.seat == seat]
    assert answer.facts["requests"] == [request.id]
    room.mail(bob, DEFAULT, room.answer_letter(mail))
    assert match.texts() == [(seat, DEFAULT)]


@pytest.mark.parametrize("word", ["ok", "Yes.", "ja", "aanvaard"])
def test_agreeing_is_accepting(room: Room, ann: Player, bob: Player, word: str) -> None:
    made = invitations.invite(room.around, ann.id, bob.id, {}, now=at())
    mail = room.mail(bob, word, room.letter(bob, kind="invitation", invitation=made.id))
    assert sections(mail) == ["accepted"]


def test_declining(room: Room, ann: Player, bob: Player) -> None:
    made = invitations.invite(room.around, ann.id, bob.id, {}, now=at())
    letter = room.letter(bob, kind="invitation", invitation=made.id)
    assert sections(room.mail(bob, "decline", letter)) == ["declined"]
    assert invitations_of(room, bob) == []
    mail = room.mail(bob, "accept", letter)
    assert facts(mail, "not_allowed")["code"] == "invitation_closed"


def test_accepting_by_id_and_without(room: Room, ann: Player, bob: Player) -> None:
    first = invitations.invite(room.around, ann.id, bob.id, {}, now=at())
    second = invitations.invite(room.around, ann.id, bob.id, {"level": "wind"}, now=at())
    letter = room.letter(bob, kind="answer")
    mail = room.mail(bob, "accept", letter)
    assert set(facts(mail, "which_invitation")["invitations"]) == {first.id, second.id}
    assert sections(room.mail(bob, f"decline {first.id.upper()}", letter)) == ["declined"]
    assert sections(room.mail(bob, "accept", letter)) == ["accepted"]


def test_in_a_mail_about_a_game_accept_may_mean_a_draw(
    room: Room, match: Match, ann: Player, bob: Player
) -> None:
    made = invitations.invite(room.around, ann.id, bob.id, {}, now=at())
    mail = room.mail(bob, "accept", room.letter(bob, match))
    assert facts(mail, "which_invitation") == {"invitations": [made.id], "command": "accept"}


def test_an_invitation_of_others(room: Room, ann: Player, bob: Player) -> None:
    made = invitations.invite(room.around, ann.id, bob.id, {}, now=at())
    eve = room.join("Eve")
    mail = room.mail(eve, f"accept {made.id}", room.letter(eve, kind="answer"))
    assert facts(mail, "not_allowed")["code"] == "not_your_invitation"


def test_the_host_withdraws(room: Room, ann: Player, bob: Player) -> None:
    made = invitations.invite(room.around, ann.id, bob.id, {}, now=at())
    room.mail(ann, f"withdraw {made.id}", room.letter(ann, kind="answer"))
    assert invitations_of(room, bob) == []


def test_withdrawing_without_an_id_declines_nothing(room: Room, ann: Player, bob: Player) -> None:
    """It is about invitations of one's own, also while there is one to oneself."""
    theirs = invitations.invite(room.around, bob.id, ann.id, {}, now=at())
    letter = room.letter(ann, kind="answer")
    nothing = facts(room.mail(ann, "withdraw", letter), "no_invitation")
    assert nothing == {"command": "withdraw"}
    guests = (bob.id, None)
    own = [invitations.invite(room.around, ann.id, guest, {}, now=at()) for guest in guests]
    several = facts(room.mail(ann, "withdraw", letter), "which_invitation")["invitations"]
    assert set(several) == {each.id for each in own}
    room.mail(ann, f"withdraw {own[0].id}", letter)
    assert facts(room.mail(ann, "withdraw", letter), "declined")["invitation"] == own[1].id
    assert [each.id for each in invitations_of(room, ann)] == [theirs.id]


def test_a_rematch(room: Room, match: Match, ann: Player, bob: Player) -> None:
    letter = room.letter(ann, match)
    assert facts(room.mail(ann, "rematch", letter), "not_allowed")["code"] == "game_not_over"
    match.send("gold", "resign")
    mail = room.mail(ann, "Revanche!", letter)
    (invitation,) = invitations_of(room, bob)
    assert facts(mail, "invited")["invitation"] == invitation.id
    assert invitation.rematch_of == match.id


# -- somebody who has no account ------------------------------------------------------------------


def test_an_invitation_to_an_address_and_accepting_confirms_it(room: Room, ann: Player) -> None:
    letter = room.letter(ann, kind="answer")
    mail = room.mail(ann, "invite Friend@Example.net wind", letter)
    found = find_player(room, "friend@example.net")
    assert found is not None
    guest, is_confirmed = found
    assert not is_confirmed
    made = facts(mail, "invited")["invitation"]
    question = room.letter(guest, kind="invitation", invitation=made)
    accepted = room.mail(guest, "accept", question, now=at(1))
    assert sections(accepted) == ["joined", "accepted"]
    assert find_player(room, "friend@example.net") == (guest, True)


def test_declining_confirms_nothing(room: Room, ann: Player) -> None:
    mail = room.mail(ann, "invite friend@example.net", room.letter(ann, kind="answer"))
    found = find_player(room, "friend@example.net")
    assert found is not None
    made = facts(mail, "invited")["invitation"]
    question = room.letter(found[0], kind="invitation", invitation=made)
    declined = room.mail(found[0], "decline", question)
    assert sections(declined) == ["declined"]
    assert room.answer_to(declined).facts["address"] == "friend@example.net"
    assert find_player(room, "friend@example.net") == found


@pytest.mark.parametrize(
    "line",
    [
        "invite victim@example.net",
        "settings address add victim@example.net",
        "leave 2026-12-20 ok",
        "bundle",
    ],
)
def test_who_has_confirmed_nothing_can_do_little(room: Room, ann: Player, line: str) -> None:
    mail = room.mail(ann, "invite friend@example.net", room.letter(ann, kind="answer"))
    found = find_player(room, "friend@example.net")
    assert found is not None
    made = facts(mail, "invited")["invitation"]
    question = room.letter(found[0], kind="invitation", invitation=made)
    refused = room.mail(found[0], line, question)
    assert facts(refused, "not_allowed")["code"] == "address_not_verified"
    assert find_player(room, "victim@example.net") is None


# -- signing up -----------------------------------------------------------------------------------


@pytest.mark.parametrize("service", ["join", "play"])
def test_the_first_mail_only_asks_the_address(room: Room, service: str) -> None:
    body = "settings language nl\ninvite victim@example.net"
    mail = room.mail("New Comer <new@example.net>", body, service)
    found = find_player(room, "new@example.net")
    assert found is not None
    player, is_confirmed = found
    assert (player.name, player.preferences.language, is_confirmed) == ("New Comer", "en", False)
    assert mail.state == HANDLED
    assert asked(room) == [(f"mail/{mail.id}", player.id)]
    assert len(list(room.notices())) == 1


def test_who_writes_in_dutch_is_asked_in_dutch(room: Room) -> None:
    headers = {"Content-Language": "nl-NL"}
    room.mail("nieuw@example.net", "Hallo, ik wil meespelen.", "join", headers=headers)
    found = find_player(room, "nieuw@example.net")
    assert found is not None
    assert found[0].preferences.language == "nl"


def question_to(room: Room, address: str) -> tuple[Player, Letter]:
    room.mail(address, "hello", "join")
    found = find_player(room, address)
    assert found is not None
    return found[0], room.letter(found[0], kind=CONFIRMATION, address=address)


@pytest.mark.parametrize("body", ["ok", "", "Yes!", "settings name Newt", "help"])
def test_the_answer_confirms_it(room: Room, body: str) -> None:
    player, letter = question_to(room, "new@example.net")
    mail = room.mail("new@example.net", body, letter)
    assert sections(mail)[0] == "joined"
    found = find_player(room, "new@example.net")
    assert found is not None
    assert (found[0].id, found[1]) == (player.id, True)
    assert (found[0].name == "Newt") == ("Newt" in body)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("I have not signed up for anything!", ["not_confirmed"]),
        ("stop", ["mail_stopped"]),
    ],
)
def test_other_answers_do_not(room: Room, body: str, told: list[str]) -> None:
    _, letter = question_to(room, "new@example.net")
    assert sections(room.mail("new@example.net", body, letter)) == told
    found = find_player(room, "new@example.net")
    assert found is not None
    assert not found[1]


def test_who_said_something_else_can_still_confirm(room: Room) -> None:
    _, letter = question_to(room, "new@example.net")
    asked = room.mail("new@example.net", "What is this?", letter)
    assert sections(asked) == ["not_confirmed"]
    assert room.answer_to(asked).facts["address"] == "new@example.net"
    mail = room.mail("new@example.net", "ok", room.answer_letter(asked))
    assert sections(mail) == ["joined"]


def test_a_guest_may_ask_for_help_first(room: Room, ann: Player) -> None:
    mail = room.mail(ann, "invite friend@example.net", room.letter(ann, kind="answer"))
    found = find_player(room, "friend@example.net")
    assert found is not None
    made = facts(mail, "invited")["invitation"]
    asked = room.mail(found[0], "help", room.letter(found[0], kind="invitation", invitation=made))
    assert sections(asked) == ["help"]
    accepted = room.mail(found[0], "accept", room.answer_letter(asked))
    assert sections(accepted) == ["joined", "accepted"]


def test_an_unconfirmed_address_is_not_answered_without_end(room: Room) -> None:
    room.office = replace(room.office, answers_an_hour=4)
    _, letter = question_to(room, "new@example.net")
    outcomes = [
        room.mail("new@example.net", f"I am away ({number})", letter, twice=False).outcome
        for number in range(5)
    ]
    assert "answer" in outcomes[0]
    assert "answer" not in outcomes[-1]


def test_nobody_else_can_confirm_it(room: Room, ann: Player) -> None:
    _, letter = question_to(room, "new@example.net")
    mail = room.mail(ann, "ok", letter)
    assert mail.reason == "foreign_from"
    assert find_player(room, "new@example.net") is not None
    assert not find_player(room, "new@example.net")[1]  # type: ignore[index]


def test_a_stranger_who_writes_again_is_one_player_and_asked_once_a_day(room: Room) -> None:
    room.mail("new@example.net", "hello", "join")
    room.mail("new@example.net", "hello?", "play", now=at(1))
    assert len(asked(room)) == 1
    room.mail("new@example.net", "hello!!", "play", now=at(30))
    assert len({player for _, player in asked(room)}) == 1
    assert len(asked(room)) == 2


def test_an_address_named_by_another_player_is_still_its_owners(room: Room, ann: Player) -> None:
    room.mail(ann, "settings address add new@example.net", room.letter(ann, kind="answer"))
    player, letter = question_to(room, "new@example.net")
    assert player.id != ann.id
    assert sections(room.mail("new@example.net", "ok", letter)) == ["joined"]


def test_the_same_first_mail_again_asks_no_more_often(room: Room) -> None:
    room.mail("new@example.net", "hi", "join", message_id="<a@example.net>")
    before = room.contents()["notices"]
    again = room.mail("new@example.net", "hi", "join", message_id="<a@example.net>", now=at(1))
    assert again.repeats == 1
    assert room.contents()["notices"] == before
