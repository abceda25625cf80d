"""Scenes for the tests of pictures, from position lines."""

from __future__ import annotations

from typing import Final

from notation.position_line import parse_position
from pbem.games.ortus.arena import get_arena
from pbem.games.ortus.drawing import Trace, draw_position
from pbem.games.ortus.hexes import get_hex
from pbem.games.ortus.position import Position, from_line
from pbem.games.scene import ArrowKind, Scene

MIDDLE_GAME: Final = (
    "origin master g 5 | 22 9 | 3 2 | J3 D14 "
    "| W1@F6 F2@I6 E3@x A4@K4 A5@G8 E6@L5 F7@I10 W8@O1 "
    "| W1@H15 F2@D10 E3@J10 A4@G9 A5@F9 E6@C15 F7@B15 W8@C12"
)
OPENING: Final = (
    "origin master g 1 | 7 14 | 0 0 | - - "
    "| W1@H1 F2@I1 E3@J1 A4@K1 A5@L1 E6@M1 F7@N1 W8@O1 "
    "| W1@H15 F2@G15 E3@F15 A4@E15 A5@D15 E6@C15 F7@B15 W8@A15"
)


def position(line: str = MIDDLE_GAME) -> Position:
    parsed = parse_position(line)
    return from_line(parsed, get_arena(parsed.arena))


def middle_game(bottom: int = 0) -> Scene:
    return draw_position(position(), bottom=bottom)


def busy_scene() -> Scene:
    """More arrows and highlights than a turn usually leaves."""
    arrows = (
        ("K3", "K4", ArrowKind.MOVE),
        ("G12", "G8", ArrowKind.SLIDE),
        ("I6", "D10", ArrowKind.ATTACK),
        ("G8", "G9", ArrowKind.ATTACK),
        ("L5", "L7", ArrowKind.ATTACK),
    )
    trace = Trace(
        arrows=tuple((get_hex(start), get_hex(end), kind) for start, end, kind in arrows),
        touched=frozenset(get_hex(name) for name in ("K3", "K4", "I6", "D10", "L7")),
        fell=frozenset({get_hex("L7")}),
    )
    return draw_position(position(), trace=trace)
