"""Tables equal an independent slow computation, and every explanation of one is true."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournaments import explaining
from pbem.tournaments.explaining import Explained, explain, explanations
from pbem.tournaments.standings import Table, table_of
from pbem.tournaments.tie_breaks import UNITS
from tests.tournaments.random_events import random_event
from tests.tournaments.slow_table import SlowTable

FORMATS = ("swiss", "round_robin", "league")


def compare(table: Table, slow: SlowTable) -> None:
    expected = [(group[0], sorted(group)) for group in slow.ranking()]
    found: dict[int, list[int]] = {}
    for row in table.rows:
        found.setdefault(row.place, []).append(row.entrant)
        assert Fraction(row.points, 2) == slow.points(row.entrant)
        for tie_break, figure in zip(table.tie_breaks, row.figures, strict=True):
            if tie_break != "direct":
                assert figure is not None
                assert Fraction(figure, UNITS[tie_break]) == slow.figure(tie_break, row.entrant)
    assert [sorted(group) for group in found.values()] == [group for _, group in expected]
    assert [row.is_shared for row in table.rows] == [
        len(found[row.place]) > 1 for row in table.rows
    ]


def check(told: Explained, table: Table, slow: SlowTable) -> None:
    """That what is told is so, by the slow computation alone."""
    facts = told.facts
    above, below = int(facts["above"]), int(facts["below"])
    if told.code == "disqualified":
        assert slow.event.entrant(below).standing == "disqualified"
        assert slow.event.entrant(above).standing != "disqualified"
        return
    if told.code == "points":
        assert int(facts["more"]) == 2 * slow.points(above)
        assert int(facts["less"]) == 2 * slow.points(below)
        assert slow.points(above) > slow.points(below)
        return
    assert slow.points(above) == slow.points(below)
    for name in str(facts["level"]).split(","):
        if name not in ("", "direct"):
            assert slow.figure(name, above) == slow.figure(name, below)
    if told.code == "shared":
        return
    assert int(facts["points"]) == 2 * slow.points(above)
    if told.code == "direct_two":
        assert int(facts["more"]) == 2 * sum(slow.between(above, below))
        assert int(facts["less"]) == 2 * sum(slow.between(below, above))
        assert int(facts["more"]) > int(facts["less"])
    elif told.code in ("direct_group", "direct_average"):
        assert Fraction(facts["more"]) > Fraction(facts["less"])
    elif told.code == "direct_certain":
        assert int(facts["count"]) > 1
    else:
        more, less = (slow.figure(told.code, number) for number in (above, below))
        unit = UNITS[told.code]  # type: ignore[index]
        assert int(facts["more"]) == more * unit
        assert int(facts["less"]) == less * unit
        assert more > less


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FORMATS), st.integers(2, 14), st.integers(0, 2**32))
def test_small_tables_equal_a_slow_computation(format_: str, count: int, seed: int) -> None:
    event = random_event(Random(seed), count=count, format_=format_)
    table, slow = table_of(event), SlowTable(event)
    compare(table, slow)
    told = explanations(table)
    assert len(told) == max(len(table.rows) - 1, 0)
    for each in told:
        check(each, table, slow)


@pytest.mark.parametrize(("format_", "count"), [("swiss", 128), ("swiss", 61), ("league", 33)])
def test_large_tables_equal_a_slow_computation(format_: str, count: int) -> None:
    event = random_event(Random(count), count=count, format_=format_)
    table, slow = table_of(event), SlowTable(event)
    compare(table, slow)
    for each in explanations(table):
        check(each, table, slow)


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 9), st.integers(0, 2**32))
def test_any_two_of_a_table_are_explained_truly(count: int, seed: int) -> None:
    rng = Random(seed)
    event = random_event(rng, count=count, format_="round_robin")
    table, slow = table_of(event), SlowTable(event)
    one, other = rng.sample([row.entrant for row in table.rows], 2)
    told = explain(event, one, other)
    places = {row.entrant: row.place for row in table.rows}
    assert {told.facts["above"], told.facts["below"]} == {one, other}
    assert places[int(told.facts["above"])] <= places[int(told.facts["below"])]
    assert (told.code == "shared") == (places[one] == places[other])
    check(told, table, slow)


def test_who_is_not_in_the_table_is_not_explained() -> None:
    event = random_event(Random(1), count=4, format_="round_robin")
    with pytest.raises(explaining.NotInTable):
        explain(event, 1, 1)
    with pytest.raises(explaining.NotInTable):
        explain(event, 1, 9)
