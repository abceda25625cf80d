"""Why two do not meet: the reason is the true one."""

from __future__ import annotations

from dataclasses import replace

from pbem.tournaments import round_robin, swiss
from pbem.tournaments.event import Event
from pbem.tournaments.why_not import why_not
from tests.tournaments.events import DRAWN, changed, made, met, paired

SEED = b"seed"


def codes(event: Event, one: int, other: int) -> list[str]:
    return [why.code for why in why_not(event, swiss.pair(event, seed=SEED), one, other)]


def test_they_do_meet() -> None:
    assert codes(made(4), 1, 3)[0] == "they_meet"


def test_they_have_met_already() -> None:
    event = met(made(4, meeting="pair"), (1, 3), (2, 4))
    event = met(event, (1, 2, DRAWN), (3, 4, DRAWN))
    assert codes(event, 1, 2) == ["already_met", "worse_repeats"]


def late(event: Event, *numbers: int) -> Event:
    for number in numbers:
        event = changed(event, number, first_round=2)
    return event


def test_others_would_have_to_meet_again() -> None:
    event = met(late(made(4, meeting="pair"), 1, 2), (3, 4, DRAWN))
    assert codes(event, 1, 2) == ["worse_repeats"]


def test_both_have_started() -> None:
    event = met(made(4), (1, 3), (2, 4))
    assert codes(event, 1, 2) == ["both_started_more", "worse_starts"]
    assert codes(event, 3, 4) == ["both_started_less", "worse_starts"]


def test_they_have_other_points() -> None:
    event = met(made(8, meeting="pair"), (1, 5), (2, 6), (3, 7), (4, 8))
    assert codes(event, 1, 6) == ["other_score", "worse_score"]


def test_they_are_in_the_same_half() -> None:
    assert codes(made(8, meeting="pair"), 1, 2) == ["worse_halves"]


def test_the_bye_would_go_to_somebody_higher() -> None:
    assert codes(made(3, meeting="pair"), 1, 3) == ["worse_bye_place"]


def test_somebody_would_have_another_bye() -> None:
    event = met(late(made(3, meeting="pair"), 1, 2), (3, None))
    assert codes(event, 1, 2) == ["worse_second_byes"]


def test_one_of_them_was_not_there() -> None:
    event = changed(made(5), 2, standing="withdrawn")
    assert codes(event, 1, 2) == ["not_paired"]


def test_what_was_paired_otherwise_is_not_called_better() -> None:
    event = made(4, meeting="pair")
    found = swiss.pair(event, seed=SEED)
    by_hand = (replace(found[0], away=2), replace(found[1], home=3, away=4))
    assert [why.code for why in why_not(event, by_hand, 1, 3)] == ["worse_as_weighed"]


def test_in_a_round_robin_they_meet_in_another_round_or_play_in_another_group() -> None:
    event = made(8, format="round_robin", pace="rounds", group_size=4)
    found = round_robin.schedule(event, seed=SEED)
    first = tuple(each for each in found if each.round == 1)
    whole = paired(event, found)
    (meeting,) = [each for each in found if set(each.entrants) == {1, 4}]
    (why,) = why_not(whole, tuple(each for each in first if 1 not in each.entrants), 1, 4)
    assert (why.code, why.facts["round"]) == ("meet_in_round", meeting.round)
    assert [why.code for why in why_not(event, found, 1, 2)] == ["other_table"]
    out = changed(event, 3, standing="withdrawn")
    found = round_robin.schedule(out, seed=SEED)
    assert [why.code for why in why_not(out, found, 1, 3)] == ["not_paired"]
