"""The board on a page: it keeps up with quick hands, says what things cost, and is set up on."""

from __future__ import annotations

import re

import pytest

from tests.browser.finding import need_playwright

need_playwright()

from playwright.sync_api import Page, Route, expect

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


def test_what_is_done_before_the_board_has_answered_is_done_in_turn_and_once(
    door: Door, town: Town
) -> None:
    page = door.let_in(town.ann).go(f"/games/{town.turn}")
    page.evaluate(
        f"""(cells) => {{
          ({CLICK_ALL})(cells);
          const end = [...document.querySelectorAll("[data-tools] button")]
            .find((each) => each.textContent === "End the turn");
          end.click();
          end.click();
        }}""",
        ["I3", "I5"],
    )
    expect(page.locator("[data-orders]")).to_have_value("F7>I5; end")
    expect(page.locator("[data-builder]")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator("[data-orders]")).to_have_value("F7>I5; end")


class Held:
    """The answer to the next question of a kind, held back until a test lets it go."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._page = page
        self._routes: list[Route] = []

        def keep(route: Route) -> None:
            self._routes.append(route)

        page.route(pattern, keep, times=1)

    def wait(self) -> None:
        """Until the server has answered."""
        for _ in range(500):
            if not self._routes:
                self._page.wait_for_timeout(20)
        (self._route,) = self._routes
        self._answer = self._route.fetch()

    def let_go(self) -> None:
        """The answer comes to the page."""
        self._route.fulfill(response=self._answer)
        self._page.wait_for_timeout(300)  # in which it would be shown


@pytest.mark.parametrize("way", ["mouse", "key"])
def test_what_is_being_pressed_is_not_replaced(door: Door, town: Town, way: str) -> None:
    page = door.let_in(town.ann).go(f"/games/{town.turn}")
    held = Held(page, "**/choices")
    page.evaluate(CLICK_ALL, ["I3", "I5"])
    held.wait()
    end = page.get_by_role("button", name="End the turn")
    if way == "mouse":
        end.hover()
        page.mouse.down()
    else:
        end.focus()
        page.keyboard.down("Space")
    held.let_go()
    if way == "mouse":
        page.mouse.up()
    else:
        page.keyboard.up("Space")
    expect(page.locator("[data-orders]")).to_have_value("F7>I5; end")


def test_a_board_that_is_set_up_is_not_replaced_under_the_pointer(door: Door, town: Town) -> None:
    page = door.let_in(town.ben).go(f"/games/{town.opening}")
    board = page.locator("[data-board]")
    expect(board.locator('[data-on="H15"]')).to_have_attribute("data-piece", "W1")
    held = Held(page, "**/preview")
    board.locator('[data-on="H15"]').click()
    board.locator('[data-on="G15"]').click()
    held.wait()
    board.locator('[data-on="F15"]').hover()
    page.mouse.down()
    held.let_go()
    page.mouse.up()
    expect(board.locator('[data-on="F15"]')).to_have_class(re.compile("is-picked"))


def test_what_a_warrior_can_do_stands_on_the_board_with_its_cost(door: Door, town: Town) -> None:
    page = door.let_in(town.ann).go(f"/games/{town.turn}")
    page.locator('[data-board] [data-on="F6"]').click()
    expect(page.locator(".price").first).to_be_visible()
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
