"""What keeps the files of pictures small must not be seen."""

from __future__ import annotations

import re

import pytest
from PIL import Image, ImageChops

from pbem.diagrams import shapes
from pbem.diagrams.layout import HALF
from pbem.diagrams.palette import STRIPES, half_mixed, palette_bytes, striped, to_indices
from pbem.diagrams.raster import COARSE, render_svg
from pbem.diagrams.svg import open_svg
from pbem.diagrams.theme import DARK, LIGHT, PAPER, Theme

each_theme = pytest.mark.parametrize("theme", [LIGHT, DARK, PAPER], ids=lambda theme: theme.name)


def ink(name: str) -> tuple[int, int]:
    """From where to where a name is drawn whose middle is at 100."""
    text = f"<g {shapes.CELL_NAME_STYLE}>{shapes.cell_name(name, (100, 20))}</g>"
    box = render_svg(f"{open_svg(200, 40)}{text}</svg>").getchannel("A").point(COARSE).getbbox()
    assert box
    return box[0], box[2]


@pytest.mark.parametrize("number", ["1", "8", "13"])
def test_numbers_of_cells_are_in_one_place(number: str) -> None:
    assert len({ink(letter + number)[1] for letter in "AGIMO"}) == 1


@pytest.mark.parametrize("name", ["A1", "I13", "J1", "M13", "W8", "O15", "Hall", "12", "B", "<&>"])
def test_a_name_stands_in_the_middle(name: str) -> None:
    assert sum(ink(name)) / 2 == pytest.approx(100, abs=2)


def test_a_letter_and_its_number_do_not_overlap_in_a_wider_font() -> None:
    """They are two texts that meet in one place: a browser without the font takes another."""
    places = re.findall(r'x="(\d+)"', shapes.cell_name("M13", (100, 20)))
    assert len(places) == 2
    assert len(set(places)) == 1


def test_no_three_stripes_are_like_three_others() -> None:
    around = STRIPES + STRIPES[:2]
    assert len({around[begin : begin + 3] for begin in range(len(STRIPES))}) == len(STRIPES) == HALF


@each_theme
@pytest.mark.parametrize("middle", [-5, 0, 350])
def test_stripes_are_not_seen(theme: Theme, middle: int) -> None:
    ground = to_indices(Image.new("RGB", (300, 40), theme.plain.fill), theme)
    ground.paste(0, (20, 10, 60, 30))
    drawn = striped(ground, theme, middle)
    assert len(drawn.getcolors() or ()) == 4
    shown = Image.frombytes("P", drawn.size, drawn.tobytes())
    shown.putpalette(palette_bytes(theme))
    assert not ImageChops.difference(shown.convert("RGB"), ground.convert("RGB")).getbbox()


@each_theme
def test_stripes_mix_like_the_ground_they_are_on(theme: Theme) -> None:
    ground = to_indices(Image.new("RGB", (len(STRIPES), 1), theme.plain.fill), theme)
    mixed = half_mixed(theme.arrow_edge, theme)
    assert len({mixed[index] for index in striped(ground, theme, 0).tobytes()}) == 1


def test_stripes_are_the_same_in_all_cells() -> None:
    ground = to_indices(Image.new("RGB", (200, 1), LIGHT.plain.fill), LIGHT)
    drawn = striped(ground, LIGHT, 50).tobytes()
    assert drawn[50:100] == drawn[50 + 2 * HALF : 100 + 2 * HALF]
    assert drawn[50:100] == striped(ground, LIGHT, 0).tobytes()[:50]


@each_theme
def test_colours_of_a_theme_are_exact(theme: Theme) -> None:
    for name in (theme.page, theme.plain.fill, theme.homes[1].edge, *theme.bands.values()):
        exact = Image.new("RGB", (1, 1), name)
        assert to_indices(exact, theme).convert("RGB").tobytes() == exact.tobytes()
