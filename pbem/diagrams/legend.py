"""A legend for the pictures: each sign beside its meaning, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.diagrams import shapes
from pbem.diagrams.composition import Filled, Item, Sprite, fills
from pbem.diagrams.layout import MARGIN, WIDTH
from pbem.diagrams.shapes import Ground
from pbem.diagrams.svg import item_svg, open_svg
from pbem.diagrams.theme import LIGHT, Theme
from pbem.games.scene import ArrowKind, Cell, LegendEntry, Mark, Piece, Sign, Token

COLUMNS: Final = 3
ROW_HEIGHT: Final = 58
WORDS_SIZE: Final = 15
ARROW_HALF: Final = 36
"""Arrows need some length: their ends stay clear of the pieces they join."""


def legend_svg(
    entries: Sequence[LegendEntry],
    *,
    title: str = "",
    theme: Theme = LIGHT,
    width: int | None = None,
) -> str:
    """The legend as a picture of its own, read column by column."""
    rows = -(-len(entries) // COLUMNS)
    height = rows * ROW_HEIGHT + MARGIN
    parts = [open_svg(WIDTH, height, width=width)]
    if title:
        parts.append(f"<title>{shapes.safe(title)}</title>")
    parts.append(f'<path d="M0 0H{WIDTH}V{height}H0z" fill="{theme.page}"/>')
    for index, entry in enumerate(entries):
        column, row = divmod(index, rows)
        x = MARGIN + 28 + column * (WIDTH - MARGIN) / COLUMNS
        y = MARGIN / 2 + (row + 0.5) * ROW_HEIGHT
        parts.append(item_svg(_sign(entry, (x, y), theme)))
        parts.append(
            shapes.text(
                entry.meaning,
                x=x + 36,
                y=y,
                size=WORDS_SIZE,
                fill=theme.text,
                weight=600,
                anchor="start",
            )
        )
    parts.append("</svg>")
    return "".join(parts)


def _sign(entry: LegendEntry, place: tuple[float, float], theme: Theme) -> Item:
    shown = entry.shown
    x, y = place
    if isinstance(shown, ArrowKind):
        # Shortened by what it keeps clear at its ends, and so moved back into the middle.
        return Filled(shown, fills(shown, theme), (x - ARROW_HALF, y), 2 * ARROW_HALF, 0)
    if shown is Sign.LINE:
        return Filled(None, fills(None, theme), (x - 26, y), 52, 0)
    return Sprite(x, y, _fragment(shown, theme), (30,) * 4, Ground(theme.page))


def _fragment(shown: Piece | Token | Cell | Mark | Sign, theme: Theme) -> str:
    if isinstance(shown, Piece):
        return shapes.piece(shown.shape, shown.seat, shown.label, theme)
    if isinstance(shown, Token):
        return shapes.token(shown.label, seat=shown.seat, theme=theme)
    if isinstance(shown, Mark):
        return f'<g transform="scale(1.6)">{shapes.mark(shown, theme)}</g>'
    if isinstance(shown, Cell):
        return shapes.named_cell(shown, theme)
    plain = shapes.cell_ground(Cell("", 0, 0), theme).floor
    drawn = shapes.highlight(theme) if shown is Sign.HIGHLIGHT else shapes.struck(theme)
    return plain + drawn
