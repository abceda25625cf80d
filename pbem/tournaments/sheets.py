"""The sheet of an event: for every entrant, game by game, what it brought. What tables count from.

One line is one game. A bye has as many lines as an encounter has games, and so has a round of a
Swiss event in which an entrant was not paired (late, or gone). Annulled games are on the sheet and
count for nobody. What tie-breaks make of all this is ``tie_breaks``; who stands where is
``standings``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from pbem.tournaments.charter import Format
from pbem.tournaments.event import (
    BYE_POINTS,
    WIN,
    Encounter,
    Ending,
    Entrant,
    Event,
    EventGame,
)

FIXED: Final[frozenset[Format]] = frozenset({"round_robin", "league", "teams"})
"""Formats whose pairings are known before the first game: a forfeit there is a game like others."""

WITHOUT_BYES: Final[frozenset[Format]] = frozenset({"round_robin", "league", "knockout"})
"""Formats in which sitting out is worth nothing: everybody does it as often, or goes on by it."""


class Line(NamedTuple):
    """What one game brought an entrant, in halves of a point.

    Without an opponent it is a bye, or with no encounter either a round they were not paired in.
    """

    round: int
    encounter: int
    """0: not paired."""
    opponent: int | None
    points: int
    """0 while it goes on."""
    worth: int
    """The most it can bring: nothing if it was annulled."""
    ending: Ending | None
    """None while it goes on, and where nobody played."""
    has_started: bool | None
    """Whether they had the first turn; None if nobody has, or the bidding goes on."""
    is_over: bool = True
    """Whether it counts: it has ended, and was not annulled."""

    @property
    def is_running(self) -> bool:
        """Whether a game has no result yet: it goes on, or is still to begin."""
        return self.ending is None and self.opponent is not None

    @property
    def is_bye(self) -> bool:
        """Whether they were left without an opponent."""
        return self.opponent is None and self.encounter > 0

    @property
    def is_absent(self) -> bool:
        """Whether they were not paired in this round at all."""
        return self.encounter == 0


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The lines of a table, by entrant, each in the order of the rounds.

    Two sheets are never the same: what was counted of one is found again by it (``tie_breaks``).
    """

    stage: str
    lines: dict[int, tuple[Line, ...]]
    points: dict[int, int]
    """What each has, in halves."""
    is_fixed: bool
    """Whether the pairings were known beforehand (``FIXED``)."""


def stages(event: Event) -> tuple[str, ...]:
    """The tables of an event, in the order of their first encounters; one, if none is named."""
    if event.charter.format == "knockout":
        return ("",)
    return tuple(dict.fromkeys(each.stage for each in event.encounters)) or ("",)


def sheet_of(event: Event, stage: str = "") -> Sheet:
    """The sheet of one table. A knock-out has one, whatever its matches are for."""
    format_ = event.charter.format
    encounters = [each for each in event.encounters if each.stage == stage or format_ == "knockout"]
    lines: dict[int, list[Line]] = {number: [] for number in _members(event, stage, encounters)}
    for each in encounters:
        if each.away is None:
            if format_ not in WITHOUT_BYES:
                lines[each.home] += _bye(event, each)
            continue
        is_bid = event.charter.meeting == "bid" or each.has_bid
        for game in each.games:
            gold, black = _lines(each, game, is_bid)
            lines[game.gold].append(gold)
            lines[game.black].append(black)
    if format_ == "swiss":
        for number, own in lines.items():
            lines[number] = _with_absences(own, event)
    return Sheet(
        stage=stage,
        lines={number: tuple(own) for number, own in lines.items()},
        points={number: sum(line.points for line in own) for number, own in lines.items()},
        is_fixed=format_ in FIXED,
    )


def _members(event: Event, stage: str, encounters: Iterable[Encounter]) -> list[int]:
    """Who is in a table: all who were ever paired in it; all who take part, if it is the only one.

    Who left before the first pairing was never in it.
    """
    paired = {number for each in encounters for number in each.entrants}
    is_only = stage == "" and all(each.stage == "" for each in event.encounters)

    def is_member(entrant: Entrant) -> bool:
        return entrant.number in paired or (is_only and entrant.is_in)

    return [entrant.number for entrant in event.entrants if is_member(entrant)]


def _bye(event: Event, each: Encounter) -> Iterator[Line]:
    points = BYE_POINTS[event.charter.bye_worth]
    for _ in range(event.charter.games):
        yield Line(each.round, each.number, None, points, WIN, None, None)


def _lines(each: Encounter, game: EventGame, is_bid: bool) -> tuple[Line, Line]:
    """The line of Gold and that of Black."""
    round_, number, result = each.round, each.number, game.result
    if result is None:
        gold_starts = None if is_bid else True
        other = None if is_bid else False
        return (
            Line(round_, number, game.black, 0, WIN, None, gold_starts, False),
            Line(round_, number, game.gold, 0, WIN, None, other, False),
        )
    ending, starts = result.ending, result.starter == "gold"
    if ending == "void":
        return (
            Line(round_, number, game.black, 0, 0, ending, starts, False),
            Line(round_, number, game.gold, 0, 0, ending, not starts, False),
        )
    return (
        Line(round_, number, game.black, result.gold, WIN, ending, starts),
        Line(round_, number, game.gold, result.black, WIN, ending, not starts),
    )


def _with_absences(lines: list[Line], event: Event) -> list[Line]:
    """The lines with those of the rounds in which they were not paired, in order."""
    present = {line.round for line in lines}
    absent = [
        Line(round_, 0, None, 0, WIN, None, None)
        for round_ in range(1, event.round + 1)
        if round_ not in present
        for _ in range(event.charter.games)
    ]
    return sorted(lines + absent, key=lambda line: line.round) if absent else lines
