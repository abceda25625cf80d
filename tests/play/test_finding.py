"""What archived games tell of a position and of set-ups, on both databases."""

from __future__ import annotations

from typing import Any

import pytest

from notation.position_line import parse_position
from notation.record_reading import parse_record
from pbem.archive.indexing import GameIndex, IndexedPosition, read_game
from pbem.archive.positions import position_key
from pbem.archive.statistics import Score
from pbem.archive.turning import HALF_TURN, MIRROR, turn_position, turnings_of
from pbem.games.ortus.arena import get_arena
from pbem.games.ortus.position import Position, from_line
from pbem.games.ortus.record_start import first_position
from pbem.play import finding
from pbem.play.archived import NewGame
from pbem.play.finding import PositionFound, explore_setups, look_up
from pbem.play.found import SetupFilter
from tests.ortus.games import line, random_table
from tests.play.club import Club
from tests.play.shelf import new_game, shelve

WON, DRAWN, LOST, UNDECIDED = 2, 1, 0, -1


def at(**place: Any) -> Position:
    parsed = parse_position(line(**place))
    return from_line(parsed, get_arena(parsed.arena))


# Gold's W1 on F6 and A4 on J7; nothing of it is the same when turned.
HERE = at(gold="W1@F6 A4@J7", black="E3@F12", energy=(18, 9))


def game_at(name: str, position: Position, order: str, score: int, **facts: Any) -> NewGame:
    """A game that came to a position at its third turn, and what was played there."""
    index = GameIndex(
        (
            IndexedPosition(1, 5, "H1>H2", score),
            IndexedPosition(3, position_key(position), order, score),
        )
    )
    return new_game(name, index=index, event=name, **facts)


def orders(found: PositionFound) -> dict[str, Score]:
    return {each.order: each.score for each in found.orders}


def test_the_orders_that_followed_and_how_they_scored(club: Club) -> None:
    shelve(
        club.around,
        game_at("a", HERE, "F6>G7", WON),
        game_at("b", HERE, "F6>G7", LOST),
        game_at("c", HERE, "F6>G7", DRAWN),
        game_at("d", HERE, "J7 chg F12@G11", UNDECIDED),
        game_at("e", HERE, "", LOST),
        game_at("f", at(gold="W1@F7"), "F7>G7", WON),
    )
    found = look_up(club.around, HERE, turned=False, viewer=None)
    assert list(orders(found).items()) == [
        ("W1>G7", Score(won=1, drawn=1, lost=1)),
        ("A4 chg F12@G11", Score(undecided=1)),
        ("", Score(lost=1)),
    ]
    assert found.score == Score(1, 1, 2, 1)
    assert [each.game.facts.event for each in found.games] == list("edcba")
    assert {(each.ply, each.turning) for each in found.games} == {(3, 0)}


def test_a_turned_search_finds_every_turned_board_and_turns_its_orders_back(club: Club) -> None:
    mirrored, half = turn_position(HERE, MIRROR), turn_position(HERE, HALF_TURN)
    # F6 is L6 in the mirror and J10 across the Core; G7 is J7 there, and I9.
    shelve(
        club.around,
        game_at("a", HERE, "F6>G7", WON),
        game_at("b", mirrored, "L6>J7", LOST),
        game_at("c", half, "J10>I9", WON),
    )
    found = look_up(club.around, HERE, turned=True, viewer=None)
    assert orders(found) == {"W1>G7": Score(won=2, lost=1)}
    assert [(each.game.facts.event, each.turning) for each in found.games] == [
        ("c", HALF_TURN),
        ("b", MIRROR),
        ("a", 0),
    ]
    exact = look_up(club.around, HERE, turned=False, viewer=None)
    assert orders(exact) == {"W1>G7": Score(won=1)}
    # Asked from the other side it is the same, in the words of that side.
    other = look_up(club.around, half, turned=True, viewer=None)
    assert orders(other) == {"W1>I9": Score(won=2, lost=1)}


def test_whole_games_are_found_from_any_side_and_from_any_turn(club: Club) -> None:
    records = [parse_record(random_table(n, {"level": "master"}).record()) for n in range(3)]
    numbers = shelve(
        club.around,
        *(
            new_game(str(number), index=read_game(record).index)
            for number, record in enumerate(records)
        ),
    )
    for number, record in zip(numbers, records, strict=True):
        position = first_position(record)
        for turning in turnings_of(position.rules.arena):
            found = look_up(club.around, turn_position(position, turning), turned=True, viewer=None)
            assert [each.game.number for each in found.games] == [number]
            assert found.score.games == 1


def test_twins_of_a_position_that_looks_the_same_count_together(club: Club) -> None:
    opening = at(energy=(7, 14), round=1, level="master")
    mirrored_too = "WFEAAEFW"
    assert mirrored_too == mirrored_too[::-1]
    shelve(
        club.around,
        game_at("a", opening, "H1:kite>H7", WON),
        game_at("b", opening, "O1:kite>I7", LOST),
    )
    exact = look_up(club.around, opening, turned=False, viewer=None)
    assert orders(exact) == {"W1:kite>H7": Score(won=1), "W8:kite>I7": Score(lost=1)}
    turned = look_up(club.around, opening, turned=True, viewer=None)
    assert orders(turned) == {"W1:kite>H7": Score(won=1, lost=1)}


def test_private_games_are_told_to_their_players_and_counted_for_nobody(club: Club) -> None:
    ann, ben = club.join("Ann"), club.join("Ben")
    private = {"visibility": "private", "players": (ann.id, None)}
    shelve(club.around, game_at("open", HERE, "F6>G7", WON))
    shelve(club.around, game_at("hers", HERE, "F6>G8", LOST, **private))
    for viewer, seen in ((None, ["open"]), (ben.id, ["open"]), (ann.id, ["hers", "open"])):
        found = look_up(club.around, HERE, turned=True, viewer=viewer)
        assert [each.game.facts.event for each in found.games] == seen
        assert orders(found) == {"W1>G7": Score(won=1)}
    setups = explore_setups(club.around, SetupFilter())
    assert sum(score.games for _, score in setups) == 1


def test_of_very_many_games_the_newest_of_each_order_are_shown(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "MOST_LISTED", 3)
    played = [("F6>G7", WON), ("F6>G7", WON), ("F6>G7", LOST), ("F6>G8", WON), ("F6>G7", LOST)]
    games = [game_at(str(n), HERE, *each) for n, each in enumerate(played)]
    shelve(club.around, *games[:3])
    assert not look_up(club.around, HERE, turned=False, viewer=None).is_sample
    shelve(club.around, *games[3:])
    found = look_up(club.around, HERE, turned=False, viewer=None)
    assert found.is_sample
    assert [each.game.facts.event for each in found.games] == ["4", "3", "1"]
    assert {each.ply for each in found.games} == {3}
    assert found.score == Score(won=3, lost=2)


def test_set_ups_of_a_house_with_their_scores(club: Club) -> None:
    common, rare = "WFEAAEFW", "WWEEAAFF"
    shelve(
        club.around,
        new_game("a", gold_setup=common, black_setup=rare, result="1-0", starter="gold"),
        new_game("b", gold_setup=common, black_setup=common, result="0-1", starter="black"),
        new_game("c", gold_setup=common, black_setup=rare, result="*", level="wind"),
        new_game("d", gold_setup=rare, black_setup=rare, result="1/2-1/2", arena="crown"),
        new_game("study", gold_setup="", black_setup=""),
    )

    def explored(**wanted: Any) -> list[tuple[str, Score]]:
        return list(explore_setups(club.around, SetupFilter(**wanted)))

    gold = [(common, Score(won=1, lost=1, undecided=1)), (rare, Score(drawn=1))]
    assert explored() == gold
    assert explored(house="black")[0] == (rare, Score(lost=1, drawn=1, undecided=1))
    assert explored(level="wind") == [(common, Score(undecided=1))]
    assert explored(arena="crown") == [(rare, Score(drawn=1))]
    assert explored(house="black", started=True)[0] == (common, Score(won=1))
    assert explored(started=False) == [(common, Score(lost=1))]
    assert explored(level="\x00") == []
    assert list(explore_setups(club.around, SetupFilter(), limit=1)) == gold[:1]


def test_orders_of_another_position_with_the_same_key_are_left_out(club: Club) -> None:
    shelve(
        club.around,
        game_at("a", HERE, "F6>G7", WON),
        game_at("b", HERE, "D8>D9", WON),
        game_at("c", HERE, "E ret J1", WON),
    )
    found = look_up(club.around, HERE, turned=False, viewer=None)
    assert orders(found) == {"W1>G7": Score(won=1)}
