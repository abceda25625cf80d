"""Arrows and marked hexes in comments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation.hexes import HEX_NAMES
from notation.record import Comment, make_comment
from pbem.archive.marks import MOST_MARKS, NO_MARKS, Marks, read_marks

HEXES = st.sampled_from(sorted(HEX_NAMES))


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("[%arrow E7 G4]", Marks((("E7", "G4"),))),
        ("Look: [%arrow e7>g4] there", Marks((("E7", "G4"),))),
        ("[%arrow E7-G4, H7 -> I6]", Marks((("E7", "G4"), ("H7", "I6")))),
        ("[%arrow E7 G4] [%arrow E7 G4] [%arrow G4 E7]", Marks((("E7", "G4"), ("G4", "E7")))),
        ("[%mark E7]", Marks((), ("E7",))),
        ("[%MARK e7,f8;E7]", Marks((), ("E7", "F8"))),
        ("[%arrow E7]", NO_MARKS),
        ("[%arrow E7 E7]", NO_MARKS),
        ("[%arrow E7 Z99] [%mark A1]", NO_MARKS),
        ("[%clk 3d] nothing", NO_MARKS),
    ],
)
def test_marks_are_read_with_patience(text: str, marks: Marks) -> None:
    assert read_marks([Comment(text)]) == marks
    assert bool(marks) == bool(marks.arrows or marks.hexes)


@given(
    st.lists(st.tuples(HEXES, HEXES).filter(lambda pair: pair[0] != pair[1]), unique=True),
    st.lists(HEXES, unique=True),
)
def test_what_is_written_is_read_again(arrows: list[tuple[str, str]], hexes: list[str]) -> None:
    marks = Marks(tuple(arrows)[:MOST_MARKS], tuple(hexes)[:MOST_MARKS])
    written = [f"[%arrow {start} {end}]" for start, end in marks.arrows]
    written.append(f"[%mark {' '.join(marks.hexes)}]")
    assert read_marks([make_comment(" ".join(written))]) == marks


def test_there_are_never_too_many() -> None:
    many = " ".join(sorted(HEX_NAMES))
    marks = read_marks([Comment(f"[%mark {many}]"), Comment(f"[%arrow {many * 9}]")])
    assert len(marks.hexes) == MOST_MARKS
    assert len(marks.arrows) == MOST_MARKS
