"""Crosstables and how points grew."""

from __future__ import annotations

from pbem.tournaments.climb import climb
from pbem.tournaments.crosstable import MOST_OPPONENTS, crosstable_of, show_cell
from pbem.tournaments.event import Event
from pbem.tournaments.standings import table_of
from tests.tournaments.making import make_event


def shown(event: Event) -> list[list[str]]:
    found = crosstable_of(table_of(event))
    return [[show_cell(cells, found.kind) for cells in row.cells] for row in found.rows]


def test_where_all_meet_all_there_is_a_column_for_each_opponent() -> None:
    rounds = [["1 2 +="], ["1 3 +."], ["2 3 Fv"]]
    event = make_event(rounds, format="round_robin", meeting="pair", tie_breaks=("wins",))
    found = crosstable_of(table_of(event))
    assert (found.kind, found.heads) == ("opponents", (1, 3, 2))
    assert shown(event) == [
        ["", "›1 ·", "›1 ½"],
        ["0 ›·", "", "+ ×"],
        ["0 ›½", "›− ×", ""],
    ]


def test_elsewhere_there_is_a_column_for_each_round() -> None:
    rounds = [["1 2 +", "3 4 ="], ["1 3 +", "4"], ["4 1 -"]]
    event = make_event(rounds, tie_breaks=("wins",))
    found = crosstable_of(table_of(event))
    assert (found.kind, found.heads) == ("rounds", (1, 2, 3))
    assert [row.row.entrant for row in found.rows] == [1, 4, 3, 2]
    assert shown(event) == [
        ["4: ›1", "3: ›1", "2: 1"],
        ["3: ½", "–1", "1: ›0"],
        ["2: ›½", "1: 0", ""],
        ["1: 0", "", ""],
    ]


def test_a_bye_of_a_pair_of_games_is_one_bye() -> None:
    event = make_event([["1 2 ++", "3"]], meeting="pair")
    assert ["–2"] in shown(event)


def test_a_large_round_robin_has_columns_for_rounds() -> None:
    count = MOST_OPPONENTS + 1
    event = make_event([["1 2 +"]], entrants=count, format="round_robin")
    assert crosstable_of(table_of(event)).kind == "rounds"


def test_points_after_each_round() -> None:
    event = make_event([["1 2 +", "3 4 ="], ["1 3 -", "2 4 ."]])
    found = climb(event)
    assert found.rounds == (0, 1, 2)
    assert dict(found.lines) == {3: (0, 1, 3), 1: (0, 2, 2), 2: (0, 0, 0), 4: (0, 1, 1)}
    assert found.most == 3
    assert [number for number, _ in found.lines][:2] == [3, 1]


def test_nothing_has_been_paired() -> None:
    event = make_event([], entrants=2)
    assert climb(event).lines == ((1, (0,)), (2, (0,)))
    assert crosstable_of(table_of(event)).heads == ()


def test_who_shares_a_place_still_has_a_line_of_their_own() -> None:
    event = make_event([["1 2 =", "3 4 ="], ["1 3 =", "2 4 ="]], tie_breaks=("wins",))
    found = crosstable_of(table_of(event))
    assert {row.row.place for row in found.rows} == {1}
    lines = [row.row.entrant for row in found.rows]
    for row in found.rows:
        for (cell,) in row.cells:
            assert lines[cell.number - 1] == cell.opponent
