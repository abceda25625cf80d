"""What our own mail server found out about a sender's domain (L3.3, RFC 8601).

Owns the reading of ``Authentication-Results``. Only headers with the configured name count, and of
those the topmost decides: a server puts its own above what came in. One further down with the same
name was either written by us before or forged by the sender, so it can take trust away, never give
it. What follows from a verdict is ``who``.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from pbem.mail.headers import find_clauses
from pbem.mail.parts import Message
from pbem.play.players import PlayerFaults, clean_address

Verdict = Literal["pass", "fail", "unknown"]

_MAX_HEADERS: Final = 50
_RESULT: Final = re.compile(r"dmarc(?:/\d{1,3})?\s*=\s*([a-z]{1,40})(?![\w-])", re.IGNORECASE)
_DOMAIN: Final = re.compile(r"header\.from\s*=\s*(\S{1,255})", re.IGNORECASE)


def find_verdict(message: Message, authserv_id: str | None, sender: str | None) -> Verdict:
    """What the server of this name says about the DMARC of the address in From, if it has one."""
    if authserv_id is None:
        return "unknown"
    domain = None if sender is None else sender.rpartition("@")[2]
    verdicts = [
        verdict
        for value in message.values("authentication-results")[:_MAX_HEADERS]
        if (verdict := _verdict_of(authserv_id.lower(), value, domain)) is not None
    ]
    if "fail" in verdicts:
        return "fail"
    return verdicts[0] if verdicts else "unknown"


def _verdict_of(authserv_id: str, value: str, domain: str | None) -> Verdict | None:
    """What a header says if it is of this server.

    Parts of it are the sender's words: where those have made it unreadable, or another From was
    seen than we see, the mail is not to be trusted.
    """
    clauses = find_clauses(value)
    if clauses is None:
        return "fail" if authserv_id in value.lower() else None
    if clauses[0].lower().split(" ")[0] != authserv_id:
        return None
    found: set[Verdict] = set()
    for clause in clauses[1:]:
        if named := _RESULT.match(clause):
            about = _DOMAIN.search(clause)
            result = named[1].lower()
            if about and domain and not _is_same_domain(about[1], domain):
                found.add("fail")
            elif result in ("pass", "fail"):
                found.add("pass" if result == "pass" else "fail")
            else:
                found.add("unknown")
    if len(found) > 1:
        return "fail"  # it contradicts itself
    return found.pop() if found else "unknown"


def _is_same_domain(name: str, domain: str) -> bool:
    try:
        return clean_address(f"x@{name.rpartition('@')[2].rstrip('.')}") == f"x@{domain}"
    except PlayerFaults:
        return False
