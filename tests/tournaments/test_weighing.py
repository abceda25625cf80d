"""What single pairs cost, where a whole round would not show it."""

from __future__ import annotations

from dataclasses import replace

from pbem.tournaments.field import Player, field_of
from pbem.tournaments.starts import Past
from pbem.tournaments.weighing import Cost, cost_of, cost_of_bye
from tests.tournaments.events import made

FIELD = field_of(made(6))


def player(place: int, **fields: object) -> Player:
    return replace(FIELD.players[place], **fields)  # type: ignore[arg-type]


def test_a_float_in_the_same_direction_as_before_costs_once_for_each() -> None:
    for before, after, wanted in ((1, -1, 2), (1, 0, 1), (0, -1, 1), (-1, 1, 0), (0, 0, 0)):
        upper, lower = player(0, points=4, floated=before), player(1, points=2, floated=after)
        assert cost_of(FIELD, upper, lower).floats_again == wanted
    level = cost_of(FIELD, player(0, floated=1), player(1, floated=-1))
    assert level.floats_again == 0
    assert cost_of_bye(FIELD, player(5, floated=1)).floats_again == 1


def test_houses_alternate_where_that_can_be() -> None:
    gold, black = Past(1, ("black", "gold")), Past(2, ("gold", "black"))
    assert cost_of(FIELD, player(0, past=gold), player(1, past=black)).alternation == 0
    assert cost_of(FIELD, player(0, past=gold), player(1, past=gold)).alternation == 1
    # Who has been Gold less often is Gold, though it was so last.
    less = player(0, past=Past(1, ("black", "black", "gold")), tilt=-1)
    more = player(1, past=Past(2, ("gold", "gold", "black")), tilt=1)
    assert cost_of(FIELD, less, more).alternation == 2
    assert cost_of(FIELD, more, less).starts == 0


def test_halves_cost_nothing_where_the_first_meets_the_first_of_the_lower_half() -> None:
    costs = {place: cost_of(FIELD, player(0), player(place)).halves for place in range(1, 6)}
    assert costs == {1: 4, 2: 1, 3: 0, 4: 1, 5: 4}
    # The last of those above meets the first of those below.
    assert cost_of(FIELD, player(5, points=2), player(0)).halves == 0


def test_a_cost_is_clean_whatever_its_lower_levels() -> None:
    assert Cost(bye_place=9, score=9, halves=9).is_clean
    for level in ("repeats", "second_byes", "starts"):
        assert not Cost(**{level: 1}).is_clean
    assert Cost(score=1).plus(Cost(score=2, halves=3)) == Cost(score=3, halves=3)
