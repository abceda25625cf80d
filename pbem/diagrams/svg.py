"""A scene as SVG, for web pages.

Every cell carries ``data-hex``, every piece ``data-piece``, ``data-seat`` and ``data-on``, so that
a page can make them clickable or style them; there is no script inside, no id, and nothing to load.
The legend is in ``legend``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from xml.sax.saxutils import quoteattr

from pbem.diagrams import shapes
from pbem.diagrams.arrows import outlined
from pbem.diagrams.composition import Filled, Item, Sprite, caption_sprite, compose
from pbem.diagrams.layout import CAPTION_HEIGHT, WIDTH, lay_out
from pbem.diagrams.panels import compose_panels
from pbem.diagrams.shapes import number, safe
from pbem.diagrams.theme import LIGHT, Theme
from pbem.games.scene import Board, CellKind, Piece, Scene


def scene_svg(scene: Scene, *, theme: Theme = LIGHT, width: int | None = None) -> str:
    """The whole picture. ``width`` sets a size in pixels; without it the page decides.

    Raises ValueError for a scene that names cells its board does not have.
    """
    layout = lay_out(scene.board, scene.bottom_seat)
    height = layout.height + (CAPTION_HEIGHT if scene.caption else 0)
    parts = [open_svg(WIDTH, height, width=width)]
    if scene.title:
        parts.append(f"<title>{safe(scene.title)}</title>")
    if scene.description:
        parts.append(f"<desc>{safe(scene.description)}</desc>")
    parts.append(floors_svg(scene.board, scene.bottom_seat, theme))
    parts.append(names_svg(scene.board, scene.bottom_seat, theme))
    parts += [item_svg(item) for item in compose(scene, layout, theme)]
    parts += [item_svg(item) for item in compose_panels(scene, layout, theme)]
    if scene.caption:
        parts.append(item_svg(caption_sprite(scene.caption, layout, theme)))
    parts.append("</svg>")
    return "".join(parts)


def open_svg(full_width: float, full_height: float, *, width: int | None = None) -> str:
    """The opening tag of a picture."""
    size = ""
    if width is not None:
        size = f' width="{width}" height="{number(width * full_height / full_width)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(full_width)}'
        f' {number(full_height)}"{size} role="img" font-family="{shapes.FONT_STACK}">'
    )


@lru_cache(maxsize=32)
def floors_svg(board: Board, bottom_seat: int, theme: Theme, *, is_crisp: bool = False) -> str:
    """Page and cells: the lower half of what is the same in every picture of a game.

    Cells of a kind are in one group, the plain ones first, so that the others keep their outlines.
    Crisp outlines are not smoothed: on whole pixels these pale lines look the same.
    """
    layout = lay_out(board, bottom_seat)
    height = layout.height + CAPTION_HEIGHT
    parts = [f'<path d="M0 0H{WIDTH}V{height}H0z" fill="{theme.page}"/>']
    style = ' shape-rendering="crispEdges"' if is_crisp else ""
    for kind, seat in sorted({(cell.kind, cell.seat) for cell in board.cells}, key=floor_order):
        cells = [cell for cell in board.cells if (cell.kind, cell.seat) == (kind, seat)]
        colours = shapes.cell_colours(cells[0], theme)
        paint = f'fill="{colours.fill}" stroke="{colours.edge}"'
        parts.append(f'<g class="{kind.value}" {paint}{style}>')
        for cell in cells:
            x, y = layout.centres[cell.name]
            path = shapes.hex_at(x, y)
            parts.append(f'<path data-hex={quoteattr(cell.name)} d="{path}"/>')
        parts.append("</g>")
        ornament = shapes.ornament(kind, theme)
        if ornament:
            parts += [
                f'<g transform="translate({x} {y})" pointer-events="none">{ornament}</g>'
                for x, y in (layout.centres[cell.name] for cell in cells)
            ]
    return "".join(parts)


def floor_order(kind_and_seat: tuple[CellKind, int | None]) -> tuple[int, int]:
    """Plain cells first, so that the others keep their outlines."""
    kind, seat = kind_and_seat
    return list(CellKind).index(kind), seat or 0


@lru_cache(maxsize=32)
def names_svg(board: Board, bottom_seat: int, theme: Theme) -> str:
    """The names on the cells: the upper half. They let clicks through to the cells."""
    layout = lay_out(board, bottom_seat)
    named: dict[str, list[str]] = {}
    for cell in board.cells:
        if cell.kind not in (CellKind.CENTRE, CellKind.CUT):
            words = shapes.cell_name(cell.name, layout.centres[cell.name])
            named.setdefault(shapes.cell_colours(cell, theme).name, []).append(words)
    head = f'<g class="names" pointer-events="none" {shapes.CELL_NAME_STYLE}>'
    groups = [f'<g fill="{fill}">{"".join(words)}</g>' for fill, words in named.items()]
    return f"{head}{''.join(groups)}</g>"


def item_svg(item: Item) -> str:
    """One thing to draw as an element."""
    if isinstance(item, Sprite):
        data = "".join(f" data-{key}={quoteattr(value)}" for key, value in item_data(item))
        place = f"translate({number(item.x)} {number(item.y)})"
        return f'<g{data} transform="{place}">{item.fragment}</g>'
    return _filled_svg(item)


def item_data(item: Sprite) -> Iterator[tuple[str, str]]:
    """What a page can find a piece or a token by."""
    if item.shown is not None:
        yield "piece" if isinstance(item.shown, Piece) else "token", item.shown.label
        yield "seat", str(item.shown.seat)
        yield "on", item.cell


def _filled_svg(filled: Filled) -> str:
    left, top = filled.place
    parts = []
    coats = outlined(filled.kind, filled.across, filled.down)
    for fill, outlines in zip(filled.fills, coats, strict=True):
        path = "".join(
            "M" + " ".join(f"{number(x + left)} {number(y + top)}" for x, y in outline) + "z"
            for outline in outlines
        )
        parts.append(f'<path d="{path}" fill="{fill}"/>')
    return "".join(parts)
