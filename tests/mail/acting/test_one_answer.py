"""A player who passed L3 gets exactly one answer to every mail, and it can be composed (L5)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.mail.compose import compose, when_to_send
from pbem.mail.composing.model import Composed
from pbem.play.model import Player
from pbem.play.post import Outgoing
from tests.mail.acting.room import Room
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import Match, at


def take_out(room: Room) -> list[Outgoing]:
    """The rows of the outbox, which are sent by that."""
    with room.store.begin() as unit:
        found = list(unit.claim_notices(at(1000), lease=timedelta(1), limit=1000))
        for outgoing in found:
            unit.end_notice(outgoing.id, "sent")
    return found


def composed_for(room: Room, player: Player) -> list[Composed]:
    """The mails that a player would get now."""
    written = (
        compose(room.around, room.office, outgoing, at(1000))
        for outgoing in take_out(room)
        if outgoing.notice.player_id == player.id
    )
    return [mail for mail in written if mail is not None]


@pytest.mark.parametrize("language", ["en", "nl"])
@pytest.mark.parametrize(
    "body",
    [
        "F2>I6; end",
        "Hello!\nF2>I6; end\n# note",
        "W1 rng I4",
        "F2>I6; W1 str I4; end",
        "resign",
        "resign?",
        "draw?",
        "standing: block all <=2",
        "try F2>I6; W1 rng I4; end",
        "help",
        "status\nboard\nhistory\ngames\nsettings\nbundle",
        "2",
        "",
        "Just words.",
        "stauts",
        "F2>I6\n\n> old\n\nW1>F5",
        "settings board spoken",
        "settings language klingon",
        "settings address add ann@example.net",
        "leave 2026-12-20 2027-01-05",
        "leave 2026-12-20 ok",
        "leave off",
        "standing all: block all <=2",
        "standing all: block nobody",
        "invite friend@example.net wind",
        "invite friend@example.net nonsense",
        "accept",
        "rematch",
        "undo",
        "stop",
        "start",
        "leave 2026-12-20 2027-01-05\nF2>I6; end",
        "setup WFEAAEF",
    ],
)
def test_exactly_one(room: Room, body: str, language: str) -> None:
    ann, bob = room.join("Ann", language=language), room.join("Bob")
    match = room.study(TWO_ARCHERS, gold=ann, black=bob)
    letter = room.letter(ann, match)
    take_out(room)
    mail = room.mail(ann, body, letter)
    own = [each for each in composed_for(room, ann) if each.letter.kind != "address_confirmation"]
    (answer,) = own
    assert answer.letter.address == room.address(ann)
    assert answer.thread.is_answer
    cause = room.answer_to(mail).cause
    with room.store.read() as unit:
        outgoing = unit.find_outgoing(answer.letter.message_id)
    assert outgoing is not None
    assert outgoing.notice.cause == cause


def test_orders_for_several_games_are_answered_once(room: Room, match: Match, ann: Player) -> None:
    other = room.study(TWO_ARCHERS, gold=ann, black=room.join("Cor"))
    letter = room.letter(ann, kind="answer", requests=[match.request().id, other.request().id])
    take_out(room)
    room.mail(ann, f"{match.id}: F2>I6; end\n{other.id}: W1>F5", letter)
    (answer,) = composed_for(room, ann)
    assert "F2>I6; end" in answer.text
    assert "W1>F5" in answer.text
    assert answer.letter.facts["requests"] == [other.request().id]


def test_who_wants_no_mail_still_gets_answers(room: Room, match: Match, ann: Player) -> None:
    letter = room.letter(ann, match)
    room.mail(ann, "stop", letter)
    take_out(room)
    room.mail(ann, "resign", letter)
    with room.store.read() as unit:
        player = unit.find_player(ann.id)
        assert player is not None
        times = {
            outgoing.notice.kind: when_to_send(unit, player, outgoing, at())
            for outgoing in take_out(room)
            if outgoing.notice.player_id == ann.id
        }
    assert times == {"game_over": at()}


def test_a_stranger_is_answered_with_one_question(room: Room) -> None:
    room.mail("Evil Name <new@example.net>", "Buy spam!", "join")
    (question,) = take_out(room)
    written = compose(room.around, room.office, question, at())
    assert written is not None
    assert written.letter.address == "new@example.net"
    assert not any(word in written.text + written.html for word in ("Evil", "spam"))


def test_who_declines_hears_that_it_was_done(room: Room, ann: Player) -> None:
    room.mail(ann, "invite friend@example.net", room.letter(ann, kind="answer"))
    with room.store.read() as unit:
        address = unit.find_address("friend@example.net")
        guest = None if address is None else unit.find_player(address.player_id)
    assert guest is not None
    (question,) = composed_for(room, guest)
    with room.store.begin() as unit:
        letter = unit.save_letter(question.letter)
    room.mail("friend@example.net", "decline", letter)
    (answer,) = composed_for(room, guest)
    assert answer.letter.address == "friend@example.net"
