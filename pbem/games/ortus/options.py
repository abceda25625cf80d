"""What two players can agree on before a game (R2, R9, M), checked with every fault listed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from notation.errors import NotationError
from notation.position_line import PositionLine, parse_position
from pbem.games.base import OptionsError
from pbem.games.ortus.arena import BUILT_IN, Arena, ArenaError, get_arena, parse_arena
from pbem.games.ortus.figures import (
    CLAIM_AFTER_ROUNDS,
    COLLECTING,
    HANDICAP_BOARDS,
    HOUSE_NAMES,
    LEVELS,
)
from pbem.games.ortus.position import from_line

NAMES: Final = (
    "level",
    "arena",
    "arena_file",
    "dice",
    "handicap",
    "bid",
    "starter",
    "draw_claim",
    "position",
)
_HANDICAP: Final = re.compile(r"(gold|black) ?(?:\+([1-4])|(II?))")


@dataclass(frozen=True, slots=True)
class Options:
    """The agreed options. ``starter`` None leaves it to the lot; ``claim_rounds`` None switches the
    draw claim off; with a ``position`` there are no set-ups and no bids."""

    arena: Arena
    level: int = 0
    dicey: bool = False
    handicap: str = ""
    bid: bool = False
    starter: int | None = None
    claim_rounds: int | None = CLAIM_AFTER_ROUNDS
    position: PositionLine | None = None

    @property
    def bonus(self) -> tuple[int, int]:
        """Extra Energy for defending (R9.2), Gold and Black."""
        found = _HANDICAP.fullmatch(self.handicap)
        if found is None or found[2] is None:
            return (0, 0)
        extra = int(found[2])
        return (extra, 0) if found[1] == "gold" else (0, extra)

    @property
    def collecting(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The collecting figures (R3.1, R9.2), Gold's and Black's."""
        found = _HANDICAP.fullmatch(self.handicap)
        if found is None or found[3] is None:
            return (COLLECTING, COLLECTING)
        board = HANDICAP_BOARDS[found[3]]
        return (board, COLLECTING) if found[1] == "gold" else (COLLECTING, board)


def parse_options(raw: Mapping[str, object]) -> Options:
    """Options from plain values, as they come from a form, an invitation or a log.

    Raises OptionsError with every fault listed.
    """
    faults = {name: "there is no such option" for name in raw if name not in NAMES}
    reader = _Reader(raw, faults)
    position = reader.position()
    arena = reader.arena(position)
    level = reader.level(position)
    options = Options(
        arena=arena or get_arena(BUILT_IN[0]),
        level=level,
        dicey=reader.choice("dice", ("clean", "dicey"), "clean") == "dicey",
        handicap=reader.handicap(),
        bid=reader.flag("bid", default=False),
        starter=reader.starter(),
        claim_rounds=reader.claim(),
        position=position,
    )
    if position is not None:
        for name in ("bid", "starter"):
            if raw.get(name) not in (None, False, "lot"):
                faults[name] = "a game that begins from a position has no opening"
        if arena is not None:
            try:
                from_line(position, arena)
            except ValueError as error:
                faults["position"] = str(error)
    if faults:
        raise OptionsError(faults)
    return options


def swap_houses(raw: Mapping[str, object]) -> dict[str, object]:
    """The same options for players who have changed Houses: a handicap stays with its player
    (R9.2), while the House that starts is still the one to start."""
    swapped = dict(raw)
    found = _HANDICAP.fullmatch(str(raw.get("handicap", "")))
    if found is not None:
        other = HOUSE_NAMES[1 - HOUSE_NAMES.index(found[1])]
        swapped["handicap"] = found[0].replace(found[1], other, 1)
    return swapped


class _Reader:
    """Reads one option after the other and gathers what is wrong."""

    def __init__(self, raw: Mapping[str, object], faults: dict[str, str]) -> None:
        self._raw = raw
        self._faults = faults

    def choice(self, name: str, allowed: tuple[str, ...], default: str) -> str:
        value = self._raw.get(name, default)
        if isinstance(value, str) and value in allowed:
            return value
        self._faults[name] = f"must be one of {', '.join(allowed)}, not {_shown(value)}"
        return default

    def flag(self, name: str, *, default: bool) -> bool:
        value = self._raw.get(name, default)
        if isinstance(value, bool):
            return value
        self._faults[name] = f"must be true or false, not {_shown(value)}"
        return default

    def position(self) -> PositionLine | None:
        value = self._raw.get("position")
        if value is None:
            return None
        try:
            return parse_position(value if isinstance(value, str) else "")
        except NotationError as error:
            self._faults["position"] = str(error)
            return None

    def level(self, position: PositionLine | None) -> int:
        default = LEVELS[0] if position is None else position.level
        level = self.choice("level", LEVELS, default)
        if position is not None and level != position.level:
            self._faults["level"] = f"the position says {position.level}"
        return LEVELS.index(level)

    def arena(self, position: PositionLine | None) -> Arena | None:
        text = self._raw.get("arena_file")
        name = self._raw.get("arena", position.arena if position else None)
        arena = None
        if text is not None:
            try:
                arena = parse_arena(text if isinstance(text, str) else "")
            except ArenaError as error:
                self._faults["arena_file"] = str(error)
                return None
            if arena.name in BUILT_IN and arena != get_arena(arena.name):
                # Position lines and records name their arena, and would mean another board.
                self._faults["arena_file"] = f"{arena.name} is an arena that comes with the game"
            if name is not None and name != arena.name:
                self._faults["arena"] = f"the arena file is called {arena.name}"
        elif name is None:
            arena = get_arena(BUILT_IN[0])
        elif isinstance(name, str) and name in BUILT_IN:
            arena = get_arena(name)
        else:
            known = ", ".join(BUILT_IN)
            self._faults["arena"] = f"must be one of {known}, not {_shown(name)}"
        if arena and position and position.arena != arena.name:
            self._faults["arena"] = f"the position says {position.arena}"
        return arena

    def handicap(self) -> str:
        value = self._raw.get("handicap", "")
        if value == "" or (isinstance(value, str) and _HANDICAP.fullmatch(value)):
            return str(value)
        self._faults["handicap"] = (
            f"must be a House with +1 to +4 or board I or II, as `gold +2`, not {_shown(value)}"
        )
        return ""

    def starter(self) -> int | None:
        value = self.choice("starter", ("lot", *HOUSE_NAMES), "lot")
        return None if value == "lot" else HOUSE_NAMES.index(value)

    def claim(self) -> int | None:
        value = self._raw.get("draw_claim", True)
        if isinstance(value, bool):
            return CLAIM_AFTER_ROUNDS if value else None
        if isinstance(value, int) and 1 <= value <= 999:
            return value
        self._faults["draw_claim"] = (
            f"must be true, false or a number of rounds, not {_shown(value)}"
        )
        return None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"
