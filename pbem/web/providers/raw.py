"""A mail as it is, brought by a program of the operator's.

The body is the mail (``Content-Type: message/rfc822``). Its envelope and what makes it believed
stand in headers: ``X-Pbem-Recipient`` (several with commas), ``X-Pbem-Sender`` (empty for the empty
return-path), ``X-Pbem-Timestamp`` in seconds, ``X-Pbem-Nonce``, and ``X-Pbem-Signature``: the HMAC
with SHA-256, in hex, of these four in the order timestamp, nonce, sender, recipient, each with a
line feed behind it, and then the mail.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.web.deliveries import (
    Delivered,
    DeliveryError,
    Request,
    check_mac,
    check_time,
    nonce_of,
)

_NONCE: Final = re.compile(r"[!-~]{8,200}", re.ASCII)


def read(request: Request, secret: str) -> Delivered:
    """The mail of a request. Raises DeliveryError."""
    given = [
        request.headers.get(f"x-pbem-{name}", "").strip()
        for name in ("timestamp", "nonce", "sender", "recipient")
    ]
    signed = "".join(f"{value}\n" for value in given).encode("utf-8", "replace") + request.body
    check_mac(request.headers.get("x-pbem-signature", ""), secret, signed)
    timestamp, nonce, sender, recipient = given
    check_time(timestamp, request.now)
    if not _NONCE.fullmatch(nonce):
        raise DeliveryError("malformed", "the nonce must have 8 to 200 plain characters")
    recipients = tuple(each.strip() for each in recipient.split(",") if each.strip())
    has_sender = "x-pbem-sender" in request.headers
    return Delivered(
        recipients, request.body, sender if has_sender else None, nonce_of("raw", nonce)
    )
