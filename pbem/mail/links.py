"""The links to web pages that stand in our mails (L3.6): made where mails are composed, understood
where pages are shown. A link acts only when a button on its page is pressed; the one to a game in
the archive only leads there.

What a link opens follows from the letter it stood in, or from a mail that is held. Who has the
link has read a mail of the player's: it needs no other proof, and no cookie.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from pbem.mail.office import Office

CONFIRM: Final = "confirm"
ADDRESS: Final = "address"
UNSUBSCRIBE: Final = "unsubscribe"

CONFIRM_FOR: Final = timedelta(days=14)
"""How long a held mail can be confirmed."""
ADDRESS_FOR: Final = timedelta(days=30)
"""How long an address can be confirmed, from when its letter was made."""

_LONG_AGO: Final = datetime(2020, 1, 1, tzinfo=UTC)

Bad = Literal["forged", "expired"]


def confirm_url(office: Office, inbound_id: int, *, since: datetime) -> str:
    """Where a player confirms that a held mail is theirs (L3.3); ``since`` the notice was made."""
    signed = office.keys.sign(CONFIRM, inbound_id, until=since + CONFIRM_FOR)
    return f"{office.site_url}/mail/{CONFIRM}/{signed}"


def address_url(office: Office, message_id: str) -> str:
    """Where the address to which a letter went is confirmed."""
    return f"{office.site_url}/mail/{ADDRESS}/{office.keys.link(ADDRESS, message_id)}"


def unsubscribe_url(office: Office, message_id: str) -> str:
    """Where the reader of a letter ends all mail to that address (RFC 8058)."""
    return f"{office.site_url}/mail/{UNSUBSCRIBE}/{office.keys.link(UNSUBSCRIBE, message_id)}"


def replay_url(office: Office, game_id: str) -> str:
    """Where a game that is over is gone through, whatever its number in the archive will be."""
    return f"{office.site_url}/games/{game_id}/replay"


def event_url(office: Office, event_id: str, *more: object) -> str:
    """A page of an event."""
    return "/".join((office.site_url, "events", event_id, *map(str, more)))


def read_confirm(office: Office, text: str, *, now: datetime) -> int | Bad:
    """The number of the held mail."""
    number = office.keys.find_signed(CONFIRM, text, now=now)
    if number is not None:
        return number
    was_ours = office.keys.find_signed(CONFIRM, text, now=_LONG_AGO) is not None
    return "expired" if was_ours else "forged"


def find_message_id(office: Office, purpose: str, text: str) -> str | None:
    """The left half of the Message-ID of the letter a link stood in; None if it is forged."""
    return office.keys.find_linked(purpose, text)
