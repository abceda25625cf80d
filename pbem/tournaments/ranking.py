"""Putting those of a sheet in order, criterion by criterion.

Each criterion parts those who were level after the one before it, and what parted two groups is
kept beside the order. Which criteria an event has is ``standings``' and ``team_table``'s to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pbem.tournaments import direct
from pbem.tournaments.charter import TieBreak
from pbem.tournaments.sheets import Sheet
from pbem.tournaments.tie_breaks import FIGURES

Figures = Mapping[int, int | None]
"""One figure for everybody; None where there was nobody to be told apart from."""


@dataclass(frozen=True, slots=True)
class Divider:
    """What parts two neighbours of a table: ``points``, a tie-break, and so on."""

    by: str
    seam: direct.Seam | None = None
    """Of the direct encounter: which games were looked at."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Groups of those who are level, from the top, and what parts each from the next."""

    groups: tuple[tuple[int, ...], ...]
    dividers: tuple[Divider, ...]
    figures: tuple[Figures, ...]
    """Of each tie-break, in their order."""


def rank(
    sheet: Sheet,
    *,
    firsts: Mapping[str, Mapping[int, int]],
    tie_breaks: Sequence[TieBreak],
) -> Ranking:
    """Everybody of a sheet, by some figures first (the higher the better), then by tie-breaks."""
    order = _Order([tuple(sheet.lines)] if sheet.lines else [], [])
    columns: list[Figures] = []
    for name, firsts_of in firsts.items():
        order = order.parted(_by_figure(name, firsts_of))
    for tie_break in tie_breaks:
        if tie_break == "direct":
            columns.append(_direct_figures(sheet, order.groups))
            order = order.parted(_by_encounter(sheet))
        else:
            found = FIGURES[tie_break](sheet)
            columns.append(found)
            order = order.parted(_by_figure(tie_break, found))
    return Ranking(tuple(order.groups), tuple(order.dividers), tuple(columns))


_Group = tuple[int, ...]
_Parts = Callable[[_Group], tuple[list[_Group], list[Divider]]]


@dataclass(frozen=True, slots=True)
class _Order:
    groups: list[_Group]
    dividers: list[Divider]

    def parted(self, parts: _Parts) -> _Order:
        groups: list[_Group] = []
        dividers: list[Divider] = []
        for index, group in enumerate(self.groups):
            if index:
                dividers.append(self.dividers[index - 1])
            if len(group) < 2:
                groups.append(group)
                continue
            found, between = parts(group)
            groups += found
            dividers += between
        return _Order(groups, dividers)


def _by_figure(name: str, figures: Mapping[int, int]) -> _Parts:
    key = figures.__getitem__

    def parts(group: _Group) -> tuple[list[_Group], list[Divider]]:
        ranked = sorted(group, key=lambda number: -key(number))
        found = [tuple(part) for _, part in groupby(ranked, key=key)]
        return found, [Divider(name)] * (len(found) - 1)

    return parts


def _by_encounter(sheet: Sheet) -> _Parts:
    def parts(group: _Group) -> tuple[list[_Group], list[Divider]]:
        found = direct.order(sheet, group)
        return list(found.classes), [Divider("direct", seam) for seam in found.seams]

    return parts


def _direct_figures(sheet: Sheet, groups: Sequence[_Group]) -> Figures:
    """The points of each from the games with those who are level with them."""
    figures: dict[int, int | None] = dict.fromkeys(sheet.lines)
    for group in groups:
        if len(group) > 1:
            for number, score in direct.scores(sheet, group).items():
                figures[number] = score.points
    return figures
