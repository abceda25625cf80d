"""What a player can write: one small type for each kind of order (N1), and plans (N2).

Owns the *meaningless* side of an order: which words stood there, not whether they are legal.
A warrior is kept as it was written, ``"W3"`` or just the slot ``"3"``; a hex is always ``"G4"``.
Reading is in ``reading.py``, writing in ``writing.py``; what an order means on a board is
``pbem.games.ortus``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from notation.standing import StandingRule

MAX_VICTIMS: Final = 6
"""The most warriors that one attack can hit: those around a landing hex (M4.2)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stood in the text: line and column, both counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Walk:
    """``F2>G4``"""

    who: str
    to: str


@dataclass(frozen=True, slots=True)
class Kite:
    """``W3:kite>E7``"""

    who: str
    to: str


@dataclass(frozen=True, slots=True)
class Attack:
    """``F2 rng G4``, ``A5 wave G4@F5``, ``F2+F7 drg G4``.

    ``verb`` is one of ``str rng chg wave six drg``. ``landing`` is None where none was written
    (N1.4) or the verb has none. ``partner`` is the second Fire of dragons; ``drg G4`` alone has
    neither ``who`` nor ``partner``.
    """

    verb: str
    who: str | None
    target: str
    landing: str | None = None
    partner: str | None = None


@dataclass(frozen=True, slots=True)
class GuideStep:
    """``guide>K3``"""

    to: str


@dataclass(frozen=True, slots=True)
class Return:
    """``E4 ret J1`` or ``E4 ret guide``; ``to`` is a hex or the word ``guide``."""

    who: str
    to: str


@dataclass(frozen=True, slots=True)
class End:
    """``end``"""


@dataclass(frozen=True, slots=True)
class Decision:
    """``G4+`` (saved) or ``G4-`` (falls).

    ``victim`` is a hex, ``"all"``, or None for a bare ``block`` / ``fall`` / ``+`` / ``-``.
    """

    victim: str | None
    saved: bool


@dataclass(frozen=True, slots=True)
class Setup:
    """``setup WFEAAEFW``: the elements on slots 1 to 8."""

    elements: str


@dataclass(frozen=True, slots=True)
class Bid:
    """``bid 5``"""

    energy: int


@dataclass(frozen=True, slots=True)
class Pass:
    """``pass`` in the bidding"""


@dataclass(frozen=True, slots=True)
class Resign:
    """``resign``"""


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """``draw?``"""


@dataclass(frozen=True, slots=True)
class DrawAnswer:
    """``draw+`` or ``draw-``"""

    accepted: bool


@dataclass(frozen=True, slots=True)
class DrawClaim:
    """``claim draw``"""


@dataclass(frozen=True, slots=True)
class Standing:
    """``standing: block F* <=4; ask all``; no rules at all is ``standing: off``."""

    rules: tuple[StandingRule, ...]


Order: TypeAlias = (
    Walk
    | Kite
    | Attack
    | GuideStep
    | Return
    | End
    | Decision
    | Setup
    | Bid
    | Pass
    | Resign
    | DrawOffer
    | DrawAnswer
    | DrawClaim
    | Standing
)


@dataclass(frozen=True, slots=True)
class Guard:
    """What a branch waits for (N2.1).

    ``verdicts`` pairs a hex (None for the target, as in a bare ``+`` or ``-``) with *saved*.
    Empty means ``*``: it matches always.
    """

    verdicts: tuple[tuple[str | None, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """``guard: orders`` inside the bracket behind an attack."""

    guard: Guard
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One order of a plan, with the branches in its bracket and the place it stood at.

    Two steps are equal when they say the same, wherever they stood.
    """

    order: Order
    branches: tuple[Branch, ...] = ()
    place: Place = field(default=Place(1, 1), compare=False)


Plan: TypeAlias = tuple[Step, ...]
