"""Hypothesis strategies for everything that can be written: orders, guards, plans, rules.

They make what reading can give back, no more: dragons with the lower slot first, a landing only
behind a charge, a bracket only behind an attack, nothing of the turn behind ``end``.
"""

from __future__ import annotations

from hypothesis import strategies as st

from notation.hexes import HEX_NAMES
from notation.orders import (
    Attack,
    Bid,
    Branch,
    Decision,
    DrawAnswer,
    DrawClaim,
    DrawOffer,
    End,
    Guard,
    GuideStep,
    Kite,
    Order,
    Pass,
    Plan,
    Resign,
    Return,
    Setup,
    Standing,
    Step,
    Walk,
)
from notation.standing import StandingRule

hexes: st.SearchStrategy[str] = st.sampled_from(sorted(HEX_NAMES))
slots: st.SearchStrategy[str] = st.sampled_from("12345678")
elements: st.SearchStrategy[str] = st.sampled_from("WEAF")
warriors: st.SearchStrategy[str] = st.builds("{}{}".format, st.one_of(elements, st.just("")), slots)
limits: st.SearchStrategy[int | None] = st.none() | st.integers(0, 99)
standing_rules: st.SearchStrategy[StandingRule] = st.builds(
    StandingRule,
    st.sampled_from(["block", "fall", "ask"]),
    st.one_of(
        st.just("all"),
        st.builds("{}*".format, elements),
        st.builds("{}{}".format, elements, slots),
    ),
    limits,
    limits,
)


def _dragons(pair: list[str], target: str) -> Attack:
    first, second = sorted(pair, key=lambda name: name[-1])
    return Attack("drg", first, target, partner=second)


attacks: st.SearchStrategy[Attack] = st.one_of(
    st.builds(Attack, st.sampled_from(["str", "rng"]), warriors, hexes),
    st.builds(Attack, st.sampled_from(["chg", "wave", "six"]), warriors, hexes, st.none() | hexes),
    st.builds(Attack, st.just("drg"), st.none(), hexes),
    st.builds(
        _dragons,
        st.lists(warriors, min_size=2, max_size=2, unique_by=lambda name: name[-1]),
        hexes,
    ),
)
decisions: st.SearchStrategy[Decision] = st.builds(
    Decision, st.one_of(hexes, st.just("all"), st.none()), st.booleans()
)
turn_orders: st.SearchStrategy[Order] = st.one_of(
    st.builds(Walk, warriors, hexes),
    st.builds(Kite, warriors, hexes),
    attacks,
    st.builds(GuideStep, hexes),
    st.builds(Return, warriors, hexes | st.just("guide")),
)
other_orders: st.SearchStrategy[Order] = st.one_of(
    decisions,
    st.builds(Setup, st.permutations("WWEEAAFF").map("".join)),
    st.builds(Bid, st.integers(0, 99)),
    st.sampled_from([Pass(), Resign(), DrawOffer(), DrawClaim()]),
    st.builds(DrawAnswer, st.booleans()),
)
standing_orders: st.SearchStrategy[Standing] = st.builds(
    Standing, st.lists(standing_rules, max_size=4).map(tuple)
)
orders: st.SearchStrategy[Order] = st.one_of(
    turn_orders, other_orders, standing_orders, st.just(End())
)
guards: st.SearchStrategy[Guard] = st.builds(
    Guard, st.lists(st.tuples(st.none() | hexes, st.booleans()), max_size=3).map(tuple)
)


def _with_end(steps: list[Step], ends: bool) -> tuple[Step, ...]:
    return (*steps, Step(End())) if ends else tuple(steps)


def _steps(inner: st.SearchStrategy[tuple[Step, ...]]) -> st.SearchStrategy[tuple[Step, ...]]:
    branches = st.lists(st.builds(Branch, guards, inner), min_size=1, max_size=3).map(tuple)
    step = st.one_of(
        st.builds(Step, turn_orders | other_orders), st.builds(Step, attacks, branches)
    )
    return st.builds(_with_end, st.lists(step, max_size=3), st.booleans())


_flat_steps: st.SearchStrategy[tuple[Step, ...]] = st.builds(
    _with_end, st.lists(st.builds(Step, turn_orders | other_orders), max_size=3), st.booleans()
)
_nested_steps = st.recursive(_flat_steps, _steps, max_leaves=8)


def _with_standing(steps: tuple[Step, ...], standing: list[Standing]) -> Plan:
    return (*steps, *map(Step, standing))


plans: st.SearchStrategy[Plan] = st.builds(
    _with_standing, _nested_steps, st.lists(standing_orders, max_size=2)
).filter(bool)
