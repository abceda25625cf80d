"""The board on a page: it keeps up with quick hands, says what things cost, and is set up on."""

from __future__ import annotations

import pytest

from tests.browser.finding import need_playwright

need_playwright()

from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.visitors import Door
from tests.web.town import Town, build_town

CLICK_ALL = """(cells) => {
  for (const cell of cells) {
    const found = `[data-board] [data-on="${cell}"], [data-board] [data-hex="${cell}"]`;
    const elements = [...document.querySelectorAll(found)];
    elements.at(-1).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
}"""
"""All at once, before the server can have answered anything."""


@pytest.fixture
def town(house: House) -> Town:
    return build_town(house.around, house.now)


def test_what_is_clicked_before_the_board_has_answered_counts(door: Door, town: Town) -> None:
    page = door.let_in(town.ann).go(f"/games/{town.turn}")
    page.evaluate(CLICK_ALL, ["I3", "I5", "F6", "G11"])
    expect(page.locator("[data-orders]")).to_have_value("F7>I5; W1 rng G11")


def test_what_a_warrior_can_do_stands_on_the_board_with_its_cost(door: Door, town: Town) -> None:
    page = door.let_in(town.ann).go(f"/games/{town.turn}")
    page.locator('[data-board] [data-on="F6"]').click()
    expect(page.locator(".price")).to_have_count(page.locator("path.is-target").count())
    attack = page.get_by_role("button", name="W1 rng G11, 6 Energy")
    expect(attack).to_have_text("W1 rng G116")
    attack.click()
    expect(page.locator("[data-orders]")).to_have_value("W1 rng G11")


def test_a_set_up_stands_on_the_board_and_is_changed_there(door: Door, town: Town) -> None:
    page = door.let_in(town.ben).go(f"/games/{town.opening}")
    board = page.locator("[data-board]")
    expect(board.locator('[data-on="H15"]')).to_have_attribute("data-piece", "W1")
    board.locator('[data-on="H15"]').click()
    board.locator('[data-on="G15"]').click()
    expect(page.locator("[data-orders]")).to_have_value("setup FWEAAEFW")
    expect(board.locator('[data-on="H15"]')).to_have_attribute("data-piece", "F1")
