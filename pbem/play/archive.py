"""What is left of a game when it is over: its record (N5) and its log (N5.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.base import Entry
from pbem.games.registry import get_game
from pbem.play.course import CLOCK_ACTS
from pbem.play.log import LogEntry, format_log
from pbem.play.model import StoredGame
from pbem.play.ports import Unit
from pbem.play.terms import parse_terms
from pbem.schedule.rules import format_clock_rules


def game_entries(entries: Sequence[LogEntry]) -> list[Entry]:
    """The part of a log that is the game's own: without its beginning and the clock's affairs."""
    return [
        Entry(entry.seat, entry.text)
        for entry in entries[1:]
        if entry.seat is not None or not entry.text.startswith(CLOCK_ACTS)
    ]


def record_of(unit: Unit, stored: StoredGame, tags: Mapping[str, str]) -> str:
    """The record of a game as far as it has come; ``tags`` bring event, site and the like."""
    play = get_game(stored.game)
    entries = unit.entries(stored.id)
    names = {}
    for seat, player_id in enumerate(stored.players):
        player = unit.find_player(player_id)
        names[play.seats[seat].capitalize()] = player.name if player else "?"
    clock = format_clock_rules(parse_terms(stored.terms).clock)
    known = {"Date": f"{stored.created_at:%Y.%m.%d}", **names, "Clock": clock}
    if stored.is_over:
        known["LogHash"] = stored.head
    return play.record(stored.start, game_entries(entries), {**known, **tags})


def log_of(unit: Unit, stored: StoredGame) -> str:
    """The ``.log`` file of a game that is over, with its seed and all salts."""
    if not stored.is_over:
        raise ValueError("the log of a running game is secret")
    return format_log(stored.start.seed, unit.entries(stored.id))
