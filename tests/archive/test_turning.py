"""Turned boards play the same game: whole random games, order by order, and counted lines."""

from __future__ import annotations

from random import Random

import pytest

from pbem.archive.turning import (
    AS_IT_IS,
    HALF_TURN,
    MIRROR,
    MIRRORED_HALF_TURN,
    TURNED_HEXES,
    swaps_houses,
    swaps_sides,
    turn_position,
    turnings_of,
)
from pbem.games.ortus.actions import END, GUIDE, RETURN, Action
from pbem.games.ortus.arena import get_arena, make_arena
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.hexes import BLACK, GOLD, OFF_BOARD, distance, get_hex, hex_name
from pbem.games.ortus.perft import perft
from pbem.games.ortus.position import Position, opening
from pbem.games.ortus.turn import decide, perform
from tests.ortus.positions import random_arena, random_face, random_position

ALL = (AS_IT_IS, HALF_TURN, MIRROR, MIRRORED_HALF_TURN)


def turned_action(action: Action, turning: int) -> Action:
    to = TURNED_HEXES[turning]

    def slot(number: int) -> int:
        return 7 - number if number >= 0 and swaps_sides(turning) else number

    who, partner = slot(action.who), slot(action.partner)
    if partner >= 0:
        who, partner = sorted((who, partner))
    return Action(
        action.verb, who, to.get(action.to, action.to), to.get(action.landing, -1), partner
    )


def seen(position: Position, turning: int) -> tuple[object, ...]:
    """Everything of a position as it looks on the turned board, in the middle of a turn too."""
    begun = turn_position(position, turning)
    to = TURNED_HEXES[turning]
    question = position.question
    return (
        begun.active,
        begun.energy,
        begun.honour,
        begun.guide,
        begun.hexes,
        begun.rules.elements,
        position.owed,
        position.returning,
        None if position.winner is None else (position.winner ^ swaps_houses(turning)),
        question and sorted((to[victim.hex], victim.power) for victim in question.victims),
    )


def follow(position: Position, turned: Position, turning: int, rng: Random) -> None:
    """Play at random on one board and the same on the other: nothing may ever differ."""
    for _ in range(250):
        if position.winner is not None:
            break
        if position.question is not None:
            victims = position.question.victims
            energy = position.energy[position.passive]
            saved = set()
            for victim in victims:
                if victim.power <= energy and rng.random() < 0.5:
                    energy -= victim.power
                    saved.add(victim.hex)
            assert turned.question is not None
            position = decide(position, [victim.hex in saved for victim in victims])
            there = {TURNED_HEXES[turning][hex_] for hex_ in saved}
            turned = decide(turned, [victim.hex in there for victim in turned.question.victims])
        else:
            actions = legal_actions(position)
            assert sorted(turned_action(action, turning) for action in actions) == sorted(
                legal_actions(turned)
            )
            # Where a player leaves a choice to the server the mirror is not the same.
            open_choices = [action for action in actions if action.verb in (GUIDE, RETURN)]
            action = rng.choice(actions)
            if action.verb == END and open_choices:
                action = rng.choice(open_choices)
            face = random_face(rng, position, action)
            position = perform(position, action, face=face)
            turned = perform(turned, turned_action(action, turning), face=face)
        assert seen(turned, AS_IT_IS) == seen(position, turning)


@pytest.mark.parametrize("turning", ALL[1:])
@pytest.mark.parametrize("level", range(len(LEVELS)))
def test_a_turned_game_is_the_same_game(level: int, turning: int) -> None:
    for number in range(4):
        rng = Random(100 * level + 10 * turning + number)
        position = random_position(rng, level=level)
        if turning not in turnings_of(position.rules.arena):
            continue
        follow(position, turn_position(position, turning), turning, rng)


@pytest.mark.parametrize("arena", ["origin", "crown"])
@pytest.mark.parametrize("turning", ALL[1:])
def test_the_opening_turned(arena: str, turning: int) -> None:
    rng = Random(arena + str(turning))
    rules = random_position(rng, level=4).rules
    first = opening(type(rules)(get_arena(arena), 4, rules.elements, starter=BLACK))
    turned = turn_position(first, turning)
    assert turned.rules.starter == (GOLD if swaps_houses(turning) else BLACK)
    follow(first, turned, turning, rng)


def test_the_same_number_of_lines() -> None:
    for number in range(6):
        position = random_position(Random(number), level=4)
        if OFF_BOARD in position.hexes[position.active]:
            continue
        for turning in turnings_of(position.rules.arena):
            assert perft(turn_position(position, turning), 2) == perft(position, 2)


def test_turnings_keep_distances_and_havens() -> None:
    rng = Random(3)
    for turning, to in zip(ALL, TURNED_HEXES, strict=True):
        assert all(to[to[hex_]] == hex_ for hex_ in to)
        for _ in range(200):
            a, b = rng.sample(sorted(to)[1:], 2)
            assert distance(to[a], to[b]) == distance(a, b)
        assert hex_name(to[get_hex("H1")]) == ("H1", "H15", "O1", "A15")[turning]
        assert to[get_hex("H8")] == get_hex("H8")


def test_which_turnings_fit_an_arena() -> None:
    assert turnings_of(get_arena("origin")) == ALL
    assert turnings_of(get_arena("crown")) == ALL
    wells = ("F6", "I6", "L6", "B8", "N8", "D10", "G10", "J10")
    lopsided = make_arena("own", wells=wells, cuts=("H5", "H11"))
    assert turnings_of(lopsided) == (AS_IT_IS, HALF_TURN)
    askew = make_arena("own", wells=("G5", "I6", "L6", "B8", "N8", "D10", "G10", "I11"))
    assert turnings_of(askew) == (AS_IT_IS, HALF_TURN)


def test_a_mirror_that_does_not_fit_is_another_game() -> None:
    """The proof can fail: a lopsided arena mirrored has other actions."""
    rng = Random(1)
    wells = ("F6", "I6", "L6", "B8", "N8", "D10", "G10", "J10")
    lopsided = make_arena("own", wells=wells, cuts=("H5", "H11", "J3", "F13"))
    position = random_position(rng, level=0)
    moved = type(position.rules)(lopsided, 0, position.rules.elements)
    first = opening(moved, starter_energy=7)
    with pytest.raises(AssertionError):
        follow(first, turn_position(first, MIRROR), MIRROR, rng)


def test_random_arenas_of_both_kinds_were_tried() -> None:
    kinds = {turnings_of(random_arena(Random(number))) for number in range(20)}
    assert len(kinds) == 2
