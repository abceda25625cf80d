"""The system's Chromium: where it is, and how it is started."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


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
