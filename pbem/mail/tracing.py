"""The trail of a mail: when it was stored, what was read in it, what it became, and which mails
followed and when they left.

For the operator who has to prove what happened: everything is taken from the rows, nothing is
read again. Addresses are shown by their first letter, Message-IDs by the half that opens nothing;
what players wrote only where it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pbem.errors import PbemError
from pbem.mail.addresses import REPLY
from pbem.mail.keys import Keys
from pbem.mail.receive import key_of_message_id
from pbem.mail.redact import redact
from pbem.play.log import LogEntry
from pbem.play.model import StoredGame
from pbem.play.notices import cause_of
from pbem.play.ports import Unit
from pbem.play.post import (
    DEAD,
    HELD,
    MOOT,
    NEW,
    QUARANTINED,
    SENT,
    Inbound,
    Posted,
    mail_key,
    mail_number,
)

CUT: Final = "…"
"""What stands for the rest of a Message-ID or a hash."""

_MOST_NAMED: Final = 5
_SHOWN_OF_HASH: Final = 8
_WAYS: Final = {"web": "on the web", "api": "by a program"}


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened, or that is so; ``at`` is None where nobody knows when."""

    at: datetime | None
    what: str
    details: str = ""
    text: str = ""
    """What a player wrote."""


class SeveralMailsError(PbemError):
    """More than one mail has a Message-ID that begins so."""

    def __init__(self, found: Sequence[Posted]) -> None:
        names = [f"{posted.outgoing.message_id}{CUT}" for posted in found[:_MOST_NAMED]]
        more = " and others" if len(found) > _MOST_NAMED else ""
        super().__init__(
            f"several mails begin so: {', '.join(names)}{more}. Give more of the Message-ID."
        )


def find_trail(unit: Unit, keys: Keys | None, wanted: str) -> list[Step]:
    """The trail of a game by its id, of a mail that came in by its number or Message-ID, or of one
    of ours by its Message-ID, the first half of it, or a beginning with ``CUT`` behind it; empty if
    there is no such thing. Without keys a Message-ID of ours is known by its first half alone.
    Raises SeveralMailsError if more than one of ours begins so."""
    named, cut, _ = "".join(wanted.split()).strip("<>,").partition(CUT)
    if cut and (posted := _find_beginning(unit, named.partition(".")[0].lower())) is not None:
        return list(_of_posted(unit, posted))
    if named.isdecimal() and not cut:
        inbound = unit.find_inbound(int(named[:19]))
        return [] if inbound is None else list(_of_inbound(unit, inbound))
    game = unit.find_game(named) or unit.find_game(named.upper()) or unit.find_game(named.lower())
    if game is not None:
        return _of_game(unit, game)
    left = named.partition("@")[0]
    known = None if keys is None else keys.find_message(left)
    posted = unit.find_posted(known or left.partition(".")[0])
    if posted is not None:
        return list(_of_posted(unit, posted))
    found = unit.inbound_of_key(key_of_message_id(named))
    return [step for inbound in found for step in _of_inbound(unit, inbound)]


def _find_beginning(unit: Unit, begin: str) -> Posted | None:
    found = unit.posted_beginning(begin, limit=_MOST_NAMED + 1) if begin else ()
    if len(found) > 1:
        raise SeveralMailsError(found)
    return found[0] if found else None


def mask(address: str) -> str:
    """An address as it can be shown: enough to tell it from others of the same player."""
    name, at, domain = address.rpartition("@")
    return f"{name[:1]}…{at}{domain}" if at else redact(address)


def _destination(stored: str) -> str:
    """What a mail was sent to; of the hash of a token the beginning is enough to compare."""
    if stored.startswith(REPLY):
        return stored[: len(REPLY) + _SHOWN_OF_HASH] + CUT
    return redact(stored)


# -- a mail that came in ------------------------------------------------------------------------


def _of_inbound(unit: Unit, inbound: Inbound) -> Iterator[Step]:
    arrival = inbound.arrival
    told = [
        f"by {arrival.via}",
        f"from {mask(arrival.lane)}",
        f"to {_destination(arrival.destination)}",
    ]
    if inbound.player_id is not None:
        told.append(f"player {inbound.player_id}")
    if inbound.game_id is not None:
        told.append(f"about game {inbound.game_id}")
    if inbound.repeats:
        often = "once" if inbound.repeats == 1 else f"{inbound.repeats} times"
        told.append(f"came {often} more, and counts as one")
    yield Step(arrival.arrived, f"mail {inbound.id} stored", ", ".join(told))
    yield Step(None, _state(inbound), inbound.reason or "")
    yield from _sections(inbound.outcome)
    key = mail_key(inbound.id)
    for game_id in _games(inbound):
        entry = unit.find_entry(game_id, key)
        game = unit.find_game(game_id)
        held = () if game is None else [each for each in game.held if each.key == key]
        for each in held:
            until = f"{each.until:%Y-%m-%d %H:%M:%S}"
            yield Step(each.arrived, "kept for correction", f"game {game_id}, until {until}")
        if entry is not None:
            yield _entry(game_id, entry)
            yield from _posted_for(unit, cause_of(game_id, entry.number))
    yield from _posted_for(unit, key)


def _state(inbound: Inbound) -> str:
    match inbound.state:
        case "new" if inbound.outcome:
            return "it has come once more, and waits for the same answer"
        case "new":
            return f"it waits to be read, after {inbound.attempts} tries"
        case state if state == HELD:
            return "held: neither played nor answered"
        case state if state == QUARANTINED:
            return f"in quarantine, after {inbound.attempts} tries"
    return "read"


def _sections(outcome: Mapping[str, object]) -> Iterator[Step]:
    """What was found in it, as the answer tells it."""
    sections = outcome.get("sections")
    for section in sections if isinstance(sections, list) else ():
        facts = section.get("facts", {})
        codes = [str(facts[name]) for name in ("code", "reasons", "why") if facts.get(name)]
        if facts.get("clause"):
            codes.append(f"clause {facts['clause']}")
        if section.get("game"):
            codes.append(f"game {section['game']}")
        words = facts.get("text") or facts.get("command") or ""
        yield Step(None, f"answered: {section.get('name')}", ", ".join(codes), str(words))


def _games(inbound: Inbound) -> list[str]:
    """The games in which it can have become an entry."""
    found = [inbound.game_id]
    sections = inbound.outcome.get("sections")
    for section in sections if isinstance(sections, list) else ():
        found += [section.get("game"), section.get("facts", {}).get("game")]
    return list(dict.fromkeys(str(each) for each in found if each))


# -- a mail of ours -----------------------------------------------------------------------------


def _of_posted(unit: Unit, posted: Posted) -> Iterator[Step]:
    """It, and what it was written for."""
    cause = posted.outgoing.notice.cause
    game_id = posted.outgoing.notice.game_id
    number = mail_number(cause)
    if number is not None and (inbound := unit.find_inbound(number)) is not None:
        yield from _of_inbound(unit, inbound)
        return
    entry = _find_entry(unit, game_id, cause)
    if entry is not None and game_id is not None:
        yield _entry(game_id, entry)
    yield _posted(unit, posted)


def _find_entry(unit: Unit, game_id: str | None, cause: str) -> LogEntry | None:
    number = cause.rpartition("/")[2]
    if game_id is None or not number.isdecimal() or cause != cause_of(game_id, int(number)):
        return None
    return next(iter(unit.entries(game_id, since=int(number))), None)


def _posted_for(unit: Unit, cause: str) -> Iterator[Step]:
    for posted in unit.posted_for(cause):
        yield _posted(unit, posted)


def _posted(unit: Unit, posted: Posted) -> Step:
    outgoing = posted.outgoing
    notice = outgoing.notice
    letter = unit.find_letter_by_message_id(outgoing.message_id)
    told = [f"{notice.kind} to player {notice.player_id}"]
    if letter is not None:
        told.append(f"at {mask(letter.address)}")
    told.append(f"Message-ID {outgoing.message_id}{CUT}")
    if outgoing.attempts:
        told.append(f"{outgoing.attempts} tries failed")
    if letter is not None and letter.facts.get("failed"):
        told.append(f"bounced ({letter.facts['failed']})")
    match posted.state:
        case state if state == SENT:
            at, what = posted.ended_at, "mail handed over"
        case state if state == DEAD:
            at, what = posted.ended_at, "mail given up"
        case state if state == MOOT:
            at, what = posted.ended_at, "mail not sent, there was nothing left to say"
        case _:
            at, what = posted.next_try, "mail waits, next try"
    if posted.state == NEW and posted.ended_at is not None:
        told.append(f"was handed over before, at {posted.ended_at:%Y-%m-%d %H:%M:%S}")
    if posted.reason and posted.state in (DEAD, NEW):
        told.append(redact(posted.reason))
    return Step(at, what, ", ".join(told))


# -- a game -------------------------------------------------------------------------------------


def _of_game(unit: Unit, game: StoredGame) -> list[Step]:
    """Its log with the mails that followed each entry, and the mails that became none."""
    groups: list[tuple[datetime, list[Step]]] = []
    numbers: set[int] = set()
    played: set[int] = set()
    for entry in unit.entries(game.id):
        steps = [_entry(game.id, entry)]
        number = mail_number(entry.key or "")
        if number is not None:
            played.add(number)
            if (inbound := unit.find_inbound(number)) is not None:
                steps.insert(0, next(_of_inbound(unit, inbound)))
        steps += _posted_for(unit, cause_of(game.id, entry.number))
        groups.append((entry.at, steps))
    seen = {cause_of(game.id, number) for number in range(game.entries)}
    for posted in unit.posted_about(game.id):
        cause = posted.outgoing.notice.cause
        number = mail_number(cause)
        if number is not None:
            numbers.add(number)
        elif cause not in seen:
            groups.append((posted.outgoing.notice.created_at, [_posted(unit, posted)]))
    for player_id in dict.fromkeys(game.players):
        numbers |= {mail.id for mail in unit.held_for(player_id) if mail.game_id == game.id}
    for number in sorted(numbers - played):
        if (inbound := unit.find_inbound(number)) is not None:
            groups.append((inbound.arrival.arrived, list(_of_inbound(unit, inbound))))
    groups.sort(key=lambda group: group[0])
    return [step for _, steps in groups for step in steps]


def _entry(game_id: str, entry: LogEntry) -> Step:
    way, _, rest = (entry.key or "").partition("/")
    came = f"by mail {rest}" if way == "mail" else _WAYS.get(way, "by the server")
    who = "the server" if entry.seat is None else f"seat {entry.seat}"
    told = [f"{who}, {came}"] if entry.seat is not None else [who]
    if entry.arrived != entry.at:
        told.append(f"came in at {entry.arrived:%Y-%m-%d %H:%M:%S}")
    return Step(entry.at, f"entry {entry.number} of game {game_id}", ", ".join(told), entry.text)
