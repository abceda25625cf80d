"""The form of an event's charter: which fields each format has, their usual values, and reading it.

Whether a charter can be played is ``pbem.play.events.charters``' to say; here a form becomes the
plain values it takes. Instants are written in the viewer's own time.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from flask import g

from pbem.play.terms import USUAL_CLOCK
from pbem.schedule.zones import get_zone
from pbem.tournaments.charter import USUAL_TIE_BREAKS, Charter
from pbem.tournaments.charter_plain import charter_to_plain

PLAYED: Final = ("level", "arena", "clock", "dice", "visibility", "position")
"""The fields that are of the agreement."""
NUMBERS: Final = (
    "rounds",
    "cycles",
    "group_size",
    "finalists",
    "round_days",
    "size",
    "movers",
    "boards",
    "reach",
    "min_entrants",
    "max_entrants",
    "check_in_hours",
)
RATINGS: Final = ("min_rating", "max_rating")
INSTANTS: Final = ("closes_at", "starts_at")
FLAGS: Final = ("allows_late", "third_place")
CHOICES: Final = ("pace", "bye_worth")
MOST_TIE_BREAKS: Final = 5

_BRISK: Final = "14d+12h cap 30d defence 2d fall"
USUAL: Final[Mapping[str, Mapping[str, str]]] = {
    "round_robin": {"max_entrants": "8", "cycles": "1", "pace": "together", "clock": USUAL_CLOCK},
    "swiss": {"rounds": "5", "round_days": "60", "clock": _BRISK, "allows_late": "1"},
    "knockout": {"max_entrants": "16", "clock": _BRISK},
    "league": {"size": "6", "movers": "2", "round_days": "120", "clock": _BRISK},
    "ladder": {"reach": "3", "clock": _BRISK, "allows_late": "1"},
    "teams": {"boards": "4", "round_days": "90", "clock": _BRISK},
}
"""What stands in a new form, by format, besides what the charter has anyway."""

_OWN: Final[Mapping[str, tuple[str, ...]]] = {
    "round_robin": ("cycles", "pace", "group_size", "finalists", "round_days"),
    "swiss": ("rounds", "round_days", "bye_worth", "allows_late"),
    "knockout": ("third_place",),
    "league": ("size", "movers", "rounds", "round_days", "allows_late"),
    "ladder": ("reach", "allows_late"),
    "teams": ("boards", "round_days"),
}
_GENERAL: Final = ("min_entrants", "max_entrants", *RATINGS, *INSTANTS)


def fields_of(format_: str) -> frozenset[str]:
    """The fields that the form of a format has, besides title, meeting and what is played."""
    found = {*_OWN[format_], *_GENERAL}
    if format_ != "ladder":
        found.add("check_in_hours")
    if USUAL_TIE_BREAKS[format_]:
        found.add("tie_breaks")
    return frozenset(found)


def new_form(format_: str) -> dict[str, str]:
    """What stands in the form of a new event."""
    form = form_of(Charter("", format_, {"clock": USUAL_CLOCK}))  # type: ignore[arg-type]
    return {**form, "level": "apprentice", "rated": "1", "visibility": "open", **USUAL[format_]}


def form_of(charter: Charter) -> dict[str, str]:
    """A charter as the values of its form."""
    plain = charter_to_plain(charter)
    form: dict[str, str] = {}
    for name in ("title", "format", "meeting", "about", *NUMBERS, *RATINGS, *CHOICES):
        form[name] = "" if plain[name] is None else str(plain[name])
    for name in FLAGS:
        if plain[name]:
            form[name] = "1"
    for name in INSTANTS:
        form[name] = _to_local(getattr(charter, name))
    for index, each in enumerate(charter.order[:MOST_TIE_BREAKS], 1):
        form[f"tie_{index}"] = each
    for name in PLAYED:
        form[name] = str(charter.agreement.get(name, ""))
    if charter.agreement.get("rated", True):
        form["rated"] = "1"
    return form


def read_form(form: Mapping[str, str], format_: str) -> dict[str, Any]:
    """The plain values of a form that was sent. What cannot be read stays as it was written, for
    whoever checks it to find."""
    raw: dict[str, Any] = {
        "title": form.get("title", ""),
        "format": format_,
        "meeting": form.get("meeting", ""),
        "about": form.get("about", "").replace("\r\n", "\n").strip(),
        "agreement": _read_agreement(form),
    }
    known = fields_of(format_)
    for name in known & {*NUMBERS}:
        raw[name] = _read_number(form.get(name, ""), empty=0)
    for name in known & {*RATINGS}:
        raw[name] = _read_number(form.get(name, ""), empty=None)
    for name in known & {*FLAGS}:
        raw[name] = name in form
    for name in known & {*CHOICES}:
        raw[name] = form.get(name, "")
    for name in INSTANTS:
        raw[name] = _read_instant(form.get(name, ""))
    if "tie_breaks" in known:
        chosen = (form.get(f"tie_{index}", "") for index in range(1, MOST_TIE_BREAKS + 1))
        raw["tie_breaks"] = [each for each in chosen if each]
    return raw


def _read_agreement(form: Mapping[str, str]) -> dict[str, Any]:
    read: dict[str, Any] = {
        name: form[name].strip() for name in PLAYED if form.get(name, "").strip()
    }
    if "position" in read:  # it says both
        read.pop("level", None)
        read.pop("arena", None)
    read["rated"] = "rated" in form
    return read


def _read_number(text: str, *, empty: int | None) -> Any:
    text = text.strip()
    if not text:
        return empty
    is_number = text.isascii() and text.isdigit() and len(text) < 7
    return int(text) if is_number else text


def _read_instant(text: str) -> str | None:
    """An instant in the viewer's zone, as one of UTC."""
    text = text.strip()
    try:
        written = datetime.fromisoformat(text)
        zone = get_zone(g.calendar.time_zone)
        return written.replace(tzinfo=written.tzinfo or zone).astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        return text or None


def _to_local(instant: datetime | None) -> str:
    if instant is None:
        return ""
    return f"{instant.astimezone(get_zone(g.calendar.time_zone)):%Y-%m-%dT%H:%M}"
