"""The chart of points after each round: every point is where it belongs, and all can be read."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from pbem.diagrams.climb_chart import LEFT, RIGHT, WIDTH, climb_svg
from pbem.diagrams.page_theme import page_theme, theme_css
from pbem.diagrams.theme import DARK, LIGHT, Theme
from pbem.tournaments.climb import Climb

SVG = "{http://www.w3.org/2000/svg}"


def climb(*lines: tuple[int, ...]) -> Climb:
    rounds = tuple(range(len(lines[0])))
    return Climb(rounds, tuple((number, points) for number, points in enumerate(lines, start=1)))


def read(drawn: Climb, theme: Theme = LIGHT) -> ElementTree.Element:
    names = {number: f"Player {number}" for number, _ in drawn.lines}
    return ElementTree.fromstring(climb_svg(drawn, names, title="Points", theme=theme))


def line(root: ElementTree.Element, stroke: str) -> list[tuple[float, float]]:
    path = next(
        each.attrib["d"]
        for each in root.iter(f"{SVG}path")
        if each.attrib.get("stroke") == stroke and "L" in each.attrib["d"]
    )
    found = [part.split() for part in path.removeprefix("M").split("L")]
    return [(float(x), float(y)) for x, y in found]


def test_a_line_goes_through_its_points() -> None:
    found = line(read(climb((0, 2, 4), (0, 0, 1))), LIGHT.entrants[0])
    assert [x for x, _ in found] == [LEFT, (LEFT + RIGHT) / 2, RIGHT]
    heights = [y for _, y in found]
    assert heights[0] - heights[1] == heights[1] - heights[2] > 0


def test_leaders_differ_by_more_than_their_colour() -> None:
    root = read(climb(*[(0, 9 - index) for index in range(8)]))
    strokes = [
        (path.attrib["stroke"], path.attrib.get("stroke-dasharray"))
        for path in root.iter(f"{SVG}path")
        if path.attrib.get("stroke") in LIGHT.entrants
    ]
    looks = set(strokes)
    assert len(looks) == len(LIGHT.entrants) == len({dashes for _, dashes in looks})


def test_the_rest_has_fine_lines_and_no_names() -> None:
    root = read(climb(*[(0, 9 - index) for index in range(8)]))
    words = " ".join(text.text or "" for text in root.iter(f"{SVG}text"))
    assert "Player 6 2" in words
    assert "Player 7" not in words
    fine = [path for path in root.iter(f"{SVG}path") if "stroke-opacity" in path.attrib]
    assert len(fine) == 2


@given(st.lists(st.integers(0, 30), min_size=1, max_size=9))
def test_numbers_at_the_ends_do_not_overlap(lasts: list[int]) -> None:
    root = read(climb(*[(0, last) for last in sorted(lasts, reverse=True)]))
    ends = sorted(
        float(text.attrib["y"])
        for text in root.iter(f"{SVG}text")
        if float(text.attrib["x"]) == RIGHT + 12
    )
    assert all(after - before >= 12 for before, after in pairwise(ends))


def test_it_is_drawn_before_anything_was_played() -> None:
    assert len(list(read(climb((0,), (0,))).iter(f"{SVG}text"))) > 2


def test_names_are_safe_and_short() -> None:
    drawn = climb_svg(climb((0, 2)), {1: "<b>" + "x" * 80}, title="A & B")
    assert "<b>" not in drawn
    assert "A &amp; B" in drawn
    assert "…" in drawn


def test_it_fits_and_the_page_colours_it() -> None:
    root = read(climb((0, 2, 4), (0, 1, 3)))
    assert root.attrib["viewBox"].split()[2] == str(WIDTH)
    drawn = climb_svg(climb((0, 2), (0, 1)), {1: "a", 2: "b"}, title="t", theme=page_theme())
    for name in set(re.findall(r"var\((--[a-z0-9-]+)\)", drawn)):
        assert f"{name}:" in theme_css()
    assert len(LIGHT.entrants) == len(DARK.entrants)
