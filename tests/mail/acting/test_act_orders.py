"""What is played from a mail, and what is only answered (L1.2, L1.6, L3.5, L4.4, N1.7)."""

from __future__ import annotations

import pytest

from pbem.play import games
from pbem.play.model import Player
from tests.mail.acting.room import DEFAULT, Room, facts, sections
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import TICK, Match, at

SHOT = "W1 rng I4"


# -- playing ------------------------------------------------------------------------------------


def test_orders_are_played_and_the_receipt_is_the_answer(
    room: Room, match: Match, ann: Player
) -> None:
    mail = room.mail(ann, "f2 to i6\nEnd.", room.letter(ann, match))
    assert match.texts() == [(0, "F2>I6; end")]
    assert match.entries()[-1].key == f"mail/{mail.id}"
    answer = room.answer_to(mail)
    assert (answer.kind, answer.cause) == ("receipt", f"{match.id}/1")
    assert (mail.player_id, mail.game_id, sections(mail)) == (ann.id, match.id, [])


def test_the_same_mail_again_gets_the_same_answer_and_changes_nothing(
    room: Room, match: Match, ann: Player
) -> None:
    letter = room.letter(ann, match)
    first = room.mail(ann, "F2>I6", letter, message_id="<once@example.net>")
    before = room.contents()
    again = room.mail(ann, "F2>I6", letter, message_id="<once@example.net>", now=at(1))
    assert (again.id, again.repeats, again.outcome) == (first.id, 1, first.outcome)
    after = room.contents()
    for table in before:
        if table not in ("inbound", "counters"):
            assert after[table] == before[table], table


def test_arrival_counts_and_not_the_reading(room: Room, match: Match, ann: Player) -> None:
    letter = room.letter(ann, match)
    room.write("Hello!\nF2>I6; end", sender=room.address(ann), to=letter, now=at(10) - TICK)
    room.read(at(200))
    assert match.texts() == [(0, "F2>I6; end")]
    with room.store.read() as unit:
        (message,) = unit.messages_of(match.id)
    assert (message.text, message.at) == ("Hello!", at(10) - TICK)


def test_the_end_of_a_game_is_the_answer(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "resign", room.letter(ann, match))
    assert match.result() == ("black", "resignation")
    assert room.answer_to(mail).kind == "game_over"


def test_a_defence_with_one_sign(room: Room, match: Match, bob: Player) -> None:
    match.send("gold", SHOT)
    room.mail(bob, "+\n\n> attack on I4", room.letter(bob, match, lines=["+", "-"]))
    assert match.texts()[-1] == (1, "I4+")


# -- only what was asked (L3.5) -------------------------------------------------------------------


def test_orders_on_an_old_token_change_nothing(room: Room, match: Match, ann: Player) -> None:
    old = room.letter(ann, match)
    match.send("gold", "end", 1)
    match.send("black", "end", 2)
    assert match.asked() == [("gold", "turn")]
    before = match.stored
    mail = room.mail(ann, "Sorry!\nF2>I6; end", old, now=at(3))
    assert match.stored == before
    assert sections(mail) == ["too_late", "message_kept_back"]
    assert facts(mail, "too_late") == {"text": "F2>I6; end", "since": 1}
    assert room.answer_to(mail).facts["entry"] == 2


@pytest.mark.parametrize(
    ("line", "played"),
    [("standing: block all <=2", "standing: block all <=2"), ("draw?", "draw?")],
)
def test_what_answers_no_request_works_with_an_old_token(
    room: Room, match: Match, ann: Player, line: str, played: str
) -> None:
    old = room.letter(ann, match)
    match.send("gold", "end", 1)
    mail = room.mail(ann, line, old, now=at(2))
    assert match.texts()[-1] == (0, played)
    assert room.answer_to(mail).kind == "receipt"


def test_resigning_works_with_an_old_token(room: Room, match: Match, ann: Player) -> None:
    old = room.letter(ann, match)
    match.send("gold", "end", 1)
    room.mail(ann, "resign", old, now=at(2))
    assert match.result() == ("black", "resignation")


def test_rules_beside_late_orders_are_late_too(room: Room, match: Match, ann: Player) -> None:
    old = room.letter(ann, match)
    match.send("gold", "end", 1)
    mail = room.mail(ann, "F2>I6; end\nstanding: block all", old, now=at(2))
    assert sections(mail) == ["too_late"]
    assert len(match.texts()) == 1


def test_orders_where_nothing_was_asked(room: Room, match: Match, bob: Player) -> None:
    mail = room.mail(bob, "E3>M8; end", room.letter(bob, match, kind="news"))
    assert sections(mail) == ["not_asked"]
    assert match.texts() == []


def test_orders_for_what_was_open_already_when_the_letter_was_written(
    room: Room, match: Match, ann: Player
) -> None:
    letter = room.letter(ann, match, kind="receipt", asks=False)
    room.mail(ann, "F2>I6; end", letter)
    assert match.texts() == [(0, "F2>I6; end")]


def test_but_not_for_what_was_asked_later(room: Room, match: Match, ann: Player) -> None:
    letter = room.letter(ann, match, kind="receipt", asks=False)
    match.send("gold", "end", 1)
    match.send("black", "end", 2)
    mail = room.mail(ann, "F2>I6; end", letter, now=at(3))
    assert sections(mail) == ["not_asked"]
    assert len(match.texts()) == 2


def test_a_draw_is_accepted_by_whom_nothing_was_asked(
    room: Room, match: Match, ann: Player, bob: Player
) -> None:
    match.send("gold", "draw?", 1)
    news = room.letter(bob, match, kind="news")
    assert news.request_id is None
    room.mail(bob, "draw+", news, now=at(2))
    assert match.result() == (None, "agreement")


def test_but_only_the_offer_that_was_told_of(room: Room, match: Match, bob: Player) -> None:
    match.send("gold", "draw?", 1)
    news = room.letter(bob, match, kind="news")
    match.send("black", "draw-", 2)
    match.send("gold", "draw?", 3)
    mail = room.mail(bob, "draw+", news, now=at(4))
    assert sections(mail) == ["not_asked"]
    assert not match.stored.is_over


def test_orders_without_a_token(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "F2>I6; end", "play")
    assert sections(mail) == ["not_asked"]
    assert match.texts() == []


def test_a_token_of_another_game(room: Room, match: Match, ann: Player) -> None:
    other = room.study(TWO_ARCHERS, gold=ann, black=room.join("Cor"))
    mail = room.mail(ann, f"{other.id}:\nF2>I6; end", room.letter(ann, match))
    assert sections(mail) == ["not_asked"]
    assert mail.outcome["sections"][0]["game"] == other.id  # type: ignore[index]
    assert (match.texts(), other.texts()) == ([], [])


# -- refusals (N1.7) ------------------------------------------------------------------------------


def test_refused_as_a_whole_and_mended_by_number(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "Take that!\nF2>I6; W1 str I4; end", room.letter(ann, match))
    assert match.texts() == []
    assert sections(mail) == ["refusal", "message_kept_back"]
    assert facts(mail, "refusal") == {
        "text": "F2>I6; W1 str I4; end",
        "code": "strike_not_next",
        "clause": "R5.3",
    }
    refusal = mail.outcome["refusals"][match.id]  # type: ignore[index]
    second = refusal["suggestions"][1]
    answer = room.mail(ann, "reply 2\nTake that!", room.answer_letter(mail, match), now=at(1))
    assert match.texts() == [(0, second)]
    assert room.answer_to(answer).kind == "receipt"
    assert sections(answer) == ["message_passed"]


def test_a_number_counts_only_while_the_refusal_is_open(
    room: Room, match: Match, ann: Player
) -> None:
    refused = room.mail(ann, "W1 str I4; end", room.letter(ann, match))
    letter = room.answer_letter(refused, match)
    room.mail(ann, "F2>I6", letter, now=at(1))
    mail = room.mail(ann, "1", letter, now=at(2))
    assert sections(mail) == ["choice_gone"]
    assert match.texts() == [(0, "F2>I6")]


@pytest.mark.parametrize("number", ["1", "#3", "99"])
def test_a_number_without_a_refusal(room: Room, match: Match, ann: Player, number: str) -> None:
    mail = room.mail(ann, number, room.letter(ann, match))
    assert sections(mail) == ["choice_gone"]


def test_a_number_may_answer_the_first_mail_of_the_thread(
    room: Room, match: Match, ann: Player
) -> None:
    letter = room.letter(ann, match)
    refused = room.mail(ann, "W1 str I4; end", letter)
    room.answer_letter(refused, match)
    first = refused.outcome["refusals"][match.id]["suggestions"][0]  # type: ignore[index]
    room.mail(ann, "1", letter, now=at(1))
    assert match.texts() == [(0, first)]


def test_but_not_if_it_could_mean_either_of_two_lists(
    room: Room, match: Match, ann: Player
) -> None:
    letter = room.letter(ann, match)
    for body in ("W1 str I4; end", "F2 str I4; end"):
        room.answer_letter(room.mail(ann, body, letter), match)
    assert sections(room.mail(ann, "1", letter, now=at(1))) == ["choice_gone"]
    assert match.texts() == []


def test_nor_if_the_question_is_another_one(room: Room, match: Match, ann: Player) -> None:
    refused = room.mail(ann, "W1 str I4; end", room.letter(ann, match))
    room.answer_letter(refused, match)
    match.send("gold", "end", 1)
    match.send("black", "end", 2)
    mail = room.mail(ann, "1", room.letter(ann, match), now=at(3))
    assert sections(mail) == ["choice_gone"]


def test_a_number_beyond_the_list(room: Room, match: Match, ann: Player) -> None:
    refused = room.mail(ann, "W1 str I4; end", room.letter(ann, match))
    mail = room.mail(ann, "77", room.answer_letter(refused, match), now=at(1))
    assert facts(mail, "choice_gone") == {"number": 77}


def test_a_number_of_somebody_elses_refusal(
    room: Room, match: Match, ann: Player, bob: Player
) -> None:
    refused = room.mail(ann, "W1 str I4; end", room.letter(ann, match))
    forged = room.letter(bob, match, kind="answer", inbound=refused.id)
    mail = room.mail(bob, "1", forged, now=at(1))
    assert sections(mail) == ["choice_gone"]
    assert match.texts() == []


def test_a_number_and_orders_are_two_answers(room: Room, match: Match, ann: Player) -> None:
    refused = room.mail(ann, "W1 str I4; end", room.letter(ann, match))
    mail = room.mail(ann, "1\nF2>I6", room.answer_letter(refused, match), now=at(1))
    assert sections(mail) == ["doubt"]
    assert match.texts() == []


def test_a_set_up_with_a_letter_missing_is_refused_and_not_passed_on(
    room: Room, ann: Player, bob: Player
) -> None:
    match = room.start(gold=ann, black=bob)
    mail = room.mail(ann, "setup WFEAAEF", room.letter(ann, match))
    assert sections(mail) == ["refusal"]
    with room.store.read() as unit:
        assert unit.messages_of(match.id) == []


# -- held for correction (L6) ---------------------------------------------------------------------


def test_held_and_undone(room: Room, ann: Player, bob: Player) -> None:
    match = room.study(TWO_ARCHERS, gold=ann, black=bob, correction="1h")
    mail = room.mail(ann, "Hi Bob\nF2>I6; end", room.letter(ann, match))
    assert sections(mail) == ["kept", "message_kept_back"]
    assert facts(mail, "kept")["text"] == "F2>I6; end"
    assert facts(mail, "message_kept_back")["why"] == "held"
    assert [kind for _, player, kind in room.notices() if player == bob.id][2:] == []
    second = room.mail(ann, "W1>F5; end", room.answer_letter(mail, match), now=at(0.1))
    assert facts(second, "already_kept")["text"] == "F2>I6; end"
    undone = room.mail(ann, "undo", room.answer_letter(second, match), now=at(0.2))
    assert facts(undone, "undone") == {"text": "F2>I6; end"}
    nothing = room.mail(ann, "UNDO!", room.answer_letter(undone, match), now=at(0.3))
    assert sections(nothing) == ["nothing_to_undo"]
    assert match.stored.held == ()


def test_undone_and_replaced_in_one_mail(room: Room, ann: Player, bob: Player) -> None:
    match = room.study(TWO_ARCHERS, gold=ann, black=bob, correction="1h")
    first = room.mail(ann, "F2>I6; end", room.letter(ann, match))
    mail = room.mail(ann, "undo\nW1>F5; end", room.answer_letter(first, match), now=at(0.5))
    assert sections(mail) == ["undone", "kept"]
    (held,) = match.stored.held
    assert held.text == "W1>F5; end"


def test_the_window_is_measured_by_arrival(room: Room, ann: Player, bob: Player) -> None:
    match = room.study(TWO_ARCHERS, gold=ann, black=bob, correction="1h")
    first = room.mail(ann, "F2>I6; end", room.letter(ann, match))
    letter = room.answer_letter(first, match)
    room.write("undo", sender=room.address(ann), to=letter, now=at(1) - TICK)
    room.read(at(5))
    assert (match.stored.held, match.texts()) == ((), [])


# -- messages and notes (L4.5, N2.3) --------------------------------------------------------------


def test_orders_are_played_when_there_were_words_enough(
    room: Room, match: Match, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "MESSAGES_A_DAY", 0)
    letter = room.letter(ann, match)
    mail = room.mail(ann, "F2>I6\n\nHello there!", letter)
    assert match.texts()[-1] == (0, "F2>I6")
    assert facts(mail, "message_kept_back") == {"text": "Hello there!", "why": "often"}
    mail = room.mail(ann, "Only words, for once.", letter)
    assert facts(mail, "not_allowed")["code"] == "wrote_often"


def test_a_message_goes_along(room: Room, match: Match, ann: Player, bob: Player) -> None:
    body = "Nice to meet you.\n\nF2>I6; end\n\n# beware of A4\nBest, Ann"
    mail = room.mail(ann, body, room.letter(ann, match))
    assert sections(mail) == ["message_passed", "noted"]
    with room.store.read() as unit:
        (message,) = unit.messages_of(match.id)
        (note,) = unit.notes_of(match.id, 0)
        assert unit.notes_of(match.id, 1) == []
    assert (message.seat, message.text) == (0, "Nice to meet you.\n\nBest, Ann")
    assert (note.text, note.entry) == ("beware of A4", 1)


def test_a_message_alone(room: Room, match: Match, bob: Player) -> None:
    mail = room.mail(bob, "Take your time!", room.letter(bob, match, kind="news"))
    assert sections(mail) == ["message_passed"]
    assert room.answer_to(mail).kind == "answer"


def test_a_token_in_a_message_is_taken_out(room: Room, match: Match, bob: Player) -> None:
    token = room.office.keys.reply_token("letter1")
    room.mail(bob, f"Look: game.{token}@play.example.org", room.letter(bob, match))
    with room.store.read() as unit:
        (message,) = unit.messages_of(match.id)
    assert token not in message.text


def test_a_message_before_the_orders_stops_a_plan(room: Room, bob: Player) -> None:
    careful = room.join("Cas", messages_stop_plans=True)
    match = room.study(TWO_ARCHERS, gold=careful, black=bob)
    match.send("gold", f"{SHOT}; end", 1)
    room.mail(bob, "fall\nWell played.", room.letter(bob, match), now=at(3))
    assert match.texts()[1:] == [(None, "halt: message"), (1, "I4-")]
    assert match.asked() == [("gold", "turn")]


def test_a_second_note_on_the_same_entry_is_added(room: Room, match: Match, ann: Player) -> None:
    letter = room.letter(ann, match)
    for body in ("# one", "# two", "# two"):
        room.mail(ann, body, letter)
    with room.store.read() as unit:
        (note,) = unit.notes_of(match.id, 0)
    assert note.text == "one\n\ntwo"


# -- doubt (L4.4) ---------------------------------------------------------------------------------


def test_on_doubt_nothing_is_done(room: Room, match: Match, ann: Player) -> None:
    body = "F2>I6\n\n> the mail before\n\nHello Bob!\nW1>F5"
    mail = room.mail(ann, body, room.letter(ann, match))
    assert sections(mail) == ["doubt"]
    assert facts(mail, "doubt")["reasons"] == ["two_sets"]
    assert facts(mail, "doubt")["below"] == ["F2>I6", "W1>F5"]
    assert match.texts() == []
    with room.store.read() as unit:
        assert unit.messages_of(match.id) == []


def test_a_bare_sign_below_a_message_is_asked_about(
    room: Room, match: Match, ann: Player, bob: Player
) -> None:
    match.send("gold", SHOT)
    mail = room.mail(bob, "Well played.\n\n-", room.letter(bob, match), now=at(2))
    assert sections(mail) == ["doubt", "message_kept_back"]
    assert facts(mail, "doubt") == {"reasons": ["sign_below"], "below": ["-"]}
    assert match.asked() == [("black", "defence")]


@pytest.mark.parametrize("line", ["+ please", "- thanks, Ann!", "– let it fall", "+, of course"])
def test_a_sign_with_words_behind_it_is_asked_about(
    room: Room, match: Match, bob: Player, line: str
) -> None:
    match.send("gold", SHOT)
    mail = room.mail(bob, f"{line}\n\nWell played.", room.letter(bob, match), now=at(2))
    assert sections(mail) == ["doubt", "message_kept_back"]
    assert facts(mail, "doubt") == {"reasons": ["sign_and_words"], "below": [line]}
    assert match.asked() == [("black", "defence")]


@pytest.mark.parametrize(
    "text", ["Well played!\n- Bob", "- I did not see that one coming, Ann", "+1", "--\nBob"]
)
def test_talk_with_a_sign_in_it_is_talk(room: Room, match: Match, bob: Player, text: str) -> None:
    match.send("gold", SHOT)
    mail = room.mail(bob, text, room.letter(bob, match), now=at(2))
    assert "doubt" not in sections(mail)
    assert match.asked() == [("black", "defence")]


def test_who_is_not_asked_to_defend_may_talk_with_signs(
    room: Room, match: Match, ann: Player
) -> None:
    mail = room.mail(ann, "- good luck!", room.letter(ann, match))
    assert sections(mail) == ["message_passed"]


def test_resigning_must_be_meant(room: Room, match: Match, ann: Player) -> None:
    letter = room.letter(ann, match)
    asked = room.mail(ann, "resign?", letter)
    assert sections(asked) == ["sure_resign"]
    assert not match.stored.is_over
    room.mail(ann, "ok", room.answer_letter(asked, match), now=at(1))
    assert match.result() == ("black", "resignation")


def test_nobody_is_asked_to_resign_a_game_that_is_over(
    room: Room, match: Match, ann: Player
) -> None:
    letter = room.letter(ann, match)
    match.send("black", "resign", 1)
    mail = room.mail(ann, "I thought that I should resign.", letter, now=at(2))
    assert sections(mail) == ["message_passed"]
    mail = room.mail(ann, "resign?", letter, now=at(3))
    assert sections(mail) == ["not_allowed"]
    assert facts(mail, "not_allowed")["code"] == "game_over"


def test_a_sentence_with_resign_is_a_message_and_is_asked_about(
    room: Room, match: Match, ann: Player
) -> None:
    mail = room.mail(ann, "I think I should resign soon.", room.letter(ann, match))
    assert sections(mail) == ["message_passed", "sure_resign"]
    assert not match.stored.is_over


def test_an_empty_mail_is_answered(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "\n> quoted\n", room.letter(ann, match))
    assert sections(mail) == ["empty"]
    assert room.answer_to(mail).kind == "answer"


def test_orders_for_a_game_that_is_over(room: Room, match: Match, ann: Player) -> None:
    old = room.letter(ann, match)
    games.rule(match.around, match.id, 0, now=at(1))
    mail = room.mail(ann, "F2>I6", old, now=at(2))
    assert sections(mail) == ["too_late"]


@pytest.mark.parametrize("text", ["standing: block all", "draw?", "resign"])
def test_a_game_that_is_over_takes_nothing_more(
    room: Room, match: Match, ann: Player, text: str
) -> None:
    letter = room.letter(ann, match)
    match.send("black", "resign", 1)
    mail = room.mail(ann, text, letter, now=at(2))
    assert sections(mail) == ["not_allowed"]
    assert facts(mail, "not_allowed")["code"] == "game_over"
    assert match.texts() == [(1, "resign")]


def test_a_player_who_is_asked_for_a_set_up(room: Room, ann: Player, bob: Player) -> None:
    match = room.start(gold=ann, black=bob)
    room.mail(ann, DEFAULT, room.letter(ann, match))
    assert match.texts() == [(0, DEFAULT)]
