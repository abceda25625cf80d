"""Readable in greyscale: what is written stands out from what it is written on."""

from __future__ import annotations

import pytest
from PIL import ImageColor

from pbem.diagrams.theme import DARK, LIGHT, Theme
from pbem.games.scene import ArrowKind, Mark, Shape


def lightness(colour: str) -> float:
    """Relative luminance, as WCAG reckons it."""
    parts = [part / 255 for part in ImageColor.getrgb(colour)[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((lightness(one), lightness(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


both_themes = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)


@both_themes
def test_labels_of_pieces_stand_out(theme: Theme) -> None:
    for seat in theme.seats:
        for shape in Shape:
            assert contrast(seat.letter, seat.faces[shape]) >= 7


@both_themes
def test_the_seats_differ_in_lightness_whatever_the_shape(theme: Theme) -> None:
    first, second = theme.seats
    for shape in Shape:
        for other in Shape:
            assert contrast(first.faces[shape], second.faces[other]) >= 7


@both_themes
def test_words_beside_the_board_stand_out(theme: Theme) -> None:
    assert contrast(theme.text, theme.page) >= 7
    assert contrast(theme.muted, theme.page) >= 4.5
    assert contrast(theme.accent, theme.page) >= 4.5


@both_themes
def test_names_of_cells_can_be_read(theme: Theme) -> None:
    for cell in (theme.plain, *theme.homes):
        assert contrast(cell.name, cell.fill) >= 3
        assert contrast(theme.text, cell.fill) >= 4.5
    for words in (theme.source.name, theme.text):
        assert contrast(words, theme.glow[1]) >= 4.5


@both_themes
def test_arrows_and_frames_stand_out_from_the_cells(theme: Theme) -> None:
    for kind in ArrowKind:
        assert contrast(theme.arrows[kind], theme.plain.fill) >= 3
    assert contrast(theme.highlight, theme.plain.fill) >= 2


@both_themes
def test_every_mark_has_colours(theme: Theme) -> None:
    for mark in Mark:
        ground, sign = theme.marks[mark]
        assert contrast(ground, sign) >= 4.5
