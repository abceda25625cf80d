"""Turns put together by clicking: what is offered is legal, and all that is legal is offered."""

from __future__ import annotations

from random import Random

import pytest

from pbem.games.base import Accepted
from pbem.games.choices import Choices
from pbem.games.ortus.choosing import find_choices
from tests.ortus.drawing import HOUSES
from tests.ortus.games import GAME, TWO_ARCHERS, VARIANTS, WAVE, Table, random_table, study


def choices(game: Table, *path: str, seat: int = 0) -> Choices:
    found = find_choices(game.state.view(seat), path)
    assert found is not None
    return found


def test_a_walk_is_offered_with_its_cost_and_the_hexes_to_click() -> None:
    offered = {choice.order: choice for choice in choices(study(**TWO_ARCHERS)).choices}
    walk = offered["F2>I8"]
    assert (walk.kind, walk.sources, walk.target, walk.cost) == ("move", ("I7",), "I8", 1)
    shot = offered["W1 rng I4"]
    assert (shot.kind, shot.sources, shot.target, shot.cost) == ("attack", ("F4",), "I4", 3)
    assert offered["end"].sources == ()


def test_behind_an_order_the_board_has_changed() -> None:
    found = choices(study(**TWO_ARCHERS), "F2>I8")
    assert ("I8", "F2") in {(piece.cell, piece.label) for piece in found.scene.pieces}
    assert not any(choice.order.startswith("F2>") for choice in found.choices)
    assert [(arrow.source, arrow.target) for arrow in found.scene.arrows] == [("I7", "I8")]


def test_an_attack_forks_into_its_ends_and_a_guard_takes_one() -> None:
    game = study(**TWO_ARCHERS)
    found = choices(game, "W1 rng I4")
    assert {fork.guard for fork in found.forks} == {"-", "+"}
    assert "I4" in {piece.cell for piece in choices(game, "W1 rng I4", "[+]").scene.pieces}
    fell = choices(game, "W1 rng I4", "[-]")
    assert "I4" not in {piece.cell for piece in fell.scene.pieces}
    assert fell.forks == ()


def test_several_victims_are_named_in_the_guards() -> None:
    guards = {fork.guard for fork in choices(study(**WAVE), "A4 wave G6@F6").forks}
    assert "G6-,I6-,K6-" in guards
    assert all(guard.count(",") in (0, 1, 2) for guard in guards)


def test_what_cannot_be_done_is_told_with_its_step() -> None:
    found = choices(study(**TWO_ARCHERS), "F2>I8", "F2>I9")
    assert found.step == 1
    assert found.fault is not None
    assert found.fault.code == "already_moved"
    assert choices(study(**TWO_ARCHERS), "gibberish").fault is not None
    wrong = choices(study(**TWO_ARCHERS), "F2>I8", "[-]").fault
    assert wrong is not None
    assert wrong.code == "no_such_end"


def test_nothing_is_offered_to_who_is_not_on_turn() -> None:
    assert find_choices(study(**TWO_ARCHERS).state.view(1), ()) is None


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_every_choice_is_accepted(variant: int) -> None:
    table = random_table(variant, VARIANTS[variant], entries=30, until="turn")
    (house,) = [house for house, kind in table.asked() if kind == "turn"]
    seat = HOUSES.index(house)
    found = choices(table, seat=seat)
    for choice in Random(variant).sample(found.choices, min(40, len(found.choices))):
        done = GAME.submit(table.state, seat, choice.order)
        assert isinstance(done, Accepted), choice
