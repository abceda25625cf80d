from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from pbem.diagrams import packing, png
from pbem.diagrams.png import scene_png
from pbem.diagrams.raster import render_svg
from pbem.diagrams.svg import scene_svg
from pbem.diagrams.theme import DARK, LIGHT, Theme
from pbem.games.ortus.drawing import draw_position
from pbem.games.scene import Arrow, ArrowKind, Scene
from tests.diagrams.scenes import MIDDLE_GAME, OPENING, busy_scene, middle_game, position

USUAL = 30_000
CROWDED = 34_000
ENDS = (
    ("G12", "J12"),
    ("K8", "G8"),
    ("K4", "L6"),
    ("D9", "C6"),
    ("H10", "D13"),
    ("G3", "J2"),
    ("N5", "O8"),
    ("C12", "A10"),
    ("F4", "H2"),
)
"""Of arrows in all directions."""


def decode(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    assert image.format == "PNG"
    return image.convert("RGB")


def differs_in(one: Scene, other: Scene) -> tuple[int, int, int, int] | None:
    return ImageChops.difference(decode(scene_png(one)), decode(scene_png(other))).getbbox()


def crowded_scene() -> Scene:
    """So many arrows that a file becomes too large unless it is packed with more care."""
    scene = busy_scene()
    more = tuple(Arrow(start, end, ArrowKind.MOVE) for start, end in ENDS)
    return replace(scene, arrows=scene.arrows + more)


@pytest.mark.parametrize("width", [350, 700, 1001, 1400])
def test_the_picture_has_the_width_asked_for(width: int) -> None:
    full = decode(scene_png(middle_game()))
    image = decode(scene_png(middle_game(), width=width))
    assert image.width == width
    assert image.height == pytest.approx(full.height * width / full.width, abs=1)


@pytest.mark.parametrize("width", [0, -700, 349, 1401, 10**9])
def test_other_widths_are_refused(width: int) -> None:
    with pytest.raises(ValueError, match=str(width)):
        scene_png(middle_game(), width=width)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize(
    ("scene", "largest"),
    [
        pytest.param(draw_position(position(OPENING)), USUAL, id="opening"),
        pytest.param(draw_position(position(MIDDLE_GAME)), USUAL, id="middle game"),
        pytest.param(middle_game(bottom=1), CROWDED, id="with arrows, from the other side"),
        pytest.param(busy_scene(), CROWDED, id="busy"),
        pytest.param(crowded_scene(), CROWDED, id="crowded"),
    ],
)
def test_a_picture_is_small_enough_for_a_mail(scene: Scene, largest: int, theme: Theme) -> None:
    assert len(scene_png(scene, theme=theme)) <= largest


def test_the_same_scene_gives_the_same_bytes() -> None:
    first = scene_png(busy_scene())
    scene_png(middle_game(bottom=1), theme=DARK)
    assert scene_png(busy_scene()) == first


def test_pictures_drawn_at_once_and_of_many_sizes_are_none_of_each_others() -> None:
    wanted = [
        (scene, theme, width)
        for width in (350, 700)
        for scene in (busy_scene(), middle_game(bottom=1))
        for theme in (LIGHT, DARK)
    ]

    def draw(each: tuple[Scene, Theme, int]) -> bytes:
        scene, theme, width = each
        return scene_png(scene, theme=theme, width=width)

    first = [draw(each) for each in wanted]
    with ThreadPoolExecutor(3) as pens:
        assert list(pens.map(draw, wanted * 8)) == first * 8


def test_a_picture_that_cannot_be_drawn_leaves_nothing_on_the_next() -> None:
    first = scene_png(middle_game())
    piece = middle_game().pieces[0]
    nowhere = replace(middle_game(), pieces=(*middle_game().pieces, replace(piece, cell="Z99")))
    with pytest.raises(ValueError, match="Z99"):
        scene_png(nowhere)
    assert scene_png(middle_game()) == first


def test_a_move_changes_the_picture_where_it_was_made_and_nowhere_else() -> None:
    moved = draw_position(position(MIDDLE_GAME.replace("A4@K4", "A4@M2")))
    box = differs_in(middle_game(), moved)
    assert box is not None
    left, top, right, bottom = box
    assert right - left < 150
    assert bottom - top < 150


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(MIDDLE_GAME.replace("A4@K4 A5@G8", "A4@G8 A5@K4"), id="two warriors swapped"),
        pytest.param(MIDDLE_GAME.replace("| 22 9 |", "| 21 9 |"), id="Energy"),
        pytest.param(MIDDLE_GAME.replace("J3 D14", "K3 D14"), id="Guide"),
        pytest.param(MIDDLE_GAME.replace(" g 5 ", " g 6 "), id="round"),
        pytest.param(MIDDLE_GAME.replace("E3@J10", "E3@J9"), id="on or off a Well"),
    ],
)
def test_what_differs_can_be_seen(other: str) -> None:
    assert differs_in(middle_game(), draw_position(position(other))) is not None


def test_each_side_and_each_theme_has_its_own_picture() -> None:
    pictures = {
        scene_png(middle_game(bottom=bottom), theme=theme)
        for bottom in (0, 1)
        for theme in (LIGHT, DARK)
    }
    assert len(pictures) == 4


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("scene", [middle_game(bottom=1), busy_scene()], ids=["quiet", "busy"])
def test_it_shows_what_the_svg_shows(scene: Scene, theme: Theme) -> None:
    """Put together from sprites in few colours, it is still the same picture everywhere."""
    scene = replace(scene, caption="")
    whole = render_svg(scene_svg(scene, theme=theme, width=700)).convert("RGB")
    difference = ImageChops.difference(decode(scene_png(scene, theme=theme)), whole).convert("L")
    _, worst_block = difference.reduce(20).getextrema()
    assert isinstance(worst_block, int)
    assert worst_block < 30


@pytest.mark.parametrize("width", [350, 700])
@pytest.mark.parametrize(
    "caption",
    ["Round 5, Gold to move (origin, master)", "MW", "Illicit; iljl: " * 3, "Waves of Water " * 9],
)
def test_the_words_of_a_caption_stand_where_they_stand_in_the_svg(caption: str, width: int) -> None:
    scene = replace(middle_game(), caption=caption)
    whole = render_svg(scene_svg(scene, width=width)).convert("L")
    area = (0, whole.height - 30 * width // 700, *whole.size)
    expected, drawn = (
        ImageChops.invert(image.crop(area)).point(lambda ink: 255 * (ink > 100)).getbbox()
        for image in (whole, decode(scene_png(scene, width=width)).convert("L"))
    )
    assert drawn == pytest.approx(expected, abs=width * 0.02)


def test_a_caption_of_known_words_needs_no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    scene_png(replace(middle_game(), caption="Round 5, Gold to move"))
    scene_png(replace(middle_game(), caption="Round 6, Black to defend"))
    monkeypatch.setattr(png, "render_on_ground", None)
    scene_png(replace(middle_game(), caption="Round 6, Gold to defend"))


@pytest.mark.parametrize("kind", ArrowKind)
def test_arrows_in_all_directions_are_those_of_the_svg(kind: ArrowKind) -> None:
    """Those to the left and upwards are mirror images of the others."""
    arrows = tuple(Arrow(start, end, kind) for start, end in ENDS)
    scene = Scene(middle_game().board, arrows=arrows)
    whole = render_svg(scene_svg(scene, width=700)).convert("RGB")
    difference = ImageChops.difference(decode(scene_png(scene)), whole).convert("L")
    _, worst_block = difference.reduce(10).getextrema()
    assert isinstance(worst_block, int)
    assert worst_block < 40


@pytest.mark.parametrize("caption", ["M" * 60, "W" * 160, "字" * 78, "W " * 80, "Mwwwwwmm " * 9])
def test_no_caption_is_too_wide_for_a_picture(caption: str) -> None:
    image = decode(scene_png(replace(middle_game(), caption=caption)))
    page = image.getpixel((0, image.height - 1))
    edge = image.crop((0, image.height - 30, 2, image.height))
    assert edge.getcolors() == [(60, page)]


def test_without_a_caption_the_picture_is_lower() -> None:
    scene = middle_game()
    whole, bare = decode(scene_png(scene)), decode(scene_png(replace(scene, caption="")))
    assert bare.height < whole.height
    assert not ImageChops.difference(whole.crop((0, 0, *bare.size)), bare).getbbox()


def test_any_words_can_be_drawn() -> None:
    scene = replace(middle_game(), caption="<b>&\x00☃" + "long " * 100)
    assert decode(scene_png(scene)).width == 700


@pytest.mark.parametrize(
    ("scene", "largest"),
    [(draw_position(position(MIDDLE_GAME)), USUAL), (crowded_scene(), CROWDED)],
    ids=["usual", "crowded"],
)
def test_however_hard_it_is_packed_it_is_the_same_picture(
    scene: Scene, largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "LARGE", 1 << 20)
    quick = scene_png(scene)
    monkeypatch.setattr(packing, "LARGE", 0)
    careful = scene_png(scene)
    assert len(careful) < min(len(quick), largest)
    assert not ImageChops.difference(decode(quick), decode(careful)).getbbox()


def test_what_is_large_is_packed_again_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = packing.LARGE
    usual, large = scene_png(busy_scene()), scene_png(crowded_scene())
    monkeypatch.setattr(packing, "LARGE", 1 << 20)
    assert usual == scene_png(busy_scene())
    assert len(large) < limit < len(scene_png(crowded_scene()))
