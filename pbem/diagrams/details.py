"""Parts of boards for pages that show many of them: one empty board, and pictures cut out of it.

A page holds the empty board and the pieces once, hidden, under ids; every picture refers to them
and says only what stands where. The page sets the font. Hexes have the same size in all pictures.
Whole boards are ``svg``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from pbem.diagrams import shapes
from pbem.diagrams.composition import Sprite, compose
from pbem.diagrams.layout import CAPTION_HEIGHT, HALF, PITCH, RADIUS, WIDTH, Layout, lay_out
from pbem.diagrams.shapes import number, safe
from pbem.diagrams.svg import floor_order, item_svg, names_svg
from pbem.diagrams.theme import LIGHT, Theme
from pbem.games.scene import Board, Piece, Scene, Shape

SCALE: Final = 0.72
"""Pixels of a unit, where there is room for the picture."""

_RIM: Final = 6


def floor_svg(
    board: Board, name: str, *, base: tuple[Board, str] | None = None, theme: Theme = LIGHT
) -> str:
    """The empty board under an id, itself invisible. Seat 0 is below.

    With ``base``, another board of the same size and its id, only what differs is drawn.
    """
    height = lay_out(board, 0).height + CAPTION_HEIGHT
    if base is None:
        floor = "".join((*_floor_parts(board, theme), names_svg(board, 0, theme)))
    else:
        use = f'<use href="#{base[1]}" width="{WIDTH}" height="{height}"/>'
        floor = "".join((use, *_differing(board, base[0], theme)))
    symbol = f'<symbol id="{name}" viewBox="0 0 {WIDTH} {height}">{floor}</symbol>'
    return _hidden(symbol)


def pieces_svg(*, theme: Theme = LIGHT) -> str:
    """The bodies of all pieces under their ids, themselves invisible."""
    return _hidden(
        "".join(f'<g id="{name}">{body}</g>' for name, body in piece_bodies(theme=theme).items())
    )


def piece_bodies(*, theme: Theme) -> dict[str, str]:
    """Every piece without its lettering, by the id it has on a page."""
    return {
        f"piece-{shape}-{seat}": shapes.piece_body(shape, seat=seat, theme=theme)
        for shape in Shape
        for seat in (0, 1)
    }


def _hidden(content: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="floor" width="0" height="0"'
        f' aria-hidden="true" font-family="{shapes.FONT_STACK}"><defs>{content}</defs></svg>'
    )


def _differing(board: Board, base: Board, theme: Theme) -> Iterator[str]:
    layout = lay_out(board, 0)
    for cell, other in zip(board.cells, base.cells, strict=True):
        if cell != other:
            x, y = layout.centres[cell.name]
            drawn = shapes.named_cell(cell, theme)
            yield f'<g transform="translate({x} {y})">{drawn}</g>'


def _floor_parts(board: Board, theme: Theme) -> Iterator[str]:
    """The cells, all of a kind in one outline: nobody clicks on a floor."""
    layout = lay_out(board, 0)
    for kind, seat in sorted({(cell.kind, cell.seat) for cell in board.cells}, key=floor_order):
        cells = [cell for cell in board.cells if (cell.kind, cell.seat) == (kind, seat)]
        colours = shapes.cell_colours(cells[0], theme)
        places = [layout.centres[cell.name] for cell in cells]
        outline = "".join(shapes.hex_at(x, y) for x, y in places)
        yield f'<path d="{outline}" fill="{colours.fill}" stroke="{colours.edge}"/>'
        ornament = shapes.ornament(kind, theme)
        if ornament:
            yield from (f'<g transform="translate({x} {y})">{ornament}</g>' for x, y in places)


def detail_svg(scene: Scene, floor: str, cells: Iterable[str] = (), *, theme: Theme = LIGHT) -> str:
    """A picture of the part of a board around some cells; of all of it if none are named.

    ``floor`` is the id of the empty board. Raises ValueError for a cell that the board has not.
    """
    layout = lay_out(scene.board, 0)
    height = layout.height + CAPTION_HEIGHT
    left, top, right, bottom = _window(layout, tuple(cells))
    inside = {
        name for name, (x, y) in layout.centres.items() if left < x < right and top < y < bottom
    }
    seen = replace(
        scene,
        pieces=tuple(piece for piece in scene.pieces if piece.cell in inside),
        tokens=tuple(token for token in scene.tokens if token.cell in inside),
        bottom_seat=0,
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{number(left)} {number(top)}'
        f' {number(right - left)} {number(bottom - top)}" width="{round((right - left) * SCALE)}"'
        f' height="{round((bottom - top) * SCALE)}" role="img"><title>{safe(scene.title)}</title>'
        f'<use href="#{floor}" width="{WIDTH}" height="{height}"/>'
    ]
    bodies = piece_bodies(theme=theme)
    for item in compose(seen, layout, theme):
        drawn = item_svg(item._replace(shown=None) if isinstance(item, Sprite) else item)
        for name, body in bodies.items():
            drawn = drawn.replace(body, f'<use href="#{name}"/>')
        parts.append(drawn)
    return "".join((*parts, "</svg>"))


def _window(layout: Layout, cells: tuple[str, ...]) -> tuple[float, float, float, float]:
    """The part of the picture to show: the cells and a hex around them, as far as there is one."""
    whole = _around(list(layout.centres.values()), HALF, RADIUS)
    try:
        places = [layout.centres[name] for name in cells]
    except KeyError as error:
        raise ValueError(f"the board has no cell {error.args[0]!r}") from None
    if not places:
        return whole
    left, top, right, bottom = _around(places, 3 * HALF, RADIUS + PITCH)
    return (
        max(left, whole[0]),
        max(top, whole[1]),
        min(right, whole[2]),
        min(bottom, whole[3]),
    )


def _around(
    places: list[tuple[int, int]], across: float, along: float
) -> tuple[float, float, float, float]:
    return (
        min(x for x, _ in places) - across - _RIM,
        min(y for _, y in places) - along - _RIM,
        max(x for x, _ in places) + across + _RIM,
        max(y for _, y in places) + along + _RIM,
    )


def piece_svg(piece: Piece, *, theme: Theme = LIGHT) -> str:
    """One piece by itself, without its place."""
    reach = shapes.PIECE_REACH
    drawn = shapes.piece(piece.shape, piece.seat, piece.label, theme)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-reach} {-reach} {2 * reach}'
        f' {2 * reach}" aria-hidden="true" font-family="{shapes.FONT_STACK}">{drawn}</svg>'
    )
