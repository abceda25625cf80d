"""What stands behind ``invite``: whom, and what is to be played (L6).

    invite friend@example.org master origin 14d
    invite friend@example.org water dicey 30d+1d cap 60d defence 4d fall correction 15m private

Words may stand in any order. Owns the words only; whether they make a game is asked of the
agreement, which lists every fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from pbem.games.base import OptionsError
from pbem.games.ortus.arena import BUILT_IN
from pbem.games.ortus.figures import HOUSE_NAMES, LEVELS
from pbem.mail.commands import EVERYBODY
from pbem.tongue import N_

_SIMPLE: Final[dict[str, tuple[str, object]]] = {
    **{level: ("level", level) for level in LEVELS},
    "leerling": ("level", "apprentice"),
    "aarde": ("level", "earth"),
    "meester": ("level", "master"),
    **{arena: ("arena", arena) for arena in BUILT_IN},
    "dicey": ("dice", "dicey"),
    "dobbelstenen": ("dice", "dicey"),
    "clean": ("dice", "clean"),
    "bid": ("bid", True),
    "bod": ("bid", True),
    "rated": ("rated", True),
    "unrated": ("rated", False),
    "friendly": ("rated", False),
    "vriendschappelijk": ("rated", False),
    "open": ("visibility", "open"),
    "private": ("visibility", "private"),
    "besloten": ("visibility", "private"),
}
_HOUSES: Final = {**{name: name for name in HOUSE_NAMES}, "goud": "gold", "zwart": "black"}
_AS: Final = frozenset({"as", "als"})
_STARTER: Final = frozenset({"starter", "first", "begint"})
_CLOCK_WORDS: Final = frozenset(
    {"cap", "longest", "defence", "defense", "fall", "save", "remind", "never"}
)
_DURATION: Final = re.compile(r"[+/]?[0-9]+[wdhms][0-9wdhms+/]*|[+/]|[0-9]{1,2}(?:,[0-9]{1,2})+")
_SHOWN: Final = re.compile(r"<mailto:[^>\s]*>|<https?:[^>\s]*>")

ADDRESS_MISSING: Final = N_("the address of whom you invite must come first")
WORD_UNKNOWN: Final = N_("this word belongs to no invitation")
SAID_TWICE: Final = N_("this is said twice")
NEEDS_HOUSE: Final = N_("gold or black must follow")
NEEDS_MORE: Final = N_("something must follow this word")


@dataclass(frozen=True, slots=True)
class InvitationText:
    """Whom to invite (None: everybody), to what, and the seat the host wants."""

    address: str | None
    agreement: dict[str, object] = field(default_factory=dict)
    host_seat: int | None = None


def parse_invitation(text: str) -> InvitationText:
    """What stands behind ``invite``. Raises OptionsError with every fault, by word."""
    words = _SHOWN.sub(" ", text).split()
    address = words[0].strip("<>,;:\"'").removeprefix("mailto:") if words else ""
    if "@" not in address and address.lower() not in EVERYBODY:
        raise OptionsError({"address": ADDRESS_MISSING})
    reader = _Reader(words[1:])
    reader.read()
    if reader.faults:
        raise OptionsError(reader.faults)
    whom = None if address.lower() in EVERYBODY else address
    return InvitationText(whom, reader.agreement, reader.host_seat)


class _Reader:
    """Goes through the words once, notes what is wrong, and carries on behind it."""

    def __init__(self, words: list[str]) -> None:
        self.words = [word.strip(",;") for word in words]
        self.at = 0
        self.agreement: dict[str, object] = {}
        self.host_seat: int | None = None
        self.faults: dict[str, str] = {}
        self._phrases: dict[str, Callable[[str], None]] = {
            "correction": self._correction,
            "correctie": self._correction,
            "handicap": self._handicap,
            "delayed": self._delayed,
            "position": self._position,
            "claim": self._claim,
            "clock": self._clock,
            "klok": self._clock,
        }

    def read(self) -> None:
        while self.at < len(self.words):
            word = self._take()
            lowered = word.lower()
            if not word:
                continue
            if lowered in _SIMPLE:
                self._set(*_SIMPLE[lowered], word=word)
            elif lowered in _AS:
                seat = self._house(word)
                self.host_seat = None if seat is None else HOUSE_NAMES.index(seat)
            elif lowered in _STARTER:
                seat = self._house(word)
                if seat is not None:
                    self._set("starter", seat, word=word)
            elif lowered in self._phrases:
                self._phrases[lowered](word)
            elif _DURATION.fullmatch(lowered):
                self.at -= 1
                self._clock(word)
            else:
                self.faults[word] = WORD_UNKNOWN

    def _take(self) -> str:
        word = self.words[self.at] if self.at < len(self.words) else ""
        self.at += 1
        return word

    def _set(self, name: str, value: object, *, word: str) -> None:
        if name in self.agreement and self.agreement[name] != value:
            self.faults[word] = SAID_TWICE
        self.agreement[name] = value

    def _house(self, word: str) -> str | None:
        house = _HOUSES.get(self._take().lower())
        if house is None:
            self.faults[word] = NEEDS_HOUSE
        return house

    def _clock(self, word: str) -> None:
        taken = []
        while self.at < len(self.words):
            following = self.words[self.at].lower()
            if not (_DURATION.fullmatch(following) or following in _CLOCK_WORDS):
                break
            taken.append(self._take())
        if taken:
            self._set("clock", " ".join(taken), word=word)
        else:
            self.faults[word] = NEEDS_MORE

    def _correction(self, word: str) -> None:
        value = self._take()
        if value:
            self._set("correction", value, word=word)
        else:
            self.faults[word] = NEEDS_MORE

    def _handicap(self, word: str) -> None:
        house = self._house(word)
        if house is not None:
            self._set("handicap", f"{house} {self._take()}", word=word)

    def _delayed(self, word: str) -> None:
        self._set("visibility", f"delayed {self._take()}", word=word)

    def _claim(self, word: str) -> None:
        value = self._take()
        rounds = int(value) if value.isascii() and value.isdigit() and len(value) < 6 else None
        self._set("draw_claim", False if rounds is None else rounds, word=word)

    def _position(self, word: str) -> None:
        """A position line (N4) takes the rest."""
        self._set("position", " ".join(self.words[self.at :]), word=word)
        self.at = len(self.words)
