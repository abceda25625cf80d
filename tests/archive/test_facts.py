"""Facts of a record, and when two records are one game."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from notation.record import Played, Record, make_comment
from notation.record_reading import parse_record
from notation.record_writing import format_record
from pbem.archive.facts import day_of, facts_of, folded
from pbem.games.base import Start
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.sampling import random_game

RECORD = """\
[Event "Winter Cup"]
[Site "pbem.example.org"]
[Date "2026.11.16"]
[Round "2.1"]
[Gold "Adrian"]
[Black "Beau"]
[Result "1-0"]
[Termination "resignation"]
[Arena "origin"]
[Level "master"]
[Dice "clean"]
[Starter "black"]
[StarterEnergy "7"]
[GoldSetup "WFEAAEFW"]
[BlackSetup "FWEAAEWF"]
[GoldRating "1743"]
[BlackRating "provisional"]

1b. W2:kite>G2; E3>F13; end
1g. W1:kite>H7; F2>I3; end
2b. W2 rng H7=-; end
1-0
"""


def with_tags(record: Record, **tags: str) -> Record:
    return replace(record, tags={**record.tags, **tags})


def test_facts_are_those_of_the_tags() -> None:
    facts = facts_of(parse_record(RECORD))
    assert (facts.gold, facts.black, facts.event, facts.round) == (
        "Adrian",
        "Beau",
        "Winter Cup",
        "2.1",
    )
    assert (facts.result, facts.termination, facts.turns) == ("1-0", "resignation", 3)
    assert (facts.level, facts.arena, facts.dice, facts.starter) == (
        "master",
        "origin",
        "clean",
        "black",
    )
    assert (facts.gold_setup, facts.black_setup) == ("WFEAAEFW", "FWEAAEWF")
    assert (facts.gold_rating, facts.black_rating) == (1743, None)
    assert (facts.date, facts.day) == ("2026.11.16", 20261116)


@pytest.mark.parametrize(
    ("date", "day"),
    [
        ("2026.11.16", 20261116),
        ("2026.??.??", 20260000),
        ("????.??.??", 0),
        ("2026.11.??", 20261100),
    ],
)
def test_dates_sort_as_numbers(date: str, day: int) -> None:
    assert day_of(date) == day


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "ANN"), (" Ann  Bee ", "ann bee"), ("Zoë", "ZOE\u0308"), ("Straße", "STRASSE")],
)
def test_names_are_compared_as_people_do(one: str, other: str) -> None:
    assert folded(one) == folded(other)


def test_annotation_does_not_make_another_game() -> None:
    record = parse_record(RECORD)
    first = record.turns[0]
    orders = [
        replace(first.orders[0], nags=(1,), comments=(make_comment("Bold."),)),
        *first.orders[1:],
    ]
    varied = (replace(first, orders=[Played(first.orders[-1].order)]),)
    orders[-1] = replace(orders[-1], variations=(varied,))
    annotated = replace(record, turns=(replace(first, orders=orders), *record.turns[1:]))
    assert format_record(annotated) != format_record(record)
    assert facts_of(annotated).digest == facts_of(record).digest


@pytest.mark.parametrize(
    "tags", [{"Event": "Another"}, {"Gold": "ADRIAN"}, {"Site": "?"}, {"Annotator": "Chris"}]
)
def test_what_is_only_said_of_a_game_does_not_make_another(tags: dict[str, str]) -> None:
    record = parse_record(RECORD)
    assert facts_of(with_tags(record, **tags)).digest == facts_of(record).digest


@pytest.mark.parametrize(
    "tags",
    [{"Gold": "Zed"}, {"Starter": "gold"}, {"GoldSetup": "FWEAAEFW"}, {"Date": "2026.11.17"},
     {"Round": "2.2"}, {"StarterEnergy": "6"}, {"GameId": "g", "SeedHash": "0"}],
)  # fmt: skip
def test_another_game(tags: dict[str, str]) -> None:
    record = parse_record(RECORD)
    assert facts_of(with_tags(record, **tags)).digest != facts_of(record).digest


def test_another_verdict_or_result_is_another_game() -> None:
    record = parse_record(RECORD)
    saved = RECORD.replace("W2 rng H7=-", "W2 rng H7=+")
    assert facts_of(parse_record(saved)).digest != facts_of(record).digest
    assert facts_of(replace(record, result="0-1")).digest != facts_of(record).digest


def test_a_game_with_a_name_of_its_own_stays_itself_when_a_player_leaves() -> None:
    start = Start("a-game", {}, bytes(32))
    text = Ortus().record(start, random_game(Random(1), start), {"Gold": "Ann", "Black": "Ben"})
    record = parse_record(text)
    left = with_tags(record, Gold="(left)")
    assert facts_of(left).digest == facts_of(record).digest
    assert facts_of(with_tags(record, GameId="b-game")).digest != facts_of(record).digest


def test_a_long_game_is_the_same_whatever_its_day() -> None:
    start = Start("a-game", {}, bytes(32))
    tags = {"Gold": "Ann", "Black": "Ben"}
    record = parse_record(Ortus().record(start, random_game(Random(1), start), tags))
    nameless = replace(
        record,
        tags={k: v for k, v in record.tags.items() if k not in {"GameId", "Seed", "SeedHash"}},
    )
    assert len(nameless.turns) >= 6
    assert facts_of(with_tags(nameless, Date="1999.??.??")).digest == facts_of(nameless).digest
