"""Where a record begins (N5.1): the way from its tags to the options and to the first position."""

from __future__ import annotations

from collections.abc import Mapping

from notation.record import Record
from notation.record_tags import find_position_tag
from pbem.games.base import Fault, OptionsError
from pbem.games.ortus.arena import BUILT_IN, Arena, ArenaError, get_arena, make_arena
from pbem.games.ortus.figures import ELEMENTS, HOUSE_NAMES, LEVELS, STARTER_ENERGY
from pbem.games.ortus.options import Options, parse_options
from pbem.games.ortus.position import Position, Rules, from_line, opening


class RecordFault(Exception):
    """The first fault of a line of play; nothing behind it can be judged."""

    def __init__(self, code: str, clause: str, line: int, column: int, **facts: object) -> None:
        self.fault = Fault(code, clause, facts, line, column)
        super().__init__(code)


def first_position(record: Record, *, arenas: Mapping[str, Arena] | None = None) -> Position:
    """The position a record begins from, by its tags. Raises RecordFault."""
    try:
        options = options_of(record.tags, arenas)
        line = options.position
        if line is not None:
            return from_line(
                line,
                options.arena,
                dicey=options.dicey,
                bonus=options.bonus,
                collecting=options.collecting,
            )
        gold, black = record.tags["GoldSetup"], record.tags["BlackSetup"]
        for setup in (gold, black):
            if sorted(setup) != sorted(ELEMENTS * 2):
                raise ValueError(f"{setup[:20]!r} is not a set-up")
        energy = record.tags["StarterEnergy"]
        if not energy.isdecimal() or int(energy) > STARTER_ENERGY:
            raise ValueError(f"nobody starts with {energy[:20]!r} Energy")
        rules = Rules(
            arena=options.arena,
            level=options.level,
            elements=(gold, black),
            dicey=options.dicey,
            bonus=options.bonus,
            collecting=options.collecting,
            starter=HOUSE_NAMES.index(record.tags["Starter"]),
        )
        return opening(rules, starter_energy=int(energy))
    except KeyError as missing:
        raise RecordFault(
            "bad_start", "N5.1", 1, 1, reason=f"The tag {missing} is missing."
        ) from None
    except (OptionsError, ArenaError, ValueError) as error:
        raise RecordFault(
            "bad_start", "N5.1", 1, 1, reason=f"The tags do not fit: {error}."
        ) from None


def options_of(tags: Mapping[str, str], arenas: Mapping[str, Arena] | None = None) -> Options:
    """The options that the tags of a record name; an arena of one's own is in Wells and Cuts."""
    position = find_position_tag(tags)
    raw: dict[str, object] = {
        "level": tags.get("Level", position.level if position else LEVELS[0]),
        "dice": tags.get("Dice", "clean"),
        "handicap": tags.get("Handicap", ""),
    }
    if "DrawClaim" in tags:
        raw["draw_claim"] = tags["DrawClaim"] != "off" and int(tags["DrawClaim"])
    options = parse_options(raw)
    return Options(
        arena=_arena_of(tags, tags.get("Arena", position.arena if position else ""), arenas or {}),
        level=options.level,
        dicey=options.dicey,
        handicap=options.handicap,
        claim_rounds=options.claim_rounds,
        position=position,
    )


def _arena_of(tags: Mapping[str, str], name: str, arenas: Mapping[str, Arena]) -> Arena:
    if "Wells" in tags:
        own = make_arena(name, wells=tags["Wells"].split(), cuts=tags.get("Cuts", "").split())
        if name in BUILT_IN and own != get_arena(name):
            raise ValueError(f"the Wells and Cuts are not those of the arena {name}")
        return own
    if "Cuts" in tags:
        raise ValueError("there are Cuts without Wells")
    if name in arenas:
        return arenas[name]
    try:
        return get_arena(name)
    except KeyError:
        raise ValueError(f"there is no arena {name!r}, and no Wells tag describes it") from None
