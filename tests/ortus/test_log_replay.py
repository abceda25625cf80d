"""Logs: the same entries give the same game, stored states are the same, changes are found out."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from pbem.games.base import Accepted, Entry
from pbem.games.ortus.game import LogError
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.orders import action_text
from pbem.games.ortus.sampling import random_entry, random_game
from tests.ortus.drawing import HOUSES
from tests.ortus.games import GAME, TWO_ARCHERS, VARIANTS, Table, random_table, study, table


def scattered(number: int) -> Table:
    """A random game with standing rules, offers, decrees and plans among its entries."""
    rng = Random(number)
    game = random_table(number, VARIANTS[number], entries=30)
    for _ in range(60):
        if not game.asked():
            break
        house, kind = game.asked()[0]
        other = HOUSES[1 - HOUSES.index(house)]
        try_send(game, other, rng.choice(["standing: block all <=3 keep 2; fall F*", "draw?"]))
        if rng.random() < 0.2:
            game.decree(rng.choice(["general 0: fall W*", "general 1: off", "halt: message"]))
        if kind == "turn" and game.state.position is not None:
            attacks = [
                text
                for action in legal_actions(game.state.position)
                if action.verb in {"str", "rng", "chg", "wave", "six", "drg"}
                and (text := action_text(game.state.position, action))
            ]
            if attacks:
                attack = rng.choice(attacks)
                try_send(game, house, f"{attack} [-: 3>H4; end | *: 4>I4]; 5>K4; end")
                continue
        if kind == "defence" and rng.random() < 0.3:
            game.decree(f"default {HOUSES.index(house)} {rng.choice(['fall', 'save'])}")
            continue
        entry = random_game_entry(rng, game)
        game.send(HOUSES[entry.seat or 0], entry.text)
    return game


def random_game_entry(rng: Random, game: Table) -> Entry:
    return random_entry(rng, GAME, game.state)


def try_send(game: Table, house: str, text: str) -> None:
    done = GAME.submit(game.state, HOUSES.index(house), text)
    if isinstance(done, Accepted):
        game.send(house, text)
    else:
        entry = random_game_entry(Random(len(game.log)), game)
        game.send(HOUSES[entry.seat or 0], entry.text)


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_a_log_replays_to_the_same_game(number: int) -> None:
    game = scattered(number)
    state, events = GAME.replay(game.start, game.log)
    assert state == game.state
    assert [event for told in events for event in told] == game.events
    record = GAME.record(game.start, game.log, {})
    assert record == game.record()


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_every_state_on_the_way_can_be_stored(number: int) -> None:
    """A stored state must go on exactly as the one that was never stored."""
    game = scattered(number)
    state = GAME.start(game.start)
    for entry in game.log:
        stored = GAME.load(game.start, GAME.dump(state))
        assert stored == state
        done, again = GAME.apply(state, entry), GAME.apply(stored, entry)
        assert isinstance(done, Accepted)
        assert isinstance(again, Accepted)
        assert (again.state, again.text, again.events) == (done.state, done.text, done.events)
        state = done.state
    assert len(GAME.dump(state)) < 4000, "a state does not grow with its game"


@pytest.mark.parametrize(
    ("plan", "answer"),
    [
        ("E3>J2; W1 rng I4; F2 rng I4; end", "fall"),
        ("W1 rng I4 [+: F2 rng I4 [-: end | *: A5>L2] | -: F2>I6; A4>K2]; end", "block"),
        ("W1 rng I4 [-: end]", "resign"),
    ],
)
def test_a_stored_plan_goes_on_in_the_same_way(plan: str, answer: str) -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", plan)
    stored = GAME.load(game.start, GAME.dump(game.state))
    assert stored == game.state
    assert GAME.submit(stored, 1, answer) == GAME.submit(game.state, 1, answer)


def test_canonical_texts_are_read_as_themselves() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "3>j2\nstanding: block all\ndraw?\n 1 rng i4 [ + : 2 rng i4 ] ;end")
    assert game.log[0].text == ("E3>J2; W1 rng I4 [+: F2 rng I4]; end; standing: block all\ndraw?")
    assert GAME.replay(game.start, game.log)[0] == game.state


@pytest.mark.parametrize(
    ("number", "entry"),
    [
        (1, Entry(0, "setup WWEEAAFA")),
        (2, Entry(0, "setup WFEAAEFW")),
        (3, Entry(1, "end")),
        (3, Entry(0, "E3>H8")),
        (3, Entry(0, "")),
        (3, Entry(0, "3>J2")),
        (3, Entry(0, "E3 > J2")),
        (3, Entry(None, "E3>J2")),
        (3, Entry(None, "time 7")),
        (3, Entry(2, "E3>J2")),
        (3, Entry(-1, "E3>J2")),
        (4, Entry(1, "resign ")),
    ],
)
def test_a_changed_entry_is_found_by_its_number(number: int, entry: Entry) -> None:
    game = table()
    game.send("gold", "setup WFEAAEFW")
    game.send("black", "setup FWEAAEWF")
    game.send("gold", "E3>J2")
    game.send("gold", "end")
    game.send("black", "resign")
    log = list(game.log)
    log[number - 1] = entry
    with pytest.raises(LogError) as caught:
        GAME.replay(game.start, log)
    assert caught.value.number == number
    assert str(caught.value).startswith(f"entry {number}: ")
    with pytest.raises(LogError):
        GAME.record(game.start, log, {})


def test_an_entry_left_out_or_behind_the_end_is_found() -> None:
    game = table()
    game.send("gold", "setup WFEAAEFW")
    game.send("black", "setup FWEAAEWF")
    game.send("gold", "E3>J2; end")
    game.send("black", "resign")
    with pytest.raises(LogError) as caught:
        GAME.replay(game.start, game.log[1:])
    assert caught.value.number == 2
    with pytest.raises(LogError) as caught:
        GAME.replay(game.start, [*game.log, Entry(0, "end")])
    assert caught.value.number == 5
    with pytest.raises(LogError) as caught:
        GAME.replay(game.start, [*game.log, Entry(None, "time 0")])
    assert caught.value.number == 5


def test_another_seed_rolls_other_dice() -> None:
    game = study(**TWO_ARCHERS, options={"dice": "dicey"}, energy=(14, 0))
    game.send("gold", "W1 rng I4; end")
    rolls = set()
    for number in range(30):
        start = replace(game.start, seed=bytes([number]) * 32)
        _, events = GAME.replay(start, game.log)
        rolls.add(events[0][0].facts["roll"])
    assert rolls == {(3,), (4,), (5,)}


def test_random_games_are_the_same_again() -> None:
    game = table(level="master")
    assert random_game(Random(5), game.start, max_entries=60) == random_game(
        Random(5), game.start, max_entries=60
    )


@pytest.mark.parametrize("damage", ["[" * 100_000, "{}", "null", "99"])
def test_a_damaged_state_is_a_value_error(damage: str) -> None:
    game = study(**TWO_ARCHERS)
    with pytest.raises(ValueError, match="not a state"):
        GAME.load(game.start, damage)


def test_a_stored_warrior_far_off_the_map_is_a_value_error() -> None:
    game = study(**TWO_ARCHERS)
    far = re.sub(r'"hexes":\[\[-?[0-9]+', '"hexes":[[99999999999', GAME.dump(game.state))
    with pytest.raises(ValueError, match="off the map"):
        GAME.load(game.start, far)
