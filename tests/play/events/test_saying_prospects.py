"""Who can still win and what each needs, as it is read."""

from __future__ import annotations

from itertools import combinations

from pbem.catalogues import get_tongue
from pbem.play.events.saying_prospects import say_method, say_prospect
from pbem.tongue import ENGLISH, Tongue
from pbem.tournaments.event import Event
from pbem.tournaments.prospects import prospects
from tests.tournaments.making import make_event

NAMES = dict(enumerate(["Ann", "Bob", "Cas", "Dee", "Eve", "Fay"], start=1))
DUTCH = get_tongue("nl")


def said(event: Event, *, places: int | None = None, tongue: Tongue = ENGLISH) -> list[str]:
    found = prospects(event, places=places)
    told = [say_prospect(row, found, NAMES, tongue=tongue) for row in found.rows]
    return [*told, say_method(found, tongue=tongue)]


LAST = [["1 2 ="], ["1 3 +", "2 4 +"], ["1 4 .", "2 3 ."], ["3 4 ="]]


def test_what_each_needs_in_a_last_round_of_single_games() -> None:
    event = make_event(LAST, format="round_robin", tie_breaks=("wins",))
    assert said(event) == [
        "Ann is first with a win against Dee; or with at least a draw against Dee if Bob does "
        "not win against Cas; or if Bob loses to Cas.",
        "Bob is first with a win against Cas; or with at least a draw against Cas if Ann does "
        "not win against Dee; or if Ann loses to Dee.",
        "Cas is first with a win against Bob if Ann loses to Dee.",
        "Dee is first with a win against Ann if Bob loses to Cas.",
        "This is exact: all 9 ways in which 2 games can end were gone through.",
    ]


def test_it_is_said_in_dutch() -> None:
    event = make_event(LAST, format="round_robin", tie_breaks=("wins",))
    assert said(event, tongue=DUTCH)[0] == (
        "Ann wordt eerste met winst tegen Dee; of met minstens gelijkspel tegen Dee als Bob niet "
        "van Cas wint; of als Bob van Cas verliest."
    )


def test_pairs_of_games_are_told_by_points() -> None:
    rounds = [["1 2 =="], ["1 3 ++", "2 4 ++"], ["1 4 ..", "2 3 .."], ["3 4 =="]]
    event = make_event(rounds, format="round_robin", meeting="pair", tie_breaks=("wins",))
    told = said(event)[0]
    assert told.startswith("Ann is first with two wins against Dee; or with at least 1½ points ")
    assert "if Bob gets at most 1½ points against Cas" in told


def test_several_places() -> None:
    event = make_event(LAST, format="round_robin", tie_breaks=("wins",))
    assert said(event, places=2)[0].startswith("Ann is among the first 2")
    over = make_event([["1 2 +", "3 4 +"]], format="round_robin", tie_breaks=("wins",))
    assert said(over, places=2) == [
        "Ann is among the first 2, whatever comes.",
        "Cas is among the first 2, whatever comes.",
        "Bob cannot be among the first 2 any more.",
        "Dee cannot be among the first 2 any more.",
        "",
    ]


def test_trials_are_told_with_their_number() -> None:
    told = [[f"{one} {other} .." for one, other in combinations(range(1, 7), 2)]]
    event = make_event(told, format="round_robin", meeting="pair")
    lines = said(event)
    assert lines[0].startswith("Ann was first in ")
    assert lines[0].endswith(" of 2000 trials.")
    assert "tried out 2000 times by chance" in lines[-1]
