"""The story of a game up to an entry: what it was then, however far it has come."""

from __future__ import annotations

from contextlib import suppress

import pytest

from pbem.play import chapters, games, story
from pbem.play.errors import NoSuchGameError
from pbem.play.story import Story, load_story
from pbem.shelf import Shelf
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import RULES, Club, Match, at

SHOT = "W1 rng I4"


def load(match: Match, upto: int | None = None, since: int = -1) -> Story:
    with match.club.store.read() as unit:
        return load_story(unit, match.id, upto=upto, since=since)


@pytest.fixture
def match(club: Club) -> Match:
    match = club.study(TWO_ARCHERS)
    match.send("gold", SHOT, 1)
    match.send("black", "I4-", 2)
    match.send("gold", "end", 3)
    return match


@pytest.fixture(params=["fresh", "known"])
def told(match: Match, request: pytest.FixtureRequest) -> Match:
    """With nothing known of the game, or with its end."""
    chapters._kept.clear()
    if request.param == "known":
        load(match)
    return match


def test_it_is_as_it_was(told: Match) -> None:
    asked = [
        {(each.seat, each.kind) for each in load(told, number).course.requests}
        for number in range(4)
    ]
    assert asked == [{(0, "turn")}, {(1, "defence")}, {(0, "turn")}, {(1, "turn")}]
    assert RULES.dump(load(told).state) == told.stored.state
    assert load(told, 99).entry.number == 3


def test_what_is_new(told: Match) -> None:
    assert [event.name for event in load(told, 1, since=0).events] == ["acted", "defence_asked"]
    assert [event.name for event in load(told, 2, since=1).events] == ["defended"]
    everything = [event for number in (1, 2, 3) for event in load(told, number, number - 1).events]
    assert list(load(told).events) == everything
    assert load(told, 2, since=2).events == ()
    assert load(told, 2, since=7).events == ()
    assert load(told, 2, since=1).before == load(told, 1).state
    assert load(told, 2, since=-1).before == load(told, 0).state
    assert load(told).since(2).events == load(told, since=2).events


def test_what_was_asked_has_the_name_of_its_row(told: Match) -> None:
    rows = {row.id for row in told.requests(only_open=False)}
    for number in range(4):
        story = load(told, number)
        names = {story.request_id(seat) for seat in (0, 1)} - {None}
        assert len(names) == 1
        assert names <= rows
    assert load(told).request_id(1) == told.request().id
    assert load(told).request_id(0) is None


def test_a_request_that_stays_open_keeps_its_name(club: Club) -> None:
    match = club.start()
    match.send("gold", "setup WFEAAEFW", 1)
    for number in (0, 1):
        assert load(match, number).request_id(1) == f"{match.id}.0.1"


def test_the_story_goes_on(match: Match) -> None:
    assert load(match).entry.number == 3
    match.send("black", "end", 4)
    assert load(match).entry.number == 4
    assert RULES.dump(load(match).state) == match.stored.state


def test_what_was_played_is_not_followed_again(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    chapters._kept.clear()
    before = load(match)
    match.send("black", "end", 4)
    match.send("gold", "F2>I6", 5)
    monkeypatch.setattr(story, "follow", None)
    known = load(match)
    assert [each.entry.number for each in known.chapters] == [0, 1, 2, 3, 4, 5]
    assert known.chapters[:4] == before.chapters
    monkeypatch.undo()
    chapters._kept.clear()
    assert load(match) == known


def test_what_was_undone_is_not_told(match: Match) -> None:
    chapters._kept.clear()
    before = load(match)
    with suppress(ZeroDivisionError), match.club.store.begin() as unit:
        inner = match.club.around.within(unit)
        done = games.submit(inner, match.id, 1, "end", arrived=at(4))
        assert isinstance(done, games.Taken)
        raise ZeroDivisionError
    assert len(chapters.kept_chapters(match.id)) == 5
    assert load(match) == before
    match.send("black", "end", 6)
    told = load(match)
    chapters._kept.clear()
    assert load(match) == told


def test_what_is_held_is_in_no_story(club: Club) -> None:
    """It stops a clock that runs on in the log: nobody else is to know of it (L6)."""
    match = club.start(clock="4h", correction="1d")
    chapters._kept.clear()
    load(match)
    match.hold("gold", "setup WFEAAEFW", 1)
    match.hold("black", "setup WFEAAEFW", 2)
    games.sweep(club.around, at(25.5))
    known = load(match)
    assert known.entry.seat == 0
    chapters._kept.clear()
    assert load(match) == known


def test_another_game_of_the_same_name_is_not_mixed_up(club: Club) -> None:
    """What is known is believed only where the log vouches for it."""
    match = club.study(TWO_ARCHERS)
    match.send("gold", SHOT, 1)
    shot = load(match).chapters
    other = club.study(TWO_ARCHERS)
    other.send("gold", "end", 1)
    for known in (shot, shot[:1]):
        chapters._kept.keep(other.id, known)
        assert load(other, 1).entry.text == "end"
        assert load(other, 0).entry.hash != shot[0].entry.hash
    chapters._kept.clear()


def test_a_game_that_is_known_to_its_end_is_not_read_again(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(match)
    with match.club.store.read() as unit:
        monkeypatch.setattr(unit, "entries", None)
        assert load_story(unit, match.id).entry.number == 3
        assert load_story(unit, match.id, upto=1).entry.number == 1


def test_only_so_many_chapters_are_kept(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chapters, "_kept", Shelf(2, len))
    matches = [club.start() for _ in range(4)]
    for match in matches:
        load(match)
    kept = [match.id for match in matches if chapters._kept.find(match.id)]
    assert kept == [match.id for match in matches[-2:]]


def test_there_is_no_such_game(club: Club) -> None:
    with club.store.read() as unit, pytest.raises(NoSuchGameError):
        load_story(unit, "aaaaaaaa")
