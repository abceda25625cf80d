"""Charts of ratings: every point stands where its month and its figure say."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.diagrams.page_theme import page_theme
from pbem.diagrams.rating_chart import WIDTH, RatingPoint, rating_chart_svg
from pbem.diagrams.theme import DARK, LIGHT, Theme

SVG = "{http://www.w3.org/2000/svg}"


def points(*figures: float, spread: float = 100) -> list[RatingPoint]:
    return [RatingPoint(n, f"m{n}", figure, spread) for n, figure in enumerate(figures)]


def read(drawn: list[RatingPoint], theme: Theme = LIGHT) -> ElementTree.Element:
    return ElementTree.fromstring(rating_chart_svg("Ratings & <co>", drawn, theme=theme))


def dots(root: ElementTree.Element) -> list[tuple[float, float]]:
    return [(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in root.iter(f"{SVG}circle")]


def levels(root: ElementTree.Element) -> dict[int, float]:
    found = {}
    for text in root.iter(f"{SVG}text"):
        if text.text and text.text.lstrip("-").isdigit():
            found[int(text.text)] = float(text.attrib["y"])
    return found


def test_higher_ratings_stand_higher_and_later_months_further_right() -> None:
    found = dots(read(points(1500, 1620, 1580)))
    assert [x for x, _ in found] == sorted(x for x, _ in found)
    (_, first), (_, second), (_, third) = found
    assert second < third < first


def test_months_without_games_take_room() -> None:
    early, late, last = dots(read([RatingPoint(n, str(n), 1500, 90) for n in (0, 10, 11)]))
    assert late[0] - early[0] == pytest.approx(10 * (last[0] - late[0]), abs=0.5)


@given(st.lists(st.tuples(st.floats(100, 3500), st.floats(20, 700)), min_size=1, max_size=60))
def test_everything_stands_inside(figures: list[tuple[float, float]]) -> None:
    drawn = [
        RatingPoint(n, "2026-11", rating, spread) for n, (rating, spread) in enumerate(figures)
    ]
    root = read(drawn)
    height = float(root.attrib["viewBox"].split()[3])
    assert all(0 < x < WIDTH and 0 < y < height for x, y in dots(root))
    heights = list(levels(root).values())
    assert len(heights) >= 1
    assert all(above - below > 12 for above, below in pairwise(heights)), "labels do not touch"


@given(st.lists(st.integers(0, 80), min_size=1, max_size=30, unique=True).map(sorted))
def test_labels_of_months_do_not_touch(months: list[int]) -> None:
    root = read([RatingPoint(month, "2026-11", 1500, 90) for month in months])
    shift = {"start": 0.0, "middle": -0.5, "end": -1.0}
    found = [
        float(text.attrib["x"]) + 50 * shift[text.attrib["text-anchor"]]
        for text in root.iter(f"{SVG}text")
        if text.text == "2026-11"
    ]
    assert all(right - left > 50 for left, right in pairwise(found))
    assert found[0] > 0
    assert found[-1] + 50 < WIDTH


def test_the_title_is_text_and_no_markup() -> None:
    root = read(points(1500, 1600))
    assert root.findtext(f"{SVG}title") == "Ratings & <co>"


@pytest.mark.parametrize("theme", [LIGHT, DARK, page_theme()], ids=lambda theme: theme.name)
def test_colours_are_those_of_the_theme(theme: Theme) -> None:
    text = rating_chart_svg("x", points(1500, 1600), theme=theme)
    assert theme.accent in text
    assert theme.page in text


def test_one_month_has_a_point() -> None:
    assert len(dots(read(points(1500)))) == 1
