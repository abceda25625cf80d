"""What can be asked of an archived game, from its record; and when two records are one game.

Owns the reading of tags into facts and the digest by which duplicates are found. Whether the
record is legal is judged elsewhere.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from notation.record import Record
from notation.record_writing import format_verdicts
from notation.writing import format_order

UNKNOWN: Final = "?"
_START: Final = (
    "Position",
    "Arena",
    "Wells",
    "Cuts",
    "Level",
    "Dice",
    "Starter",
    "StarterEnergy",
    "GoldSetup",
    "BlackSetup",
    "Handicap",
)
_SHORT: Final = 6
"""Games of fewer turns are told apart by their day and round too: many are alike."""

_order_text: Final = lru_cache(maxsize=1 << 15)(format_order)


@dataclass(frozen=True, slots=True)
class Facts:
    """A record's tags as they are searched; what is not tagged is empty. ``turns`` counts those of
    the main line."""

    digest: str
    gold: str
    black: str
    gold_rating: int | None
    black_rating: int | None
    event: str
    round: str
    site: str
    date: str
    result: str
    termination: str
    turns: int
    level: str
    arena: str
    dice: str
    starter: str
    gold_setup: str
    black_setup: str

    @property
    def day(self) -> int:
        """The date as a number that sorts."""
        return day_of(self.date)


def facts_of(record: Record) -> Facts:
    """The facts of a record that was read without errors."""
    tags = record.tags
    return Facts(
        digest=digest_of(record),
        gold=tags.get("Gold", UNKNOWN),
        black=tags.get("Black", UNKNOWN),
        gold_rating=_rating(tags, "GoldRating"),
        black_rating=_rating(tags, "BlackRating"),
        event=tags.get("Event", UNKNOWN),
        round=tags.get("Round", UNKNOWN),
        site=tags.get("Site", UNKNOWN),
        date=tags.get("Date", "????.??.??"),
        result=record.result,
        termination=tags.get("Termination", ""),
        turns=len(record.turns),
        level=tags.get("Level", ""),
        arena=tags.get("Arena", ""),
        dice=tags.get("Dice", ""),
        starter=tags.get("Starter", ""),
        gold_setup=tags.get("GoldSetup", ""),
        black_setup=tags.get("BlackSetup", ""),
    )


def digest_of(record: Record) -> str:
    """The same for all records of one game, however annotated: from where it began, what was
    played, how it ended, and who played.

    Who played is the game's own name where the server that held it gave one and committed to its
    dice; a player's name may change. Without that it is the names, in any case of letters.
    """
    tags = record.tags
    told = [tags.get(name, "") for name in _START]
    if "GameId" in tags and "SeedHash" in tags:
        told.append(f"{tags['GameId']} {tags['SeedHash']}")
    else:
        told += (folded(tags.get("Gold", UNKNOWN)), folded(tags.get("Black", UNKNOWN)))
        if len(record.turns) < _SHORT:
            told.append(f"{tags.get('Date', '')} {tags.get('Round', '')}")
    for turn in record.turns:
        told.append(f"{turn.round}{turn.side}")
        for played in turn.orders:
            told.append(_order_text(played.order))
            if played.roll or played.verdicts:
                told.append(f"{played.roll}{format_verdicts(played.verdicts)}")
    told.append(record.result)
    return hashlib.sha256("\n".join(told).encode("utf-8", "surrogatepass")).hexdigest()


def folded(name: str) -> str:
    """A name or an event as it is compared: without regard to case, spacing, or how letters with
    accents are put together."""
    return " ".join(
        unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split()
    )


def is_known(value: str) -> bool:
    """Whether a tag tells something: as in PGN, ``?``, ``????.??.??`` and ``-`` do not."""
    return bool(value.strip("?.- "))


def day_of(date: str) -> int:
    """``2026.11.16`` as 20261116; what is not known counts as nought."""
    return int(
        "".join(char if char in "0123456789" else "0" for char in date.replace(".", "")) or 0
    )


def _rating(tags: Mapping[str, str], name: str) -> int | None:
    """A rating that is a whole number; others write what they like there."""
    text = tags.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) <= 4):
        return None
    return int(text)
