"""From what a director fills in to a charter: checked as a whole, every fault listed at once.

The names are those of ``Charter``; what is not given is as usual. What an agreement says is
checked as it is for invitations (``terms``), but for who starts: that is the event's to say.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from pbem.games.base import OptionsError
from pbem.play.terms import Agreement, parse_agreement
from pbem.tournaments.charter import (
    BYE_WORTHS,
    FORMATS,
    MEETINGS,
    PACES,
    TIE_BREAKS,
    Charter,
)
from pbem.tournaments.charter_plain import INSTANTS, NAMES, charter_from_plain
from pbem.tournaments.event import Encounter

MAX_TITLE: Final = 80
MAX_ABOUT: Final = 4000
LONGEST_AHEAD: Final = timedelta(days=730)
"""How far ahead an event can be announced."""

CHOICES: Final = {
    "format": FORMATS,
    "meeting": MEETINGS,
    "pace": PACES,
    "bye_worth": BYE_WORTHS,
}
LIMITS: Final = {
    "rounds": (0, 30),
    "cycles": (1, 4),
    "group_size": (0, 32),
    "finalists": (1, 8),
    "round_days": (0, 366),
    "size": (3, 32),
    "movers": (0, 8),
    "boards": (1, 20),
    "reach": (1, 20),
    "min_entrants": (2, 1000),
    "max_entrants": (0, 1000),
    "check_in_hours": (0, 336),
}
"""The least and the most of the charter's numbers."""
RATINGS: Final = (0, 4000)
RATING_NAMES: Final = ("min_rating", "max_rating")
FLAGS: Final = ("allows_late", "third_place")
OURS: Final = ("starter", "bid")
"""What of an agreement is the event's to say."""
MOST_TOGETHER: Final = 40
"""Entrants of a round robin in one table: everybody meets everybody."""


def parse_charter(raw: Mapping[str, object]) -> Charter:
    """A charter from plain values. Raises OptionsError with every fault listed; those of the
    agreement are named ``agreement.clock`` and so on."""
    faults: dict[str, str] = {name: "there is no such option" for name in raw if name not in NAMES}
    plain: dict[str, Any] = {name: raw[name] for name in NAMES if name in raw}
    _check_texts(plain, faults)
    for name, allowed in CHOICES.items():
        if name in plain and plain[name] not in allowed:
            faults[name] = f"must be one of {', '.join(allowed)}"
    if "format" not in plain:
        faults["format"] = f"must be one of {', '.join(FORMATS)}"
    _check_numbers(plain, faults)
    for name in FLAGS:
        if not isinstance(plain.get(name, True), bool):
            faults[name] = "must be true or false"
    _check_tie_breaks(plain, faults)
    _check_instants(plain, faults)
    _check_agreement(plain, faults)
    if not faults:
        charter = charter_from_plain(plain)
        _check_together(charter, faults)
    if faults:
        raise OptionsError(faults)
    return charter


def agreement_of(charter: Charter, encounter: Encounter | None = None) -> Agreement:
    """What is played in an encounter, with who starts (R9.4). Raises OptionsError."""
    raw = dict(charter.agreement)
    has_bid = charter.meeting == "bid" or (encounter is not None and encounter.has_bid)
    if "position" not in raw:
        raw |= {"bid": True} if has_bid else {"starter": "gold"}
    return parse_agreement(raw)


def _check_texts(plain: dict[str, Any], faults: dict[str, str]) -> None:
    title = plain.get("title")
    plain["title"] = " ".join(title.split()) if isinstance(title, str) else ""
    if not 1 <= len(plain["title"]) <= MAX_TITLE or not plain["title"].isprintable():
        faults["title"] = f"must have 1 to {MAX_TITLE} characters"
    about = plain.get("about", "")
    if not isinstance(about, str) or len(about) > MAX_ABOUT:
        faults["about"] = f"must have at most {MAX_ABOUT} characters"
    elif any(unicodedata.category(each) in ("Cc", "Cs") for each in about if each not in "\n\t"):
        faults["about"] = "must be plain text"


def _check_numbers(plain: Mapping[str, Any], faults: dict[str, str]) -> None:
    limits = {**LIMITS, **{name: RATINGS for name in RATING_NAMES if plain.get(name) is not None}}
    for name, (least, most) in limits.items():
        value = plain.get(name, least)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            faults[name] = f"must be a whole number from {least} to {most}"


def _check_tie_breaks(plain: Mapping[str, Any], faults: dict[str, str]) -> None:
    chosen = plain.get("tie_breaks", [])
    is_list = isinstance(chosen, list | tuple) and all(each in TIE_BREAKS for each in chosen)
    if not is_list or len(set(chosen)) != len(chosen):
        faults["tie_breaks"] = f"must be some of {', '.join(TIE_BREAKS)}"


def _check_instants(plain: dict[str, Any], faults: dict[str, str]) -> None:
    for name in INSTANTS:
        value = plain.get(name)
        if value in (None, ""):
            plain[name] = None
            continue
        try:
            instant = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
            # Without a zone it is meant as everything that the server tells: in UTC.
            instant = instant.replace(tzinfo=instant.tzinfo or UTC).astimezone(UTC)
        except (ValueError, OverflowError):
            faults[name] = "must be an instant, such as 2026-12-01T18:00"
            continue
        plain[name] = instant.isoformat()


def _check_agreement(plain: dict[str, Any], faults: dict[str, str]) -> None:
    raw = plain.get("agreement", {})
    if not isinstance(raw, Mapping):
        faults["agreement"] = "there is no such option"
        return
    for name in OURS:
        if name in raw:
            faults[f"agreement.{name}"] = "is the event's to say"
    rest = {name: value for name, value in raw.items() if name not in OURS}
    if rest.get("visibility") == "private":
        faults["agreement.visibility"] = "games of an event are not private"
    if plain.get("meeting") == "bid" and "position" in rest:
        faults["meeting"] = "there is no bidding from a position"
    try:
        parse_agreement(rest)
    except OptionsError as error:
        faults.update({f"agreement.{name}": text for name, text in error.faults.items()})
    plain["agreement"] = rest


def _check_together(charter: Charter, faults: dict[str, str]) -> None:
    """What fits by itself may not fit with the rest."""
    closes, starts = charter.closes_at, charter.starts_at
    if closes is not None and starts is not None and closes > starts:
        faults["closes_at"] = "must not be behind the start"
    if charter.check_in_hours and starts is None:
        faults["check_in_hours"] = "needs a start that is known"
    most = charter.max_entrants
    if most and most < charter.min_entrants:
        faults["max_entrants"] = "must not be below the least number"
    low, high = charter.min_rating, charter.max_rating
    if low is not None and high is not None and low > high:
        faults["max_rating"] = "must not be below the least rating"
    if charter.format == "round_robin":
        if charter.group_size and charter.finalists >= charter.group_size:
            faults["finalists"] = "must be fewer than a group has"
        if not charter.group_size and not 2 <= most <= MOST_TOGETHER:
            faults["max_entrants"] = f"must be a whole number from 2 to {MOST_TOGETHER}"
    if charter.format == "league" and 2 * charter.movers >= charter.size:
        faults["movers"] = "must be fewer than half of a division"
    if charter.format == "ladder" and charter.check_in_hours:
        faults["check_in_hours"] = "a ladder has no check-in"


def check_ahead(charter: Charter, now: datetime) -> None:
    """Raises OptionsError if the event would begin in the past, or too far ahead."""
    faults = {}
    for name in INSTANTS:
        instant = getattr(charter, name)
        if instant is not None and not now <= instant <= now + LONGEST_AHEAD:
            faults[name] = "must lie within the next two years"
    if faults:
        raise OptionsError(faults)
