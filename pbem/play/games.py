"""What players do to a game: submit, correct, write to each other, keep notes; and sweeping.

Every function is one transaction. A submission is taken once by its key, however often it comes;
of two that race for one request exactly one is taken, and the other is told what happened (L1.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from pbem.errors import StoreBusyError, StoreUnavailableError
from pbem.games.base import Preview, Refused
from pbem.play.course import Followed, follow
from pbem.play.errors import NoSuchGameError, NotAllowedError
from pbem.play.log import LogEntry, instant_text, veiled
from pbem.play.model import Held, Message, Note, Notice, StoredGame
from pbem.play.notices import MESSAGE
from pbem.play.open_game import OpenGame, load_course
from pbem.play.ports import Surroundings, Unit
from pbem.tally import TALLY
from pbem.tongue import ENGLISH, Tongue

MAX_KEY: Final = 200
"""How long the key of a submission may be; it is printable ASCII."""

MAX_MESSAGE: Final = 8000
MAX_NOTE: Final = 8000

MESSAGES_A_DAY: Final = 50
"""How many messages a seat may write in a game in a day: each is a mail to somebody (L5)."""

UNASKED_A_DAY: Final = 200
"""How many entries a seat may make in a day that answer nothing, as rules and offers do: a log is
replayed, and must not grow for ever."""

_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Taken:
    """Played: the entry it became, what followed from it, and who is told of it."""

    game: StoredGame
    entry: LogEntry
    done: Followed
    told: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """Held for its correction window; nobody else knows. ``is_new`` is False for a repeat, and
    for another submission while one is held."""

    game: StoredGame
    held: Held
    is_new: bool = True


@dataclass(frozen=True, slots=True)
class Repeated:
    """This submission was taken before; nothing was done again."""

    game: StoredGame
    entry: LogEntry


@dataclass(frozen=True, slots=True)
class TooLate:
    """The request it answers is closed; ``since`` is what has happened from then on, veiled where
    others wrote it and the game still runs."""

    game: StoredGame
    since: tuple[LogEntry, ...]


@dataclass(frozen=True, slots=True)
class TurnedDown:
    """Refused by the game: nothing was played."""

    game: StoredGame
    refused: Refused


Submitted = Taken | Kept | Repeated | TooLate | TurnedDown


def submit(
    around: Surroundings,
    game_id: str,
    seat: int,
    text: str,
    *,
    arrived: datetime,
    key: str | None = None,
    request_id: str | None = None,
) -> Submitted:
    """Take a submission that came in at ``arrived``; that instant counts for the clock (L1.6)."""
    with around.store.begin() as unit:
        game = OpenGame.lock(around, unit, game_id, key=key)
        check_seat(game.stored, seat)
        if key is not None:
            repeated = _find_repeated(game, seat, key)
            if repeated is not None:
                return repeated
        game.catch_up(arrived, seat=seat)
        result = _take(unit, game, seat, text, arrived=arrived, key=key, request_id=request_id)
        game.save(arrived)
        return replace(result, game=game.stored)


def count_refusal(done: Submitted) -> None:
    """Count a submission that was not taken, by the first code. For whoever answers it: here it
    would be counted twice where it is tried with a message and without."""
    if isinstance(done, TurnedDown):
        TALLY.add("refusals", done.refused.faults[0].code)
    elif isinstance(done, TooLate):
        TALLY.add("refusals", "too_late")


def _find_repeated(game: OpenGame, seat: int, key: str) -> Repeated | Kept | None:
    """What the submission of this key became, if it came before.

    Raises NotAllowedError for a key that no submission can have, and for one of another seat,
    whose text is none of this one's business.
    """
    if not (0 < len(key) <= MAX_KEY and key.isascii() and key.isprintable()):
        raise NotAllowedError("bad_key", longest=MAX_KEY)
    held = next((held for held in game.stored.held if held.key == key), None)
    before = game.known or held
    if before is not None and before.seat != seat:
        raise NotAllowedError("key_of_another_seat")
    if game.known is not None:
        return Repeated(game.stored, game.known)
    return None if held is None else Kept(game.stored, held, is_new=False)


def _take(
    unit: Unit,
    game: OpenGame,
    seat: int,
    text: str,
    *,
    arrived: datetime,
    key: str | None,
    request_id: str | None,
) -> Submitted:
    if request_id is not None:
        open_rows = game.requests.values()
        request = next((row for row in open_rows if row.id == request_id), None)
        request = request or unit.find_request(request_id)
        if request is None or (request.game_id, request.seat) != (game.stored.id, seat):
            raise NotAllowedError(request=request_id)
        if request.closed_by is not None:
            since = unit.entries(game.stored.id, since=request.closed_by)
            return TooLate(game.stored, tuple(_shown_to(seat, game.stored, since)))
    held = next((held for held in game.stored.held if held.seat == seat), None)
    if held is not None:
        return Kept(game.stored, held, is_new=False)
    if game.terms.correction:
        if key is not None and unit.find_nonce(_undone(game.stored.id, key)):
            raise NotAllowedError("submission_undone", game=game.stored.id)
        return _hold(game, seat, text, arrived=arrived, key=key)
    at = game.not_before(arrived)
    done = game.append(seat, text, at=at, arrived=arrived, key=key)
    if isinstance(done, Refused):
        return TurnedDown(game.stored, done)
    entry, followed = done
    is_asked = any(request.seat == seat for request in followed.closed)
    bucket = f"unasked/{game.stored.id}/{seat}"
    if not (is_asked or game.stored.is_over) and (
        unit.count_event(bucket, arrived, _DAY) > UNASKED_A_DAY
    ):
        raise NotAllowedError("sent_often", most=UNASKED_A_DAY)
    return Taken(game.stored, entry, followed, game.told)


def _hold(game: OpenGame, seat: int, text: str, *, arrived: datetime, key: str | None) -> Submitted:
    """Nothing is played, no die rolled, no standing rule read while the window is open (L6)."""
    course = game.course
    preview = course.play.preview(course.state, seat, text)
    if isinstance(preview, Refused):
        return TurnedDown(game.stored, preview)
    until = game.not_before(arrived) + game.terms.correction
    held = Held(seat, preview.text, key, arrived, until)
    game.hold(held)
    return Kept(game.stored, held)


def _undone(game_id: str, key: str) -> str:
    return f"undone/{game_id}/{key}"


def undo(around: Surroundings, game_id: str, seat: int, *, now: datetime) -> Held | None:
    """Drop what a seat has held for correction; None if its window is over or there is nothing.

    The same submission, should it come once more, is not taken again (L1.2).
    """
    with around.store.begin() as unit:
        game = OpenGame.lock(around, unit, game_id)
        game.catch_up(now, seat=seat)
        held = next((held for held in game.stored.held if held.seat == seat), None)
        if held is not None:
            game.drop(held)
            if held.key is not None:
                unit.use_nonce(_undone(game_id, held.key), now)
            # The clock goes on as if it had never stopped, and may be over by now.
            game.catch_up(now, seat=seat)
        game.save(now)
        return held


def preview(
    around: Surroundings, game_id: str, seat: int, text: str, *, tongue: Tongue = ENGLISH
) -> Preview | Refused:
    """What a submission would do, without consequences and without anybody's secrets (N2.5)."""
    with around.store.read() as unit:
        stored = get_stored(unit, game_id)
    check_seat(stored, seat)
    course = load_course(stored)
    return course.play.preview(course.state, seat, text, tongue=tongue)


def get_stored(unit: Unit, game_id: str) -> StoredGame:
    """A game as it stands. Raises NoSuchGameError."""
    stored = unit.find_game(game_id)
    if stored is None:
        raise NoSuchGameError(game=game_id)
    return stored


def check_seat(stored: StoredGame, seat: int) -> None:
    """Raises NotAllowedError if the game has no such seat."""
    if not 0 <= seat < len(stored.players):
        raise NotAllowedError("no_such_seat", seat=seat)


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep has looked at, and the games in which something went wrong, with the reason."""

    games: int
    failed: dict[str, str]


def sweep(around: Surroundings, now: datetime, *, limit: int = 100) -> Swept:
    """Let happen what is due in up to ``limit`` games.

    Nothing depends on when it runs, and running it twice changes nothing. Games that cannot be
    looked after, however many, do not keep the others waiting. It goes no further than the oldest
    mail that is not read yet, nor than the server was last known to be well (L1.6).
    """
    failed: dict[str, str] = {}
    well = 0
    while well < limit:
        wanted = limit - well + len(failed)
        with around.store.read() as unit:
            until = _known_until(unit, now)
            due = unit.due_games(until, wanted)
        for game_id in due:
            if game_id in failed:
                continue
            try:
                look_after(around, game_id, until)
                well += 1
            except (StoreBusyError, StoreUnavailableError):
                raise
            except Exception as error:  # whatever a damaged row brings about
                failed[game_id] = f"{type(error).__name__}: {error}"
        if len(due) < wanted:
            break
    return Swept(well + len(failed), failed)


def _known_until(unit: Unit, now: datetime) -> datetime:
    """The instant up to which nothing can come to light that would have changed anything."""
    pulse, unread = unit.find_pulse(), unit.oldest_unread()
    last = None if pulse is None else pulse.last
    return min([now, *(instant for instant in (last, unread) if instant is not None)])


def look_after(around: Surroundings, game_id: str, now: datetime) -> StoredGame:
    """Let happen what is due in one game, and write down the reminders that are."""
    with around.store.begin() as unit:
        game = OpenGame.lock(around, unit, game_id)
        game.catch_up(now)
        game.save(now)
        return game.stored


def rule(around: Surroundings, game_id: str, winner: int | None, *, now: datetime) -> StoredGame:
    """A director's ruling: a seat wins, or nobody (R8.3)."""
    with around.store.begin() as unit:
        game = OpenGame.lock(around, unit, game_id)
        if winner is not None:
            check_seat(game.stored, winner)
        game.catch_up(now)
        if game.stored.is_over:
            raise NotAllowedError("game_over", game=game_id)
        game.decree(f"ruling {'draw' if winner is None else winner}", now)
        game.save(now)
        return game.stored


def write_message(
    around: Surroundings, game_id: str, seat: int, text: str, *, now: datetime
) -> Message:
    """A message to the other seats; it stops the plan of a player who asked for that (N2.3).

    Raises NotAllowedError if there were enough of them today.
    """
    with around.store.begin() as unit:
        game = OpenGame.lock(around, unit, game_id)
        check_seat(game.stored, seat)
        if unit.count_event(f"message/{game_id}/{seat}", now, _DAY) > MESSAGES_A_DAY:
            raise NotAllowedError("wrote_often", most=MESSAGES_A_DAY)
        game.catch_up(now, seat=seat)
        message = Message(game_id, seat, game.stored.entries - 1, now, text[:MAX_MESSAGE])
        unit.add_message(message)
        for other, player_id in enumerate(game.stored.players):
            if other != seat:
                cause = f"{game_id}/message/{instant_text(now)}"
                unit.add_notice(Notice(cause, player_id, MESSAGE, now, game_id, {"seat": other}))
        if not game.stored.is_over:
            _stop_plans(unit, game, seat, now)
        game.save(now)
        return message


def _stop_plans(unit: Unit, game: OpenGame, author: int, now: datetime) -> None:
    """Stop the plan of a player who asked for that, if one waits; never the author's own."""
    at = game.not_before(now)
    done = follow(game.course, None, "halt: message", arrived=at, at=at)
    assert not isinstance(done, Refused), "an act of the server is not refused"
    stopped = {event.seat for event in done.events if event.seat not in (None, author)}
    owners = (unit.find_player(game.stored.players[seat]) for seat in stopped if seat is not None)
    if any(owner is not None and owner.preferences.messages_stop_plans for owner in owners):
        game.write(None, done, at=at, arrived=at)


def write_note(around: Surroundings, game_id: str, seat: int, text: str, *, now: datetime) -> Note:
    """A private note on the game as it stands; another one at the same moment replaces it."""
    with around.store.begin() as unit:
        stored = get_stored(unit, game_id)
        check_seat(stored, seat)
        note = Note(game_id, seat, stored.entries - 1, now, text[:MAX_NOTE])
        unit.save_note(note)
        return note


def _shown_to(seat: int, stored: StoredGame, entries: Sequence[LogEntry]) -> Iterator[LogEntry]:
    """What others wrote is veiled while the game runs: it may hold plans and rules (N2.4, N3.3)."""
    for entry in entries:
        yield entry if stored.is_over or entry.seat == seat else veiled(entry)


def visible_entries(
    stored: StoredGame, entries: Sequence[LogEntry], delay: int | None
) -> Sequence[LogEntry]:
    """How far a spectator may look: ``delay`` turns behind, all of it once the game is over; at a
    private game (None) never.

    Until then texts are veiled; what happened is told by the events of a replay.
    """
    if delay is None:
        return ()
    if stored.is_over:
        return entries
    return [veiled(entry) for entry in entries if entry.turns <= stored.turns - delay]
