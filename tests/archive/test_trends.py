"""Energy, honour and Wells over a game, against the boards of the game itself."""

from __future__ import annotations

import pytest

from notation.record_reading import parse_record, read_records
from pbem.archive.framing import make_document
from pbem.archive.trends import Trends, draw_trends, find_trends
from pbem.catalogues import get_tongue
from pbem.games.ortus.replaying import moments
from tests.ortus.games import TWO_ARCHERS, VARIANTS, random_table, study


def trends_of(text: str) -> Trends:
    return find_trends(make_document(parse_record(text)))


def test_a_turn_with_a_save_and_a_fall() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4")
    game.send("black", "+")
    game.send("gold", "F2 rng I4")
    game.send("black", "-")
    game.send("gold", "end")
    trends = trends_of(game.record())
    assert trends.labels == ("5g",)
    # Gold paid 3 for each shot, Black 4 for the save; the 14 that Black collects are not kept.
    assert trends.energy == ((14, 14), (8, 10))
    assert trends.honour == ((0, 0), (1, 0))
    assert trends.wells == ((0, 1), (0, 1))


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_the_last_figures_of_each_turn_are_those_of_its_last_board(
    options: dict[str, object],
) -> None:
    record = parse_record(random_table(11, options, entries=120).record())
    trends = find_trends(make_document(record))
    assert trends.labels == tuple(f"{turn.round}{turn.side}" for turn in record.turns)
    last = {(turn.round, turn.side): after for turn, _, after in moments(record)}
    for index, after in enumerate(last.values(), start=1):
        assert trends.honour[index] == after.honour
        assert trends.wells[index] == (after.wells_held(0), after.wells_held(1))


def test_a_turn_that_is_not_over_has_kept_nothing_yet() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1>F5")
    assert trends_of(game.record()).energy == ((14, 14), (14, 14))


def test_a_record_with_a_fault_is_shown_as_far_as_it_can_be_played() -> None:
    text = random_table(3, {"level": "master"}, entries=40).record()
    whole = trends_of(text)
    lines = text.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("3"))
    lines[place] = lines[place][:4] + "W1>H8; end"
    record = next(read_records("\n".join(lines), mode="recover")).record
    cut = find_trends(make_document(record))
    assert 0 < len(cut.labels) < len(whole.labels)
    assert whole.energy[: len(cut.energy)] == cut.energy


def test_without_a_start_there_is_nothing_to_show() -> None:
    text = random_table(3, {"level": "master"}, entries=40).record()
    wrong = text.replace('[GoldSetup "', '[GoldSetup "X')
    record = next(read_records(wrong, mode="recover")).record
    assert find_trends(make_document(record)) == Trends((), (), (), ())


def test_the_chart_speaks_and_holds_every_figure() -> None:
    trends = Trends(("1g",), ((14, 7), (33, 0)), ((0, 0), (1, 0)), ((0, 0), (2, 1)))
    chart = draw_trends(trends, tongue=get_tongue("nl"))
    assert chart.names == ("Goud", "Zwart")
    assert [strip.title for strip in chart.strips] == [
        "Energie bewaard voor verdedigen",
        "Eer",
        "Bronnen",
    ]
    assert list(chart.rows()) == [
        ("Begin", ((14, 7), (0, 0), (0, 0))),
        ("1g", ((33, 0), (1, 0), (2, 1))),
    ]
    assert chart.strips[0].maximum >= 33
