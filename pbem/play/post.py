"""What is kept of the post: mails that came in, mails that went out, and how addresses fare.

Plain and frozen, like ``model``. What a mail means is ``pbem.mail``; rows are ``pbem.store``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple

from pbem.play.model import Notice

NEW: Final = "new"
HANDLED: Final = "handled"
HELD: Final = "held"
QUARANTINED: Final = "quarantined"

SENT: Final = "sent"
DEAD: Final = "dead"
MOOT: Final = "moot"
"""Not sent, because meanwhile there was nothing left to say."""
NO_ADDRESS: Final = "no address of the player takes mail"
"""Why a mail waits that nobody has refused."""

MAX_READINGS: Final = 3
"""A mail that crashes its reader this often is quarantined (L1.4)."""


_MAIL_KEY: Final = re.compile(r"mail/([0-9]{1,18})", re.ASCII)


def mail_key(number: int) -> str:
    """The name of a mail where it is a cause, or the key of a submission."""
    return f"mail/{number}"


def mail_number(key: str | None) -> int | None:
    """The number of the mail that has this name as a cause, or as the key of a submission."""
    found = _MAIL_KEY.fullmatch(key or "")
    return None if found is None else int(found[1])


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail as it came in: bytes and envelope, nothing read yet.

    ``key`` is the hash of its Message-ID, or of the bytes when it has none; with ``destination`` it
    is unique (L1.2). A destination names no token, only its hash: ``reply/<hash>``,
    ``service/join``, ``bounce/<signed>``, ``postmaster``. ``sender`` is the envelope's (empty for
    the empty return-path, None where the way in does not tell). Mails of one ``lane`` (the address
    in From, in small letters, or else the destination) are read one after the other.
    """

    key: str
    destination: str
    lane: str
    sender: str | None
    raw: bytes
    arrived: datetime
    via: str
    """``smtp``, ``lmtp``, ``webhook``, ``imap`` or ``pipe``."""


@dataclass(frozen=True, slots=True)
class Inbound:
    """A stored mail: ``new``, then ``handled``, ``held`` (a reason says why) or ``quarantined``.

    ``outcome`` is what it became, in plain values: enough to answer the same again, and what later
    answers refer to (numbered suggestions). It is empty until the mail is handled, so a row that
    is new and has an outcome came once more.
    """

    id: int
    arrival: Arrival
    state: str = NEW
    attempts: int = 0
    repeats: int = 0
    reason: str | None = None
    is_confirmed: bool = False
    """The player has confirmed on the page that the mail is theirs (L3.3)."""
    player_id: int | None = None
    game_id: str | None = None
    outcome: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A row of the outbox that a sender has claimed."""

    id: int
    notice: Notice
    message_id: str
    """The left half of the Message-ID, fixed for the row (L1.3)."""
    attempts: int = 0
    """Tries before this one that reached a server and failed."""
    since: datetime | None = None
    """When a sender first had it, since it was made or asked for again: giving up counts from
    then (L1.4), however long ago what it tells of happened."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A row of the outbox with what became of it."""

    outgoing: Outgoing
    state: str
    reason: str
    next_try: datetime
    """When a sender may take it next, while it is new."""
    ended_at: datetime | None
    """When it was last handed over, given up, or found to be moot."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail of ours as it was written: what a reply to it refers to (L3.1).

    ``request_id`` is what was asked in it, None if nothing; ``facts`` say what else its token
    opens (an invitation, an address to confirm, a bundle's requests, a refusal's suggestions).
    ``prints`` are fingerprints of its lines, by which they are known when they come back in a quote
    (``pbem.mail.known_lines``).
    """

    message_id: str
    token_hash: str
    kind: str
    player_id: int
    address: str
    made_at: datetime
    game_id: str | None = None
    seat: int | None = None
    request_id: str | None = None
    facts: Mapping[str, object] = field(default_factory=dict)
    prints: bytes = b""
    id: int | None = None
    """Its number, once stored: part of the return-path."""


class LetterFacts(NamedTuple):
    """What a letter told and opened, without the rest; numbers are in the order of writing."""

    id: int
    message_id: str
    facts: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class AddressHealth:
    """How mail to an address fares; nothing is kept of one that fares well."""

    address: str
    bounced_at: datetime | None = None
    """When mail to it last failed for good; then nothing is sent there."""
    soft_score: float = 0.0
    """Soft failures, counted with decay as of ``soft_at``."""
    soft_at: datetime | None = None
    unsubscribed_at: datetime | None = None
    """Its owner wants no mail but answers to their own."""
