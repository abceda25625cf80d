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
