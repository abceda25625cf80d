"""Mail trips over 200 random games: ``python deploy/bench/trips.py [--json]``.

How many defences were asked about, and how many questions nobody had to be sent: because nothing
could be paid for (R6.2), because a standing rule answered (N3), because a plan went on by itself
(N2). Half of the players write plans behind most attacks, half leave rules now and then.
"""

from __future__ import annotations

from random import Random

from measuring import Figure, at_least, report, shown

from pbem.games.base import Start, Trips
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.sampling import Habits, submit_thriftily

GAMES = 200
MAX_ENTRIES = 400
PLANS = 0.7
RULES = 0.05


def play(number: int) -> tuple[int, Trips]:
    """One game to its end: how many submissions it took, and its trips."""
    game, rng = Ortus(), Random(number)
    options = {"level": LEVELS[number % 5], "dice": ("clean", "dicey")[number // 5 % 2]}
    state = game.start(Start(f"trips{number}", options, rng.randbytes(32)))
    habits = [
        Habits(plans=PLANS * (number // 2 % 2 ^ seat), rules=RULES * (number // 4 % 2 ^ seat))
        for seat in (0, 1)
    ]
    trips, submissions = Trips(), 0
    while (requests := game.requests(state)) and submissions < MAX_ENTRIES:
        entry, done = submit_thriftily(rng, game, state, habits[requests[0].seat])
        trips += game.trips(done.events, entry.seat)
        state = done.state
        submissions += 1
    return submissions, trips


def figures() -> list[Figure]:
    played = [play(number) for number in range(GAMES)]
    trips = sum((trips for _, trips in played), Trips())
    avoidable = trips.asked + trips.saved
    return [
        shown("games", GAMES, "games"),
        shown("submissions", sum(count for count, _ in played) / GAMES, "a game"),
        shown("defences asked about", trips.asked, "questions"),
        shown("defences asked about", trips.asked / GAMES, "a game"),
        at_least("avoided: nothing could be paid for (R6.2)", trips.unaffordable, "questions", 1),
        at_least("avoided: a standing rule answered (N3)", trips.by_rules, "questions", 1),
        at_least("avoided: a plan went on (N2)", trips.by_plans, "questions", 1),
        shown("avoided, of all", 100 * trips.saved / avoidable, "per cent"),
    ]


if __name__ == "__main__":
    report(figures())
