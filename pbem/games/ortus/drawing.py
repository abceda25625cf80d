"""A position of Ortus as a scene for ``pbem.diagrams``: what to show, not how it looks.

Owns the words of the picture, and the trace: what the last actions did, as arrows,
highlighted hexes and hexes where a warrior fell. Says nothing that the player on either side may
not see: secrets are not in a ``Position``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from pbem.games.ortus.actions import ATTACKS, CHARGES, DRAGONS, END, KITE, ON_GUIDE, RETURN, Action
from pbem.games.ortus.arena import Arena
from pbem.games.ortus.figures import EARTH_LEVEL, HONOUR_TO_WIN
from pbem.games.ortus.geometry import is_covered, is_shielded, share_hexline
from pbem.games.ortus.hexes import (
    BLACK,
    CORE,
    GOLD,
    HAVEN_SLOTS,
    HAVENS,
    HEXES,
    OFF_BOARD,
    hex_name,
)
from pbem.games.ortus.position import Position
from pbem.games.ortus.words import LEVEL_NAMES, house_name
from pbem.games.scene import (
    Arrow,
    ArrowKind,
    Board,
    Cell,
    CellKind,
    Count,
    LegendEntry,
    Mark,
    Panel,
    Piece,
    Scene,
    Shape,
    Sign,
    Token,
    Track,
    TrackStyle,
)
from pbem.tongue import ENGLISH, N_, Tongue

ENERGY_TRACK: Final = 32
"""The most that collecting ever gives (R9.2, board II)."""

SHAPES: Final = {"W": Shape.KITE, "E": Shape.SQUARE, "A": Shape.DISC, "F": Shape.FLAME}
GUIDE_LETTER: Final = "G"

TEXT_KEY: Final = (
    N_("W3 Gold's, w3 Black's: W Wind, E Earth, A Water, F Fire; ( ) Well"),
    N_("## Core, = Haven, G and g the Guides"),
)
TO_MOVE: Final = N_("to move")
TO_DEFEND: Final = N_("to defend")
WINS: Final = N_("wins")
CAPTION: Final = N_("Round {round}, {house} {status} ({arena}, {level})")
DRAWN_CAPTION: Final = N_("Round {round}, drawn ({arena}, {level})")
SECRET: Final = N_("Set-ups are secret until both are in.")
TITLE: Final = "Ortus. {caption}"
MARKS: Final = {
    Mark.COVERED: N_("covered"),
    Mark.REVEALED: N_("revealed"),
    Mark.SHIELDED: N_("shielded"),
}
MARKED: Final = N_("{piece} on {cell}")


@dataclass(frozen=True, slots=True)
class Trace:
    """What some actions did on the board, one after the other. Traces can be added."""

    arrows: tuple[tuple[int, int, ArrowKind], ...] = ()
    touched: frozenset[int] = frozenset()
    fell: frozenset[int] = frozenset()

    def __add__(self, later: Trace) -> Trace:
        return Trace(
            arrows=tuple(dict.fromkeys(self.arrows + later.arrows)),
            touched=self.touched | later.touched,
            fell=self.fell | later.fell,
        )


def trace_action(before: Position, action: Action, after: Position) -> Trace:
    """What one action did. ``after`` may be any later moment, so that falls can be seen."""
    house = before.active
    hexes = before.hexes[house]
    if action.verb == END:
        back = {after.hexes[house][slot] for slot in before.fallen(house)} - {OFF_BOARD}
        return Trace(touched=frozenset(back))
    arrows: list[tuple[int, int, ArrowKind]] = []
    verb = action.verb
    if verb in ATTACKS:
        start = hexes[action.who]
        if verb in CHARGES:
            arrows.append((start, action.landing, ArrowKind.MOVE))
            start = action.landing
        arrows.append((start, action.to, ArrowKind.ATTACK))
        if verb == DRAGONS:
            arrows.append((hexes[action.partner], action.to, ArrowKind.ATTACK))
    elif verb == RETURN:
        goal = before.guide[house] if action.to == ON_GUIDE else action.to
        return Trace(touched=frozenset({goal}))
    elif action.who >= 0:
        kind = ArrowKind.SLIDE if verb == KITE else ArrowKind.MOVE
        arrows.append((hexes[action.who], action.to, kind))
    elif action.to >= 0:
        return Trace(touched=frozenset({action.to}))
    fell = {
        hex_
        for hex_, later in zip(before.hexes[1 - house], after.hexes[1 - house], strict=True)
        if later == OFF_BOARD and hex_ != OFF_BOARD
    }
    ends = {hex_ for start, end, _ in arrows for hex_ in (start, end)}
    return Trace(arrows=tuple(arrows), touched=frozenset(ends), fell=frozenset(fell))


def trace_question(position: Position, attack: Action) -> Trace:
    """An attack that waits for its defence: arrows to everybody who is asked about."""
    assert position.question is not None
    attackers = [attack.who] if attack.verb != DRAGONS else [attack.who, attack.partner]
    hexes = position.hexes[position.active]
    arrows = tuple(
        (hexes[attacker], victim.hex, ArrowKind.ATTACK)
        for victim in position.question.victims
        for attacker in attackers
    )
    return Trace(arrows, frozenset(hex_ for start, end, _ in arrows for hex_ in (start, end)))


LEGEND: Final = (
    (Piece(None, GOLD, Shape.KITE, "W3"), N_("Gold's Wind, slot 3")),
    (Piece(None, BLACK, Shape.KITE, "W3"), N_("Black's Wind, slot 3")),
    (Piece(None, GOLD, Shape.SQUARE, "E1"), N_("Earth")),
    (Piece(None, GOLD, Shape.DISC, "A5"), N_("Water")),
    (Piece(None, GOLD, Shape.FLAME, "F2"), N_("Fire")),
    (Cell("I6", 0, 0, CellKind.SOURCE), N_("Well")),
    (Cell("H8", 0, 0, CellKind.CENTRE), N_("Core")),
    (Cell("K1", 0, 0, CellKind.HOME, GOLD), N_("Gold's Haven")),
    (Cell("E15", 0, 0, CellKind.HOME, BLACK), N_("Black's Haven")),
    (Token("", GOLD, GUIDE_LETTER), N_("Gold's Guide")),
    (Token("", BLACK, GUIDE_LETTER), N_("Black's Guide")),
    (Mark.COVERED, N_("covered: no target")),
    (Mark.REVEALED, N_("revealed")),
    (Mark.SHIELDED, N_("shielded")),
    (Sign.HIGHLIGHT, N_("last action")),
    (Sign.STRUCK, N_("fell here")),
    (ArrowKind.MOVE, N_("walk")),
    (ArrowKind.SLIDE, N_("flight of a Kite")),
    (ArrowKind.ATTACK, N_("attack")),
    (ArrowKind.NOTE, N_("from a comment")),
    (Sign.LINE, N_("Hexline")),
)


def draw_legend(tongue: Tongue = ENGLISH) -> tuple[LegendEntry, ...]:
    """Everything a picture can show, explained."""
    return tuple(LegendEntry(shown, tongue.say(meaning)) for shown, meaning in LEGEND)


def draw_position(
    position: Position,
    *,
    bottom: int = GOLD,
    names: tuple[str, str] | None = None,
    trace: Trace | None = None,
    caption: str | None = None,
    description: str = "",
    with_hexlines: bool = False,
    with_marks: bool = True,
    tongue: Tongue = ENGLISH,
) -> Scene:
    """The scene of a position, seen from one House's side.

    ``names`` stand over the panels instead of the Houses; ``caption`` replaces the line that says
    round and turn.
    """
    arena = position.rules.arena
    trace = trace or Trace()
    occupied = position.occupied[GOLD] | position.occupied[BLACK]
    usual = _caption(position, tongue)
    return Scene(
        board=draw_board(arena),
        pieces=tuple(_pieces(position, with_marks)),
        tokens=tuple(
            Token(hex_name(hex_), house, GUIDE_LETTER)
            for house, hex_ in enumerate(position.guide)
            if hex_ != OFF_BOARD
        ),
        panels=(
            _panel(position, GOLD, names, tongue),
            _panel(position, BLACK, names, tongue),
        ),
        arrows=tuple(Arrow(hex_name(a), hex_name(b), kind) for a, b, kind in trace.arrows),
        highlighted=tuple(hex_name(hex_) for hex_ in sorted(trace.touched)),
        struck=tuple(hex_name(hex_) for hex_ in sorted(trace.fell) if not occupied >> hex_ & 1),
        lines=tuple(_hexlines(position)) if with_hexlines else (),
        caption=usual if caption is None else caption,
        title=TITLE.format(caption=usual),
        description=description,
        key=tuple(tongue.say(line) for line in TEXT_KEY),
        marked=tongue.say(MARKED),
        mark_names=tuple((mark, tongue.say(name)) for mark, name in MARKS.items()),
        bottom_seat=bottom,
    )


@lru_cache(maxsize=16)
def draw_board(arena: Arena) -> Board:
    """The empty board of an arena."""
    return Board(tuple(_cell(arena, hex_) for hex_ in HEXES))


def _cell(arena: Arena, hex_: int) -> Cell:
    kind, seat = CellKind.PLAIN, None
    if hex_ == CORE:
        kind = CellKind.CENTRE
    elif arena.wells >> hex_ & 1:
        kind = CellKind.SOURCE
    elif arena.cuts >> hex_ & 1:
        kind = CellKind.CUT
    else:
        for house in (GOLD, BLACK):
            if HAVENS[house] >> hex_ & 1:
                kind, seat = CellKind.HOME, house
    return Cell(hex_name(hex_), (hex_ & 15) - 7, (hex_ >> 4) - 7, kind, seat)


def _pieces(position: Position, with_marks: bool) -> list[Piece]:
    rules = position.rules
    with_marks = with_marks and rules.level >= EARTH_LEVEL  # below it there are none
    return [
        Piece(
            hex_name(hex_),
            house,
            SHAPES[rules.elements[house][slot]],
            rules.warrior_name(house, slot),
            _marks(position, house, slot) if with_marks else (),
        )
        for house in (GOLD, BLACK)
        for slot, hex_ in enumerate(position.hexes[house])
        if hex_ != OFF_BOARD
    ]


def _marks(position: Position, house: int, slot: int) -> tuple[Mark, ...]:
    """Covered or revealed (M3.1) for Earths on the Arena, and shielded (M5.1)."""
    rules = position.rules
    marks = []
    on_arena = rules.arena.ground >> position.hexes[house][slot] & 1
    if rules.level >= EARTH_LEVEL and on_arena and slot in rules.earths[house]:
        covered = is_covered(position, house, slot)
        marks.append(Mark.COVERED if covered else Mark.REVEALED)
    if is_shielded(position, house, slot):
        marks.append(Mark.SHIELDED)
    return tuple(marks)


def _panel(position: Position, house: int, names: tuple[str, str] | None, tongue: Tongue) -> Panel:
    rules = position.rules
    guide = position.guide[house]
    counts = [Count(tongue.say("Wells"), str(position.wells_held(house)))]
    if guide != OFF_BOARD:
        counts.append(Count(tongue.say("Guide"), hex_name(guide)))
    status = _status(position, house)
    return Panel(
        seat=house,
        title=house_name(tongue, house) if names is None else names[house],
        status=tongue.say(status) if status else "",
        is_active=bool(status),
        tracks=(
            Track(tongue.say("Energy"), position.energy[house], ENERGY_TRACK, TrackStyle.BAR),
            Track(tongue.say("Honour"), position.honour[house], HONOUR_TO_WIN, TrackStyle.PIPS),
        ),
        counts=tuple(counts),
        off_board_title=tongue.say("Fallen"),
        off_board=tuple(
            Piece(
                cell=None,
                seat=house,
                shape=SHAPES[rules.elements[house][slot]],
                label=rules.warrior_name(house, slot),
            )
            for slot in position.fallen(house)
        ),
    )


def _status(position: Position, house: int) -> str:
    if position.reason is not None:
        return WINS if position.winner == house else ""
    asked = position.passive if position.question else position.active
    if house != asked:
        return ""
    return TO_DEFEND if position.question else TO_MOVE


def _caption(position: Position, tongue: Tongue) -> str:
    rules = position.rules
    facts = {
        "round": position.round,
        "arena": rules.arena.name,
        "level": tongue.say(LEVEL_NAMES[rules.level]),
    }
    for house in (GOLD, BLACK):
        status = _status(position, house)
        if status:
            name = house_name(tongue, house)
            return tongue.say(CAPTION, house=name, status=tongue.say(status), **facts)
    return tongue.say(DRAWN_CAPTION, **facts)


def _hexlines(position: Position) -> list[tuple[str, str]]:
    """All pairs of warriors that share a Hexline (M1)."""
    standing = [hex_ for house in position.hexes for hex_ in house if hex_ != OFF_BOARD]
    return [
        (hex_name(a), hex_name(b))
        for a, b in combinations(standing, 2)
        if share_hexline(position, a, b)
    ]


def draw_setup(arena: Arena, *, setup: str | None, house: int, tongue: Tongue = ENGLISH) -> Scene:
    """The board before both set-ups are in: a House sees its own warriors at most (R2.2)."""
    slots = HAVEN_SLOTS[house]
    pieces = tuple(
        Piece(hex_name(slots[slot]), house, SHAPES[element], f"{element}{slot + 1}")
        for slot, element in enumerate(setup or "")
    )
    caption = tongue.say(SECRET)
    return Scene(
        board=draw_board(arena),
        pieces=pieces,
        caption=caption,
        title=TITLE.format(caption=caption),
        key=tuple(tongue.say(line) for line in TEXT_KEY),
        bottom_seat=house,
    )
