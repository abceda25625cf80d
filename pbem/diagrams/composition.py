"""A scene as a list of things to draw, from the bottom up; ``svg`` and ``png`` draw the same list.

Owns what lies over what on the board. The empty board is not in the list: both back-ends keep it
ready. What stands beside the board is in ``panels``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from pbem.diagrams import shapes
from pbem.diagrams.arrows import Point
from pbem.diagrams.layout import CAPTION_HEIGHT, WIDTH, Layout, lay_out
from pbem.diagrams.shapes import Ground, Reach
from pbem.diagrams.theme import Theme
from pbem.games.scene import Arrow, ArrowKind, Board, Piece, Scene, Token

CAPTION_SIZE: Final = 17
CAPTION_WEIGHT: Final = 600
CAPTION_LETTERS: Final = 78
"""A longer caption is written smaller."""
LONGEST_CAPTION: Final = 160
PIECE_SQUARE: Final = (shapes.PIECE_REACH,) * 4
_HEX_REACH: Final = (27.0,) * 4
_NAME_REACH: Final = (13.0,) * 4
_MARK_REACH: Final = (9.0,) * 4
_POINTING: Final = (ArrowKind.ATTACK, ArrowKind.NOTE)


class Sprite(NamedTuple):
    """An SVG fragment at a place. ``ground`` is what it lies on; ``shown`` is for web pages.

    Of what is on the board, ``cell`` is the cell's name.
    """

    x: float
    y: float
    fragment: str
    reach: Reach
    ground: Ground
    shown: Piece | Token | None = None
    cell: str = ""


class Filled(NamedTuple):
    """A figure of ``arrows`` from a place to another, so far ``across`` and ``down``.

    ``fills`` are the colours of its coats; ``arrow`` is the arrow it is, if it is one of a scene.
    """

    kind: ArrowKind | None
    fills: tuple[str, ...]
    place: Point
    across: float
    down: float
    arrow: Arrow | None = None


Item = Sprite | Filled


def compose(scene: Scene, layout: Layout, theme: Theme) -> Iterator[Item]:
    """Everything on the board. Raises ValueError for a cell that the board does not have."""
    for layer in compose_layers(scene, layout, theme):
        yield from layer


def compose_layers(scene: Scene, layout: Layout, theme: Theme) -> Iterator[list[Item]]:
    """The same in layers, of which there are always as many; things of one do not overlap.

    ``layout`` is that of the scene's board, seen from its side.
    """
    spots = _spots(scene.board, scene.bottom_seat, theme)
    centres = layout.centres
    standing = [piece for piece in scene.pieces if piece.cell is not None]
    try:
        yield [_line(centres[first], centres[second], theme) for first, second in scene.lines]
        yield [_on(spots[name], shapes.highlight(theme)) for name in scene.highlighted]
        yield [_on(spots[name], shapes.noted(theme)) for name in scene.noted]
        yield [
            _arrow(arrow, layout, theme) for arrow in scene.arrows if arrow.kind not in _POINTING
        ]
        yield [_standing(piece, spots[piece.cell or ""], theme) for piece in standing]
        yield [
            mark
            for piece in standing
            if piece.marks
            for mark in _marks(piece, spots[piece.cell or ""], theme)
        ]
        yield [_on(spots[name], shapes.struck(theme)) for name in scene.struck]
        yield [*_tokens(scene, spots, theme)]
        yield [*_occupied_names(scene, theme)]
        # What points at somebody lies over the pieces, between their rims.
        yield [_arrow(arrow, layout, theme) for arrow in scene.arrows if arrow.kind in _POINTING]
    except KeyError as error:
        raise ValueError(f"the board has no cell {error.args[0]!r}") from None


def caption_sprite(caption: str, layout: Layout, theme: Theme) -> Sprite:
    """The line under the picture."""
    caption, size = fit_caption(caption)
    words = shapes.text(caption, x=0, y=0, size=size, fill=theme.text, weight=CAPTION_WEIGHT)
    half = min(WIDTH / 2, len(caption) * size * 0.45 + 8)
    y = caption_middle(layout)
    return Sprite(WIDTH / 2, y, words, (half, 12, half, 12), Ground(theme.page))


def fit_caption(caption: str) -> tuple[str, float]:
    """As much of a caption as has room, and the size it is written in."""
    if len(caption) > LONGEST_CAPTION:
        caption = caption[: LONGEST_CAPTION - 1] + "…"
    return caption, CAPTION_SIZE * min(1, CAPTION_LETTERS / max(len(caption), 1))


def caption_middle(layout: Layout) -> float:
    """How far down the middle of a caption's capitals is."""
    return layout.height + CAPTION_HEIGHT / 2 - 6


def fills(kind: ArrowKind | None, theme: Theme) -> tuple[str, ...]:
    """The colours of the coats of a figure: of an arrow, or of a line of dots."""
    return (theme.line,) if kind is None else (theme.arrow_edge, theme.arrows[kind])


class _Spot(NamedTuple):
    """A cell in its place, and what it is to lie on; ``below`` is that of a piece on it."""

    cell: str
    x: int
    y: int
    ground: Ground
    below: Ground


@lru_cache(maxsize=16)
def _spots(board: Board, bottom_seat: int, theme: Theme) -> dict[str, _Spot]:
    """All cells of a board by their names."""
    centres = lay_out(board, bottom_seat).centres
    spots = {}
    for cell in board.cells:
        ground = shapes.cell_ground(cell, theme)
        below = ground._replace(dy=shapes.PIECE_RISE)
        spots[cell.name] = _Spot(cell.name, *centres[cell.name], ground, below)
    return spots


def _on(
    spot: _Spot,
    fragment: str,
    *,
    reach: Reach = _HEX_REACH,
    dx: float = 0.0,
    dy: float = 0.0,
    shown: Piece | Token | None = None,
) -> Sprite:
    ground = Ground(spot.ground.fill, spot.ground.floor, -dx, -dy)
    return Sprite(spot.x + dx, spot.y + dy, fragment, reach, ground, shown, spot.cell)


def _arrow(shown: Arrow, layout: Layout, theme: Theme) -> Filled:
    """From the piece on one cell to that on another."""
    (x, y), (to_x, to_y) = layout.centres[shown.source], layout.centres[shown.target]
    place = (x, y - shapes.PIECE_RISE)
    coats = fills(shown.kind, theme)
    return Filled(shown.kind, coats, place, to_x - x, to_y - y, shown)


def _line(start: Point, end: Point, theme: Theme) -> Filled:
    return Filled(None, fills(None, theme), start, end[0] - start[0], end[1] - start[1])


def _standing(piece: Piece, spot: _Spot, theme: Theme) -> Sprite:
    cell, x, y, _, below = spot
    drawn = shapes.piece(piece.shape, piece.seat, piece.label, theme)
    return Sprite(x, y - shapes.PIECE_RISE, drawn, PIECE_SQUARE, below, piece, cell)


def _marks(piece: Piece, spot: _Spot, theme: Theme) -> Iterator[Sprite]:
    for kind, (dx, dy) in zip(piece.marks, shapes.MARK_PLACES, strict=False):
        yield _on(spot, shapes.mark(kind, theme), reach=_MARK_REACH, dx=dx, dy=dy)


def _occupied_names(scene: Scene, theme: Theme) -> Iterator[Sprite]:
    """The names of cells whose middle is taken."""
    names = _small_names(scene.board, scene.bottom_seat, theme)
    standing = (piece.cell for piece in scene.pieces if piece.cell is not None)
    for cell in dict.fromkeys(chain(standing, (token.cell for token in scene.tokens))):
        yield names[cell]


@lru_cache(maxsize=8)
def _small_names(board: Board, bottom_seat: int, theme: Theme) -> dict[str, Sprite]:
    """The small name of each cell of a board in its place."""
    spots = _spots(board, bottom_seat, theme)
    return {
        cell.name: _on(
            spots[cell.name],
            shapes.occupied_name(cell, theme),
            reach=_NAME_REACH,
            dy=shapes.NAME_DROP,
        )
        for cell in board.cells
    }


def _tokens(scene: Scene, spots: dict[str, _Spot], theme: Theme) -> Iterator[Sprite]:
    """Tokens stand in the middle of an empty cell and in a corner of one that is shared."""
    if not scene.tokens:
        return
    crowd = Counter(piece.cell for piece in scene.pieces)
    crowd.update(token.cell for token in scene.tokens)
    for token in scene.tokens:
        dx, dy, radius = 0.0, -shapes.PIECE_RISE, shapes.TOKEN_RADIUS
        if crowd[token.cell] > 1:
            dx, dy = shapes.TOKEN_CORNERS[1 if token.seat else 0]
            radius = shapes.TOKEN_CORNER_RADIUS
        drawn = shapes.token(token.label, seat=token.seat, theme=theme, radius=radius)
        spot, reach = spots[token.cell], (radius + 2,) * 4
        yield _on(spot, drawn, reach=reach, dx=dx, dy=dy, shown=token)
