"""Every reason for a pairing has a sentence, in every language, with names and points in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from string import Formatter
from typing import Any, get_args

import pytest

import pbem.tournaments
from pbem.catalogues import get_tongue
from pbem.play.events.saying_why import SENTENCES, say_why
from pbem.tongue import ENGLISH, Tongue
from pbem.tournaments import round_robin, swiss
from pbem.tournaments.event import Answer, Event, Why
from pbem.tournaments.weighing import Cost
from pbem.tournaments.why_not import why_not
from tests.tournaments.events import at_random, made, paired, played
from tests.tournaments.simulating import STARTS, opened, simulate

NAMES = {number: f"Player{number}" for number in range(1, 40)}
MADE_FROM_PARTS = {
    *(
        f"{about}_{how}"
        for about in ("start", "house")
        for how in ("balances", "alternates", "by_lot", "foreseen")
    ),
    *(f"worse_{level}" for level in Cost._fields),
    *(f"challenge_{answer}" for answer in get_args(Answer)),
}


def given() -> Iterator[str]:
    """Every code that is handed to ``Why`` as it stands."""
    for path in Path(pbem.tournaments.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("Why"), [ast.Constant(str() as code), *_]):
                    yield code
                case ast.Call(ast.Name("Why"), [ast.IfExp(_, body, orelse), *_]):
                    for branch in (body, orelse):
                        assert isinstance(branch, ast.Constant)
                        yield str(branch.value)


def test_every_code_has_a_sentence() -> None:
    assert set(given()) | MADE_FROM_PARTS <= set(SENTENCES)


def whys() -> Iterator[Why]:
    for meeting in ("single", "bid", "pair"):
        for count in (4, 7):
            event: Event = made(count, meeting=meeting)
            for number in range(6):
                found = swiss.pair(event, seed=bytes([number]))
                yield from (why for each in found for why in each.why)
                for other in range(2, count + 1):
                    yield from why_not(event, found, 1, other)
                event = played(paired(event, found), at_random(Random(number), running=0.2))
        event = made(5, format="round_robin", meeting=meeting, cycles=2, group_size=3)
        found = round_robin.schedule(event, seed=b"seed")
        yield from (why for each in found for why in each.why)
        for other in range(2, 6):
            yield from why_not(event, found, 1, other)


@pytest.mark.parametrize("tongue", [ENGLISH, get_tongue("nl")], ids=["en", "nl"])
def test_every_reason_can_be_said_with_its_facts(tongue: Tongue) -> None:
    said = {why.code: say_why(why, NAMES, tongue=tongue) for why in whys()}
    assert len(said) > 30
    for code, sentence in said.items():
        assert sentence.endswith(".")
        assert "{" not in sentence
        named = {name for _, name, _, _ in Formatter().parse(SENTENCES[code])}
        assert ("Player" in sentence) == bool(named & {"entrant", "starter", "down", "other"})


FORMATS: dict[str, dict[str, Any]] = {
    "knockout": {"third_place": True},
    "knockout, thematic": {"format": "knockout", "agreement": {"position": "x"}},
    "league": {"size": 4, "rounds": 3},
    "ladder": {},
    "teams": {"boards": 3, "pace": "rounds"},
}


@pytest.mark.parametrize("tongue", [ENGLISH, get_tongue("nl")], ids=["en", "nl"])
@pytest.mark.parametrize("format_", FORMATS)
def test_every_reason_of_the_other_formats_can_be_said(format_: str, tongue: Tongue) -> None:
    names = {number: f"Player{number}" for number in range(1, 100)}
    said = set()
    for seed, meeting in enumerate(("single", "bid", "pair")):
        charter: dict[str, Any] = {"format": format_, "meeting": meeting, **FORMATS[format_]}
        event = opened(13, team_size=3 if format_ == "teams" else 0, **charter)
        until = STARTS + timedelta(days=200) if format_ == "ladder" else None
        late = 0.02 if format_ == "league" else 0.0
        world = simulate(event, seed, until=until, leaving=0.003, late=late, draw=0.4)
        for each in world.event.encounters:
            for why in each.why:
                sentence = say_why(why, names, tongue=tongue)
                assert sentence.endswith(".")
                assert "{" not in sentence
                said.add(why.code)
    assert len(said) > 4


@pytest.mark.parametrize(
    ("halves", "said"),
    [(0, "0 points"), (1, "½ point"), (2, "1 point"), (3, "1½ points"), (4, "2 points")],
)
def test_points_are_written_as_people_write_them(halves: int, said: str) -> None:
    why = Why("same_score", {"entrant": 3, "other": 7, "points": halves})
    assert say_why(why, NAMES, tongue=ENGLISH) == f"Both have {said}."


def test_the_other_of_two_may_be_a_team() -> None:
    why = Why("team_board", {"team": "Owls", "other": "Hawks", "board": 2})
    assert say_why(why, NAMES, tongue=ENGLISH) == (
        "Owls meets Hawks, and these two play on board 2."
    )
