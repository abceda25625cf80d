"""Why one stands above another in a table: a code and its facts, from what the table did.

A code is what parts the two: ``points``, a tie-break, or one of those below. Facts name the two by
their numbers as ``above`` and ``below``; figures are as the table has them, in halves or in the
unit of the tie-break. ``pbem.play.events.saying_standings`` makes a sentence of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pbem.tournaments import direct
from pbem.tournaments.event import Event
from pbem.tournaments.standings import Divider, Row, Table, table_of

Fact = int | str

BEFORE_TIE_BREAKS: Final = ("disqualified", "rung", "advance", "points")
"""What parts entrants before any tie-break does."""


@dataclass(frozen=True, slots=True)
class Explained:
    """Why one is above another, or that they share a place (``shared``)."""

    code: str
    facts: dict[str, Fact] = field(default_factory=dict)


class NotInTable(LookupError):
    """Somebody is not in the table that was asked about."""


def explanations(table: Table) -> tuple[Explained, ...]:
    """One for each two neighbours of a table, from the top."""
    return tuple(
        _explained(table, above, below, divider)
        for above, below, divider in zip(table.rows, table.rows[1:], table.dividers, strict=False)
    )


def explain(event: Event, above: int, below: int, stage: str = "") -> Explained:
    """Why one entrant stands above another; whoever is named first. Raises NotInTable."""
    table = table_of(event, stage)
    places = {row.entrant: index for index, row in enumerate(table.rows)}
    if above not in places or below not in places or above == below:
        raise NotInTable
    first, last = sorted((places[above], places[below]))
    divider = _widest(table, table.dividers[first:last])
    return _explained(table, table.rows[first], table.rows[last], divider)


def _widest(table: Table, between: Sequence[Divider | None]) -> Divider | None:
    """What parted two first, of all that parts those between them."""
    criteria = (*BEFORE_TIE_BREAKS, *table.tie_breaks)

    def rank(divider: Divider) -> tuple[int, int]:
        return criteria.index(divider.by), -len(divider.seam.group) if divider.seam else 0

    return min((divider for divider in between if divider is not None), key=rank, default=None)


def _explained(table: Table, above: Row, below: Row, divider: Divider | None) -> Explained:
    facts: dict[str, Fact] = {"above": above.entrant, "below": below.entrant}
    if divider is None:
        return Explained("shared", facts | {"level": ",".join(table.tie_breaks)})
    if divider.by in BEFORE_TIE_BREAKS:
        return Explained(divider.by, facts | _before_tie_breaks(above, below, divider))
    index = next(
        index for index, tie_break in enumerate(table.tie_breaks) if tie_break == divider.by
    )
    facts |= {"points": above.points, "level": ",".join(table.tie_breaks[:index])}
    if divider.seam is not None:
        return _encounter(table, facts, divider.seam)
    return Explained(
        divider.by,
        facts | {"more": above.figures[index] or 0, "less": below.figures[index] or 0},
    )


def _before_tie_breaks(above: Row, below: Row, divider: Divider) -> dict[str, Fact]:
    if divider.by == "points":
        return {"more": above.points, "less": below.points}
    if divider.by == "rung":
        return {"rung": above.place, "lower": below.place}
    return {}


def _encounter(table: Table, facts: dict[str, Fact], seam: direct.Seam) -> Explained:
    """By the games that the two, or they and others who were level, had with each other."""
    if not seam.have_all_met:
        return Explained("direct_certain", facts | {"count": len(seam.group)})
    found = direct.scores(table.sheet, seam.group)
    above, below = found[int(facts["above"])], found[int(facts["below"])]
    facts |= {"more": above.points, "less": below.points}
    if len(seam.group) == 2:
        return Explained("direct_two", facts)
    facts |= {"count": len(seam.group)}
    if len({score.games for score in found.values()}) == 1:
        return Explained("direct_group", facts)
    more, less = (_show_average(score) for score in (above, below))
    return Explained("direct_average", facts | {"more": more, "less": less})


def _show_average(score: direct.Score) -> str:
    """In points, with two decimals."""
    return f"{score.average / (2 * direct.PARTS):.2f}"
