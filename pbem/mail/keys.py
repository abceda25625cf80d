"""Everything in mail that only we can make: reply tokens, Message-IDs, return-paths, links
(L3.1, L3.6, L5).

All follow from one secret, so that a mail written twice is the same twice and nothing but hashes
is stored. They are lower-case base32, and survive programs that change the case of an address.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

TOKEN_LENGTH: Final = 26
"""Letters of a reply token: 130 bits."""

_MAC_LENGTH: Final = 20
_MAC_BYTES: Final = 20
"""More than is ever shown, and a length that base32 needs not fill up."""
_MESSAGE: Final = "message"
_DAY: Final = timedelta(days=1)
_EPOCH: Final = datetime(2020, 1, 1, tzinfo=UTC)
_SIGNED: Final = re.compile(r"([0-9]{1,18})-([0-9]{1,6})-([a-z2-7]{20})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Keys:
    """The secret and what is made from it."""

    secret: bytes = field(repr=False)

    def reply_token(self, message_id: str) -> str:
        """The token of the mail with this Message-ID (its left half)."""
        return self._mac("reply", message_id)[:TOKEN_LENGTH]

    def message_name(self, message_id: str) -> str:
        """The left half of a Message-ID as it stands in the mail.

        A reply is also known by the Message-ID it answers (L3.1), and the row's own name can be
        reckoned by who knows the game: so it is worth as much as a token, and made like one.
        """
        return self.link(_MESSAGE, message_id)

    def find_message(self, name: str) -> str | None:
        """The row's name in such a left half; None if we did not make it."""
        return self.find_linked(_MESSAGE, name)

    def link(self, purpose: str, name: str) -> str:
        """A name that comes back as ``<name>.<mac>``, good for one purpose, for ever."""
        return f"{name}.{self._mac(purpose, name)[:TOKEN_LENGTH]}"

    def find_linked(self, purpose: str, text: str) -> str | None:
        """The name in such a text; None if we did not make it."""
        name, _, mac = text.lower().rpartition(".")
        wanted = self._mac(purpose, name)[:TOKEN_LENGTH]
        return name if hmac.compare_digest(wanted.encode(), _bytes(mac)) else None

    def sign(self, purpose: str, number: int, *, until: datetime) -> str:
        """A number that comes back as ``<number>-<day>-<mac>``, good until the end of a day."""
        day = (until - _EPOCH) // _DAY
        return f"{number}-{day}-{self._mac(purpose, f'{number}-{day}')[:_MAC_LENGTH]}"

    def find_signed(self, purpose: str, text: str, *, now: datetime) -> int | None:
        """The number in such a text; None if we did not make it, or it has expired."""
        found = _SIGNED.fullmatch(text.lower())
        if found is None:
            return None
        wanted = self._mac(purpose, f"{found[1]}-{found[2]}")[:_MAC_LENGTH]
        is_ours = hmac.compare_digest(wanted, found[3])
        return int(found[1]) if is_ours and (now - _EPOCH) // _DAY <= int(found[2]) else None

    def derive(self, purpose: str) -> bytes:
        """A secret of its own for another purpose, such as the forms of the web."""
        return hmac.digest(self.secret, f"derived\n{purpose}".encode(), "sha256")

    def _mac(self, purpose: str, text: str) -> str:
        mac = _keyed(self.secret).copy()
        mac.update(_bytes(f"{purpose}\n{text}"))
        return base64.b32encode(mac.digest()[:_MAC_BYTES]).decode().lower()


@lru_cache(maxsize=8)
def _keyed(secret: bytes) -> hmac.HMAC:
    """To be copied: to work a key in takes longer than a short text."""
    return hmac.new(secret, digestmod="sha256")


def claimed_number(text: str) -> int | None:
    """The number in a signed text, before anybody has looked at the signature."""
    found = _SIGNED.fullmatch(text.lower())
    return None if found is None else int(found[1])


def token_hash(token: str) -> str:
    """What is stored of a token. Looked up by its hash, so no comparison can be timed (L3.1)."""
    return hashlib.sha256(_bytes(token.lower())).hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
