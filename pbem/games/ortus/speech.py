"""A position of Ortus told in words, for screen readers and for playing without a picture.

Short sentences, one to a line: whose turn it is, then House by House its figures and its warriors
by element with their hexes, then what changed. Every phrase is in ``ENGLISH``; another language is
another ``Phrases``. What happened is told from actions and positions, never from pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Phrases:
    """All words of the spoken board in one language; braces are filled in."""

    houses: tuple[str, str]
    elements: dict[str, str]
    warrior: str
    owned: str
    turn: str
    defence: str
    won: str
    drawn: str
    figures: str
    wells: tuple[str, str, str]
    guide: str
    no_guide: str
    fallen: str
    standing: str
    in_haven: str
    on_well: str
    covered: str
    revealed: str
    shielded: str
    changes: str
    deeds: dict[str, str]
    fell: str
    saved: str
    item: str
    last_item: str


ENGLISH: Final = Phrases(
    houses=("Gold", "Black"),
    elements={"W": "Wind", "E": "Earth", "A": "Water", "F": "Fire"},
    warrior="{element} {slot}",
    owned="{house}'s {warrior}",
    turn="Round {round}. {house} is to move.",
    defence="Round {round}. {house} is to defend.",
    won="Round {round}. The game is over: {house} wins.",
    drawn="Round {round}. The game is over: a draw.",
    figures="{house} has {energy} Energy and {honour} honour.",
    wells=("{house} holds no Well.", "{house} holds one Well.", "{house} holds {count} Wells."),
    guide="{house}'s Guide is on {hex}.",
    no_guide="{house}'s Guide is not on the board yet.",
    fallen="Fallen: {warriors}.",
    standing="{warrior} on {hex}",
    in_haven=" in the Haven",
    on_well=", a Well",
    covered=", covered",
    revealed=", revealed",
    shielded=", shielded",
    changes="What changed:",
    deeds={
        WALK: "{house}'s {who} walked from {start} to {to}.",
        KITE: "{house}'s {who} flew from {start} to {to}.",
        STRIKE: "{house}'s {who} on {start} struck {target} on {to}.",
        RANGE: "{house}'s {who} on {start} shot at {target} on {to}.",
        CHARGE: "{house}'s {who} charged from {start} to {landing}, against {target} on {to}.",
        WAVE: "{house}'s {who} came from {start} to {landing}, a wave against {target} on {to}.",
        SIX: "{house}'s {who} came from {start} to {landing}, Six Streams at {target} on {to}.",
        DRAGONS: "{house}'s Dragons on {start} and {partner} attacked {target} on {to}.",
        GUIDE: "{house}'s Guide went to {to}.",
        RETURN: "{house}'s {who} came back on {to}.",
        END: "{house} ended the turn.",
    },
    fell="{house}'s {who} on {hex} fell.",
    saved="{house}'s {who} on {hex} was saved.",
    item=", ",
    last_item=" and ",
)


def speak_position(
    position: Position, *, changes: tuple[str, ...] = (), phrases: Phrases = ENGLISH
) -> str:
    """The whole position in words. ``changes`` are sentences of ``speak_action``."""
    lines = [_opening(position, phrases)]
    for house in (GOLD, BLACK):
        lines += _house(position, house, phrases)
    if changes:
        lines += [phrases.changes, *changes]
    return "\n".join(lines)


def speak_action(
    before: Position, action: Action, after: Position, *, phrases: Phrases = ENGLISH
) -> tuple[str, ...]:
    """What one action did, and what came of it by the moment ``after``."""
    said = [phrases.deeds[action.verb].format(**_deed_words(before, action, phrases))]
    if action.verb == END:
        said[:0] = _defaults(before, after, phrases)
    elif action.verb in ATTACKS:
        said += _outcomes(before, after, phrases)
    return tuple(said)


def _deed_words(before: Position, action: Action, phrases: Phrases) -> dict[str, str]:
    house, other = before.active, before.passive
    words = {"house": phrases.houses[house]}
    if action.who >= 0:
        words["who"] = _warrior(before, house, action.who, phrases)
        words["start"] = _hex(before.hexes[house][action.who])
    if action.partner >= 0:
        words["partner"] = _hex(before.hexes[house][action.partner])
    words["landing"] = _hex(action.landing)
    goal = before.guide[house] if action.to == ON_GUIDE else action.to
    words["to"] = _hex(goal)
    if action.verb in ATTACKS:
        target = _warrior(before, other, before.hexes[other].index(goal), phrases)
        words["target"] = phrases.owned.format(house=phrases.houses[other], warrior=target)
    return words


def _outcomes(before: Position, after: Position, phrases: Phrases) -> Iterator[str]:
    """Who fell and who was saved, in slot order."""
    other = before.passive
    for slot, hex_ in enumerate(before.hexes[other]):
        if hex_ == OFF_BOARD:
            continue
        facts = {
            "house": phrases.houses[other],
            "who": _warrior(before, other, slot, phrases),
            "hex": hex_name(hex_),
        }
        if after.hexes[other][slot] == OFF_BOARD:
            yield phrases.fell.format(**facts)
        elif (hex_, True) in after.verdicts:
            yield phrases.saved.format(**facts)


def _defaults(before: Position, after: Position, phrases: Phrases) -> Iterator[str]:
    """What the server did for the player when the turn ended (R6.4, R7.2)."""
    house = before.active
    name = phrases.houses[house]
    if after.guide[house] != before.guide[house]:
        yield phrases.deeds[GUIDE].format(house=name, to=_hex(after.guide[house]))
    for slot in before.fallen(house):
        hex_ = after.hexes[house][slot]
        if hex_ != OFF_BOARD:
            who = _warrior(before, house, slot, phrases)
            yield phrases.deeds[RETURN].format(house=name, who=who, to=hex_name(hex_))


def _hex(hex_: int) -> str:
    return hex_name(hex_) if hex_ >= 0 else ""


def _opening(position: Position, phrases: Phrases) -> str:
    if position.reason is not None:
        if position.winner is None:
            return phrases.drawn.format(round=position.round)
        return phrases.won.format(round=position.round, house=phrases.houses[position.winner])
    if position.question:
        return phrases.defence.format(round=position.round, house=phrases.houses[position.passive])
    return phrases.turn.format(round=position.round, house=phrases.houses[position.active])


def _house(position: Position, house: int, phrases: Phrases) -> Iterator[str]:
    name = phrases.houses[house]
    yield phrases.figures.format(
        house=name, energy=position.energy[house], honour=position.honour[house]
    )
    held = position.wells_held(house)
    yield phrases.wells[min(held, 2)].format(house=name, count=held)
    guide = position.guide[house]
    if guide == OFF_BOARD:
        yield phrases.no_guide.format(house=name)
    else:
        yield phrases.guide.format(house=name, hex=hex_name(guide))
    for element in ELEMENTS:
        standing = [
            _standing(position, house, slot, phrases)
            for slot in SLOTS
            if position.rules.elements[house][slot] == element
            and position.hexes[house][slot] != OFF_BOARD
        ]
        if standing:
            yield _joined(standing, phrases) + "."
    fallen = [_warrior(position, house, slot, phrases) for slot in position.fallen(house)]
    if fallen:
        yield phrases.fallen.format(warriors=_joined(fallen, phrases))


def _standing(position: Position, house: int, slot: int, phrases: Phrases) -> str:
    rules = position.rules
    hex_ = position.hexes[house][slot]
    said = phrases.standing.format(
        warrior=_warrior(position, house, slot, phrases), hex=hex_name(hex_)
    )
    if HAVENS[house] >> hex_ & 1:
        return said + phrases.in_haven
    if rules.arena.wells >> hex_ & 1:
        said += phrases.on_well
    if rules.level >= EARTH_LEVEL and slot in rules.earths[house]:
        said += phrases.covered if is_covered(position, house, slot) else phrases.revealed
    if is_shielded(position, house, slot):
        said += phrases.shielded
    return said


def _warrior(position: Position, house: int, slot: int, phrases: Phrases) -> str:
    element = phrases.elements[position.rules.elements[house][slot]]
    return phrases.warrior.format(element=element, slot=slot + 1)


def _joined(parts: list[str], phrases: Phrases) -> str:
    """A list as it is read aloud; parts that hold commas are parted by full stops."""
    if any(phrases.item in part for part in parts):
        return ". ".join(parts)
    if len(parts) < 2:
        return "".join(parts)
    return phrases.item.join(parts[:-1]) + phrases.last_item + parts[-1]
