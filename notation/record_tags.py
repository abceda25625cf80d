"""The tags of a record (N5.1): their order, their spelling, and what their values may be.

Owns one tag line and the checks on the tags of one game. What the values mean for the rules
(whether there is such an arena, what a handicap does) is ``pbem.games.ortus``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from notation.errors import NotationError
from notation.position_line import LEVELS, PositionLine, format_position, parse_position
from notation.record import RESULTS, make_writable

ROSTER: Final = ("Event", "Site", "Date", "Round", "Gold", "Black", "Result")
GAME_TAGS: Final = (
    "Termination",
    "Arena",
    "Level",
    "Dice",
    "Starter",
    "StarterEnergy",
    "GoldSetup",
    "BlackSetup",
    "Position",
)
FURTHER_TAGS: Final = ("GameId", "SeedHash", "Seed", "Handicap", "Clock", "DrawClaim")
LAST_TAG: Final = "LogHash"
TERMINATIONS: Final = (
    "guide",
    "wells",
    "resignation",
    "agreement",
    "claim",
    "time",
    "ruling",
    "unfinished",
)
MAX_TAGS: Final = 256
MAX_VALUE: Final = 4096

_KNOWN: Final = ROSTER + GAME_TAGS + FURTHER_TAGS
_RANKS: Final = {name: rank for rank, name in enumerate(_KNOWN)} | {LAST_TAG: len(_KNOWN) + 1}

_TAG: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9_]{0,63}) "((?:[^"\\]++|\\["\\])*+)"\]')
_LOOSE_TAG: Final = re.compile(
    r'\s*\[\s*([A-Za-z][A-Za-z0-9_]{0,63})\s*["“”„]((?:[^"“”\\]++|\\.)*+)["“”]\s*\]\s*'
)
_TAG_BEGINNING: Final = re.compile(
    r'(?:\[(?:[A-Za-z][A-Za-z0-9_]{0,63}(?: (?:"(?:[^"\\]++|\\["\\])*+(?:"\]?)?)?)?)?)?'
)
_ESCAPED: Final = re.compile(r"\\(.)")

_DRAWN: Final = frozenset({"agreement", "claim"})
_DECISIVE: Final = frozenset({"guide", "wells", "resignation", "time"})
_VALUES: Final[Mapping[str, tuple[re.Pattern[str], str]]] = {
    "Date": (
        re.compile(r"(?:[0-9]{4}|\?{4})\.(?:[0-9]{2}|\?\?)\.(?:[0-9]{2}|\?\?)"),
        "a date such as 2026.11.16, ? for what is not known",
    ),
    "Result": (re.compile(r"1-0|0-1|1/2-1/2|\*"), "1-0, 0-1, 1/2-1/2 or *"),
    "Termination": (re.compile("|".join(TERMINATIONS)), f"one of {' '.join(TERMINATIONS)}"),
    "Arena": (re.compile(r"[A-Za-z0-9_-]{1,32}"), "an arena name of letters, digits, - and _"),
    "Level": (re.compile("|".join(LEVELS)), f"one of {' '.join(LEVELS)}"),
    "Dice": (re.compile(r"clean|dicey"), "clean or dicey"),
    "Starter": (re.compile(r"gold|black"), "gold or black"),
    "StarterEnergy": (re.compile(r"0|[1-9][0-9]?"), "a whole number from 0 to 99"),
}
_SETUP: Final = "eight letters, two each of W, E, A and F"


class TagFault(NamedTuple):
    """A fault in a tag's value, or a missing tag; ``offset`` counts from the value's start."""

    tag: str
    code: str
    found: str
    expected: str
    offset: int = 0


def find_tag(line: str) -> tuple[str, str] | None:
    """Name and value of a canonical tag line, None if it is not one."""
    match = _TAG.fullmatch(line)
    return None if match is None else (match[1], _ESCAPED.sub(r"\1", match[2]))


def tag_fault_offset(line: str) -> int:
    """The offset at which a line stops looking like a tag."""
    match = _TAG_BEGINNING.match(line)
    return match.end() if match else 0


def find_loose_tag(line: str) -> tuple[str, str] | None:
    """Name and value of anything that looks like a tag line."""
    match = _LOOSE_TAG.fullmatch(line)
    return None if match is None else (match[1], _ESCAPED.sub(r"\1", match[2]))


def format_tag(name: str, value: str) -> str:
    """One tag line, with PGN's escapes."""
    escaped = make_writable(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def rank_of(name: str) -> int:
    """Where a tag stands: unknown ones behind all known ones but the last."""
    return _RANKS.get(name, len(_KNOWN))


def order_tags(tags: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Tags in canonical order; unknown ones keep the order they came in (N5.1)."""
    return sorted(tags, key=lambda tag: rank_of(tag[0]))


def find_position_tag(tags: Mapping[str, str]) -> PositionLine | None:
    """The position a study begins from, None if there is none that can be read."""
    try:
        return parse_position(tags["Position"]) if "Position" in tags else None
    except NotationError:
        return None


def check_tags(tags: Mapping[str, str], *, has_turns: bool) -> Iterator[TagFault]:
    """All that is wrong with the values of one game's tags, or missing among them."""
    needed = ROSTER if "Position" in tags or not has_turns else ROSTER + GAME_TAGS[:-1]
    missing = [name for name in needed if name not in tags]
    if missing:
        plural = "tags" if len(missing) > 1 else "tag"
        yield TagFault(missing[0], "missing_tag", "", f"the {plural} {', '.join(missing)} too")
    for name, value in tags.items():
        if name in _VALUES:
            pattern, expected = _VALUES[name]
            if not pattern.fullmatch(value):
                yield TagFault(name, "bad_tag_value", value, expected)
        elif name in {"GoldSetup", "BlackSetup"} and sorted(value) != list("AAEEFFWW"):
            yield TagFault(name, "bad_tag_value", value, _SETUP)
    yield from _check_ending(tags)
    if "Position" in tags:
        yield from _check_position(tags)


def _check_ending(tags: Mapping[str, str]) -> Iterator[TagFault]:
    result, termination = tags.get("Result", ""), tags.get("Termination", "")
    if result not in RESULTS or termination not in TERMINATIONS:
        return
    if termination in _DRAWN:
        fits, expected = result == "1/2-1/2", "a draw: Result 1/2-1/2"
    elif termination in _DECISIVE:
        fits, expected = result in {"1-0", "0-1"}, "a winner: Result 1-0 or 0-1"
    elif termination == "unfinished":
        fits, expected = result == "*", "no result yet: Result *"
    else:
        return
    if not fits:
        yield TagFault("Termination", "termination_mismatch", termination, expected)


def _check_position(tags: Mapping[str, str]) -> Iterator[TagFault]:
    text = tags["Position"]
    try:
        position = parse_position(text)
    except NotationError as error:
        yield TagFault("Position", error.code, error.found, error.expected, error.column - 1)
        return
    if format_position(position) != text:
        yield TagFault("Position", "not_canonical", text, format_position(position))
    for name in ("GoldSetup", "BlackSetup"):
        if name in tags:
            yield TagFault(name, "setup_with_position", tags[name], "set-ups or a Position tag")
    side = "gold" if position.side == "g" else "black"
    for name, value in (("Arena", position.arena), ("Level", position.level), ("Starter", side)):
        if tags.get(name, value) != value:
            yield TagFault(name, "position_mismatch", tags[name], f"{value}, as in the Position")
