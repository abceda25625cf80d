"""The bench of events, small: it runs, and every figure has a name of its own."""

from __future__ import annotations

import tournaments as bench


def test_a_small_bench_runs() -> None:
    found = bench.bench(bench.Size(players=12, rounds=3, many=20, many_rounds=2))
    assert len({figure.name for figure in found}) == len(found)
    assert any(figure.name.startswith("pairing 12 players") for figure in found)


def test_every_game_of_a_played_event_has_a_result() -> None:
    _, before = bench.swiss_event(6, 3)
    assert before.round == 2
    assert all(each.is_over for each in before.encounters)
