"""Tables: their order, their places, and what they show."""

from __future__ import annotations

from dataclasses import replace

from pbem.tournaments.event import Event
from pbem.tournaments.ranking import Divider
from pbem.tournaments.sheets import sheet_of, stages
from pbem.tournaments.standings import standings, table_of
from tests.tournaments.making import make_event, with_entrant


def places(event: Event, stage: str = "") -> list[tuple[int, int]]:
    return [(row.place, row.entrant) for row in standings(event, stage)]


def test_points_come_first() -> None:
    event = make_event([["1 2 -", "3 4 ="], ["2 3 +", "1 4 -"]], tie_breaks=("wins",))
    assert places(event) == [(1, 2), (2, 4), (3, 3), (4, 1)]


def test_who_is_level_in_all_shares_a_place_and_the_next_is_left_out() -> None:
    event = make_event([["1 2 +", "3 4 +"]], tie_breaks=("wins",))
    assert places(event) == [(1, 1), (1, 3), (3, 2), (3, 4)]
    assert [row.is_shared for row in standings(event)] == [True] * 4
    assert [divider and divider.by for divider in table_of(event).dividers] == [
        None,
        "points",
        None,
    ]


def test_tie_breaks_are_in_the_order_of_the_charter() -> None:
    rounds = [["1 2 =", "3 4 +"], ["1 4 =", "2 3 +"], ["1 3 +", "2 4 -"]]
    event = make_event(rounds, format="round_robin", tie_breaks=("wins",))
    assert places(event) == [(1, 1), (2, 2), (2, 4), (4, 3)]
    event = make_event(rounds, format="round_robin", tie_breaks=("direct",))
    assert places(event) == [(1, 1), (2, 4), (3, 2), (4, 3)]
    assert [row.figures for row in standings(event)] == [(None,), (2,), (0,), (None,)]


def test_games_that_go_on_count_for_nothing_yet() -> None:
    event = make_event([["1 2 +", "3 4 ."]], tie_breaks=("buchholz",))
    table = table_of(event)
    assert [(row.entrant, row.points, row.running) for row in table.rows] == [
        (1, 2, 0),
        (2, 0, 0),
        (3, 0, 1),
        (4, 0, 1),
    ]
    assert table.is_provisional


def test_a_table_of_a_round_robin_is_final_when_its_games_are_over() -> None:
    event = make_event([["1 2 +"]], format="round_robin")
    assert not table_of(event).is_provisional
    event = make_event([["1 2 +", "3 4 ."]], format="round_robin")
    assert table_of(event).is_provisional


def test_annulled_games_count_for_nobody() -> None:
    event = make_event([["1 2 v"], ["1 3 ="]], format="round_robin")
    row = next(row for row in standings(event) if row.entrant == 1)
    assert (row.points, row.wins, row.draws, row.losses, row.starts) == (1, 0, 1, 0, 1)


def test_wins_draws_losses_byes_and_starts_are_shown() -> None:
    event = make_event([["1 2 +="], ["1 3 -F"], ["1"]], meeting="pair")
    row = next(row for row in standings(event) if row.entrant == 1)
    assert (row.wins, row.draws, row.losses, row.byes) == (1, 1, 2, 2)
    assert (row.starts, row.other_starts) == (2, 2)
    assert row.points == 2 + 1 + 4


def test_a_bye_is_worth_what_the_charter_says() -> None:
    for worth, points in (("win", 2), ("draw", 1), ("nothing", 0)):
        event = make_event([["1 2 +", "3"]], bye_worth=worth)
        assert sheet_of(event).points[3] == points


def test_sitting_out_in_a_round_robin_is_worth_nothing() -> None:
    event = make_event([["1 2 +", "3"]], format="round_robin")
    assert sheet_of(event).lines[3] == ()


def test_who_comes_late_or_leaves_has_lines_without_a_game() -> None:
    event = make_event([["1 2 +"], ["1 3 +"]])
    assert [line.is_absent for line in sheet_of(event).lines[3]] == [True, False]
    assert [line.is_absent for line in sheet_of(event).lines[2]] == [False, True]


def test_with_a_bid_nobody_has_the_first_turn_before_the_game_is_over() -> None:
    event = make_event([["1 2 ."]], meeting="bid")
    assert sheet_of(event).lines[1][0].has_started is None
    event = make_event([["1 2 ."]])
    assert [sheet_of(event).lines[number][0].has_started for number in (1, 2)] == [True, False]


def test_who_left_before_the_first_pairing_is_not_in_the_table() -> None:
    event = with_entrant(make_event([["1 2 +"]], entrants=4), 4, standing="withdrawn")
    assert [row.entrant for row in standings(event)] == [1, 2, 3]
    event = with_entrant(event, 2, standing="withdrawn")
    assert [row.entrant for row in standings(event)] == [1, 2, 3]
    event = with_entrant(event, 3, standing="waiting")
    assert [row.entrant for row in standings(event)] == [1, 2]


def test_who_was_disqualified_stands_below_everybody() -> None:
    event = with_entrant(make_event([["1 2 +", "3 4 ="]]), 1, standing="disqualified")
    assert places(event)[-1] == (4, 1)
    assert table_of(event).dividers[-1] == Divider("disqualified")


def test_groups_have_tables_of_their_own() -> None:
    first = make_event([["1 2 +"]], format="round_robin", stage="A", entrants=4)
    second = make_event([["3 4 -"]], format="round_robin", stage="B")
    event = replace(first, encounters=(*first.encounters, replace(second.encounters[0], number=2)))
    assert stages(event) == ("A", "B")
    assert places(event, "A") == [(1, 1), (2, 2)]
    assert places(event, "B") == [(1, 4), (2, 3)]


def test_a_knock_out_is_ordered_by_how_far_each_has_come() -> None:
    event = make_event([["1 4 +", "2 3 -"], ["1 3 ."]], format="knockout")
    assert places(event) == [(1, 1), (1, 3), (3, 2), (3, 4)]
    event = make_event([["1 4 +", "2 3 -"], ["1 3 -"]], format="knockout")
    assert places(event) == [(1, 3), (2, 1), (3, 2), (3, 4)]


def test_a_ladder_is_its_rungs() -> None:
    event = make_event([["3 1 +"]], format="ladder")
    event = replace(event, ladder=(3, 1, 2))
    assert places(event) == [(1, 3), (2, 1), (3, 2)]


def test_tie_breaks_do_not_part_who_went_out_of_a_knock_out_together() -> None:
    event = make_event([["1 4 +=", "2 3 -="], ["1 3 .."]], format="knockout", meeting="pair")
    event = replace(event, charter=replace(event.charter, tie_breaks=("wins", "black_starts")))
    assert places(event) == [(1, 1), (1, 3), (3, 2), (3, 4)]
    assert [row.figures for row in standings(event)] == [()] * 4
