"""What two players agree on besides the game itself: clock, correction window, who may watch.

An *agreement* is one flat set of plain values, as it comes from a form or an invitation; it is
checked as a whole, and every fault is listed at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from pbem.games.base import OptionsError, Start
from pbem.games.registry import NAMES as GAME_NAMES
from pbem.games.registry import get_game
from pbem.schedule.durations import format_duration, parse_duration
from pbem.schedule.errors import ScheduleError
from pbem.schedule.rules import ClockRules, format_clock_rules, parse_clock_rules

NAMES: Final = ("game", "clock", "correction", "visibility", "rated")
USUAL_CLOCK: Final = "30d+1d cap 60d defence 4d fall"
LONGEST_CORRECTION: Final = timedelta(days=1)
NOTHING: Final = timedelta(0)
_VISIBILITY: Final = re.compile(r"open|private|delayed ([1-9][0-9]?)")


@dataclass(frozen=True, slots=True)
class Terms:
    """What the server sees to. ``delay`` is by how many turns spectators lag; None: the game is its
    players' alone, after its end as well."""

    clock: ClockRules
    correction: timedelta = NOTHING
    delay: int | None = 0
    rated: bool = True

    def to_plain(self) -> dict[str, object]:
        """As plain values, the same words as in an agreement."""
        visibility = "private" if self.delay is None else f"delayed {self.delay}"
        return {
            "clock": format_clock_rules(self.clock),
            "correction": format_duration(self.correction) if self.correction else "",
            "visibility": "open" if self.delay == 0 else visibility,
            "rated": self.rated,
        }


@dataclass(frozen=True, slots=True)
class Agreement:
    """What is to be played: which game, with which options of its own, on which terms."""

    game: str
    options: Mapping[str, object]
    terms: Terms

    def to_plain(self) -> dict[str, object]:
        """As one flat set of plain values."""
        return {"game": self.game, **self.options, **self.terms.to_plain()}


def parse_agreement(raw: Mapping[str, object]) -> Agreement:
    """An agreement from plain values. Raises OptionsError with every fault listed."""
    faults: dict[str, str] = {}
    game = raw.get("game", GAME_NAMES[0])
    options = {name: value for name, value in raw.items() if name not in NAMES}
    if game not in GAME_NAMES:
        faults["game"] = f"must be one of {', '.join(GAME_NAMES)}"
    else:
        try:
            get_game(str(game)).start(Start("check", options, bytes(32)))
        except OptionsError as error:
            faults.update(error.faults)
    terms = _parse_terms(raw, faults)
    if faults or terms is None:
        raise OptionsError(faults)
    return Agreement(str(game), options, terms)


def parse_terms(raw: Mapping[str, object]) -> Terms:
    """Only the terms of an agreement. Raises OptionsError with every fault listed."""
    faults: dict[str, str] = {}
    terms = _parse_terms(raw, faults)
    if faults or terms is None:
        raise OptionsError(faults)
    return terms


def _parse_terms(raw: Mapping[str, object], faults: dict[str, str]) -> Terms | None:
    clock: ClockRules | None = None
    try:
        clock = parse_clock_rules(_text(raw, "clock", USUAL_CLOCK))
    except ScheduleError as error:
        faults["clock"] = "; ".join(fault.text for fault in error.faults)
    correction = NOTHING
    text = _text(raw, "correction", "")
    if text:
        try:
            correction = parse_duration(text)
        except ScheduleError as error:
            faults["correction"] = "; ".join(fault.text for fault in error.faults)
        if correction > LONGEST_CORRECTION:
            faults["correction"] = "must be at most one day"
    found = _VISIBILITY.fullmatch(_text(raw, "visibility", "open"))
    if found is None:
        faults["visibility"] = "must be open, private, or delayed with a number of turns up to 99"
    rated = raw.get("rated", True)
    if not isinstance(rated, bool):
        faults["rated"] = "must be true or false"
    if clock is None or found is None or not isinstance(rated, bool):
        return None
    delay = None if found[0] == "private" else int(found[1] or 0)
    return Terms(clock, correction, delay, rated)


def _text(raw: Mapping[str, object], name: str, default: str) -> str:
    value = raw.get(name, default)
    return value if isinstance(value, str) else "?"
