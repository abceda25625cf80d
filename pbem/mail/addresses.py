"""Our own addresses: which local parts are ours, and what each is for (L2.1, L3.1).

``<something>.<token>`` takes replies, ``bounce.<signed>`` is the return-path of one mail, service
addresses have plain names, and ``postmaster`` is always there. Who may be told what is ``who``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from pbem.mail.keys import TOKEN_LENGTH, token_hash

SERVICES: Final = ("play", "join", "help", "director", "abuse")
"""Addresses to which anybody may write; a player with a verified address is known there too."""

BOUNCE: Final = "bounce"
REPLY: Final = "reply/"
"""How the keys begin of addresses that take replies."""
_REPLY: Final = re.compile(rf"[a-z0-9_-]{{1,30}}[.+]?([a-z2-7]{{{TOKEN_LENGTH}}})", re.ASCII)
_DAMAGED: Final = re.compile(r"[a-z0-9_-]{1,30}\.[a-z0-9=]{8,40}", re.ASCII)
_BOUNCE: Final = re.compile(rf"{BOUNCE}[.+]?([a-z0-9-]{{4,60}})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Destination:
    """What a recipient of ours is for. A damaged token has the value it came with."""

    kind: Literal["reply", "bounce", "service", "postmaster"]
    value: str = ""

    @property
    def key(self) -> str:
        """The name under which it is stored: of a token only the hash."""
        if self.kind == "reply":
            return f"{REPLY}{token_hash(self.value)}"
        return f"{self.kind}/{self.value}" if self.value else self.kind


def find_destination(address: str, domain: str) -> Destination | None:
    """What an address is for; None if it is none of ours."""
    local, _, host = address.strip().strip("<>").lower().rpartition("@")
    if not local and host == "postmaster":
        return Destination("postmaster")  # RFC 5321: taken without a domain, too
    if host.rstrip(".") != domain.lower() or len(local) > 64:
        return None
    return _find_local(local.strip('"'))


def _find_local(local: str) -> Destination | None:
    if local == "postmaster":
        return Destination("postmaster")
    if local in SERVICES:
        return Destination("service", local)
    if found := _BOUNCE.fullmatch(local):
        return Destination("bounce", found[1])
    if found := _REPLY.fullmatch(local):
        return Destination("reply", found[1])
    if _DAMAGED.fullmatch(local):
        return Destination("reply", local.partition(".")[2])
    return None


def reply_address(name: str, token: str, domain: str) -> str:
    """The address that takes replies to one mail; ``name`` tells the reader what it is about."""
    return f"{name}.{token}@{domain}"


def bounce_address(signed: str, domain: str) -> str:
    """The return-path of one mail."""
    return f"{BOUNCE}.{signed}@{domain}"
