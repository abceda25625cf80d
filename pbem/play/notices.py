"""Who is to be written to about what happened: at most one mail a player for each cause (L1.3).

Owns the choice of kinds. What a mail says is made from the game when it is sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.play.course import Followed
from pbem.play.log import LogEntry
from pbem.play.model import Notice, OpenRequest, StoredGame

RECEIPT: Final = "receipt"
NEWS: Final = "news"
GAME_OVER: Final = "game_over"
REMINDER: Final = "reminder"
MESSAGE: Final = "message"
HELD_DROPPED: Final = "held_dropped"
REQUEST: Final = "_request"


def cause_of(game_id: str, entry: int) -> str:
    """The cause of everything that one log entry brings about."""
    return f"{game_id}/{entry}"


def notices_of(
    game: StoredGame, entry: LogEntry, done: Followed, opened: dict[int, OpenRequest]
) -> Iterator[Notice]:
    """The notices of one entry; ``opened`` are its new requests by seat."""
    cause = cause_of(game.id, entry.number)
    is_over = any(event.name == "game_ended" for event in done.events)
    for seat, player_id in enumerate(game.players):
        facts: dict[str, object] = {"entry": entry.number, "seat": seat}
        request = opened.get(seat)
        if request is not None:
            facts["request"] = request.id
        if is_over:
            kind = GAME_OVER
        elif seat == entry.seat:
            kind = RECEIPT
        elif request is not None:
            kind = request.kind + REQUEST
        elif _concerns(done, seat) or entry.number == 0:
            kind = NEWS  # of a game that has begun, too, though it is another's turn
        else:
            continue
        yield Notice(cause, player_id, kind, entry.at, game.id, facts)


def _concerns(done: Followed, seat: int) -> bool:
    """Whether something happened that is worth a mail of its own to this seat."""
    is_news = done.course.play.is_news
    return any(event.only_for in (None, seat) and is_news(event, seat) for event in done.events)
