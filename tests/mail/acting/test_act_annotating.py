"""Remarks by mail: replies to the mail that tells of a game's end, taken whole or not at all."""

from __future__ import annotations

import pytest

from pbem.mail.addresses import reply_address
from pbem.play import annotating, games
from pbem.play.archiving import archive_finished
from pbem.play.model import Player
from pbem.play.post import Letter
from tests.mail.acting.room import DOMAIN, KEYS, Room, facts, sections
from tests.play.club import Match, at

SAMPLE = "5g. ! {A fine turn.}"


@pytest.fixture
def over(match: Match) -> Match:
    """A game that ended by resignation in its second turn, and is archived."""
    games.write_note(match.around, match.id, 0, "He looks tired.", now=at())
    match.send("gold", "F2>I8; end")
    match.send("black", "E3>N9; end")
    match.send("gold", "resign")
    assert archive_finished(match.around, {"Site": "?"}, now=at()).failed == {}
    return match


def letter_about(room: Room, who: Player, over: Match, lines: tuple[str, ...] = ()) -> Letter:
    return room.letter(who, over, kind="game_over", asks=False, lines=lines)


def stands(room: Room, over: Match) -> list[tuple[str, str, str, str]]:
    with room.store.read() as unit:
        archived = unit.find_archived_game(over.id)
        assert archived is not None
        found = annotating.remarks_that_stand(unit, archived.number)
    return [(each.author, each.place, each.kind, each.text) for each in found]


def test_a_reply_with_remarks(room: Room, over: Match, ann: Player) -> None:
    mail = room.mail(
        ann,
        "5g. ! {Good.}\n5b. (E3>N7; end)\n5b. E3>N9 ?",
        letter_about(room, ann, over),
    )
    assert sections(mail) == ["remarked"]
    assert facts(mail, "remarked")["remarks"] == [
        "5g.2 !",
        "5g.2 {Good.}",
        "5b.2 (E3>N7; end)",
        "5b.1 ?",
    ]
    assert stands(room, over) == [
        ("Ann", "5g.2", "sign", "!"),
        ("Ann", "5g.2", "comment", "Good."),
        ("Ann", "5b.2", "variation", "E3>N7; end"),
        ("Ann", "5b.1", "sign", "?"),
    ]
    assert not [each for each in room.notices() if each[2] == "message"]


def test_words_go_along_to_the_opponent(room: Room, over: Match, ann: Player) -> None:
    body = "Thanks for the game!\n\n5g. {I was lucky,\nand knew it.}\n\nAnn"
    mail = room.mail(ann, body, letter_about(room, ann, over))
    assert sections(mail) == ["remarked", "message_passed"]
    assert facts(mail, "message_passed")["text"] == "Thanks for the game!\n\nAnn"
    assert [each[3] for each in stands(room, over)] == ["I was lucky, and knew it."]


def test_thanks_alone_are_what_they_were(room: Room, over: Match, ann: Player) -> None:
    mail = room.mail(ann, "Thanks for the game, 5g. was great!", letter_about(room, ann, over))
    assert sections(mail) == ["message_passed"]
    assert stands(room, over) == []


def test_one_fault_and_nothing_is_taken(room: Room, over: Match, ann: Player) -> None:
    body = "Thanks!\n5g. !\n5b. (E3>A1; end)\n9g. ?"
    mail = room.mail(ann, body, letter_about(room, ann, over))
    assert sections(mail) == ["remarks_refused", "message_kept_back"]
    found = facts(mail, "remarks_refused")
    assert found["text"] == "5g. !\n5b. (E3>A1; end)\n9g. ?"
    assert [(each["line"], each["column"]) for each in found["faults"]] == [(2, 9)]
    assert facts(mail, "message_kept_back") == {"text": "Thanks!", "why": "remarks"}
    assert stands(room, over) == []
    assert not [each for each in room.notices() if each[2] == "message"]
    again = room.mail(ann, "Thanks!\n5g. !", letter_about(room, ann, over))
    assert sections(again) == ["remarked", "message_passed"]


def test_what_is_refused_counts(
    room: Room, over: Match, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Judging it takes as long as if it were taken."""
    monkeypatch.setattr(annotating, "REMARKS_A_DAY", 2)
    for _ in range(2):
        mail = room.mail(ann, "5b. (E3>A1; end)", letter_about(room, ann, over))
        assert sections(mail) == ["remarks_refused"]
    mail = room.mail(ann, SAMPLE, letter_about(room, ann, over))
    assert facts(mail, "not_allowed")["code"] == "remarked_often"
    assert stands(room, over) == []


def test_the_same_mail_twice_is_one(room: Room, over: Match, ann: Player) -> None:
    letter = letter_about(room, ann, over)
    for _ in range(2):
        mail = room.mail(ann, "5g. ! {Good.}", letter, message_id="<same@example.net>")
        assert sections(mail) == ["remarked"]
    other = room.mail(ann, "5g. ! {Good.}", letter)
    assert facts(other, "remarked")["remarks"] == []
    assert facts(other, "remarked")["known"] == ["5g.2 !", "5g.2 {Good.}"]
    assert len(stands(room, over)) == 2


@pytest.mark.parametrize(
    "body",
    [
        f"Thanks!\n\nOn Monday, Ortus wrote:\n> {SAMPLE}\n> Bye",
        f"Thanks!\n\nOn Monday, Ortus <game@play.example.org> wrote:\n\n{SAMPLE}\n",
        f"Thanks!\n> {SAMPLE}\n",
        f"Thanks!\n\nThe record of the game is attached: game.ogn.\n{SAMPLE}\n",
    ],
)
def test_what_we_wrote_ourselves_is_no_remark(
    room: Room, over: Match, ann: Player, body: str
) -> None:
    lines = ("The record of the game is attached: game.ogn.", SAMPLE)
    room.mail(ann, body, letter_about(room, ann, over, lines))
    assert stands(room, over) == []


@pytest.mark.parametrize("below", ["", "\n\nOn Monday, Ortus wrote:\n> You have won\n> {sample}\n"])
def test_the_example_of_our_mail_may_be_answered_with(
    room: Room, over: Match, ann: Player, below: str
) -> None:
    lines = (SAMPLE, "You have won")
    mail = room.mail(
        ann, SAMPLE + below.format(sample=SAMPLE), letter_about(room, ann, over, lines)
    )
    assert sections(mail) == ["remarked"]
    assert [each[3] for each in stands(room, over)] == ["!", "A fine turn."]


def test_withdrawing(room: Room, over: Match, ann: Player, bob: Player) -> None:
    room.mail(ann, "5g. ! {Good.}\n5b. ?", letter_about(room, ann, over))
    room.mail(bob, "5g. {Hm.}", letter_about(room, bob, over))
    mail = room.mail(ann, "5g.2 withdraw\n5b. {Only this.}", letter_about(room, ann, over))
    assert sections(mail) == ["remarks_withdrawn", "remarked"]
    assert [each[0] + each[3] for each in stands(room, over)] == ["Ann?", "BobHm.", "AnnOnly this."]
    mail = room.mail(ann, "5g. intrekken\n5b. {More.}", letter_about(room, ann, over))
    assert facts(mail, "not_allowed")["code"] == "nothing_to_withdraw"
    assert "More." not in repr(stands(room, over))


def test_in_a_running_game_nothing_is_a_remark(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "5g. ! {Good.}", room.letter(ann, match))
    assert sections(mail) == ["message_passed"]
    mail = room.mail(ann, "5g. (F2>I8; end)", room.letter(ann, match))
    assert sections(mail) == ["refusal"]


def test_without_a_token_nobody_annotates(room: Room, over: Match, ann: Player) -> None:
    mail = room.mail(ann, f"{over.id}:\n5g. ! {{Good.}}", "play")
    assert "remarks_unsure" in sections(mail)
    assert stands(room, over) == []


def test_a_game_that_is_not_archived_yet(room: Room, match: Match, ann: Player) -> None:
    match.send("gold", "F2>I8; end")
    match.send("black", "resign")
    mail = room.mail(ann, "5g. !", letter_about(room, ann, match))
    assert facts(mail, "not_allowed")["code"] == "not_archived_yet"


def test_tokens_do_not_get_into_a_remark(room: Room, over: Match, ann: Player) -> None:
    letter = letter_about(room, ann, over)
    secret = reply_address("game", KEYS.reply_token(letter.message_id), DOMAIN)
    room.mail(ann, f"5g. {{Write to {secret}}}", letter)
    [(_, _, _, text)] = stands(room, over)
    assert KEYS.reply_token(letter.message_id) not in text


def test_private_notes_join_by_mail(room: Room, over: Match, ann: Player) -> None:
    mail = room.mail(ann, "notes", letter_about(room, ann, over))
    assert facts(mail, "notes_wish") == {"wish": "never", "has_joined": False}
    assert stands(room, over) == []
    mail = room.mail(ann, "notities na", letter_about(room, ann, over))
    assert facts(mail, "notes_wish") == {"wish": "after", "has_joined": True}
    assert stands(room, over) == [("Ann", "5g.0", "comment", "He looks tired.")]
    mail = room.mail(ann, "notes never", letter_about(room, ann, over))
    assert facts(mail, "not_allowed")["code"] == "notes_have_joined"
