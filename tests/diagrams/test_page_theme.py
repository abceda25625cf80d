"""Boards on web pages take their colours from the style sheet."""

from __future__ import annotations

import re

from pbem.diagrams.page_theme import page_theme, theme_css
from pbem.diagrams.svg import scene_svg
from pbem.diagrams.theme import DARK, LIGHT
from tests.diagrams.scenes import busy_scene


def test_every_colour_of_a_board_is_given_for_bright_and_for_dark_pages() -> None:
    svg = scene_svg(busy_scene(), theme=page_theme())
    used = set(re.findall(r"var\((--[\w-]+)\)", svg))
    css = theme_css()
    assert len(used) > 20
    for name in used:
        assert len(re.findall(rf"{name}:#[0-9a-f]{{6}};", css)) == 3, name


def test_no_colour_is_left_in_the_picture_itself() -> None:
    assert "#" not in scene_svg(busy_scene(), theme=page_theme())


def test_the_variables_are_those_of_the_themes() -> None:
    assert f"--board-page:{LIGHT.page};" in theme_css()
    assert f"--board-page:{DARK.page};" in theme_css()
    assert f"--board-homes-1-fill:{DARK.homes[1].fill};" in theme_css()


def test_paper_is_always_bright() -> None:
    dark = [line for line in theme_css().splitlines() if DARK.page in line]
    assert dark
    assert all(line.startswith("@media screen") for line in dark)
