"""What may become of teams, by many trials: open boards end by chance, as in ``simulation``.

Matches that are still to be paired are even on every board. Points of matches decide, then those of
boards, then a lot.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.tournaments import circle
from pbem.tournaments.event import WIN, Event
from pbem.tournaments.sheets import sheet_of
from pbem.tournaments.simulation import chances, draws_of, odds_of, play, trials_for
from pbem.tournaments.team_table import team_table
from pbem.tournaments.teams import TeamMatch, matches, rounds_of


@dataclass(frozen=True, slots=True)
class TeamTrials:
    """In how many trials each team had one of the first places, and what points allow.

    Teams are by their numbers in ``team_table``; ``least`` and ``most`` are points from matches.
    """

    good: dict[int, int]
    trials: int
    open_games: int
    least: dict[int, int]
    most: dict[int, int]


@dataclass(frozen=True, slots=True)
class _Match:
    """A match that is open: its teams, what their boards have brought, and how games may end."""

    sides: tuple[int, int]
    boards: tuple[int, int]
    odds: tuple[tuple[bool, tuple[int, int]], ...]
    """For each game whether Gold is of the first team, and how often Gold wins and draws."""


def team_trials(event: Event, places: int) -> TeamTrials:
    """Many trials of what is open."""
    table = team_table(event)
    numbers = {team: number for number, team in enumerate(event.teams, start=1)}
    played = matches(event)
    draws = draws_of(sheet_of(event))
    open_ = [_opened(event, each, numbers, draws) for each in played if not each.is_over]
    open_ += _unpaired(event, draws)
    games = sum(len(each.odds) for each in open_)
    trials = trials_for(games)
    least = dict(table.table.sheet.points)
    most = dict(least)
    settled = dict(table.board_points)
    for match in open_:
        for side, boards in zip(match.sides, match.boards, strict=True):
            most[side] += WIN
            settled[side] -= boards
    good = dict.fromkeys(least, 0)
    chance = chances(f"{event.id}/{event.acts}/teams/{places}".encode())
    for _ in range(trials):
        points, boards_of = dict(least), dict(settled)
        for match in open_:
            found = dict(enumerate(match.boards))
            for is_first_gold, likely in match.odds:
                play(found, (0, 1) if is_first_gold else (1, 0), likely, next(chance))
            for side, number in enumerate(match.sides):
                boards_of[number] += found[side]
                points[number] += 1 + (found[side] > found[1 - side])
                points[number] -= found[side] < found[1 - side]
        ranked = sorted(points, key=lambda each: (-points[each], -boards_of[each], next(chance)))
        for number in ranked[:places]:
            good[number] += 1
    return TeamTrials(good, trials, games, least, most)


def _opened(event: Event, match: TeamMatch, numbers: dict[str, int], draws: float) -> _Match:
    odds = []
    for number in match.encounters:
        for game in event.encounter(number).games:
            if game.result is None:
                gold, black = event.entrant(game.gold), event.entrant(game.black)
                likely = odds_of(gold.rating - black.rating, draws)
                odds.append((gold.team == match.teams[0], likely))
    sides = numbers[match.teams[0]], numbers[match.teams[1]]
    return _Match(sides, match.board_points, tuple(odds))


def _unpaired(event: Event, draws: float) -> list[_Match]:
    """Matches of rounds that are still to be paired."""
    if event.phase in ("over", "cancelled") or event.charter.pace != "rounds" or not event.round:
        return []
    count = event.charter.boards * event.charter.games
    odds = ((True, odds_of(0, draws)),) * count
    later = circle.table(len(event.teams), cycles=event.charter.cycles)
    return [
        _Match((one + 1, other + 1), (0, 0), odds)
        for pairs in later[event.round : rounds_of(event)]
        for one, other in pairs
    ]
