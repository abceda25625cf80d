"""Annotating beside the replayed board: by clicking, by writing, and without a script."""

from __future__ import annotations

import os

import pytest

from tests.browser.finding import need_playwright

need_playwright()

from playwright.sync_api import Page, expect

from pbem.play import annotating
from tests.archive.test_remarks import BASE
from tests.browser.house import House
from tests.browser.visitors import PHONE, Door
from tests.play.shelf import new_game, shelve


@pytest.fixture
def number(house: House) -> int:
    (made,) = shelve(house.around, new_game("annotated", record=BASE))
    return made


def stands(house: House, number: int) -> list[tuple[str, str, str]]:
    with house.around.store.read() as unit:
        found = annotating.remarks_that_stand(unit, number)
    return [(each.place, each.kind, each.text) for each in found]


def look(page: Page, name: str) -> None:
    """A picture of a page, for whoever wants to look: PBEM_PICTURES names a folder."""
    folder = os.environ.get("PBEM_PICTURES")
    if folder:
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def hex_of(page: Page, name: str) -> None:
    page.locator(f'[data-board] [data-hex="{name}"]').click(force=True)


def test_the_panel_follows_the_moment_and_hexes_are_marked_by_clicking(
    door: Door, house: House, number: int
) -> None:
    page = door.let_in(house.join("Ann")).go(f"/archive/{number}")
    panel = page.locator("[data-panel]")
    page.locator("[data-moves]").get_by_text("F3>J6").click()
    expect(panel).to_have_attribute("data-place", "1g.2")
    page.get_by_role("button", name="Mark a hex").click()
    hex_of(page, "J6")
    page.get_by_role("button", name="Draw an arrow").click()
    hex_of(page, "J6")
    hex_of(page, "H7")
    box = page.get_by_label("Your comment")
    expect(box).to_have_value("[%mark J6] [%arrow J6 H7]")
    box.press("End")
    box.type(" Bold.")
    look(page, "annotating-writing")
    page.get_by_role("button", name="Add the comment").click()
    expect(panel).to_contain_text("Ann: [%mark J6] [%arrow J6 H7] Bold.")
    expect(page.locator("[data-notes]")).to_contain_text("Bold.")
    page.get_by_role("button", name="!?", exact=True).click()
    expect(panel.locator("li")).to_contain_text(["Bold.", "!?"])
    assert stands(house, number) == [
        ("1g.2", "comment", "[%mark J6] [%arrow J6 H7] Bold."),
        ("1g.2", "sign", "!?"),
    ]
    look(page, "annotating-written")


def test_an_address_with_a_moment_shows_what_is_said_about_it(
    door: Door, house: House, number: int
) -> None:
    page = door.let_in(house.join("Ann")).go(f"/archive/{number}#1g.2")
    expect(page.locator("[data-panel]")).to_have_attribute("data-place", "1g.2")


def test_an_arrow_is_drawn_from_hex_to_hex(door: Door, house: House, number: int) -> None:
    page = door.let_in(house.join("Ann")).go(f"/archive/{number}?at=1g.2")
    page.get_by_role("button", name="Draw an arrow").click()
    start, end = (page.locator(f'[data-board] [data-hex="{name}"]') for name in ("D5", "G8"))
    start.scroll_into_view_if_needed()
    for place, act in ((start, page.mouse.down), (end, page.mouse.up)):
        box = place.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        act()
    expect(page.get_by_label("Your comment")).to_have_value("[%arrow D5 G8]")
    expect(page.get_by_role("button", name="Draw an arrow")).to_have_attribute(
        "aria-pressed", "false"
    )


def test_what_is_being_written_stays_when_the_moment_changes(
    door: Door, house: House, number: int
) -> None:
    page = door.let_in(house.join("Ann")).go(f"/archive/{number}?at=1g.2")
    page.get_by_label("Your comment").fill("Half a thou")
    page.locator("[data-moves]").get_by_text("E4>K3").click()
    expect(page.locator("[data-moves] [aria-current]")).to_have_text("E4>K3")
    page.wait_for_timeout(500)
    expect(page.get_by_label("Your comment")).to_have_value("Half a thou")
    expect(page.locator("[data-panel]")).to_have_attribute("data-place", "1g.2")


def test_another_way_to_play_is_clicked_on_the_board(door: Door, house: House, number: int) -> None:
    page = door.let_in(house.join("Ann")).go(f"/archive/{number}?at=1g.4")
    page.get_by_role("link", name="Play it another way").click()
    expect(page.locator("[data-tools] .hint").first).to_be_visible()
    hex_of(page, "K1")
    hex_of(page, "K3")
    orders = page.get_by_label("Orders")
    expect(orders).to_have_value("E4>K3")
    page.get_by_role("button", name="End the turn").click()
    expect(orders).to_have_value("E4>K3; end")
    look(page, "annotating-vary")
    page.get_by_role("button", name="Add the variation").click()
    expect(page.locator("[data-moves] .line")).to_contain_text("E4>K3")
    assert stands(house, number) == [("1g.4", "variation", "E4>K3; end")]


def test_without_a_script(door: Door, house: House, number: int) -> None:
    ann = house.join("Ann")
    page = door.let_in(ann, java_script_enabled=False, size=PHONE).go(f"/archive/{number}?at=1g.2")
    page.get_by_label("Your comment").fill("Bold.")
    page.get_by_role("button", name="Add the comment").click()
    page.get_by_text("Change or withdraw").click()
    page.get_by_label("Your remark").fill("Too bold.")
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("[data-panel] li")).to_contain_text("Too bold.")
    page.get_by_role("link", name="versions").click()
    expect(page.locator("ol")).to_contain_text("Too bold.")
    look(page, "annotating-versions")
    page.get_by_role("link", name="Back to the game").click()
    page.get_by_role("link", name="Play it another way").click()
    page.get_by_label("Orders").fill("F3>Z9; end")
    page.get_by_role("button", name="Add the variation").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Orders").fill("F3 > J5; einde")
    page.get_by_role("button", name="Add the variation").click()
    page.get_by_label("Say something").fill("And then?")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".post")).to_contain_text("And then?")
    look(page, "annotating-phone")
    assert stands(house, number) == [
        ("1g.2", "comment", "Too bold."),
        ("1g.2", "variation", "F3>J5; end"),
    ]
