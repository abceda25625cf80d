"""Records of games that were played here: times, marks, and that they follow from the log."""

from __future__ import annotations

from random import Random

import pytest

from notation.record import Record
from notation.record_reading import parse_record
from notation.record_writing import format_record
from pbem.games.ortus.replaying import replay
from pbem.play import games
from pbem.play.archive import log_of, record_of, write_record
from pbem.play.log import parse_log
from pbem.play.verification import replay_chapters
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import Club, Match, at
from tests.play.test_outages import pulse, well
from tests.play.test_whole_games import VARIANTS, play_out


def written(match: Match, **tags: str) -> str:
    with match.club.store.read() as unit:
        return record_of(unit, match.stored, tags)


def read(text: str) -> Record:
    """Read strictly and played again: no fault, and the same bytes (N5.5)."""
    record = parse_record(text)
    assert format_record(record) == text
    assert replay(record).faults == ()
    return record


def times(text: str, name: str = "clk") -> list[str]:
    return [
        command.argument
        for turn in read(text).turns
        for played in turn.orders
        for comment in played.comments
        for command in comment.commands
        if command.name == name
    ]


def test_n5_4_what_is_left_of_the_bank_behind_each_turn(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10d+12h cap 10d")
    match.send("gold", "E3>J2", 10)
    match.send("gold", "end", 30)
    match.send("black", "end", 54)
    match.send("gold", "end", 55)
    match.send("black", "E6>C13", 55 + 26)
    match.send("gold", "resign", 100)
    # 30 hours less, 12 more; 24 less, 12 more; one hour fills it up again to what it may hold.
    assert times(written(match)) == ["9d6h", "9d12h", "9d17h", "7d15h"]


def test_a_flag_that_fell(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="2d")
    match.send("gold", "E3>J2", 1)
    match.sweep(at(24 * 3))
    assert match.result() == ("black", "time")
    assert times(written(match)) == ["0s"]


@pytest.mark.parametrize(("clock", "left"), [("9d defence 3d fall", "2d"), ("9d", "8d")])
def test_what_was_left_for_a_defence(club: Club, clock: str, left: str) -> None:
    """Of its own clock, or of the bank where a defence has none."""
    match = club.study(TWO_ARCHERS, clock=clock)
    match.send("gold", "W1 rng I4; end", 1)
    match.send("black", "I4-", 25)
    match.send("black", "end", 25)
    match.send("gold", "resign", 26)
    text = written(match)
    assert times(text, "dclk") == [left]
    assert times(text) == ["8d23h", "9d" if "fall" in clock else "8d"]


def test_a_defence_by_default_tells_no_time(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="9d defence 3d fall")
    match.send("gold", "W1 rng I4; end", 1)
    match.sweep(at(24 * 5))
    match.send("black", "resign", 24 * 5)
    text = written(match)
    assert times(text, "dclk") == []
    assert "W1 rng I4=- {[%standing default]}; end {[%plan]} {[%clk 8d23h]}" in text


def test_what_was_held_counts_from_when_it_came(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="9d defence 3d fall", correction="12h")
    match.hold("gold", "W1 rng I4; end", 24)
    match.sweep(at(36))
    match.hold("black", "I4-", 60)
    match.sweep(at(72))
    match.hold("black", "resign", 73)
    match.sweep(at(100))
    text = written(match)
    assert (times(text, "dclk"), times(text)) == (["2d"], ["8d"])
    match.verify()


def test_a_time_in_which_clocks_stood_is_left_out(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="9d")
    assert pulse(club, 1) is None
    assert pulse(club, 25) is not None
    well(club, 49)
    match.send("gold", "end", 49)
    match.send("black", "resign", 50)
    assert times(written(match)) == ["7d23h"]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_record_follows_from_its_log(club: Club, name: str) -> None:
    match = club.start(clock="100d+1d defence 4d fall", **VARIANTS[name])
    play_out(match, Random(name), most=60)
    with club.store.read() as unit:
        stored = match.stored
        text, log = record_of(unit, stored, {"Event": "Cup"}), log_of(unit, stored)
    record = read(text)
    names = {"Gold": match.players[0].name, "Black": match.players[1].name, "Event": "Cup"}
    assert write_record(replay_chapters(*parse_log(log.splitlines())), names) == text
    assert record.tags["LogHash"] == stored.head
    assert list(record.tags)[-1] == "LogHash"
    ended = sum(bool(turn.orders) for turn in record.turns)
    assert len(times(text)) == ended


def test_a_game_over_before_its_first_turn(club: Club) -> None:
    match = club.start(clock="9d")
    match.send("gold", "setup WFEAAEFW", 1)
    match.send("black", "resign", 2)
    text = written(match)
    assert "WFEAAEFW" not in text
    assert read(text).turns == ()


def test_a_running_game_has_neither_record_nor_log(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    match.send("gold", "W1 rng I4 [-: E3>J2]; end", 1)
    with club.store.read() as unit:
        with pytest.raises(ValueError, match="running game"):
            record_of(unit, match.stored, {})
        with pytest.raises(ValueError, match="running game"):
            log_of(unit, match.stored)
    games.rule(club.around, match.id, None, now=at(2))
    assert "E3>J2" in written(match)
