"""Whole events as logs: what the acts come to is what happened, also read back from plain text."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournaments.acts import Act, apply, fold
from pbem.tournaments.charter_plain import charter_to_plain
from pbem.tournaments.event import Event
from tests.tournaments.simulating import OPENED, STARTS, Chances, World, opened
from tests.tournaments.test_progress import DAY, FORMATS


@dataclass
class Logged(World):
    """A world that keeps the log of its event, and holds both against each other."""

    acts: list[Act] = field(default_factory=list)
    folded: Event | None = None

    def note(self, name: str, **facts: Any) -> None:
        facts = json.loads(json.dumps(facts))
        act = Act(
            len(self.acts) + 1,
            self.now,
            1 if name in ("made", "opened") else None,
            name,
            player=facts.pop("player", None),
            reason=facts.pop("reason", ""),
            facts=facts,
        )
        self.acts.append(act)
        self.folded = fold("e", [act]) if self.folded is None else apply(self.folded, act)

    def begin_log(self) -> None:
        """The acts by which the event came to be as it is."""
        self.note("made", charter=charter_to_plain(self.event.charter))
        self.note("opened")
        for each in self.event.entrants:
            self.note("entered", player=each.player_id, rating=each.rating, team=each.team)


def plain(event: Event | None) -> Event:
    """An event without what only a log knows."""
    assert event is not None
    entrants = tuple(
        replace(each, holders=(), active_at=each.active_at if event.ladder else None)
        for each in event.entrants
    )
    return replace(event, acts=0, directors=(), entrants=entrants)


@pytest.mark.parametrize("terms", FORMATS, ids=lambda terms: "-".join(map(str, terms.values())))
@settings(max_examples=5, deadline=None)
@given(count=st.integers(5, 24), seed=st.integers(0, 2**32))
def test_the_log_comes_to_what_happened(terms: dict[str, Any], count: int, seed: int) -> None:
    event = opened(count, team_size=3 if terms["format"] == "teams" else 0, **terms)
    late = 0.02 if terms["format"] in ("swiss", "league", "ladder") else 0.0
    until = STARTS + 200 * DAY if terms["format"] == "ladder" else None
    chances = Chances(leaving=0.002, late=late)
    world = Logged(event, Random(seed), chances, now=OPENED, until=until)
    world.watch = lambda before, made: _agree(world)
    world.begin_log()
    world.run()
    _agree(world)
    assert fold("e", world.acts) == world.folded


def _agree(world: Logged) -> None:
    assert plain(world.folded) == plain(world.event)
