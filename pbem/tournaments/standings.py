"""Who stands where: the table of an event, by points and then by the tie-breaks of its charter.

What parts two neighbours is kept (``Table.dividers``), so that ``explaining`` says what the table
did. Who is level in all shares a place. Disqualified entrants stand at the end, below everybody
else. A knock-out is ordered by how far each has come (``advance``), a ladder by its rungs; teams
have a table of their own (``team_table``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.tournaments.advance import advances
from pbem.tournaments.charter import Format, TieBreak
from pbem.tournaments.event import Event
from pbem.tournaments.ranking import Divider, rank
from pbem.tournaments.sheets import Line, Sheet, sheet_of

WITHOUT_POINTS: Final[frozenset[Format]] = frozenset({"knockout", "ladder"})
"""Formats whose tables do not go by points, nor by tie-breaks."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table. Points are in halves, figures in the units of their tie-breaks."""

    place: int
    """From 1; who shares it has the same, and the places after it are left out."""
    is_shared: bool
    entrant: int
    points: int
    figures: tuple[int | None, ...]
    """One for each tie-break of the charter, in its order; None if nobody was level there."""
    wins: int
    draws: int
    losses: int
    byes: int
    starts: int
    """In how many games they have the first turn, of all that have been paired."""
    other_starts: int
    """In how many the other side has it."""
    running: int
    """How many games have no result yet: they go on, or are still to begin."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, with what parts its neighbours: None between two who share a place."""

    stage: str
    tie_breaks: tuple[TieBreak, ...]
    rows: tuple[Row, ...]
    dividers: tuple[Divider | None, ...]
    firsts: Mapping[str, Mapping[int, int]]
    """The figures that come before all tie-breaks, by their names, in their order."""
    sheet: Sheet
    is_provisional: bool
    """Whether games of it go on, or are still to be paired."""


def standings(event: Event, stage: str = "") -> tuple[Row, ...]:
    """The lines of a table, from the top."""
    return table_of(event, stage).rows


def table_of(event: Event, stage: str = "") -> Table:
    """A table with all that is needed to explain it."""
    sheet = sheet_of(event, stage)
    is_settled = event.charter.format == "round_robin" or event.phase in ("over", "cancelled")
    return make_table(
        sheet,
        firsts=_firsts(event, sheet),
        tie_breaks=() if event.charter.format in WITHOUT_POINTS else event.charter.order,
        is_settled=is_settled,
    )


def make_table(
    sheet: Sheet,
    *,
    firsts: Mapping[str, Mapping[int, int]],
    tie_breaks: tuple[TieBreak, ...],
    is_settled: bool,
) -> Table:
    """The table of a sheet, by some figures first and then by tie-breaks.

    ``is_settled`` tells that nothing is paired any more.
    """
    ranking = rank(sheet, firsts=firsts, tie_breaks=tie_breaks)
    rows: list[Row] = []
    dividers: list[Divider | None] = []
    for index, group in enumerate(ranking.groups):
        place = len(rows) + 1
        for number in group:
            if rows:
                dividers.append(ranking.dividers[index - 1] if len(rows) + 1 == place else None)
            rows.append(
                _row(
                    sheet.lines[number],
                    place=place,
                    is_shared=len(group) > 1,
                    entrant=number,
                    points=sheet.points[number],
                    figures=tuple(column[number] for column in ranking.figures),
                )
            )
    return Table(
        stage=sheet.stage,
        tie_breaks=tie_breaks,
        rows=tuple(rows),
        dividers=tuple(dividers),
        firsts=firsts,
        sheet=sheet,
        is_provisional=not is_settled or any(row.running for row in rows),
    )


def _firsts(event: Event, sheet: Sheet) -> dict[str, Mapping[int, int]]:
    """What counts before tie-breaks."""
    out = {each.number: -(each.standing == "disqualified") for each in event.entrants}
    firsts: dict[str, Mapping[int, int]] = {"disqualified": out}
    if event.charter.format == "ladder":
        rungs = {number: -rung for rung, number in enumerate(event.ladder, start=1)}
        firsts["rung"] = {number: rungs.get(number, -len(rungs) - 1) for number in sheet.lines}
    elif event.charter.format == "knockout":
        firsts["advance"] = advances(event)
    else:
        firsts["points"] = sheet.points
    return firsts


def _row(
    lines: Sequence[Line],
    *,
    place: int,
    is_shared: bool,
    entrant: int,
    points: int,
    figures: tuple[int | None, ...],
) -> Row:
    results = [0, 0, 0]
    byes = starts = other_starts = running = 0
    for line in lines:
        if line.opponent is None:
            byes += line.is_bye
            continue
        if line.is_over:
            results[line.points] += 1
        elif line.ending == "void":
            continue
        else:
            running += 1
        starts += line.has_started is True
        other_starts += line.has_started is False
    losses, draws, wins = results
    return Row(
        place=place,
        is_shared=is_shared,
        entrant=entrant,
        points=points,
        figures=figures,
        wins=wins,
        draws=draws,
        losses=losses,
        byes=byes,
        starts=starts,
        other_starts=other_starts,
        running=running,
    )
