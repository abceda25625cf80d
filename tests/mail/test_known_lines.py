"""Lines of our mails are known again, however they come back, and others are not (L4.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.known_lines import NOTHING_KNOWN, KnownLines, prints_of

LINES = ["You have 14 Energy.", "F2>G5", "", "  ", "Zażółć · 1"]


def test_lines_are_known_with_marks_bold_and_other_spaces() -> None:
    known = KnownLines(prints_of(LINES))
    for line in (
        "You have 14 Energy.",
        "> > You have  14 Energy.",
        "*You have 14 Energy.*",
        "YOU HAVE 14 ENERGY.",
        "f2 > g5",
        "| zażółć·1",
    ):
        assert line in known, line


@pytest.mark.parametrize("line", ["You have 15 Energy.", "You have", "F2>G4", "", " ", ">"])
def test_other_lines_and_blank_ones_are_not(line: str) -> None:
    assert line not in KnownLines(prints_of(LINES))


def test_the_lines_of_several_mails_are_known_together() -> None:
    known = KnownLines(prints_of(["one"]), prints_of([]), prints_of(["two", "one"]))
    assert "one" in known
    assert "two" in known
    assert "onetwo" not in known


def test_fingerprints_that_are_damaged_are_left_out() -> None:
    known = KnownLines(b"1234", prints_of(["one"]), b"5678")
    assert "one" in known


def test_nothing_is_known_of_nothing() -> None:
    assert not NOTHING_KNOWN
    assert "" not in NOTHING_KNOWN
    assert not KnownLines(prints_of(["", " > "]))


def test_a_long_line_is_known_by_its_beginning_wherever_spaces_stand() -> None:
    long = "A message of somebody who has much to say. " * 60
    known = KnownLines(prints_of([long]))
    assert long.replace(" ", "   ") in known
    assert long + "And more." in known
    assert f"> {long}" in known
    assert "B" + long not in known


def test_what_cannot_be_seen_in_a_line_does_not_count() -> None:
    assert prints_of(["\u200eTake\u00a0care\ufeff"]) == prints_of(["Take care"])
    assert "Take\u00adcare" in KnownLines(prints_of(["Take care"]))


@pytest.mark.parametrize("length", [159, 160, 161, 5000])
def test_a_line_of_any_length_has_one_fingerprint_however_often_it_is_asked_for(
    length: int,
) -> None:
    line, other = "x" * length, "y" * length
    assert prints_of([line, other, line]) == prints_of([line]) + prints_of([other])
    assert line in KnownLines(prints_of([line]))
    assert other not in KnownLines(prints_of([line]))


def test_a_line_is_kept_once() -> None:
    assert prints_of(["end", " END", "> end"]) == prints_of(["end"])
    assert len(prints_of(["end"])) == 8


@given(st.lists(st.text()), st.text())
def test_prints_tell_lines_apart(lines: list[str], other: str) -> None:
    known = KnownLines(prints_of(lines))
    assert all(line in known or not prints_of([line]) for line in lines)
    assert (other in known) == any(prints_of([other]) == prints_of([line]) != b"" for line in lines)
