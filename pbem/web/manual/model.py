"""What a help page consists of: sections with clauses, each with words and an example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HOMES: Final = ("H1 I1 J1 K1 L1 M1 N1 O1", "H15 G15 F15 E15 D15 C15 B15 A15")
USUAL_SETUP: Final = "WFEAAEFW"
WHOLE: Final = "whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A drawn example. Everybody is at home who is not named.

    ``orders`` are played and drawn as arrows, ``answers`` are the defences on the way, a ``+`` or
    ``-`` for each victim, ``-+`` for two at once, with spaces between questions. ``refused`` are
    orders that the rules refuse here. The board is shown as it is before the orders, or ``after``
    them. ``shown`` names hexes to show if not only what stands on the Arena is to be seen;
    ``whole`` is the whole board. ``path`` hexes are outlined, ``lines`` are pairs as ``F5-F8``.
    """

    caption: str
    gold: str = ""
    black: str = ""
    gold_setup: str = USUAL_SETUP
    arena: str = "origin"
    level: str = "apprentice"
    turn: str = "g"
    round: int = 4
    energy: str = "14 14"
    honour: str = "0 0"
    guides: str = "- -"
    orders: str = ""
    answers: str = ""
    refused: str = ""
    after: bool = False
    empty: bool = False
    shown: str = ""
    path: str = ""
    lines: str = ""

    @property
    def line(self) -> str:
        """The position as one line (N4)."""
        head = f"{self.arena} {self.level} {self.turn} {self.round}"
        parts = [head, self.energy, self.honour, self.guides]
        for named, setup, homes in zip(
            (self.gold, self.black), (self.gold_setup, USUAL_SETUP), HOMES, strict=True
        ):
            moved = dict(warrior.split("@") for warrior in named.split())
            names = [f"{element}{slot}" for slot, element in enumerate(setup, start=1)]
            pairs = zip(names, homes.split(), strict=True)
            parts.append(" ".join(f"{name}@{moved.pop(name, home)}" for name, home in pairs))
            if moved:
                raise ValueError(f"no such warriors: {', '.join(moved)}")
        return " | ".join(parts)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; all but those in ``code`` columns are said in the reader's language."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    code: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. ``texts`` are paragraphs; ``code`` is shown as it is written."""

    number: str
    title: str
    texts: tuple[str, ...]
    figure: Figure | None = None
    table: Table | None = None
    code: str = ""
    rules: str = ""
    """Standing rules to be shown with their meanings."""


@dataclass(frozen=True, slots=True)
class Section:
    """Clauses that belong together; the number of a section can be cited too."""

    number: str
    title: str
    texts: tuple[str, ...] = ()
    clauses: tuple[Clause, ...] = ()
    figure: Figure | None = None
    table: Table | None = None
    code: str = ""
