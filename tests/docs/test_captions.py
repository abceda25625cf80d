"""What the words under the drawn boards say is what the rules say."""

from __future__ import annotations

import pytest

from docs.draw_pictures import get_picture
from notation.reading import parse_order
from pbem.games.ortus.hexes import get_hex, hex_name
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.legality import check
from pbem.games.ortus.orders import to_action
from pbem.games.ortus.position import Position
from pbem.games.ortus.turn import decide, default_guide_step, perform


def _position(picture: str) -> Position:
    position = get_picture(picture).find_position()
    assert position is not None
    return position


def _do(position: Position, *orders: str) -> Position:
    for order in orders:
        position = perform(position, to_action(position, parse_order(order)))
    return position


def _asked(position: Position) -> list[tuple[str, int]]:
    assert position.question is not None
    return [(hex_name(victim.hex), victim.power) for victim in position.question.victims]


@pytest.mark.parametrize(
    ("picture", "order", "cost"),
    [
        ("walk", "F2>I6", 6),
        ("strike", "F2 str G7", 0),
        ("range", "W1 rng F8", 3),
        ("range", "F2 rng H10", 5),
        ("charge", "E3 chg F8@E8", 3),
        ("charge", "E3 chg F8@F7", 3),
        ("charge", "E3 chg F8@G7", 4),
        ("charge", "E3 chg F8@E9", 4),
        ("charge", "E3 chg F8@G8", 5),
        ("charge", "E3 chg F8@F9", 5),
        ("jaguar", "W1 rng F6", 3),
        ("bear", "E3 chg G7@G8", 8),
        ("wave", "A4 wave F9@F10", 3),
        ("six", "A4 six F8@F9", 4),
        ("dragons", "F2>D7", 2),
    ],
)
def test_an_order_costs_what_the_caption_says(picture: str, order: str, cost: int) -> None:
    position = _position(picture)
    assert check(position, to_action(position, parse_order(order))) == cost


@pytest.mark.parametrize(
    ("picture", "before", "order", "code"),
    [
        ("strike", "W1>F8", "W1 str G7", "strike_not_next_at_start"),
        ("jaguar", "", "W1 rng L6", "target_covered"),
        ("bear", "", "E3 chg D8@D9", "target_covered"),
        ("collecting", "W1>H2", "W1 rng G11", "not_from_arena"),
        ("six", "", "A4 six G8@F9", "target_covered"),
    ],
)
def test_what_the_caption_rules_out_is_refused(
    picture: str, before: str, order: str, code: str
) -> None:
    position = _position(picture)
    if before:
        position = _do(position, before)
    with pytest.raises(Illegal) as caught:
        check(position, to_action(position, parse_order(order)))
    assert caught.value.code == code


def test_r5_5_nobody_is_asked_for_five_energy_with_four() -> None:
    after = _do(_position("charge"), "E3 chg F8@E8")
    assert after.question is None
    assert after.hexes[1][1] == -1


def test_r6_4_the_third_honour_takes_the_guide_to_j3_or_k3() -> None:
    after = _do(_position("guide"), "W1 rng F8")
    assert after.honour[0] == 3
    for hex_ in ("J3", "K3"):
        _do(after, f"guide>{hex_}")
    with pytest.raises(Illegal):
        _do(after, "guide>L2")
    assert hex_name(default_guide_step(after)) == "K3"


def test_r7_1_one_may_go_to_the_guide_and_three_haven_hexes_are_empty() -> None:
    position = _position("returning")
    for hex_ in ("H1", "I1", "L1"):
        _do(position, "E3 ret guide", f"A5 ret {hex_}")
    with pytest.raises(Illegal):
        _do(position, "E3 ret guide", "A5 ret J1")


def test_r8_1_gold_wins_when_black_only_ends_the_turn() -> None:
    after = _do(_position("five-wells"), "end")
    assert (after.winner, after.reason) == (0, "wells")


def test_m2_1_the_six_places_are_the_outlined_ones() -> None:
    position = _position("kite")
    ends = get_picture("kite").path.split()
    assert len(ends) == 6
    for hex_ in ends:
        _do(position, f"W1:kite>{hex_}")


def test_m3_2_the_landing_reveals_d8() -> None:
    after = _do(_position("bear"), "E3 chg G7@G8")
    assert _asked(after) == [("G7", 6)]
    _do(decide(after, [True]), "W1 rng D8")


def test_m4_1_the_wave_runs_with_powers_5_3_1() -> None:
    first = _do(_position("wave"), "A4 wave F9@F10")
    assert _asked(first) == [("F9", 5)]
    second = decide(first, [False])
    assert _asked(second) == [("F7", 3)]
    assert _asked(decide(second, [False])) == [("F4", 1)]


def test_m4_2_three_are_hit_and_one_can_be_saved() -> None:
    after = _do(_position("six"), "A4 six F8@F9")
    assert _asked(after) == [("F8", 3), ("E9", 3), ("G8", 3)]
    assert hex_name(decide(after, [True, False, False]).hexes[0][1]) == "F8"
    with pytest.raises(Illegal):
        decide(after, [True, True, False])


def test_m5_2_the_charge_meets_the_shield_and_breaks_it() -> None:
    after = _do(_position("phoenix"), "A5 wave G6@F6")
    assert _asked(after) == [("G6", 2)]
    saved = decide(after, [True])
    broken = _position("phoenix-broken")
    assert saved.line() == broken.line()
    assert _asked(_do(saved, "W1 rng G6")) == [("G6", 4)]


def test_m5_3_the_dragons_need_the_walk_and_then_cost_nothing() -> None:
    position = _position("dragons")
    with pytest.raises(Illegal) as caught:
        _do(position, "F2+F7 drg G7")
    assert caught.value.code == "dragons_no_hexline"
    after = _do(position, "F2>D7", "F2+F7 drg G7")
    assert _asked(after) == [("G7", 4)]
    assert after.energy[1] == position.energy[1] - 2
    _do(decide(after, [True]), "F7>G12")


def test_m1_the_fire_has_the_two_hexlines_and_none_of_the_three() -> None:
    from pbem.games.ortus.geometry import share_hexline

    position = _position("hexlines")
    shared = [
        hex_
        for hex_ in ("F6", "J10", "F4", "H11", "I7")
        if share_hexline(position, get_hex("F10"), get_hex(hex_))
    ]
    assert shared == ["F6", "J10"]
