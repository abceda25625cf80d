from __future__ import annotations

import pytest

from pbem.games.ortus.actions import ON_GUIDE, Action
from pbem.games.ortus.arena import make_arena
from pbem.games.ortus.drawing import (
    Trace,
    draw_board,
    draw_legend,
    draw_position,
    trace_action,
)
from pbem.games.ortus.hexes import get_hex
from pbem.games.ortus.turn import decide, perform
from pbem.games.scene import ArrowKind, Cell, CellKind, Mark, Shape
from tests.diagrams.scenes import MIDDLE_GAME, OPENING, position

WELLS = ("F6", "I6", "L6", "B8", "N8", "D10", "G10", "J10")


def kinds(cells: tuple[Cell, ...], kind: CellKind, seat: int | None = None) -> set[str]:
    return {cell.name for cell in cells if cell.kind is kind and cell.seat == seat}


def test_the_board_shows_wells_havens_core_and_cuts() -> None:
    """R1.2, R1.3, R1.5, R1.6."""
    cells = draw_board(make_arena("own", wells=WELLS, cuts=("G8", "I8"))).cells
    assert kinds(cells, CellKind.SOURCE) == set(WELLS)
    assert kinds(cells, CellKind.CENTRE) == {"H8"}
    assert kinds(cells, CellKind.CUT) == {"G8", "I8"}
    assert kinds(cells, CellKind.HOME, 0) == {f"{letter}1" for letter in "HIJKLMNO"}
    assert kinds(cells, CellKind.HOME, 1) == {f"{letter}15" for letter in "ABCDEFGH"}


def test_cells_lie_on_the_axes_of_the_rules() -> None:
    """R1.1."""
    spots = {cell.name: (cell.q, cell.r) for cell in draw_board(position().rules.arena).cells}
    assert spots["H8"] == (0, 0)
    assert spots["O1"] == (7, -7)
    assert spots["A15"] == (-7, 7)


def test_warriors_have_house_shape_label_and_marks() -> None:
    scene = draw_position(position())
    pieces = {(piece.seat, piece.label): piece for piece in scene.pieces}
    assert len(pieces) == 15
    assert pieces[0, "W1"].cell == "F6"
    assert pieces[0, "W1"].shape is Shape.KITE
    assert pieces[1, "A4"].shape is Shape.DISC
    assert pieces[0, "F2"].marks == (Mark.SHIELDED,)
    assert pieces[0, "E6"].marks == (Mark.COVERED,)
    assert pieces[1, "E6"].marks == ()  # in its Haven, where nothing is covered


def test_a_revealed_earth_is_marked() -> None:
    """M3.1: two opposing Earths on one line reveal each other."""
    line = MIDDLE_GAME.replace("E6@L5", "E6@J6")
    marks = {
        (piece.seat, piece.label): piece.marks for piece in draw_position(position(line)).pieces
    }
    assert marks[0, "E6"] == marks[1, "E3"] == (Mark.REVEALED,)


@pytest.mark.parametrize("level", ["apprentice", "wind"])
def test_levels_without_earth_rules_mark_nothing(level: str) -> None:
    scene = draw_position(position(MIDDLE_GAME.replace("master", level)))
    assert not any(piece.marks for piece in scene.pieces)


def test_panels_tell_the_figures() -> None:
    gold, black = draw_position(position(), names=("Adrian", "Beau")).panels
    assert (gold.title, black.title) == ("Adrian", "Beau")
    assert [(track.label, track.value) for track in gold.tracks] == [("Energy", 22), ("Honour", 3)]
    assert [(count.label, count.value) for count in black.counts] == [
        ("Wells", "2"),
        ("Guide", "D14"),
    ]
    assert [piece.label for piece in gold.off_board] == ["E3"]
    assert (gold.status, gold.is_active) == ("to move", True)
    assert (black.status, black.is_active) == ("", False)


def test_guides_are_tokens_and_none_before_the_first_honour() -> None:
    tokens = {(token.seat, token.cell) for token in draw_position(position()).tokens}
    assert tokens == {(0, "J3"), (1, "D14")}
    assert draw_position(position(OPENING)).tokens == ()


def test_hexlines_only_on_request() -> None:
    """M1: I6, I10 and the two between D10 and J10 lie on lines."""
    assert draw_position(position()).lines == ()
    lines = {frozenset(line) for line in draw_position(position(), with_hexlines=True).lines}
    assert frozenset({"I6", "I10"}) in lines
    assert frozenset({"F6", "I6"}) in lines
    assert not any("O1" in line for line in lines)  # a Haven has none


def arrows_of(trace: Trace) -> list[tuple[str, str, ArrowKind]]:
    scene = draw_position(position(), trace=trace)
    return [(arrow.source, arrow.target, arrow.kind) for arrow in scene.arrows]


def test_a_walk_leaves_an_arrow() -> None:
    before = position()
    action = Action("walk", 3, get_hex("K5"))
    trace = trace_action(before, action, perform(before, action))
    assert arrows_of(trace) == [("K4", "K5", ArrowKind.MOVE)]
    assert trace.touched == {get_hex("K4"), get_hex("K5")}


def test_a_kite_slides() -> None:
    before = position()
    action = Action("kite", 0, get_hex("C6"))
    trace = trace_action(before, action, perform(before, action))
    assert arrows_of(trace) == [("F6", "C6", ArrowKind.SLIDE)]


def test_a_charge_walks_then_attacks_and_a_fall_leaves_a_cross() -> None:
    before = position(MIDDLE_GAME.replace("| 22 9 |", "| 22 5 |"))
    action = Action("wave", 3, get_hex("C12"), get_hex("C11"))
    after = decide(perform(before, action), [False])
    trace = trace_action(before, action, after)
    assert arrows_of(trace) == [
        ("K4", "C11", ArrowKind.MOVE),
        ("C11", "C12", ArrowKind.ATTACK),
    ]
    assert draw_position(after, trace=trace).struck == ("C12",)


def test_dragons_have_two_arrows() -> None:
    before = position()
    action = Action("drg", 1, get_hex("D10"), partner=6)
    found = trace_action(before, action, before).arrows
    assert [(start, end) for start, end, _ in found] == [
        (get_hex("I6"), get_hex("D10")),
        (get_hex("I10"), get_hex("D10")),
    ]


@pytest.mark.parametrize(
    ("action", "hex_"),
    [
        (Action("ret", 2, get_hex("K1")), "K1"),
        (Action("ret", 2, ON_GUIDE), "J3"),
        (Action("guide", to=get_hex("J4")), "J4"),
    ],
)
def test_returns_and_guide_steps_touch_their_hex(action: Action, hex_: str) -> None:
    before = position()
    assert trace_action(before, action, before) == Trace(touched=frozenset({get_hex(hex_)}))


def test_the_end_of_a_turn_shows_who_came_back() -> None:
    """R7.2: the server puts E3 back on its own slot."""
    before = position()
    action = Action("end")
    trace = trace_action(before, action, perform(before, action))
    assert trace == Trace(touched=frozenset({get_hex("J1")}))


def test_traces_add_up() -> None:
    before = position()
    first = Action("walk", 3, get_hex("K5"))
    middle = perform(before, first)
    second = Action("ret", 2, get_hex("K1"))
    both = trace_action(before, first, middle) + trace_action(middle, second, middle)
    assert both.touched == {get_hex("K4"), get_hex("K5"), get_hex("K1")}
    assert len(both.arrows) == 1


def test_the_legend_has_every_shape_and_mark() -> None:
    shown = [entry.shown for entry in draw_legend()]
    assert {getattr(item, "shape", None) for item in shown} >= set(Shape)
    assert set(ArrowKind) <= {item for item in shown if isinstance(item, ArrowKind)}
