"""A position that somebody asks about: from a position line, or from a turn of a record."""

from __future__ import annotations

from notation.record import Record, RecordTurn
from pbem.archive.places import label_of
from pbem.games.ortus.options import parse_options
from pbem.games.ortus.position import Position, from_line
from pbem.games.ortus.replaying import replay

MAX_LINE = 1024


def position_from_line(line: str, *, dice: str = "clean", handicap: str = "") -> Position:
    """The position of a line (N4) on an arena of the game. Raises OptionsError, with what is wrong
    with each of the three."""
    options = parse_options({"position": line, "dice": dice, "handicap": handicap})
    assert options.position is not None, "a position was given"
    return from_line(
        options.position,
        options.arena,
        dicey=options.dicey,
        bonus=options.bonus,
        collecting=options.collecting,
    )


def find_position_at(record: Record, label: str) -> Position | None:
    """The position at the beginning of a turn of the main line, ``3b``; None if there is none."""
    found: list[Position] = []

    def watch(position: Position, turn: RecordTurn) -> None:
        if not found and label_of(turn) == label:
            found.append(position.copy())

    replay(record, watch=watch)
    return found[0] if found else None


def turn_label(ply: int, *, starter: str) -> str:
    """The label of a turn by its number, in a game that began from set-ups: 1 is ``1g`` or ``1b``
    after the House that started."""
    first, second = ("g", "b") if starter == "gold" else ("b", "g")
    return f"{(ply + 1) // 2}{first if ply % 2 else second}"
