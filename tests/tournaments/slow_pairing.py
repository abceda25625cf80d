"""What a Swiss round must be, by trying every round there is. Slow, and written from the text of
docs/tournaments.md alone: it shares nothing with what pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from pbem.tournaments.event import Event

Round = tuple[tuple[int, int | None], ...]


def every_round(numbers: Sequence[int | None]) -> Iterator[Round]:
    """All ways to pair all; None is the bye."""
    if not numbers:
        yield ()
        return
    first, *others = numbers
    for other in others:
        for rest in every_round([each for each in others if each != other]):
            assert first is not None
            yield ((first, other), *rest)


def present(event: Event) -> list[int]:
    return [
        each.number
        for each in event.entrants
        if each.standing == "in" and each.first_round <= event.round + 1
    ]


def meetings(event: Event, one: int, other: int) -> int:
    return sum({one, other} == set(each.entrants) for each in event.encounters)


def byes(event: Event, number: int) -> int:
    return sum(each.home == number and each.away is None for each in event.encounters)


def golds(event: Event, number: int) -> int:
    """Games as Gold less games as Black."""
    games = [game for each in event.encounters for game in each.games]
    return sum(game.gold == number for game in games) - sum(game.black == number for game in games)


def points(event: Event, number: int) -> int:
    """In halves; what goes on is a draw."""
    found = 0
    for each in event.of_entrant(number):
        if each.away is None:
            found += event.bye_points()
        for game in each.games:
            brought = game.points_of(number)
            found += 1 if brought is None else brought
    return found


def standing(event: Event) -> list[int]:
    """Who can be paired, by points and then seeding."""
    return sorted(
        present(event),
        key=lambda number: (
            -points(event, number),
            -event.entrants[number - 1].rating,
            number,
        ),
    )


def judged(event: Event, rounds: Iterator[Round]) -> dict[Round, tuple[int, ...]]:
    """For each round its faults, what weighs most first: meetings again, how recent they are,
    byes again, balance lost, how high the bye stands, differences of points."""
    order = standing(event)
    counts = event.charter.meeting != "pair"
    tilt = {number: golds(event, number) if counts else 0 for number in order}
    score = {number: points(event, number) for number in order}
    again = {
        (one, other): meetings(event, one, other) for one, other in combinations(sorted(order), 2)
    }
    last = {
        (min(each.entrants), max(each.entrants)): each.round
        for each in event.encounters
        if each.away is not None
    }
    had = {number: byes(event, number) for number in order}
    below = {number: len(order) - 1 - index for index, number in enumerate(order)}

    def lost(one: int, other: int) -> int:
        """Balance lost: who has been Gold less often is Gold."""
        gold, black = sorted((tilt[one], tilt[other]))
        return max(0, abs(gold + 1) - 1) + max(0, abs(black - 1) - 1)

    def faults(found: Round) -> tuple[int, ...]:
        pairs = [(min(a, b), max(a, b)) for a, b in found if b is not None]
        free = [a for a, b in found if b is None]
        return (
            sum(again[pair] ** 2 for pair in pairs),
            sum(last.get(pair, 0) for pair in pairs),
            sum(had[number] ** 2 for number in free),
            sum(lost(*pair) for pair in pairs) if counts else 0,
            sum(below[number] for number in free),
            sum((score[a] - score[b]) ** 2 for a, b in pairs),
        )

    return {found: faults(found) for found in rounds}


def best_faults(event: Event) -> tuple[int, ...]:
    """The faults of the best of all rounds."""
    numbers: list[int | None] = [*present(event)]
    if len(numbers) % 2:
        numbers.append(None)
    return min(judged(event, every_round(numbers)).values())


def faults_of(event: Event, found: Round) -> tuple[int, ...]:
    """The faults of one round."""
    return judged(event, iter([found]))[found]
