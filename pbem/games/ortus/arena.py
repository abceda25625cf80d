"""Arenas (R1.5, R1.6): where the Wells are and which hexes are cut out, read from a small file.

An arena file is TOML: ``name``, ``wells`` and, if it likes, ``cuts``. Owns the check of a file,
with every fault listed at once, and the sets of hexes the rules ask for.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from pbem.games.ortus.hexes import (
    BLACK,
    BOARD,
    CORE,
    GOLD,
    HAVEN_SLOTS,
    HAVENS,
    NEIGHBOURS,
    bit_set,
    get_hex,
    half_turn,
    hex_name,
    members,
    widen,
)

WELL_COUNT: Final = 8
MAX_FILE_BYTES: Final = 8 * 1024
"""Enough for every hex of the board; the time of reading TOML grows with the square of a key."""
NAME_SHAPE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")


class ArenaError(ValueError):
    """An arena that cannot be played on; ``faults`` lists everything that is wrong with it."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


@dataclass(frozen=True, slots=True)
class Arena:
    """One side of a board. ``wells``, ``cuts``, ``open`` and ``ground`` are sets of hexes.

    ``open`` is all that can be stood on, Havens included; ``ground`` is the Arena proper:
    ``open`` without the Havens. ``free_ground`` is ``open`` without the *opposing* Haven, for
    Gold and for Black (R4.1).
    """

    name: str
    wells: int
    cuts: int
    open: int
    ground: int
    free_ground: tuple[int, int]


def make_arena(name: str, *, wells: Iterable[str], cuts: Iterable[str] = ()) -> Arena:
    """An arena from hex names. Raises ArenaError with every fault listed (R1.6)."""
    faults: list[str] = []
    if not NAME_SHAPE.fullmatch(name):
        faults.append(
            f"the name {name[:40]!r} must begin with a letter "
            "and have 1 to 32 letters, digits, - or _"
        )
    well_hexes = _read_hexes("Well", wells, faults)
    cut_hexes = _read_hexes("cut", cuts, faults)
    if len(well_hexes) != WELL_COUNT:
        faults.append(f"there are {len(well_hexes)} different Wells, not {WELL_COUNT}")
    well_set, cut_set = bit_set(well_hexes), bit_set(cut_hexes)
    faults += [f"the Well {hex_name(hex_)} is cut" for hex_ in members(well_set & cut_set)]
    for kind, hexes in (("Well", well_hexes), ("cut", cut_hexes)):
        faults += [
            f"the {kind} {hex_name(hex_)} has no partner on {hex_name(half_turn(hex_))}, "
            "across the Core"
            for hex_ in hexes
            if half_turn(hex_) not in hexes
        ]
    ground = BOARD & ~HAVENS[GOLD] & ~HAVENS[BLACK] & ~(1 << CORE) & ~cut_set
    faults += _walking_faults(ground)
    if faults:
        raise ArenaError(faults)
    open_hexes = ground | HAVENS[GOLD] | HAVENS[BLACK]
    return Arena(
        name=name,
        wells=well_set,
        cuts=cut_set,
        open=open_hexes,
        ground=ground,
        free_ground=(open_hexes & ~HAVENS[BLACK], open_hexes & ~HAVENS[GOLD]),
    )


def _read_hexes(kind: str, names: Iterable[str], faults: list[str]) -> list[int]:
    hexes: list[int] = []
    for name in names:
        try:
            hex_ = get_hex(name)
        except KeyError:
            faults.append(f"the {kind} {name[:20]!r} is not a hex of the board")
            continue
        if hex_ == CORE or (HAVENS[GOLD] | HAVENS[BLACK]) >> hex_ & 1:
            faults.append(f"the {kind} {name} is not on the Arena")
        elif hex_ in hexes:
            faults.append(f"the {kind} {name} is named twice")
        else:
            hexes.append(hex_)
    return hexes


def _walking_faults(ground: int) -> list[str]:
    faults = [
        f"the Haven hex {hex_name(hex_)} has no free Arena neighbour"
        for slots in HAVEN_SLOTS
        for hex_ in slots
        if not NEIGHBOURS[hex_] & ground
    ]
    for house, label in ((GOLD, "Gold's"), (BLACK, "Black's")):
        # A House may walk in its own Haven, never in the other one (R4.1).
        reached, grown = 0, HAVENS[house]
        while grown != reached:
            reached, grown = grown, widen(grown) & (ground | HAVENS[house])
        lost = [hex_name(hex_) for hex_ in members(ground & ~reached)]
        if lost:
            shown = ", ".join(lost[:6]) + (", …" if len(lost) > 6 else "")
            faults.append(f"{label} Haven has no walk to {shown}")
    return faults


def parse_arena(text: str) -> Arena:
    """An arena from the text of a file. Raises ArenaError with every fault listed."""
    if len(text) > MAX_FILE_BYTES:
        raise ArenaError([f"the file is longer than {MAX_FILE_BYTES} characters"])
    import tomllib  # noqa: PLC0415 - only when an arena is read

    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number too long is no TOMLDecodeError
        raise ArenaError([f"not a TOML file: {error}"]) from None
    return _from_table(data)


def _from_table(data: Mapping[str, object]) -> Arena:
    faults = [f"unknown entry {key!r}" for key in data if key not in {"name", "wells", "cuts"}]
    name = data.get("name")
    if not isinstance(name, str):
        faults.append("`name` must be a text")
    lists: dict[str, list[str]] = {}
    for key in ("wells", "cuts"):
        value = data.get(key, [])
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            lists[key] = value
        else:
            faults.append(f"`{key}` must be a list of hex names")
            lists[key] = []
    try:
        arena = make_arena(
            name if isinstance(name, str) else "nameless", wells=lists["wells"], cuts=lists["cuts"]
        )
    except ArenaError as error:
        raise ArenaError([*faults, *error.faults]) from None
    if faults:
        raise ArenaError(faults)
    return arena


BUILT_IN: Final = ("origin", "crown")


@cache
def get_arena(name: str) -> Arena:
    """One of the arenas that come with the game. Raises KeyError for another name."""
    if name not in BUILT_IN:
        raise KeyError(name)
    data = pkgutil.get_data("pbem.games.ortus", f"arenas/{name}.toml")
    assert data is not None, "the package has its data"
    return parse_arena(data.decode())
