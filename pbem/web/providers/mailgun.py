"""Mailgun: a route that forwards to an address ending in ``mime`` posts the whole mail.

The signature is over time and token alone, not the mail: so a token is good for one mail only.
"""

from __future__ import annotations

from pbem.web.deliveries import (
    Delivered,
    DeliveryError,
    Request,
    check_mac,
    check_time,
    nonce_of,
    read_form,
    text_of,
)


def read(request: Request, secret: str) -> Delivered:
    """The mail of a request. Raises DeliveryError."""
    fields = read_form(request)
    timestamp, token = text_of(fields, "timestamp"), text_of(fields, "token")
    check_mac(text_of(fields, "signature"), secret, f"{timestamp}{token}".encode())
    check_time(timestamp, request.now)
    if "body-mime" not in fields:
        raise DeliveryError("malformed", "no body-mime: the route's address must end in /mime")
    recipients = tuple(each.strip() for each in text_of(fields, "recipient").split(","))
    sender = text_of(fields, "sender") if "sender" in fields else None
    return Delivered(recipients, fields["body-mime"], sender, nonce_of("mailgun", timestamp, token))
