"""Who stands where: the table of an event, by points and then by the tie-breaks of its charter.

Each criterion parts those who were level after the one before it, and what parts two neighbours is
kept (``Table.dividers``), so that ``explaining`` says what the table did. Who is level in all
shares a place. Disqualified entrants stand at the end, below everybody else. A knock-out is ordered
by how far each has come (``advance``), a ladder by its rungs; teams have a table of their own
(``team_table``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pbem.tournaments import direct
from pbem.tournaments.advance import advances
from pbem.tournaments.charter import TieBreak
from pbem.tournaments.event import Event
from pbem.tournaments.sheets import Line, Sheet, sheet_of
from pbem.tournaments.tie_breaks import FIGURES


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
class Divider:
    """What parts two neighbours of a table: ``points``, a tie-break, and so on."""

    by: str
    seam: direct.Seam | None = None
    """Of the direct encounter: which games were looked at."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, with what parts its neighbours: None between two who share a place."""

    stage: str
    tie_breaks: tuple[TieBreak, ...]
    rows: tuple[Row, ...]
    dividers: tuple[Divider | None, ...]
    sheet: Sheet
    is_provisional: bool
    """Whether games of it go on, or are still to be paired."""


@dataclass(frozen=True, slots=True)
class _Ranking:
    """Groups of those who are level, from the top, and what parts each from the next."""

    groups: tuple[tuple[int, ...], ...]
    dividers: tuple[Divider, ...] = ()


def standings(event: Event, stage: str = "") -> tuple[Row, ...]:
    """The lines of a table, from the top."""
    return table_of(event, stage).rows


def table_of(event: Event, stage: str = "") -> Table:
    """A table with all that is needed to explain it."""
    sheet = sheet_of(event, stage)
    tie_breaks = event.charter.order
    figures: dict[TieBreak, Mapping[int, int | None]] = {}
    ranking = _Ranking((tuple(sheet.lines),))
    ranking = _part(ranking, "disqualified", _disqualified(event).__getitem__)
    if event.charter.format == "ladder":
        rungs = {number: -rung for rung, number in enumerate(event.ladder)}
        ranking = _part(ranking, "rung", lambda number: rungs.get(number, -len(rungs)))
    elif event.charter.format == "knockout":
        ranking = _part(ranking, "advance", advances(event, stage).__getitem__)
    else:
        ranking = _part(ranking, "points", sheet.points.__getitem__)
    for tie_break in tie_breaks:
        if tie_break == "direct":
            figures[tie_break] = _direct_figures(sheet, ranking)
            ranking = _part_by_encounter(ranking, sheet)
        else:
            found = FIGURES[tie_break](sheet)
            figures[tie_break] = found
            ranking = _part(ranking, tie_break, found.__getitem__)
    return _written(event, sheet, ranking, figures)


def _disqualified(event: Event) -> dict[int, int]:
    return {each.number: -(each.standing == "disqualified") for each in event.entrants}


def _part(ranking: _Ranking, by: str, key: Callable[[int], int]) -> _Ranking:
    """The groups parted by a figure; the higher it is the better."""

    def parts(group: tuple[int, ...]) -> tuple[list[tuple[int, ...]], list[Divider]]:
        ranked = sorted(group, key=lambda number: -key(number))
        found = [tuple(part) for _, part in groupby(ranked, key=key)]
        return found, [Divider(by)] * (len(found) - 1)

    return _parted(ranking, parts)


def _part_by_encounter(ranking: _Ranking, sheet: Sheet) -> _Ranking:
    def parts(group: tuple[int, ...]) -> tuple[list[tuple[int, ...]], list[Divider]]:
        found = direct.order(sheet, group)
        return list(found.classes), [Divider("direct", seam) for seam in found.seams]

    return _parted(ranking, parts)


def _parted(
    ranking: _Ranking,
    parts: Callable[[tuple[int, ...]], tuple[list[tuple[int, ...]], list[Divider]]],
) -> _Ranking:
    groups: list[tuple[int, ...]] = []
    dividers: list[Divider] = []
    for index, group in enumerate(ranking.groups):
        if index:
            dividers.append(ranking.dividers[index - 1])
        if len(group) < 2:
            groups.append(group)
            continue
        found, between = parts(group)
        groups += found
        dividers += between
    return _Ranking(tuple(groups), tuple(dividers))


def _direct_figures(sheet: Sheet, ranking: _Ranking) -> dict[int, int | None]:
    """The points of each from the games with those who are level with them."""
    figures: dict[int, int | None] = dict.fromkeys(sheet.lines)
    for group in ranking.groups:
        if len(group) > 1:
            for number, score in direct.scores(sheet, group).items():
                figures[number] = score.points
    return figures


def _written(
    event: Event,
    sheet: Sheet,
    ranking: _Ranking,
    figures: Mapping[TieBreak, Mapping[int, int | None]],
) -> Table:
    rows: list[Row] = []
    dividers: list[Divider | None] = []
    columns = [figures[tie_break] for tie_break in event.charter.order]
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
                    figures=tuple(column[number] for column in columns),
                )
            )
    return Table(
        stage=sheet.stage,
        tie_breaks=event.charter.order,
        rows=tuple(rows),
        dividers=tuple(dividers),
        sheet=sheet,
        is_provisional=any(row.running for row in rows)
        or (event.charter.format != "round_robin" and event.phase not in ("over", "cancelled")),
    )


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
