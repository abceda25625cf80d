"""Pictures of every page, to be looked at: ``python -m tests.browser.show_pages FOLDER [NAME …]``.

Each at the width of a telephone and of a desktop, bright and dark.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import FloatRect, Page, sync_playwright

from pbem.store.database import make_engine
from pbem.store.schema import upgrade
from tests.browser.finding import find_chromium, launch
from tests.browser.house import open_house
from tests.browser.pages import PLACES, build_ground, people
from tests.browser.visitors import DESKTOP, PHONE, Door, Scheme

TALLEST: Final = 5000
"""Pixels of the longest page that are shown."""

PATIENCE: Final = 120_000
_SIZES: Final = (("phone", PHONE), ("desktop", DESKTOP))
_SCHEMES: Final[tuple[Scheme, ...]] = ("light", "dark")


def show_pages(folder: Path, names: list[str]) -> None:
    """Save a picture of each page, or of those named."""
    folder.mkdir(parents=True, exist_ok=True)
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit("there is no Chromium on this machine")
    with tempfile.TemporaryDirectory() as work, sync_playwright() as driver:
        database = Path(work) / "house.sqlite3"
        engine = make_engine(f"sqlite:///{database}")
        upgrade(engine)
        engine.dispose()
        with open_house(database) as house, launch(driver, chromium) as browser:
            ground = build_ground(house.around, house.now)
            places = [each for each in PLACES if not names or each.name in names]
            for width, size in _SIZES:
                for scheme in _SCHEMES:
                    door = Door(house, browser)
                    visitors = {
                        who: door.let_in(player, size=size, scheme=scheme)
                        for who, player in people(ground).items()
                    }
                    for place in places:
                        page = visitors[place.who].go(place.path_in(ground))
                        _picture(page, folder / f"{place.name}-{width}-{scheme}.png")
                    print("\n".join(door.close()))


def _picture(page: Page, file: Path) -> None:
    wide, tall = page.evaluate(
        "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    clip: FloatRect = {"x": 0, "y": 0, "width": wide, "height": min(tall, TALLEST)}
    page.screenshot(path=file, full_page=True, clip=clip, timeout=PATIENCE)


if __name__ == "__main__":
    show_pages(Path(sys.argv[1]), sys.argv[2:])
