"""A browser for the tests: the system's Chromium, driven by playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.finding import do_without, find_chromium, launch

if TYPE_CHECKING:  # playwright may be missing: then the tests are skipped
    from playwright.sync_api import Browser

    from tests.browser.house import House
    from tests.browser.visitors import Door


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this folder; each visitor has a profile of one's own."""
    from playwright.sync_api import expect, sync_playwright

    from tests.browser.visitors import WAIT

    chromium = find_chromium()
    if chromium is None:
        do_without("no browser to test with: there is no Chromium on this machine")
    expect.set_options(timeout=WAIT)
    with sync_playwright() as driver, launch(driver, chromium) as launched:
        yield launched


@pytest.fixture
def house(browser: Browser, migrated_sqlite: Path, tmp_path: Path) -> Iterator[House]:
    """A house with nobody in it."""
    from tests.browser.house import open_house

    database = tmp_path / "house.sqlite3"
    shutil.copy(migrated_sqlite, database)
    with open_house(database) as opened:
        yield opened


@pytest.fixture
def door(house: House, browser: Browser) -> Iterator[Door]:
    """The door of the house."""
    from tests.browser.visitors import open_door

    with open_door(house, browser) as opened:
        yield opened
