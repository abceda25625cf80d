"""Whole games at every level and variant: played, archived, replayed to the same end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from notation.record_reading import parse_record
from pbem.games.base import Entry
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.orders import action_text
from pbem.games.ortus.position import Position
from pbem.games.ortus.replaying import replay
from pbem.games.ortus.sampling import random_action, random_entry
from pbem.games.ortus.state import State
from pbem.play.log import format_log, parse_log
from pbem.play.verification import replay_log
from tests.ortus.drawing import HOUSES
from tests.ortus.games import line
from tests.play.club import RULES, Club, Match

LAKE = """
name = "lake"
wells = ["F6", "I6", "L6", "B8", "N8", "D10", "G10", "J10"]
cuts = ["G8", "I8"]
"""
RULES_LEFT = ("block all <=3 keep 4", "fall W*; ask all", "block F*; fall all <=4", "off")
VARIANTS: dict[str, dict[str, Any]] = {
    **{level: {"level": level} for level in LEVELS},
    **{f"dicey-{level}": {"level": level, "dice": "dicey"} for level in LEVELS},
    "bonus": {"level": "master", "arena": "crown", "handicap": "gold +3", "bid": True},
    "board": {"level": "water", "handicap": "black II", "starter": "black", "draw_claim": False},
    "all": {"level": "master", "dice": "dicey", "handicap": "gold I", "bid": True, "draw_claim": 3},
    "study": {"position": line(gold="W1@F4 F2@I7", black="A4@I4 E3@N8", level="master")},
    "own-arena": {"level": "earth", "arena_file": LAKE},
}


def submission(rng: Random, state: State) -> Entry:
    """What somebody might send: one order, or a plan, now and then with rules for the defence."""
    entry = random_entry(rng, RULES, state)
    text = entry.text
    if state.position is not None and state.position.question is None:
        tail = action_text(state.position, random_action(rng, state.position))
        is_attack = any(f" {verb} " in text for verb in ("str", "rng", "chg", "wave", "six", "drg"))
        if is_attack and rng.random() < 0.6:
            text += rng.choice((f" [-: end | +: {tail}]", f" [*: {tail}]; end", "; end"))
    if rng.random() < 0.05:
        text += f"; standing: {rng.choice(RULES_LEFT)}"
    return Entry(entry.seat, text)


def play_out(match: Match, rng: Random, most: int) -> None:
    """To the end, or until one side has had enough."""
    hours = 0.0
    for _ in range(most):
        state = match.state
        if not RULES.requests(state):
            return
        hours += rng.random()
        entry = submission(rng, state)
        house = HOUSES[entry.seat or 0]
        done = match.submit(house, entry.text, hours)
        if not hasattr(done, "entry"):
            # A plan that leads nowhere in all outcomes is refused as a whole.
            match.send(house, random_entry(rng, RULES, state).text, hours)
    if not match.stored.is_over:
        match.send(rng.choice(HOUSES), "resign", hours)


def as_recorded(position: Position) -> Position:
    """The position with what a record tells: the figures rolled, not which of two such faces."""
    shown = position.copy()
    shown.rolled = None if shown.rolled is None else shown.rolled // 2
    return shown


@pytest.mark.parametrize("name", VARIANTS)
def test_play_archive_and_replay(club: Club, name: str) -> None:
    rng = Random(name)
    match = club.start(clock="100d+1d", **VARIANTS[name])
    play_out(match, rng, most=60)
    stored, entries = match.stored, match.entries()
    match.verify()

    seed, read = parse_log(format_log(stored.start.seed, entries).splitlines())
    course, head = replay_log(seed, read)
    assert head == stored.head
    assert RULES.dump(course.state) == stored.state

    tags = {"Site": "example.org", "Gold": "Ann", "Black": "Beau", "LogHash": stored.head}
    log = [
        Entry(entry.seat, entry.text)
        for entry in entries[1:]
        if not entry.text.startswith("calendar ")
    ]
    record = parse_record(RULES.record(stored.start, log, tags))
    again = replay(record)
    assert again.faults == ()
    assert again.position is not None
    assert match.state.position is not None
    assert as_recorded(again.position) == as_recorded(match.state.position)
    assert record.tags["LogHash"] == stored.head
    assert record.tags["Seed"] == stored.start.seed.hex()


def test_a_game_to_its_end_on_the_board(club: Club) -> None:
    """Random play ends on the board sooner or later; so one such game is known."""
    place = line(
        gold="W1@F6 F2@I6 E3@L6 A4@B8 A5@N7", black="W1@H10", level="apprentice", energy=(14, 14)
    )
    match = club.start(position=place)
    match.send("gold", "A5>N8; end", 1)
    match.send("black", "end", 2)
    assert match.result() == ("gold", "wells")
    assert [entry.text for entry in match.entries(1)] == ["A5>N8; end", "end"]
    assert match.notices(2) == {"gold": "game_over", "black": "game_over"}
    match.verify()
