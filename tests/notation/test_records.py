"""Records (N5): strict reading, the canonical layout, and what strict reading refuses."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from notation.errors import NotationError
from notation.orders import Attack, End, GuideStep, Kite, Place, Return, Walk
from notation.record import Command, Comment, Played, Record, RecordTurn, make_comment
from notation.record_reading import decode_record_bytes, parse_record, read_records
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
[Result "0-1"]
[Termination "wells"]
[Arena "origin"]
[Level "master"]
[Dice "clean"]
[Starter "black"]
[StarterEnergy "7"]
[GoldSetup "WFEAAEFW"]
[BlackSetup "FWEAAEWF"]
"""
MOVES = """\
1b. W2:kite>G2; E3>F13; end
1g. W1:kite>H7; A4 wave F13@G12=-; end
2b. W2 rng H7=-; guide>E15; end
"""
GAME = f"{HEAD}\n{MOVES}0-1\n"
FIRST_MOVE_LINE = 17


def _caught(text: str) -> NotationError:
    with pytest.raises(NotationError) as caught:
        list(read_records(text))
    return caught.value


def test_the_whole_model_of_a_game() -> None:
    record = parse_record(WINTER_CUP)
    assert record.tags["Gold"] == 'Adrian "the Bear" Vos'
    assert record.tags["Black"] == "Beau\\Ben"
    assert record.result == "0-1"
    assert record.comments[0].commands == (Command("by", "Cleo"),)
    first, second, third, last = record.turns
    assert first == RecordTurn(
        1,
        "b",
        [Played(Kite("W2", "G2")), Played(Walk("E3", "F13")), Played(End())],
        (Comment("Black begins."),),
    )
    assert second.orders[0].nags == (1,)
    assert second.orders[2].comments[0].prose == "Looks at I6."
    assert second.orders[2].comments[0].commands == (
        Command("clk", "29d4h"),
        Command("draw", "offer"),
    )
    attack = third.orders[0]
    assert attack.order == Attack("rng", "W2", "H7")
    assert attack.verdicts == ((None, False),)
    assert len(attack.comments) == 2
    assert [played.order for played in third.orders[1:]] == [GuideStep("E15"), End()]
    wave, to_guide, home, dragons = last.orders
    assert wave.order == Attack("wave", "A4", "F13", "G12")
    assert wave.verdicts == (("F13", False), ("E14", True))
    assert (to_guide.order, home.order) == (Return("E3", "guide"), Return("W1", "H1"))
    assert dragons.order == Attack("drg", "F2", "G2", None, "F7")
    assert dragons.nags == (5, 32)


def test_variations_nest_and_run_over_several_turns() -> None:
    attack = parse_record(WINTER_CUP).turns[2].orders[0]
    slow, other = attack.variations
    assert [(turn.round, turn.side) for turn in slow] == [(2, "b")]
    assert slow[0].orders[0].nags == (2,)
    assert [(turn.round, turn.side) for turn in other] == [(2, "b"), (2, "g"), (3, "b")]
    assert other[0].comments == (Comment("Or"),)
    assert other[0].orders[0].nags == (1, 14)
    inner = other[1].orders[1].variations[0]
    assert inner[0].orders[1].verdicts == (("F5", True), ("F6", False), ("G4", False))
    innermost = inner[0].orders[1].variations[0]
    assert innermost[0].orders[0].verdicts == (("F5", False),)
    assert [played.order for played in other[2].orders] == [
        Attack("chg", "E3", "I3", "I4"),
        GuideStep("E15"),
        End(),
    ]


def test_every_order_knows_its_place_in_the_file() -> None:
    lines = STUDY.splitlines()
    study = next(read_records(STUDY)).record
    for played in study.turns[1].orders:
        text = lines[played.line - 1][played.column - 1 :]
        assert text.startswith(f"{'F2 str' if played is study.turns[1].orders[0] else 'E3 chg'} ")
    inside = parse_record(WINTER_CUP).turns[2].orders[0].variations[1][1]
    assert inside.place == Place(28, 6)
    assert inside.orders[1].place == Place(28, 17)


def test_rolls_and_an_attack_that_is_still_open() -> None:
    study = next(read_records(STUDY)).record
    assert [played.roll for played in study.turns[0].orders] == [(4,), (3, 3), (), ()]
    assert study.turns[1].orders[-1].roll == (5, 2)
    assert study.turns[1].orders[-1].verdicts == ()


def test_a_position_gives_the_first_label_and_gold_opens_rounds() -> None:
    study = next(read_records(STUDY)).record
    assert [(turn.round, turn.side) for turn in study.turns] == [(5, "b"), (6, "g")]


def test_a_file_with_several_games() -> None:
    games = list(read_records(STUDY))
    assert [(game.line, game.record.result) for game in games] == [(1, "*"), (16, "1/2-1/2")]
    assert format_records(game.record for game in games) == STUDY
    assert list(read_records("")) == []


@pytest.mark.parametrize("text", [WINTER_CUP, STUDY, GAME], ids=["cup", "study", "plain"])
def test_any_source_of_lines_will_do(text: str) -> None:
    whole = list(read_records(text))
    assert list(read_records(io.StringIO(text))) == whole
    assert list(read_records(text.splitlines(keepends=True))) == whole
    assert format_records(game.record for game in whole) == text


def test_tags_are_written_in_order_and_unknown_ones_before_the_last() -> None:
    tags = {"LogHash": "ff", "Zeal": "1", "Gold": "a", "Annotator": "b", "Event": "c", "Clock": "d"}
    written = format_record(Record(tags, (), "*")).splitlines()
    names = [line[1:].split()[0] for line in written if line.startswith("[")]
    assert names == ["Event", "Gold", "Clock", "Zeal", "Annotator", "LogHash"]


def test_what_a_comment_cannot_hold_is_replaced() -> None:
    assert make_comment(" a {b} c\r\nd\x00 ").text == "a {b) c d"
    turn = RecordTurn(1, "g", [Played(End(), comments=(Comment("x}y\n"), Comment(" ")))])
    assert "1g. end {x)y}\n" in format_record(Record({}, (turn,), "*"))


def test_commands_are_found_whatever_they_are() -> None:
    comment = Comment("See [%plan] [%standing block F* <=4] and [%eval 0.5] so.")
    assert comment.commands == (
        Command("plan"),
        Command("standing", "block F* <=4"),
        Command("eval", "0.5"),
    )
    assert comment.prose == "See and so."
    assert str(comment.commands[1]) == "[%standing block F* <=4]"


def _tag(old: str, new: str) -> str:
    assert GAME.count(old) == 1
    return GAME.replace(old, new)


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        (_tag('[Site "?"]\n', ""), "missing_tag", (15, 1)),
        (_tag('[Dice "clean"]\n', ""), "missing_tag", (15, 1)),
        (_tag('[Site "?"]\n', '[Site "?"]\n[Site "?"]\n'), "tag_twice", (3, 2)),
        (_tag('[Site "?"]\n', '[Arena "origin"]\n[Site "?"]\n'), "tag_order", (3, 2)),
        (_tag('[Site "?"]\n', '[Zeal "?"]\n[Site "?"]\n'), "tag_order", (3, 2)),
        (_tag('[Site "?"]', '[Site  "?"]'), "bad_tag", (2, 7)),
        (_tag('[Site "?"]', '[Site "?""]'), "bad_tag", (2, 10)),
        (_tag('[Site "?"]', '[Site "\\n"]'), "bad_tag", (2, 8)),
        (_tag('[Site "?"]', '[Site "a\tb"]'), "bad_tag_value", (2, 8)),
        (_tag("2026.11.16", "16 Nov 2026"), "bad_tag_value", (3, 8)),
        (_tag('[Result "0-1"]', '[Result "2-0"]'), "bad_tag_value", (7, 10)),
        (_tag('[Result "0-1"]', '[Result "1-0"]'), "result_mismatch", (20, 1)),
        (_tag('"wells"', '"well"'), "bad_tag_value", (8, 15)),
        (_tag('"wells"', '"agreement"'), "termination_mismatch", (8, 15)),
        (_tag('"wells"', '"unfinished"'), "termination_mismatch", (8, 15)),
        (_tag('"origin"', '"or gin"'), "bad_tag_value", (9, 9)),
        (_tag('"master"', '"Master"'), "bad_tag_value", (10, 9)),
        (_tag('"clean"', '"loaded"'), "bad_tag_value", (11, 8)),
        (_tag('"black"', '"b"'), "bad_tag_value", (12, 11)),
        (_tag('"7"', '"07"'), "bad_tag_value", (13, 17)),
        (_tag('"WFEAAEFW"', '"WFEAAEFF"'), "bad_tag_value", (14, 13)),
        (_tag('"FWEAAEWF"]\n', '"FWEAAEWF"]\n[Position "x"]\n'), "field_size", (16, 13)),
    ],
)
def test_faults_of_tags(text: str, code: str, place: tuple[int, int]) -> None:
    error = _caught(text)
    assert (error.code, (error.line, error.column)) == (code, place)


def test_a_position_must_agree_with_the_other_tags() -> None:
    second = STUDY.index("\n\n[Event", 10)
    study = STUDY[: second + 1]
    assert parse_record(study).tags["Dice"] == "dicey"
    for tag in ('[Arena "crown"]', '[Level "water"]', '[Starter "gold"]'):
        place = '[Dice "dicey"]\n'
        moved = study.replace(
            place, f"{tag}\n{place}" if "Starter" not in tag else f"{place}{tag}\n"
        )
        assert _caught(moved).code == "position_mismatch"
    with_setup = study.replace("[Position", '[GoldSetup "WFEAAEFW"]\n[Position')
    assert _caught(with_setup).code == "setup_with_position"
    assert _caught(study.replace("origin master", "origin  master")).code == "not_canonical"


@pytest.mark.parametrize(
    ("old", "new", "code", "column"),
    [
        ("1b. ", "1g. ", "label_sequence", 1),
        ("1b. ", "2b. ", "label_sequence", 1),
        ("1b. ", "01b. ", "bad_label", 1),
        ("1b. ", "1b.", "bad_label", 1),
        ("1b. ", "1b.  ", "bad_layout", 5),
        ("1b. ", " 1b. ", "bad_layout", 2),
        ("W2:kite>G2", "w2:kite>G2", "not_canonical", 5),
        ("W2:kite>G2", "2:kite>G2", "not_in_record", 5),
        ("W2:kite>G2", "W2 vlieger G2", "not_canonical", 5),
        ("W2:kite>G2", "W2:kite>P2", "bad_hex", 13),
        ("W2:kite>G2", "W2 chg G2=-", "not_in_record", 5),
        ("W2:kite>G2", "drg G2=-", "not_in_record", 5),
        ("W2:kite>G2", "F7+F2 drg G2=-", "not_canonical", 5),
        ("W2:kite>G2", "F2+F2 drg G2=-", "not_in_record", 5),
        ("W2:kite>G2", "resign", "not_in_record", 5),
        ("W2:kite>G2", "setup WFEAAEFW", "not_in_record", 5),
        ("W2:kite>G2; ", "W2:kite>G2;", "bad_separator", 15),
        ("W2:kite>G2; ", "W2:kite>G2 ; ", "bad_separator", 16),
        ("W2:kite>G2; ", "W2:kite>G2;  ", "bad_layout", 17),
        ("W2:kite>G2; ", "; ", "missing_order", 5),
        ("W2:kite>G2", "W2:kite>G2=+", "verdict_without_attack", 5),
        ("W2:kite>G2", "W2 rng G2", "missing_verdict", 5),
        ("W2:kite>G2", "W2 rng G2=", "bad_verdict", 14),
        ("W2:kite>G2", "W2 rng G2=G2-", "bad_verdict", 5),
        ("W2:kite>G2", "W2 rng G2=x", "bad_verdict", 14),
        ("W2:kite>G2", "A2 six G2@G3=G2+", "bad_verdict", 5),
        ("W2:kite>G2", "A2 six G2@G3=G4+,G2-", "bad_verdict", 5),
        ("W2:kite>G2", "A2 six G2@G3=G2+,G4-,F4-", "bad_verdict", 5),
        ("W2:kite>G2", "A2 six G2@G3=G2+,G2-", "bad_verdict", 5),
        ("W2:kite>G2", "A2 six G2@G3=G2+,A1-", "bad_verdict", 18),
        ("W2:kite>G2", "A2 wave G2@G3=G2-", "missing_verdict", 5),
        ("W2:kite>G2", "W2 rng G2(5)=-", "bad_roll", 5),
        ("W2:kite>G2", "W2 rng G2(55)=-", "bad_layout", 14),
        ("W2:kite>G2", "W2:kite>G2!!!", "bad_nag", 17),
        ("W2:kite>G2", "W2:kite>G2 $1", "bad_nag", 15),
        ("W2:kite>G2", "W2:kite>G2 $20 $10", "bad_nag", 15),
        ("W2:kite>G2", "W2:kite>G2 $256", "bad_nag", 15),
        ("W2:kite>G2", "W2:kite>G2 $", "bad_nag", 16),
        ("W2:kite>G2", "W2:kite>G2{x}", "bad_layout", 15),
        ("W2:kite>G2", "W2:kite>G2 {}", "bad_comment", 17),
        ("W2:kite>G2", "W2:kite>G2 { x}", "bad_comment", 17),
        ("W2:kite>G2", "W2:kite>G2 {x\x00}", "control_character", 18),
        ("W2:kite>G2", "W2:kite>G2 {x", "comment_not_closed", 16),
        ("W2:kite>G2", "{x}W2:kite>G2", "bad_layout", 8),
        ("W2:kite>G2", "W2:kite>G2 (A4>D13)", "bad_layout", 16),
        ("E3>F13; end\n", "E3>F13; end)\n", "unopened_bracket", 28),
        ("E3>F13; end\n", "E3>F13; end; \n", "missing_order", 30),
        ("E3>F13; end\n", "E3>F13; end \n", "bad_separator", 28),
        ("E3>F13; end\n", "end; E3>F13\n", "order_behind_end", 22),
    ],
)
def test_faults_of_a_turn(old: str, new: str, code: str, column: int) -> None:
    assert GAME.count(old) == 1
    error = _caught(GAME.replace(old, new))
    assert (error.code, error.line, error.column) == (code, FIRST_MOVE_LINE, column)


@pytest.mark.parametrize(
    ("old", "new", "code", "place"),
    [
        ("E3>F13; end\n", "E3>F13\n", "turn_not_ended", (18, 1)),
        ("1g. ", "2g. ", "label_sequence", (18, 1)),
        ("2b. ", "\n2b. ", "bad_label", (19, 1)),
        ("2b. ", "    E3>F12\n2b. ", "bad_layout", (19, 5)),
        ("2b. ", "    (E3>F12; end)\n    end\n2b. ", "order_behind_end", (20, 5)),
        ("2b. ", "    (E3>F12; end\n2b. ", "bad_layout", (20, 1)),
        ("2b. ", "    (E3>F12; end\n    2b. end)\n2b. ", "bad_layout", (20, 5)),
        ("2b. ", "    (E3>F12; end\n     2g. end)\n2b. ", "label_sequence", (20, 6)),
        ("2b. ", "   (E3>F12; end)\n2b. ", "bad_layout", (19, 4)),
        ("2b. ", "    ()\n2b. ", "missing_order", (19, 6)),
        ("2b. ", "    (E3>F12; end) \n2b. ", "bad_separator", (19, 17)),
        ("0-1\n", "0-1 \n", "bad_label", (20, 1)),
    ],
)
def test_faults_of_the_layout(old: str, new: str, code: str, place: tuple[int, int]) -> None:
    text = HEAD + "\n" + f"{MOVES}0-1\n".replace(old, new, 1)
    error = _caught(text)
    assert (error.code, (error.line, error.column)) == (code, place)


def test_the_earlier_of_two_faults_is_reported() -> None:
    error = _caught(GAME.replace("1g. ", "4g. ").replace("guide>E15", "guide>E99"))
    assert (error.code, error.line) == ("label_sequence", 18)


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("\ufeff" + GAME, "byte_order_mark", (1, 1)),
        (GAME.replace("\n", "\r\n"), "carriage_return", (1, 21)),
        ("\n" + GAME, "missing_tag", (1, 1)),
        (GAME + "\n", "text_behind_result", (21, 1)),
        (GAME + "\n\n" + GAME, "text_behind_result", (21, 1)),
        (GAME + "thanks\n", "text_behind_result", (21, 1)),
        (GAME[:-1], "cut_off", (20, 4)),
        (GAME[:-5], "cut_off", (19, 32)),
        ("noise", "bad_tag", (1, 1)),
    ],
)
def test_faults_of_a_file(text: str, code: str, place: tuple[int, int]) -> None:
    error = _caught(text)
    assert (error.code, (error.line, error.column)) == (code, place)


def test_a_dicey_game_has_a_roll_at_every_attack_it_played() -> None:
    assert _caught(STUDY.replace("F6(4)=-", "F6=-")).code == "missing_roll"
    assert _caught(STUDY.replace("F6(4)=-", "F6(4/1)=-")).code == "bad_roll"
    assert _caught(STUDY.replace("(3/3)", "(3)")).code == "bad_roll"
    with_variation = STUDY.replace("end\n6g.", "end\n    (F7 rng F6=-; end)\n6g.")
    assert len(list(read_records(with_variation))) == 2


def test_a_second_game_after_a_bad_one_is_counted_in_lines_of_the_file() -> None:
    error = _caught(STUDY.replace('[Level "apprentice"]', '[Level "novice"]'))
    assert (error.line, error.column) == (25, 9)


def test_one_record_means_one() -> None:
    with pytest.raises(NotationError, match="one game"):
        parse_record("")
    with pytest.raises(NotationError, match="one game"):
        parse_record(STUDY)


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ('[Gold "Zoë"]'.encode(), "utf-8"),
        ('[Gold "Zoë"]'.encode("utf-8-sig"), "utf-8-sig"),
        ('[Gold "Zoë"]'.encode("utf-16"), "utf-16"),
        (b"\xfe\xff" + '[Gold "Zoë"]'.encode("utf-16-be"), "utf-16"),
        ('[Gold "Zoë"]'.encode("cp1252"), "cp1252"),
    ],
)
def test_bytes_are_decoded_and_the_encoding_is_said(data: bytes, encoding: str) -> None:
    assert decode_record_bytes(data) == ('[Gold "Zoë"]', encoding)


def test_bytes_of_no_encoding_are_decoded_all_the_same() -> None:
    assert decode_record_bytes(b"\x81\xff").text == "\ufffdÿ"
    assert decode_record_bytes(b"\xff\xfe\x00").encoding == "utf-16"
