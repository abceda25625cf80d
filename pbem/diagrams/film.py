"""Many boards of one game in few words, for a page that goes through them by itself.

What is drawn on the empty board is a list of things in their places, and most of them come again
and again. So a film has each thing once (``sprites``) and each thing in each place once
(``items``); a frame says what it has less and more than the one before it. What comes again inside
fragments is replaced by one letter each (``words``). The page knows nothing of the game or of how
it looks: it puts fragments where it is told, on cells of the empty board, which it has from
``svg``. That is how it can turn the board, too.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from pbem.diagrams.arrows import CASING, lying_arrow
from pbem.diagrams.composition import Filled, Item, Sprite, caption_sprite, compose_layers
from pbem.diagrams.layout import Layout, lay_out
from pbem.diagrams.panels import compose_panels
from pbem.diagrams.shapes import PIECE_RISE, number
from pbem.diagrams.svg import item_data
from pbem.diagrams.theme import LIGHT, Theme
from pbem.games.scene import Arrow, ArrowKind, Scene

FIRST_LETTER: Final = 0xE000
"""Letters for private use begin here; no picture has one, for they cannot be printed."""
MOST_WORDS: Final = 2000

_TAG: Final = re.compile(r"</?[a-z]+[^<>]*>")
_ATTRIBUTE: Final = re.compile(r' [a-z-]+="[^"]*"')

Row = tuple[str | float, ...]


@dataclass(frozen=True, slots=True)
class Film:
    """Frames over one empty board.

    ``words`` stand for the letters from FIRST_LETTER on, and may have such letters again. Rows of
    ``sprites``: a fragment; by how much it is moved from the middle of its cell, across and down;
    its layer; names and values of its data, one after the other. Rows of ``items``: the number of a
    sprite and its cell, and for an arrow the degrees it is turned by if seat 0 is below; or, beside
    the board, where it is when seat 0 is below, and where when seat 1 is. ``frames`` hold the items
    that were there in the frame before and are not any more, and those that are new, both in
    ascending order; of all the items that are there, those of lower layers lie below.
    """

    words: tuple[str, ...]
    sprites: tuple[Row, ...]
    items: tuple[Row, ...]
    frames: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


def make_film(scenes: Iterable[tuple[Scene, int | None]], *, theme: Theme = LIGHT) -> Film:
    """The film of scenes that have one board, each with the number of the one before it."""
    cutter = _Cutter(theme)
    seen: list[frozenset[int]] = []
    frames = []
    for scene, before in scenes:
        there = frozenset(cutter.cut(scene))
        earlier = seen[before] if before is not None else frozenset[int]()
        frames.append((tuple(sorted(earlier - there)), tuple(sorted(there - earlier))))
        seen.append(there)
    words, sprites = _shorten(tuple(cutter.sprites))
    return Film(words, sprites, tuple(cutter.items), tuple(frames))


class _Cutter:
    """Takes scenes apart, and knows what it has seen."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._moved: dict[str, tuple[float, float, int]] = {}
        self.sprites: dict[Row, int] = {}
        self.items: dict[Row, int] = {}

    def cut(self, scene: Scene) -> Iterator[int]:
        """The numbers of what a scene consists of."""
        layout = lay_out(scene.board, 0)
        for layer, items in enumerate(compose_layers(scene, layout, self._theme)):
            for item in items:
                yield _number(self.items, self._on_board(item, layout, layer))
        below, above = (self._beside(scene, seat) for seat in (0, 1))
        for item, turned in zip(below, above, strict=True):
            yield _number(self.items, self._off_board(item, turned))

    def _beside(self, scene: Scene, seat: int) -> Iterator[Sprite]:
        layout = lay_out(scene.board, seat)
        for item in compose_panels(replace(scene, bottom_seat=seat), layout, self._theme):
            assert isinstance(item, Sprite)
            yield item
        if scene.caption:
            yield caption_sprite(scene.caption, layout, self._theme)

    def _on_board(self, item: Item, layout: Layout, layer: int) -> Row:
        if isinstance(item, Filled):
            assert item.arrow is not None, "dotted lines are for pictures that stand still"
            return self._arrow(item.arrow, layout, layer)
        x, y = layout.centres[item.cell]
        moved = (round(item.x - x, 2), round(item.y - y, 2))
        self._moved[item.fragment] = (*moved, layer)
        return self._sprite(item, *moved, layer), item.cell

    def _off_board(self, item: Sprite, turned: Sprite) -> Row:
        # What has fallen looks as it did on the board.
        across, down, layer = self._moved.get(item.fragment, (0, 0, 0))
        return (
            self._sprite(item, across, down, layer),
            round(item.x - across, 2),
            round(item.y - down, 2),
            round(turned.x - across, 2),
            round(turned.y - down, 2),
        )

    def _sprite(self, item: Sprite, across: float, down: float, layer: int) -> int:
        data = (part for pair in item_data(item) if pair[0] != "on" for part in pair)
        return _number(self.sprites, (item.fragment, across, down, layer, *data))

    def _arrow(self, arrow: Arrow, layout: Layout, layer: int) -> Row:
        """An arrow that points to the right, and how far it is to be turned: few are as long."""
        start, end = layout.centres[arrow.source], layout.centres[arrow.target]
        drawn = _lying(round(math.dist(start, end), 1), arrow.kind, self._theme)
        sprite = _number(self.sprites, (drawn, 0, -PIECE_RISE, layer))
        degrees = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
        return sprite, arrow.source, round(degrees, 2)


def _number(known: dict[Row, int], row: Row) -> int:
    return known.setdefault(row, len(known))


@lru_cache(maxsize=256)
def _lying(length: float, kind: ArrowKind, theme: Theme) -> str:
    parts = []
    for colour, grown in ((theme.arrow_edge, CASING), (theme.arrows[kind], 0.0)):
        head, line = lying_arrow(length, kind, grown=grown)
        outline = " ".join(f"{number(x)} {number(y)}" for x, y in head)
        parts.append(f'<path {line} stroke="{colour}"/><path d="M{outline}z" fill="{colour}"/>')
    return "".join(parts)


def _shorten(sprites: tuple[Row, ...]) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    """One letter for each tag, then for each attribute, that comes more than once."""
    texts = [str(row[0]) for row in sprites]
    words: list[str] = []
    for kind in (_TAG, _ATTRIBUTE):
        counted = Counter(word for text in (*texts, *words) for word in kind.findall(text))
        again = [word for word, count in counted.most_common(MOST_WORDS) if count > 1]
        letters = {word: chr(FIRST_LETTER + len(words) + at) for at, word in enumerate(again)}

        def short(found: re.Match[str], letters: dict[str, str] = letters) -> str:
            return letters.get(found[0], found[0])

        texts = [kind.sub(short, text) for text in texts]
        # What stands for a letter may have letters itself.
        words = [kind.sub(short, word) for word in words] + again
    return tuple(words), tuple((text, *row[1:]) for text, row in zip(texts, sprites, strict=True))
