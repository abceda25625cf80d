from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pbem.diagrams.text import COLUMNS, scene_text
from pbem.games.ortus.drawing import draw_position
from pbem.games.scene import Board, Cell, CellKind, Panel, Piece, Scene, Shape, Token
from tests.diagrams.scenes import OPENING, busy_scene, middle_game, position

FROM_GOLD = """\
                      A   B   C   D   E   F   G   H
               A15  =   f7  e6  =   =   =   =   w1  H15
             A14  .   .   .   g   .   .   .   .   .   I14
           A13  .   .   .   .   .   .   .   .   .   .   J13
         A12  .   .   w8  .   .   .   .   .   .   .   .   K12
       A11  .   .   .   .   .   .   .   .   .   .   .   .   L11
     A10  .   .   .  (f2) .   .  ( )  .   F7 (e3) .   .   .   M10
    A9  .   .   .   .   .   a5  a4  .   .   .   .   .   .   .   N9
  A8  .  ( )  .   .   .   .   A5  ##  .   .   .   .   .  ( )  .   O8
    B7  .   .   .   .   .   .   .   .   .   .   .   .   .   .   O7
      C6  .   .   .  (W1) .   .  (F2) .   .  ( )  .   .   .   O6
        D5  .   .   .   .   .   .   .   .   E6  .   .   .   O5
          E4  .   .   .   .   .   .   A4  .   .   .   .   O4
            F3  .   .   .   .   G   .   .   .   .   .   O3
              G2  .   .   .   .   .   .   .   .   .   O2
                H1  =   =   =   =   =   =   =   W8  O1
                  H   I   J   K   L   M   N   O

  Black
    Energy  9 [####------------]  Honour 2/8  Wells 2  Guide D14
* Gold, to move
    Energy 22 [###########-----]  Honour 3/8  Wells 2  Guide J3  Fallen E3
Shielded: F2 on I6, F7 on I10
Covered: E6 on L5, e3 on J10
Round 5, Gold to move (origin, master)"""

OPENING_FROM_BLACK = """\
                      O   N   M   L   K   J   I   H
                O1  W8  F7  E6  A5  A4  E3  F2  W1  H1
              O2  .   .   .   .   .   .   .   .   .   G2
            O3  .   .   .   .   .   .   .   .   .   .   F3
          O4  .   .   .   .   .   .   .   .   .   .   .   E4
        O5  .   .   .   .   .   .   .   .   .   .   .   .   D5
      O6  .   .   .  ( )  .   .  ( )  .   .  ( )  .   .   .   C6
    O7  .   .   .   .   .   .   .   .   .   .   .   .   .   .   B7
  O8  .  ( )  .   .   .   .   .   ##  .   .   .   .   .  ( )  .   A8
    N9  .   .   .   .   .   .   .   .   .   .   .   .   .   .   A9
     M10  .   .   .  ( )  .   .  ( )  .   .  ( )  .   .   .   A10
       L11  .   .   .   .   .   .   .   .   .   .   .   .   A11
         K12  .   .   .   .   .   .   .   .   .   .   .   A12
           J13  .   .   .   .   .   .   .   .   .   .   A13
             I14  .   .   .   .   .   .   .   .   .   A14
               H15  w1  f2  e3  a4  a5  e6  f7  w8  A15
                  H   G   F   E   D   C   B   A
"""


def test_the_board_from_golds_side() -> None:
    assert scene_text(middle_game(), with_key=False) == FROM_GOLD


def test_the_board_from_blacks_side_is_turned_half_round() -> None:
    drawn = scene_text(draw_position(position(OPENING), bottom=1))
    assert drawn.startswith(OPENING_FROM_BLACK)


def test_the_key_comes_last_and_can_be_left_out() -> None:
    scene = middle_game()
    assert scene_text(scene) == "\n".join([FROM_GOLD, "", *scene.key])


def test_lines_are_ascii_and_fit_a_mail() -> None:
    scene = replace(
        busy_scene(),
        caption="A caption for which one line is not enough, " * 4 + "é – ☃",
        panels=(Panel(0, "Zoë " * 30, status="to move", is_active=True),),
    )
    drawn = scene_text(scene)
    assert drawn.isascii()
    assert max(map(len, drawn.splitlines())) <= COLUMNS
    assert "Zoe" in drawn
    assert not re.search(r" $", drawn, re.MULTILINE)


def small_board(*, centre: CellKind) -> Board:
    return Board((Cell("A1", -1, 0), Cell("B1", 0, 0, centre), Cell("C1", 1, 0, CellKind.CUT)))


@pytest.mark.parametrize(
    ("kind", "piece_seat", "token_seats", "line"),
    [
        (CellKind.PLAIN, None, (), "  A1  .   .       C1"),
        (CellKind.PLAIN, None, (0,), "  A1  .   G       C1"),
        (CellKind.PLAIN, None, (0, 1), "  A1  .   Gg      C1"),
        (CellKind.PLAIN, 1, (0,), "  A1  .   w3G     C1"),
        (CellKind.SOURCE, None, (1,), "  A1  .  (g)      C1"),
        (CellKind.SOURCE, 0, (), "  A1  .  (W3)     C1"),
        (CellKind.SOURCE, 0, (1,), "  A1  .  (W3g     C1"),
    ],
)
def test_what_shares_a_cell(
    kind: CellKind, piece_seat: int | None, token_seats: tuple[int, ...], line: str
) -> None:
    pieces = () if piece_seat is None else (Piece("B1", piece_seat, Shape.KITE, "W3"),)
    tokens = tuple(Token("B1", seat, "G") for seat in token_seats)
    scene = Scene(small_board(centre=kind), pieces=pieces, tokens=tokens)
    assert scene_text(scene).splitlines()[1] == line


def test_a_piece_that_is_nowhere_on_the_board_is_an_error() -> None:
    scene = Scene(small_board(centre=CellKind.PLAIN), pieces=(Piece("Z9", 0, Shape.KITE, "W3"),))
    with pytest.raises(ValueError, match="'Z9'"):
        scene_text(scene)


def test_a_board_wider_than_a_mail_is_an_error() -> None:
    wide = Board(tuple(Cell(f"A{column}", column, 0) for column in range(30)))
    with pytest.raises(ValueError, match="columns wide"):
        scene_text(Scene(wide))
