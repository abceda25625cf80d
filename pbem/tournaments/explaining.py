"""Why one stands above another in a table: a code and its facts, from what the table did.

A code is what parts the two: ``points``, a tie-break, or one of those below. Facts name the two by
their numbers as ``above`` and ``below``; figures are as the table has them, in halves or in the
unit of the tie-break. ``pbem.play.events.saying_standings`` makes a sentence of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.tournaments import direct
from pbem.tournaments.advance import read_reached
from pbem.tournaments.event import Event
from pbem.tournaments.ranking import Divider
from pbem.tournaments.standings import Row, Table, table_of

Fact = int | str


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
    criteria = (*table.firsts, *table.tie_breaks)

    def rank(divider: Divider) -> tuple[int, int]:
        return criteria.index(divider.by), -len(divider.seam.group) if divider.seam else 0

    return min((divider for divider in between if divider is not None), key=rank, default=None)


def _explained(table: Table, above: Row, below: Row, divider: Divider | None) -> Explained:
    facts: dict[str, Fact] = {"above": above.entrant, "below": below.entrant}
    by = "advance" if divider is None and "advance" in table.firsts else divider and divider.by
    if by == "advance":
        return _by_advance(table, facts)
    if divider is None:
        return Explained("shared", facts | {"level": ",".join(table.tie_breaks)})
    if divider.by in table.firsts:
        figures = table.firsts[divider.by]
        facts |= {"more": abs(figures[above.entrant]), "less": abs(figures[below.entrant])}
        return Explained(divider.by, facts | {"points": above.points})
    return _by_tie_break(table, (above, below), divider, facts)


def _by_tie_break(
    table: Table, rows: tuple[Row, Row], divider: Divider, facts: dict[str, Fact]
) -> Explained:
    """By a tie-break, with those that came before it and did not part the two."""
    names: tuple[str, ...] = table.tie_breaks
    index = names.index(divider.by)
    facts |= {"points": rows[0].points, "level": ",".join(names[:index])}
    if divider.seam is not None:
        return _encounter(table, facts, divider.seam)
    more, less = (row.figures[index] or 0 for row in rows)
    return Explained(divider.by, facts | {"more": more, "less": less})


def _by_advance(table: Table, facts: dict[str, Fact]) -> Explained:
    """By how far both have come in a knock-out."""
    figures = table.firsts["advance"]
    above, below = (read_reached(figures[int(facts[side])]) for side in ("above", "below"))
    facts |= {"round": above.round, "lost": below.round}
    if above == below:
        return Explained("shared_in" if above.state == "in" else "shared_out", facts)
    if above.state == "won":
        return Explained("advance_final", facts)
    if above.state == "third":
        return Explained("advance_third", facts)
    if above.state == "in":
        return Explained("advance_ahead" if below.state == "in" else "advance_in", facts)
    return Explained("advance_further", facts)


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
