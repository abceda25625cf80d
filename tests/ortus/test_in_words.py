"""Random games in words: nothing raises, nothing leaks, and every answer on offer can be given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from notation.standing import parse_standing
from pbem.catalogues import get_tongue
from pbem.games.base import Accepted, Briefing, Event, Start
from pbem.games.ortus.following import follow
from pbem.games.ortus.sampling import Habits, submit_thriftily
from pbem.games.ortus.state import State
from pbem.tongue import ENGLISH, Tongue
from tests.ortus.games import GAME, VARIANTS

TONGUES = (ENGLISH, get_tongue("nl"))
WATCHERS = (0, 1, None)
LEFT_OPEN = ("{", "}", "  ", " .", "None", "-1")
"""What stands in a sentence when a fact is missing."""


def entries(
    number: int, options: dict[str, Any], *, count: int = 60
) -> Iterator[tuple[State, Accepted[State]]]:
    """States of a random game, each with what was done then."""
    rng = Random(number)
    state = GAME.start(Start(f"words-{number}", options, rng.randbytes(32)))
    while GAME.requests(state) and count:
        _, done = submit_thriftily(rng, GAME, state, Habits(plans=0.5, rules=0.2))
        yield state, done
        state, count = done.state, count - 1


def words(briefing: Briefing) -> Iterator[str]:
    yield briefing.headline
    yield from briefing.lines
    for answer in briefing.answers:
        yield answer.label
        yield from answer.leads_to


def check_sentences(sentences: list[str]) -> None:
    for said in sentences:
        assert said.strip() == said
        assert said[0] in "`" or not said[0].islower()
        assert not any(sign in said for sign in LEFT_OPEN), said


@pytest.mark.parametrize("tongue", TONGUES, ids=lambda tongue: tongue.language)
@pytest.mark.parametrize("number", range(5, len(VARIANTS)))
def test_everything_can_be_told_to_everybody(number: int, tongue: Tongue) -> None:
    for state, done in entries(number, VARIANTS[number], count=40):
        for watcher in WATCHERS:
            check_sentences(list(GAME.tell(state, done.events, watcher, tongue=tongue)))
            check_sentences(GAME.speak(done.state, watcher, tongue=tongue).splitlines())
            scene = GAME.scene(done.state, watcher, tongue=tongue, since=(state, done.events))
            assert scene.caption
        for seat in (0, 1):
            briefing = GAME.brief(state, seat, tongue=tongue)
            asked = [request.kind for request in GAME.requests(state) if request.seat == seat]
            assert ([briefing.kind] if briefing else []) == asked
            if briefing is not None:
                check_sentences(list(words(briefing)))


@pytest.mark.parametrize("number", range(5, len(VARIANTS)))
def test_every_answer_and_every_example_is_accepted(number: int) -> None:
    for state, _ in entries(number, VARIANTS[number]):
        for seat in (0, 1):
            briefing = GAME.brief(state, seat)
            if briefing is None:
                continue
            offered = [answer.text for answer in briefing.answers]
            assert len(set(offered)) == len(offered)
            assert offered or briefing.examples
            for text in (*offered, *briefing.examples):
                assert isinstance(GAME.submit(state, seat, text), Accepted), text


@pytest.mark.parametrize("number", range(5, len(VARIANTS)))
def test_an_answer_to_a_defence_leads_where_it_says(number: int) -> None:
    for state, _ in entries(number, VARIANTS[number]):
        position = state.position
        if position is None or position.question is None:
            continue
        defender = position.passive
        bare = replace(state, waiting=None, standing=((), ()), general=((), ()))
        briefing = GAME.brief(bare, defender)
        assert briefing is not None
        for answer in briefing.answers:
            done = GAME.submit(bare, defender, answer.text)
            assert isinstance(done, Accepted)
            after = done.state.position
            assert after is not None
            assert answer.leads_to[0] == f"{after.energy[defender]} Energy left."
            text = " ".join(answer.leads_to)
            gained = after.honour[1 - defender] != position.honour[1 - defender]
            assert ("honour" in text) == gained
            assert ("wins the game" in text) == (done.state.result is not None)
            assert ("you are asked again" in text) == (after.question is not None)


@pytest.mark.parametrize("number", [4, 9, 12])
def test_nothing_that_is_for_one_seat_reaches_another(number: int) -> None:
    secrets = 0
    for state, done in entries(number, VARIANTS[number]):
        for watcher in WATCHERS:
            public = [event for event in done.events if event.only_for in (None, watcher)]
            secrets += len(done.events) - len(public)
            assert GAME.tell(state, done.events, watcher) == GAME.tell(state, public, watcher)
        for seat in (0, 1):
            hidden = without_secrets_of(1 - seat, state)
            assert GAME.brief(hidden, seat) == GAME.brief(state, seat)
            assert GAME.speak(hidden, seat) == GAME.speak(state, seat)
            assert GAME.scene(hidden, seat) == GAME.scene(state, seat)
    assert secrets


def without_secrets_of(seat: int, state: State) -> State:
    """The same game for the other seat: other rules, no plan, another set-up as long as it is
    secret."""
    rules = list(state.standing)
    rules[seat] = parse_standing("fall all <=1")
    setups = list(state.setups)
    if None in setups and setups[seat] is not None:
        setups[seat] = "FFWWEEAA"
    waits = state.position is not None and state.position.active == seat
    return replace(
        state,
        standing=(rules[0], rules[1]),
        setups=(setups[0], setups[1]),
        waiting=None if waits else state.waiting,
    )


@pytest.mark.parametrize("number", [4, 9, 10])
def test_events_lead_from_board_to_board(number: int) -> None:
    first: State | None = None
    gathered: list[Event] = []
    for state, done in entries(number, VARIANTS[number]):
        first = first or state
        gathered += done.events
        last = list(follow(state, done.events))[-1]
        assert facts(last.after) == facts(done.state.position)
    assert first is not None
    assert facts(list(follow(first, gathered))[-1].after) == facts(done.state.position)


def facts(position: object) -> dict[str, object]:
    """What a board holds, to compare two of them; of like faces of a die one is as good."""
    slots = getattr(position, "__slots__", ())
    return {name: getattr(position, name) for name in slots if name not in {"rolled"}}


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_what_is_kept_for_the_other_seat_is_what_it_would_be_shown(number: int) -> None:
    """Boards and moments are kept by what they are of. Equal states are others, so copies of them
    are shown anew; all tongues and watchers are asked in between."""
    for state, done in entries(number, VARIANTS[number], count=25):
        for tongue in TONGUES:
            for watcher in WATCHERS:
                other, after = replace(state), replace(done.state)
                anew = GAME.scene(after, watcher, tongue=tongue, since=(other, done.events))
                since = (state, done.events)
                assert GAME.scene(done.state, watcher, tongue=tongue, since=since) == anew
                told = GAME.tell(state, done.events, watcher, tongue=tongue)
                assert told == GAME.tell(other, done.events, watcher, tongue=tongue)
        untold = GAME.scene(done.state, 0)
        assert untold == GAME.scene(replace(done.state), 0)
