"""Rounds of Swiss events: small ones in which one can see who must meet whom."""

from __future__ import annotations

from dataclasses import replace

from pbem.tournaments.event import Encounter, Event
from pbem.tournaments.swiss import pair
from tests.tournaments.events import DRAWN, changed, made, met, paired

SEED = b"seed"


def pairs(event: Event) -> set[frozenset[int]]:
    return {frozenset(each.entrants) for each in pair(event, seed=SEED)}


def codes(encounter: Encounter) -> set[str]:
    return {why.code for why in encounter.why}


def test_in_the_first_round_the_upper_half_of_the_seeding_meets_the_lower() -> None:
    assert pairs(made([1500, 1900, 1600, 1800])) == {frozenset({2, 3}), frozenset({4, 1})}


def test_of_equal_ratings_who_entered_earlier_is_seeded_higher() -> None:
    assert pairs(made([1500] * 4)) == {frozenset({1, 3}), frozenset({2, 4})}


def test_in_the_first_round_starts_alternate_from_board_to_board_and_a_lot_says_from_whom() -> None:
    golds = {
        seed: [each.home <= 4 for each in pair(made(8), seed=bytes([seed]))] for seed in range(9)
    }
    assert {tuple(each) for each in golds.values()} == {
        (True, False, True, False),
        (False, True, False, True),
    }


def test_winners_meet_winners() -> None:
    event = met(made(4, meeting="pair"), (1, 3), (2, 4))
    assert pairs(event) == {frozenset({1, 2}), frozenset({3, 4})}


def test_nobody_meets_twice_though_they_have_the_same_points() -> None:
    event = met(made(4, meeting="pair"), (1, 3), (2, 4))
    event = met(event, (1, 2), (3, 4))
    assert pairs(event) == {frozenset({1, 4}), frozenset({2, 3})}


def test_when_all_have_met_the_oldest_meeting_is_repeated() -> None:
    event = made(4, meeting="pair")
    event = met(event, (1, 3, DRAWN), (2, 4, DRAWN))
    event = met(event, (1, 2, DRAWN), (3, 4, DRAWN))
    event = met(event, (1, 4, DRAWN), (2, 3, DRAWN))
    found = pair(event, seed=SEED)
    assert {frozenset(each.entrants) for each in found} == {frozenset({1, 3}), frozenset({2, 4})}
    assert all("repeat_unavoidable" in codes(each) for each in found)


def test_two_who_both_started_do_not_meet_if_it_can_be_helped() -> None:
    # 1 and 2 won as Gold: in the next round one of them would start a second time.
    event = met(made(4), (1, 3), (2, 4))
    found = pair(event, seed=SEED)
    assert {frozenset(each.entrants) for each in found} == {frozenset({1, 4}), frozenset({2, 3})}
    assert {each.home for each in found} == {3, 4}


def test_the_bye_is_for_the_lowest_without_one() -> None:
    event = made(5, meeting="pair")
    (bye,) = [each for each in pair(event, seed=SEED) if each.is_bye]
    assert bye.home == 5
    assert codes(bye) == {"bye_lowest"}
    event = met(event, (1, 3), (2, 4), (5, None))
    event = changed(event, 5, rating=1000)
    (bye,) = [each for each in pair(event, seed=SEED) if each.is_bye]
    assert bye.home == 4
    assert bye.games == ()


def test_who_is_out_or_comes_later_is_not_paired() -> None:
    event = changed(made(6), 2, standing="withdrawn")
    event = changed(event, 3, standing="disqualified")
    event = changed(event, 4, standing="waiting")
    event = changed(event, 5, first_round=2)
    assert pairs(event) == {frozenset({1, 6})}
    event = met(event, (1, 6))
    assert {number for couple in pairs(event) for number in couple} == {1, 5, 6}


def test_a_game_that_goes_on_counts_as_a_draw() -> None:
    event = met(made(6, meeting="pair"), (1, 4), (2, 5), (3, 6, DRAWN))
    encounters = list(event.encounters)
    encounters[1] = replace(encounters[1], games=(replace(encounters[1].games[0], result=None),))
    event = replace(event, encounters=tuple(encounters))
    (encounter,) = [each for each in pair(event, seed=SEED) if 2 in each.entrants]
    assert encounter.opponent_of(2) in {3, 6}
    assert "running_as_draws" in codes(encounter)


def test_a_pair_is_two_games_with_houses_swapped_and_a_bid_is_one() -> None:
    for encounter in pair(made(4, meeting="pair"), seed=SEED):
        assert [(game.gold, game.black) for game in encounter.games] == [
            (encounter.home, encounter.away),
            (encounter.away, encounter.home),
        ]
    for encounter in pair(made(4, meeting="bid"), seed=SEED):
        assert len(encounter.games) == 1
        assert "bid_decides" in codes(encounter)


def test_encounters_are_numbered_on() -> None:
    event = paired(made(4), pair(made(4), seed=SEED))
    found = pair(event, seed=SEED)
    assert [each.number for each in found] == [3, 4]
    assert {each.round for each in found} == {2}


def test_the_same_seed_gives_the_same_round() -> None:
    assert pair(made(31), seed=SEED) == pair(made(31), seed=SEED)


def test_nobody_is_no_round_and_one_alone_has_a_bye() -> None:
    assert pair(made(0), seed=SEED) == ()
    (alone,) = pair(made(1), seed=SEED)
    assert alone.is_bye
