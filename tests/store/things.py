"""Things to store: plain ones for tests that need any, and strategies for all there can be."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from typing import Any

from hypothesis import strategies as st

from pbem.games.base import Start, Trips
from pbem.play.log import GENESIS, LogEntry, sealed
from pbem.play.model import Held, Invitation, Leave, OpenRequest, Player, Preferences, StoredGame
from pbem.play.ports import Unit
from pbem.play.post import Arrival

NOW = datetime(2026, 11, 16, 12, 30, 15, 123456, tzinfo=UTC)
_NUMBERS = count()


def fresh(prefix: str) -> str:
    """A name that no other example has."""
    return f"{prefix}{next(_NUMBERS)}"


def add_players(unit: Unit, number: int = 2) -> list[Player]:
    return [unit.add_player(f"Player {n}", Preferences(), NOW) for n in range(number)]


def a_game(players: tuple[int, ...], game_id: str | None = None, **changed: Any) -> StoredGame:
    game = StoredGame(
        start=Start(game_id or fresh("g"), {"level": "master"}, bytes(range(32))),
        game="ortus",
        terms={"clock": "14d"},
        players=players,
        created_at=NOW,
        state="{}",
        clock="{}",
    )
    return replace(game, **changed)


def add_game(unit: Unit, game_id: str | None = None, **changed: Any) -> StoredGame:
    """A game between two new players."""
    first, second = add_players(unit)
    game = a_game((first.id, second.id), game_id, **changed)
    unit.add_game(game)
    return game


def an_arrival(lane: str = "ann@example.org", at: datetime = NOW, **changed: Any) -> Arrival:
    """A mail that comes in."""
    arrival = Arrival(
        key=fresh("key"),
        destination="reply/0123",
        lane=lane,
        sender="ann@example.org",
        raw=b"Subject: x\r\n\r\nend\r\n\0\xff",
        arrived=at,
        via="smtp",
    )
    return replace(arrival, **changed)


def an_entry(number: int, previous: str = GENESIS, **changed: Any) -> LogEntry:
    entry = LogEntry(
        number=number, seat=number % 2, text="end", arrived=NOW, at=NOW, salt=b"salt", hash=""
    )
    return sealed(previous, replace(entry, **changed))


def lock(unit: Unit, game_id: str) -> StoredGame:
    """A game that is there, under lock."""
    locked = unit.lock_game(game_id)
    assert locked is not None
    return locked.game


def play(unit: Unit, game: StoredGame, **changed: Any) -> StoredGame:
    """One more entry, with the game that goes with it."""
    entry = an_entry(game.entries, game.head or GENESIS, **changed)
    unit.add_entry(game.id, entry)
    after = replace(game, entries=game.entries + 1, head=entry.hash)
    unit.save_game(after)
    return after


def a_request(game_id: str, seat: int = 0, **changed: Any) -> OpenRequest:
    request = OpenRequest(
        game_id=game_id, seat=seat, kind="turn", mark="1", opened_by=0, opened_at=NOW
    )
    return replace(request, **changed)


def an_invitation(host_id: int, guest_id: int | None = None, **changed: Any) -> Invitation:
    invitation = Invitation(
        id=fresh("i"),
        host_id=host_id,
        guest_id=guest_id,
        agreement={"game": "ortus"},
        host_seat=None,
        created_at=NOW,
    )
    return replace(invitation, **changed)


ZONES = st.sampled_from(
    [UTC, timezone(timedelta(hours=5, minutes=45)), timezone(-timedelta(hours=11))]
)
INSTANTS = st.datetimes(
    min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=ZONES
)
WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30)
ANY_TEXT = st.text(max_size=10)
PLAIN: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
FACTS = st.dictionaries(ANY_TEXT, PLAIN, max_size=4)
HASHES = st.binary(min_size=32, max_size=32).map(bytes.hex)
COUNTS = st.integers(0, 2**31 - 1)

QUIET = st.none() | st.tuples(st.times(), st.times())


@st.composite
def preferences(draw: st.DrawFn) -> Preferences:
    quiet = draw(QUIET) or (None, None)
    return Preferences(
        language=draw(st.sampled_from(["en", "nl"])),
        time_zone=draw(WORDS),
        board=draw(st.sampled_from(["image", "text", "spoken"])),
        delivery=draw(st.sampled_from(["each", "digest", "none"])),
        quiet_from=quiet[0],
        quiet_to=quiet[1],
        rests_on_weekends=draw(st.booleans()),
        messages_stop_plans=draw(st.booleans()),
        notes_join=draw(st.sampled_from(["never", "after", "agreed"])),
    )


@st.composite
def leaves(draw: st.DrawFn) -> Leave:
    first, last = sorted(draw(st.tuples(st.dates(), st.dates())))
    begins, ends = sorted(draw(st.tuples(INSTANTS, INSTANTS)))
    return Leave(first=first, last=last, begins=begins, ends=ends, announced_at=draw(INSTANTS))


HELD = st.builds(
    Held,
    seat=st.integers(0, 1),
    text=ANY_TEXT,
    key=st.none() | ANY_TEXT,
    arrived=INSTANTS,
    until=INSTANTS,
)


@st.composite
def changes(draw: st.DrawFn) -> dict[str, Any]:
    """What can change of a game."""
    ended = draw(st.none() | INSTANTS)
    return {
        "state": draw(WORDS),
        "clock": draw(WORDS),
        "entries": draw(COUNTS),
        "head": draw(HASHES),
        "turns": draw(COUNTS),
        "held": tuple(draw(st.lists(HELD, max_size=2))),
        "trips": Trips(*draw(st.tuples(COUNTS, COUNTS, COUNTS, COUNTS))),
        "due": draw(st.none() | INSTANTS),
        "ended_at": ended,
        "termination": None if ended is None else draw(WORDS),
        "winner": None if ended is None else draw(st.none() | st.integers(0, 1)),
    }


@st.composite
def entries(draw: st.DrawFn, number: int) -> LogEntry:
    arrived, at = sorted(draw(st.tuples(INSTANTS, INSTANTS)))
    return LogEntry(
        number=number,
        seat=draw(st.none() | st.integers(0, 1)),
        text=draw(WORDS),
        arrived=arrived,
        at=at,
        salt=draw(st.binary(max_size=20)),
        hash=draw(HASHES),
        key=draw(st.none() | WORDS.map(lambda text: f"{number} {text}")),
        turns=draw(COUNTS),
    )
