"""What has happened in the notation of records, for a log that is read while the game runs.

Made from events, never from what was written: a plan and what became of it are different things,
and only one of them is public (N2.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from notation.record import Roll, Verdicts
from notation.record_writing import format_verdicts
from pbem.games.base import Event

_WORDS: Final = {
    "setup_placed": "setup",
    "bid_passed": "pass",
    "draw_offered": "draw?",
    "draw_declined": "draw-",
}


def note_events(events: Sequence[Event], seat: int | None) -> tuple[str, ...]:
    """The events of one entry that a seat (None: everybody) may see, one text an order."""
    noted: list[str] = []
    for event in events:
        if event.only_for not in (None, seat):
            continue
        match event.name:
            case "acted":
                roll = cast(Roll | None, event.facts["roll"])
                rolled = f"({'/'.join(map(str, roll))})" if roll else ""
                noted.append(f"{event.facts['order']}{rolled}")
            case "defended":
                verdicts = format_verdicts(cast(Verdicts, event.facts["verdicts"]))
                # The verdict stands behind the attack, unless that was told before.
                if noted and not noted[-1].startswith("="):
                    noted[-1] += verdicts
                else:
                    noted.append(verdicts)
            case "bid_made":
                noted.append(f"bid {event.facts['bid']}")
            case "game_ended":
                noted.append(f"{event.facts['termination']}")
            case name if name in _WORDS:
                noted.append(_WORDS[name])
    return tuple(noted)
