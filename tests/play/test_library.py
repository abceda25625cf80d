"""Searching the archive: every field, newest first, page by page; private games are their
players'."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pbem.archive.indexing import GameIndex, IndexedPosition
from pbem.errors import StoreConflictError
from pbem.play import exporting
from pbem.play.archived import ArchivedGame, Cursor, Filter, find_cursor
from pbem.play.errors import NoSuchGameError
from pbem.play.library import get_written, search
from pbem.play.ports import Unit
from tests.play.club import NOON, Club
from tests.play.shelf import PLAIN, new_game, numbers_of, shelve


def found(club: Club, *, viewer: int | None = None, **wanted: Any) -> list[int]:
    return numbers_of(search(club.around, Filter(**wanted), viewer=viewer).games)


def test_newest_first_whatever_the_order_they_came_in(club: Club) -> None:
    dates = ["2026.11.16", "????.??.??", "2027.01.01", "2026.??.??", "2026.11.16"]
    numbers = shelve(club.around, *(new_game(str(n), date=date) for n, date in enumerate(dates)))
    wanted = [numbers[place] for place in (2, 4, 0, 3, 1)]
    assert found(club) == wanted


def test_a_game_comes_back_as_it_was(club: Club) -> None:
    [number] = shelve(club.around, new_game("one", gold_rating=1743, event="Coupe d’été"))
    [game] = search(club.around, viewer=None).games
    assert game.facts == new_game("one", gold_rating=1743, event="Coupe d’été").facts
    assert (game.number, game.source, game.visibility, game.added_at) == (
        number,
        "imported",
        "open",
        NOON,
    )
    assert get_written(club.around, number, viewer=None).record == "the record of one"


OTHER: dict[str, Any] = {
    "gold": "Zoë",
    "black": "Yann",
    "event": "Winter Cup",
    "date": "2026.12.24",
    "result": "1/2-1/2",
    "termination": "agreement",
    "turns": 80,
    "level": "novice",
    "arena": "delta",
    "dice": "dicey",
    "starter": "black",
    "gold_setup": "AAEEFFWW",
    "black_setup": "WWFFEEAA",
    "gold_rating": 1900,
    "black_rating": 1500,
    "source": "played",
    "index": GameIndex((IndexedPosition(1, -17, "end", 2),), (("gold three-wells", 7),)),
}


@pytest.mark.parametrize(
    "wanted",
    [
        {"player": "ZOË"},
        {"player": " zoe\u0308 "},
        {"player": "yann"},
        {"player": "zoë", "opponent": "YANN"},
        {"player": "yann", "house": "black"},
        {"opponent": "zoë"},
        {"event": "winter  CUP"},
        {"first_day": 20261201},
        {"first_day": 20261224, "last_day": 20261224},
        {"result": "1/2-1/2"},
        {"termination": "agreement"},
        {"min_turns": 21},
        {"min_turns": 80, "max_turns": 80},
        {"level": "novice"},
        {"arena": "delta"},
        {"dice": "dicey"},
        {"starter": "black"},
        {"setup": "WWFFEEAA"},
        {"player": "yann", "setup": "WWFFEEAA"},
        {"min_rating": 1400, "max_rating": 1600},
        {"min_rating": 1600},
        {"player": "zoë", "min_rating": 1800},
        {"source": "played"},
        {"pattern": "gold three-wells"},
        {"pattern": "gold three-wells", "player": "yann"},
        {"positions": (-17,)},
        {"positions": (3, -17)},
    ],
)
def test_each_field(club: Club, wanted: dict[str, Any]) -> None:
    usual, other = shelve(club.around, new_game("usual"), new_game("other", **OTHER))
    assert found(club, **wanted) == [other]
    with club.around.store.read() as unit:
        written = unit.written_games(Filter(**wanted), viewer=None, after=0, limit=9)
    assert [each.game.number for each in written] == [other]
    assert set(found(club)) == {usual, other}


@pytest.mark.parametrize(
    "wanted",
    [
        {"player": "zo"},
        {"player": "yann", "house": "gold"},
        {"player": "zoë", "opponent": "ann"},
        {"player": "zoë", "setup": "WWFFEEAA"},
        {"player": "yann", "min_rating": 1800},
        {"first_day": 20270101},
        {"max_turns": 19},
        {"arena": "nowhere"},
        {"arena": "\0"},
        {"player": "\ud800"},
        {"pattern": "black three-wells"},
        {"positions": (18, 19)},
        {"min_turns": 10**30},
    ],
)
def test_nothing_fits(club: Club, wanted: dict[str, Any]) -> None:
    shelve(club.around, new_game("usual"), new_game("other", **OTHER))
    assert found(club, **wanted) == []


def test_pages_join_without_a_gap(club: Club) -> None:
    rng = Random(7)
    games = [
        new_game(
            str(number),
            date=f"2026.11.{rng.randrange(1, 6):02}",
            gold=rng.choice(["Ann", "Ben", "Cas"]),
            black=rng.choice(["Ann", "Ben", "Cas"]),
            index=GameIndex((), (("gold phoenix", 1),) if rng.random() < 0.5 else ()),
        )
        for number in range(60)
    ]
    shelve(club.around, *games)
    for wanted in (Filter(), Filter(player="ann"), Filter(pattern="gold phoenix")):
        pages: list[ArchivedGame] = []
        after: Cursor | None = None
        while True:
            page = search(club.around, wanted, viewer=None, after=after, limit=7)
            pages += page.games
            if page.after is None:
                break
            assert len(page.games) == 7
            after = find_cursor(str(page.after))
        whole = search(club.around, wanted, viewer=None, limit=200).games
        assert tuple(pages) == whole
        assert whole == tuple(sorted(whole, key=lambda game: (-game.facts.day, -game.number)))
        assert len(whole) == sum(_fits(game, wanted) for game in games)


def _fits(game: Any, wanted: Filter) -> bool:
    is_there = wanted.player.capitalize() in (game.facts.gold, game.facts.black, "")
    return is_there and (not wanted.pattern or bool(game.index.patterns))


def test_few_games_with_remarks_are_in_memory_at_a_time(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them can be four million characters long."""
    numbers = shelve(club.around, *(new_game(f"{number}") for number in range(45)))
    joined: list[int] = []

    def join(unit: Unit, number: int, record: str) -> str:
        joined.append(number)
        return f"{record} with remarks"

    monkeypatch.setattr(exporting, "annotated_text", join)
    ahead = []
    games = exporting.exported(club.around, viewer=None, with_remarks=True)
    for at, written in enumerate(games):
        assert written.game.number == numbers[at]
        assert written.record.endswith("with remarks")
        ahead.append(len(joined) - at)
    assert (len(ahead), max(ahead)) == (45, 20)


def test_a_private_game_is_its_players(club: Club) -> None:
    ann, ben, cas = club.join("Ann"), club.join("Ben"), club.join("Cas")
    index = GameIndex((IndexedPosition(1, 17, "", 1),))
    private = new_game("secret", visibility="private", players=(ann.id, ben.id), index=index)
    opened, secret = shelve(club.around, new_game("open"), private)
    wishes: list[dict[str, Any]] = [{}, {"player": "Ann"}, {"level": "master"}]
    for wanted in wishes:
        assert found(club, viewer=ann.id, **wanted) == [secret, opened]
        assert found(club, viewer=ben.id, **wanted) == [secret, opened]
        assert found(club, viewer=cas.id, **wanted) == [opened]
        assert found(club, **wanted) == [opened]
    assert found(club, positions=(17,)) == []
    assert found(club, positions=(17,), viewer=ben.id) == [secret]
    assert get_written(club.around, secret, viewer=ben.id).record == "the record of secret"
    for viewer in (cas.id, None):
        with pytest.raises(NoSuchGameError):
            get_written(club.around, secret, viewer=viewer)


@pytest.mark.parametrize("number", [0, -1, 10**30])
def test_there_is_no_such_game(club: Club, number: int) -> None:
    with pytest.raises(NoSuchGameError):
        get_written(club.around, number, viewer=None)


def test_a_game_is_archived_once(club: Club) -> None:
    [number] = shelve(club.around, new_game("one"))
    digest = new_game("one").facts.digest
    with club.around.store.read() as unit:
        assert unit.archived_digests([digest, PLAIN.digest]) == {digest: number}
    with pytest.raises(StoreConflictError):
        shelve(club.around, new_game("two"), new_game("one", gold="Zed"))
    assert found(club) == [number]


@pytest.mark.parametrize("text", ["", "1", "1-", "-1", "a-b", "1-2-3", "9" * 30 + "-1", "٣-1"])
def test_cursors_that_are_none(text: str) -> None:
    assert find_cursor(text) is None
