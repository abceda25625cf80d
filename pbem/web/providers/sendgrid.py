"""SendGrid's Inbound Parse, with "POST the raw, full MIME message": a form with ``email``.

What is set is either the public key of a signature policy (base64): then every request must be
signed, over its time and its whole body; or a secret, the password of the address it posts to
(``https://any:secret@…/inbound/sendgrid``): then there is no time and no nonce to check.
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from pbem.web.deliveries import (
    Delivered,
    DeliveryError,
    Request,
    check_secret,
    check_time,
    find_password,
    nonce_of,
    read_form,
    text_of,
)

_SIGNATURE: Final = "x-twilio-email-event-webhook-signature"
_TIMESTAMP: Final = "x-twilio-email-event-webhook-timestamp"


def read(request: Request, secret: str) -> Delivered:
    """The mail of a request. Raises DeliveryError."""
    key = _find_key(secret)
    nonce = None
    if key is None:
        check_secret(find_password(request), secret)
    else:
        timestamp = request.headers.get(_TIMESTAMP, "")
        signed = timestamp.encode("utf-8", "replace") + request.body
        _check_signature(key, request.headers.get(_SIGNATURE, ""), signed)
        check_time(timestamp, request.now)
        nonce = nonce_of("sendgrid", signed)
    fields = read_form(request)
    if "email" not in fields:
        raise DeliveryError("malformed", "no email: set it to post the raw, full MIME message")
    recipients, sender = _read_envelope(text_of(fields, "envelope"))
    return Delivered(recipients, fields["email"], sender, nonce)


def _find_key(secret: str) -> EllipticCurvePublicKey | None:
    try:
        key = load_der_public_key(base64.b64decode(secret, validate=True))
    except (binascii.Error, ValueError, UnsupportedAlgorithm):
        return None
    return key if isinstance(key, EllipticCurvePublicKey) else None


def _check_signature(key: EllipticCurvePublicKey, given: str, signed: bytes) -> None:
    try:
        key.verify(base64.b64decode(given, validate=True), signed, ECDSA(SHA256()))
    except (binascii.Error, ValueError, InvalidSignature):
        raise DeliveryError("signature") from None


def _read_envelope(text: str) -> tuple[tuple[str, ...], str | None]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not isinstance(told.get("to"), list):
        raise DeliveryError("malformed", "no envelope")
    sender = told.get("from")
    recipients = tuple(each for each in told["to"] if isinstance(each, str))
    return recipients, sender if isinstance(sender, str) else None
