"""Knock-out matches: when they begin, how ties are broken, and what leaving does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.tournaments import knockout, progress
from pbem.tournaments.bracket import THIRD, bracket
from pbem.tournaments.event import Event, Result
from pbem.tournaments.steps import Finish, PairRound, Walkover
from tests.tournaments.simulating import STARTS, opened, with_result, with_standing

WON, LOST, DRAWN = Result(2, 0), Result(0, 2), Result(1, 1)


def begun(count: int, **terms: Any) -> Event:
    return paired(replace(opened(count, format="knockout", **terms), phase="running"))


def paired(event: Event) -> Event:
    made = knockout.pair(event, seed=b"seed")
    number = progress.round_after(event, made)
    return replace(event, encounters=(*event.encounters, *made), round=number)


def won_by(event: Event, number: int, winner: int) -> Event:
    """The event in which all games of an encounter are won by one of the two."""
    for index, game in enumerate(event.encounter(number).games):
        event = with_result(event, number, index, WON if game.gold == winner else LOST)
    return event


def codes(event: Event, number: int) -> list[str]:
    return [why.code for why in event.encounter(number).why]


def test_a_match_begins_as_soon_as_both_of_its_players_are_known() -> None:
    event = won_by(begun(8), 1, 1)
    assert progress.next_step(event, STARTS) is None
    event = won_by(event, 2, 5)
    assert progress.next_step(event, STARTS) == PairRound(2)
    event = paired(event)
    assert set(event.encounters[-1].entrants) == {1, 5}
    assert codes(event, 5) == ["knockout_winners", "both_start"]
    assert progress.next_step(event, STARTS) is None


def test_an_encounter_is_a_pair_of_games_with_houses_and_start_swapped() -> None:
    first, second = begun(4).encounters[0].games
    assert (first.gold, first.black) == (second.black, second.gold)


def test_a_tied_pair_is_decided_by_one_game_with_a_bid() -> None:
    event = begun(2)
    event = with_result(with_result(event, 1, 0, WON), 1, 1, WON)
    assert progress.next_step(event, STARTS) == PairRound(1)
    event = paired(event)
    decider = event.encounters[-1]
    assert (decider.round, decider.board, decider.has_bid) == (1, 1, True)
    assert len(decider.games) == 1
    assert codes(event, 2)[0] == "knockout_decider_bid"
    assert codes(event, 2)[-1] == "bid_decides"
    assert decider.why[0].facts == {"round": 1, "entrant": 1}
    event = with_result(event, 2, 0, LOST)
    assert bracket(event).champion == decider.games[0].black
    assert progress.next_step(event, STARTS) == Finish()


def test_with_a_fixed_set_up_a_tied_pair_is_decided_by_another_in_reverse_order() -> None:
    event = begun(2, agreement={"position": "..."})
    event = paired(with_result(with_result(event, 1, 0, WON), 1, 1, WON))
    first, decider = event.encounters
    assert len(decider.games) == 2
    assert not decider.has_bid
    assert decider.games[0].gold == first.games[0].black
    assert codes(event, 2) == ["knockout_decider", "swapped"]


def test_if_all_is_equal_the_better_seed_goes_on() -> None:
    event = begun(2)
    event = paired(with_result(with_result(event, 1, 0, DRAWN), 1, 1, DRAWN))
    event = with_result(event, 2, 0, DRAWN)
    final = bracket(event).rounds[-1][0]
    assert (final.winner, final.seed_decided) == (1, True)
    assert progress.next_step(event, STARTS) == Finish()


def test_who_went_on_as_the_better_seed_and_leaves_then_does_not_bring_the_other_back() -> None:
    event = begun(4)
    event = paired(with_result(with_result(event, 1, 0, DRAWN), 1, 1, DRAWN))
    event = with_result(event, 3, 0, DRAWN)
    assert bracket(event).rounds[0][0].winner == 1
    event = with_standing(event, (1,), "withdrawn")
    assert bracket(event).rounds[0][0].winner == 1
    event = paired(won_by(event, 2, 2))
    assert event.encounters[-1].entrants == (2,)


def test_single_games_give_gold_to_who_had_it_less() -> None:
    event = begun(4, meeting="single")
    golds = {each.games[0].gold for each in event.encounters}
    (loser_with_gold,) = golds & {each.games[0].gold for each in event.encounters[:1]}
    other = event.encounters[0].games[0].black
    event = won_by(event, 1, other)
    second = event.encounters[1].games[0]
    event = paired(won_by(event, 2, second.gold))
    final = event.encounters[-1].games[0]
    assert (final.gold, final.black) == (other, second.gold)
    assert loser_with_gold not in event.encounters[-1].entrants
    assert "start_balances" in codes(event, 3)


def test_who_leaves_during_a_match_loses_it_also_after_a_game_that_was_won() -> None:
    event = begun(4)
    first = event.encounters[0]
    gold = first.games[0].gold
    event = with_standing(with_result(event, 1, 0, WON), (gold,), "withdrawn")
    step = progress.next_step(event, STARTS)
    assert step == Walkover(1, 1, Result(2, 0, "forfeit"))
    event = with_result(event, 1, 1, Result(2, 0, "forfeit"))
    assert bracket(event).rounds[0][0].winner == first.opponent_of(gold)


def test_who_should_have_met_somebody_who_left_goes_on_without_playing() -> None:
    event = won_by(won_by(begun(4), 1, 1), 2, 2)
    event = paired(with_standing(event, (1,), "withdrawn"))
    last = event.encounters[-1]
    assert (last.home, last.away) == (2, None)
    assert codes(event, 3) == ["knockout_walkover"]
    assert last.why[0].facts == {"entrant": 2, "other": 1}
    assert bracket(event).champion == 2


def test_nobody_is_champion_if_everybody_has_left() -> None:
    event = with_standing(begun(4), (1, 2, 3, 4), "withdrawn")
    for each in event.encounters:
        for index in range(2):
            event = with_result(event, each.number, index, Result(0, 0, "void"))
    assert bracket(event).champion is None
    assert progress.next_step(event, STARTS) == Finish()


def test_losers_of_the_semi_finals_play_for_the_third_place_if_the_charter_says_so() -> None:
    event = paired(won_by(won_by(begun(4, third_place=True), 1, 1), 2, 2))
    third = next(each for each in event.encounters if each.stage == THIRD)
    assert set(third.entrants) == {3, 4}
    assert [why.code for why in third.why] == ["knockout_third", "both_start"]
    event = won_by(event, third.number, 4)
    (final,) = (each for each in event.encounters if each.round == 2 and each.stage == "")
    assert progress.next_step(event, STARTS) is None
    event = won_by(event, final.number, 2)
    assert progress.next_step(event, STARTS) == Finish()
    assert knockout.places(event) == ((2,), (1,), (4,), (3,))


def test_who_went_out_in_the_same_round_shares_a_place() -> None:
    event = won_by(won_by(begun(4), 1, 1), 2, 2)
    assert knockout.places(event) == ((1, 2), (3, 4))
    event = won_by(paired(event), 3, 1)
    assert knockout.places(event) == ((1,), (2,), (3, 4))


def test_byes_of_the_first_round_are_told_with_the_seed() -> None:
    event = begun(3)
    bye = event.encounters[0]
    assert (bye.home, bye.away) == (1, None)
    (why,) = bye.why
    assert (why.code, why.facts) == ("knockout_bye", {"entrant": 1, "seed": 1, "of": 3})
