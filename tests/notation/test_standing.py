"""Standing rules as text (N3.1): tolerant reading, canonical writing, errors with places."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notation.errors import NotationError
from notation.standing import MAX_RULES, StandingRule, format_standing, parse_standing


def test_a_list_of_rules_is_read_in_order() -> None:
    assert parse_standing("fall E*; block W3 <=5; block all <=3 keep 6; ask all") == (
        StandingRule("fall", "E*"),
        StandingRule("block", "W3", up_to=5),
        StandingRule("block", "all", up_to=3, keep=6),
        StandingRule("ask", "all"),
    )


@pytest.mark.parametrize("text", ["off", "OFF", " uit ", "Off.", "*off*", "“off”"])
def test_off_clears(text: str) -> None:
    assert parse_standing(text) == ()


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("BLOCK F* <=4", "block F* <=4"),
        ("block F * <= 4", "block F* <=4"),
        ("block f*<=4", "block F* <=4"),
        ("block fire* ≤4", "block F* <=4"),
        ("block fire * =< 4", "block F* <=4"),
        ("block vuur &lt;= 4", "block F* <=4"),
        ("block Fire &lt;=4", "block F* <=4"),
        ("block *F* <=4", "block F* <=4"),
        ("*block F* <=4*", "block F* <=4"),
        ("block F &le;4", "block F* <=4"),
        ("save all keep 5 <=2", "block all <=2 keep 5"),
        ("red alles <=2 houd 5", "block all <=2 keep 5"),
        ("blok alles", "block all"),
        ("val wind*; vraag alles", "fall W*; ask all"),
        ("fall aarde; fall water, ask all", "fall E*; fall A*; ask all"),
        ("block wind 3", "block W3"),
        ("block Wind3", "block W3"),
        ("block e4 <=04", "block E4 <=4"),
        ("block\u00a0all; ; ask\tall;", "block all; ask all"),
        ("1. block W*\n2) ask all.", "block W*; ask all"),
    ],
)
def test_reading_is_forgiving_and_writing_canonical(text: str, canonical: str) -> None:
    rules = parse_standing(text)
    assert format_standing(rules) == canonical
    assert parse_standing(canonical) == rules


def test_a_letter_and_a_number_are_always_a_warrior() -> None:
    assert parse_standing("block E4")[0].whom == "E4"


@pytest.mark.parametrize(
    ("text", "code", "column", "found"),
    [
        ("", "empty_standing", 1, ""),
        (" ; ", "empty_standing", 4, ""),
        ("block all; guard all", "bad_answer", 12, "guard"),
        ("block", "missing_whom", 6, ""),
        ("block G4", "bad_whom", 7, "G"),
        ("block W 3", "bad_whom", 7, "W"),
        ("block W9", "bad_slot", 8, "9"),
        ("block wind 12", "bad_slot", 12, "12"),
        ("block 3", "bare_slot", 7, "3"),
        ("ask all; off", "off_with_rules", 10, "off"),
        ("block all <=", "bad_number", 13, ""),
        ("block all <=x", "bad_number", 13, "x"),
        ("block all <=100", "bad_number", 13, "100"),
        ("block all keep " + "9" * 23, "bad_number", 16, "9" * 23),
        ("block all < 4", "bad_limit", 11, "<"),
        ("block all fast", "bad_limit", 11, "fast"),
        ("block all 3. ", "bad_limit", 11, "3."),
        ("block all <=4 <=5", "limit_twice", 15, "<="),
        ("block all \x00", "bad_limit", 11, "\\x00"),
    ],
)
def test_errors_say_what_and_where(text: str, code: str, column: int, found: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_standing(text)
    error = caught.value
    assert (error.code, error.line, error.column, error.found) == (code, 1, column, found)


def test_places_count_from_where_the_text_began() -> None:
    with pytest.raises(NotationError) as caught:
        parse_standing(" block all; nothing", line=7, column=10)
    assert (caught.value.line, caught.value.column) == (7, 22)
    with pytest.raises(NotationError) as caught:
        parse_standing(" block all\nnothing", line=7, column=10)
    assert (caught.value.line, caught.value.column) == (8, 1)


def test_the_number_of_rules_and_the_text_are_bounded() -> None:
    assert len(parse_standing("ask all;" * MAX_RULES)) == MAX_RULES
    with pytest.raises(NotationError, match="at most 64 rules"):
        parse_standing("ask all;" * (MAX_RULES + 1))
    with pytest.raises(NotationError, match="characters"):
        parse_standing("x" * 10_000_000)


_RULES = st.builds(
    StandingRule,
    st.sampled_from(["block", "fall", "ask"]),
    st.one_of(
        st.just("all"),
        st.builds("{}{}".format, st.sampled_from("WEAF"), st.sampled_from("*12345678")),
    ),
    st.none() | st.integers(0, 99),
    st.none() | st.integers(0, 99),
)


@settings(derandomize=True, deadline=None)
@given(st.lists(_RULES, max_size=8).map(tuple))
def test_what_was_written_is_read_again(rules: tuple[StandingRule, ...]) -> None:
    assert parse_standing(format_standing(rules)) == rules


@settings(derandomize=True, deadline=None)
@given(st.text() | st.text(alphabet="blockfas FWEA*<=123;,.\n&lt;keep ", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        rules = parse_standing(text)
    except NotationError:
        return
    assert parse_standing(format_standing(rules)) == rules
