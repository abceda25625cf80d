"""Recovering reading of records (N5.5): what is kept, and that every loss is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from notation.errors import NotationError
from notation.orders import Attack, End, Walk
from notation.record import Comment, Played
from notation.record_reading import ReadGame, read_records
from notation.record_recovery import recover
from notation.record_writing import format_record, format_records

DATA = Path(__file__).parents[1] / "data" / "records"
WINTER_CUP = (DATA / "winter-cup.ogn").read_text(encoding="utf-8")
STUDY = (DATA / "dicey-study.ogn").read_text(encoding="utf-8")

HEAD = """\
[Event "Winter Cup"]
[Site "?"]
[Date "2026.11.16"]
[Round "1"]
[Gold "Adrian"]
[Black "Beau"]
[Result "1-0"]
[Termination "time"]
[Arena "origin"]
[Level "master"]
[Dice "clean"]
[Starter "gold"]
[StarterEnergy "7"]
[GoldSetup "WFEAAEFW"]
[BlackSetup "FWEAAEWF"]
"""


def _recover(text: str) -> ReadGame:
    (game,) = read_records(text, mode="recover")
    return game


def _recover_moves(moves: str) -> ReadGame:
    return _recover(f"{HEAD}\n{moves}\n1-0\n")


def _codes(game: ReadGame) -> list[str]:
    return [error.code for error in game.errors]


@pytest.mark.parametrize("text", [WINTER_CUP, STUDY])
def test_canonical_text_has_no_errors(text: str) -> None:
    games = list(read_records(text, mode="recover"))
    assert [game.errors for game in games] == [()] * len(games)
    assert format_records(game.record for game in games) == text


@pytest.mark.parametrize("text", [WINTER_CUP, STUDY])
def test_both_readings_say_the_same_about_canonical_text(text: str) -> None:
    lines = text.split("\n")[:-1]
    for game in read_records(text):
        end = next(
            (at for at in range(game.line, len(lines)) if lines[at].startswith("[Event")),
            len(lines),
        )
        record, errors = recover(lines[game.line - 1 : end], game.line)
        assert record == game.record
        assert errors == []


def test_free_spelling_is_read_and_written_canonically() -> None:
    game = _recover_moves(
        "1g. wind 1 vlieger H7 !; F2 -> I3;;end\n{Looks\nat I6.} 1b. 2>G4; w2 shoot x H7 = - ; END"
    )
    moves = format_record(game.record).split("\n\n")[1]
    assert moves == ("1g. W1:kite>H7!; F2>I3; end {Looks at I6.}\n1b. W2 rng H7=-; end\n1-0\n")
    assert _codes(game).count("not_in_record") == 1
    assert set(_codes(game)) == {"not_canonical", "not_in_record"}


def test_an_order_cut_in_two_by_a_line_break_is_joined() -> None:
    game = _recover_moves("1g. F2>I3; W1 rng\nH7=-; end")
    assert game.record.turns[0].orders[1] == Played(
        Attack("rng", "W1", "H7"), verdicts=((None, False),)
    )
    assert _codes(game) == ["not_canonical"]


def test_layout_alone_gives_one_error_and_loses_nothing() -> None:
    flat = " ".join(WINTER_CUP.split("\n\n", 1)[1].split("\n"))
    game = _recover(f"{WINTER_CUP.split(chr(10) * 2)[0]}\n\n{flat}\n")
    assert format_record(game.record) == WINTER_CUP
    assert len(game.errors) == 1


def test_an_unreadable_order_is_reported_and_the_rest_is_kept() -> None:
    game = _recover_moves("1g. F2>I3; gibberish; A4>K2; end\n1b. F1>Z9; end")
    assert [played.order for played in game.record.turns[0].orders] == [
        Walk("F2", "I3"),
        Walk("A4", "K2"),
        End(),
    ]
    assert [played.order for played in game.record.turns[1].orders] == [End()]
    places = [(error.line, error.column) for error in game.errors]
    assert places[0] == (17, 12)
    assert places[1][0] == 18


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        ("F2>I3; end", "missing_label"),
        ("1g. end {open\n1b. end", "comment_not_closed"),
        ("1g. F2>I3=-; end", "verdict_without_attack"),
        ("1g. F2 rng I3=Q; end", "unexpected"),
        ("1g. F2 rng I3=-=-; end", "verdict_without_attack"),
        ("1g. F2 rng I3(5)=-; end", "bad_roll"),
        ("1g. (F2>I3)", "variation_lost"),
        ("1g. gibberish (F2>I3); end", "variation_lost"),
        ("1g. end)", "unopened_bracket"),
        ("1g. end (F2>I3", "cut_off"),
        ("1g. end!!!", "bad_nag"),
        ("1g. end $999", "bad_nag"),
        ("1g. end $" + "9" * 5000, "bad_nag"),
        ("1g. end {\x00x}", "control_character"),
        ("2g. end", "label_sequence"),
        ("1g. F2>I3\n1b. end", "turn_not_ended"),
        ("1g. F2 rng I3; end", "missing_verdict"),
        ("1g. end\n1b.", "empty_turn"),
        ("1g. end\n1-0\nthanks", "text_behind_result"),
    ],
)
def test_every_fault_is_reported_once_by_its_code(moves: str, code: str) -> None:
    assert _codes(_recover_moves(moves)).count(code) == 1


def test_an_unclosed_comment_costs_no_turn() -> None:
    game = _recover_moves("1g. end {open\n1b. end {closed}")
    assert len(game.record.turns) == 2
    assert game.record.turns[0].orders[0].comments == (Comment("open"),)


def test_a_variation_may_write_its_first_label() -> None:
    game = _recover_moves("1g. end (1g. F2>I3; end 1b. end) 1b. end")
    (variation,) = game.record.turns[0].orders[0].variations
    assert [(turn.round, turn.side, len(turn.orders)) for turn in variation] == [
        (1, "g", 2),
        (1, "b", 1),
    ]
    assert len(game.errors) == 1


def test_faulty_tags_are_reported_and_the_others_kept() -> None:
    text = HEAD.replace("[Site", "[Sight").replace('[Round "1"]', "[Round 1]") + "\n1g. end\n1-0\n"
    game = _recover(text.replace('"master"', '"expert"'))
    assert game.record.tags["Sight"] == "?"
    assert sorted(_codes(game)) == [
        "bad_tag",
        "bad_tag_value",
        "missing_tag",
        "tag_order",
    ]


def test_carriage_returns_and_byte_order_marks_are_said_once() -> None:
    game = _recover("\ufeff" + WINTER_CUP.replace("\n", "\r\n"))
    assert _codes(game) == ["byte_order_mark", "carriage_return"]
    assert format_record(game.record) == WINTER_CUP


def test_reading_goes_on_at_the_next_game() -> None:
    cut = WINTER_CUP[: WINTER_CUP.index("2b. ") + 12]
    text = f"{cut}\n\n{STUDY}\n{WINTER_CUP}"
    games = list(read_records(text, mode="recover"))
    assert [bool(game.errors) for game in games] == [True, False, False, False]
    assert games[0].errors[-1].code == "missing_result"
    assert games[0].errors[-1].line == cut.count("\n") + 2
    assert format_record(games[3].record) == WINTER_CUP


def test_games_without_blank_lines_or_tags_are_told_apart() -> None:
    text = WINTER_CUP + WINTER_CUP + "1g. end\n1-0\n1g. end\n*\n"
    games = list(read_records(text, mode="recover"))
    assert [len(game.record.turns) for game in games] == [4, 4, 1, 1]
    assert [game.line for game in games] == [1, 37, 73, 75]


def test_a_game_cut_in_its_tags_is_told_from_the_next() -> None:
    text = HEAD.split("[Gold", maxsplit=1)[0] + "\n" + WINTER_CUP
    first, second = read_records(text, mode="recover")
    assert "missing_result" in _codes(first)
    assert second.errors == ()


def test_the_places_of_errors_are_places_in_the_file() -> None:
    text = STUDY + "\n" + WINTER_CUP.replace("W1:kite>H7!", "W1:kite>H99!")
    errors = [error for game in read_records(text, mode="recover") for error in game.errors]
    line = STUDY.count("\n") + 1 + 24
    assert [(error.line, error.code) for error in errors] == [(line, "bad_hex")]
    with pytest.raises(NotationError) as caught:
        list(read_records(text))
    assert (caught.value.line, caught.value.column) == (line, errors[0].column)
