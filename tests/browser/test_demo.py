"""``pbem demo``: a newcomer reads Ann's mail, answers it, and defends as Ben, all by mail."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.finding import need_playwright

need_playwright()

from playwright.sync_api import Browser, Page, expect

from tests.browser.visitors import WAIT
from workers.demo import PLAYERS, run_demo

PATIENCE = 60
ORDERS = "A4 six L8@K8; end"
(_, ANN), (_, BEN) = PLAYERS


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with run_demo(port=None, environ={"PBEM_DATA_DIR": str(tmp_path)}) as server:
        yield f"http://{server.endpoints['http']}"


@pytest.fixture
def page(browser: Browser, url: str) -> Iterator[Page]:
    """A page that is closed before the demo ends: pages ask again and again for what is new."""
    context = browser.new_context()
    opened = context.new_page()
    opened.set_default_timeout(WAIT)
    faults: list[str] = []
    opened.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    opened.on("pageerror", lambda error: faults.append(str(error)))
    yield opened
    context.close()
    assert faults == []


def open_mail(page: Page, url: str, box: str, is_it: Callable[[str], bool]) -> None:
    """Open the newest mail of a box whose subject is the one; mail takes its time."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        page.goto(f"{url}/post?box={box}")
        subjects = page.locator("main li strong")
        for subject in filter(is_it, subjects.all_inner_texts()):
            subjects.get_by_text(subject, exact=True).first.click()
            expect(page.locator("iframe.mail")).to_be_visible()
            return
        page.wait_for_timeout(200)
    raise AssertionError(f"no such mail came to {box}")


def reply(page: Page, text: str) -> None:
    page.get_by_label("Your reply").fill(text)
    send(page)


def send(page: Page) -> None:
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Sent. The answer is here in a moment.")).to_be_visible()


def test_a_turn_and_its_defence_by_mail(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("link", name="Post office").first.click()
    page.wait_for_url("**/post*")
    open_mail(page, url, ANN, lambda subject: "your turn" in subject.lower())
    picture = page.frame_locator("iframe.mail").locator("img").first
    expect(picture).to_be_visible()
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth > 300")
    reply(page, ORDERS)

    open_mail(page, url, BEN, lambda subject: "L8" in subject)
    page.frame_locator("iframe.mail").get_by_role("link").filter(has_text="Save").first.click()
    page.wait_for_url("**body=**")
    expect(page.get_by_label("Your reply")).not_to_be_empty()
    send(page)

    open_mail(page, url, BEN, lambda subject: "your turn" in subject.lower())
    page.goto(f"{url}/post?box={BEN}")
    with page.expect_navigation():
        page.get_by_role("button", name="See the web pages as").click()
    page.get_by_role("main").get_by_role("link", name="Ann").first.click()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
