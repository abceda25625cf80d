"""After the faults: what players sent, what the logs say, and what arrived, side by side.

Every submission that was taken with a success code must be in a log once, or have been answered
with a refusal. Every mail of the outbox must have arrived, and no Message-ID twice, but for those
of which nobody could know: see ``Copies``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, text

from deploy.load.breaking import Broken
from deploy.load.players import Noted, Players, Submission
from pbem.mail.keys import Keys
from pbem.mail.parts import read_headers
from pbem.mail.receive import mail_key

NOTING = 3.0
"""Seconds that may pass between the arrival of a mail and the note that it was sent."""


@dataclass
class Copies:
    """Mails that came twice, by why."""

    unsaid: int = 0
    """The connection broke after the mail was taken and before that was said: SMTP has no way to
    ask, and it is sent again."""
    unnoted: int = 0
    """What had sent it, or its database, was killed before it could be noted."""
    wanted: int = 0
    """The player's mail came again, and so does the answer (L1.2)."""
    without_reason: int = 0


@dataclass
class Audit:
    """How it all compares."""

    accepted: int = 0
    over_http: int = 0
    """Of those, how many did not come by SMTP."""
    played: int = 0
    refused: int = 0
    lost: int = 0
    played_twice: int = 0
    quarantined: int = 0
    mails: int = 0
    missing: int = 0
    waiting: int = 0
    dead: int = 0
    unknown: int = 0
    copies: Copies = field(default_factory=Copies)
    remarks: list[str] = field(default_factory=list)
    """What was wrong, one line each."""


def audit(
    engine: Engine, keys: Keys, players: Players, unsaid: set[str], broken: Sequence[Broken]
) -> Audit:
    """Compare everything; the server has come to rest."""
    with engine.connect() as connection:

        def select(statement: str) -> list[Any]:
            return list(connection.execute(text(statement)).mappings())

        inbound = {
            row["key"]: row
            for row in select("SELECT id, key, state, reason, repeats, outcome FROM inbound")
        }
        entries = Counter(
            row["key"] for row in select("SELECT key FROM log_entries WHERE key LIKE 'mail/%'")
        )
        notices = {
            row["message_id"]: row
            for row in select(
                "SELECT message_id, state, cause, player_id, kind, reason FROM notices"
            )
        }
    found = Audit()
    _compare_submissions(found, players.submissions.values(), inbound, entries)
    _compare_mails(found, keys, players.arrivals, notices)
    named: dict[object, str] = {
        (row["cause"], row["player_id"], row["kind"]): name for name, row in notices.items()
    }
    repeated = {named.get(_answer_to(row["outcome"])) for row in inbound.values() if row["repeats"]}
    for copy, before in _copies(players.arrivals):
        if copy.message_id in unsaid:
            found.copies.unsaid += 1
        elif any(_is_hit(before, one) for one in broken):
            found.copies.unnoted += 1
        elif _name(keys, copy) in repeated:
            found.copies.wanted += 1
        else:
            found.copies.without_reason += 1
            found.remarks.append(f"twice, {copy.at - before:.1f} s apart: {copy.subject}")
    return found


def count_waiting(engine: Engine) -> int:
    """How many mails are still to be read or sent."""
    with engine.connect() as connection:
        return sum(
            int(connection.execute(text(statement)).scalar_one())
            for statement in (
                "SELECT count(*) FROM inbound WHERE state = 'new'",
                "SELECT count(*) FROM notices WHERE state = 'new'",
            )
        )


def _compare_submissions(
    found: Audit,
    submissions: Iterable[Submission],
    inbound: Mapping[str, Any],
    entries: Counter[str],
) -> None:
    for each in submissions:
        if each.mail.accepted_at is None:
            continue
        found.accepted += 1
        found.over_http += each.mail.by_http
        row = inbound.get(mail_key(read_headers(each.mail.raw), each.mail.raw))
        if row is None:
            found.lost += 1
            found.remarks.append(f"taken and not stored: {each.mail.message_id}")
            continue
        times = entries[f"mail/{row['id']}"]
        found.played += times == 1
        found.played_twice += times > 1
        found.quarantined += row["state"] == "quarantined"
        if times == 0 and row["state"] == "handled" and each.answered_at is not None:
            found.refused += 1
            found.remarks.append(f"refused: {each.text!r}, {each.game.upset}")
        elif times == 0:
            found.lost += 1
            found.remarks.append(f"not played: mail {row['id']}, {row['state']}, {row['reason']}")


def _compare_mails(
    found: Audit, keys: Keys, arrivals: Sequence[Noted], notices: Mapping[str, Any]
) -> None:
    arrived = {_name(keys, each) for each in arrivals}
    found.unknown = len(arrived - notices.keys())
    for name, row in notices.items():
        state = row["state"]
        found.mails += state == "sent"
        found.dead += state == "dead"
        found.waiting += state == "new"
        if state == "sent" and name not in arrived:
            found.missing += 1
            found.remarks.append(f"sent and not arrived: {row['kind']} {name}")
        if state in ("dead", "new"):
            found.remarks.append(f"{state}: {row['kind']} {name}, {row['reason']}")


def _copies(arrivals: Sequence[Noted]) -> Iterator[tuple[Noted, float]]:
    """Mails that had come before, and when they last had."""
    before: dict[str, float] = {}
    for each in sorted(arrivals, key=lambda mail: mail.at):
        if each.message_id in before:
            yield each, before[each.message_id]
        before[each.message_id] = each.at


def _is_hit(arrived: float, broken: Broken) -> bool:
    """Whether something of ours broke before a mail that had arrived could be noted."""
    return broken.is_ours and broken.began - NOTING <= arrived <= broken.ended


def _name(keys: Keys, mail: Noted) -> str:
    left = mail.message_id.strip("<>").partition("@")[0]
    return keys.find_message(left) or f"not ours: {mail.message_id}"


def _answer_to(outcome: Any) -> tuple[str, int, str] | None:
    """The row of the outbox that answers a mail: its cause, its player, its kind."""
    plain = json.loads(outcome) if isinstance(outcome, str) else outcome
    answer = plain.get("answer")
    return (str(answer[0]), int(answer[1]), str(answer[2])) if isinstance(answer, list) else None
