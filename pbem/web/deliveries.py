"""What a provider of mail brings over HTTP: a request that is checked and becomes a mail.

Each provider has a function ``read(request, secret, …) -> Delivered``. It checks first and reads
then, in constant time where a secret is compared, and raises ``DeliveryError``. Storing, and what
is answered, is ``inbound``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal
from urllib.parse import parse_qsl

from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.http import parse_options_header
from werkzeug.sansio.multipart import Data, Epilogue, Field, File, MultipartDecoder, NeedData

Fault = Literal["signature", "stale", "malformed"]

WINDOW: Final = timedelta(minutes=5)
"""How far a signed time may be from ours (L2)."""

_MAX_FIELDS: Final = 200
_SECONDS: Final = re.compile(r"[0-9]{1,12}", re.ASCII)


class DeliveryError(Exception):
    """A request that brings no mail: ``signature``, nobody we know has sent it; ``stale``, they
    have, but at another time; ``malformed``, they have, but it can never be a mail."""

    def __init__(self, fault: Fault, why: str = "") -> None:
        self.fault = fault
        super().__init__(why or fault)


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it came; names of headers in small letters."""

    headers: Mapping[str, str]
    body: bytes
    now: datetime


@dataclass(frozen=True, slots=True)
class Delivered:
    """A mail and its envelope. ``nonce`` is good for this mail only (L2)."""

    recipients: tuple[str, ...]
    raw: bytes
    sender: str | None
    nonce: str | None = None


def check_secret(given: str | None, secret: str) -> None:
    """Raises DeliveryError if a secret is not the one that is set; takes the same time always."""
    if not hmac.compare_digest(_digest(given or ""), _digest(secret)):
        raise DeliveryError("signature")


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def check_mac(given: str, secret: str, signed: bytes) -> None:
    """Raises DeliveryError if the HMAC of something is another one (SHA-256, in hex)."""
    wanted = hmac.new(secret.encode(), signed, "sha256").hexdigest()
    if not hmac.compare_digest(given.strip().lower().encode("utf-8", "replace"), wanted.encode()):
        raise DeliveryError("signature")


def check_time(seconds: str, now: datetime) -> None:
    """Raises DeliveryError if a signed time is more than five minutes away."""
    if not _SECONDS.fullmatch(seconds):
        raise DeliveryError("malformed", "the time is not in seconds")
    if abs(now.timestamp() - int(seconds)) > WINDOW.total_seconds():
        raise DeliveryError("stale")


def find_password(request: Request) -> str | None:
    """The password of HTTP's basic authentication, whoever the user is."""
    scheme, _, encoded = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        decoded = base64.b64decode(encoded.strip(), validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return None
    return decoded.partition(":")[2]


def nonce_of(*parts: bytes | str) -> str:
    """A nonce's name of our own making, whatever the provider's is."""
    hashed = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "replace") if isinstance(part, str) else part
        hashed.update(len(data).to_bytes(8, "big") + data)
    return f"webhook/{hashed.hexdigest()[:40]}"


def read_form(request: Request) -> dict[str, bytes]:
    """The fields of a form as bytes: a mail in one of them may be in any charset.

    The first of each name counts, files too. Raises DeliveryError.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind == "application/x-www-form-urlencoded":
        try:
            pairs = parse_qsl(
                request.body.decode("latin-1"),
                keep_blank_values=True,
                encoding="latin-1",
                max_num_fields=_MAX_FIELDS,
            )
        except ValueError:
            raise DeliveryError("malformed", "too many fields") from None
        return {name: value.encode("latin-1") for name, value in reversed(pairs)}
    if kind != "multipart/form-data" or not options.get("boundary"):
        raise DeliveryError("malformed", "not a form")
    try:
        return _read_multipart(request.body, options["boundary"].encode("latin-1", "replace"))
    except (ValueError, RequestEntityTooLarge):
        raise DeliveryError("malformed", "not a form") from None


def _read_multipart(body: bytes, boundary: bytes) -> dict[str, bytes]:
    decoder = MultipartDecoder(boundary, max_parts=_MAX_FIELDS)
    decoder.receive_data(body)
    decoder.receive_data(None)
    fields: dict[str, bytearray] = {}
    target = bytearray()
    while not isinstance(event := decoder.next_event(), Epilogue | NeedData):
        if isinstance(event, Field | File):
            target = bytearray()
            fields.setdefault(event.name, target)
        elif isinstance(event, Data):
            target += event.data
    return {name: bytes(value) for name, value in fields.items()}


def text_of(fields: Mapping[str, bytes], name: str) -> str:
    """A field that is text; empty if it is not there."""
    return fields.get(name, b"").decode("utf-8", "replace")
