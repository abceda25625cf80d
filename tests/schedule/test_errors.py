"""The tree of errors is the one its docstring draws, and nothing odd gets into a message."""

from __future__ import annotations

import re

import pytest

from pbem.schedule import errors
from pbem.schedule.errors import Fault, ScheduleError, shown


def test_the_tree_is_as_drawn() -> None:
    drawn = re.findall(r"[├└]── (\w+)", errors.__doc__ or "")
    assert [kind.__name__ for kind in ScheduleError.__subclasses__()] == drawn
    assert issubclass(ScheduleError, ValueError)


def test_an_error_lists_its_faults() -> None:
    error = ScheduleError([Fault("one", "here", "is wrong"), Fault("two", "there", "is too")])
    assert str(error) == "here: is wrong; there: is too"
    assert error.codes == ("one", "two")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a\x00b\u202e", r"'a\x00b\u202e'"),
        (3, "'3'"),
        (None, "'None'"),
        ([1], "'list'"),
        pytest.param(10**5000, "'a huge number'", id="huge"),
    ],
)
def test_values_are_made_fit_to_be_shown(value: object, text: str) -> None:
    assert shown(value) == text


def test_long_values_are_cut() -> None:
    assert len(shown("x" * 10**6)) <= 40
