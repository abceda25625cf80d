"""Round robins: one group, several, and their final."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, pairwise

import pytest

from pbem.tournaments.event import Encounter, Event
from pbem.tournaments.round_robin import FINAL, finals, groups, schedule
from pbem.tournaments.starts import balance
from tests.tournaments.events import WON, changed, made, paired, played

SEED = b"seed"


def robin(count: int, **fields: object) -> Event:
    return made(count, format="round_robin", **fields)


def meetings(encounters: tuple[Encounter, ...]) -> Counter[frozenset[int]]:
    return Counter(frozenset(each.entrants) for each in encounters)


def all_pairs(members: Iterable[int]) -> dict[frozenset[int], int]:
    return {frozenset(pair): 1 for pair in combinations(members, 2)}


@pytest.mark.parametrize("count", range(2, 34))
def test_all_meet_all_once_and_starts_are_balanced_within_one(count: int) -> None:
    found = schedule(robin(count, pace="rounds"), seed=SEED)
    assert meetings(found) == {
        frozenset({a, b}): 1 for a in range(1, count + 1) for b in range(1, a)
    }
    assert [each.number for each in found] == list(range(1, len(found) + 1))
    assert all(one.round <= other.round for one, other in pairwise(found))
    for last in range(1, found[-1].round + 1):
        event = paired(robin(count), [each for each in found if each.round <= last])
        assert all(abs(balance(event, each.number)) <= 1 for each in event.entrants)


@pytest.mark.parametrize("count", [2, 5, 8])
def test_in_two_cycles_everybody_has_both_houses_against_everybody(count: int) -> None:
    found = schedule(robin(count, cycles=2), seed=SEED)
    golds = Counter((each.games[0].gold, each.games[0].black) for each in found)
    both = [(a, b) for a in range(1, count + 1) for b in range(1, count + 1) if a != b]
    assert golds == dict.fromkeys(both, 1)
    back = [each for each in found if "table_back" in {why.code for why in each.why}]
    assert len(back) == len(found) // 2


def test_what_a_second_meeting_says_of_the_first_is_true() -> None:
    found = schedule(robin(6, cycles=2, pace="rounds"), seed=SEED)
    for encounter in found:
        for why in encounter.why:
            if why.code == "table_back":
                (first,) = [
                    each
                    for each in found
                    if each.round == why.facts["round"]
                    and set(each.entrants) == set(encounter.entrants)
                ]
                assert first.round < encounter.round
                assert first.home == encounter.away


def test_all_games_that_begin_together_are_of_one_round() -> None:
    assert {each.round for each in schedule(robin(7), seed=SEED)} == {1}
    assert {each.round for each in schedule(robin(7, pace="rounds"), seed=SEED)} == set(range(1, 8))


def test_who_is_free_in_a_round_has_no_bye() -> None:
    assert not any(each.is_bye for each in schedule(robin(7, pace="rounds"), seed=SEED))


def test_groups_are_seeded_there_and_back_and_nearly_equal() -> None:
    event = robin(11, group_size=4)
    assert groups(event) == {"A": (1, 6, 7), "B": (2, 5, 8, 11), "C": (3, 4, 9, 10)}
    found = schedule(event, seed=SEED)
    for stage, members in groups(event).items():
        of_stage = tuple(each for each in found if each.stage == stage)
        assert meetings(of_stage) == {
            frozenset({a, b}): 1 for a in members for b in members if a < b
        }


def test_one_group_that_holds_all_has_no_name() -> None:
    assert groups(robin(4, group_size=4)) == {"": (1, 2, 3, 4)}
    assert groups(robin(4)) == {"": (1, 2, 3, 4)}


def test_there_can_be_more_groups_than_letters() -> None:
    names = list(groups(robin(60, group_size=2)))
    assert names[25:28] == ["Z", "AA", "AB"]
    assert len(set(names)) == 30


def test_who_is_out_is_in_no_group() -> None:
    event = changed(robin(4), 2, standing="withdrawn")
    assert groups(event) == {"": (1, 3, 4)}


def grouped(count: int = 8, **fields: object) -> Event:
    event = robin(count, group_size=4, pace="rounds", **fields)
    return played(paired(event, schedule(event, seed=SEED)), lambda _: WON)


def test_the_best_of_each_group_play_the_final() -> None:
    event = grouped()
    found = finals(event, seed=SEED, tables={"A": [4, 1, 8, 5], "B": [6, 7, 2, 3]})
    assert meetings(found) == all_pairs([1, 4, 6, 7])
    assert {each.stage for each in found} == {FINAL}
    assert [each.number for each in found] == list(range(13, 19))
    assert {each.round for each in found} == {4, 5, 6}


def test_who_is_out_leaves_the_final_to_the_next() -> None:
    event = changed(grouped(), 1, standing="withdrawn")
    found = finals(event, seed=SEED, tables={"A": [4, 1, 8, 5], "B": [6, 7, 2, 3]})
    assert {number for each in found for number in each.entrants} == {4, 8, 6, 7}


def test_starts_of_group_and_final_make_up_for_each_other() -> None:
    event = grouped(16, finalists=1)
    wanted = dict(zip("ABCD", (1, 1, -1, -1), strict=True))
    tables = {
        stage: [each for each in members if balance(event, each) == wanted[stage]]
        for stage, members in groups(event).items()
    }
    event = paired(event, finals(event, seed=SEED, tables=tables))
    assert [balance(event, table[0]) for table in tables.values()] == [0, 0, 0, 0]


def test_the_lot_says_who_has_which_place() -> None:
    tables = {
        tuple(each.entrants for each in schedule(robin(6), seed=bytes([seed]))) for seed in range(9)
    }
    assert len(tables) > 1
    assert schedule(robin(6), seed=SEED) == schedule(robin(6), seed=SEED)
