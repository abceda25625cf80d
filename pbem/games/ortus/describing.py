"""The agreed options in words, for an invitation and for the page of a game (R9, M)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from notation.position_line import format_position
from pbem.games.ortus.figures import COLLECTING
from pbem.games.ortus.options import Options
from pbem.games.ortus.words import LEVEL_NAMES, house_name
from pbem.tongue import ENGLISH, N_, Tongue

LEVEL: Final = N_("Level: {level}.")
ARENA: Final = N_("Arena: {arena}.")
CLEAN: Final = N_("No dice.")
DICEY: Final = N_("With dice: the Power of each attack is rolled.")
BONUS: Final = N_("Handicap: {house} has {extra} more Energy for defending.")
BOARD: Final = N_("Handicap: {house} collects {figures} Energy for 0 to 4 Wells.")
LOT: Final = N_("The lot says who starts.")
STARTS: Final = N_("{house} starts.")
BID: Final = N_("The first turn can be bid for.")
CLAIM: Final = N_("A draw can be claimed after {rounds} rounds in which no warrior falls.")
NO_CLAIM: Final = N_("Draws cannot be claimed.")
POSITION: Final = N_("The game begins from this position: {position}")


def describe_options(options: Options, *, tongue: Tongue = ENGLISH) -> tuple[str, ...]:
    """One sentence for each thing agreed on."""
    return tuple(_sentences(options, tongue))


def _sentences(options: Options, tongue: Tongue) -> Iterator[str]:
    yield tongue.say(LEVEL, level=tongue.say(LEVEL_NAMES[options.level]))
    yield tongue.say(ARENA, arena=options.arena.name)
    yield tongue.say(DICEY if options.dicey else CLEAN)
    for house, (extra, figures) in enumerate(zip(options.bonus, options.collecting, strict=True)):
        name = house_name(tongue, house)
        if extra:
            yield tongue.say(BONUS, house=name, extra=extra)
        if figures != COLLECTING:
            yield tongue.say(BOARD, house=name, figures="/".join(map(str, figures)))
    if options.position is not None:
        yield tongue.say(POSITION, position=format_position(options.position))
    elif options.starter is None:
        yield tongue.say(LOT)
    else:
        yield tongue.say(STARTS, house=house_name(tongue, options.starter))
    if options.bid:
        yield tongue.say(BID)
    if options.claim_rounds is None:
        yield tongue.say(NO_CLAIM)
    else:
        yield tongue.say(CLAIM, rounds=options.claim_rounds)
