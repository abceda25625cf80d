"""Takes the pictures of web pages for the documentation: ``python -m docs.draw_web_pictures``.

They are of the demonstration, as a newcomer meets it; only those of the archive and of an event are
of what was made for them. Take them again when the pages look different: days and the names of
games in them are always new, so no test compares them.
"""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from docs.draw_pictures import PICTURES
from notation.record_reading import parse_record
from pbem.archive.facts import facts_of
from pbem.play.archived import NewGame
from pbem.store.database import make_engine
from pbem.store.schema import upgrade
from tests.archive.annotated import SOUND
from tests.browser.finding import find_chromium, launch
from tests.browser.house import open_house
from tests.web.fair import build_fair, fill_fair
from workers.demo import PLAYERS, run_demo

DESKTOP: Final = (1200, 1020)
PHONE: Final = (375, 1020)
MAX_BYTES: Final = 150_000
PATIENCE: Final = 30
ATTACK: Final = ("F6", "G11")
"""Who is touched, and then whom it attacks."""

(_, ANN), (_, BEN) = PLAYERS


def draw_web_pictures(url: str, browser: Browser) -> dict[str, bytes]:
    """Every file by its name. Ann looks, then attacks, and Ben is asked."""
    desk, phone = _visit(browser, DESKTOP), _visit(browser, PHONE)
    files = {}

    _open_mail(desk, url, ANN, "your turn")
    files["web-post-office"] = _picture(desk)

    _open_game(desk, url, ANN)
    for cell in ATTACK:
        desk.locator(f'[data-board] [data-on="{cell}"]').click()
    _settle(desk, lambda: desk.locator("[data-outcomes] details").count() > 1)
    files["web-game"] = _picture(desk)

    _open_game(phone, url, ANN)
    phone.locator(f'[data-board] [data-on="{ATTACK[0]}"]').click()
    phone.locator(".price").first.wait_for()
    files["web-phone"] = _picture(phone)

    desk.get_by_role("button", name="Send", exact=True).click()
    desk.get_by_text("Played:").wait_for()
    _open_game(phone, url, BEN)
    files["web-defence"] = _picture(phone)
    return files


def draw_archive_picture(browser: Browser, folder: Path) -> dict[str, bytes]:
    """A game in the archive, at an order with a comment."""
    database = folder / "archive.sqlite3"
    engine = make_engine(f"sqlite:///{database}")
    upgrade(engine)
    engine.dispose()
    with open_house(database) as house:
        facts = facts_of(parse_record(SOUND))
        with house.around.store.begin() as unit:
            (number,) = unit.add_archived([NewGame(facts, SOUND)], house.now)
        desk = _visit(browser, DESKTOP)
        desk.goto(f"{house.url}/archive/{number}#1b.1")
        desk.locator("[data-notes] .note").wait_for()
        return {"web-replay": _picture(desk)}


def draw_event_picture(browser: Browser, folder: Path) -> dict[str, bytes]:
    """The table of an event, as one of its players sees it."""
    database = folder / "events.sqlite3"
    engine = make_engine(f"sqlite:///{database}")
    upgrade(engine)
    engine.dispose()
    with open_house(database) as house:
        fair = build_fair(house.around, house.now)
        event_id = fill_fair(fair)["swiss"]
        desk = _visit(browser, DESKTOP)
        secret = house.begin_session(fair.ann)
        desk.context.add_cookies([{"name": "pbem", "value": secret, "url": house.url}])
        desk.goto(f"{house.url}/events/{event_id}/table")
        return {"web-event": _picture(desk)}


def _visit(browser: Browser, size: tuple[int, int]) -> Page:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        device_scale_factor=2 if size == PHONE else 1,
        color_scheme="light",
        reduced_motion="reduce",
        locale="en-GB",
    )
    return context.new_page()


def _open_mail(page: Page, url: str, box: str, subject: str) -> None:
    """A mail of a box, as soon as it is there, with its picture."""
    mail = page.locator("main li strong").filter(has_text=subject).first

    def has_come() -> bool:
        page.goto(f"{url}/post?box={box}")
        return mail.count() > 0

    _settle(page, has_come)
    mail.click()
    page.frame_locator("iframe.mail").locator("img").first.wait_for()


def _open_game(page: Page, url: str, box: str) -> None:
    """The game of a player who signs in at the post office."""
    page.goto(f"{url}/post?box={box}")
    page.get_by_role("button", name="See the web pages as").click()
    page.goto(f"{url}/games")
    page.locator("main li a.whole").first.click()
    _settle(page, lambda: page.locator("[data-tools]:empty, [aria-busy]").count() == 0)


def _settle(page: Page, is_settled: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_settled():
        if time.monotonic() > until:
            raise SystemExit(f"{page.url} is not as expected")
        page.wait_for_timeout(250)


def _picture(page: Page) -> bytes:
    """What is seen without scrolling, in few colours."""
    page.evaluate("document.activeElement?.blur()")
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    file = io.BytesIO()
    shot.quantize(256, kmeans=2, dither=Image.Dither.NONE).save(file, "png", optimize=True)
    return file.getvalue()


def main() -> None:
    """Take all pictures."""
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit("there is no Chromium on this machine")
    with (
        tempfile.TemporaryDirectory() as folder,
        run_demo(port=None, environ={"PBEM_DATA_DIR": folder}) as server,
        sync_playwright() as driver,
        launch(driver, chromium) as browser,
    ):
        files = draw_web_pictures(f"http://{server.endpoints['http']}", browser)
        files |= draw_archive_picture(browser, Path(folder))
        files |= draw_event_picture(browser, Path(folder))
    for name, png in files.items():
        print(f"{name}: {len(png)} bytes")
        if len(png) > MAX_BYTES:
            raise SystemExit(f"{name} has more than {MAX_BYTES} bytes")
        (PICTURES / f"{name}.png").write_bytes(png)


if __name__ == "__main__":
    main()
