"""Replaying conformance vectors: what a vector says against what these rules say.

A vector is one decoded line of a ``.jsonl`` file; its form is in ``docs/conformance.md``. Owns the
comparison only; reading the file is the caller's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from notation.errors import NotationError
from notation.orders import Decision, Step
from notation.position_line import parse_position
from notation.reading import parse_order, parse_orders
from pbem.games.ortus.actions import ATTACKS
from pbem.games.ortus.arena import Arena, ArenaError, get_arena, make_arena
from pbem.games.ortus.figures import (
    COLLECTING,
    ELEMENTS,
    HANDICAP_BOARDS,
    HOUSE_NAMES,
    LEVELS,
    STARTER_ENERGY,
)
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.hexes import find_hex_name, hex_name
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.orders import action_text, to_action
from pbem.games.ortus.position import Position, Rules, from_line, opening
from pbem.games.ortus.turn import decide, perform

_LAST_FACE: Final = 5
_MAX_EXTRA: Final = 4


@dataclass(frozen=True, slots=True)
class Difference:
    """One disagreement: which vector, which step (0 is the start), which field, and the values."""

    vector: str
    step: int
    field: str
    expected: object
    got: object


def compare(vector: Mapping[str, Any]) -> Iterator[Difference]:
    """All differences of a vector; after one in a step the later steps are not compared."""
    name = str(vector.get("id", "?"))
    step = 0
    try:
        position = start_position(vector["start"])
        texts = legal_texts(position)
        if "legal" in vector and texts != list(vector["legal"]):
            yield _legal_difference(name, vector["legal"], texts)
            return
        for step, entry in enumerate(vector["steps"], start=1):
            before = [Difference(name, step, *found) for found in _compare_legal(position, entry)]
            position = _play(position, entry)
            after = [
                Difference(name, step, f"after.{field}", entry["after"].get(field), got)
                for field, got in describe(position).items()
                if entry["after"].get(field) != got
            ]
            yield from before + after
            if before or after:
                return
    except (Illegal, NotationError, ArenaError) as error:
        yield Difference(name, step, "legality", "a legal step", str(error))
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        yield Difference(name, step, "form", "a vector", f"{type(error).__name__}: {error}")


def _legal_difference(name: str, expected: list[str], got: list[str]) -> Difference:
    missing = sorted(set(expected) - set(got))
    extra = sorted(set(got) - set(expected))
    if missing or extra:
        return Difference(name, 0, "legal", f"also {missing[:5]}", f"also {extra[:5]}")
    return Difference(name, 0, "legal", "sorted without repeats", "the same actions")


def _compare_legal(
    position: Position, entry: Mapping[str, Any]
) -> Iterator[tuple[str, object, object]]:
    if "act" not in entry:
        return
    texts = legal_texts(position)
    if "legal" in entry and entry["legal"] != len(texts):
        yield "legal", entry["legal"], len(texts)
    digest = legal_digest(texts)
    if "legal_digest" in entry and entry["legal_digest"] != digest:
        yield "legal_digest", entry["legal_digest"], digest


def legal_texts(position: Position) -> list[str]:
    """All legal actions in canonical notation, in plain string order."""
    return sorted(action_text(position, action) for action in legal_actions(position))


def legal_digest(texts: list[str]) -> str:
    """The short digest of a list of legal actions that vectors carry."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def _play(position: Position, entry: Mapping[str, Any]) -> Position:
    if "decide" in entry:
        return decide(position, _saves(position, parse_orders(entry["decide"])))
    action = to_action(position, parse_order(entry["act"]))
    if action_text(position, action) != entry["act"]:
        raise ValueError(f"{entry['act'][:40]!r} is not in canonical notation")
    is_rolled = position.rules.dicey and action.verb in ATTACKS
    face = entry.get("roll")
    if is_rolled != (face is not None) or not (face is None or _is_figure(face, _LAST_FACE)):
        raise ValueError("a roll from 0 to 5 stands at each attack of a dicey game, nowhere else")
    return perform(position, action, face=face)


def _saves(position: Position, plan: tuple[Step, ...]) -> list[bool]:
    if position.question is None:
        raise Illegal("no_defence_open")
    answers = {
        step.order.victim: step.order.saved for step in plan if isinstance(step.order, Decision)
    }
    hexes = [hex_name(victim.hex) for victim in position.question.victims]
    if len(plan) != len(hexes) or set(answers) != set(hexes):
        raise ValueError(f"not one answer for each of {', '.join(hexes)}")
    return [answers[hex_] for hex_ in hexes]


def _is_figure(value: object, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def _check_start(start: Mapping[str, Any]) -> None:
    """Raise ValueError for a start that no game can have, whether or not it would matter later."""
    if not isinstance(start["dicey"], bool):
        raise ValueError("dicey is neither true nor false")
    for house, extra in start.get("handicap", {}).items():
        if house not in HOUSE_NAMES or not _is_figure(extra, _MAX_EXTRA):
            raise ValueError("a handicap is 0 to 4 for gold or black")
    if "position" in start:
        return
    for house in HOUSE_NAMES:
        setup = start[f"{house}_setup"]
        if not isinstance(setup, str) or sorted(setup) != sorted(ELEMENTS * 2):
            raise ValueError(f"{house}_setup is not two of each element")
    if not _is_figure(start["starter_energy"], STARTER_ENERGY):
        raise ValueError("starter_energy is not 0 to 7")


def start_position(start: Mapping[str, Any]) -> Position:
    """The position a vector starts from."""
    _check_start(start)
    arena = _arena(start)
    boards = start.get("handicap_board", {})
    extra = start.get("handicap", {})
    bonus = tuple(extra.get(house, 0) for house in HOUSE_NAMES)
    collecting = tuple(
        HANDICAP_BOARDS[boards[house]] if boards.get(house) else COLLECTING for house in HOUSE_NAMES
    )
    if "position" in start:
        line = parse_position(start["position"])
        if start.get("level", line.level) != line.level or line.arena != arena.name:
            raise ValueError("the position line has another level or arena than the start")
        return from_line(
            line,
            arena,
            dicey=start["dicey"],
            bonus=(bonus[0], bonus[1]),
            collecting=(collecting[0], collecting[1]),
        )
    rules = Rules(
        arena=arena,
        level=LEVELS.index(start["level"]),
        elements=(start["gold_setup"], start["black_setup"]),
        dicey=start["dicey"],
        bonus=(bonus[0], bonus[1]),
        collecting=(collecting[0], collecting[1]),
        starter=HOUSE_NAMES.index(start["starter"]),
    )
    return opening(rules, starter_energy=start["starter_energy"])


def _arena(start: Mapping[str, Any]) -> Arena:
    if "wells" in start:
        return make_arena(start["arena"], wells=start["wells"], cuts=start.get("cuts", ()))
    return get_arena(start["arena"])


def describe(position: Position) -> dict[str, object]:
    """A position in the words of a vector's ``after``."""
    energy: dict[str, int | None] = dict(zip(HOUSE_NAMES, position.energy, strict=True))
    if position.reason == "wells" and position.winner is not None:
        energy[HOUSE_NAMES[position.winner]] = None
    question = position.question
    facts: dict[str, object] = {
        "turn": position.round,
        "active": HOUSE_NAMES[position.active],
        "energy": energy,
        "honour": dict(zip(HOUSE_NAMES, position.honour, strict=True)),
        "guide": {
            house: find_hex_name(hex_)
            for house, hex_ in zip(HOUSE_NAMES, position.guide, strict=True)
        },
        "pending": question
        and [[hex_name(victim.hex), victim.power] for victim in question.victims],
        "winner": None if position.winner is None else HOUSE_NAMES[position.winner],
        "reason": position.reason,
    }
    for house, label in enumerate(HOUSE_NAMES):
        facts[label] = {
            position.rules.warrior_name(house, slot): find_hex_name(hex_)
            for slot, hex_ in enumerate(position.hexes[house])
        }
    return facts
