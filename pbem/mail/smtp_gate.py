"""What a listener bears (L2.1): its limits, and the count of what is under way."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from typing import Protocol

from pbem.mail.parts import MAX_MAIL


def peer_name(host: object) -> str:
    """Who a client is by its address; of IPv6 only the half that is not the client's to choose."""
    try:
        address = ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), 64), strict=False))


class Conversation(Protocol):
    """One client of a listener."""

    def end(self) -> None:
        """End it as soon as no mail of it is being stored."""

    def abort(self) -> None:
        """Drop it at once."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a listener bears (L2.1). What does not fit is told to come later, never lost."""

    connections: int = 200
    connections_a_peer: int = 20
    """From one address; a mail server before us over LMTP may have them all."""
    recipients: int = 20
    """Accepted in one mail; more are told to come in another."""
    refusals: int = 100
    """Recipients refused before the conversation is ended."""
    mail_bytes: int = MAX_MAIL
    waiting_bytes: int = 128 << 20
    """Of all mails that are being received, together."""
    command_bytes: int = 512 << 10
    """Of a conversation, its messages not counted."""
    idle_seconds: float = 300.0
    busy_seconds: float = 30.0
    """Instead of ``idle_seconds`` while more than half of the connections are taken."""
    session_seconds: float = 3600.0
    threads: int = 4
    """Mails stored at the same time."""


@dataclass(slots=True)
class Gate:
    """Counts what is under way. Used on the event loop only."""

    limits: Limits
    is_open: bool = True
    waiting_bytes: int = 0
    sessions: set[Conversation] = field(default_factory=set)
    peers: dict[str, int] = field(default_factory=dict)

    def enter(self, session: Conversation, peer: str, most: int) -> bool:
        """Whether one more conversation is possible."""
        taken = self.peers.get(peer, 0)
        if not self.is_open or len(self.sessions) >= self.limits.connections or taken >= most:
            return False
        self.sessions.add(session)
        self.peers[peer] = taken + 1
        return True

    def leave(self, session: Conversation, peer: str) -> None:
        """A conversation is over; said again, nothing happens."""
        if session not in self.sessions:
            return
        self.sessions.remove(session)
        self.peers[peer] -= 1
        if not self.peers[peer]:
            del self.peers[peer]

    def patience(self) -> float:
        """How long a conversation may be silent."""
        is_busy = len(self.sessions) > self.limits.connections // 2
        limits = self.limits
        return min(limits.idle_seconds, limits.busy_seconds) if is_busy else limits.idle_seconds
