"""Boards drawn in the text of a test, and back: ``draw`` reads one, ``picture`` makes one.

A drawing has one line for each row that matters, highest number on top, every row in its place in
the hexagon::

     9  A .   .   .   .   .   .   .   .   .   .   .   .   .   .  N
     8 A .   *   .   .   .   .   .   ##  .   .   W3  .   .   *   .  O
     7  B .   .   .   .   .   e4  .   .   .   .   .   .   .   .  O

The number of the row stands at the left; the letters at both ends name its first and last hex. A
row is one line of R1.4; letters run from lower left to upper right, equal totals of letter and
number from lower right to upper left.

=========  ============================================================
``W3``     a warrior of Gold; ``w3`` one of Black
``W3*``    the same, on a Well
``.``      an empty hex of the Arena; ``*`` an empty Well
``##``     the Core; ``xx`` a hex cut out of the arena; ``=`` an empty Haven hex
=========  ============================================================

A drawn row shows all of its hexes, and everything shown is checked against the arena. Warriors of
a House that stand in no drawn row wait on their own slots of the Haven, unless ``fallen`` says
otherwise; elements that no drawn name gives follow ``DEFAULT_SETUP`` as far as they can.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NoReturn

from notation.hexes import HEX_NAMES, LETTERS
from notation.position_line import distance_to_core, format_position, parse_position
from pbem.games.ortus.arena import Arena, get_arena
from pbem.games.ortus.figures import COLLECTING
from pbem.games.ortus.hexes import BLACK, CORE, GOLD, HAVEN_SLOTS, HAVENS, get_hex, hex_name
from pbem.games.ortus.position import Position, Rules, from_line

DEFAULT_SETUP: Final = "WFEAAEFW"
HOUSES: Final = ("gold", "black")

_ROW: Final = re.compile(r" *(\d+) +([A-O]) (.*) ([A-O])")
_CELL: Final = re.compile(r"\S+")
_WARRIOR: Final = re.compile(r"([WEAF][1-8])(\*?)", re.IGNORECASE)

Standing = dict[str, str]
"""The hexes of a House's warriors by their names, upper case."""


def row_hexes(number: int) -> list[str]:
    """The hexes of one row from left to right."""
    return [name for letter in LETTERS if (name := f"{letter}{number}") in HEX_NAMES]


def _first_column(number: int) -> int:
    """Where a row's first hex stands, counted from the end of the row's number."""
    return 4 + 2 * abs(number - 8)


def _fail(line: str, problem: str) -> NoReturn:
    raise ValueError(f"{problem} in the drawn row:\n{line}")


def draw(
    board: str,
    *,
    level: str = "master",
    arena: str | Arena = "origin",
    to_move: str = "gold",
    round: int = 5,
    energy: tuple[int, int] = (14, 14),
    guide: tuple[str | None, str | None] = (None, None),
    fallen: str = "",
    dicey: bool = False,
    bonus: tuple[int, int] = (0, 0),
    collecting: tuple[tuple[int, ...], tuple[int, ...]] = (COLLECTING, COLLECTING),
) -> Position:
    """The position that a drawing shows. Pairs are Gold, Black; honour follows from the Guide.

    ``fallen`` names warriors as a drawing does: ``"E3 f7"`` are Gold's Earth and Black's Fire.
    Raises ValueError for a drawing that is not a board.
    """
    ground = get_arena(arena) if isinstance(arena, str) else arena
    drawn: tuple[Standing, Standing] = ({}, {})
    rows = _read_rows(board, ground, drawn)
    gone: tuple[set[str], set[str]] = (set(), set())
    for name in fallen.split():
        gone[GOLD if name.isupper() else BLACK].add(name.upper())
    houses = []
    for house, haven_row in ((GOLD, 1), (BLACK, 15)):
        setup = _complete_setup([*drawn[house], *gone[house]])
        warriors: list[tuple[str, str | None]] = []
        for slot, element in enumerate(setup):
            name = f"{element}{slot + 1}"
            hex_: str | None = drawn[house].get(name)
            if name in gone[house]:
                if hex_ is not None:
                    raise ValueError(f"{HOUSES[house]}'s {name} is both drawn and Fallen")
            elif hex_ is None:
                if haven_row in rows:
                    raise ValueError(f"{HOUSES[house]}'s {name} is neither drawn nor Fallen")
                hex_ = hex_name(HAVEN_SLOTS[house][slot])
            warriors.append((name, hex_))
        houses.append(tuple(warriors))
    line = from_parts(
        arena=ground.name,
        level=level,
        to_move=to_move,
        round=round,
        energy=energy,
        guide=guide,
        houses=houses,
    )
    return from_line(parse_position(line), ground, dicey=dicey, bonus=bonus, collecting=collecting)


def from_parts(
    *,
    arena: str,
    level: str,
    to_move: str,
    round: int,
    energy: tuple[int, int],
    guide: tuple[str | None, str | None],
    houses: Iterable[tuple[tuple[str, str | None], ...]],
) -> str:
    """A position line, so that a drawing goes through every check of N4."""
    gold, black = (
        " ".join(f"{name}@{hex_ or 'x'}" for name, hex_ in warriors) for warriors in houses
    )
    honour = " ".join("0" if hex_ is None else str(8 - distance_to_core(hex_)) for hex_ in guide)
    guides = " ".join(hex_ or "-" for hex_ in guide)
    return (
        f"{arena} {level} {to_move[0]} {round} | {energy[GOLD]} {energy[BLACK]} | {honour}"
        f" | {guides} | {gold} | {black}"
    )


def _read_rows(board: str, arena: Arena, drawn: tuple[Standing, Standing]) -> list[int]:
    rows: list[int] = []
    margin: int | None = None
    for line in board.splitlines():
        if not line.strip():
            continue
        match = _ROW.fullmatch(line.rstrip())
        if match is None:
            _fail(line, "no row number, first letter, hexes and last letter")
        number, origin = int(match[1]), match.end(1)
        names = row_hexes(number)
        if not names:
            _fail(line, f"no row {number} on the board")
        if rows and number >= rows[-1]:
            _fail(line, f"row {number} below row {rows[-1]}")
        if margin is not None and origin != margin:
            _fail(line, "the number is out of line")
        margin = origin
        if (match[2], match[4]) != (names[0][0], names[-1][0]):
            _fail(line, f"row {number} runs from {names[0]} to {names[-1]}")
        if match.start(2) != origin + _first_column(number) - 2:
            _fail(line, f"the letter {match[2]} is out of place")
        cells = {
            found.start() - origin: found.group()
            for found in _CELL.finditer(line, match.start(3), match.end(3))
        }
        columns = [_first_column(number) + 4 * index for index in range(len(names))]
        if sorted(cells) != columns:
            astray = sorted(set(cells) ^ set(columns))
            shown = ", ".join(cells.get(column, "a gap") for column in astray)
            _fail(line, f"{shown} out of place")
        for name, column in zip(names, columns, strict=True):
            _read_cell(cells[column], name, arena, drawn=drawn, line=line)
        rows.append(number)
    if not rows:
        raise ValueError("nothing is drawn")
    return rows


def _empty_cell(name: str, arena: Arena) -> str:
    hex_ = get_hex(name)
    if hex_ == CORE:
        return "##"
    if arena.cuts >> hex_ & 1:
        return "xx"
    if arena.wells >> hex_ & 1:
        return "*"
    return "=" if (HAVENS[GOLD] | HAVENS[BLACK]) >> hex_ & 1 else "."


def _read_cell(
    cell: str, name: str, arena: Arena, *, drawn: tuple[Standing, Standing], line: str
) -> None:
    empty = _empty_cell(name, arena)
    if cell == empty:
        return
    match = _WARRIOR.fullmatch(cell)
    if match is None or empty in {"##", "xx"}:
        _fail(line, f"{name} is drawn as {cell}, but is {empty}")
    if bool(match[2]) != (empty == "*"):
        _fail(line, f"{name} is {'' if empty == '*' else 'not '}a Well, unlike the {cell} drawn")
    warrior = match[1]
    house = drawn[GOLD if warrior.isupper() else BLACK]
    if warrior.upper() in house:
        _fail(line, f"{warrior} stands on {house[warrior.upper()]} already")
    house[warrior.upper()] = name


def _complete_setup(names: Iterable[str]) -> str:
    """Elements for all slots: the named ones, and the default for the rest where it fits."""
    slots: list[str | None] = [None] * 8
    left = list(DEFAULT_SETUP)
    for name in names:
        slot = int(name[1]) - 1
        if slots[slot] is not None:
            raise ValueError(f"two warriors of slot {name[1]}: {slots[slot]} and {name[0]}")
        if name[0] not in left:
            raise ValueError(f"a third warrior of element {name[0]}")
        slots[slot] = name[0]
        left.remove(name[0])
    for slot, default in enumerate(DEFAULT_SETUP):
        if slots[slot] is None and default in left:
            slots[slot] = default
            left.remove(default)
    return "".join(element or left.pop(0) for element in slots)


def picture(position: Position, rows: Iterable[int] = range(15, 0, -1)) -> str:
    """The drawing of a position: what ``draw`` reads."""
    rules = position.rules
    cells: dict[str, str] = {}
    for house in (GOLD, BLACK):
        for slot, hex_ in enumerate(position.hexes[house]):
            if hex_ >= 0:
                name = rules.warrior_name(house, slot)
                well = "*" if rules.arena.wells >> hex_ & 1 else ""
                cells[hex_name(hex_)] = (name if house == GOLD else name.lower()) + well
    return "\n".join(_row_picture(number, rules, cells) for number in rows)


def _row_picture(number: int, rules: Rules, cells: Standing) -> str:
    names = row_hexes(number)
    shown = "".join(f"{cells.get(name) or _empty_cell(name, rules.arena):<4}" for name in names)
    margin = " " * (_first_column(number) - 3)
    return (
        f"{number:>2} {margin}{names[0][0]} {shown.rstrip():<{4 * len(names) - 2}} {names[-1][0]}"
    )


def position_text(position: Position) -> str:
    """The position line of a position, for messages and round trips."""
    return format_position(position.line())
