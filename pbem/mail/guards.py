"""Mails that no person wrote, and limits on what we answer unasked (L5).

A machine is neither played nor answered, or two of them would write to each other for ever. The
mail is held with the reason, shown on the game page, and mentioned in the next mail to the player.
Reports on mails of ours are ``bounces``; who a person is, is ``who``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final, Literal

from pbem.mail.addresses import find_destination
from pbem.mail.headers import find_clauses, find_senders, own_id
from pbem.mail.office import Office
from pbem.mail.parts import Message
from pbem.play.ports import PostUnit
from pbem.play.post import Inbound

LOOP_HEADER: Final = "X-PBEM-Loop"
"""Stands in every mail of ours, with our domain."""

Sign = Literal[
    "empty_return_path",
    "auto_submitted",
    "precedence",
    "list",
    "autoreply",
    "report",
    "own_mail",
    "own_address",
]
_PRECEDENCES: Final = frozenset({"bulk", "list", "junk", "auto_reply"})
_AUTOREPLIES: Final = ("x-autoreply", "x-autorespond")

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Machine:
    """A mail that a program sent."""

    reason: Sign


def judge(office: Office, inbound: Inbound, message: Message) -> Machine | None:
    """Why a mail is a machine's; None if a person may have written it."""
    sign = next(_signs(office, inbound, message), None)
    return None if sign is None else Machine(sign)


def _signs(office: Office, inbound: Inbound, message: Message) -> Iterator[Sign]:
    if has_empty_return_path(inbound, message):
        yield "empty_return_path"
    if any(_first_word(value) != "no" for value in message.values("auto-submitted")):
        yield "auto_submitted"
    precedences = (_first_word(value) for value in message.values("precedence"))
    if any(word.replace("-", "_") in _PRECEDENCES for word in precedences):
        yield "precedence"
    if message.values("list-id"):
        yield "list"
    if any(message.values(name) for name in _AUTOREPLIES):
        yield "autoreply"
    if any(_first_word(value) == "multipart/report" for value in message.values("content-type")):
        yield "report"
    if _is_our_mail(office, message):
        yield "own_mail"
    if any(find_destination(each, office.domain) for each in _senders(inbound, message)):
        yield "own_address"


def has_empty_return_path(inbound: Inbound, message: Message) -> bool:
    """Whether the envelope names no sender; where the way in cannot tell, the header counts."""
    sender = inbound.arrival.sender
    if sender is not None:
        return not sender.strip(" <>")
    return any(not value.strip(" <>") for value in message.values("return-path")[:1])


def may_answer(unit: PostUnit, office: Office, address: str, reason: str, now: datetime) -> bool:
    """Whether somebody who did not pass L3 may be answered once more; asking counts (L5).

    At most one answer for each reason and day, and so many an hour for all reasons. Whatever
    stands behind a plus in an address is one mailbox.
    """
    local, _, domain = address.partition("@")
    mailbox = sha256(f"{local.partition('+')[0]}@{domain}".encode()).hexdigest()
    if unit.count_event(f"refusal/{mailbox}/{reason}", now, DAY) > 1:
        return False
    return unit.count_event(f"answer/{mailbox}", now, HOUR) <= office.answers_an_hour


def _first_word(value: str) -> str:
    """The value in small letters, without comments and parameters."""
    clauses = find_clauses(value) or [value]
    return clauses[0].lower()


def _is_our_mail(office: Office, message: Message) -> bool:
    domain = office.domain.lower()
    if any(value[:1000].strip().lower() == domain for value in message.values(LOOP_HEADER)):
        return True
    found = own_id(message)
    return (
        found is not None and found[1] == domain and office.keys.find_message(found[0]) is not None
    )


def _senders(inbound: Inbound, message: Message) -> list[str]:
    return [inbound.arrival.sender or "", *(each.address for each in find_senders(message))]
