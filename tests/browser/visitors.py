"""Visitors with a browser: a page each, bounded waits, and no fault of the page goes unseen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response

from pbem.play.model import Player
from tests.browser.house import House

WAIT: Final = 60_000.0
"""Milliseconds that anything may take, on a machine that is busy."""

DESKTOP: Final = (1200, 900)
PHONE: Final = (375, 720)

Scheme = Literal["light", "dark"]


_IS_SETTLED: Final = """() => {
  const isFull = (name) => document.querySelector(name)?.childElementCount !== 0;
  const isSetUp = document.querySelector("[data-setup]") !== null;
  return isFull("[data-tools]") && (!isSetUp || isFull("[data-outcomes]"));
}"""


class Visitor:
    """Somebody at a page. What goes wrong there is gathered in ``faults``."""

    def __init__(
        self,
        house: House,
        context: BrowserContext,
        player: Player | None,
        *,
        has_scripts: bool = True,
    ) -> None:
        self.house = house
        self.player = player
        self.faults: list[str] = []
        self.page: Page = context.new_page()
        self.page.set_default_timeout(WAIT)
        self._has_scripts = has_scripts
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        self.page.on("response", self._answered)

    def _heard(self, message: ConsoleMessage) -> None:
        is_status = message.text.startswith("Failed to load resource: the server responded")
        if message.type in ("error", "warning") and not is_status:
            self.faults.append(f"console: {message.text}")

    def _answered(self, response: Response) -> None:
        # A page may answer that a form was not right; what a page loads must be there.
        is_page = response.request.is_navigation_request()
        if response.status >= 500 or (response.status >= 400 and not is_page):
            self.faults.append(f"{response.status}: {response.url}")

    def go(self, path: str) -> Page:
        """Open a page of the house, and wait until its scripts have done what they do at once."""
        self.page.goto(self.house.url + path)
        if self._has_scripts:
            self.page.wait_for_function(_IS_SETTLED)
        return self.page

    def is_narrow(self) -> bool:
        """Whether nothing on the page needs scrolling to the side, once it is all there."""
        self.page.wait_for_load_state()
        wide, room = self.page.evaluate(
            "() => [document.documentElement.scrollWidth, window.innerWidth]"
        )
        return bool(wide <= room)


class Door:
    """Lets visitors in. When it closes, nobody may have met a fault."""

    def __init__(self, house: House, browser: Browser) -> None:
        self._house = house
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._visitors: list[Visitor] = []

    def let_in(
        self,
        player: Player | None = None,
        *,
        size: tuple[int, int] = DESKTOP,
        scheme: Scheme = "light",
        **chosen: Any,
    ) -> Visitor:
        """A visitor with a browser of one's own; signed in if it is a player."""
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            reduced_motion="reduce",
            locale=chosen.pop("locale", "en-GB"),
            **chosen,
        )
        self._contexts.append(context)
        if player is not None:
            secret = self._house.begin_session(player)
            context.add_cookies([{"name": "pbem", "value": secret, "url": self._house.url}])
        has_scripts = chosen.get("java_script_enabled", True)
        visitor = Visitor(self._house, context, player, has_scripts=has_scripts)
        self._visitors.append(visitor)
        return visitor

    def close(self) -> list[str]:
        """Everybody leaves; what went wrong."""
        for context in self._contexts:
            context.close()
        return [fault for visitor in self._visitors for fault in visitor.faults]


@contextmanager
def open_door(house: House, browser: Browser) -> Iterator[Door]:
    """A door for one test."""
    door = Door(house, browser)
    try:
        yield door
    finally:
        faults = door.close()
    assert faults == []
