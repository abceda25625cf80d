"""Postmark: JSON with the whole mail in ``RawEmail``, where the stream is set to include it.

Postmark signs nothing. The secret is the password of the address it posts to
(``https://any:secret@…/inbound/postmark``), or comes in the header ``X-Pbem-Secret``, which can be
set for the webhook. Its own MessageID, the same on every retry, is the nonce.
"""

from __future__ import annotations

import json

from pbem.mail.envelope import sender_in
from pbem.mail.parts import read_headers
from pbem.web.deliveries import (
    Delivered,
    DeliveryError,
    Request,
    check_secret,
    find_password,
    nonce_of,
)


def read(request: Request, secret: str) -> Delivered:
    """The mail of a request. Raises DeliveryError."""
    check_secret(request.headers.get("x-pbem-secret") or find_password(request), secret)
    try:
        told = json.loads(request.body)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not isinstance(told.get("RawEmail"), str):
        raise DeliveryError("malformed", "no RawEmail: the stream must include the raw mail")
    raw = told["RawEmail"].encode("utf-8", "replace")
    recipient, message_id = told.get("OriginalRecipient"), told.get("MessageID")
    recipients = tuple(recipient.split(",")) if isinstance(recipient, str) else ()
    nonce = nonce_of("postmark", message_id) if isinstance(message_id, str) else None
    return Delivered(recipients, raw, sender_in(read_headers(raw)), nonce)
