"""A charter as plain values, as the log of an event keeps it, and back. Owns nothing but the shape:
whether it is one that can be played is ``pbem.play.events.charters``' to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

from pbem.tournaments.charter import Charter

INSTANTS: Final = ("closes_at", "starts_at")
"""The fields that are instants, written as ISO 8601."""
NAMES: Final = tuple(field.name for field in fields(Charter))


def charter_to_plain(charter: Charter) -> dict[str, object]:
    """A charter as plain values; what is as usual is there too, so that it stays so."""
    plain: dict[str, object] = {name: getattr(charter, name) for name in NAMES}
    plain["agreement"] = dict(charter.agreement)
    plain["tie_breaks"] = list(charter.tie_breaks)
    for name in INSTANTS:
        instant = getattr(charter, name)
        plain[name] = None if instant is None else instant.isoformat()
    return plain


def charter_from_plain(plain: Mapping[str, Any]) -> Charter:
    """The charter of such values; fields that were not known then are as usual."""
    known: dict[str, Any] = {name: plain[name] for name in NAMES if name in plain}
    if "tie_breaks" in known:
        known["tie_breaks"] = tuple(known["tie_breaks"])
    for name in INSTANTS:
        if known.get(name) is not None:
            known[name] = datetime.fromisoformat(known[name])
    return Charter(**known)
