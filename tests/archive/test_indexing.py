"""Games are indexed while they are judged: positions, the orders that followed, patterns."""

from __future__ import annotations

import pytest

from notation.orders import Walk
from notation.reading import parse_order
from notation.record import Played, RecordTurn
from notation.record_reading import parse_record
from notation.writing import format_order
from pbem.archive.indexing import DRAWN, LOST, NOTHING_PLAYED, UNDECIDED, WON, read_game
from pbem.archive.patterns import house_pattern
from pbem.archive.placed_orders import name_placed_order, place_order, turn_placed_order
from pbem.archive.positions import position_key
from pbem.archive.turning import turn_position, turnings_of
from pbem.games.ortus.hexes import BLACK, GOLD
from pbem.games.ortus.legality import check as check_cost
from pbem.games.ortus.orders import to_action
from pbem.games.ortus.position import Position
from pbem.games.ortus.replaying import replay
from tests.archive.patterns_seen import find_patterns
from tests.ortus.games import VARIANTS, random_table, study


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_each_turn_of_a_game_is_indexed(number: int) -> None:
    record = parse_record(random_table(number, VARIANTS[number]).record())
    begun: list[Position] = []
    replay(record, watch=lambda position, _: begun.append(position.copy()))
    read = read_game(record)
    assert read.replayed == replay(record)
    assert len(begun) == len(record.turns)
    indexed = read.index.positions
    assert len(indexed) - len(record.turns) in (0, 1)
    gold = {"1-0": WON, "0-1": LOST, "1/2-1/2": DRAWN, "*": UNDECIDED}[record.result]
    for number, (position, turn, found) in enumerate(
        zip(begun, record.turns, indexed, strict=False), start=1
    ):
        mine = gold if gold == UNDECIDED or position.active == GOLD else 2 - gold
        assert (found.ply, found.key, found.score) == (number, position_key(position), mine)
        named = name_placed_order(position, found.next_order)
        assert alike(position, named) == alike(position, format_order(turn.orders[0].order))


def alike(position: Position, order: str) -> str:
    """An order in which a Fallen has no slot: two of an element are one to the index."""
    return f"{order[0]}{order[2:]}" if " ret " in order else order


def test_an_order_fits_every_turned_board() -> None:
    for number in range(5):
        record = parse_record(random_table(number, {"level": "master"}, entries=120).record())

        def check(position: Position, turn: RecordTurn) -> None:
            placed = place_order(position, turn.orders[0].order)
            for turning in turnings_of(position.rules.arena):
                there = turn_position(position, turning)
                named = name_placed_order(there, turn_placed_order(placed, turning))
                action = to_action(there, parse_order(named))
                assert check_cost(there, action) == check_cost(
                    position, to_action(position, turn.orders[0].order)
                )

        replay(record, watch=check)


def test_patterns_are_kept_with_the_first_turn_they_stood_at() -> None:
    record = parse_record(random_table(4, {"level": "master"}).record())
    first: dict[str, int] = {}
    plies = 0

    def note(position: Position, _: RecordTurn) -> None:
        nonlocal plies
        plies += 1
        for house in (GOLD, BLACK):
            for name in find_patterns(position, house):
                first.setdefault(house_pattern(house, name), plies)

    replay(record, watch=note)
    found = read_game(record).index
    indexed = {name: ply for name, ply in found.patterns if ply <= plies}
    assert indexed == first
    assert len(first) > 5


def test_where_a_game_ended_is_indexed_without_an_order() -> None:
    table = study(gold="E3@F6 W1@I6 F2@L6 A4@B8", black="W1@G11", energy=(14, 14))
    table.send("gold", "A5>M5; end")
    table.send("black", "resign")
    record = parse_record(table.record())
    first, last = read_game(record).index.positions
    assert (first.ply, first.next_order, first.score) == (1, "L1>M5", WON)
    assert (last.ply, last.next_order, last.score) == (2, NOTHING_PLAYED, LOST)


def test_a_faulty_record_is_indexed_as_far_as_it_could_be_played() -> None:
    text = random_table(3, {"level": "wind"}, entries=80).record()
    record = parse_record(text)
    whole = read_game(record).index.positions
    record.turns[5].orders[0] = Played(Walk("W1", "H8"))
    read = read_game(record)
    assert read.replayed.faults
    assert read.index.positions[:5] == whole[:5]
    assert len(read.index.positions) == 6


def test_a_game_that_never_began_has_no_positions() -> None:
    table = random_table(1, {"level": "wind"}, entries=1)
    table.send("black", "resign")
    read = read_game(parse_record(table.record()))
    assert read.index.positions == ()
    assert read.index.patterns == ()
    assert not read.replayed.faults
