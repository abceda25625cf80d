"""The pages of events: finding and making them, taking part, their tables, and directing them.

All of them are one blueprint (``site``), one module a topic. What is shown comes from ``seen``;
what is done goes through the use cases of ``pbem.play.events``.
"""

from __future__ import annotations

from pbem.web.events import (
    challenges,
    chances,
    desk,
    dossier,
    files,
    listing,
    log,
    making,
    mine,
    overview,
    rounds,
    table,
    taking_part,
)
from pbem.web.events.site import events

__all__ = [
    "challenges",
    "chances",
    "desk",
    "dossier",
    "events",
    "files",
    "listing",
    "log",
    "making",
    "mine",
    "overview",
    "rounds",
    "table",
    "taking_part",
]
