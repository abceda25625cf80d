"""Every page: no fault that keeps anybody out, fits a telephone, and speaks one language.

The first is judged by axe-core, whose script ``PBEM_AXE`` names; without it only that is skipped.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.browser.finding import do_without, need_playwright

need_playwright()

from playwright.sync_api import Browser, Page

from tests.browser.house import open_house
from tests.browser.pages import PLACES, Place, build_ground, people
from tests.browser.visitors import DESKTOP, PHONE, Door, Visitor
from tests.locale.extraction import entries

SERIOUS = ("serious", "critical")
NOT_OURS = ("api",)
"""Pages with texts from elsewhere, which are in no catalogue."""

TEXTS = """() => {
  const read = ["aria-label", "title", "alt", "placeholder", "data-words", "data-slot"];
  const all = [...document.body.querySelectorAll("*")];
  const told = all.flatMap((each) => read.map((name) => each.getAttribute(name) || ""));
  for (const code of document.body.querySelectorAll("code, pre, script")) code.remove();
  return [document.title, document.body.textContent, ...told].join("\\n");
}"""
"""All that can be read on a page or is read out, but for notation."""

EMPTY_BOARDS = """() => {
  const drawn = ".board svg :not(title, [tabindex], :has([tabindex]))";
  for (const each of document.querySelectorAll(drawn)) each.remove();
}"""
"""Boards have hundreds of parts; what cannot be pressed is a picture, of which the title counts."""

Walk = Callable[[Place], Visitor]


def _walks(browser: Browser, database: Path, language: str) -> Iterator[Walk]:
    """Visit any place of one town; the same visitor goes from page to page."""
    with open_house(database) as house:
        ground = build_ground(house.around, house.now, language=language)
        door = Door(house, browser)
        visitors = {
            who: door.let_in(player, locale=language) for who, player in people(ground).items()
        }

        def walk(place: Place) -> Visitor:
            visitor = visitors[place.who]
            visitor.faults.clear()
            visitor.go(place.path_in(ground))
            return visitor

        yield walk
        door.close()


@pytest.fixture(scope="module")
def walk(
    browser: Browser, migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Walk]:
    database = tmp_path_factory.mktemp("town") / "house.sqlite3"
    shutil.copy(migrated_sqlite, database)
    yield from _walks(browser, database, "en")


@pytest.fixture(scope="module")
def dutch_walk(
    browser: Browser, migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Walk]:
    database = tmp_path_factory.mktemp("stad") / "house.sqlite3"
    shutil.copy(migrated_sqlite, database)
    yield from _walks(browser, database, "nl")


@cache
def _axe() -> str:
    named = os.environ.get("PBEM_AXE")
    if not named:
        do_without("PBEM_AXE does not name the script of axe-core")
    return Path(named).read_text(encoding="utf-8")


def _violations(page: Page, *, only: list[str] | None = None) -> list[str]:
    chosen: dict[str, Any] = {"resultTypes": ["violations"]}
    if only is not None:
        chosen["runOnly"] = {"type": "rule", "values": only}
    found = page.evaluate("chosen => axe.run(document, chosen)", chosen)
    return [
        f"{violation['id']} ({violation['impact']}): {node['html'][:200]} {node['any'][:1]}"
        for violation in found["violations"]
        for node in violation["nodes"]
        if violation["impact"] in SERIOUS
    ]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_nobody_is_kept_out(walk: Walk, place: Place) -> None:
    axe = _axe()
    page = walk(place).page
    page.evaluate(EMPTY_BOARDS)
    page.evaluate(f"{axe}; undefined")
    found = _violations(page)
    page.emulate_media(color_scheme="dark")
    found += _violations(page, only=["color-contrast"])
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    found += _violations(page)
    page.emulate_media(color_scheme="light")
    found += _violations(page, only=["color-contrast"])
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    assert found == []


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_a_page_is_sound_and_fits_a_telephone(walk: Walk, place: Place) -> None:
    visitor = walk(place)
    visitor.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert visitor.is_narrow()
    assert visitor.page.evaluate("() => document.querySelectorAll('h1').length") == 1
    visitor.page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    assert visitor.faults == []


# -- one language -------------------------------------------------------------------------------


@cache
def _english() -> list[str]:
    """Texts of ours that are told apart from Dutch: whole phrases, without facts in them."""
    return [
        form
        for _, message in entries("nl")
        for form in ((message.id,) if isinstance(message.id, str) else message.id)
        if len(form) >= 8 and "{" not in form and form != message.string
    ]


@pytest.mark.parametrize(
    "place",
    [place for place in PLACES if place.name not in NOT_OURS],
    ids=lambda place: place.name,
)
def test_a_dutch_page_is_dutch(dutch_walk: Walk, place: Place) -> None:
    page = dutch_walk(place).page
    assert page.locator("html").get_attribute("lang") == "nl"
    shown = page.evaluate(TEXTS)
    assert [text for text in _english() if text in shown] == []
