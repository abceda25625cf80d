"""A post office for tests, and mails that have come to it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from pbem.mail.keys import Keys, token_hash
from pbem.mail.office import Office
from pbem.play.post import Arrival, Inbound, Letter

DOMAIN: Final = "play.example.org"
NOON: Final = datetime(2026, 11, 16, 12, tzinfo=UTC)
KEYS: Final = Keys(b"a secret of thirty-two bytes....")


def make_office(**chosen: Any) -> Office:
    """A post office like any other."""
    return Office(DOMAIN, "https://play.example.org", KEYS, **chosen)


def make_inbound(
    raw: bytes = b"",
    destination: str = "service/play",
    *,
    sender: str | None = "ann@example.org",
    arrived: datetime = NOON,
    number: int = 1,
    is_confirmed: bool = False,
) -> Inbound:
    """A mail that has come in, with a row or without one."""
    arrival = Arrival("key", destination, "lane", sender, raw, arrived, "smtp")
    return Inbound(number, arrival, is_confirmed=is_confirmed)


def make_letter(player_id: int, address: str, **chosen: Any) -> Letter:
    """A letter of ours to a player, with the token that its name leads to."""
    message_id = chosen.pop("message_id", "0123456789abcdef")
    token = KEYS.reply_token(message_id)
    kind = chosen.pop("kind", "turn_request")
    return Letter(message_id, token_hash(token), kind, player_id, address, NOON, **chosen)


def reply_destination(letter: Letter) -> str:
    """Where the answer to a letter goes, as it is stored."""
    return f"reply/{letter.token_hash}"
