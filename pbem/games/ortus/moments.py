"""What followed a state, gone along once for all who tell it and draw it.

Each mail of a turn tells the same events in sentences and draws them as arrows, and there are two
mails: the boards between the events are worked out for the first that asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from pbem.games.base import Event
from pbem.games.ortus.following import Moment, follow
from pbem.games.ortus.state import State
from pbem.shelf import Shelf

_MOST: Final = 80
"""How many moments are kept of all games together; each takes about 1 kB."""


class _Stretch(NamedTuple):
    """What its key names is held here, so that no other thing can come to have the same ids."""

    before: State
    events: tuple[Event, ...]
    moments: tuple[Moment, ...]


_kept: Final[Shelf[tuple[int, ...], _Stretch]] = Shelf(_MOST, lambda each: len(each.moments) + 1)


def stretch_key(before: State, events: Sequence[Event]) -> tuple[int, ...]:
    """Names a state and what followed it, as long as somebody holds them."""
    return (id(before), *map(id, events))


def moments_since(before: State, events: Sequence[Event]) -> tuple[Moment, ...]:
    """The events that followed a state, each with the boards around it."""
    key = stretch_key(before, events)
    known = _kept.find(key)
    if known is None:
        known = _Stretch(before, tuple(events), tuple(follow(before, events)))
        _kept.keep(key, known)
    return known.moments
