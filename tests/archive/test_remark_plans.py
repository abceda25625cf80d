"""Plans that a clicked board writes become variations."""

from __future__ import annotations

import pytest

from pbem.archive.remark_plans import split_plan


@pytest.mark.parametrize(
    ("plan", "variations"),
    [
        ("F2>I7; end", ("F2>I7; end",)),
        ("W1 rng G11 [-: A4>L6; end]", ("W1 rng G11=-; A4>L6; end",)),
        (
            "W1 rng G11 [-: A4>L6; end | +: F2 rng F9 [-: end]]; A4>I6; end",
            ("W1 rng G11=-; A4>L6; end", "W1 rng G11=+; F2 rng F9=-; end"),
        ),
        ("A4 wave F9@F10 [F9-,F7-: E3>F11]; end", ("A4 wave F9@F10=F9-,F7-; E3>F11; end",)),
        ("W1 rng G11 [", ("W1 rng G11 [",)),
        ("F2>I7 {[%mark I7]}; end", ("F2>I7 {[%mark I7]}; end",)),
        ("", ("",)),
    ],
)
def test_each_branch_becomes_one(plan: str, variations: tuple[str, ...]) -> None:
    assert split_plan(plan) == variations


def test_too_many_branches_are_left_to_be_refused() -> None:
    text = "; ".join("W1 rng G11 [-: F2>I7 | +: F2>I8]" for _ in range(8))
    assert split_plan(text) == (text,)


def test_branches_are_not_counted_further_than_there_may_be() -> None:
    """Each attack doubles the ways: of sixty there are more than anybody could go through."""
    text = "; ".join("W1 rng G11 [-: F2>I7 | +: F2>I8]" for _ in range(60))
    assert split_plan(text) == (text,)
