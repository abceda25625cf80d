"""Remarks (N5.4): read from text, judged by the rules, joined into a record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation.orders import Order
from notation.record import MAX_COMMENTS, Played, Record, Roll, Variation, Verdicts
from notation.record_reading import MAX_LINE, parse_record
from notation.record_writing import format_record
from pbem.archive.places import (
    MAX_PATH,
    MAX_PLACE,
    Branching,
    Place,
    find_line,
    find_order,
    find_turn,
    label_of,
    parse_place,
)
from pbem.archive.remark_joining import check_size, join_remarks
from pbem.archive.remark_judging import judge_drafts, make_remark, position_at
from pbem.archive.remark_reading import read_remarks, read_variation
from pbem.archive.remarks import (
    MAX_AT_ONCE,
    MAX_COMMENT,
    MAX_TEXT,
    Kind,
    Remark,
    RemarkError,
    explain_remark,
    find_author,
)
from pbem.games.base import Fault
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.orders import action_text
from pbem.games.ortus.replaying import replay
from tests.ortus.games import VARIANTS, random_table

BASE = """\
[Event "Friends by mail"]
[Site "pbem.example.org"]
[Date "2026.11.16"]
[Round "1"]
[Gold "Mira"]
[Black "Teun"]
[Result "1-0"]
[Termination "resignation"]
[Arena "origin"]
[Level "master"]
[Dice "clean"]
[Starter "gold"]
[StarterEnergy "7"]
[GoldSetup "WAFEEFAW"]
[BlackSetup "AWEFFEWA"]

1g. W1:kite>H7; F3>J6!; E4>K3; end
1b. A1>H11? {Within reach of W1.}; E3>F10; F4>E11; W2:kite>G2; end {[%clk 27d3h]}
2g. W1 rng H11=-; guide>K1; F3>I6; end
2b. W2 rng H7=+; A1 ret H15; end {[%draw offer]}
3g. A2>I3; A7>L5
1-0
"""
RECORD = parse_record(BASE)


def take(text: str, record: Record = RECORD) -> list[tuple[str, str, str]]:
    """Place, kind and text of every remark."""
    return [
        (str(remark.place), remark.kind, remark.text)
        for remark in judge_drafts(record, read_remarks(text))
    ]


def refused(text: str) -> list[tuple[str, int | None, int | None]]:
    """Code and place of each fault, all of which have a sentence."""
    with pytest.raises(RemarkError) as raised:
        judge_drafts(RECORD, read_remarks(text))
    assert all(explain_remark(fault) for fault in raised.value.faults)
    return [(fault.code, fault.line, fault.column) for fault in raised.value.faults]


def joined(*remarks: Remark, record: Record = RECORD) -> str:
    """The joined record; reading and writing it again gives the same bytes."""
    text = check_size(join_remarks(record, remarks).record)
    assert format_record(parse_record(text)) == text
    return text


def by(author: str, text: str, *, first: int = 1) -> list[Remark]:
    """The remarks of a text, with their author and numbers."""
    return [
        Remark(each.place, each.kind, each.text, author, number)
        for number, each in enumerate(judge_drafts(RECORD, read_remarks(text)), start=first)
    ]


def turn_text(text: str, label: str) -> str:
    """The lines of a turn, with its variations."""
    lines = text.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith(f"{label}. "))
    end = next(at for at in range(start + 1, len(lines)) if not lines[at].startswith(" "))
    return "\n".join(lines[start:end])


# -- reading --------------------------------------------------------------------------------------


def test_a_sign_and_a_comment_about_a_turn_stand_behind_its_last_order() -> None:
    assert take("2g. ! {Good.}") == [("2g.4", "sign", "!"), ("2g.4", "comment", "Good.")]


def test_an_order_of_the_turn_is_named_in_any_spelling() -> None:
    wanted = [("1b.4", "sign", "?!"), ("1b.4", "comment", "Spends it all.")]
    assert take("1b. W2:kite>G2 ?! {Spends it all.}") == wanted
    assert take("1B. wind 2 vlieger naar g2 ?! {Spends it all.}") == wanted
    assert take("1b.4 ?! {Spends it all.}") == wanted
    assert take("1b. 2:kite>G2 ?! {Spends\nit all.}") == wanted


def test_an_attack_may_be_named_with_its_outcome_if_it_is_the_right_one() -> None:
    assert take("2g. W1 rng H11=- !") == [("2g.1", "sign", "!")]
    assert refused("2g. W1 rng H11=+ !") == [("other_outcome", 1, 18)]


def test_several_lines_and_several_orders() -> None:
    text = """
    1b. A1>H11 ?? $14 {Too bold.};
        E3>F10 {[%arrow C15 F10] [%mark F10 E7]}
        (F4>E11; end)

    3g.0 {Black is lost.}
    """
    assert take(text) == [
        ("1b.1", "sign", "?? $14"),
        ("1b.1", "comment", "Too bold."),
        ("1b.2", "comment", "[%arrow C15 F10] [%mark F10 E7]"),
        ("1b.2", "variation", "F4>E11; end"),
        ("3g.0", "comment", "Black is lost."),
    ]


def test_a_variation_of_the_whole_turn_stands_behind_end_or_the_first_order() -> None:
    assert take("1b. (E3 > f10; klaar)") == [("1b.5", "variation", "E3>F10; end")]
    assert take("3g. (A7>M4; end)") == [("3g.1", "variation", "A7>M4; end")]


def test_a_variation_runs_on_and_may_hold_remarks_and_variations() -> None:
    text = "1b. (E3>F10!; end {Keeps 5.} (F4>E11; end) 2g. F3>I6 {[%mark I6]}; end)"
    variation = "E3>F10!; end {Keeps 5.} (F4>E11; end) 2g. F3>I6 {[%mark I6]}; end"
    assert take(text) == [("1b.5", "variation", variation)]
    assert take(f"1b. ({variation})") == [("1b.5", "variation", variation)]


def test_the_outcome_of_an_attack_is_written_unless_only_one_is_possible() -> None:
    fell = [("2b.3", "variation", "W2 rng H7=-; end")]
    assert take("2b. (W2 rng H7=-; end)") == fell
    assert refused("2b. (W2 rng H7; end)") == [("verdict_missing", 1, 6)]
    # Black had no Energy left to save anybody in 2g.
    forced = [("2g.4", "variation", "W1 rng H11=-; F3>I6; end")]
    assert take("2g. (W1 rng H11; F3>I6; end)") == forced
    assert refused("2g. (W1 rng H11=+; end)") == [("verdict_mismatch", 1, 6)]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", [("remark_label_missing", 1, 1)]),
        ("Thanks for the game!", [("remark_label_missing", 1, 1)]),
        ("2g.", [("remark_empty", 1, 1)]),
        ("2g. Good move!", [("syntax_unknown_word", 1, 5)]),
        ("2g. W1 rng H11", [("remark_empty", 1, 1)]),
        ("2g. {Good", [("comment_not_closed", 1, 5)]),
        ("2g. {}", [("comment_empty", 1, 5)]),
        ("2g. !!!", [("bad_sign", 1, 5)]),
        ("2g. $256", [("bad_sign", 1, 5)]),
        ("2g. $99999999999999999999", [("bad_sign", 1, 5)]),
        ("2g. (F3>I6; end", [("variation_not_closed", 1, 5)]),
        ("2g. )", [("variation_not_opened", 1, 5)]),
        ("2g. ()", [("variation_empty", 1, 5)]),
        ("2g. (! F3>I6)", [("sign_nowhere", 1, 6)]),
        ("2g. ((F3>I6))", [("variation_nowhere", 1, 6)]),
        ("2g. (F3>I6=+; end)", [("remark_unexpected", 1, 11)]),
        ("2g. (F3>Z6; end)", [("syntax_bad_hex", 1, 9)]),
        ("2g. 1-0", [("remark_unexpected", 1, 5)]),
        ("9g. !", [("no_such_turn", 1, 5)]),
        ("2g.5 !", [("no_such_number", 1, 6)]),
        ("2g.0 !", [("only_comments_there", 1, 6)]),
        ("2g. F3>I7 !", [("order_not_played", 1, 11)]),
        ("2g. (F3>F10; end)", [("hex_taken", 1, 6)]),
        ("2g. (F2>I6; end)", [("wrong_letter", 1, 6)]),
        ("2g. (F3>I6; 2b. end)", [("turn_not_ended", 1, 13)]),
        ("2g. (F3>I6; end 3g. end)", [("wrong_label", 1, 17)]),
        ("2g. {[%by Teun] Bad.}", [("command_unknown", 1, 5)]),
        ("2g. (F3>I6; end {[%plan]})", [("command_unknown", 1, 13)]),
        ("2g. {[%arrow E7]}", [("bad_mark", 1, 5)]),
        ("2g. {[%mark Z1]}", [("bad_mark", 1, 5)]),
        ("2g. {[%diagram Z1]}", [("bad_mark", 1, 5)]),
        ("2g. {[%mark]}", [("bad_mark", 1, 5)]),
        (f"2g. {{{'x' * (MAX_COMMENT + 1)}}}", [("comment_too_long", 1, 5)]),
        ("2g. !\n" * (MAX_AT_ONCE + 1), [("too_many_remarks", MAX_AT_ONCE + 1, 5)]),
        ("2g. !" + " " * MAX_TEXT, [("remark_text_too_long", 1, 1)]),
        ("2g. " + "(F3>I6 " * 9, [("variations_too_deep", 1, 61)]),
    ],
)
def test_faults_have_a_place_and_a_sentence(
    text: str, faults: list[tuple[str, int | None, int | None]]
) -> None:
    assert refused(text) == faults


def test_all_faults_of_a_text_are_told_at_once_and_nothing_is_taken() -> None:
    assert refused("2g. !!!\n2b. !\n3b. (x; end)\n1g. )") == [
        ("bad_sign", 1, 5),
        ("syntax_warrior_missing", 3, 6),
        ("variation_not_opened", 4, 5),
    ]
    assert refused("9g. !\n2b. !\n2g.7 ?") == [("no_such_turn", 1, 5), ("no_such_number", 3, 6)]


@given(st.text(alphabet="123gb. !?${}()[]%=+-;>W3F2EA7\nkitend", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    remarks: tuple[Remark, ...] = ()
    faults: tuple[Fault, ...] = ()
    try:
        remarks = judge_drafts(RECORD, read_remarks(text))
    except RemarkError as error:
        faults = error.faults
    assert bool(remarks) != bool(faults)
    assert all(explain_remark(fault) and fault.line for fault in faults)
    joined(*remarks)


# -- places ---------------------------------------------------------------------------------------


def test_places_are_written_and_read_again() -> None:
    inside = Place("1b", 5).into(read_variation("E3>F10; end 2g. F3>I6; end", "1b"))
    for place in (Place("1b", 0), Place("12g", 7), Place("2g", 1, inside)):
        assert parse_place(str(place)) == place
    for text in ("", "1b", "1b.", "1b.01", "0b.1", "1b.1/", "1b.1:12/1b.1", "1b.1\n", "1b.1/2g.1"):
        with pytest.raises(ValueError, match="not a place"):
            parse_place(text)


def test_the_longest_place_can_be_written_into_an_address() -> None:
    fork = Branching("999999g", 9999, "0123456789abcdef")
    longest = Place("999999b", 9999, (fork,) * MAX_PATH)
    assert parse_place(str(longest)) == longest
    assert len(str(longest)) <= MAX_PLACE


def test_a_place_in_a_variation_stays_true_when_others_add_theirs() -> None:
    [mine] = by("Ann", "1b. (E3>F10; end 2g. F3>I6; end)", first=5)
    path = mine.place.into(read_variation(mine.text, "1b"))
    whole = join_remarks(RECORD, [mine]).record
    answer = make_remark(whole, Place("2g", 1, path), "comment", "And now?")
    answer = Remark(answer.place, answer.kind, answer.text, "Ben", 6)
    [earlier] = by("Cas", "1b. (F4>E11; end)", first=1)
    text = joined(earlier, mine, answer)
    assert turn_text(text, "1b").split("\n")[1:] == [
        "    ({[%by Cas]} F4>E11; end)",
        "    ({[%by Ann]} E3>F10; end",
        "     2g. F3>I6 {[%by Ben] And now?}; end)",
    ]
    gone = join_remarks(RECORD, [earlier, answer])
    assert gone.left_out == (answer,)
    with pytest.raises(RemarkError, match="not there any more"):
        make_remark(RECORD, answer.place, "comment", "And now?")


def test_the_board_of_a_place() -> None:
    before = position_at(RECORD, Place("2g", 0))
    behind = position_at(RECORD, Place("2g", 1))
    assert before.energy[0] > behind.energy[0]
    assert position_at(RECORD, Place("2g", 4), replacing=True) == before
    assert position_at(RECORD, Place("2g", 2), replacing=True) == behind


# -- joining --------------------------------------------------------------------------------------


def test_remarks_of_several_annotators_are_marked() -> None:
    ann = by("Ann", "1b. A1>H11 ?! {Too [%mark H11] bold.}\n1b. (E3>F10; end)", first=1)
    ben = by("Ben", "1b. A1>H11 {No, brave.} $3\n1b. (E3>F10!; end {Better.})", first=4)
    text = joined(*ann, *ben)
    assert turn_text(text, "1b").split("\n") == [
        "1b. A1>H11? $3 $6 {Within reach of W1.} {[%by Ann] [%sign ?!]} "
        "{[%by Ann] Too [%mark H11] bold.} {[%by Ben] No, brave.} {[%by Ben] [%sign !!]}; "
        "E3>F10; F4>E11; W2:kite>G2; end {[%clk 27d3h]}",
        "    ({[%by Ann]} {[%by Ben]} E3>F10! {[%by Ben] [%sign !]}; end {[%by Ben] Better.})",
    ]
    assert text == joined(*reversed(ben), *reversed(ann))
    assert replay(parse_record(text)).faults == ()


def test_a_name_cannot_end_its_mark() -> None:
    [remark] = by("An]n {x}", "1g. {Well.}")
    text = joined(remark)
    assert "{[%by An)n {x)] Well.}" in text
    comment = parse_record(text).turns[0].orders[-1].comments[-1]
    assert find_author(comment) == "An)n {x)"
    assert comment.prose == "Well."


def test_a_full_place_refuses_clearly() -> None:
    many = [
        Remark(Place("1g", 1), "comment", f"{number}", "Ann", number)
        for number in range(MAX_COMMENTS + 1)
    ]
    joined(*many[:-1])
    with pytest.raises(RemarkError, match="cannot hold more"):
        join_remarks(RECORD, many)
    long = [
        Remark(Place("1g", 1), "comment", f"{number} {'x' * MAX_COMMENT}", "Ann", number)
        for number in range(MAX_LINE // MAX_COMMENT)
    ]
    with pytest.raises(RemarkError, match="cannot hold more"):
        check_size(join_remarks(RECORD, long).record)


@cache
def random_record(number: int) -> Record:
    return parse_record(random_table(number, VARIANTS[number], entries=40).record())


def some_remark(record: Record, rng: Random, number: int) -> Remark | None:
    """A remark somewhere in a record, perhaps in a variation; None if the game is over there."""
    line: Variation = record.turns
    path: tuple[Branching, ...] = ()
    while True:
        turn = rng.choice(line)
        order = rng.randint(0, len(turn.orders))
        place = Place(label_of(turn), order, path)
        varied = turn.orders[order - 1].variations if order else ()
        if len(path) == 2 or not varied or rng.random() < 0.4:
            break
        line = rng.choice(varied)
        path = place.into(line)
    author = rng.choice(["Ann", "Ben", "Cas [x]"])
    kinds: tuple[Kind, ...] = ("comment", "sign", "variation") if order else ("comment",)
    kind = rng.choice(kinds)
    if kind == "comment":
        text = rng.choice(["Good.", "{ } ) (", "[%arrow E7 G4] é", "1-0", "3b. !"]) + f" {number}"
    elif kind == "sign":
        text = rng.choice(["!", "?!", "$14", "! $200"])
    else:
        text = some_variation(record, place, rng)
    if not text:
        return None
    made = make_remark(record, place, kind, text)
    return Remark(made.place, made.kind, made.text, author, number)


def some_variation(record: Record, place: Place, rng: Random) -> str:
    board = position_at(record, place, replacing=True)
    if board.winner is not None or board.question is not None or board.rules.dicey:
        return ""
    order = action_text(board, rng.choice(list(legal_actions(board))))
    return f"{order} {rng.choice(['', '! {So.}', '$7'])}"


@given(st.integers(0, len(VARIANTS) - 1), st.integers(0, 10**6))
def test_joining_keeps_the_main_line_and_every_remark(number: int, seed: int) -> None:
    base, rng = random_record(number), Random(seed)
    remarks: list[Remark] = []
    whole = base
    for at in range(1, 9):
        remark = some_remark(whole, rng, at)
        if remark is not None:
            remarks.append(remark)
            whole = join_remarks(base, remarks).record
    done = join_remarks(base, rng.sample(remarks, len(remarks)))
    assert done.left_out == ()
    text = check_size(done.record)
    read = parse_record(text)
    assert format_record(read) == text
    assert replay(read).faults == replay(base).faults
    assert [bare(turn.orders) for turn in read.turns] == [bare(turn.orders) for turn in base.turns]
    for remark in remarks:
        assert_there(read, remark)
    assert format_record(join_remarks(base, []).record) == format_record(base)


def bare(orders: Sequence[Played]) -> list[tuple[Order, Roll, Verdicts]]:
    return [(played.order, played.roll, played.verdicts) for played in orders]


def assert_there(record: Record, remark: Remark) -> None:
    """A remark stands in a record at its place, marked by its author."""
    place = remark.place
    line = find_line(record.turns, place.path)
    assert line is not None
    where = find_order(line, place.turn, place.order) or find_turn(line, place.turn)
    assert where is not None
    author = remark.author.replace("[", "(").replace("]", ")")
    texts = [each.text for each in where.comments if find_author(each) == author]
    match remark.kind:
        case "comment":
            assert f"[%by {author}] {remark.text}" in texts
        case "sign":
            assert f"[%by {author}] [%sign {remark.text}]" in texts
        case "variation":
            path = place.into(read_variation(remark.text, place.turn))
            inside = find_line(record.turns, path)
            assert inside is not None
            assert author in map(find_author, inside[0].comments)
