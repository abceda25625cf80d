"""What may become of a table, by many trials: for when there are too many ways to go through.

In a trial each open game ends by chance, by the ratings with which the two entered and with as many
draws as the event has had; rounds of a Swiss event that are still to be paired bring together those
with equal points. Points decide, and between those who are level a lot does: tie-breaks are not
counted. Chance comes from a seed, so that the same question has the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import shake_256
from typing import Final

from pbem.tournaments.event import DRAW, WIN, Event
from pbem.tournaments.sheets import Sheet

MOST_WORK: Final = 250_000
"""About so many games and places are tried out."""
MOST_TRIALS: Final = 2000
LEAST_TRIALS: Final = 100
_SPREAD: Final = 400
"""So much more rating wins ten times as often."""
_USUAL_DRAWS: Final = (1, 10)
"""Taken to have been seen before an event's own games: one draw in ten."""
_ONE: Final = 1 << 16


def trials_for(work: int) -> int:
    """How often something is tried out that takes so much work: open games and entrants."""
    return max(LEAST_TRIALS, min(MOST_TRIALS, MOST_WORK // max(work, 1)))


def shares(
    event: Event, sheet: Sheet, *, rounds_left: int, places: int, excluded: Sequence[int]
) -> tuple[dict[int, int], int]:
    """In how many trials each had one of the first places, and how many trials there were."""
    games = [
        (number, line.opponent)
        for number, lines in sheet.lines.items()
        for line in lines
        if line.is_running and line.opponent is not None and number < line.opponent
    ]
    per_round = len(sheet.lines) // 2 * event.charter.games * rounds_left
    trials = trials_for(len(games) + per_round + len(sheet.lines))
    found = dict.fromkeys(sheet.lines, 0)
    chance = chances(f"{event.id}/{event.acts}/{sheet.stage}/{places}".encode())
    ratings = {each.number: each.rating for each in event.entrants}
    draws = draws_of(sheet)
    odds = [(both, odds_of(ratings[both[0]] - ratings[both[1]], draws)) for both in games]
    playing = [number for number in sheet.lines if event.entrant(number).is_in]
    for _ in range(trials):
        points = dict(sheet.points)
        for both, likely in odds:
            play(points, both, likely, next(chance))
        for _ in range(rounds_left):
            _round(points, playing, chance, ratings=ratings, draws=draws, games=event.charter.games)
        ranked = sorted(
            (number for number in points if number not in excluded),
            key=lambda number: (-points[number], next(chance)),
        )
        for number in ranked[:places]:
            found[number] += 1
    return found, trials


def _round(
    points: dict[int, int],
    playing: Sequence[int],
    chance: Iterator[int],
    *,
    ratings: dict[int, int],
    draws: float,
    games: int,
) -> None:
    """One more round: neighbours by points meet, and who is left over has a win."""
    ranked = sorted(playing, key=lambda number: (-points[number], next(chance)))
    for both in zip(ranked[::2], ranked[1::2], strict=False):
        likely = odds_of(ratings[both[0]] - ratings[both[1]], draws)
        for _ in range(games):
            play(points, both, likely, next(chance))
    if len(ranked) % 2:
        points[ranked[-1]] += WIN * games


def play(
    points: dict[int, int], both: tuple[int, int], likely: tuple[int, int], thrown: int
) -> None:
    """Let a game end by a number below 65536."""
    (one, other), (win, draw) = both, likely
    if thrown < win:
        points[one] += WIN
    elif thrown < win + draw:
        points[one] += DRAW
        points[other] += DRAW
    else:
        points[other] += WIN


def draws_of(sheet: Sheet) -> float:
    """How many games of a table are drawn, as far as can be told."""
    drawn, all_ = _USUAL_DRAWS
    for lines in sheet.lines.values():
        for line in lines:
            if line.is_over and line.opponent is not None:
                all_ += 1
                drawn += line.points == DRAW
    return drawn / all_


def odds_of(better: int, draws: float) -> tuple[int, int]:
    """How often the first of two wins and draws, of 65536."""
    expected = 1 / (1 + 10 ** (-better / _SPREAD))
    draw = min(draws, 2 * expected, 2 * (1 - expected))
    return round(_ONE * (expected - draw / 2)), round(_ONE * draw)


def chances(seed: bytes) -> Iterator[int]:
    """Numbers below 65536 that nobody chose."""
    block = 0
    while True:
        data = shake_256(seed + block.to_bytes(8, "big")).digest(1 << 14)
        yield from memoryview(data).cast("H")
        block += 1
