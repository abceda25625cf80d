"""The defender's side of an attack: which answers are possible (R6.1) and what rules answer (N3).

Owns the arithmetic of an open question; asking and telling players is ``progress``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from notation.standing import StandingRule
from pbem.games.ortus.position import Position, Question


def possible_answers(position: Position) -> Iterator[tuple[bool, ...]]:
    """Every affordable answer to the open question, saving most first; none if none is open."""
    question = position.question
    if question is None:
        return
    energy = position.energy[position.passive]
    for saves in product((True, False), repeat=len(question.victims)):
        if saving_cost(question, saves) <= energy:
            yield saves


def saving_cost(question: Question, saves: Sequence[bool]) -> int:
    """What these saves cost together."""
    return sum(victim.power for victim, saved in zip(question.victims, saves, strict=True) if saved)


@dataclass(frozen=True, slots=True)
class StandingAnswer:
    """What standing rules answer: *saved* for each victim, and the rule that said so (N3.4)."""

    saves: tuple[bool, ...]
    rules: tuple[StandingRule, ...]


def find_standing_answer(
    position: Position, rules: Sequence[StandingRule]
) -> StandingAnswer | None:
    """The answer of standing rules to the open question; None means: ask the player (N3.2)."""
    question = position.question
    if question is None:
        return None
    house = position.passive
    energy = position.energy[house]
    saves: list[bool] = []
    used: list[StandingRule] = []
    for victim in question.victims:
        name = position.rules.warrior_name(house, victim.slot)
        rule = _find_rule(rules, name=name, power=victim.power, energy=energy)
        if rule is None or rule.answer == "ask":
            return None
        saved = rule.answer == "block"
        saves.append(saved)
        used.append(rule)
        if saved:
            energy -= victim.power
    return None if energy < 0 else StandingAnswer(tuple(saves), tuple(used))


def _find_rule(
    rules: Sequence[StandingRule], *, name: str, power: int, energy: int
) -> StandingRule | None:
    """The first rule that fits a victim; ``energy`` is what earlier saves have left (N3.1)."""
    for rule in rules:
        remaining = energy - power if rule.answer == "block" else energy
        if (
            rule.whom in ("all", name, f"{name[0]}*")
            and (rule.up_to is None or power <= rule.up_to)
            and (rule.keep is None or remaining >= rule.keep)
        ):
            return rule
    return None
