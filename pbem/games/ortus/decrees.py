"""Acts of the server on a game, as text in its log: time, rulings, defaults (R8.3, R9.3, N3.1).

``time 0`` · ``ruling 1`` · ``ruling draw`` · ``default 0 fall`` · ``default 0 save`` ·
``general 0: block all <=2`` · ``halt: message``. Numbers are seats.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from notation.errors import NotationError
from notation.standing import format_standing, parse_standing
from pbem.games.base import Result
from pbem.games.ortus.position import Position
from pbem.games.ortus.progress import Progress
from pbem.games.ortus.state import DEFENCE, OVER, State

_SHAPE: Final = re.compile(
    r"time (?P<time>[01])"
    r"|ruling (?P<ruling>[01]|draw)"
    r"|default (?P<default>[01]) (?P<answer>fall|save)"
    r"|general (?P<general>[01]): (?P<rules>[^\n]*)"
    r"|halt: (?P<reason>[a-z_]+)"
)


class DecreeError(ValueError):
    """A decree that cannot be read or does not fit the state of the game."""


def carry_out_decree(state: State, text: str) -> Progress:
    """Do what a decree says. Raises DecreeError."""
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise DecreeError(f"not a decree: {text[:60]!r}")
    if state.phase == OVER:
        raise DecreeError("the game is over")
    if found["time"]:
        progress = Progress(state, int(found["time"]))
        progress.conclude(Result(1 - int(found["time"]), "time"))
    elif found["ruling"]:
        winner = None if found["ruling"] == "draw" else int(found["ruling"])
        progress = Progress(state, 0)  # a ruling is the act of no seat
        progress.conclude(Result(winner, "ruling"))
    elif found["default"]:
        progress = _default_defence(state, int(found["default"]), saves=found["answer"] == "save")
    elif found["general"]:
        progress = _general_rules(state, int(found["general"]), found["rules"])
    else:
        position = state.position
        progress = Progress(state, 0 if position is None else position.active)
        progress.stop_plan(found["reason"])
    return progress


def _default_defence(state: State, seat: int, *, saves: bool) -> Progress:
    """The answer agreed on for a defence that was not given in time."""
    position = state.position
    if state.phase != DEFENCE or position is None or position.passive != seat:
        raise DecreeError("no defence of this seat is open")
    progress = Progress(state, seat)
    progress.answer_by_default(default_saves(position, saves=saves))
    return progress


def default_saves(position: Position, *, saves: bool) -> tuple[bool, ...]:
    """Let all fall, or save victims in order as long as each can be paid."""
    assert position.question is not None
    energy = position.energy[position.passive] if saves else -1
    answers = []
    for victim in position.question.victims:
        saved = victim.power <= energy
        energy -= victim.power if saved else 0
        answers.append(saved)
    return tuple(answers)


def _general_rules(state: State, seat: int, text: str) -> Progress:
    """Standing rules that a player left for all games; they name no warrior (N3.1)."""
    try:
        rules = parse_standing(text)
    except NotationError as error:
        raise DecreeError(str(error)) from error
    for rule in rules:
        if rule.whom != "all" and not rule.whom.endswith("*"):
            raise DecreeError(f"{rule.whom} cannot be named in rules for all games")
    general = list(state.general)
    general[seat] = rules
    progress = Progress(replace(state, general=(general[0], general[1])), seat)
    progress.note_rules("general_rules_set", format_standing(rules))
    return progress
