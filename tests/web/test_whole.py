"""Whole pages are kept: whatever happens, each is as if it had been made for this look."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any, Final

import pytest

from pbem.mail.dates import say_duration
from pbem.play import games as play
from pbem.play import players
from pbem.play.model import Player
from pbem.tongue import ENGLISH
from pbem.web import shown, whole
from pbem.web.templating import URGENT
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import Match, at
from tests.web.club_site import Browser, ClubSite

_TOKENS: Final = re.compile(r'((?:csrf_token|key)" value|data-token)="[^"]*"')


@pytest.fixture
def match(club_site: ClubSite) -> Match:
    forget()
    return club_site.club.study(TWO_ARCHERS, correction="1h", clock="2d+1d")


def forget() -> None:
    whole._kept.clear()
    shown._kept.clear()


def look(browser: Browser, match: Match, query: str = "") -> str:
    """A page without its tokens."""
    answer = browser.get(f"/games/{match.id}{query}")
    assert answer.status_code == 200
    return _TOKENS.sub(r"\1", answer.text)


def test_every_change_is_seen_by_whom_it_concerns(club_site: ClubSite, match: Match) -> None:
    around, game = match.around, match.id
    gold, black = match.players
    lookers = (club_site.browser(gold), club_site.browser(black), club_site.visitor())

    def write(seat: int) -> None:
        play.write_message(around, game, seat, f"from {seat}", now=club_site.now)

    def prefer(player: Player, **chosen: Any) -> None:
        preferences = replace(player.preferences, **chosen)
        players.set_preferences(around, player.id, preferences, now=club_site.now)

    def correct(text: str) -> None:
        match.undo("gold", 1)
        match.hold("gold", text, club_site.now)

    def give_away(seat: int) -> None:
        cleo = club_site.club.join("Cleo")
        with around.store.begin() as unit:
            unit.change_seat(game, seat, cleo.id)

    changes: list[tuple[str, Callable[[], object], str]] = [
        ("a message", lambda: write(0), "gb"),
        ("an answer", lambda: write(1), "gb"),
        ("a note", lambda: play.write_note(around, game, 0, "Mind!", now=club_site.now), "g"),
        ("another note", lambda: play.write_note(around, game, 1, "Oh!", now=club_site.now), "b"),
        ("an hour", lambda: club_site.later(hours=1), "gbv"),
        ("it is held", lambda: match.hold("gold", "W1 rng I4", club_site.now), "g"),
        ("another is held", lambda: correct("W1 rng I4; end"), "g"),
        ("undone", lambda: match.undo("gold", 1), "g"),
        ("held again", lambda: match.hold("gold", "end", club_site.now), "g"),
        ("played", lambda: match.sweep(club_site.later(hours=1)), "gbv"),
        ("Dutch", lambda: prefer(gold, language="nl"), "g"),
        ("a zone", lambda: prefer(black, time_zone="Asia/Tokyo"), "gbv"),
        ("another game", lambda: club_site.club.study(TWO_ARCHERS, gold=gold, black=black), "g"),
        ("a day left", lambda: club_site.later(hours=30), "gbv"),
        ("a minute", lambda: club_site.later(minutes=1), "gbv"),
        ("the deadline, not yet seen to", lambda: club_site.later(hours=40), "gbv"),
        ("a year", lambda: club_site.later(days=365), "gbv"),
        ("another on the seat", lambda: give_away(0), "gbv"),
        ("over", lambda: match.sweep(club_site.now), "gbv"),
    ]
    before = [look(looker, match) for looker in lookers]
    for name, change, seen in changes:
        change()
        for looker in lookers:
            looker.get(f"/games/{game}")
        kept = [look(looker, match) for looker in lookers]
        forget()
        assert kept == [look(looker, match) for looker in lookers], name
        changed = [is_in for is_in, new, old in zip("gbv", kept, before, strict=True) if new != old]
        assert "".join(changed) == seen, name
        before = kept


def test_it_is_made_once(
    club_site: ClubSite, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    keep = whole._kept.keep

    def noting(key: object, page: bytes) -> None:
        made.append(key)
        keep(key, page)

    monkeypatch.setattr(whole._kept, "keep", noting)
    lookers = (*map(club_site.browser, match.players), club_site.visitor(), club_site.visitor())
    club_site.later(seconds=1)
    for seconds in (10, 20, 10):
        for looker in lookers:
            look(looker, match)
        club_site.later(seconds=seconds)
    assert len(made) == 3, "one for each side"


def test_tokens_and_keys_are_of_this_look(club_site: ClubSite, match: Match) -> None:
    def found(browser: Browser) -> tuple[set[str], set[str]]:
        page = browser.get(f"/games/{match.id}").text
        for mark in (whole._TOKEN, whole._FORM_KEY):
            assert mark not in page
        tokens = re.findall(r'(?:csrf_token" value|data-token)="([^"]*)"', page)
        keys = re.findall(r'name="key" value="([^"]*)"', page)
        return set(tokens), set(keys)

    gold, other = club_site.browser(match.players[0]), club_site.browser(match.players[0])
    (mine, once), (again, twice), (theirs, _) = found(gold), found(gold), found(other)
    assert len(mine) == len(theirs) == len(once) == len(twice) == 1
    assert mine == again
    assert mine != theirs
    assert once != twice
    sent = {"csrf_token": theirs.pop(), "text": "Mine?"}
    path = f"/games/{match.id}/messages"
    assert gold.client.post(path, base_url="https://play.example.org", data=sent).status_code == 400
    sent["csrf_token"] = mine.pop()
    assert gold.client.post(path, base_url="https://play.example.org", data=sent).status_code == 303


def test_what_was_done_is_said_once(club_site: ClubSite, match: Match) -> None:
    gold, black = map(club_site.browser, match.players)
    before = look(gold, match)
    gold.post(f"/games/{match.id}/turn", {"text": "end"})
    assert "You can undo it." in look(gold, match)
    held = look(gold, match)
    assert "You can undo it." not in held
    assert held != before
    assert "You can undo it." not in look(black, match)


def test_looks_and_entries_have_pages_of_their_own(club_site: ClubSite, match: Match) -> None:
    match.hold("gold", "W1 rng I4", 0)
    match.sweep(at(2))
    gold = club_site.browser(match.players[0])
    now, then = look(gold, match), look(gold, match, "?at=0")
    assert "as it was then" in then
    assert "as it was then" not in now
    gold.post("/look", {"theme": "dark"})
    assert 'data-theme="dark"' in look(gold, match)
    gold.post("/look", {"theme": ""})
    assert look(gold, match) == now
    assert look(gold, match, "?at=0") == then


def test_lengths_that_count_as_one_are_said_alike() -> None:
    rng = Random(5)
    for most in (timedelta(minutes=3), timedelta(hours=2), timedelta(days=3)):
        said: dict[object, set[tuple[str, bool]]] = {}
        for _ in range(3000):
            length = timedelta(seconds=rng.uniform(-60, most.total_seconds()))
            text = say_duration(max(length, timedelta()), ENGLISH)
            said.setdefault(whole._said(length), set()).add((text, length < URGENT))
        assert all(len(texts) == 1 for texts in said.values())
