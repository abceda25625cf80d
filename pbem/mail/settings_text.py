"""What stands behind ``settings``: the wishes in it, English and Dutch (L6).

    settings language nl, board text, quiet 22:00-07:00
    settings name Ann
    settings address add ann@example.net

Owns the words only; whether the values make sense together is asked of ``pbem.play.players``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import time
from typing import Final

from pbem.play.players import PlayerFaults
from pbem.tongue import N_

_KEYS: Final = {
    "language": "language taal",
    "board": "board bord",
    "delivery": "delivery bezorging",
    "zone": "zone timezone time_zone tijdzone",
    "quiet": "quiet rust rusturen stil",
    "weekends": "weekends weekend weekenden",
    "messages": "messages berichten",
    "notes": "notes notities aantekeningen",
    "name": "name naam",
    "address": "address adres",
}
KEYS: Final = {spelling: key for key, words in _KEYS.items() for spelling in words.split()}

NOTE_WORDS: Final[dict[str, object]] = {
    "never": "never",
    "nooit": "never",
    "off": "never",
    "uit": "never",
    "after": "after",
    "na": "after",
    "agreed": "agreed",
    "both": "agreed",
    "beide": "agreed",
    "samen": "agreed",
}
"""Whether private notes join the archived game, as players say it."""

_VALUES: Final[dict[str, dict[str, object]]] = {
    "language": {
        "en": "en",
        "english": "en",
        "engels": "en",
        "nl": "nl",
        "dutch": "nl",
        "nederlands": "nl",
    },
    "board": {
        "image": "image",
        "picture": "image",
        "plaatje": "image",
        "beeld": "image",
        "text": "text",
        "tekst": "text",
        "spoken": "spoken",
        "words": "spoken",
        "gesproken": "spoken",
        "woorden": "spoken",
    },
    "delivery": {
        "each": "each",
        "elk": "each",
        "apart": "each",
        "digest": "digest",
        "daily": "digest",
        "dagelijks": "digest",
        "none": "none",
        "geen": "none",
    },
    "weekends": {
        "off": True,
        "rest": True,
        "free": True,
        "vrij": True,
        "rust": True,
        "on": False,
        "play": False,
        "spelen": False,
        "aan": False,
    },
    "messages": {
        "stop": True,
        "stoppen": True,
        "go": False,
        "go on": False,
        "on": False,
        "door": False,
        "doorgaan": False,
    },
    "notes": NOTE_WORDS,
}
_FIELDS: Final = {
    "language": "language",
    "board": "board",
    "delivery": "delivery",
    "weekends": "rests_on_weekends",
    "messages": "messages_stop_plans",
    "notes": "notes_join",
}
_ADDRESS_VERBS: Final = {
    "add": "add",
    "toevoegen": "add",
    "prefer": "prefer",
    "voorkeur": "prefer",
    "fallback": "fallback",
    "reserve": "fallback",
    "drop": "drop",
    "remove": "drop",
    "verwijder": "drop",
}
OFF: Final = frozenset({"off", "uit", "none", "geen"})
_HOUR: Final = r"([01]?[0-9]|2[0-3])(?:[:.]([0-5][0-9]))?"
_QUIET: Final = re.compile(rf"{_HOUR}\s*(?:-|–|to|tot|\s)\s*{_HOUR}", re.IGNORECASE)
_KEY_ALONE: Final = re.compile(r"[^\W\d]+")

UNKNOWN: Final = N_("there is no such setting")
CHOICES: Final = {
    "language": N_("must be en or nl"),
    "board": N_("must be image, text or spoken"),
    "delivery": N_("must be each, digest or none"),
    "weekends": N_("must be off or on"),
    "messages": N_("must be stop or go"),
    "notes": N_("must be never, after or both"),
    "quiet": N_("must be two times, as 22:00-07:00, or off"),
    "zone": N_("must be a time zone, as Europe/Amsterdam"),
    "name": N_("must be a name"),
    "address": N_("must be add, prefer, fallback or drop, and an address"),
}


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is to be set: fields of the preferences, a name, and what is done with addresses."""

    preferences: dict[str, object] = field(default_factory=dict)
    name: str | None = None
    addresses: tuple[tuple[str, str], ...] = ()
    """``add``, ``prefer``, ``fallback`` or ``drop``, each with an address (or ``off``)."""
    keys: tuple[str, ...] = ()
    """The settings that are named, each once."""

    @property
    def is_about_player(self) -> bool:
        """Whether anything but addresses is to be set."""
        return bool(self.preferences) or self.name is not None


def parse_settings(text: str) -> Wishes:
    """What stands behind ``settings``. Raises PlayerFaults with every fault, by setting."""
    faults: dict[str, str] = {}
    preferences: dict[str, object] = {}
    name: str | None = None
    addresses: list[tuple[str, str]] = []
    for written, value in _pairs(text):
        key = KEYS.get(written.lower(), "")
        fault = CHOICES.get(key, UNKNOWN)
        if key in _VALUES and value.lower() in _VALUES[key]:
            preferences[_FIELDS[key]] = _VALUES[key][value.lower()]
        elif key == "zone" and value:
            preferences["time_zone"] = value
        elif key == "quiet" and (hours := _find_quiet(value)) is not None:
            preferences |= hours
        elif key == "name" and value:
            name = value
        elif key == "address" and (wish := _find_address_wish(value)) is not None:
            addresses.append(wish)
        else:
            faults[key or written[:40]] = fault
    if faults:
        raise PlayerFaults(faults)
    keys = dict.fromkeys(KEYS[written.lower()] for written, _ in _pairs(text))
    return Wishes(preferences, name, tuple(addresses), tuple(keys))


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Each setting with its value: behind a comma another begins if a name of one follows."""
    pieces: list[str] = []
    for piece in re.split(r"[,;\n]", text):
        first = _KEY_ALONE.match(piece.strip())
        if pieces and (first is None or first[0].lower() not in KEYS):
            pieces[-1] += f",{piece}"
        else:
            pieces.append(piece)
    for piece in pieces:
        found = re.match(r"\s*([^\s:=]+)\s*[:=]?\s*(.*)", piece, re.DOTALL)
        if found:
            yield found[1], found[2].strip().strip("\"'“”*").strip()


def _find_quiet(value: str) -> dict[str, object] | None:
    if value.lower() in OFF:
        return {"quiet_from": None, "quiet_to": None}
    found = _QUIET.fullmatch(value)
    if found is None:
        return None
    begin, end = (
        time(int(hour), int(minute or 0))
        for hour, minute in ((found[1], found[2]), (found[3], found[4]))
    )
    return {"quiet_from": begin, "quiet_to": end}


def _find_address_wish(value: str) -> tuple[str, str] | None:
    verb, _, address = value.partition(" ")
    action = _ADDRESS_VERBS.get(verb.lower())
    address = re.sub(r"<mailto:[^>\s]*>", "", address).strip(" <>.,;")
    if action is None or not address or (address.lower() in OFF and action != "fallback"):
        return None
    return action, address.lower() if address.lower() in OFF else address
