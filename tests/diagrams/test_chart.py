"""Charts: every figure stands where its value says, and no seat is told by colour alone."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.diagrams.chart import LEFT, RIGHT, WIDTH, chart_svg
from pbem.diagrams.page_theme import page_theme, theme_css
from pbem.diagrams.theme import DARK, LIGHT, Theme
from pbem.games.chart import Chart, Strip

SVG = "{http://www.w3.org/2000/svg}"


def chart(first: tuple[int, ...] = (0, 4, 8), second: tuple[int, ...] = (0, 0, 2)) -> Chart:
    moments = tuple(f"m{index}" for index in range(len(first)))
    strip = Strip("Honour", (first, second), maximum=8, levels=(0, 8), goal=8)
    return Chart("Who leads", ("Ann", "Ben"), moments, (strip, strip))


def read(drawn: Chart, theme: Theme = LIGHT) -> ElementTree.Element:
    return ElementTree.fromstring(chart_svg(drawn, theme=theme))


def paths(root: ElementTree.Element, stroke: str) -> list[str]:
    """The paths of one colour that are neither the legend nor a level."""
    return [
        path.attrib["d"]
        for path in root.iter(f"{SVG}path")
        if path.attrib.get("stroke") == stroke and "V" in path.attrib["d"]
    ]


def corners(path: str) -> list[tuple[float, float]]:
    """The points that a path of level and upright strokes goes through."""
    x = y = 0.0
    found = []
    for verb, figures in re.findall(r"([MHV])([^MHV]+)", path):
        if verb == "M":
            x, y = map(float, figures.split())
        elif verb == "H":
            x = float(figures)
        else:
            y = float(figures)
        found.append((x, y))
    return found


def test_a_line_goes_through_its_figures() -> None:
    line = corners(paths(read(chart()), LIGHT.tracks[0])[0])
    first, last = line[0], line[-1]
    assert (first[0], last[0]) == (LEFT, RIGHT)
    middle = [y for x, y in line if x == (LEFT + RIGHT) / 2]
    assert middle[-1] - last[1] == first[1] - middle[-1] > 0, "4 is half way from 0 to 8"


def test_figures_beyond_a_strip_stay_on_its_edge() -> None:
    line = corners(paths(read(chart((0, 8, 99))), LIGHT.tracks[0])[0])
    assert line[-1][1] == line[-2][1] == min(y for _, y in line)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_seats_differ_by_the_stroke_and_not_only_by_colour(theme: Theme) -> None:
    root = read(chart(), theme)
    dashes = {
        path.attrib["stroke"]: "stroke-dasharray" in path.attrib
        for path in root.iter(f"{SVG}path")
        if path.attrib.get("stroke") in theme.tracks and path.attrib["fill"] == "none"
    }
    assert dashes == {theme.tracks[0]: False, theme.tracks[1]: True}


def test_every_colour_of_a_page_comes_from_its_style_sheet() -> None:
    svg = chart_svg(chart(), theme=page_theme())
    assert "#" not in svg
    assert all(f"{name}:" in theme_css() for name in re.findall(r"var\((--[\w-]+)\)", svg))


@given(count=st.integers(1, 700))
def test_labels_of_turns_never_touch_each_other(count: int) -> None:
    figures = tuple(index % 9 for index in range(count))
    root = read(chart(figures, figures))
    labels = [
        float(element.attrib["x"])
        for element in root.iter(f"{SVG}text")
        if (element.text or "").startswith("m")
    ]
    assert len(labels) == len(set(labels)) <= 10
    gaps = [later - earlier for earlier, later in pairwise(labels)]
    assert all(gap > 30 for gap in gaps)
    assert count == 1 or labels[-1] == RIGHT
    assert len(chart_svg(chart(figures, figures))) < 60_000


def test_names_are_cut_and_nothing_of_them_is_markup() -> None:
    nasty = Chart("<t>", ("<b>&\x00Ann", "x" * 500), ("a",), chart((1,), (1,)).strips)
    texts = [element.text for element in read(nasty).iter(f"{SVG}text")]
    assert "<b>&Ann" in texts
    assert max(len(text or "") for text in texts) <= 14


def test_the_table_has_the_same_figures() -> None:
    assert list(chart((0, 4), (1, 2)).rows()) == [
        ("m0", ((0, 1), (0, 1))),
        ("m1", ((4, 2), (4, 2))),
    ]


def test_a_figure_for_every_moment_is_needed() -> None:
    with pytest.raises(ValueError, match="every moment"):
        Chart("t", ("a", "b"), ("one", "two"), chart().strips)
    with pytest.raises(ValueError, match="every moment"):
        Chart("t", ("a", "b"), (), ())


def test_it_is_made_for_the_width_of_a_telephone() -> None:
    assert read(chart()).attrib["viewBox"].startswith(f"0 0 {WIDTH} ")
    assert WIDTH == 340
