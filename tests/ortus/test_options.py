"""Options: every fault at once, every option for itself."""

from __future__ import annotations

import pytest

from pbem.games.base import OptionsError, Start
from pbem.games.ortus.arena import get_arena
from pbem.games.ortus.figures import COLLECTING, LEVELS
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.options import NAMES, Options, parse_options
from tests.ortus.games import line

OWN_ARENA = """
name = "mine"
wells = ["F5", "I6", "L6", "B8", "N8", "D10", "G10", "J11"]
cuts = ["G7", "I9"]
"""


def faults_of(**raw: object) -> dict[str, str]:
    with pytest.raises(OptionsError) as caught:
        parse_options(raw)
    for name, fault in caught.value.faults.items():
        assert f"{name}: {fault}" in str(caught.value)
    return caught.value.faults


def test_nothing_asked_for_is_the_plain_game() -> None:
    assert parse_options({}) == Options(arena=get_arena("origin"))


def test_every_fault_is_listed_at_once() -> None:
    wrong: dict[str, object] = {
        "level": "grandmaster",
        "arena": "colosseum",
        "dice": "loaded",
        "handicap": "white +1",
        "bid": "yes",
        "starter": "me",
        "draw_claim": 0,
        "position": "here",
        "colour": "red",
    }
    assert set(faults_of(**wrong)) == set(wrong)


def test_a_game_does_not_start_from_wrong_options() -> None:
    with pytest.raises(OptionsError):
        Ortus().start(Start("g", {"level": "none"}, bytes(32)))


@pytest.mark.parametrize("level", LEVELS)
def test_levels(level: str) -> None:
    assert parse_options({"level": level}).level == LEVELS.index(level)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "value",
    [3.5, [], {}, b"gold", "\x00", pytest.param("x" * 100_000, id="long"), float("nan")],
)
def test_a_value_of_the_wrong_sort_is_a_short_fault(name: str, value: object) -> None:
    found = faults_of(**{name: value})
    assert set(found) == {name}
    assert 0 < len(found[name]) < 300


def test_arenas() -> None:
    assert parse_options({"arena": "crown"}).arena == get_arena("crown")
    own = parse_options({"arena_file": OWN_ARENA})
    assert own.arena.name == "mine"
    assert parse_options({"arena_file": OWN_ARENA, "arena": "mine"}) == own
    assert set(faults_of(arena_file=OWN_ARENA, arena="crown")) == {"arena"}


def test_an_arena_file_lists_its_own_faults() -> None:
    fault = faults_of(arena_file='name = "mine"\nwells = ["F6", "Z9"]')["arena_file"]
    assert "Z9" in fault
    assert "8" in fault


def test_an_arena_file_cannot_take_the_name_of_an_arena_that_comes_with_the_game() -> None:
    # A position line or a record names its arena, and would mean another board.
    assert set(faults_of(arena_file=OWN_ARENA.replace("mine", "origin"))) == {"arena_file"}


def test_dice() -> None:
    assert parse_options({"dice": "dicey"}).dicey
    assert not parse_options({"dice": "clean"}).dicey


@pytest.mark.parametrize(
    ("handicap", "bonus", "gold", "black"),
    [
        ("gold +1", (1, 0), COLLECTING, COLLECTING),
        ("black +4", (0, 4), COLLECTING, COLLECTING),
        ("gold I", (0, 0), (16, 20, 24, 27, 30), COLLECTING),
        ("black II", (0, 0), COLLECTING, (18, 22, 26, 29, 32)),
        ("", (0, 0), COLLECTING, COLLECTING),
    ],
)
def test_r9_2_handicaps(
    handicap: str, bonus: tuple[int, int], gold: tuple[int, ...], black: tuple[int, ...]
) -> None:
    options = parse_options({"handicap": handicap})
    assert options.bonus == bonus
    assert options.collecting == (gold, black)


@pytest.mark.parametrize("handicap", ["gold +0", "gold +5", "gold III", "gold +2 I", "+2", "gold"])
def test_r9_2_other_handicaps_are_refused(handicap: str) -> None:
    assert set(faults_of(handicap=handicap)) == {"handicap"}


def test_starter_bid_and_claim() -> None:
    assert parse_options({"starter": "gold"}).starter == 0
    assert parse_options({"starter": "black"}).starter == 1
    assert parse_options({"starter": "lot"}).starter is None
    assert parse_options({"bid": True}).bid
    assert parse_options({}).claim_rounds == 25
    assert parse_options({"draw_claim": True}).claim_rounds == 25
    assert parse_options({"draw_claim": False}).claim_rounds is None
    assert parse_options({"draw_claim": 40}).claim_rounds == 40


def test_a_position_brings_arena_and_level_and_has_no_opening() -> None:
    text = line(level="earth", arena="crown")
    options = parse_options({"position": text})
    assert options.level == 2
    assert options.arena == get_arena("crown")
    assert parse_options({"position": text, "level": "earth", "arena": "crown"}) == options
    found = faults_of(position=text, level="wind", arena="origin", bid=True, starter="gold")
    assert set(found) == {"level", "arena", "bid", "starter"}


def test_a_position_on_an_arena_of_ones_own() -> None:
    text = line(arena="mine", gold="W1@G8")
    assert parse_options({"position": text, "arena_file": OWN_ARENA}).arena.name == "mine"
    assert set(faults_of(position=text)) == {"arena"}
    cut = line(arena="mine", gold="W1@G7")
    assert set(faults_of(position=cut, arena_file=OWN_ARENA)) == {"position"}
