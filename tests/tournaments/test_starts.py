"""What entrants have had of the first turn, and who has it next."""

from __future__ import annotations

from dataclasses import replace

from pbem.tournaments.event import Encounter, Event, Result
from pbem.tournaments.starts import Past, balance, choose, games_of, out_of_balance, pasts
from tests.tournaments.events import made, met, played


def test_balance_counts_every_game_that_is_paired_also_those_that_go_on() -> None:
    event = met(made(4), (1, 2), (3, 4))
    event = met(event, (1, 3), (2, 4))
    event = replace(event, encounters=(*event.encounters[:3], running(event)))
    assert [balance(event, number) for number in (1, 2, 3, 4)] == [2, 0, 0, -2]


def running(event: Event) -> Encounter:
    last = event.encounters[-1]
    return replace(last, games=tuple(replace(game, result=None) for game in last.games))


def test_a_game_that_was_annulled_counts_for_nothing() -> None:
    event = met(made(2), (1, 2, Result(0, 0, ending="void")))
    assert balance(event, 1) == 0
    assert pasts(event)[1].houses == ()


def test_with_a_bid_the_bidding_says_who_started_and_till_then_nobody_did() -> None:
    event = made(2, meeting="bid")
    event = met(event, (1, 2, Result(2, 0, starter="black")))
    assert (balance(event, 1), balance(event, 2)) == (-1, 1)
    assert (pasts(event)[1].tilt, pasts(event)[2].tilt) == (1, -1)
    encounter = replace(event.encounters[0], games=games_of(1, 2, "bid"))
    assert balance(replace(event, encounters=(encounter,)), 1) == 0


def test_a_pair_leaves_everybody_in_balance() -> None:
    event = met(made(2, meeting="pair"), (1, 2))
    encounter = replace(event.encounters[0], games=games_of(1, 2, "pair"))
    event = played(replace(event, encounters=(encounter,)), lambda _: Result(2, 0))
    assert balance(event, 1) == balance(event, 2) == 0


def test_who_had_it_less_starts_then_who_had_it_longer_ago_then_the_lot_decides() -> None:
    less, more = Past(1, ("gold", "black")), Past(2, ("gold",))
    for pair in ((less, more), (more, less)):
        choice = choose(*pair, upper_by_lot=pair[0] is more)
        assert (choice.gold, choice.black, choice.why.code) == (1, 2, "start_balances")
    late, early = Past(1, ("black", "gold", "black")), Past(2, ("gold", "black", "black"))
    for pair in ((late, early), (early, late)):
        choice = choose(*pair, upper_by_lot=pair[0] is late)
        assert (choice.gold, choice.why.code) == (2, "start_alternates")
    for upper in (True, False):
        choice = choose(late, replace(late, number=2), upper_by_lot=upper, about="house")
        assert (choice.gold, choice.why.code) == (1 if upper else 2, "house_by_lot")


def test_balance_is_lost_only_beyond_one() -> None:
    assert out_of_balance(-1, 1) == out_of_balance(0, 0) == out_of_balance(0, 1) == 0
    assert out_of_balance(1, 1) == out_of_balance(-1, -1) == 1
    assert out_of_balance(1, -1) == 2
