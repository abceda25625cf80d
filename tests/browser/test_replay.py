"""Going through archived games: by keys, slider, list and chart, on a telephone, without a script,
in a frame of another site, and from disk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.browser.finding import need_playwright

need_playwright()

from playwright.sync_api import Browser, Locator, Page, expect

from pbem.catalogues import get_tongue
from pbem.web.archive_site import write_site
from tests.archive.annotated import ANNOTATED
from tests.browser.house import House
from tests.browser.visitors import PHONE, WAIT, Door
from tests.play.shelf import new_game, shelve

RECORD = ANNOTATED.replace("     2b. E3>K1; end)", "     2b. E3>F11; end)")


@pytest.fixture
def path(house: House) -> str:
    (number,) = shelve(house.around, new_game("annotated", record=RECORD))
    return f"/archive/{number}"


def lit(page: Page) -> Locator:
    """The order that is lit in the list."""
    return page.locator("[data-moves] [aria-current]")


def piece(page: Page, seat: int, label: str) -> Locator:
    """A warrior on the board."""
    return page.locator(f'[data-board] [data-seat="{seat}"][data-piece="{label}"]')


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_keys_lead_through_the_game_and_its_variations(door: Door, path: str) -> None:
    page = door.let_in().go(path)
    expect(page.locator("[data-label]")).to_have_text("The game begins")
    press(page, "ArrowRight")
    expect(lit(page)).to_have_text("W1:kite>H7")
    expect(piece(page, 0, "W1")).to_have_attribute("data-on", "H7")
    expect(page.locator("[data-said]")).to_contain_text("Gold's Wind 1 flew from H1 to H7.")
    press(page, "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
    expect(lit(page)).to_have_text("A1>H11? +=")
    expect(page.locator("[data-notes]")).to_have_text("Near.")
    press(page, "ArrowDown")
    expect(lit(page)).to_have_text("E3>F10")
    assert lit(page).evaluate("link => link.closest('.line') !== null")
    expect(piece(page, 1, "A1")).to_have_attribute("data-on", "H15")
    press(page, "ArrowUp")
    expect(lit(page)).to_have_text("A1>H11? +=")
    press(page, "End")
    expect(lit(page)).to_have_text("W2 rng H7=+")
    expect(page).to_have_url(re.compile("#2b.1$"))
    press(page, "Home")
    expect(lit(page)).to_have_count(0)
    expect(piece(page, 0, "W1")).to_have_attribute("data-on", "H1")


def test_every_moment_looks_as_the_server_draws_it(door: Door, path: str) -> None:
    """The film and the picture show the same things in the same places."""
    things = """() => [...document.querySelectorAll("[data-board] svg g[transform]")]
        .filter((each) => each.dataset.piece || each.dataset.token)
        .map((each) => [each.dataset.piece || each.dataset.token, each.dataset.seat,
          each.dataset.on, each.getAttribute("transform"), each.innerHTML].join(" ")).sort()"""
    with_script = door.let_in().go(path)
    without = door.let_in(java_script_enabled=False).go(path)
    places = with_script.locator("[data-moves] a[data-n]").evaluate_all(
        "links => links.map((link) => new URL(link.href).searchParams.get('at'))"
    )
    assert len(places) == 26
    for place in places[::3]:
        with_script.evaluate("place => { location.hash = place; }", place)
        expect(lit(with_script)).to_have_attribute("href", re.compile(re.escape(place)))
        without.goto(f"{with_script.url.partition('#')[0]}?at={place}")
        assert with_script.evaluate(things) == without.evaluate(things)


def test_the_board_can_be_turned(door: Door, path: str) -> None:
    page = door.let_in().go(path)

    def height(hex_: str) -> float:
        box = page.locator(f'[data-board] [data-hex="{hex_}"]').bounding_box()
        assert box is not None
        return box["y"]

    def piece_height() -> float:
        box = piece(page, 0, "W1").bounding_box()
        assert box is not None
        return box["y"]

    assert height("H1") > height("H15")
    assert piece_height() > height("H8")
    press(page, "f")
    assert height("H1") < height("H15")
    assert piece_height() < height("H8")
    press(page, "ArrowRight", "f")
    expect(piece(page, 0, "W1")).to_have_attribute("data-on", "H7")
    assert height("H1") > height("H15")


def test_slider_list_buttons_and_chart(door: Door, path: str) -> None:
    page = door.let_in().go(path)
    page.locator("[data-slide] input").fill("6")
    expect(lit(page)).to_have_text("E3>F10")
    page.get_by_role("button", name="Turn the board").click()
    page.get_by_role("link", name="Step on").click()
    expect(lit(page)).to_have_text("F4>E11")
    page.locator("[data-moves] .line a", has_text="F3>J7").click()
    expect(lit(page)).to_have_text("F3>J7")
    expect(page.locator("[data-others]")).to_contain_text("F3>I6")
    page.locator("[data-others] a").click()
    expect(lit(page)).to_have_text("F3>I6")
    page.get_by_role("link", name="To the end").click()
    assert lit(page).evaluate("link => link.closest('.line') !== null")
    page.get_by_role("link", name="To the beginning").click()
    expect(lit(page)).to_have_count(0)
    chart = page.locator("[data-chart] svg")
    box = chart.bounding_box()
    assert box is not None
    chart.click(position={"x": box["width"] * 0.92, "y": box["height"] / 2})
    expect(lit(page)).to_have_text("W2 rng H7=+")


def test_a_link_leads_to_a_moment(door: Door, path: str) -> None:
    page = door.let_in().go(f"{path}#2g.1")
    expect(lit(page)).to_have_text("W1 rng H11=-")
    page = door.let_in().go(f"{path}?at=1b.3")
    expect(lit(page)).to_have_text("F4>E11")
    page.get_by_text("The board in words").click()
    expect(page.locator(".spoken")).to_contain_text("F4 on E11")
    press(page, "ArrowLeft")
    expect(page.locator(".spoken")).to_contain_text("F4 on E15")


def test_who_writes_is_left_alone(door: Door, path: str) -> None:
    page = door.let_in().go(path)
    page.locator("#cite").focus()
    press(page, "ArrowRight", "f", "End")
    expect(lit(page)).to_have_count(0)


def test_others_are_told_of_each_moment(door: Door, path: str) -> None:
    page = door.let_in().go(path)
    page.evaluate(
        """() => { window.told = []; document.querySelector("[data-replay]")
        .addEventListener("moment", (event) => window.told.push(event.detail)); }"""
    )
    press(page, "ArrowRight")
    page.evaluate(
        """() => document.querySelector("[data-replay]")
        .dispatchEvent(new CustomEvent("go", {detail: "2g.1"}))"""
    )
    expect(lit(page)).to_have_text("W1 rng H11=-")
    assert [each["place"] for each in page.evaluate("window.told")] == ["1g.1", "2g.1"]


def test_on_a_telephone(door: Door, path: str) -> None:
    visitor = door.let_in(size=PHONE, has_touch=True)
    page = visitor.go(path)
    button = page.get_by_role("link", name="Step on")
    box = button.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    assert box["y"] + box["height"] < PHONE[1]
    for _ in range(5):
        button.tap()
    expect(lit(page)).to_have_text("A1>H11? +=")
    assert page.evaluate("window.scrollY") == 0
    assert visitor.is_narrow()


def test_without_a_script(door: Door, path: str) -> None:
    page = door.let_in(java_script_enabled=False).go(path)
    page.get_by_role("link", name="Step on").click()
    expect(lit(page)).to_have_text("W1:kite>H7")
    page.get_by_role("link", name="Step on").click()
    expect(lit(page)).to_have_text("F3>J6!")
    page.get_by_role("link", name="To the end").click()
    expect(lit(page)).to_have_text("W2 rng H7=+")
    expect(page.locator("[data-slide]")).to_be_hidden()


@contextmanager
def other_site(body: str) -> Iterator[str]:
    """The address of a site with one page. Browsers keep sites they do not know off this machine,
    so it has to be served."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()


def test_in_a_frame_of_another_site(browser: Browser, house: House, path: str) -> None:
    body = "".join(
        f'<iframe name="{name}" src="{house.url}{path}{ending}" height="900"></iframe>'
        for name, ending in (("allowed", "/embed"), ("refused", ""))
    )
    with other_site(body) as address:
        page = browser.new_page()
        page.set_default_timeout(WAIT)
        page.goto(address)
        frame = page.frame_locator("[name=allowed]")
        frame.get_by_role("link", name="Step on").click()
        expect(frame.locator("[data-moves] [aria-current]")).to_have_text("W1:kite>H7")
        expect(page.frame_locator("[name=refused]").locator("[data-replay]")).to_have_count(0)
        page.close()


# -- from disk ----------------------------------------------------------------------------------


@pytest.fixture
def disk(browser: Browser) -> Iterator[Page]:
    """A page for files; nothing may go wrong on it."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(WAIT)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    assert faults == []


def test_the_static_site_works_from_disk(house: House, disk: Page, tmp_path: Path) -> None:
    shelve(
        house.around,
        new_game("one", record=RECORD, gold="Zoë Ångström", event="Winter Cup"),
        new_game("two", record=RECORD, gold="Yves"),
    )
    folder = tmp_path / "a site"
    write_site(house.around, folder, title="Club", tongue=get_tongue("en"))
    disk.goto((folder / "index.html").as_uri())
    expect(disk.locator(".shelf li")).to_have_count(2)
    disk.get_by_label("Find a player or an event").fill("zoe an")
    disk.locator("[data-found] a", has_text="Zoë Ångström").click()
    expect(disk.get_by_role("heading", level=1)).to_contain_text("Zoë Ångström")
    disk.locator(".shelf a").click()
    expect(disk.locator("[data-slide]")).to_be_visible()
    press(disk, "ArrowRight", "ArrowRight")
    expect(lit(disk)).to_have_text("F3>J6!")
    expect(disk).to_have_url(re.compile("#1g.2$"))
    disk.locator("[data-moves] a", has_text="W1 rng H11=-").first.click()
    expect(lit(disk)).to_have_text("W1 rng H11=-")
    disk.reload()
    expect(lit(disk)).to_have_text("W1 rng H11=-")
    record = disk.get_by_role("link", name="Record (.ogn)").get_attribute("href")
    assert (folder / "games" / str(record)).read_text(encoding="utf-8") == RECORD
