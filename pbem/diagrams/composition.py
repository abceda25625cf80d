"""A scene as a list of things to draw, from the bottom up; ``svg`` and ``png`` draw the same list.

Owns what lies over what on the board. The empty board is not in the list: both back-ends keep it
ready. What stands beside the board is in ``panels``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from pbem.diagrams import shapes
from pbem.diagrams.arrows import CASING, Outline, arrow_outlines, dotted_outlines
from pbem.diagrams.layout import CAPTION_HEIGHT, WIDTH, Layout
from pbem.diagrams.shapes import Ground, Reach
from pbem.diagrams.theme import Theme
from pbem.games.scene import Arrow, ArrowKind, Board, Piece, Scene

CAPTION_SIZE: Final = 17
CAPTION_LETTERS: Final = 78
"""A longer caption is written smaller."""
LONGEST_CAPTION: Final = 160
_POINTING: Final = (ArrowKind.ATTACK, ArrowKind.NOTE)


@dataclass(frozen=True, slots=True)
class Sprite:
    """An SVG fragment at a place. ``ground`` is what it lies on; ``data`` is for web pages.

    Of what is on the board, ``cell`` is the cell's name.
    """

    x: float
    y: float
    fragment: str
    reach: Reach
    ground: Ground
    data: tuple[tuple[str, str], ...] = ()
    cell: str = ""


Coats = tuple[tuple[str, tuple[Outline, ...]], ...]
"""Polygons of one colour, perhaps others of another over them; the first reach furthest."""


@dataclass(frozen=True, slots=True)
class Filled:
    """Polygons around a place. ``arrow`` is the arrow it is, if it is one."""

    around: Coats
    arrow: Arrow | None = None
    place: tuple[int, int] = (0, 0)

    @property
    def coats(self) -> Coats:
        """The same where they are in the picture."""
        left, top = self.place
        return tuple(
            (fill, tuple(tuple((x + left, y + top) for x, y in outline) for outline in outlines))
            for fill, outlines in self.around
        )


Item = Sprite | Filled


def compose(scene: Scene, layout: Layout, theme: Theme) -> Iterator[Item]:
    """Everything on the board. Raises ValueError for a cell that the board does not have."""
    for layer in compose_layers(scene, layout, theme):
        yield from layer


def compose_layers(scene: Scene, layout: Layout, theme: Theme) -> Iterator[list[Item]]:
    """The same in layers, of which there are always as many; things of one do not overlap."""
    spots = _spots(scene.board, theme)
    centres = layout.centres
    standing = [piece for piece in scene.pieces if piece.cell is not None]
    try:
        yield [
            Filled(((theme.line, tuple(dotted_outlines(centres[first], centres[second]))),))
            for first, second in scene.lines
        ]
        yield [_on(spots[name], layout, shapes.highlight(theme)) for name in scene.highlighted]
        yield [_on(spots[name], layout, shapes.noted(theme)) for name in scene.noted]
        yield [
            _arrow(arrow, layout, theme) for arrow in scene.arrows if arrow.kind not in _POINTING
        ]
        yield [_standing(piece, spots[piece.cell or ""], layout, theme) for piece in standing]
        yield [
            mark
            for piece in standing
            for mark in _marks(piece, spots[piece.cell or ""], layout, theme)
        ]
        yield [_on(spots[name], layout, shapes.struck(theme)) for name in scene.struck]
        yield [*_tokens(scene, spots, layout, theme)]
        yield [*_occupied_names(scene, spots, layout)]
        # What points at somebody lies over the pieces, between their rims.
        yield [_arrow(arrow, layout, theme) for arrow in scene.arrows if arrow.kind in _POINTING]
    except KeyError as error:
        raise ValueError(f"the board has no cell {error.args[0]!r}") from None


def caption_sprite(caption: str, layout: Layout, theme: Theme) -> Sprite:
    """The line under the picture."""
    if len(caption) > LONGEST_CAPTION:
        caption = caption[: LONGEST_CAPTION - 1] + "…"
    size = CAPTION_SIZE * min(1, CAPTION_LETTERS / max(len(caption), 1))
    words = shapes.text(caption, x=0, y=0, size=size, fill=theme.text, weight=600)
    half = min(WIDTH / 2, len(caption) * size * 0.45 + 8)
    y = layout.height + CAPTION_HEIGHT / 2 - 6
    return Sprite(WIDTH / 2, y, words, (half, 12, half, 12), Ground(theme.page))


class _Spot(NamedTuple):
    """A cell, what it is to lie on, and its small name."""

    cell: str
    fill: str
    floor: str
    small_name: str


@lru_cache(maxsize=16)
def _spots(board: Board, theme: Theme) -> dict[str, _Spot]:
    """All cells of a board by their names."""
    spots = {}
    for cell in board.cells:
        ground = shapes.cell_ground(cell, theme)
        small_name = shapes.occupied_name(cell, theme)
        spots[cell.name] = _Spot(cell.name, ground.fill, ground.floor, small_name)
    return spots


def _on(
    spot: _Spot,
    layout: Layout,
    fragment: str,
    *,
    dx: float = 0,
    dy: float = 0,
    reach: float = 27,
    data: tuple[tuple[str, str], ...] = (),
) -> Sprite:
    x, y = layout.centres[spot.cell]
    ground = Ground(spot.fill, spot.floor, -dx, -dy)
    return Sprite(x + dx, y + dy, fragment, (reach,) * 4, ground, data, spot.cell)


def _arrow(arrow: Arrow, layout: Layout, theme: Theme) -> Filled:
    x, y = layout.centres[arrow.source]
    to_x, to_y = layout.centres[arrow.target]
    return Filled(_arrow_coats(arrow.kind, to_x - x, to_y - y, theme), arrow, (x, y))


@lru_cache(maxsize=64)
def _arrow_coats(kind: ArrowKind, across: int, down: int, theme: Theme) -> Coats:
    """An arrow from the piece on the cell around the origin to that on another cell."""
    start, end = (0, -shapes.PIECE_RISE), (across, down - shapes.PIECE_RISE)
    edge = tuple(arrow_outlines(start, end, kind, grown=CASING))
    body = tuple(arrow_outlines(start, end, kind))
    return (theme.arrow_edge, edge), (theme.arrows[kind], body)


def _standing(piece: Piece, spot: _Spot, layout: Layout, theme: Theme) -> Sprite:
    data = (("piece", piece.label), ("seat", str(piece.seat)), ("on", spot.cell))
    drawn = shapes.piece(piece.shape, seat=piece.seat, label=piece.label, theme=theme)
    return _on(spot, layout, drawn, dy=-shapes.PIECE_RISE, reach=shapes.PIECE_REACH, data=data)


def _marks(piece: Piece, spot: _Spot, layout: Layout, theme: Theme) -> Iterator[Sprite]:
    for kind, (dx, dy) in zip(piece.marks, shapes.MARK_PLACES, strict=False):
        yield _on(spot, layout, shapes.mark(kind, theme), dx=dx, dy=dy, reach=9)


def _occupied_names(scene: Scene, spots: dict[str, _Spot], layout: Layout) -> Iterator[Sprite]:
    """The names of cells whose middle is taken."""
    taken = {piece.cell for piece in scene.pieces} | {token.cell for token in scene.tokens}
    for name, spot in spots.items():
        if name in taken:
            yield _on(spot, layout, spot.small_name, dy=shapes.NAME_DROP, reach=13)


def _tokens(
    scene: Scene, spots: dict[str, _Spot], layout: Layout, theme: Theme
) -> Iterator[Sprite]:
    """Tokens stand in the middle of an empty cell and in a corner of one that is shared."""
    crowd = Counter(piece.cell for piece in scene.pieces)
    crowd.update(token.cell for token in scene.tokens)
    for token in scene.tokens:
        dx, dy, radius = 0.0, -shapes.PIECE_RISE, shapes.TOKEN_RADIUS
        if crowd[token.cell] > 1:
            dx, dy = shapes.TOKEN_CORNERS[1 if token.seat else 0]
            radius = shapes.TOKEN_CORNER_RADIUS
        drawn = shapes.token(token.label, seat=token.seat, theme=theme, radius=radius)
        data = (("token", token.label), ("seat", str(token.seat)), ("on", token.cell))
        spot = spots[token.cell]
        yield _on(spot, layout, drawn, dx=dx, dy=dy, reach=radius + 2, data=data)
