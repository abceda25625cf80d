"""What a report on one of our mails says: gone for good, for now, or nothing of the kind (L5).

Owns the reading of delivery status notifications (RFC 3464) and of what servers write that know
nothing of them. That a report is about a mail of ours is proved by ``bounces`` before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from pbem.mail.guards import has_empty_return_path
from pbem.mail.headers import find_senders, read_addresses
from pbem.mail.parts import Message
from pbem.play.post import Inbound

Failure = Literal["hard", "soft"]

_MAX_GROUPS: Final = 50
_DAEMONS: Final = ("mailer-daemon", "postmaster")
_AUTOREPLIES: Final = ("x-autoreply", "x-autorespond")
_FIELD: Final = re.compile(r"([a-z-]{1,40})[ \t]*:[ \t]*(.{0,1000})", re.IGNORECASE)
_STATUS: Final = re.compile(r"([245])\.\d{1,3}\.\d{1,3}(?![.\d])")
_REPLY_CODE: Final = re.compile(r"(?<![\d.])([245])\d\d(?![\d.])")
_DONE: Final = frozenset({"delivered", "relayed", "expanded"})


def find_failure(inbound: Inbound, message: Message, address: str) -> Failure | None:
    """How a mail to ``address`` has failed by what came to its return-path; None if it has not."""
    if message.reports:
        groups = [group for report in message.reports for group in _groups(report)]
        return _of_report(groups, address)
    return "soft" if _is_old_fashioned(inbound, message, address) else None


def _of_report(groups: Sequence[Mapping[str, str]], address: str) -> Failure | None:
    recipients = [group for group in groups if "action" in group or "status" in group]
    ours = [group for group in recipients if address in _named(group)]
    # An alias may stand for several mailboxes: it is dead when none of them takes mail.
    failures = [_of_recipient(group) for group in ours or recipients]
    if failures and all(failure == "hard" for failure in failures):
        return "hard"
    return "soft" if any(failures) else None


def _of_recipient(group: Mapping[str, str]) -> Failure | None:
    words = group.get("action", "").lower().split()
    action = words[0] if words else ""
    level = _level(group)
    if action in _DONE or (level == "2" and action != "failed"):
        return None
    return "hard" if level == "5" and action in ("failed", "") else "soft"


def _level(group: Mapping[str, str]) -> str:
    """The first figure of the status, or of what the other server said; empty if there is none."""
    found = _STATUS.match(group.get("status", ""))
    if found is None:
        told = group.get("diagnostic-code", "")
        found = _STATUS.search(told) or _REPLY_CODE.search(told)
    return "" if found is None else found[1]


def _named(group: Mapping[str, str]) -> set[str]:
    """The addresses that a group is about."""
    values = (group.get(name, "") for name in ("original-recipient", "final-recipient"))
    return {each.address for value in values for each in read_addresses(value.partition(";")[2])}


def _groups(report: str) -> list[dict[str, str]]:
    """The fields of a report, by the blank lines between; the first of a name counts."""
    groups: list[dict[str, str]] = [{}]
    name = ""
    for line in report.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if not line.strip():
            if groups[-1] and len(groups) < _MAX_GROUPS:
                groups.append({})
            name = ""
        elif line[0] in " \t" and name:
            groups[-1][name] += f" {line.strip()[:1000]}"
        elif found := _FIELD.match(line):
            name = found[1].lower()
            if name in groups[-1]:
                name = ""
            else:
                groups[-1][name] = found[2].strip()
    return groups


def is_report(message: Message) -> bool:
    """Whether a mail says that it is a report, on whatever."""
    values = message.values("content-type")
    return any(value.lower().startswith("multipart/report") for value in values)


def _is_old_fashioned(inbound: Inbound, message: Message, address: str) -> bool:
    """Whether a mail without a report says that one of ours has failed.

    Who is away answers to the return-path, too (RFC 3834). That comes from the very address we
    wrote to, or says what it is; and a person writes with a return-path of their own.
    """
    failed = [each for value in message.values("x-failed-recipients") for each in _list(value)]
    if address in failed:
        return True
    senders = {each.address for each in find_senders(message)}
    marks = [value for name in _AUTOREPLIES for value in message.values(name)]
    marks += [each for each in message.values("auto-submitted") if "replied" in each.lower()]
    if address in senders or marks or is_report(message):
        return False  # away, a complaint, or a note that it was read
    is_daemon = any(sender.partition("@")[0] in _DAEMONS for sender in senders)
    return is_daemon or has_empty_return_path(inbound, message)


def _list(value: str) -> list[str]:
    return [each.address for each in read_addresses(value)]
