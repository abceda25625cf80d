"""Clocks stand while the server cannot receive or send, and while it owes an answer (L1.6).

A pulse says every minute that all is well. When it was away for too long, the time in between is
an outage: every running game is told in its log, so that ``verify`` comes to the same clocks. A
game in which something happens before it was told is told then (``OpenGame.catch_up``), so nothing
depends on how soon all of them are.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from pbem.errors import StoreBusyError, StoreUnavailableError
from pbem.play.course import STOOD
from pbem.play.games import check_seat, look_after
from pbem.play.model import Outage
from pbem.play.open_game import LONGEST_SILENCE, OpenGame
from pbem.play.ports import Surroundings

BATCH: Final = 50
"""How many games are told in one transaction."""

PROMPT: Final = timedelta(minutes=1)
"""An answer within this time is not owed."""

LONGEST_OWED: Final = timedelta(hours=6)
MOST_OWED: Final = 3
"""How long, and how often for one question, a clock stands because an answer was owed: whoever
keeps the server busy with mails of their own gains no more than that."""


def note_pulse(
    around: Surroundings, now: datetime, *, is_well: bool, limit: int = 1000
) -> Outage | None:
    """To be called every minute: the server can receive and send, or not. The outage that has just
    ended, if one has; up to ``limit`` games are told of it, the others next time."""
    if not is_well:
        return None
    found = None
    with around.store.begin() as unit:
        last = unit.beat(now)
        if last is not None and now - last > LONGEST_SILENCE:
            found = Outage(last, now)
            unit.save_outage(found)
    tell_games(around, limit=limit)
    return found


def tell_games(around: Surroundings, *, limit: int = 1000) -> dict[str, str]:
    """Tell up to ``limit`` running games that their clocks stood; those in which something went
    wrong, with the reason. Running it twice changes nothing."""
    failed: dict[str, str] = {}
    told = 0
    size = BATCH
    while told < limit:
        try:
            number = _tell_some(around, min(size, limit - told))
        except (StoreBusyError, StoreUnavailableError):
            raise
        except Exception as error:  # whatever a damaged row brings about
            if size > 1:
                size = 1  # find out which game it is
                continue
            failed |= _pass_over(around, error)
            number = 1
        if number is None:
            break
        told += number
    return failed


def _tell_some(around: Surroundings, size: int) -> int | None:
    """Tell the next games of the oldest outage; None if there is nothing to do now."""
    with around.store.begin() as unit:
        outage = unit.lock_outage()
        unread = unit.oldest_unread()
        # What came in before the clocks stood has cost no more than the time until then.
        if outage is None or (unread is not None and unread < outage.ends):
            return None
        games = unit.running_games(outage.after, size)
        for game_id in games:
            look_after(around.within(unit), game_id, outage.ends)
        if len(games) < size:
            unit.end_outage(outage)
        else:
            unit.save_outage(replace(outage, after=games[-1]))
        return len(games)


def _pass_over(around: Surroundings, error: Exception) -> dict[str, str]:
    with around.store.begin() as unit:
        outage = unit.lock_outage()
        games = () if outage is None else unit.running_games(outage.after, 1)
        if outage is None or not games:
            return {}
        unit.save_outage(replace(outage, after=games[0]))
        return {games[0]: f"{type(error).__name__}: {error}"}


def owe_answer(
    around: Surroundings, game_id: str, seat: int, *, arrived: datetime, now: datetime
) -> bool:
    """An answer to what a seat sent in is written only now: its clock stood meanwhile, whether
    that made a difference or not. Only for answers that ask for something else, as a refusal does.
    """
    if now - arrived <= PROMPT:
        return False
    with around.store.begin() as unit:
        game = OpenGame.lock(around, unit, game_id)
        check_seat(game.stored, seat)
        game.catch_up(arrived, seat=seat)
        opened = [row.opened_by for row in game.requests.values() if row.seat == seat]
        before = game.stored.entries
        if opened and not any(held.seat == seat for held in game.stored.held):
            mine = f"{STOOD}{seat} "
            since = unit.entries(game_id, since=min(opened))
            owed = [entry for entry in since if entry.seat is None and entry.text.startswith(mine)]
            if len(owed) < MOST_OWED:
                game.stand(max(arrived, now - LONGEST_OWED), now, seat=seat)
        game.save(now)
        return game.stored.entries > before
