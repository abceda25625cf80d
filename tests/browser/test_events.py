"""Events in a browser: a player's path from entering to the table, and a director's from making an
event to correcting a result. Once with a mouse, once on a telephone without scripts, in Dutch."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.finding import need_playwright

need_playwright()

from playwright.sync_api import expect

from pbem.catalogues import get_tongue
from pbem.play import games
from pbem.play.events import advancing, entering, making, running
from pbem.play.events.open_event import get_event
from pbem.play.model import Player
from pbem.tongue import ENGLISH, Tongue
from pbem.tournaments.event import Event
from tests.browser.house import House
from tests.browser.visitors import PHONE, Door, Visitor

WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "a desktop": ("en", {}),
    "a telephone without scripts, in Dutch": (
        "nl",
        {"size": PHONE, "java_script_enabled": False},
    ),
}
CHARTER = {
    "title": "Autumn cup",
    "format": "swiss",
    "meeting": "single",
    "rounds": 2,
    "agreement": {"clock": "14d+12h cap 30d defence 2d fall"},
}


class Guest:
    """Somebody who reads a page in their language."""

    def __init__(self, visitor: Visitor, url: str, tongue: Tongue) -> None:
        self.visitor, self.url, self.tongue = visitor, url, tongue
        self.page = visitor.page

    def open(self, path: str) -> None:
        self.page.goto(self.url + path)

    def press(self, words: str, **facts: object) -> None:
        """Use a link or a button, and wait for the page it leads to."""
        name = re.compile(f"^{re.escape(self.tongue.say(words, **facts))}$")
        found = self.page.get_by_role("button", name=name)
        with self.page.expect_navigation():
            found.or_(self.page.get_by_role("link", name=name)).first.click()

    def unfold(self, words: str, **facts: object) -> None:
        said = self.tongue.say(words, **facts)
        self.page.locator("summary", has_text=said).first.click()

    def fill(self, label: str, text: str) -> None:
        said = re.compile(f"^{re.escape(self.tongue.say(label))}$")
        self.page.get_by_label(said).filter(visible=True).first.fill(text)

    def sees(self, words: str, **facts: object) -> None:
        said = self.tongue.say(words, **facts)
        expect(self.page.locator("main")).to_contain_text(said)


def get_guest(house: House, door: Door, player: Player, way: tuple[str, dict[str, Any]]) -> Guest:
    language, chosen = way
    visitor = door.let_in(player, **chosen)
    tongue = ENGLISH if language == "en" else get_tongue(language)
    return Guest(visitor, house.url, tongue)


def find_event(house: House, event_id: str) -> Event:
    with house.around.store.read() as unit:
        return get_event(unit, event_id)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_a_player_enters_is_paired_asks_why_and_reads_the_table(
    house: House, door: Door, way: tuple[str, dict[str, Any]]
) -> None:
    language = way[0]
    dora, ann, *others = (
        house.join(name, language=language) for name in ("Dora", "Ann", "Ben", "Cleo", "Emil")
    )
    event_id = making.make(house.around, dora.id, CHARTER, now=house.now).id
    making.open_entries(house.around, event_id, dora.id, now=house.now)
    for player in others:
        entering.enter(house.around, event_id, player.id, now=house.now)
    guest = get_guest(house, door, ann, way)

    guest.open("/challenges")
    guest.press("Events")
    guest.page.get_by_role("link", name=re.compile("^Autumn cup")).click()
    guest.sees("Would you like to take part?")
    guest.press("Enter")
    guest.sees("You are in. We write to you when it begins.")
    assert [each.player_id for each in find_event(house, event_id).entrants][-1] == ann.id

    running.start(house.around, event_id, dora.id, now=house.now)
    advancing.advance(house.around, event_id, house.now)
    guest.open(f"/events/{event_id}")
    guest.sees("Your games")
    event = find_event(house, event_id)
    (mine,) = event.of_entrant(4)
    opponent = {1: "Ben", 2: "Cleo", 3: "Emil"}[mine.opponent_of(4) or 0]
    guest.unfold("Why do I play {name}?", name=opponent)
    guest.press("And why not somebody else?")
    guest.press("Why not?")
    expect(guest.page.locator("#instead li").first).to_be_visible()
    assert guest.visitor.is_narrow()

    with house.around.store.read() as unit:
        rows = list(unit.games_of_event(event_id))
    for row in rows:
        assert row.game_id is not None
        games.submit(house.around, row.game_id, row.encounter % 2, "resign", arrived=house.now)
    advancing.advance(house.around, event_id, house.now)
    guest.press("Table")
    expect(guest.page.locator("tr.between")).to_have_count(3)
    if "size" in way[1]:
        guest.unfold("Why?")
    expect(guest.page.locator("tr.is-mine")).to_contain_text("Ann")
    expect(guest.page.locator(".cross table")).to_be_visible()
    assert guest.visitor.is_narrow()
    guest.press("Log")
    guest.sees("{player} entered.", player="Ann")


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_a_director_makes_opens_starts_rules_and_corrects(
    house: House, door: Door, way: tuple[str, dict[str, Any]]
) -> None:
    language = way[0]
    dora, ann, ben = (house.join(name, language=language) for name in ("Dora", "Ann", "Ben"))
    guest = get_guest(house, door, dora, way)

    guest.open("/events")
    guest.press("New event")
    guest.page.get_by_role("link", name=re.compile(f"^{guest.tongue.say('Swiss')}")).click()
    guest.fill("Title", "Spring cup")
    guest.page.locator("#min_rating").fill("2000")
    guest.page.locator("#max_rating").fill("1000")
    guest.press("Make the event")
    expect(guest.page.locator("#max_rating-error")).to_be_visible()
    guest.page.locator("#min_rating").fill("")
    guest.page.locator("#max_rating").fill("")
    guest.press("Make the event")
    guest.sees("Only you see it yet. Open it when all is as you like it.")
    event_id = guest.page.url.rpartition("/")[2]
    guest.press("Open for entries")
    guest.sees("The event is open for entries.")
    for player in (ann, ben):
        entering.enter(house.around, event_id, player.id, now=house.now)

    guest.press("Director's desk")
    guest.press("Start now")
    guest.sees("The event begins. Pairings and games follow within a minute.")
    advancing.advance(house.around, event_id, house.now)
    guest.open(f"/events/{event_id}/desk")
    with guest.page.expect_navigation():
        guest.page.get_by_role("link", name=guest.tongue.say("Dossier")).first.click()
    guest.fill("Reason, read by all", "Nobody came")
    assert guest.visitor.is_narrow()
    guest.press("Gold wins")
    guest.sees("Ruled. Both players are told.")
    result = find_event(house, event_id).encounter(1).games[0].result
    assert result is not None
    assert (result.gold, result.ending) == (2, "adjudicated")

    guest.unfold("Correct a result")
    guest.press("Correct")
    guest.fill("Reason, read by all", "It was the other way round")
    guest.press("Black wins")
    guest.sees("Ruled. Both players are told.")
    result = find_event(house, event_id).encounter(1).games[0].result
    assert result is not None
    assert (result.black, result.ending) == (2, "corrected")
    guest.press("Log")
    expect(guest.page.locator(".acts")).to_contain_text("It was the other way round")
    assert guest.visitor.is_narrow()
