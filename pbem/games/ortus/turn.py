"""What comes of an action and of a defence: the whole of a turn, from one position to the next.

Owns paying, moving, falling, honour and Guides (R5, R6), returning (R7), collecting (R3.1) and the
two ways to win on the board (R8.1, R8.2). Whether an action is legal is asked of ``legality``.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.ortus.abilities import is_bear
from pbem.games.ortus.actions import (
    ATTACKS,
    CHARGES,
    END,
    GUIDE,
    KITE,
    NOBODY,
    ON_GUIDE,
    RETURN,
    SIX,
    WAVE,
    Action,
)
from pbem.games.ortus.figures import (
    HONOUR_TO_WIN,
    SECOND_ENERGY,
    SHIELDED_POWER,
    WELLS_TO_WIN,
    powers,
)
from pbem.games.ortus.geometry import is_shielded
from pbem.games.ortus.hexes import (
    BLACK,
    CORE,
    GOLD,
    HAVEN_SLOTS,
    LETTER_ORDER,
    NEIGHBOURS,
    OFF_BOARD,
    STEPS,
    distance,
    members,
)
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.legality import check
from pbem.games.ortus.position import Position, Question, Victim

_GUIDE_SLOT = 3
"""Slot 4, where the server puts a Guide that its player did not place (R6.4)."""


def perform(position: Position, action: Action, *, face: int | None = None) -> Position:
    """The position after an action. In a dicey game an attack needs the face index it rolled.

    Raises Illegal, and then nothing has changed.
    """
    new = position.copy()
    advance(new, action, face=face)
    return new


def advance(position: Position, action: Action, *, face: int | None = None) -> None:
    """Like ``perform``, on a position that the caller owns and nobody else holds.

    Raises Illegal, and then nothing has changed.
    """
    cost = check(position, action)
    verb = action.verb
    house = position.active
    if cost:
        _set_energy(position, house, position.energy[house] - cost)
    if verb in ATTACKS:
        _attack(position, action, face)
    elif verb == END:
        _end_turn(position)
    elif verb == GUIDE:
        _set_guide(position, action.to)
        position.owed -= 1
    elif verb == RETURN:
        position.returning = True
        place = action.to
        if place == ON_GUIDE:
            place = position.guide[house]
            position.guide_return_used = True
        _put(position, house, action.who, place)
    else:
        start = position.hexes[house][action.who]
        if verb == KITE and not position.rules.arena.ground >> start & 1:
            position.winds_out += 1
        _put(position, house, action.who, action.to)
        position.moved |= 1 << action.who


def decide(position: Position, saves: Sequence[bool]) -> Position:
    """The position after the defender's decision, one answer for each victim in order (R6.1).

    Raises Illegal when no defence is open or the saves cannot be paid together.
    """
    new = position.copy()
    settle(new, saves)
    return new


def settle(position: Position, saves: Sequence[bool]) -> None:
    """Like ``decide``, on a position that the caller owns and nobody else holds."""
    question = position.question
    if question is None:
        raise Illegal("game_over" if position.winner is not None else "no_defence_open")
    if len(saves) != len(question.victims):
        raise ValueError(f"{len(question.victims)} victims, {len(saves)} answers")
    cost = sum(victim.power for victim, saved in zip(question.victims, saves, strict=True) if saved)
    energy = position.energy[position.passive]
    if cost > energy:
        raise Illegal("saves_too_dear", cost=cost, energy=energy)
    _set_energy(position, position.passive, energy - cost)
    _settle(position, question, saves)


def _set_energy(position: Position, house: int, energy: int) -> None:
    gold, black = position.energy
    position.energy = (energy, black) if house == GOLD else (gold, energy)


def _set_guide(position: Position, hex_: int) -> None:
    gold, black = position.guide
    position.guide = (hex_, black) if position.active == GOLD else (gold, hex_)


def _put(position: Position, house: int, slot: int, hex_: int) -> None:
    """Set a warrior on a hex, or take it off the board."""
    hexes = position.hexes[house]
    occupied = position.occupied[house]
    before = hexes[slot]
    if before != OFF_BOARD:
        occupied ^= 1 << before
    if hex_ != OFF_BOARD:
        occupied |= 1 << hex_
    hexes = (*hexes[:slot], hex_, *hexes[slot + 1 :])
    if house == GOLD:
        position.hexes = (hexes, position.hexes[BLACK])
        position.occupied = (occupied, position.occupied[BLACK])
    else:
        position.hexes = (position.hexes[GOLD], hexes)
        position.occupied = (position.occupied[GOLD], occupied)


def _attack(position: Position, action: Action, face: int | None) -> None:
    rules = position.rules
    house, other = position.active, position.passive
    slot, target = action.who, action.to
    if rules.dicey != (face is not None):
        raise ValueError("a dicey attack needs a face, a clean one has none")
    bear = is_bear(action.verb, rules.elements[house][slot], rules.level)
    figures = powers(action.verb, is_bear=bear, face=face)

    position.attacks += 1
    position.rolled = face
    position.verdicts = ()
    position.attacked |= 1 << slot
    if action.partner != NOBODY:
        position.attacked |= 1 << action.partner

    # Shields are read before the charging warrior moves (M5.2).
    victims: tuple[Victim, ...] = (_victim(position, target, figures[0]),)
    if action.verb == SIX:
        beside = NEIGHBOURS[action.landing] & position.occupied[other] & rules.arena.ground
        others = sorted(members(beside & ~(1 << target)), key=LETTER_ORDER.__getitem__)
        victims += tuple(_victim(position, hex_, figures[1]) for hex_ in others)
    if action.verb in CHARGES:
        _put(position, house, slot, action.landing)
        position.moved |= 1 << slot
    if action.verb == WAVE:
        _ask(position, Question(victims, target - action.landing, figures[1:]))
    else:
        _ask(position, Question(victims))


def _victim(position: Position, hex_: int, power: int) -> Victim:
    house = position.passive
    slot = position.hexes[house].index(hex_)
    if power > SHIELDED_POWER and is_shielded(position, house, slot):
        power = SHIELDED_POWER
    return Victim(slot, hex_, power)


def _ask(position: Position, question: Question) -> None:
    """Open a defence, or settle it at once where the answer cannot matter (R6.2)."""
    victims = question.victims
    cheapest = victims[0].power if len(victims) == 1 else min(victim.power for victim in victims)
    if cheapest == 0:
        # Only ever a lone victim of a wave: no other die shows a nought (R9.1).
        _settle(position, question, (True,))
    elif cheapest > position.energy[position.passive]:
        _settle(position, question, (False,) * len(victims))
    else:
        position.question = question


def _settle(position: Position, question: Question, saves: Sequence[bool]) -> None:
    """Let the unsaved fall in order (R6.1, R6.3), and a wave run on (M4.1)."""
    position.question = None
    for victim, saved in zip(question.victims, saves, strict=True):
        position.verdicts += ((victim.hex, saved),)
    for victim, saved in zip(question.victims, saves, strict=True):
        if saved:
            continue
        _fall(position, victim)
        if position.winner is not None:
            return
    if question.wave_powers and not saves[0]:
        _run_on(position, question)


def _fall(position: Position, victim: Victim) -> None:
    house = position.active
    _put(position, position.passive, victim.slot, OFF_BOARD)
    gold, black = position.honour
    position.honour = (gold + 1, black) if house == GOLD else (gold, black + 1)
    position.owed += 1
    position.last_fall = position.round
    if position.honour[house] == HONOUR_TO_WIN:
        _set_guide(position, CORE)
        position.owed = 0
        position.winner = house
        position.reason = "guide"


def _run_on(position: Position, question: Question) -> None:
    step = question.wave_step
    taken = position.occupied[GOLD] | position.occupied[BLACK]
    ground = position.rules.arena.ground
    hex_ = question.victims[0].hex + step
    while hex_ >= 0 and ground >> hex_ & 1 and not taken >> hex_ & 1:
        hex_ += step
    if hex_ < 0 or not ground & position.occupied[position.passive] & (1 << hex_):
        return
    power, *rest = question.wave_powers
    _ask(position, Question((_victim(position, hex_, power),), step, tuple(rest)))


def _end_turn(position: Position) -> None:
    """Guide steps owed, Fallen not placed (R7.1), then the other House collects (R3.1)."""
    house = position.active
    for _ in range(position.owed):
        _set_guide(position, default_guide_step(position))
    if OFF_BOARD in position.hexes[house]:
        for slot in position.fallen(house):
            _put(position, house, slot, default_return(position, slot))
    if position.rules.bonus[house]:
        _set_energy(position, house, position.energy[house] + position.rules.bonus[house])
    position.active = position.passive
    if position.active == position.rules.starter:
        position.round += 1
    position.begin_turn()
    _collect(position)


def default_guide_step(position: Position) -> int:
    """The Guide step that the server takes when the player has not chosen (R6.4)."""
    house = position.active
    guide = position.guide[house]
    if guide == OFF_BOARD:
        return HAVEN_SLOTS[house][_GUIDE_SLOT]
    closer = distance(guide, CORE) - 1
    sign = 1 if house == GOLD else -1
    for step in STEPS:
        hex_ = guide + sign * step
        on_board = hex_ >= 0 and NEIGHBOURS[guide] >> hex_ & 1
        if on_board and distance(hex_, CORE) == closer:
            return hex_
    raise AssertionError("a Guide short of the Core always has a step closer")


def default_return(position: Position, slot: int) -> int:
    """Where the server puts a Fallen that the player has not placed (R7.2)."""
    house = position.active
    slots = HAVEN_SLOTS[house]
    taken = position.occupied[house]
    if not taken >> slots[slot] & 1:
        return slots[slot]
    return next(hex_ for hex_ in slots if not taken >> hex_ & 1)


def _collect(position: Position) -> None:
    house, rules = position.active, position.rules
    wells = position.wells_held(house)
    if wells >= WELLS_TO_WIN:
        position.winner = house
        position.reason = "wells"
    elif position.round == 1 and rules.has_opening:
        _set_energy(position, house, SECOND_ENERGY)
    else:
        _set_energy(position, house, rules.collecting[house][wells])
