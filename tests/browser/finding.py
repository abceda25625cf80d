"""The system's Chromium: where it is, how it is started, and what happens without it.

Tests are skipped then; ``PBEM_REQUIRE_CHROMIUM=1`` makes that a failure.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NoReturn

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def do_without(reason: str, *, is_module: bool = False) -> NoReturn:
    """Skip a test or a module, or fail if a browser must be there."""
    if os.environ.get("PBEM_REQUIRE_CHROMIUM"):
        pytest.fail(reason)
    pytest.skip(reason, allow_module_level=is_module)


def need_playwright() -> None:
    """Go on only if a browser can be driven."""
    if find_spec("playwright") is None:
        do_without("no browser to test with: playwright is not installed", is_module=True)


def find_chromium() -> str | None:
    """The path of a Chromium; None if there is none."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


@contextmanager
def launch(driver: Playwright, chromium: str) -> Iterator[Browser]:
    """A browser without windows. Tests may run as root, where its sandbox cannot be had."""
    launched = driver.chromium.launch(
        executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
    )
    try:
        yield launched
    finally:
        launched.close()
