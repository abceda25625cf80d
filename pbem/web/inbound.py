"""Mail that comes in over HTTP (L2): each way exists only where its secret is set.

A mail is stored before success is said (L1.1). 503 is for what may succeed later, so that the
provider comes again; other faults are for what never can. A nonce is stored together with its mail:
after a 503 the same request is good, after a success it is a success again and changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Final

from flask import Blueprint, Response, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from pbem.mail.parts import MAX_MAIL
from pbem.mail.receive import receive
from pbem.web.deliveries import Delivered, DeliveryError, Request
from pbem.web.fetching import FetchError
from pbem.web.house import House, get_house

_log: Final = logging.getLogger(__name__)

inbound: Final = Blueprint("inbound", __name__, url_prefix="/inbound")

MAX_RECIPIENTS: Final = 20
_STORED: Final = 200
_NOT_OURS: Final = 401
_REPLAYED: Final = 409
_LATER: Final = 503

# A mail comes together with its parts in other forms, in base64 or escaped.
_MAX_BODY: Final = {
    "raw": MAX_MAIL,
    "mailgun": 4 * MAX_MAIL,
    "postmark": 4 * MAX_MAIL,
    "sendgrid": 4 * MAX_MAIL,
    "ses": 1 << 20,
}
# What a provider takes as: do not come again. SendGrid and others know no such thing.
_NEVER: Final = {"raw": 406, "mailgun": 406, "postmark": 403, "sendgrid": 406, "ses": 406}


@inbound.post("/<any(raw, mailgun, postmark, sendgrid, ses):provider>")
@inbound.post("/<any(mailgun):provider>/mime")  # the end by which Mailgun posts whole mails
def take(provider: str) -> Response:
    """A request of a provider."""
    house = get_house()
    secret = house.webhooks.get(provider)
    if not secret:
        return _answer(404, "not here")
    request.max_content_length = _MAX_BODY[provider]
    try:
        body = request.get_data(cache=False)
    except RequestEntityTooLarge:
        return _answer(413, "too large")
    headers = {name.lower(): value for name, value in request.headers.items()}
    try:
        delivered = _reader(provider, house)(Request(headers, body, house.clock()), secret)
    except FetchError:
        return _answer(_LATER, "try again later")
    except DeliveryError as error:
        _log.warning("a request of %s was not taken: %s", provider, error)
        status = {"signature": _NOT_OURS, "stale": _LATER}.get(error.fault, _NEVER[provider])
        return _answer(status, str(error))
    if delivered is None:
        return _answer(_STORED, "done")
    return _store(house, provider, delivered)


def _reader(provider: str, house: House) -> Callable[[Request, str], Delivered | None]:
    """How requests of a provider are read. What checks their signatures takes much memory, and is
    loaded where a provider is used."""
    module = import_module(f"pbem.web.providers.{provider}")
    read: Callable[..., Delivered | None] = module.read
    return partial(read, fetch=house.fetch) if provider == "ses" else read


@inbound.errorhandler(Exception)
def _fault(error: Exception) -> Response | HTTPException:
    """Whatever breaks in here may work later (L1.1)."""
    if isinstance(error, HTTPException):
        return error
    _log.error("a request could not be taken: %s", type(error).__name__)
    return _answer(_LATER, "try again later")


def _store(house: House, provider: str, delivered: Delivered) -> Response:
    receipts = receive(
        house.around,
        house.office,
        delivered.recipients[:MAX_RECIPIENTS],
        delivered.raw,
        sender=delivered.sender,
        via="webhook",
        now=house.clock(),
        nonce=delivered.nonce,
    )
    verdicts = {receipt.verdict for receipt in receipts}
    if "stored" in verdicts:
        house.tell([one.inbound_id for one in receipts if one.inbound_id is not None])
        return _answer(_STORED, "stored")
    if "later" in verdicts:
        return _answer(_LATER, "try again later")
    if "replayed" in verdicts:
        return _answer(_REPLAYED, "replayed")
    return _answer(
        _NEVER[provider], "too large" if "too_large" in verdicts else "no such recipient"
    )


def _answer(status: int, text: str) -> Response:
    response = Response(f"{text}\n", status, mimetype="text/plain")
    response.headers["Cache-Control"] = "no-store"
    if status == _LATER:
        response.headers["Retry-After"] = "60"
    if status == _NOT_OURS:
        response.headers["WWW-Authenticate"] = 'Basic realm="inbound mail"'
    return response
