"""After the faults: what players sent, what the logs say, and what arrived, side by side.

Every submission that was taken with a success code must be in a log once, timed by when it was
handed over, and answered; nothing else may be in a log. Every mail of the outbox must have arrived,
and no Message-ID twice, but for those of which nobody could know: the mail server or the player
bears witness to each, or somebody was killed who had it in hand. See ``Copies``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, select, text

from deploy.load.breaking import Broken
from deploy.load.players import Noted, Players, Submission
from deploy.load.sink import Sink
from pbem.mail.keys import Keys
from pbem.mail.parts import read_headers
from pbem.mail.patience import IN_HAND
from pbem.mail.receive import mail_key
from pbem.store.columns import table_of
from pbem.store.logs import LogEntryRow

NEAR = 1.0
"""Seconds by which clocks that are read in different processes, one after the other, may differ."""

_LOG = table_of(LogEntryRow)


@dataclass
class Copies:
    """Mails that came twice, by why. Each reason counts once for each time that it was there."""

    unsaid: int = 0
    """The mail server had kept it, and broke off before it said so: SMTP has no way to ask, and it
    is sent again."""
    unnoted: int = 0
    """Whoever had sent it was killed between the mail server's word and the note of it: as many at
    one time as there were couriers, each with one mail in hand."""
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
    unsent: int = 0
    """Entries of logs that came by a mail which no player has sent."""
    mistimed: int = 0
    """Submissions that count as of another instant than that at which they were handed over."""
    unanswered: int = 0
    longest_wait: float = 0.0
    """Seconds from a submission that was taken to its answer."""
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
    engine: Engine, keys: Keys, players: Players, sink: Sink, broken: Sequence[Broken]
) -> Audit:
    """Compare everything; the server has come to rest."""
    with engine.connect() as connection:

        def ask(statement: str) -> list[Any]:
            return list(connection.execute(text(statement)).mappings())

        inbound = {
            row["key"]: row
            for row in ask("SELECT id, key, state, reason, repeats, outcome FROM inbound")
        }
        by_mail = select(_LOG.c.key, _LOG.c.arrived).where(_LOG.c.key.startswith("mail/"))
        entries: dict[str, list[datetime]] = {}
        for key, arrived in connection.execute(by_mail):
            entries.setdefault(key, []).append(arrived)
        notices = {
            row["message_id"]: row
            for row in ask("SELECT message_id, state, cause, player_id, kind, reason FROM notices")
        }
    found = Audit()
    _compare_submissions(found, players.submissions.values(), inbound, entries)
    _compare_mails(found, keys, players.arrivals, notices)
    named: dict[object, str] = {
        (row["cause"], row["player_id"], row["kind"]): name for name, row in notices.items()
    }
    repeats: Counter[str | None] = Counter()
    for row in inbound.values():
        repeats[named.get(_answer_to(row["outcome"]))] += row["repeats"]
    in_hand = [each for each in broken for _ in range(each.couriers)]
    unsaid = sink.unsaid.copy()
    # Whatever is a reason for one copy is none for another.
    for copy, before in _copies(players.arrivals):
        name = _name(keys, copy)
        if unsaid[copy.message_id]:
            unsaid[copy.message_id] -= 1
            found.copies.unsaid += 1
        elif repeats[name]:
            repeats[name] -= 1
            found.copies.wanted += 1
        elif killed := next((each for each in in_hand if _parts(each, before, copy.at)), None):
            in_hand.remove(killed)
            found.copies.unnoted += 1
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
    entries: Mapping[str, Sequence[datetime]],
) -> None:
    unsent = set(entries)
    for each in submissions:
        row = inbound.get(mail_key(read_headers(each.mail.raw), each.mail.raw))
        key = "" if row is None else f"mail/{row['id']}"
        played = entries.get(key, ())
        unsent.discard(key)
        if each.mail.accepted_at is None:
            continue
        found.accepted += 1
        found.over_http += each.mail.by_http
        if each.answered_at is None:
            found.unanswered += 1
            found.remarks.append(f"not answered: {each.mail.message_id}")
        else:
            waited = each.answered_at - each.mail.accepted_at
            found.longest_wait = max(found.longest_wait, waited)
        if row is None:
            found.lost += 1
            found.remarks.append(f"taken and not stored: {each.mail.message_id}")
            continue
        times = len(played)
        found.played += times == 1
        found.played_twice += times > 1
        for arrived in played:
            if not _is_timed(each, arrived.timestamp()):
                found.mistimed += 1
                found.remarks.append(f"counts as of {arrived}: {each.mail.message_id}")
        found.quarantined += row["state"] == "quarantined"
        if times == 0 and row["state"] == "handled" and each.answered_at is not None:
            found.refused += 1
            found.remarks.append(f"refused: {each.text!r}, {each.game.upset}")
        elif times == 0:
            found.lost += 1
            found.remarks.append(f"not played: mail {row['id']}, {row['state']}, {row['reason']}")
    found.unsent = len(unsent)
    found.remarks += [f"played, and no player has sent it: {key}" for key in sorted(unsent)]


def _is_timed(each: Submission, arrived: float) -> bool:
    """Whether it counts as of an instant between its being handed over and the word for it."""
    begun, ended = each.mail.first_tried, each.mail.last_answered
    return begun is not None and ended is not None and begun - NEAR <= arrived <= ended + NEAR


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


def _parts(killed: Broken, before: float, at: float) -> bool:
    """Whether a mail that came twice can have been in hand then: it had been taken, not longer ago
    than a courier waits for a database, and came again afterwards."""
    return before - NEAR <= killed.began <= min(at, before + IN_HAND + NEAR)


def _name(keys: Keys, mail: Noted) -> str:
    left = mail.message_id.strip("<>").partition("@")[0]
    return keys.find_message(left) or f"not ours: {mail.message_id}"


def _answer_to(outcome: Any) -> tuple[str, int, str] | None:
    """The row of the outbox that answers a mail: its cause, its player, its kind."""
    plain = json.loads(outcome) if isinstance(outcome, str) else outcome
    answer = plain.get("answer")
    return (str(answer[0]), int(answer[1]), str(answer[2])) if isinstance(answer, list) else None
