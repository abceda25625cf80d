"""A browser for the tests: the system's Chromium, driven by playwright.

Without either these tests are skipped; ``PBEM_REQUIRE_CHROMIUM=1`` makes that a failure.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from tests.browser.finding import find_chromium, launch

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.house import House
    from tests.browser.visitors import Door


def _do_without(reason: str) -> NoReturn:
    if os.environ.get("PBEM_REQUIRE_CHROMIUM"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this folder; each visitor has a profile of one's own."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _do_without("no browser to test with: playwright is not installed")
    chromium = find_chromium()
    if chromium is None:
        _do_without("no browser to test with: there is no Chromium on this machine")
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
