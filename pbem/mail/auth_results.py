"""What our own mail server found out about a sender's domain (L3.3, RFC 8601).

Owns the reading of ``Authentication-Results``. Only headers with the configured name count, and of
those the topmost decides: a server puts its own above what came in. One further down with the same
name was either written by us before or forged by the sender, so it can take trust away, never give
it. What follows from a verdict is ``who``.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from pbem.mail.headers import without_comments
from pbem.mail.parts import Message
from pbem.play.players import PlayerFaults, clean_address

Verdict = Literal["pass", "fail", "unknown"]

_MAX_HEADERS: Final = 50
_RESULT: Final = re.compile(r"dmarc(?:/\d{1,3})?\s*=\s*([a-z]{1,40})(?![\w-])", re.IGNORECASE)
_DOMAIN: Final = re.compile(r'header\.from\s*=\s*"?([^\s";]{1,255})', re.IGNORECASE)


def find_verdict(message: Message, authserv_id: str | None, sender: str | None) -> Verdict:
    """What the server of this name says about the DMARC of the address in From, if it has one."""
    if authserv_id is None:
        return "unknown"
    domain = None if sender is None else sender.rpartition("@")[2]
    verdicts = [
        _verdict(results, domain)
        for value in message.values("authentication-results")[:_MAX_HEADERS]
        if (results := _results_of(value, authserv_id)) is not None
    ]
    if "fail" in verdicts:
        return "fail"
    return verdicts[0] if verdicts else "unknown"


def _results_of(value: str, authserv_id: str) -> list[str] | None:
    """The results in a header, if it is of this server."""
    head, *results = without_comments(value).split(";")
    name = head.split()[0] if head.split() else ""
    return results if name.strip('"').lower() == authserv_id.lower() else None


def _verdict(results: list[str], domain: str | None) -> Verdict:
    found: set[Verdict] = set()
    for result in results:
        if named := _RESULT.match(result.strip()):
            about = _DOMAIN.search(result)
            if about and domain and not _is_same_domain(about[1], domain):
                found.add("fail")  # it saw another From than we do
            elif named[1].lower() == "pass":
                found.add("pass")
            else:
                found.add("fail" if named[1].lower() == "fail" else "unknown")
    if len(found) > 1:
        return "fail"  # it contradicts itself
    return found.pop() if found else "unknown"


def _is_same_domain(name: str, domain: str) -> bool:
    try:
        return clean_address(f"x@{name.rpartition('@')[2].rstrip('.')}") == f"x@{domain}"
    except PlayerFaults:
        return False
