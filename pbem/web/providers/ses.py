"""Amazon SES: a receipt rule with an SNS action, and a subscription of ours to that topic.

SNS signs every message with a key whose certificate lies at an address of its own; only addresses
of that shape are fetched. Anybody may have a topic, so the topic that is set must be the one named.
A subscription to it is confirmed by itself. SES puts mails up to 150 kB into a notification; with
any other action the mail is not in it.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA1, SHA256

from pbem.web.deliveries import Delivered, DeliveryError, Request, check_time, nonce_of
from pbem.web.fetching import Fetch

_HOST: Final = r"https://sns\.[a-z0-9-]{3,40}\.amazonaws\.com(?:\.cn)?"
_CERTIFICATE: Final = re.compile(rf"{_HOST}/SimpleNotificationService-[0-9a-f]{{8,64}}\.pem")
_SUBSCRIBE: Final = re.compile(rf"{_HOST}/\?Action=ConfirmSubscription&[\w=&:%.~-]{{1,2000}}")
_HASHES: Final = {"1": SHA1(), "2": SHA256()}
_NOTIFICATION: Final = ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type")
_CONFIRMATION: Final = (
    "Message",
    "MessageId",
    "SubscribeURL",
    "Timestamp",
    "Token",
    "TopicArn",
    "Type",
)


def read(request: Request, topic: str, fetch: Fetch) -> Delivered | None:
    """The mail of a request; None if it was something about the subscription, which is done.

    Raises DeliveryError, and FetchError if the certificate cannot be had now.
    """
    told = _read_object(request.body.decode("utf-8", "replace"))
    if not hmac.compare_digest(told.get("TopicArn", "").encode(), topic.encode()):
        raise DeliveryError("signature", "another topic")
    _check_signature(told, request.now, fetch)
    _check_sent(told.get("Timestamp", ""), request.now)
    kind = told.get("Type")
    if kind == "SubscriptionConfirmation":
        url = told.get("SubscribeURL", "")
        if not _SUBSCRIBE.fullmatch(url):
            raise DeliveryError("malformed", "an address to subscribe at that is not SNS's")
        fetch(url)
        return None
    if kind != "Notification":
        return None
    return _read_mail(told.get("Message", ""), nonce_of("ses", told.get("MessageId", "")))


def _read_object(text: str) -> dict[str, str]:
    """The texts of a JSON object."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise DeliveryError("malformed", "not a message of SNS")
    return {name: value for name, value in told.items() if isinstance(value, str)}


def _check_signature(told: Mapping[str, str], now: datetime, fetch: Fetch) -> None:
    hashing = _HASHES.get(told.get("SignatureVersion", ""))
    url = told.get("SigningCertURL", "")
    if hashing is None or not _CERTIFICATE.fullmatch(url):
        raise DeliveryError("signature")
    names = _NOTIFICATION if told.get("Type") == "Notification" else _CONFIRMATION
    signed = "".join(f"{name}\n{told[name]}\n" for name in names if name in told)
    try:
        certificate = _certificate(url, fetch)
        key = certificate.public_key()
        if not isinstance(key, RSAPublicKey):
            raise DeliveryError("signature")
        if not certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc:
            raise DeliveryError("signature", "the certificate is not valid now")
        signature = base64.b64decode(told.get("Signature", ""), validate=True)
        key.verify(signature, signed.encode("utf-8", "replace"), PKCS1v15(), hashing)
    except (binascii.Error, ValueError, InvalidSignature):
        raise DeliveryError("signature") from None


@lru_cache(maxsize=8)
def _certificate(url: str, fetch: Fetch) -> x509.Certificate:
    return x509.load_pem_x509_certificate(fetch(url))


def _check_sent(timestamp: str, now: datetime) -> None:
    try:
        sent = datetime.fromisoformat(timestamp)
        seconds = str(int(sent.timestamp()))
    except (ValueError, OverflowError):
        raise DeliveryError("malformed", "no time") from None
    check_time(seconds, now)


def _read_mail(message: str, nonce: str) -> Delivered:
    try:
        told = json.loads(message)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not isinstance(told.get("content"), str):
        raise DeliveryError("malformed", "no content: the rule must have an SNS action")
    receipt, mail = told.get("receipt"), told.get("mail")
    recipients = receipt.get("recipients") if isinstance(receipt, dict) else None
    source = mail.get("source") if isinstance(mail, dict) else None
    return Delivered(
        tuple(each for each in recipients if isinstance(each, str))
        if isinstance(recipients, list)
        else (),
        _content(told["content"]),
        source if isinstance(source, str) else None,
        nonce,
    )


def _content(text: str) -> bytes:
    """The mail, which the rule has put in as it is or in base64: a mail has colons in it."""
    if ":" not in text:
        try:
            return base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            pass
    return text.encode("utf-8", "replace")
