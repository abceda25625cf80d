"""The drawn boards of the documentation: up to date, used, and showing what they are said to."""

from __future__ import annotations

import re

import pytest

from docs.draw_pictures import ALL, PICTURES, Picture, draw_all
from tests.docs.pages import PAGES


def test_the_pictures_are_what_the_script_draws_now() -> None:
    drawn = draw_all()
    kept = {path.stem: path.read_text(encoding="utf-8") for path in PICTURES.glob("*.svg")}
    assert sorted(kept) == sorted(drawn), "none missing, none left over"
    old = [name for name, svg in drawn.items() if kept[name] != svg]
    assert old == [], "draw them again: python -m docs.draw_pictures"


def test_no_two_pictures_have_one_name() -> None:
    assert len(draw_all()) == len(ALL) + 1


def test_every_picture_is_shown_on_some_page() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert set(re.findall(r"\]\((?:docs/)?pictures/([\w-]+)\.svg\)", text)) == set(draw_all())


_SHOWN = re.compile(r"!\[([^]]+)\]\((?:docs/)?pictures/([\w-]+)\.png\)")
_PLACED = re.compile(r'<img src="(?:docs/)?pictures/([\w-]+)\.png"[^>]* alt="([^"]+)"')


def test_every_picture_of_a_page_is_small_and_shown_with_what_it_shows() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    said = {name: alt for alt, name in _SHOWN.findall(text)} | dict(_PLACED.findall(text))
    files = {path.stem: path.stat().st_size for path in PICTURES.glob("*.png")}
    assert sorted(said) == sorted(files)
    assert [name for name, alt in said.items() if len(alt) < 40] == []
    assert [name for name, size in files.items() if size > 150_000] == []


# The first turn collects nothing; in the other a charge has been paid for.
NOT_COLLECTED = {"opening", "phoenix-broken"}


@pytest.mark.parametrize(
    "picture",
    [picture for picture in ALL if picture.line and picture.name not in NOT_COLLECTED],
    ids=lambda picture: picture.name,
)
def test_the_energy_in_a_picture_is_what_collecting_gives(picture: Picture) -> None:
    position = picture.find_position()
    assert position is not None
    wells = position.wells_held(position.active)
    assert position.energy[position.active] == position.rules.collecting[position.active][wells]


def test_hexlines_in_a_picture_are_hexlines() -> None:
    """Dotted lines between warriors are Hexlines; ``lines`` shows board lines, ``bear`` the one
    that its landing will open."""
    from pbem.games.ortus.geometry import share_hexline
    from pbem.games.ortus.hexes import get_hex

    checked = 0
    for picture in ALL:
        position = picture.find_position()
        if position is None or picture.name == "bear":
            continue
        for pair in picture.lines.split():
            a, b = pair.split("-")
            assert share_hexline(position, get_hex(a), get_hex(b)), (picture.name, pair)
            checked += 1
    assert checked == 9
