"""A game's log (N5.6): accepted submissions in order, each sealed and chained to the one before.

While a game runs, nobody may see what others have planned, so the chain is made of *seals*: the
hash of a text with a random salt. When the game is over salts and texts are published, and anyone
can check that nothing was changed afterwards (N3.3). Owns seals, the chain and the ``.log`` file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

SALT_BYTES: Final = 16
GENESIS: Final = "0" * 64
"""What the first entry is chained to."""


class ChainError(ValueError):
    """A log that is not what it was: ``number`` is the first entry at fault."""

    def __init__(self, number: int, reason: str) -> None:
        self.number = number
        self.reason = reason
        super().__init__(f"entry {number}: {reason}")


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a log. ``seat`` None is an act of the server.

    ``arrived`` is when the submission came in, ``at`` when it took effect: later only if it was
    held for correction. ``key`` names the submission, so that it is never taken twice.
    """

    number: int
    seat: int | None
    text: str
    arrived: datetime
    at: datetime
    salt: bytes
    hash: str
    key: str | None = None
    turns: int = 0
    """How many turns were over behind this entry."""


def seal(text: str, salt: bytes) -> str:
    """The hash that stands for a text while it is secret."""
    return hashlib.sha256(salt + text.encode()).hexdigest()


def veiled(entry: LogEntry) -> LogEntry:
    """The entry for those who may not read it: who and when, and its place in the chain."""
    return replace(entry, text="", salt=b"", key=None)


def chain(previous: str, entry: LogEntry) -> str:
    """The hash of an entry, which depends on all before it."""
    seat = "-" if entry.seat is None else str(entry.seat)
    parts = (
        previous,
        str(entry.number),
        seat,
        instant_text(entry.arrived),
        instant_text(entry.at),
        seal(entry.text, entry.salt),
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def sealed(previous: str, entry: LogEntry) -> LogEntry:
    """The entry with its place in the chain."""
    return replace(entry, hash=chain(previous, entry))


def check_chain(entries: Iterable[LogEntry]) -> str:
    """The head of the chain. Raises ChainError at the first entry that does not fit."""
    previous = GENESIS
    last: datetime | None = None
    for number, entry in enumerate(entries):
        if entry.number != number:
            raise ChainError(number, f"entry {entry.number} stands here")
        if chain(previous, entry) != entry.hash:
            raise ChainError(number, "its hash does not follow from its content")
        if entry.at < entry.arrived or (last is not None and entry.at < last):
            raise ChainError(number, "its time is before that of what it follows")
        previous, last = entry.hash, entry.at
    return previous


def instant_text(instant: datetime) -> str:
    """An instant as the log writes it: UTC, to the microsecond."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds")


def format_log(seed: bytes, entries: Sequence[LogEntry]) -> str:
    """The ``.log`` file of a finished game: its seed, then one JSON list a line."""
    lines = [json.dumps({"version": 1, "seed": seed.hex()})]
    lines += [
        json.dumps(
            [
                entry.number,
                entry.seat,
                instant_text(entry.arrived),
                instant_text(entry.at),
                entry.salt.hex(),
                entry.text,
                entry.hash,
            ],
            ensure_ascii=False,
        )
        for entry in entries
    ]
    return "\n".join(lines) + "\n"


def parse_log(lines: Iterable[str]) -> tuple[bytes, list[LogEntry]]:
    """Seed and entries of a ``.log`` file. Raises ChainError for a line that is none."""
    seed = b""
    entries: list[LogEntry] = []
    for place, line in enumerate(lines):
        try:
            content = json.loads(line)
            if place == 0:
                seed = bytes.fromhex(content["seed"])
            else:
                entries.append(_entry(content))
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
            raise ChainError(max(place - 1, 0), f"not a line of a log: {error}") from None
    return seed, entries


def _entry(content: list[Any]) -> LogEntry:
    number, seat, arrived, at, salt, text, hash_ = content
    if not (isinstance(number, int) and isinstance(text, str) and isinstance(hash_, str)):
        raise TypeError("number, text and hash are not what they should be")
    if not (seat is None or isinstance(seat, int)):
        raise TypeError("the seat is not a number")
    text.encode()  # half a surrogate pair has no bytes, so nothing seals it
    return LogEntry(
        number=number,
        seat=seat,
        text=text,
        arrived=_instant(arrived),
        at=_instant(at),
        salt=bytes.fromhex(salt),
        hash=hash_,
    )


def _instant(text: str) -> datetime:
    """Raises ValueError, or OverflowError for an instant that is on no calendar in UTC."""
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        raise ValueError("an instant without its time zone")
    return instant.astimezone(UTC)
