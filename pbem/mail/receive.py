"""The first stage: a mail's bytes and its envelope become rows, committed before anybody is told.

Every way in (SMTP, LMTP, webhook, IMAP, pipe) ends here, and here only: nothing is read of a mail
but what its row needs, the Message-ID and the address in From. Success is said after the commit
(L1.1). What the mail means is for ``reading``.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from pbem.errors import PbemError, StoreError
from pbem.mail.addresses import Destination, find_destination
from pbem.mail.headers import MAX_FROM, read_addresses
from pbem.mail.office import Office
from pbem.mail.parts import MAX_MAIL, Header, read_headers
from pbem.play.ports import Surroundings, Unit
from pbem.play.post import Arrival

Verdict = Literal["stored", "unknown", "too_large", "replayed", "later"]
"""``later``: it could not be stored now and may be sent again; ``replayed``: its nonce was used
for another mail. Neither changes anything; ``unknown`` and ``too_large`` can never succeed."""

MAILS_AN_HOUR: Final = 300
"""Mails of one sender by one way that are taken within an hour (L2.1)."""

_HOUR: Final = timedelta(hours=1)
_MAX_SENDER: Final = 320  # RFC 5321: 64 left of the @, 255 right of it
_MAX_VALUE: Final = 4000
_UNSTORABLE: Final = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a mail for one recipient."""

    recipient: str
    verdict: Verdict
    inbound_id: int | None = None


class _NotNowError(PbemError):
    """Undoes what was stored of a mail; ``verdict`` says why."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        super().__init__(verdict)


def receive(
    around: Surroundings,
    office: Office,
    recipients: Sequence[str],
    raw: bytes,
    *,
    sender: str | None,
    via: str,
    now: datetime,
    peer: str = "",
    nonce: str | None = None,
    mails_an_hour: int = MAILS_AN_HOUR,
) -> list[Receipt]:
    """Keep a mail for each of its recipients, all or none; one verdict for each, in their order.

    ``sender`` is the envelope's: empty for the empty return-path, None where it is not known.
    ``peer`` tells senders of the same name apart by where they come from. A ``nonce`` is good for
    one mail: brought again with the same mail it is a success that changes nothing.

    What the store cannot do now is the verdict ``later``, and the log says why; nothing but a fault
    in here raises.
    """
    found = [find_destination(recipient, office.domain) for recipient in recipients]
    wanted = sorted({one.key for one in found if one is not None})
    if len(raw) > MAX_MAIL:
        return _receipts(recipients, found, "too_large", {})
    if not wanted:
        return _receipts(recipients, found, "unknown", {})
    headers = read_headers(raw)
    lane = find_author(headers)
    sender = None if sender is None else clean_sender(sender)
    key = mail_key(headers, raw)
    try:
        with around.store.begin() as unit:
            if nonce is not None and not _is_first(unit, nonce, key, now):
                return _receipts(recipients, found, "stored", {})
            arrivals = [
                Arrival(key, destination, lane or destination, sender, raw, now, via)
                for destination in wanted
            ]
            bucket = _bucket(via, peer, sender or wanted[0])
            numbers, counted = unit.take_mail(arrivals, bucket, now, _HOUR)
            if counted > mails_an_hour:
                raise _NotNowError("later")
    except _NotNowError as error:
        return _receipts(recipients, found, error.verdict, {})
    except StoreError as error:
        _log.error("a mail was not taken: %s: %s", type(error).__name__, error)
        return _receipts(recipients, found, "later", {})
    return _receipts(recipients, found, "stored", dict(zip(wanted, numbers, strict=True)))


def _receipts(
    recipients: Sequence[str],
    found: Sequence[Destination | None],
    verdict: Verdict,
    ids: dict[str, int],
) -> list[Receipt]:
    return [
        Receipt(recipient, "unknown")
        if destination is None
        else Receipt(recipient, verdict, ids.get(destination.key))
        for recipient, destination in zip(recipients, found, strict=True)
    ]


def _is_first(unit: Unit, nonce: str, key: str, now: datetime) -> bool:
    """Whether a nonce is new; it is stored with its mail, so a mail that was not stored may come
    again with the same one. Raises _NotNowError if it was used for another mail."""
    is_new = unit.use_nonce(nonce, now)
    is_new_pair = unit.use_nonce(f"{nonce}/{key}", now)
    if is_new_pair and not is_new:
        raise _NotNowError("replayed")
    return is_new


def _bucket(via: str, peer: str, sender: str) -> str:
    """Where mails of a sender are counted; a name of our own making, whatever the sender's is."""
    told = "\n".join((via, peer, sender.lower())).encode("utf-8", "replace")
    return f"received/{hashlib.sha256(told).hexdigest()[:40]}"


def mail_key(headers: Sequence[Header], raw: bytes) -> str:
    """What makes two mails the same: the hash of the Message-ID, or of the bytes (L1.2)."""
    value = next((one.value for one in headers if one.name == "message-id"), "")
    bracketed = re.search(r"<([^<>]*)>", value[:_MAX_VALUE])
    name = "".join((bracketed[1] if bracketed else value).split())
    return key_of_message_id(name) if name else hashlib.sha256(raw).hexdigest()


def key_of_message_id(name: str) -> str:
    """The key of the mail with this Message-ID, written without its brackets."""
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()


def find_author(headers: Sequence[Header]) -> str | None:
    """The address in From, by which a sender's mails are kept in order. It proves nothing: who may
    play is ``who``'s to say (L3.2)."""
    values = [one.value for one in headers if one.name == "from"]
    addresses = read_addresses(values[0][:MAX_FROM]) if len(values) == 1 else ()
    return addresses[0].address if len(addresses) == 1 else None


def clean_sender(sender: str) -> str:
    """An envelope's sender as any database can keep it; empty for the empty return-path."""
    bare = _UNSTORABLE.sub("", sender).strip()
    return bare.removeprefix("<").removesuffix(">").strip()[:_MAX_SENDER]
