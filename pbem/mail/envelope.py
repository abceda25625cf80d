"""The envelope of a mail that came without one: from a mailbox, a pipe, a provider (L2).

A mail server writes the recipient and the return-path into headers when it delivers. They are no
proof of anything, and need not be: a recipient's token is (L3.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.mail.addresses import find_destination
from pbem.mail.headers import MAX_FROM, read_addresses
from pbem.mail.office import Office
from pbem.mail.parts import Header

_DELIVERED: Final = ("x-original-to", "delivered-to", "envelope-to", "x-delivered-to")
_ADDRESSED: Final = ("to", "cc")
_MAX_HEADERS: Final = 20
MAX_RECIPIENTS: Final = 20


def recipients_in(headers: Sequence[Header], office: Office) -> tuple[str, ...]:
    """The addresses of ours a mail was delivered to, or else written to; empty if there are none.

    The topmost header counts that says where it was delivered: those below are older, or made up.
    """
    for header in [one for one in headers if one.name in _DELIVERED][:_MAX_HEADERS]:
        for address in _addresses(header.value):
            if find_destination(address, office.domain) is not None:
                return (address,)
    written = [
        address
        for header in [one for one in headers if one.name in _ADDRESSED][:_MAX_HEADERS]
        for address in _addresses(header.value)
        if find_destination(address, office.domain) is not None
    ]
    return tuple(dict.fromkeys(written))[:MAX_RECIPIENTS]


def _addresses(value: str) -> list[str]:
    return [mailbox.address for mailbox in read_addresses(value)]


def sender_in(headers: Sequence[Header]) -> str | None:
    """The return-path: empty for the empty one, None if the mail does not tell."""
    value = next((one.value for one in headers if one.name == "return-path"), None)
    if value is None:
        return None
    if value.replace(" ", "") == "<>":
        return ""
    found = read_addresses(value[:MAX_FROM])
    return found[0].address if found else None
