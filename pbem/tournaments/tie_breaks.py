"""Tie-breaks, one function each: from a sheet to a figure for every entrant; more is better.

The definitions are those of the FIDE Handbook, chapter C.07, in the edition of 1 August 2024
(https://handbook.fide.com/chapter/TieBreakRegulations082024), said here in our own words; an
article is named as (8.1). They are counted over games: an opponent who was met in two games counts
twice (4.4). A game that goes on, and one that was annulled, counts for nothing.

Where the pairings are known beforehand a forfeited game is a game like others (15.2). Elsewhere,
which is in Swiss events, games without play are treated by article 16:

- they are byes, forfeited games, and rounds in which somebody was not paired;
- for their own figures they count as games against an opponent with as many points as the entrant
  has (16.4), with the points that they brought;
- for the figures of others, an entrant's points are as they are, but the rounds at the end in
  which they were not paired count as draws, so that nobody suffers from who has left (16.3);
- not being paired and losing by forfeit are one's own doing, and of the figures that are cut away
  as the lowest, those go first (16.5).

Who beat whom is a matter of a group and no figure of one entrant: that is ``direct``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from pbem.tournaments.charter import TieBreak
from pbem.tournaments.event import DRAW, WIN, show_points
from pbem.tournaments.sheets import Line, Sheet

UNITS: Final[Mapping[TieBreak, int]] = {
    "sonneborn_berger": 4,
    "buchholz": 2,
    "buchholz_cut": 2,
    "buchholz_median": 2,
    "direct": 2,
    "wins": 1,
    "koya": 2,
    "black_starts": 1,
}
"""How many of a figure make one: Sonneborn-Berger is counted in quarters, points in halves."""

_QUARTERS: Final = ("", "¼", "½", "¾")


class _Shares(NamedTuple):
    """What the games of an entrant add to figures.

    For games without play the opponent is somebody with as many points as oneself.
    """

    seen: list[int]
    """The points of each opponent."""
    own_doing: list[int]
    """Of these, where not playing was one's own doing."""
    products: int
    """The points of each opponent times one's own, together."""
    wins: int
    seconds: int
    """Games that were played, and in which the other side had the first turn."""


def sonneborn_berger(sheet: Sheet) -> dict[int, int]:
    """The points of each opponent, times the points won of them (9.1). In quarters."""
    return {number: shares.products for number, shares in _shares(sheet).items()}


def buchholz(sheet: Sheet) -> dict[int, int]:
    """The points of all opponents together (8.1)."""
    return {number: sum(shares.seen) for number, shares in _shares(sheet).items()}


def buchholz_cut(sheet: Sheet) -> dict[int, int]:
    """Buchholz without its lowest figure (14.1)."""
    return {number: sum(shares.seen) - _lowest(shares) for number, shares in _shares(sheet).items()}


def buchholz_median(sheet: Sheet) -> dict[int, int]:
    """Buchholz without its lowest figure, and then without its highest (14.3)."""
    return {
        number: sum(shares.seen) - _lowest(shares) - _highest_of_rest(shares)
        for number, shares in _shares(sheet).items()
    }


def wins(sheet: Sheet) -> dict[int, int]:
    """How many games brought the points of a win, with or without playing (7.1)."""
    return {number: shares.wins for number, shares in _shares(sheet).items()}


def koya(sheet: Sheet) -> dict[int, int]:
    """The points against all who have at least half of what they could have (9.2)."""
    strong = {
        number
        for number, lines in sheet.lines.items()
        if 2 * sheet.points[number] >= sum(line.worth for line in lines if line.is_over)
    }
    return {
        number: sum(line.points for line in lines if line.opponent in strong)
        for number, lines in sheet.lines.items()
    }


def black_starts(sheet: Sheet) -> dict[int, int]:
    """How many games they played in which the other side had the first turn.

    It is the number of games played with Black (7.3), where Black is who does not begin.
    """
    return {number: shares.seconds for number, shares in _shares(sheet).items()}


FIGURES: Final[Mapping[TieBreak, Callable[[Sheet], dict[int, int]]]] = {
    "sonneborn_berger": sonneborn_berger,
    "buchholz": buchholz,
    "buchholz_cut": buchholz_cut,
    "buchholz_median": buchholz_median,
    "wins": wins,
    "koya": koya,
    "black_starts": black_starts,
}
"""All but the direct encounter."""


def show_figure(tie_break: TieBreak, figure: int | None) -> str:
    """A figure as people write it: ``9¼``, ``3½``; a dash where there is none."""
    if figure is None:
        return "–"
    unit = UNITS[tie_break]
    if unit == 1:
        return str(figure)
    if unit == 2:
        return show_points(figure)
    whole, quarters = divmod(figure, 4)
    return f"{whole or ('' if quarters else 0)}{_QUARTERS[quarters]}"


def seen_points(sheet: Sheet) -> dict[int, int]:
    """The points of each as they count for others (16.3): who has left draws the rest."""
    if sheet.is_fixed:
        return sheet.points
    seen = dict(sheet.points)
    for number, lines in sheet.lines.items():
        for line in reversed(lines):
            if line.is_absent:
                seen[number] += DRAW - line.points
            elif not _is_own_doing(line):
                break
    return seen


def _is_own_doing(line: Line) -> bool:
    return line.is_absent or (line.ending == "forfeit" and line.points == 0)


@lru_cache(maxsize=1)
def _shares(sheet: Sheet) -> dict[int, _Shares]:
    """What the games of each add. A table asks for several figures of one sheet."""
    points, seen, is_fixed = sheet.points, seen_points(sheet), sheet.is_fixed
    found = {}
    for number, lines in sheet.lines.items():
        own = points[number]
        shares, own_doing, products, won, seconds = [], [], 0, 0, 0
        for line in lines:
            _, _, opponent, brought, _, ending, has_started, is_over = line
            if not is_over:
                continue
            is_played = opponent is not None and ending != "forfeit"
            if opponent is not None and (is_played or is_fixed):
                value = seen[opponent]
            else:
                value = own
                if _is_own_doing(line):
                    own_doing.append(value)
            shares.append(value)
            products += value * brought
            won += brought == WIN
            seconds += is_played and has_started is False
        found[number] = _Shares(shares, own_doing, products, won, seconds)
    return found


def _lowest(shares: _Shares) -> int:
    """What is cut away as the lowest; where not playing was one's own doing, that."""
    return min(shares.own_doing or shares.seen, default=0)


def _highest_of_rest(shares: _Shares) -> int:
    """The highest of what is left when the lowest has been cut away."""
    rest = list(shares.seen)
    if rest:
        rest.remove(_lowest(shares))
    return max(rest, default=0)
