"""Films: many boards in few words, and every board can be had from them again."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from notation.record_reading import parse_record
from pbem.archive.framing import make_document
from pbem.archive.showing import draw_frame
from pbem.diagrams.film import FIRST_LETTER, Film, Row, make_film
from pbem.diagrams.page_theme import page_theme
from pbem.diagrams.svg import scene_svg
from pbem.games.scene import Scene
from tests.ortus.games import VARIANTS, random_table

TAGS = {"Gold": 'A "the\ue000 Bear"', "Black": "B & Co"}


def filmed(number: int) -> tuple[list[tuple[Scene, int | None]], Film]:
    game = random_table(number, VARIANTS[number], entries=90)
    document = make_document(parse_record(game.record(**TAGS)))
    names = (TAGS["Gold"], TAGS["Black"])
    scenes = [(draw_frame(frame, names=names), frame.before) for frame in document.frames]
    return scenes, make_film(scenes, theme=page_theme())


def spelled(film: Film, row: Row) -> str:
    """The fragment of a sprite; words may have letters again."""
    text = str(row[0])
    while re.search("[\ue000-\uf8ff]", text):
        text = re.sub(
            "[\ue000-\uf8ff]", lambda found: film.words[ord(found[0]) - FIRST_LETTER], text
        )
    return text


def there(film: Film, scenes: list[tuple[Scene, int | None]]) -> list[set[int]]:
    """The items of each frame."""
    found: list[set[int]] = []
    for (_, before), (less, more) in zip(scenes, film.frames, strict=True):
        earlier = set() if before is None else found[before]
        assert set(less) <= earlier
        assert not set(more) & earlier
        found.append(earlier - set(less) | set(more))
    return found


@pytest.mark.parametrize("number", range(0, len(VARIANTS), 4))
def test_every_picture_is_in_the_film(number: int) -> None:
    scenes, film = filmed(number)
    for (scene, _), items in zip(scenes, there(film, scenes), strict=True):
        picture = scene_svg(scene, theme=page_theme())
        standing = {piece.cell: piece.label for piece in scene.pieces if piece.cell}
        shown = {}
        for item in items:
            sprite = film.sprites[int(film.items[item][0])]
            fragment = spelled(film, sprite)
            ElementTree.fromstring(f"<g>{fragment}</g>")
            if "rotate" not in fragment and len(film.items[item]) != 3:  # arrows are drawn lying
                assert fragment in picture
            if "piece" in sprite and len(film.items[item]) == 2:
                shown[film.items[item][1]] = sprite[sprite.index("piece") + 1]
        assert shown == standing
        arrows = {(arrow.source, arrow.target) for arrow in scene.arrows}
        assert sum(len(film.items[item]) == 3 for item in items) == len(arrows)


def test_what_lies_above_in_a_picture_has_a_higher_layer() -> None:
    scenes, film = filmed(0)
    for (scene, _), items in zip(scenes, there(film, scenes), strict=True):
        picture = scene_svg(scene, theme=page_theme())
        rows = sorted(
            (film.sprites[int(film.items[item][0])] for item in items if film.items[item][1:2]),
            key=lambda row: float(row[3]),
        )
        piece = max(float(row[3]) for row in rows if "piece" in row)
        assert picture.index("data-piece") > 0
        assert all(float(row[3]) > piece for row in rows if "token" in row)


def test_a_film_is_small() -> None:
    scenes, film = filmed(len(VARIANTS) - 1)
    words = json.dumps(
        [film.words, film.sprites, film.items, film.frames],
        separators=(",", ":"),
        ensure_ascii=False,
    )
    pictures = sum(len(scene_svg(scene, theme=page_theme())) for scene, _ in scenes)
    assert len(words.encode()) < pictures / 20
