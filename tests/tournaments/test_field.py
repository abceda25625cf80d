"""The field of a Swiss round: points for pairing, the order, floats, meetings."""

from __future__ import annotations

from dataclasses import replace

from pbem.tournaments.event import Event, Result, Why
from pbem.tournaments.field import Player, field_of, rounds_planned
from tests.tournaments.events import DRAWN, changed, made, met


def by_number(event: Event) -> dict[int, Player]:
    return {each.number: each for each in field_of(event).players}


def test_the_order_is_points_then_rating_then_number() -> None:
    event = met(made([1500, 1500, 1600, 1400]), (4, 3), (1, 2, DRAWN))
    field = field_of(event)
    assert [each.number for each in field.players] == [4, 1, 2, 3]
    assert [each.place for each in field.players] == [0, 1, 2, 3]
    assert [(each.points, each.spot, each.size) for each in field.players] == [
        (2, 0, 1),
        (1, 0, 2),
        (1, 1, 2),
        (0, 0, 1),
    ]


def test_a_bye_has_its_worth_a_missed_round_nothing_an_annulled_game_nothing() -> None:
    event = met(made(5, meeting="pair", bye_worth="draw"), (1, None), (2, 3, Result(0, 0, "void")))
    event = changed(event, 4, first_round=2)
    found = by_number(event)
    assert {number: each.points for number, each in found.items()} == {1: 2, 2: 0, 3: 0, 4: 0, 5: 0}
    assert found[1].byes == 1
    assert found[4].byes == 0


def test_two_who_met_are_known_with_how_often_and_when() -> None:
    event = met(met(made(4), (1, 2), (3, 4)), (2, 1), (3, 4))
    field = field_of(event)
    assert field.find_meetings(1, 2) == field.find_meetings(2, 1) == (2, 2)
    assert field.find_meetings(1, 3) is None


def test_who_floated_in_the_last_round_is_known_by_its_reasons_and_a_bye_is_a_float() -> None:
    event = met(made(5), (1, 2), (3, 4), (5, None))
    why = Why("floated", {"down": 1, "points": 2, "up": 2, "other_points": 0})
    encounters = (replace(event.encounters[0], why=(why,)), *event.encounters[1:])
    found = by_number(replace(event, encounters=encounters))
    assert {number: each.floated for number, each in found.items()} == {
        1: 1,
        2: -1,
        3: 0,
        4: 0,
        5: 1,
    }
    later = met(replace(event, encounters=encounters), (1, 3), (2, 5), (4, None))
    assert by_number(later)[1].floated == 0


def test_as_many_rounds_are_planned_as_the_charter_says_or_find_a_winner() -> None:
    assert rounds_planned(made(9, rounds=5)) == 5
    assert [rounds_planned(made(count)) for count in (2, 3, 4, 5, 8, 9, 16, 17)] == [
        1,
        2,
        2,
        3,
        3,
        4,
        4,
        5,
    ]
    assert field_of(made(9)).left == 3
    began = met(made(8), (1, 2), (3, 4), (5, 6), (7, 8))
    began = changed(changed(began, 1, standing="withdrawn"), 2, standing="withdrawn")
    assert rounds_planned(began) == 3
