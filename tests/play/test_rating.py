"""Games that are over become ratings: each once, whoever counts, and the same from scratch."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import cycle
from typing import Any

import pytest
from sqlalchemy import delete, update

from notation.record_reading import parse_record
from pbem.archive.facts import facts_of
from pbem.play import farewell, games
from pbem.play import rating as rating_module
from pbem.play.archive import record_of
from pbem.play.model import Player
from pbem.play.rated import CountedGame
from pbem.play.rating import TakenIn, count_ratings, exclude, take_in
from pbem.play.rating_again import Recounted, find_differences, recount
from pbem.play.rating_seen import (
    LevelRating,
    find_rating,
    games_of,
    list_ratings,
    rating_for_entry,
    ratings_of,
)
from pbem.store.columns import table_of
from pbem.store.games import GameRow
from pbem.store.rating_rows import GAMES_TO_RATE, RATED_GAMES, RATINGS
from pbem.tournaments.glicko import NEW, after_period
from pbem.tournaments.ratings import ENOUGH_TURNS, MOST_OF_A_PAIR, period_of
from tests.play.club import NOON, Club, Match, at

DAY = 24.0


def play(
    club: Club,
    gold: Player,
    black: Player,
    *,
    days: float = 1,
    turns: int = ENOUGH_TURNS,
    ending: str = "resign",
    **agreement: object,
) -> Match:
    """A game that Gold wins, so many days after noon."""
    match = club.start(gold=gold, black=black, **{"starter": "gold", "clock": "900d", **agreement})
    match.set_up(days * DAY)
    for _, house in zip(range(turns), cycle(("gold", "black")), strict=False):
        match.send(house, "end", days * DAY)
    match.send("black", ending, days * DAY)
    return match


def count(club: Club) -> int:
    while take_in(club.around).after is not None:
        pass
    return count_ratings(club.around)


def rating(club: Club, player: Player, level: str = "apprentice") -> LevelRating:
    with club.around.store.read() as unit:
        ratings = ratings_of(unit, player.id, now=NOON + timedelta(days=400))
    [found] = [each for each in ratings if each.level == level]
    return found


def counted(club: Club, player: Player, viewer: int | None = None) -> list[CountedGame]:
    with club.around.store.read() as unit:
        return list(games_of(unit, player.id, "apprentice", viewer=viewer))


def kept(club: Club) -> list[list[tuple[object, ...]]]:
    contents = club.contents()
    return [contents[name] for name in ("ratings", "rated_games")]


def scratch(club: Club) -> None:
    """Forget all that was counted."""
    club.store.change(delete(RATINGS))
    club.store.change(delete(RATED_GAMES))


def test_a_game_that_is_over(club: Club) -> None:
    ann, ben = club.join("Ann"), club.join("Ben")
    play(club, ann, ben)
    assert take_in(club.around) == TakenIn(1, {}, None)
    assert count_ratings(club.around) == 2
    assert rating(club, ann).history[0].figure == after_period(NEW, [(NEW, 2)])
    assert rating(club, ben).history[0].figure == after_period(NEW, [(NEW, 0)])
    assert find_differences(club.around) == []


def test_each_level_has_ratings_of_its_own(club: Club) -> None:
    ann, ben = club.join("Ann"), club.join("Ben")
    play(club, ann, ben)
    play(club, ben, ann, level="master")
    count(club)
    assert rating(club, ann).rating.figure.rating > 1500
    assert rating(club, ann, "master").rating.figure.rating < 1500
    with club.around.store.read() as unit:
        assert [each.level for each in ratings_of(unit, ann.id, now=NOON)] == [
            "apprentice",
            "master",
        ]


def test_the_second_run_changes_nothing(club: Club) -> None:
    match = play(club, club.join(), club.join())
    assert count(club) == 2
    before = club.contents()
    assert count(club) == 0
    with club.around.store.begin() as unit:  # a game that is over may be saved, for a message
        locked = unit.lock_game(match.id)
        assert locked is not None
        unit.save_game(locked.game)
    assert take_in(club.around).games == 1
    assert count(club) == 0
    assert club.contents() == before


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({}, ""),
        ({"rated": False}, "friendly"),
        ({"handicap": "black +2"}, "handicap"),
        ({"turns": ENOUGH_TURNS - 1}, "forfeit"),
        ({"turns": 0}, "forfeit"),
    ],
)
def test_which_games_count(club: Club, how: dict[str, object], why: str) -> None:
    ann, ben = club.join(), club.join()
    play(club, ann, ben, **how)  # type: ignore[arg-type]
    assert count(club) == (0 if why else 2)
    assert [each.game.why_not for each in counted(club, ann)] == [why]


def test_rulings_and_games_from_a_position_are_kept_apart(club: Club) -> None:
    ann, ben = club.join(), club.join()
    match = club.start(gold=ann, black=ben)
    games.rule(club.around, match.id, 0, now=at(1))
    study = club.study({}, gold=ann, black=ben)
    study.send("black", "resign", 2)
    assert count(club) == 0
    assert [each.game.why_not for each in counted(club, ben)] == ["position", "ruling"]


def test_a_flag_that_falls_late_in_the_game_counts(club: Club) -> None:
    ann, ben = club.join(), club.join()
    match = club.start(gold=ann, black=ben, starter="gold")
    match.set_up(1)
    for house in ("gold", "black") * (ENOUGH_TURNS // 2):
        match.send(house, "end", 1)
    club.sweep(at(days=90))
    assert match.result() == ("black", "time")
    assert count(club) == 2
    assert rating(club, ben).rating.figure.rating > 1500


def grown_club(club: Club) -> list[Player]:
    """Four players and months of games between them."""
    four = [club.join() for _ in range(4)]
    for number in range(14):
        gold, black = four[number % 4], four[(number + 1 + number // 4) % 4]
        if gold is not black:
            play(club, gold, black, days=1 + number * 9)
    return four


def test_counting_everything_again_gives_the_same(club: Club) -> None:
    grown_club(club)
    count(club)
    before = kept(club)
    assert len(before[0]) > 10
    assert recount(club.around) == Recounted(len(before[1]), 0, 0)
    assert kept(club) == before
    scratch(club)
    assert recount(club.around) == Recounted(len(before[1]), len(before[1]), len(before[0]))
    assert kept(club) == before
    assert find_differences(club.around) == []


def test_the_order_in_which_games_come_to_light_does_not_matter(club: Club) -> None:
    grown_club(club)
    club.store.change(delete(GAMES_TO_RATE))
    with club.around.store.read() as unit:
        ids = [game.game_id for game in unit.ended_games(after="", limit=99)]
    ends = {each: at_end(club, each) for each in ids}
    results = []
    for order in (sorted(ids), sorted(ids, key=ends.__getitem__, reverse=True)):
        scratch(club)
        for game_id in order:
            with club.around.store.begin() as unit:
                locked = unit.lock_game(game_id)
                assert locked is not None
                unit.save_game(locked.game)
            assert count(club) > 0
        results.append(kept(club))
    assert results[0] == results[1]
    assert find_differences(club.around) == []


def at_end(club: Club, game_id: str) -> datetime:
    with club.around.store.read() as unit:
        ended = unit.find_ended(game_id)
    assert ended is not None
    return ended.ended_at


def test_two_machines_at_once(club: Club) -> None:
    four = [club.join() for _ in range(4)]
    for number in range(6):
        play(club, four[number % 4], four[(number + 1) % 4], days=number)

    def work(_: int) -> None:
        for _ in range(4):
            take_in(club.around, limit=3)
            count_ratings(club.around)

    with ThreadPoolExecutor(2) as machines:
        list(machines.map(work, range(2)))
    assert find_differences(club.around) == []
    contents = club.contents()
    assert len(contents["rated_games"]) == 6
    assert contents["games_to_rate"] == contents["rating_changes"] == []
    before = kept(club)
    scratch(club)
    recount(club.around)
    assert kept(club) == before


def test_a_game_that_comes_in_while_others_are_counted(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = club.join(), club.join()
    play(club, ann, ben, days=1)
    take_in(club.around)
    days = iter((2, 3, 4))  # as often as it is tried before all others are locked out
    counting = rating_module._count

    def disturbed(*args: Any) -> Any:
        count = counting(*args)
        for day in days:
            play(club, ann, ben, days=day)
            take_in(club.around)
            break
        return count

    monkeypatch.setattr(rating_module, "_count", disturbed)
    count_ratings(club.around)
    assert rating(club, ann).rating.games == 4
    assert club.contents()["rating_changes"] == []
    assert find_differences(club.around) == []


def test_games_of_one_pair_count_only_so_often(club: Club) -> None:
    ann, ben = club.join(), club.join()
    matches = [play(club, ann, ben, days=1 + number) for number in range(MOST_OF_A_PAIR)]
    count(club)
    before = rating(club, ann)
    late = play(club, ann, ben, days=9)
    assert count(club) == 0
    assert rating(club, ann) == before
    assert counted(club, ann)[0].game.why_not == "often"
    # One that ended earlier comes to light: then a later one is left out instead.
    first = play(club, ann, ben, days=0.5)
    count(club)
    whys = {each.game.game_id: each.game.why_not for each in counted(club, ann)}
    assert whys[first.id] == ""
    assert whys[matches[-1].id] == whys[late.id] == "often"
    assert find_differences(club.around) == []


def test_merged_accounts_have_one_rating(club: Club) -> None:
    ann, ben, same = club.join("Ann"), club.join("Ben"), club.join("Ann again")
    play(club, ann, ben, days=1)
    play(club, same, ben, days=2)
    play(club, ben, same, days=40)
    count(club)
    waits = play(club, same, ben, days=41)  # not yet taken in when accounts are merged
    farewell.merge(club.around, ann.id, same.id, now=at(days=42))
    count(club)
    assert rating(club, ann).rating.games == 4
    assert waits.id in {each.game.game_id for each in counted(club, ann)}
    with club.around.store.read() as unit:
        assert ratings_of(unit, same.id, now=NOON) == ()
    before = kept(club)
    scratch(club)
    recount(club.around)
    assert kept(club) == before


def test_who_leaves_is_listed_no_more_and_counts_for_others(club: Club) -> None:
    ann, ben = club.join("Ann"), club.join("Ben")
    play(club, ann, ben)
    count(club)
    before = rating(club, ann)
    farewell.delete(club.around, ben.id, now=at(days=2))
    recount(club.around)
    assert rating(club, ann) == before
    listed = list_ratings(club.around, "apprentice", now=at(days=3), is_provisional=True)
    assert [each.name for each in listed.players] == ["Ann"]


def test_ratings_are_part_of_what_one_takes_along(club: Club) -> None:
    ann, ben = club.join(), club.join()
    play(club, ann, ben)
    count(club)
    [told] = json.loads(farewell.export(club.around, ann.id))["ratings"]
    assert (told["level"], told["month"]) == ("apprentice", "2026-11")
    assert told["rating"] == rating(club, ann).rating.figure.rating


def test_a_director_takes_a_game_out(club: Club) -> None:
    ann, ben = club.join(), club.join()
    over, running = play(club, ann, ben), club.start(gold=ann, black=ben, starter="gold")
    count(club)
    for match, why in ((over, "annulled"), (running, "substituted")):
        with club.around.store.begin() as unit:
            unit.lock_game(match.id)
            exclude(unit, match.id, why)  # type: ignore[arg-type]
    assert count(club) == 2
    with club.around.store.read() as unit:
        assert ratings_of(unit, ann.id, now=NOON) == ()
    running.set_up(2)
    for house in ("gold", "black") * (ENOUGH_TURNS // 2):
        running.send(house, "end", 2)
    running.send("black", "resign", 99)
    assert count(club) == 0
    assert [each.game.why_not for each in counted(club, ann)] == ["substituted", "annulled"]
    assert recount(club.around) == Recounted(2, 0, 0)


def test_what_was_changed_behind_our_back_is_found_and_put_right(club: Club) -> None:
    grown_club(club)
    count(club)
    before = kept(club)
    game_id = str(before[1][0][0])
    points = 2 - int(str(before[1][0][5]))
    club.store.change(update(RATINGS).where(RATINGS.c.games == 2).values(rating=1700.0))
    club.store.change(
        update(RATED_GAMES).where(RATED_GAMES.c.game_id == game_id).values(points=points)
    )
    found = find_differences(club.around)
    assert any(game_id in line for line in found)
    assert any("1700.0" in line for line in found)
    recount(club.around)
    assert kept(club) == before
    assert find_differences(club.around) == []


def test_a_damaged_game_keeps_nobody_waiting(club: Club) -> None:
    ids = sorted(play(club, club.join(), club.join()).id for _ in range(2))
    table = table_of(GameRow)
    club.store.change(update(table).where(table.c.id == ids[0]).values(terms={"clock": "?"}))
    done = take_in(club.around)
    assert (done.games, list(done.failed)) == (2, [ids[0]])
    assert count_ratings(club.around) == 2


def test_the_list_of_a_level(club: Club) -> None:
    ann, ben, cleo = club.join("Ann"), club.join("Ben"), club.join("Cleo")
    for number in range(8):
        play(club, ann, ben, days=number * 31)
    play(club, cleo, ann, days=200)
    count(club)
    then = at(days=8 * 31)
    sure = list_ratings(club.around, "apprentice", now=then)
    unsure = list_ratings(club.around, "apprentice", now=then, is_provisional=True)
    both = [*sure.players, *unsure.players]
    assert {each.name for each in both} == {"Ann", "Ben", "Cleo"}
    assert "Cleo" in {each.name for each in unsure.players}
    assert not any(each.rating.is_provisional for each in sure.players)
    figures = [each.rating.figure.rating for each in unsure.players]
    assert figures == sorted(figures, reverse=True)
    pages = [
        list_ratings(
            club.around, "apprentice", now=then, is_provisional=True, offset=offset, limit=1
        )
        for offset in range(len(unsure.players))
    ]
    assert tuple(each for page in pages for each in page.players) == unsure.players
    assert [page.has_more for page in pages] == [True] * (len(pages) - 1) + [False]
    assert [page.first for page in pages] == list(range(1, len(pages) + 1))
    late = list_ratings(club.around, "apprentice", now=at(days=3000), is_provisional=True)
    assert late.players == (), "nobody has played for a year"


def test_private_games_count_and_are_told_to_nobody_else(club: Club) -> None:
    ann, ben = club.join(), club.join()
    match = play(club, ann, ben, visibility="private")
    assert count(club) == 2
    assert counted(club, ann) == []
    assert counted(club, ann, viewer=club.join().id) == []
    assert [each.game.game_id for each in counted(club, ann, viewer=ben.id)] == [match.id]


def test_a_record_tells_the_ratings_from_before_the_game(club: Club) -> None:
    ann, ben, cleo = club.join("Ann"), club.join("Ben"), club.join("Cleo")
    first = play(club, ann, ben, days=1)
    count(club)
    # Games begin at noon of the first day here, so the month before is moved instead.
    club.store.change(update(RATINGS).values(period=period_of(NOON) - 1))
    later = play(club, cleo, ann, days=2)
    for match, expected in ((first, (1662, 1338)), (later, (None, 1662))):
        with club.around.store.read() as unit:
            facts = facts_of(parse_record(record_of(unit, match.stored, {})))
        assert (facts.gold_rating, facts.black_rating) == expected


def test_with_which_figure_one_enters(club: Club) -> None:
    ann, ben = club.join(), club.join()
    with club.around.store.read() as unit:
        assert find_rating(unit, ann.id, "apprentice", now=NOON) is None
        assert rating_for_entry(unit, ann.id, "apprentice", now=NOON) == 1500
    play(club, ann, ben)
    count(club)
    with club.around.store.read() as unit:
        assert rating_for_entry(unit, ann.id, "apprentice", now=at(days=2)) == 1662
        assert rating_for_entry(unit, ann.id, "master", now=at(days=2)) == 1500
    assert replace(rating(club, ann).rating, games=9).is_provisional
