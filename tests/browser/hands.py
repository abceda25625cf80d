"""Ways to play: with the mouse, a finger, the keyboard alone, or by writing.

All do the same things on the same pages; a test plays one game with any of them.
"""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Locator, Page, expect

from pbem.catalogues import get_tongue
from tests.browser.scripts import Branch, Order, notation
from tests.browser.visitors import Visitor

MOST_TABS: Final = 250
"""Nothing on a page is farther away than this."""

DUTCH: Final = {
    "setup": "opstelling",
    "kite": "vlieger",
    "rng": "afstand",
    "guide": "gids",
    "end": "einde",
}
_IS_FOCUSED: Final = "element => element === document.activeElement"


class Hand:
    """Writes the notation; everything else is pressed. Works without scripts."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.page: Page = visitor.page
        language = visitor.player.preferences.language if visitor.player else "en"
        self._tongue = get_tongue(language)

    def say(self, text: str, /, **facts: object) -> str:
        """A text as the pages of this player have it."""
        return self._tongue.say(text, **facts)

    # -- what differs between hands -------------------------------------------------------------

    def press(self, thing: Locator) -> None:
        """Use a link or a button."""
        thing.click()

    def choose(self, label: str, option: str) -> None:
        """Choose from a list."""
        self.field(label).select_option(label=self.say(option))

    def set_up(self, letters: str, swap: tuple[int, int] | None = None) -> None:
        """Place the warriors; ``swap`` is how, seen from the usual set-up."""
        self.write(f"setup {letters}")

    def play(self, orders: tuple[Order, ...]) -> None:
        """Give orders and send them."""
        self.write(notation(orders))

    # -- what is the same -----------------------------------------------------------------------

    def write(self, text: str) -> None:
        """Write into the box and send it."""
        self.box.fill(text)
        self.send()

    def send(self) -> None:
        """Send what is in the box."""
        self.press(self.button("Send"))

    @property
    def box(self) -> Locator:
        """Where orders are written."""
        return self.field("Orders")

    def field(self, label: str) -> Locator:
        """A field of a form."""
        return self.page.get_by_label(self.say(label))

    def link(self, name: str) -> Locator:
        """A link of the page."""
        return self.page.get_by_role("main").get_by_role("link", name=self.say(name))

    def button(self, name: str, /, **facts: object) -> Locator:
        """A button of the page."""
        main = self.page.get_by_role("main")
        return main.get_by_role("button", name=self.say(name, **facts), exact=True)

    def open(self, path: str) -> None:
        """Go somewhere."""
        self.visitor.go(path)

    def sees(self, text: str, /, **facts: object) -> None:
        """Wait until something can be read."""
        expect(self.page.get_by_text(self.say(text, **facts)).first).to_be_visible()


class DutchHand(Hand):
    """Writes Dutch words (N1.3)."""

    def write(self, text: str) -> None:
        for english, dutch in DUTCH.items():
            text = text.replace(english, dutch)
        super().write(text)


class Mouse(Hand):
    """Writes nothing at all: touches warriors and hexes, and presses buttons."""

    def set_up(self, letters: str, swap: tuple[int, int] | None = None) -> None:
        slots = self.page.locator("[data-setup] button")
        for number in swap or ():
            self.press(slots.nth(number - 1))
        expect(self.box).to_have_value(f"setup {letters}")
        self.send()

    def play(self, orders: tuple[Order, ...]) -> None:
        expect(self.page.locator("[data-tools]")).not_to_be_empty()
        self._order(orders)
        expect(self.box).to_have_value(notation(orders))
        self.send()

    def _order(self, orders: tuple[Order, ...]) -> None:
        for order in orders:
            self._touch(order)
            for number, branch in enumerate(order.branches):
                self._plan(branch, is_last=number + 1 == len(order.branches))

    def _touch(self, order: Order) -> None:
        """Make one order, and wait until the board is ready for the next."""
        before = self.box.input_value()
        if order.touched:
            for cell in order.touched:
                self.press(self.cell(cell))
        else:
            self.press(self.button("End the turn"))
        expect(self.box).not_to_have_value(before)
        self._settle()

    def _plan(self, branch: Branch, *, is_last: bool) -> None:
        self.press(self.button(branch.label))
        self._settle()
        self._order(branch.orders)
        if not is_last:
            self.press(self.button("Back"))
            self._settle()

    def _settle(self) -> None:
        expect(self.page.locator("[data-builder]")).not_to_have_attribute("aria-busy", "true")

    def cell(self, name: str) -> Locator:
        """What can be touched: the piece on a hex, else the hex; or what is not on the board."""
        if name == "guide":
            return self.button("Put the Guide on the board")
        board = self.page.locator("[data-board]")
        return board.locator(f'[data-on="{name}"], [data-piece="{name}"], [data-hex="{name}"]').last


class Finger(Mouse):
    """The same on a telephone; no page may be wider than it."""

    def press(self, thing: Locator) -> None:
        thing.tap()

    def sees(self, text: str, /, **facts: object) -> None:
        super().sees(text, **facts)
        assert self.visitor.is_narrow(), f"{self.page.url} is too wide"


class Keyboard(Mouse):
    """Only keys: Tab until it is there, then Enter or the space bar."""

    def press(self, thing: Locator) -> None:
        self._reach(thing)
        self.page.keyboard.press("Enter" if thing.evaluate("e => e.tagName") == "A" else "Space")

    def choose(self, label: str, option: str) -> None:
        field = self.field(label)
        self._reach(field)
        self.page.keyboard.type(option[:4])
        expect(field.locator("option:checked")).to_have_text(option)

    def _reach(self, thing: Locator) -> None:
        expect(thing).to_be_visible()
        for _ in range(MOST_TABS):
            if thing.evaluate(_IS_FOCUSED):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{thing} cannot be reached with Tab")
