"""Properties of records: the round trip, any text at all, cuts at every character, sizes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notation.errors import NotationError
from notation.hexes import HEX_NAMES
from notation.orders import Attack, End, GuideStep, Kite, Order, Return, Walk
from notation.record import MAX_NESTING, Comment, Played, Record, RecordTurn, make_comment
from notation.record_reading import MAX_GAME, MAX_LINE, parse_record, read_records
from notation.record_recovery import MAX_ERRORS, recover
from notation.record_writing import format_record, format_records

DATA = Path(__file__).parents[1] / "data" / "records"
WINTER_CUP = (DATA / "winter-cup.ogn").read_text(encoding="utf-8")
STUDY = (DATA / "dicey-study.ogn").read_text(encoding="utf-8")

_HEXES = st.sampled_from(sorted(HEX_NAMES))
_WARRIORS = st.builds("{}{}".format, st.sampled_from("WEAF"), st.integers(1, 8))
_QUIET: st.SearchStrategy[Order] = st.one_of(
    st.builds(Walk, _WARRIORS, _HEXES),
    st.builds(Kite, _WARRIORS, _HEXES),
    st.builds(GuideStep, _HEXES),
    st.builds(Return, _WARRIORS, _HEXES | st.just("guide")),
)
_COMMENTS = st.lists(
    st.text(max_size=12).map(make_comment).filter(lambda comment: comment.text != ""), max_size=2
).map(tuple)
_NAGS = st.lists(st.integers(0, 255), max_size=3).map(lambda nags: tuple(sorted(set(nags))))
_FIGURES = st.integers(1, 6)


@st.composite
def _attacks(draw: st.DrawFn, *, dicey: bool) -> Played:
    verb = draw(st.sampled_from(["str", "rng", "chg", "wave", "six", "drg"]))
    target = draw(_HEXES)
    if verb == "drg":
        order = Attack("drg", "F2", target, None, "F7")
    else:
        landing = draw(_HEXES) if verb in {"chg", "wave", "six"} else None
        order = Attack(verb, draw(_WARRIORS), target, landing)
    victims: list[str | None] = [None]
    if verb in {"wave", "six"} and draw(st.booleans()):
        others = draw(st.sets(_HEXES.filter(lambda name: name != target), min_size=1, max_size=2))
        victims = [target, *sorted(others, key=lambda name: (name[0], int(name[1:])))]
    roll: tuple[int, ...] = ()
    if dicey:
        one = verb in {"rng", "drg"}
        roll = (draw(_FIGURES),) if one else (draw(_FIGURES), draw(_FIGURES))
    return Played(order, roll, tuple((victim, draw(st.booleans())) for victim in victims))


@st.composite
def _turns(
    draw: st.DrawFn, label: tuple[int, str], *, dicey: bool, depth: int
) -> tuple[RecordTurn, ...]:
    number, side = label
    turns = []
    for index in range(draw(st.integers(1, 3 if depth == 0 else 2))):
        if index:
            number, side = (number, "b") if side == "g" else (number + 1, "g")
        orders = draw(st.lists(st.builds(Played, _QUIET) | _attacks(dicey=dicey), max_size=3))
        orders.append(Played(End()))
        for played in orders:
            played.nags = draw(_NAGS)
            played.comments = draw(_COMMENTS)
            if depth < 2 and draw(st.integers(0, 3)) == 0:
                lines = _turns((number, side), dicey=dicey, depth=depth + 1)
                played.variations = tuple(draw(st.lists(lines, max_size=2)))
        turns.append(RecordTurn(number, side, orders, draw(_COMMENTS)))
    if draw(st.booleans()) and len(turns[-1].orders) > 1:
        del turns[-1].orders[-1]  # resigned within the turn
    return tuple(turns)


@st.composite
def _records(draw: st.DrawFn) -> Record:
    dicey = draw(st.booleans())
    text = st.text(max_size=8).map(lambda value: make_comment(value).text)
    tags = {name: draw(text) for name in ("Event", "Site", "Round", "Gold", "Black")}
    tags |= {
        "Date": "2026.11.16",
        "Result": "1-0",
        "Termination": draw(st.sampled_from(["guide", "ruling", "time"])),
        "Arena": "origin",
        "Level": "master",
        "Dice": "dicey" if dicey else "clean",
        "Starter": "gold",
        "StarterEnergy": "7",
        "GoldSetup": "WFEAAEFW",
        "BlackSetup": "WFEAAEFW",
    }
    tags |= draw(st.dictionaries(st.from_regex(r"\AX[A-Za-z0-9_]{1,5}\Z"), text, max_size=2))
    turns = draw(st.just(()) | _turns((1, "g"), dicey=dicey, depth=0))
    return Record(tags, turns, "1-0", draw(_COMMENTS))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(_records())
def test_what_was_written_is_read_again(record: Record) -> None:
    text = format_record(record)
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text
    recovered, errors = recover(text.split("\n")[:-1], 1)
    assert errors == []
    assert format_record(recovered) == text


@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    st.one_of(
        st.text(),
        st.lists(
            st.sampled_from(
                [
                    *'[](){};=+-$!?*\n\n "\\,/@>:',
                    "1g. ",
                    "2b.",
                    "end",
                    "F2>I3",
                    "W1 rng",
                    "H7",
                    "1-0",
                ]
            ),
            max_size=40,
        ).map("".join),
        st.tuples(st.integers(0, len(WINTER_CUP)), st.text(max_size=3)).map(
            lambda change: WINTER_CUP[: change[0]] + change[1] + WINTER_CUP[change[0] + 1 :]
        ),
    )
)
def test_any_text_is_read_or_refused(text: str) -> None:
    for game in read_records(text, mode="recover"):
        format_record(game.record)
    try:
        games = list(read_records(text))
    except NotationError:
        return
    assert format_records(game.record for game in games) == text


@pytest.mark.parametrize("text", [WINTER_CUP, STUDY])
def test_a_cut_at_any_character_is_an_error_with_its_place(text: str) -> None:
    second_game = text.find("\n\n[Event")
    for cut in range(1, len(text)):
        if cut == second_game + 1 and second_game > 0:
            continue  # between two games nothing is missing
        with pytest.raises(NotationError) as caught:
            list(read_records(text[:cut]))
        lines = text[:cut].split("\n")
        assert caught.value.line <= len(lines), cut
        assert caught.value.line >= len(lines) - 17, cut
        games = list(read_records(text[:cut], mode="recover"))
        assert not games or games[-1].errors


def test_a_cut_in_the_moves_is_reported_where_it_is() -> None:
    for cut in range(WINTER_CUP.index("1b. "), len(WINTER_CUP)):
        with pytest.raises(NotationError) as caught:
            list(read_records(WINTER_CUP[:cut]))
        last_line = len(WINTER_CUP[:cut].rstrip("\n").split("\n"))
        assert caught.value.line == last_line, WINTER_CUP[cut - 10 : cut]


def _nested(depth: int) -> str:
    head = WINTER_CUP.split("\n\n")[0]
    lines = ["1b. end"] + [f"{' ' * 4 * level}(end" for level in range(1, depth + 1)]
    return f"{head}\n\n" + "\n".join(lines) + ")" * depth + "\n0-1\n"


def test_nesting_is_bounded() -> None:
    parse_record(_nested(MAX_NESTING))
    with pytest.raises(NotationError) as caught:
        parse_record(_nested(MAX_NESTING + 1))
    assert caught.value.code == "nesting_too_deep"
    (game,) = read_records(_nested(MAX_NESTING + 1), mode="recover")
    assert "nesting_too_deep" in [error.code for error in game.errors]
    (game,) = read_records("1g. " + "end (" * 100_000, mode="recover")
    assert len(game.errors) <= 2 * MAX_ERRORS + 2


@pytest.mark.parametrize(
    "noise",
    [
        "\x00" * 200_000,
        ";a" * 100_000,
        "{" * 200_000,
        "(" * 200_000,
        "{\n" * 100_000,
        "=G4+ " * 40_000,
        "[" * 200_000,
        '[A "' * 50_000,
        '[A "' + "\\\\" * 100_000,
        "1g. " * 50_000,
        " " * 200_000,
        "end; " * 40_000,
        "F2 rng\n" * 30_000,
        "end\n" + "    (end)\n" * 20_000,
        "{a} " * 20_000 + "end",
        "end" + " {a}" * 20_000,
        "end" + " $9" * 20_000,
    ],
    ids=lambda noise: repr(noise[:6]),
)
def test_noise_is_refused_with_a_bounded_list_of_errors(noise: str) -> None:
    for text in (noise, WINTER_CUP.replace("2b. ", "2b. " + noise)):
        if text.strip():
            with pytest.raises(NotationError):
                list(read_records(text))
        for game in read_records(text, mode="recover"):
            assert len(game.errors) <= 3 * MAX_ERRORS


def test_a_line_and_a_game_have_a_greatest_size() -> None:
    line = "x" * (MAX_LINE + 1) + "\n"
    for source in (line, io.StringIO(line), [line], io.StringIO("x" * 5 * MAX_LINE)):
        with pytest.raises(NotationError) as caught:
            list(read_records(source))
        assert caught.value.code == "line_too_long"
    text = WINTER_CUP.replace("2b. ", ("{" + "x" * 999 + "}\n") * (MAX_GAME // 1000) + "2b. ")
    with pytest.raises(NotationError) as caught:
        list(read_records(text))
    assert caught.value.code == "game_too_long"
    first, second = read_records(text + "\n" + WINTER_CUP, mode="recover")
    assert "game_too_long" in [error.code for error in first.errors]
    assert second.errors == ()


def test_a_long_line_does_not_hide_the_next_game() -> None:
    text = "x" * 3 * MAX_LINE + "\n\n" + WINTER_CUP
    for source in (text, io.StringIO(text)):
        first, second = read_records(source, mode="recover")
        assert first.errors[0].code in {"line_too_long", "order_too_long"}
        assert second.errors == ()
        assert second.line == 3


def test_games_are_read_one_at_a_time() -> None:
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        while True:
            for line in f"{WINTER_CUP}\n".splitlines(keepends=True):
                taken += 1
                yield line

    games = read_records(lines())
    size = WINTER_CUP.count("\n") + 1
    for count in (1, 2, 3):
        assert next(games).line == (count - 1) * size + 1
        assert taken == count * size + 1


def test_comments_compare_by_what_they_say() -> None:
    assert Comment("a") == make_comment(" a ")
