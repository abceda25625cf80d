"""The names of the game's things in a player's language, and how they are put into sentences.

Owns Houses, elements, levels, attacks, and whose a warrior is: *your Fire 2* to its own player,
*Gold's Fire 2* to everybody else. Whole sentences are with those who say them: ``speech``,
``telling``, ``briefing``, ``describing``, ``messages``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.games.ortus.actions import CHARGE, DRAGONS, RANGE, SIX, STRIKE, WAVE
from pbem.games.ortus.position import Position
from pbem.tongue import N_, Tongue

HOUSES: Final = (N_("Gold"), N_("Black"))
ELEMENTS: Final = {"W": N_("Wind"), "E": N_("Earth"), "A": N_("Water"), "F": N_("Fire")}
LEVEL_NAMES: Final = (N_("apprentice"), N_("wind"), N_("earth"), N_("water"), N_("master"))
ATTACK_NAMES: Final = {
    STRIKE: N_("Strike"),
    RANGE: N_("Range"),
    CHARGE: N_("Charge"),
    WAVE: N_("Flow of Crashing Waves"),
    SIX: N_("Strike of Six Streams"),
    DRAGONS: N_("The Dragons"),
}
STORM: Final = N_("Road of the Storm")
BEAR: Final = N_("Raging Bear")

WARRIOR: Final = N_("{element} {slot}")
OWNED: Final = N_("{house}'s {warrior}")
YOURS: Final = N_("your {warrior}")
YOU: Final = N_("you")
ITEM: Final = N_(", ")
LAST_ITEM: Final = N_(" and ")


def house_name(tongue: Tongue, house: int) -> str:
    """Gold or Black."""
    return tongue.say(HOUSES[house])


def subject(tongue: Tongue, house: int, seat: int | None) -> str:
    """A House as the one who did something: *you* to its own player."""
    return tongue.say(YOU) if house == seat else house_name(tongue, house)


def warrior(tongue: Tongue, position: Position, house: int, slot: int) -> str:
    """*Fire 2*."""
    element = tongue.say(ELEMENTS[position.rules.elements[house][slot]])
    return tongue.say(WARRIOR, element=element, slot=slot + 1)


def owned(tongue: Tongue, position: Position, house: int, slot: int, *, seat: int | None) -> str:
    """*your Fire 2* or *Gold's Fire 2*."""
    name = warrior(tongue, position, house, slot)
    if house == seat:
        return tongue.say(YOURS, warrior=name)
    return tongue.say(OWNED, house=house_name(tongue, house), warrior=name)


def sentence(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def listed(tongue: Tongue, parts: Sequence[str]) -> str:
    """A list as it is read aloud; parts that hold commas are parted by full stops."""
    item = tongue.say(ITEM)
    if any(item in part for part in parts):
        return ". ".join(parts)
    if len(parts) < 2:
        return "".join(parts)
    return item.join(parts[:-1]) + tongue.say(LAST_ITEM) + parts[-1]
