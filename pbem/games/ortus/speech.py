"""A position of Ortus told in words, for screen readers and for playing without a picture.

Short sentences, one to a line: whose turn it is, then House by House its figures and its warriors
by element with their hexes, then what changed. What happened is told from actions and positions,
never from pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.games.ortus.actions import (
    ATTACKS,
    CHARGE,
    DRAGONS,
    END,
    GUIDE,
    KITE,
    ON_GUIDE,
    RANGE,
    RETURN,
    SIX,
    STRIKE,
    WALK,
    WAVE,
    Action,
)
from pbem.games.ortus.figures import EARTH_LEVEL, ELEMENTS
from pbem.games.ortus.geometry import is_covered, is_shielded
from pbem.games.ortus.hexes import BLACK, GOLD, HAVENS, OFF_BOARD, hex_name
from pbem.games.ortus.position import SLOTS, Position
from pbem.games.ortus.words import house_name, listed, owned, sentence, subject, warrior
from pbem.tongue import ENGLISH, N_, Tongue

TO_MOVE: Final = N_("Round {round}. {house} is to move.")
TO_DEFEND: Final = N_("Round {round}. {house} is to defend.")
WON: Final = N_("Round {round}. The game is over: {house} wins.")
DRAWN: Final = N_("Round {round}. The game is over: a draw.")
FIGURES: Final = N_("{house} has {energy} Energy and {honour} honour.")
NO_WELL: Final = N_("{house} holds no Well.")
GUIDE_ON: Final = N_("{house}'s Guide is on {hex}.")
NO_GUIDE: Final = N_("{house}'s Guide is not on the board yet.")
FALLEN: Final = N_("Fallen: {warriors}.")
STANDING: Final = N_("{warrior} on {hex}")
IN_HAVEN: Final = N_("{warrior} on {hex} in the Haven")
ON_WELL: Final = N_(", a Well")
COVERED: Final = N_(", covered")
REVEALED: Final = N_(", revealed")
SHIELDED: Final = N_(", shielded")
CHANGES: Final = N_("What changed:")
DEEDS: Final = {
    WALK: N_("{who} walked from {start} to {to}."),
    KITE: N_("{who} flew from {start} to {to}."),
    STRIKE: N_("{who} on {start} struck {target} on {to}."),
    RANGE: N_("{who} on {start} shot at {target} on {to}."),
    CHARGE: N_("{who} charged from {start} to {landing}, against {target} on {to}."),
    WAVE: N_("{who} came from {start} to {landing}, a wave against {target} on {to}."),
    SIX: N_("{who} came from {start} to {landing}, Six Streams at {target} on {to}."),
    DRAGONS: N_(
        "{who} and {partner} on {start} and {beside}, the Dragons, attacked {target} on {to}."
    ),
    RETURN: N_("{who} came back on {to}."),
    END: N_("{house} ended the turn."),
}
GUIDE_WENT: Final = N_("{house}'s Guide went to {to}.")
YOUR_GUIDE_WENT: Final = N_("Your Guide went to {to}.")
FELL: Final = N_("{who} on {hex} fell.")
SAVED: Final = N_("{who} on {hex} was saved.")


def speak_position(
    position: Position, *, changes: tuple[str, ...] = (), tongue: Tongue = ENGLISH
) -> str:
    """The whole position in words. ``changes`` are sentences of ``speak_action``."""
    lines = [_opening(position, tongue)]
    for house in (GOLD, BLACK):
        lines += _house(position, house, tongue)
    if changes:
        lines += [tongue.say(CHANGES), *changes]
    return "\n".join(lines)


def speak_action(
    before: Position,
    action: Action,
    after: Position,
    *,
    seat: int | None = None,
    tongue: Tongue = ENGLISH,
) -> tuple[str, ...]:
    """What one action did, and what came of it by the moment ``after``; said to a seat."""
    said = [speak_deed(before, action, seat=seat, tongue=tongue)]
    if action.verb == END:
        said[:0] = _defaults(before, after, seat, tongue)
    elif action.verb in ATTACKS:
        said += _outcomes(before, after, seat, tongue)
    return tuple(said)


def speak_deed(
    before: Position, action: Action, *, seat: int | None = None, tongue: Tongue = ENGLISH
) -> str:
    """One action, without what came of it."""
    house, other = before.active, before.passive
    goal = before.guide[house] if action.to == ON_GUIDE else action.to
    if action.verb == GUIDE:
        return speak_guide(house, goal, seat=seat, tongue=tongue)
    facts = {"house": subject(tongue, house, seat), "to": _hex(goal)}
    if action.who >= 0:
        facts["who"] = owned(tongue, before, house, action.who, seat=seat)
        facts["start"] = _hex(before.hexes[house][action.who])
    if action.partner >= 0:
        facts["partner"] = warrior(tongue, before, house, action.partner)
        facts["beside"] = _hex(before.hexes[house][action.partner])
    if action.landing >= 0:
        facts["landing"] = _hex(action.landing)
    if action.verb in ATTACKS:
        target = before.hexes[other].index(goal)
        facts["target"] = owned(tongue, before, other, target, seat=seat)
    return sentence(tongue.say(DEEDS[action.verb], **facts))


def speak_guide(house: int, hex_: int, *, seat: int | None, tongue: Tongue) -> str:
    """Where a Guide went."""
    if house == seat:
        return tongue.say(YOUR_GUIDE_WENT, to=_hex(hex_))
    return tongue.say(GUIDE_WENT, house=house_name(tongue, house), to=_hex(hex_))


def _outcomes(before: Position, after: Position, seat: int | None, tongue: Tongue) -> Iterator[str]:
    """Who fell and who was saved, in slot order."""
    other = before.passive
    for slot, hex_ in enumerate(before.hexes[other]):
        if hex_ == OFF_BOARD:
            continue
        who = owned(tongue, before, other, slot, seat=seat)
        if after.hexes[other][slot] == OFF_BOARD:
            yield sentence(tongue.say(FELL, who=who, hex=hex_name(hex_)))
        elif (hex_, True) in after.verdicts:
            yield sentence(tongue.say(SAVED, who=who, hex=hex_name(hex_)))


def _defaults(before: Position, after: Position, seat: int | None, tongue: Tongue) -> Iterator[str]:
    """What the server did for the player when the turn ended (R6.4, R7.2)."""
    house = before.active
    if after.guide[house] != before.guide[house]:
        yield speak_guide(house, after.guide[house], seat=seat, tongue=tongue)
    for slot in before.fallen(house):
        hex_ = after.hexes[house][slot]
        if hex_ != OFF_BOARD:
            who = owned(tongue, before, house, slot, seat=seat)
            yield sentence(tongue.say(DEEDS[RETURN], who=who, to=hex_name(hex_)))


def _hex(hex_: int) -> str:
    return hex_name(hex_) if hex_ >= 0 else ""


def _opening(position: Position, tongue: Tongue) -> str:
    number = position.round
    if position.reason is not None:
        if position.winner is None:
            return tongue.say(DRAWN, round=number)
        return tongue.say(WON, round=number, house=house_name(tongue, position.winner))
    if position.question:
        return tongue.say(TO_DEFEND, round=number, house=house_name(tongue, position.passive))
    return tongue.say(TO_MOVE, round=number, house=house_name(tongue, position.active))


def _house(position: Position, house: int, tongue: Tongue) -> Iterator[str]:
    name = house_name(tongue, house)
    yield tongue.say(
        FIGURES, house=name, energy=position.energy[house], honour=position.honour[house]
    )
    held = position.wells_held(house)
    if held:
        yield tongue.count(
            "{house} holds one Well.", "{house} holds {count} Wells.", held, house=name
        )
    else:
        yield tongue.say(NO_WELL, house=name)
    guide = position.guide[house]
    if guide == OFF_BOARD:
        yield tongue.say(NO_GUIDE, house=name)
    else:
        yield tongue.say(GUIDE_ON, house=name, hex=hex_name(guide))
    for element in ELEMENTS:
        standing = [
            _standing(position, house, slot, tongue)
            for slot in SLOTS
            if position.rules.elements[house][slot] == element
            and position.hexes[house][slot] != OFF_BOARD
        ]
        if standing:
            yield listed(tongue, standing) + "."
    fallen = [warrior(tongue, position, house, slot) for slot in position.fallen(house)]
    if fallen:
        yield tongue.say(FALLEN, warriors=listed(tongue, fallen))


def _standing(position: Position, house: int, slot: int, tongue: Tongue) -> str:
    rules = position.rules
    hex_ = position.hexes[house][slot]
    facts = {"warrior": warrior(tongue, position, house, slot), "hex": hex_name(hex_)}
    if HAVENS[house] >> hex_ & 1:
        return tongue.say(IN_HAVEN, **facts)
    said = tongue.say(STANDING, **facts)
    if rules.arena.wells >> hex_ & 1:
        said += tongue.say(ON_WELL)
    if rules.level >= EARTH_LEVEL and slot in rules.earths[house]:
        said += tongue.say(COVERED if is_covered(position, house, slot) else REVEALED)
    if is_shielded(position, house, slot):
        said += tongue.say(SHIELDED)
    return said
