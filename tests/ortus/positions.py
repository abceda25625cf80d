"""Random positions for property tests, in the middle of a turn too, and their mirror images.

Everything follows from the generator handed in. Warriors crowd around one hex, so that Hexlines,
shields and attacks are common.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from pbem.games.ortus.actions import ATTACKS, ON_GUIDE, Action
from pbem.games.ortus.arena import Arena, get_arena, make_arena
from pbem.games.ortus.defence import possible_answers
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.hexes import (
    BLACK,
    CORE,
    GOLD,
    HAVEN_SLOTS,
    HEXES,
    OFF_BOARD,
    distance,
    half_turn,
    members,
)
from pbem.games.ortus.position import Position, Question, Rules, Victim
from pbem.games.ortus.turn import decide, perform

_WELLS: Final = ("F6", "I6", "L6", "B8", "N8", "D10", "G10", "J10")
_CUTS: Final = ("H5", "H11", "K4", "E12", "G8", "I8", "C9", "M7")


def random_arena(rng: Random) -> Arena:
    """One of the two arenas of the game, or one with cuts."""
    if rng.random() < 0.6:
        return get_arena(rng.choice(("origin", "crown")))
    return make_arena("own", wells=_WELLS, cuts=_CUTS)


def _random_elements(rng: Random) -> str:
    letters = list("WWEEAAFF")
    rng.shuffle(letters)
    return "".join(letters)


def _random_guide(rng: Random, honour: int) -> int:
    if honour == 0:
        return OFF_BOARD
    return rng.choice([hex_ for hex_ in HEXES if distance(hex_, CORE) == 8 - honour])


def random_position(rng: Random, *, level: int) -> Position:
    """A position at the start of a turn that need not arise in play."""
    arena = random_arena(rng)
    rules = Rules(
        arena=arena,
        level=level,
        elements=(_random_elements(rng), _random_elements(rng)),
        dicey=rng.random() < 0.3,
        bonus=rng.choice(((0, 0), (2, 0), (0, 3))),
        has_opening=False,
    )
    active = rng.choice((GOLD, BLACK))
    centre = rng.choice(list(members(arena.ground)))
    near = sorted(members(arena.ground), key=lambda hex_: distance(hex_, centre))
    places = rng.sample(near[: rng.choice((24, 40, 90))], 16)
    houses = []
    for house in (GOLD, BLACK):
        hexes = []
        for slot in range(8):
            kind = rng.random()
            if kind < 0.2:
                hexes.append(HAVEN_SLOTS[house][slot])
            elif kind < 0.3 and house == active:
                hexes.append(OFF_BOARD)
            else:
                hexes.append(places.pop())
        houses.append(tuple(hexes))
    honour = (rng.randrange(8), rng.randrange(8))
    return Position(
        rules,
        active=active,
        round=rng.randint(1, 40),
        energy=(rng.choice((0, 1, 3, 6, 14, 28)), rng.choice((0, 2, 4, 9, 14))),
        hexes=(houses[GOLD], houses[BLACK]),
        honour=honour,
        guide=(_random_guide(rng, honour[GOLD]), _random_guide(rng, honour[BLACK])),
    )


def random_face(rng: Random, position: Position, action: Action) -> int | None:
    """A face index where this action needs one."""
    return rng.randrange(6) if position.rules.dicey and action.verb in ATTACKS else None


def wander(position: Position, rng: Random, plies: int) -> Position:
    """The position after some random plies, attacks preferred; it stops when the game is over."""
    for _ in range(plies):
        if position.winner is not None:
            break
        if position.question is not None:
            position = decide(position, rng.choice(list(possible_answers(position))))
            continue
        actions = legal_actions(position)
        attacks = [action for action in actions if action.verb in ATTACKS]
        action = rng.choice(attacks if attacks and rng.random() < 0.6 else actions)
        position = perform(position, action, face=random_face(rng, position, action))
    return position


def _turned(hex_: int) -> int:
    return hex_ if hex_ == OFF_BOARD else half_turn(hex_)


def _turned_question(question: Question) -> Question:
    victims = tuple(Victim(slot, _turned(hex_), power) for slot, hex_, power in question.victims)
    return Question(victims, -question.wave_step, question.wave_powers)


def mirrored(position: Position) -> Position:
    """The board turned half round, and the Houses swapped."""
    rules = position.rules
    new = position.copy()
    new.rules = replace(
        rules,
        elements=(rules.elements[BLACK], rules.elements[GOLD]),
        bonus=(rules.bonus[BLACK], rules.bonus[GOLD]),
        collecting=(rules.collecting[BLACK], rules.collecting[GOLD]),
        starter=1 - rules.starter,
    )
    new.active = 1 - position.active
    new.winner = None if position.winner is None else 1 - position.winner
    new.energy = (position.energy[BLACK], position.energy[GOLD])
    new.honour = (position.honour[BLACK], position.honour[GOLD])
    new.guide = (_turned(position.guide[BLACK]), _turned(position.guide[GOLD]))
    gold, black = (tuple(_turned(hex_) for hex_ in hexes) for hexes in position.hexes)
    new.hexes = (black, gold)
    new.occupied = (
        sum(1 << half_turn(hex_) for hex_ in members(position.occupied[BLACK])),
        sum(1 << half_turn(hex_) for hex_ in members(position.occupied[GOLD])),
    )
    new.start_hexes = tuple(_turned(hex_) for hex_ in position.start_hexes)
    new.verdicts = tuple((half_turn(hex_), saved) for hex_, saved in position.verdicts)
    if position.question is not None:
        new.question = _turned_question(position.question)
    return new


def mirrored_action(action: Action) -> Action:
    """The same action on the mirrored board."""
    return action._replace(
        to=action.to if action.to in (OFF_BOARD, ON_GUIDE) else half_turn(action.to),
        landing=_turned(action.landing),
    )
