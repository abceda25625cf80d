"""Why one stands above another reads as a sentence, in English and in Dutch."""

from __future__ import annotations

from dataclasses import replace

from pbem.catalogues import get_tongue
from pbem.play.events.saying_standings import (
    ABOUT,
    SHORT,
    TIE_BREAKS,
    say_explained,
    say_list,
)
from pbem.tongue import ENGLISH
from pbem.tournaments import charter
from pbem.tournaments.event import Event
from pbem.tournaments.explaining import explanations
from pbem.tournaments.standings import table_of
from tests.tournaments.making import make_event, with_entrant

NAMES = {1: "Ann", 2: "Bob", 3: "Cas", 4: "Dee"}
DUTCH = get_tongue("nl")


def said(event: Event) -> list[str]:
    return [say_explained(each, NAMES, tongue=ENGLISH) for each in explanations(table_of(event))]


def test_more_points() -> None:
    event = make_event([["1 2 +="]], meeting="pair")
    assert said(event) == ["Ann is above Bob: 1½ points against ½ point."]


def tie_of_two() -> Event:
    rounds = [["1 2 +=", "3 1 ++"], ["2 3 +-"]]
    return make_event(rounds, format="round_robin", meeting="pair", tie_breaks=("direct",))


def test_the_sentence_of_two_who_are_level() -> None:
    assert said(tie_of_two())[1] == (
        "Ann is above Bob: both have 1½ points, and Ann won their encounter 1½–½."
    )
    dutch = say_explained(explanations(table_of(tie_of_two()))[1], NAMES, tongue=DUTCH)
    assert dutch == (
        "Ann staat boven Bob: beiden hebben 1½ punten, en Ann won hun onderlinge ontmoeting "
        "met 1½–½."
    )


def test_what_did_not_part_them_is_named() -> None:
    rounds = [["1 2 =", "3 4 +"], ["1 4 +", "2 3 ="], ["1 3 =", "2 4 +"]]
    event = make_event(rounds, format="round_robin", tie_breaks=("direct", "wins", "black_starts"))
    assert said(event)[0] == (
        "Cas is above Bob: both have 2 points and are level by the direct encounter and the "
        "number of wins, and Cas has played more games in which the other side had the first "
        "turn: 2 against 1."
    )


def test_who_shares_a_place_is_told_what_was_looked_at() -> None:
    event = make_event([["1 2 ="]], tie_breaks=("wins", "buchholz"))
    assert said(event) == [
        "Ann and Bob share a place: they are level in points and by the number of wins and "
        "Buchholz."
    ]


def test_who_was_disqualified() -> None:
    event = with_entrant(make_event([["1 2 -"]]), 2, standing="disqualified")
    assert said(event) == ["Ann is above Bob, who was disqualified."]


def test_lists() -> None:
    assert say_list(["a"], tongue=ENGLISH) == "a"
    assert say_list(["a", "b", "c"], tongue=ENGLISH) == "a, b and c"


def test_every_tie_break_has_its_names() -> None:
    assert set(TIE_BREAKS) == set(SHORT) == set(ABOUT) == set(charter.TIE_BREAKS)


def test_how_far_each_came_in_a_knock_out() -> None:
    event = make_event([["1 4 +", "2 3 -"], ["1 3 ."]], format="knockout")
    assert said(event) == [
        "Ann and Cas share a place: both are still in.",
        "Cas is above Bob: Cas is still in, Bob went out in round 1.",
        "Bob and Dee share a place: both went out in round 1.",
    ]
    event = make_event([["1 4 +", "2 3 -"], ["1 3 -"]], format="knockout")
    assert said(event) == [
        "Cas is above Ann: Cas won the final.",
        "Ann is above Bob: Ann went out in round 2, Bob in round 1.",
        "Bob and Dee share a place: both went out in round 1.",
    ]
    event = make_event([["1 4 +", "2 3 ."]], format="knockout")
    assert said(event)[0] == "Ann is above Bob: Ann has reached round 2, Bob round 1."


def test_the_rungs_of_a_ladder() -> None:
    event = replace(make_event([["3 1 +"]], format="ladder"), ladder=(3, 1, 2))
    assert said(event)[0] == (
        "Cas is above Ann: Cas stands on rung 1 of the ladder, Ann on rung 2."
    )
