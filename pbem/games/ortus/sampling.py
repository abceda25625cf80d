"""Whole games by random play, for tests, benches and demonstrations.

Random like the rest of this package: only from the generator that the caller brings. The play is
poor but lively: it fights when it can and heads for Wells, so that games end.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from pbem.games.base import Accepted, Entry, Refused, Start
from pbem.games.ortus.actions import ATTACKS, END_TURN, Action
from pbem.games.ortus.defence import possible_answers
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.hexes import hex_name
from pbem.games.ortus.orders import action_text
from pbem.games.ortus.position import Position
from pbem.games.ortus.state import State

MAX_ENTRIES: Final = 2000
_FIGHT: Final = 0.75
_END: Final = 0.12
_TO_WELL: Final = 0.5
_PLANS: Final = ("; end", " [-: end]; {order}", " [-: {order} | +: end]; end", " [*: {order}]; end")
_RULES: Final = ("block all <=3 keep 4", "fall W*; ask all", "block F*; fall all <=4", "fall all")


@dataclass(frozen=True, slots=True)
class Habits:
    """How often a player writes a plan behind an attack (N2) and leaves standing rules (N3)."""

    plans: float = 0.0
    rules: float = 0.0


def random_setup(rng: Random) -> str:
    """A set-up (R2.2)."""
    letters = list("WWEEAAFF")
    rng.shuffle(letters)
    return "".join(letters)


def random_action(rng: Random, position: Position) -> Action:
    """One of the legal actions, attacks and steps onto Wells preferred."""
    actions = legal_actions(position)
    if rng.random() < _END:
        return END_TURN
    attacks = [action for action in actions if action.verb in ATTACKS]
    if attacks and rng.random() < _FIGHT:
        return rng.choice(attacks)
    wells = position.rules.arena.wells
    arrivals = [action for action in actions if action.to >= 0 and wells >> action.to & 1]
    if arrivals and rng.random() < _TO_WELL:
        return rng.choice(arrivals)
    return rng.choice(actions)


def random_entry(rng: Random, game: Ortus, state: State) -> Entry:
    """A submission of one order for whoever is asked first."""
    request = game.requests(state)[0]
    match request.kind:
        case "setup":
            text = f"setup {random_setup(rng)}"
        case "bid":
            energy = state.auction().energy
            text = f"bid {rng.randrange(energy)}" if rng.random() < 0.5 else "pass"
        case "turn":
            assert state.position is not None
            text = action_text(state.position, random_action(rng, state.position))
        case _:
            assert state.position is not None
            text = _random_defence(rng, state.position)
    return Entry(request.seat, text)


def submit_thriftily(
    rng: Random, game: Ortus, state: State, habits: Habits
) -> tuple[Entry, Accepted[State]]:
    """A submission like ``random_entry``, with what may save a mail later on, played."""
    plain = random_entry(rng, game, state)
    text, position = plain.text, state.position
    if position is not None and position.question is None:
        is_attack = any(f" {verb} " in text for verb in ATTACKS)
        if is_attack and rng.random() < habits.plans:
            order = action_text(position, random_action(rng, position))
            text += rng.choice(_PLANS).format(order=order)
        if rng.random() < habits.rules:
            text += f"\nstanding: {rng.choice(_RULES)}"
    # A plan that leads nowhere in all its outcomes is refused; the plain order is not.
    for attempt in (text, plain.text):
        done = game.submit(state, plain.seat or 0, attempt)
        if not isinstance(done, Refused):
            return Entry(plain.seat, done.text), done
    raise AssertionError((plain, done))


def _random_defence(rng: Random, position: Position) -> str:
    assert position.question is not None
    saves = rng.choice(list(possible_answers(position)))
    return " ".join(
        f"{hex_name(victim.hex)}{'+' if saved else '-'}"
        for victim, saved in zip(position.question.victims, saves, strict=True)
    )


def random_game(rng: Random, start: Start, *, max_entries: int = MAX_ENTRIES) -> list[Entry]:
    """The log of a game played at random to its end, or as far as ``max_entries`` go."""
    game = Ortus()
    state = game.start(start)
    log: list[Entry] = []
    while game.requests(state) and len(log) < max_entries:
        entry = random_entry(rng, game, state)
        done = game.submit(state, entry.seat or 0, entry.text)
        assert not isinstance(done, Refused), (entry, done)
        state = done.state
        log.append(Entry(entry.seat, done.text))
    return log
