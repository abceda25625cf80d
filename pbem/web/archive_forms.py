"""The form by which the archive is searched: its fields, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import date
from typing import Any, Final

from notation.record import RESULTS
from notation.record_tags import TERMINATIONS
from pbem.archive.patterns import PATTERNS, house_pattern
from pbem.games.ortus.figures import HOUSE_NAMES, LEVELS, is_setup
from pbem.games.ortus.words import HOUSES, LEVEL_NAMES
from pbem.play.archived import Filter
from pbem.tongue import N_, Tongue

MAX_WORDS: Final = 200
MAX_FIGURE: Final = 9999
PATTERN_NAMES: Final = tuple(
    house_pattern(house, pattern.name) for house in (0, 1) for pattern in PATTERNS
)

ANY: Final = ("", N_("any"))
RESULT_WORDS: Final = {
    "1-0": N_("Gold won"),
    "0-1": N_("Black won"),
    "1/2-1/2": N_("Draw"),
    "*": N_("No result"),
}
ENDINGS: Final = {
    "guide": N_("by the Guide"),
    "wells": N_("by Wells"),
    "resignation": N_("by resignation"),
    "agreement": N_("by agreement"),
    "claim": N_("by a claim"),
    "time": N_("on time"),
    "ruling": N_("by a ruling"),
    "unfinished": N_("unfinished"),
}
NOT_A_DAY: Final = N_("This is not a day: write it as 2026-11-16.")
NOT_A_FIGURE: Final = N_("This is not a number from 0 to 9999.")
NOT_A_SETUP: Final = N_("A set-up has eight letters, two each of W, E, A and F.")
NOT_KNOWN: Final = N_("There is no such choice.")

Choices = list[tuple[str, str]]


def choices(tongue: Tongue) -> dict[str, Choices]:
    """What can be chosen, by field, in a language."""
    say = tongue.say
    anything = [(ANY[0], say(ANY[1]))]
    houses = [(name, say(word)) for name, word in zip(HOUSE_NAMES, HOUSES, strict=True)]
    levels = [(name, say(word)) for name, word in zip(LEVELS, LEVEL_NAMES, strict=True)]
    return {
        "house": anything + houses,
        "starter": anything + houses,
        "result": anything + [(result, say(RESULT_WORDS[result])) for result in RESULTS],
        "termination": anything + [(name, say(ENDINGS[name])) for name in TERMINATIONS],
        "level": anything + levels,
        "dice": [*anything, ("clean", say(N_("without dice"))), ("dicey", say(N_("with dice")))],
    }


def pattern_choices(tongue: Tongue) -> list[tuple[str, Choices]]:
    """The patterns of each House."""
    return [
        (
            tongue.say(word),
            [
                (house_pattern(house, pattern.name), tongue.say(pattern.sentence))
                for pattern in PATTERNS
            ],
        )
        for house, word in enumerate(HOUSES)
    ]


def _words(text: str) -> str:
    return " ".join(text.split())[:MAX_WORDS]


def _figure(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_FIGURE))):
        raise ValueError(NOT_A_FIGURE)
    return int(text)


def _day(text: str) -> int:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError(NOT_A_DAY) from None
    return day.year * 10_000 + day.month * 100 + day.day


def _setup(text: str) -> str:
    if not is_setup(text.upper()):
        raise ValueError(NOT_A_SETUP)
    return text.upper()


def _one_of(*allowed: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in allowed:
            raise ValueError(NOT_KNOWN)
        return text

    return read


_FIELDS: Final[dict[str, Callable[[str], Any]]] = {
    "player": _words,
    "opponent": _words,
    "event": _words,
    "arena": _words,
    "setup": _setup,
    "min_rating": _figure,
    "max_rating": _figure,
    "min_turns": _figure,
    "max_turns": _figure,
    "first_day": _day,
    "last_day": _day,
    "house": _one_of(*HOUSE_NAMES),
    "starter": _one_of(*HOUSE_NAMES),
    "result": _one_of(*RESULTS),
    "termination": _one_of(*TERMINATIONS),
    "level": _one_of(*LEVELS),
    "dice": _one_of("clean", "dicey"),
    "pattern": _one_of(*PATTERN_NAMES),
}
assert _FIELDS.keys() <= {field.name for field in fields(Filter)}


def read_filter(written: Mapping[str, str]) -> tuple[Filter, dict[str, str], dict[str, str]]:
    """What is wanted, the fields as they were written, and what is wrong with which of them."""
    found: dict[str, Any] = {}
    faults: dict[str, str] = {}
    kept = {name: written.get(name, "").strip()[:MAX_WORDS] for name in _FIELDS}
    for name, read in _FIELDS.items():
        if not kept[name]:
            continue
        try:
            found[name] = read(kept[name])
        except ValueError as error:
            faults[name] = str(error)
    return Filter(**found), {name: text for name, text in kept.items() if text}, faults
