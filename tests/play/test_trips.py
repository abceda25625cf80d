"""Mail trips: what is asked and what need not be (R6.2, N2, N3), counted in every game alike."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from pbem.games.base import Entry, Event, Start, Trips
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.sampling import Habits, submit_thriftily
from pbem.play.verification import replay_log
from tests.ortus.drawing import HOUSES
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import RULES, Club

SHOT = "W1 rng I4"
THRIFTY = Habits(plans=0.8, rules=0.1)


def play(number: int, habits: Habits) -> tuple[list[Entry], list[tuple[Event, ...]], Trips]:
    """A random game with its log, what happened, and its trips."""
    rng = Random(number)
    options = {"level": LEVELS[number % 5]}
    state = RULES.start(Start(f"trips{number}", options, bytes([number]) * 32))
    log: list[Entry] = []
    events: list[tuple[Event, ...]] = []
    trips = Trips()
    while RULES.requests(state) and len(log) < 400:
        entry, done = submit_thriftily(rng, RULES, state, habits)
        log.append(entry)
        events.append(done.events)
        trips += RULES.trips(done.events, entry.seat)
        state = done.state
    return log, events, trips


def names(events: Sequence[tuple[Event, ...]]) -> list[str]:
    return [event.name for batch in events for event in batch]


def test_every_way_saves_mails() -> None:
    thrifty, plain = Trips(), Trips()
    for number in range(15):
        log, events, trips = play(number, THRIFTY)
        start = Start(f"trips{number}", {"level": LEVELS[number % 5]}, bytes([number]) * 32)
        assert RULES.replay(start, log)[1] == events
        assert trips.asked == names(events).count("defence_asked")
        assert trips.by_rules == names(events).count("rules_answered")
        thrifty += trips
        plain += play(number, Habits())[2]
    assert min(thrifty.asked, thrifty.unaffordable, thrifty.by_rules, thrifty.by_plans) > 0
    assert (plain.by_rules, plain.by_plans) == (0, 0)
    assert plain.unaffordable > 0, "R6.2 needs nobody's help"


def test_every_question_is_asked_or_saved() -> None:
    """Each attack that is judged is one question, whoever answers it in the end."""
    for number in range(5):
        _, events, trips = play(number, THRIFTY)
        decided = names(events).count("defended")
        pending = names(events).count("defence_asked") + trips.unaffordable + trips.by_rules
        assert pending - decided in (0, 1)


@pytest.mark.parametrize(
    ("place", "sent", "counted"),
    [
        ({}, [("gold", SHOT)], Trips(asked=1)),
        ({"energy": (14, 3)}, [("gold", SHOT)], Trips(unaffordable=1)),
        ({}, [("black", "standing: fall all"), ("gold", SHOT)], Trips(by_rules=1)),
        ({}, [("gold", f"{SHOT}; end"), ("black", "I4-")], Trips(asked=1, by_plans=1)),
        ({}, [("gold", SHOT), ("black", "I4-"), ("gold", "end")], Trips(asked=1)),
        ({"energy": (14, 3)}, [("gold", f"{SHOT}; end")], Trips(unaffordable=1)),
    ],
)
def test_trips_of_a_stored_game(
    club: Club, place: dict[str, Any], sent: list[tuple[str, str]], counted: Trips
) -> None:
    match = club.study(TWO_ARCHERS | place)
    for hours, (house, text) in enumerate(sent):
        match.send(house, text, hours)
    assert match.stored.trips == counted
    match.verify()


def test_stored_games_count_like_the_rules(club: Club) -> None:
    """The trips of a stored game are those of its log, played by whichever way."""
    match = club.start(level="master")
    rng, trips = Random(3), Trips()
    for hours in range(60):
        state = match.state
        if not RULES.requests(state):
            break
        entry, done = submit_thriftily(rng, RULES, state, THRIFTY)
        trips += RULES.trips(done.events, entry.seat)
        match.send(HOUSES[entry.seat or 0], entry.text, hours / 10)
    assert match.stored.trips == trips
    assert trips.saved > 0
    course, _ = replay_log(match.stored.start.seed, match.entries())
    assert course.trips == trips
