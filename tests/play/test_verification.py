"""A game is proved by its log alone; whatever is changed is found where it was changed (N5.6)."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import update

from pbem.games.base import Trips
from pbem.games.ortus.sampling import random_entry
from pbem.play import players
from pbem.play.errors import NoSuchGameError
from pbem.play.log import (
    GENESIS,
    ChainError,
    LogEntry,
    chain,
    check_chain,
    format_log,
    parse_log,
    sealed,
)
from pbem.play.verification import replay_log, verify
from pbem.store.columns import table_of
from pbem.store.games import GameRow
from pbem.store.logs import LogEntryRow
from pbem.store.requests import RequestRow
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import NOON, RULES, TICK, Club, Match, at

LOG, GAMES, REQUESTS = (table_of(row) for row in (LogEntryRow, GameRow, RequestRow))


def play_on(match: Match, number: int, most: int = 400) -> Match:
    """Play at random, an hour for each submission, for at most so many."""
    rng = Random(number)
    for hours in range(1, most + 1):
        state = match.state
        if not RULES.requests(state):
            break
        entry = random_entry(rng, RULES, state)
        match.send("gold" if entry.seat == 0 else "black", entry.text, hours)
    return match


@pytest.fixture
def match(club: Club) -> Match:
    """A game with all kinds of entries in it, in the middle of a defence."""
    match = club.study(TWO_ARCHERS, dice="dicey", clock="10d+1h defence 2h fall")
    players.set_general_rules(club.around, match.players[0].id, "fall W*", now=at(1))
    match.send("black", "standing: block F2", 2)
    match.send("gold", "F2>I6", 3)
    match.send("gold", "W1 rng I4 [+: end]", 4)
    match.sweep(at(6))
    if match.asked() == [("gold", "turn")]:
        match.send("gold", "end", 8)
    match.send("black", "E3>N9", 9)
    match.verify()
    return match


def fault(match: Match, **how: Any) -> ChainError:
    with pytest.raises(ChainError) as caught:
        verify(match.around, match.id, now=at(99), **how)
    return caught.value


# -- the log ------------------------------------------------------------------------------------


CHANGES: dict[str, Any] = {
    "text": lambda entry: entry.text + " ",
    "salt": lambda entry: bytes(16),
    "hash": lambda entry: "f" * 64,
    "arrived": lambda entry: entry.arrived - TICK,
    "at": lambda entry: entry.at + TICK,
    "turns": lambda entry: entry.turns + 1,
    "seat": lambda entry: 1 if entry.seat != 1 else 0,
}


@pytest.mark.parametrize("name", CHANGES)
def test_any_change_of_any_entry_is_found_there(match: Match, name: str) -> None:
    for entry in match.entries():
        where = (LOG.c.game_id == match.id) & (LOG.c.number == entry.number)
        changed = update(LOG).where(where).values({name: CHANGES[name](entry)})
        assert match.club.store.change(changed) == 1
        assert fault(match).number == entry.number
        back = update(LOG).where(where).values({name: getattr(entry, name)})
        match.club.store.change(back)
    match.verify()


def rechained(entries: list[LogEntry]) -> list[LogEntry]:
    """The log of a forger who has the salts and makes the hashes fit again."""
    previous, made = "0" * 64, []
    for entry in entries:
        made.append(replace(entry, hash=chain(previous, entry)))
        previous = made[-1].hash
    assert check_chain(made) == previous
    return made


FORGERIES: tuple[tuple[int, dict[str, Any]], ...] = (
    (0, {"text": "{}"}),
    (0, {"text": "[" * 5000}),
    (3, {"text": "f2 > i6"}),
    (3, {"text": "F2>A15"}),
    (3, {"seat": 1}),
    (3, {"seat": 7}),
    (3, {"seat": -1}),
    (5, {"text": "default 1 save"}),
    (5, {"text": "default 0 fall"}),
    (5, {"text": "default x fall"}),
    (5, {"text": "time 1"}),
    (5, {"text": "time 9"}),
    (5, {"text": "time "}),
    (5, {"text": "calendar 9 {}"}),
    (5, {"text": "abdication"}),
)


def test_a_forged_chain_is_found_by_the_rules(match: Match) -> None:
    genuine, seed = list(match.entries()), match.stored.start.seed
    assert genuine[5].text == "default 1 fall"
    for number, change in FORGERIES:
        forged = list(genuine)
        forged[number] = replace(forged[number], **change)
        with pytest.raises(ChainError) as caught:
            replay_log(seed, rechained(forged))
        assert caught.value.number == number, change


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_game_has_a_calendar_for_each_seat(match: Match, count: int) -> None:
    """With one too many there would be a player whom the game does not know."""
    first, second = list(match.entries())[:2]
    facts = json.loads(first.text)
    facts["calendars"] = (2 * facts["calendars"])[:count]
    forged = [replace(first, text=json.dumps(facts)), replace(second, seat=2, text="end")]
    for entries in (forged[:1], forged):
        with pytest.raises(ChainError) as caught:
            replay_log(match.stored.start.seed, rechained(entries))
        assert caught.value.number == 0


def test_a_forged_but_legal_game_has_another_head(match: Match) -> None:
    """Who rewrites a legal game with all its hashes is found by the head that others have."""
    forged = list(match.entries())
    forged[3] = replace(forged[3], text="F2>I8")
    _, head = replay_log(match.stored.start.seed, rechained(forged))
    assert head != match.stored.head


def test_time_said_to_be_over_too_early(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    match.sweep(at(10))
    first, flag = match.entries()
    early = replace(flag, at=at(10) - TICK, arrived=at(10) - TICK)
    with pytest.raises(ChainError, match="not over"):
        replay_log(match.stored.start.seed, rechained([first, early]))


def test_a_submission_after_the_flag_is_found(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    match.send("gold", "end", 9)
    first, turn = match.entries()
    late = replace(turn, at=at(10), arrived=at(10))
    with pytest.raises(ChainError) as caught:
        replay_log(match.stored.start.seed, rechained([first, late]))
    assert caught.value.number == 1


def test_entries_that_are_gone(match: Match) -> None:
    entries = match.entries()
    store = match.club.store
    # Requests refer to the entries that closed them; a thief would see to that, too.
    last = len(entries) - 1
    store.change(
        update(REQUESTS)
        .where(REQUESTS.c.closed_by == last)
        .values(closed_by=None, closed_at=None, mark="x")
    )
    store.change(LOG.delete().where((LOG.c.game_id == match.id) & (LOG.c.number == last)))
    before = match.club.contents()
    assert fault(match).number == last
    assert match.club.contents() == before, "what is lost cannot be repaired away"
    store.change(LOG.delete().where(LOG.c.game_id == match.id).where(LOG.c.number == 2))
    assert fault(match).number == 2


@pytest.mark.parametrize(
    "values",
    [
        {"seed": bytes(32)},
        {"options": {"dice": "clean"}},
        {"terms": {"clock": "99d"}},
        {"game": "chess"},
    ],
    ids=lambda values: next(iter(values)),
)
def test_another_agreement_or_seed(match: Match, values: dict[str, Any]) -> None:
    changed = update(GAMES).where(GAMES.c.id == match.id).values(**values)
    assert match.club.store.change(changed) == 1
    assert fault(match).number == 0


# -- caches -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"state": "{}"}, "state"),
        ({"state": ""}, "state"),
        ({"clock": "{}"}, "clock"),
        ({"clock": "nonsense"}, "clock"),
        ({"head": "0" * 64}, "head"),
        ({"entries": 1}, "head"),
        ({"last_at": NOON}, "head"),
        ({"turns": 77}, "counts"),
        ({"trips_asked": 77}, "counts"),
        ({"winner": 0, "termination": "guide", "ended_at": NOON}, "result"),
        ({"due": None}, "due"),
        ({"due": datetime.max.replace(year=2190, tzinfo=NOON.tzinfo)}, "due"),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_a_cache_is_repaired_from_the_log(match: Match, values: dict[str, Any], named: str) -> None:
    before = match.club.contents()
    match.club.store.change(update(GAMES).where(GAMES.c.id == match.id).values(**values))
    found = verify(match.around, match.id, now=at(9), repair=False)
    assert named in found.differences
    again = verify(match.around, match.id, now=at(9))
    assert again.differences == found.differences
    assert match.club.contents() == before
    match.verify()


def test_requests_are_repaired(match: Match) -> None:
    (row,) = match.requests()
    of_row = REQUESTS.c.opened_by == row.opened_by
    store = match.club.store
    store.change(update(REQUESTS).where(of_row).values(deadline=None))
    assert verify(match.around, match.id, now=at(9)).differences == ("deadlines",)
    assert match.request() == row
    store.change(update(REQUESTS).where(of_row).values(kind="bid"))
    assert verify(match.around, match.id, now=at(9)).differences == ("requests",)
    assert match.asked() == [("black", "turn")]
    match.verify()
    match.send("black", "end", 10)
    match.verify()


def test_what_is_held_survives_a_repair(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h", correction="2h")
    match.hold("gold", "W1>F5; end", 1)
    match.verify()
    before = club.contents()
    club.store.change(update(GAMES).where(GAMES.c.id == match.id).values(state="{}", clock="{}"))
    assert set(verify(club.around, match.id, now=at(2)).differences) == {"state", "clock"}
    assert club.contents() == before
    match.sweep(at(3))
    assert match.texts() == [(0, "W1>F5; end")]
    match.verify()


def test_a_finished_game_is_repaired(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    match.send("gold", "resign", 1)
    before = club.contents()
    values = {"winner": None, "termination": None, "ended_at": None, "trips_asked": 5}
    club.store.change(update(GAMES).where(GAMES.c.id == match.id).values(**values))
    assert set(verify(club.around, match.id, now=at(2)).differences) == {"result", "counts"}
    assert club.contents() == before
    assert match.stored.trips == Trips()


def test_there_must_be_a_game(club: Club) -> None:
    with pytest.raises(NoSuchGameError):
        verify(club.around, "nosuch", now=NOON)


# -- the file -----------------------------------------------------------------------------------


def test_a_log_file_proves_itself(match: Match) -> None:
    match.send("gold" if match.asked()[0][0] == "gold" else "black", "resign", 20)
    stored, entries = match.stored, match.entries()
    text = format_log(stored.start.seed, entries)
    seed, read = parse_log(text.splitlines())
    assert [replace(entry, key=None, turns=0) for entry in entries] == read
    course, head = replay_log(seed, read)
    assert (head, RULES.dump(course.state)) == (stored.head, stored.state)
    assert course.trips == stored.trips
    assert format_log(seed, read) == text
    with pytest.raises(ChainError):
        replay_log(bytes(32), read)
    for place in range(1, len(read) + 1):
        lines = text.splitlines()
        lines[place] = lines[place].replace('"', "'", 1)
        with pytest.raises(ChainError) as caught:
            replay_log(*parse_log(lines))
        assert caught.value.number == place - 1


@pytest.mark.parametrize(
    "line",
    ["", "{}", "[]", "[1]", "null", "[" * 10**5, '[0, "x", "", "", "", "", ""]',
     '[0, null, "2026-11-16", "2026-11-16", "", "", ""]', '[0, null, 5, 5, "", "", ""]',
     '[0, null, "x", "x", "zz", "", ""]', '[true, null, "x", "x", "", "", ""]'],
    ids=range(11),
)  # fmt: skip
def test_what_is_no_line_of_a_log(line: str) -> None:
    with pytest.raises(ChainError):
        replay_log(*parse_log(['{"version": 1, "seed": "' + "00" * 32 + '"}', line]))
    with pytest.raises(ChainError):
        replay_log(*parse_log([line]))
    with pytest.raises(ChainError):
        replay_log(*parse_log([]))


def test_random_games_verify(club: Club) -> None:
    for number in range(3):
        match = club.start(level="master", dice="dicey", bid=True, clock="1000d")
        play_on(match, number, most=60)
        if not match.stored.is_over:
            match.send("gold", "resign", 500)
        match.verify()
        assert match.stored.ended_at is not None
        assert match.stored.ended_at - NOON <= timedelta(hours=500)


def test_other_zone_data_are_named_where_they_may_be_the_cause(club: Club) -> None:
    """A late change of the hours moves deadlines; the log says what they were reckoned with."""
    match = club.study(TWO_ARCHERS, clock="10h")
    match.sweep(at(11))
    with club.store.read() as unit:
        entries = list(unit.entries(match.id))
    other = json.loads(entries[0].text) | {"zones": "1999z"}
    changed = [replace(entries[0], text=json.dumps(other, sort_keys=True))]
    changed += [replace(entry, at=entry.at - timedelta(hours=9)) for entry in entries[1:]]
    changed = [replace(entry, arrived=min(entry.arrived, entry.at)) for entry in changed]
    chained: list[LogEntry] = []
    for entry in changed:
        chained.append(sealed(chained[-1].hash if chained else GENESIS, entry))
    with pytest.raises(ChainError, match="zone data 1999z, here with"):
        replay_log(match.stored.start.seed, chained)
