"""A state as plain text for the store, and back. Only a cache: the log is the game.

What was agreed and the seed are not in it: they come with the ``Start``, so a stored position can
never disagree with them.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from notation.orders import Attack, Step
from notation.reading import parse_orders
from notation.standing import format_standing, parse_standing
from notation.writing import format_plan
from pbem.games.base import Result, Start
from pbem.games.ortus.hexes import BOARD, OFF_BOARD
from pbem.games.ortus.position import Position, Question, Rules, Victim
from pbem.games.ortus.state import State, Waiting, begin, rules_of

_encode: Final = json.JSONEncoder(separators=(",", ":")).encode
_BEFORE_BRACKET: Final = Attack("str", "W1", "G4")
"""A bracket stands behind an attack, so branches that wait are written behind this one."""

_PLAIN: Final = (
    "active",
    "round",
    "moved",
    "attacked",
    "owed",
    "returning",
    "guide_return_used",
    "winds_out",
    "rolled",
    "attacks",
    "last_fall",
    "winner",
    "reason",
)
_PAIRS: Final = ("energy", "honour", "guide", "start_hexes")


def dump_state(state: State) -> str:
    """The changing part of a state."""
    return _encode(
        {
            "setups": state.setups,
            "bids": state.bids,
            "offers": state.offers,
            "asked": state.asked,
            "attack": state.attack,
            "standing": [format_standing(rules) for rules in state.standing],
            "general": [format_standing(rules) for rules in state.general],
            "waiting": None if state.waiting is None else _waiting_text(state.waiting),
            "result": state.result and [state.result.winner, state.result.termination],
            "position": state.position and _position_facts(state.position),
        }
    )


def load_state(start: Start, text: str) -> State:
    """The state that was dumped. Raises ValueError for text that is no state of this game."""
    try:
        facts = json.loads(text)
        standing, general = (
            (parse_standing(rules[0]), parse_standing(rules[1]))
            for rules in (facts["standing"], facts["general"])
        )
        state = replace(
            begin(start),
            setups=tuple(facts["setups"]),
            bids=tuple(facts["bids"]),
            offers=tuple(facts["offers"]),
            asked=facts["asked"],
            attack=facts["attack"],
            standing=standing,
            general=general,
            waiting=None if facts["waiting"] is None else _waiting(facts["waiting"]),
            result=facts["result"] and Result(*facts["result"]),
            position=None,
        )
        if facts["position"] is not None:
            position = _position(rules_of(state), facts["position"])
            state = replace(state, position=position)
    except (
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        AssertionError,
        RecursionError,
    ) as error:
        raise ValueError(f"not a state of this game: {type(error).__name__} {error}") from error
    return state


def _waiting_text(waiting: Waiting) -> str:
    return format_plan((Step(_BEFORE_BRACKET, waiting.branches), *waiting.steps))


def _waiting(text: str) -> Waiting:
    first, *steps = parse_orders(text)
    return Waiting(tuple(steps), first.branches)


def _position_facts(position: Position) -> dict[str, Any]:
    facts = {name: getattr(position, name) for name in _PLAIN + _PAIRS}
    facts["hexes"] = position.hexes
    facts["verdicts"] = position.verdicts
    facts["question"] = position.question
    return facts


def _position(rules: Rules, facts: dict[str, Any]) -> Position:
    gold, black = facts["hexes"]
    if not all(OFF_BOARD <= hex_ < BOARD.bit_length() for hex_ in (*gold, *black)):
        raise ValueError("not a state of this game: a warrior is off the map")
    position = Position(
        rules,
        active=facts["active"],
        round=facts["round"],
        energy=tuple(facts["energy"]),
        hexes=(tuple(gold), tuple(black)),
    )
    for name in _PLAIN:
        setattr(position, name, facts[name])
    for name in _PAIRS:
        setattr(position, name, tuple(facts[name]))
    position.verdicts = tuple((hex_, saved) for hex_, saved in facts["verdicts"])
    if facts["question"] is not None:
        victims, step, powers = facts["question"]
        position.question = Question(
            tuple(Victim(*victim) for victim in victims), step, tuple(powers)
        )
    return position
