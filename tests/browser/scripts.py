"""Games to be played on pages: what is ordered, and what is touched on the board for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.ortus.games import line


@dataclass(frozen=True, slots=True)
class Branch:
    """How a plan goes on after one end of an attack."""

    guard: str
    label: str
    orders: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """One order; ``touched`` are the hexes (or what stands beside the board) that make it. The end
    of a turn is a button."""

    text: str
    touched: tuple[str, ...] = ()
    branches: tuple[Branch, ...] = ()


END: Final = Order("end")


def notation(orders: tuple[Order, ...]) -> str:
    """A plan as it is written."""
    return "; ".join(map(_one, orders))


def _one(order: Order) -> str:
    if not order.branches:
        return order.text
    inside = (f"{branch.guard}: {notation(branch.orders)}" for branch in order.branches)
    return f"{order.text} [{' | '.join(inside)}]"


# -- from an invitation to a resignation, on the level of Wind ----------------------------------

GOLDS_SETUP: Final = "WFEAAEFW"
BLACKS_SETUP: Final = "WFAEAEFW"
BLACKS_SWAP: Final = (3, 4)
"""The slots to swap, seen from the usual set-up."""

FLIGHT: Final = (Order("W1:kite>H7", ("H1", "H7")), END)
REPLY: Final = (Order("W8:kite>G9", ("A15", "G9")), END)
SHOT: Final = (
    Order(
        "W1 rng G9",
        ("H7", "G9"),
        (
            Branch("-", "G9 falls", (Order("guide>K1", ("guide", "K1")), END)),
            Branch("+", "G9 is saved", (Order("F2>I3", ("I1", "I3")), END)),
        ),
    ),
)

# -- a study: Gold takes the fifth Well, and Black cannot drive anybody away --------------------

STUDY: Final = line(gold="W1@F6 F2@I6 E3@L6 A4@N8 E6@J8", black="W1@G12 F2@H11", energy=(14, 6))
FIFTH_WELL: Final = (
    Order("E6>J10", ("J8", "J10")),
    Order(
        "F2 rng H11",
        ("I6", "H11"),
        (
            Branch("+", "H11 is saved", (Order("W1 rng H11", ("F6", "H11")), END)),
            Branch("-", "H11 falls", (END,)),
        ),
    ),
)
