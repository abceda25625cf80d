"""Who is to be written to about an event: at most one mail a player for each cause and kind (L1.3).

Owns the kinds and their causes. A mail is made from the event when it is sent; facts name only what
it is about: always ``event``, the event's id, and what stands behind each kind below.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from pbem.play.model import Notice
from pbem.play.ports import Unit

ENTERED: Final = "event_entered"
"""Somebody has entered: ``entrant``; also who came in from the waiting list (``moved_up``)."""
WAITING: Final = "event_waiting"
"""Somebody waits for a place: ``entrant``."""
CHECK_IN: Final = "event_check_in"
"""Somebody is asked to say that they are there: ``entrant``."""
PAIRED: Final = "event_paired"
"""A round has begun: ``entrant``, ``round``, and the numbers of ``encounters``."""
NEWS: Final = "event_news"
"""Something happened that everybody in the event is to know: ``act``, its number in the log."""
OVER: Final = "event_over"
"""The event is over, or was cancelled: ``act``."""
PUT_OFF: Final = "event_put_off"
"""To directors: too few have entered, and the start is put off: ``act``."""
WARNING: Final = "event_warning"
"""A director warns or disqualifies somebody: ``act``, ``entrant``."""
SUBSTITUTE_ASKED: Final = "substitute_asked"
"""Somebody is asked to take over a place: ``entrant``, ``act``."""
SUBSTITUTED: Final = "event_substituted"
"""To directors and to the opponents: a place has another holder: ``entrant``, ``act``."""
CHALLENGED: Final = "event_challenged"
"""Somebody is challenged in a ladder: ``challenge``, its number."""
CHALLENGE_ANSWERED: Final = "event_challenge_answered"
"""A challenge was declined or not answered: ``challenge``."""
RULED: Final = "event_ruled"
"""A director has ruled on a game, corrected or annulled it: ``act``, ``encounter``, ``game``."""
WEEKLY: Final = "director_weekly"
"""To directors, once a week: ``week``, the day it begins, as 2026-11-16."""
LEAVE: Final = "event_leave"
"""To directors: a player takes leave: ``entrant``, the days ``first``, ``last``."""
DOSSIER: Final = "director_dossier"
"""To directors: a game waits for a ruling: ``encounter``, ``game``."""

KINDS: Final = (
    ENTERED,
    WAITING,
    CHECK_IN,
    PAIRED,
    NEWS,
    OVER,
    PUT_OFF,
    WARNING,
    SUBSTITUTE_ASKED,
    SUBSTITUTED,
    CHALLENGED,
    CHALLENGE_ANSWERED,
    RULED,
    WEEKLY,
    DOSSIER,
    LEAVE,
)
"""All kinds of mails about events."""


def cause_of_act(event_id: str, act: int) -> str:
    """The cause of what an act brings about."""
    return f"event/{event_id}/act/{act}"


def cause_of_round(event_id: str, round_: int) -> str:
    """The cause of what the beginning of a round brings about: one mail a player."""
    return f"event/{event_id}/round/{round_}"


def tell(
    unit: Unit,
    kind: str,
    players: Iterable[int],
    *,
    cause: str,
    at: datetime,
    event_id: str,
    **facts: object,
) -> None:
    """Note that players are to be written to; who has been, is not again."""
    for player_id in dict.fromkeys(players):
        unit.add_notice(Notice(cause, player_id, kind, at, facts={"event": event_id, **facts}))
