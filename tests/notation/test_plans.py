"""N2.1: brackets, branches and guards; the limits; and what holds for any text at all."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notation import (
    NotationError,
    Order,
    Plan,
    find_choice,
    format_order,
    format_plan,
    parse_order,
    parse_orders,
    read_orders,
)
from notation.canonical import find_canonical
from notation.errors import FOUND_LENGTH
from notation.orders import Attack, Branch, Decision, End, Guard, Kite, Step, Walk
from notation.reading import MAX_BRANCHES, MAX_BYTES, MAX_DEPTH, MAX_ERRORS, MAX_ORDERS
from notation.words import LONGEST_FIRST
from tests.notation.strategies import orders, plans

modest = settings(max_examples=100, deadline=None, derandomize=True)


def test_the_plan_of_the_specification() -> None:
    text = "W3 rng G4 [-: W3:kite>H7; end | +: F2 rng G4 [-: end]]; F7>I9; end"
    fell, saved = Guard(((None, False),)), Guard(((None, True),))
    assert parse_orders(text) == (
        Step(
            Attack("rng", "W3", "G4"),
            (
                Branch(fell, (Step(Kite("W3", "H7")), Step(End()))),
                Branch(
                    saved,
                    (Step(Attack("rng", "F2", "G4"), (Branch(fell, (Step(End()),)),)),),
                ),
            ),
        ),
        Step(Walk("F7", "I9")),
        Step(End()),
    )
    assert format_plan(parse_orders(text)) == text


@pytest.mark.parametrize(
    ("guard", "verdicts"),
    [
        ("-", [(None, False)]),
        ("–", [(None, False)]),
        ("+", [(None, True)]),
        ("*", []),
        (" * ", []),
        ("\n*", []),
        ("G4-", [("G4", False)]),
        ("G4-,G5+", [("G4", False), ("G5", True)]),
        ("g4 - , g5 +", [("G4", False), ("G5", True)]),
        ("G4- G5+", [("G4", False), ("G5", True)]),
        ("-,G5+", [(None, False), ("G5", True)]),
        ("fall", [(None, False)]),
        ("block G5", [("G5", True)]),
        ("\n-", [(None, False)]),
        ("*-*", [(None, False)]),
        ("G4\n-", [("G4", False)]),
    ],
)
def test_guards(guard: str, verdicts: list[tuple[str | None, bool]]) -> None:
    (step,) = parse_orders(f"A5 six G4@F5 [{guard}: end]")
    assert step.branches == (Branch(Guard(tuple(verdicts)), (Step(End()),)),)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("F2rngG4[-:end|+:F7>I9;end]", "F2 rng G4 [-: end | +: F7>I9; end]"),
        ("F2 rng G4\n[\n-:\nF7>I9\nend\n|\n+: end\n]\nend", None),
        ("F2 rng G4 [-: end; | +: ;end;]; end", "F2 rng G4 [-: end | +: end]; end"),
        ("F2 rng G4 [-: | +: end]", "F2 rng G4 [-: | +: end]"),
        ("F2 rng G4 [-: end.]. end", None),
        ("F2 rng G4! [-: end!]!; end", "F2 rng G4 [-: end]; end"),
        ("drg G4 [G4-: G5+ G6-]", "drg G4 [G4-: G5+ G6-]"),
        ("F2 rng G4 [-: 1. F7>I9; 2. end]", "F2 rng G4 [-: F7>I9; end]"),
        ("F2 rng G4 [*: end]", "F2 rng G4 [*: end]"),
        ("*F2 rng G4* [*-*: *end*]", "F2 rng G4 [-: end]"),
    ],
)
def test_brackets(text: str, canonical: str | None) -> None:
    if canonical is None and "\n" in text:
        canonical = "F2 rng G4 [-: F7>I9; end | +: end]; end"
    if canonical is None:
        with pytest.raises(NotationError):
            parse_orders(text)
        return
    assert format_plan(parse_orders(text)) == canonical


def nested(depth: int) -> str:
    return "F2 rng G4 [-: " * depth + "end" + "]" * depth


def code_of(text: str) -> str:
    with pytest.raises(NotationError) as caught:
        parse_orders(text)
    return caught.value.code


def test_depth_is_limited() -> None:
    assert format_plan(parse_orders(nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    assert code_of(nested(MAX_DEPTH + 1)) == "too_deep"
    assert code_of("F2 rng G4 [-:" * 4000) == "too_deep"


def test_the_number_of_orders_is_limited() -> None:
    assert len(parse_orders("F2>G4;" * MAX_ORDERS)) == MAX_ORDERS
    assert code_of("F2>G4;" * (MAX_ORDERS + 1)) == "too_many_orders"
    assert code_of("G4+" * (MAX_ORDERS + 1)) == "too_many_orders"
    assert code_of("F2 rng G4 [-: " + "F2>G4;" * MAX_ORDERS + "]") == "too_many_orders"


def test_the_number_of_branches_is_limited() -> None:
    def plan(branches: int) -> str:
        return "F2 rng G4 [" + " | ".join(["-:"] * branches) + "]"

    assert len(parse_orders(plan(MAX_BRANCHES))[0].branches) == MAX_BRANCHES
    assert code_of(plan(1000)) == "too_many_branches"


def test_the_size_is_limited_in_bytes() -> None:
    assert len(parse_orders("end" + " " * (MAX_BYTES - 3))) == 1
    assert code_of("end" + " " * (MAX_BYTES - 2)) == "too_long"
    assert code_of("end" + "\u2003" * 30000) == "too_long"
    assert code_of("x" * 10_000_000) == "too_long"


@pytest.mark.parametrize(
    "pattern",
    [
        "[",
        "]",
        "|",
        "F2 rng G4 [-:",
        "1.",
        "*",
        "7",
        "x",
        "-",
        "->",
        "- ",
        ";",
        "\n",
        "&amp;",
        "&",
        "a",
        "a;",
        "a\n",
        "F2\n",
        "F2\n>",
        ">\n",
        "van ",
        "wind ",
        "wind\n",
        ".;",
        "!",
        "-\n",
        "G4+",
        "G4",
        "setup ",
        "W ",
        "setup\n,",
        "\u200b",
        "draw ",
        "\x00",
        "\u00a0",
        "F2+",
        "[*",
        "F2 rng G4 [-:end];",
        "standing: off\n",
        "standing",
        "'",
        "block ",
        "G4,",
        "[G4-,",
        "=",
        "…",
    ],
)
def test_nasty_patterns_end(pattern: str) -> None:
    for start in ("", "F2 rng ", "F2 rng G4 [", "setup ", "block G4, "):
        text = start + pattern * (3_000 // len(pattern))
        plan, errors = read_orders(text)
        assert plan or errors
        assert len(errors) <= MAX_ERRORS


@given(plans)
@modest
def test_reading_what_was_written_gives_the_same_plan(plan: Plan) -> None:
    assert parse_orders(format_plan(plan)) == plan


@given(orders)
@modest
def test_reading_one_order_that_was_written_gives_it_back(order: Order) -> None:
    text = format_order(order)
    assert parse_order(text) == order
    assert parse_orders(text)[0].order == order


PIECES = [*LONGEST_FIRST, *"@[]|,:;>+-*.!?)&#\"'\n\n  \u00a0–—→≤×", "&gt;", "&lt;", "F2", "W3"]
PIECES += ["G4", "H8", "A1", "3", "1.", "[-:", "[+:", "| *:", "F2 rng G4", "WFEAAEFW", "F2>G4"]

texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=25).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join),
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = format_plan(draw(plans))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        cut = draw(st.integers(0, 3))
        text = text[:at] + draw(st.sampled_from(["", *PIECES])) + text[at + cut :]
    return text


def check_any_text(text: str) -> None:
    """It parses, or the error is ours and points into the text; written, it reads the same."""
    plan, errors = read_orders(text)
    find_choice(text)
    with contextlib.suppress(NotationError):
        parse_order(text)
    for error in errors:
        lines = text.splitlines() or [""]
        assert 1 <= error.line <= len(lines)
        assert 1 <= error.column <= len(lines[error.line - 1]) + 1
        assert len(error.found) <= FOUND_LENGTH
        assert error.found.isprintable()
        assert error.expected
    if errors:
        with pytest.raises(NotationError) as caught:
            parse_orders(text)
        assert str(caught.value) == str(errors[0])
        return
    assert parse_orders(text) == plan
    canonical = format_plan(plan)
    assert parse_orders(canonical) == plan
    assert format_plan(parse_orders(canonical)) == canonical


@given(texts)
@settings(modest, max_examples=300)
def test_any_text_is_read_or_refused(text: str) -> None:
    check_any_text(text)


@given(mutated())
@modest
def test_any_damaged_plan_is_read_or_refused(text: str) -> None:
    check_any_text(text)


@given(mutated())
@modest
def test_the_short_cut_reads_as_the_careful_way_does(text: str) -> None:
    for piece in text.replace("[", ";").replace("]", ";").split(";"):
        order = find_canonical(piece)
        if order is not None:
            assert [step.order for step in parse_orders(piece)] == [order]
            assert format_order(order) == piece


@given(plans)
@modest
def test_case_and_spacing_do_not_matter(plan: Plan) -> None:
    text = format_plan(plan)
    assert parse_orders(text.lower()) == plan
    assert parse_orders(text.upper()) == plan
    assert parse_orders(text.replace(" ", " \u00a0 ")) == plan


def test_decisions_are_written_as_one_answer() -> None:
    plan = (Step(Decision("G4", True)), Step(Decision("G5", False)), Step(Decision("all", True)))
    assert format_plan(plan) == "G4+ G5-; block all"
