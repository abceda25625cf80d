"""Vectors: the right ones agree, and a figure changed anywhere is a difference."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.games.ortus.conformance import compare

FILE = Path(__file__).parents[1] / "data" / "vectors" / "ortus-own.jsonl"


@cache
def vectors() -> list[dict[str, Any]]:
    found = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        vector = json.loads(line)
        vector["steps"] = vector["steps"][:3]
        found.append(vector)
    return found


def figures(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where in a vector numbers stand."""
    if isinstance(value, dict):
        return [place for key in value for place in figures(value[key], (*path, key))]
    if isinstance(value, list):
        return [place for key in range(len(value)) for place in figures(value[key], (*path, key))]
    return [path] if isinstance(value, int) and not isinstance(value, bool) else []


@pytest.mark.parametrize("number", range(12))
def test_a_changed_figure_is_a_difference(number: int) -> None:
    rng = Random(number)
    vector = copy.deepcopy(rng.choice(vectors()))
    assert list(compare(vector)) == []
    place = rng.choice([path for path in figures(vector) if path[0] == "steps" and "after" in path])
    value: Any = vector
    for key in place[:-1]:
        value = value[key]
    value[place[-1]] += 1
    found = list(compare(vector))
    assert [difference.step for difference in found] == [place[1] + 1]
    assert found[0].field == f"after.{place[3]}"


def test_a_level_that_the_position_does_not_have_is_a_difference() -> None:
    vector = copy.deepcopy(next(found for found in vectors() if "position" in found["start"]))
    vector["start"]["level"] = "other"
    assert [difference.field for difference in compare(vector)] == ["form"]


def changed(place: str, value: Any, *, dicey: bool) -> dict[str, Any]:
    """A vector from set-ups, or a dicey one, that begins with an attack; one entry is changed."""
    for found in vectors():
        start, first = found["start"], found["steps"][0]
        if start["dicey"] == dicey and ("roll" in first if dicey else "gold_setup" in start):
            vector = copy.deepcopy(found)
            part = vector["start"] if place in start else vector["steps"][0]
            part[place] = value(part.get(place)) if callable(value) else value
            return vector
    raise AssertionError("our own vectors have such a start")


@pytest.mark.parametrize(
    ("place", "value", "dicey"),
    [
        ("gold_setup", lambda setup: setup + "W", False),
        ("black_setup", "WWWWWWWW", False),
        ("starter_energy", 8, False),
        ("handicap", {"gold": 5, "black": 0}, False),
        ("handicap", {"gold": "2", "black": 0}, False),
        ("dicey", 0, False),
        ("roll", 3, False),
        ("roll", -1, True),
        ("roll", 6, True),
        ("roll", None, True),
        ("act", str.lower, True),
        ("act", lambda act: act + ".", True),
    ],
)
def test_a_start_or_step_that_cannot_be_is_a_difference(
    place: str, value: Any, dicey: bool
) -> None:
    found = list(compare(changed(place, value, dicey=dicey)))
    assert [difference.field for difference in found] == ["form"]


def test_an_answer_for_somebody_who_was_not_attacked_is_a_difference() -> None:
    vector = copy.deepcopy(
        next(found for found in vectors() if any("decide" in step for step in found["steps"]))
    )
    answer = next(step for step in vector["steps"] if "decide" in step)
    answer["decide"] += " A8+"
    assert [difference.field for difference in compare(vector)] == ["form"]


JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**9,
    1.5,
    "",
    "x",
    "end",
    [],
    {},
    [[]],
    "G4+ G5-",
    "\x00",
    [None],
)


@pytest.mark.parametrize("number", range(60))
def test_a_broken_vector_is_a_difference_or_none_and_never_an_error(number: int) -> None:
    rng = Random(number)
    vector = copy.deepcopy(rng.choice(vectors()))
    places: list[tuple[Any, Any]] = []

    def gather(value: Any) -> None:
        for key in value if isinstance(value, dict) else range(len(value)):
            places.append((value, key))
            if isinstance(value[key], dict | list):
                gather(value[key])

    gather(vector)
    value, key = rng.choice(places)
    value[key] = rng.choice(JUNK)
    list(compare(vector))
