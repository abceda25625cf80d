"""Mails of ours that did not arrive: what becomes of the address, the player and the mail (L5).

Every mail has a return-path of its own, signed for its letter and address, so that what comes to
it is about that mail and no other. A failure for good suspends mail to the address, stops the
player's clocks for a time, sends the mail to the player's next address, and tells the director.
Failures for now are counted, and the count halves every three days; five together are one for good.
What a report says is ``reports``.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Literal

from pbem.errors import StoreBusyError
from pbem.mail.addresses import bounce_address
from pbem.mail.delivery_address import choose_address
from pbem.mail.keys import claimed_number
from pbem.mail.office import Office
from pbem.mail.parts import Message
from pbem.mail.reports import find_failure, is_report
from pbem.play.calendars import stop_ends
from pbem.play.errors import NoSuchPlayerError
from pbem.play.leave import resume_clocks, stop_clocks
from pbem.play.log import instant_text
from pbem.play.model import Address, Notice, Player
from pbem.play.ports import Surroundings, Unit
from pbem.play.post import DEAD, AddressHealth, Inbound, Letter

BOUNCE_NOTICE: Final = "bounce_notice"
"""The kind of the notice about an address that takes no mail. It stands under the player whose
address it is, but goes to the director. Facts: ``address``, ``reason``, ``stopped_until`` (an
instant, or None if the clocks do not stand), ``next_address`` (or None)."""

VALID_FOR: Final = timedelta(days=7)
HALF_LIFE: Final = timedelta(days=3)
MOST_SOFT: Final = 5.0

Result = Literal["not_ours", "answered", "no_failure", "soft", "hard", "known"]
"""What came to a return-path: ``answered`` is no report at all, mostly of somebody who is away."""


def return_path(office: Office, letter: Letter, now: datetime) -> str:
    """Where reports on a letter go. It is good for the address that the letter went to: once the
    same mail has gone to another, reports on the first are no longer about it."""
    assert letter.id is not None, "a letter is stored before it is sent"
    signed = office.keys.sign(_purpose(letter), letter.id, until=now + VALID_FOR)
    return bounce_address(signed, office.domain)


def find_bounced(unit: Unit, office: Office, inbound: Inbound) -> Letter | None:
    """The letter that a mail to a return-path is about; None if we did not make that path."""
    kind, _, signed = inbound.arrival.destination.partition("/")
    number = claimed_number(signed) if kind == "bounce" else None
    letter = None if number is None else unit.find_letter_by_id(number)
    if letter is None:
        return None
    found = office.keys.find_signed(_purpose(letter), signed, now=inbound.arrival.arrived)
    return None if found is None else letter


def _purpose(letter: Letter) -> str:
    return f"bounce {letter.address}"


def handle_bounce(
    around: Surroundings, office: Office, inbound: Inbound, message: Message, now: datetime
) -> Result:
    """Draw the conclusions from a mail that came to a return-path."""
    with around.store.begin() as unit:
        letter = find_bounced(unit, office, inbound)
        if letter is None:
            return "not_ours"
        failure = find_failure(inbound, message, letter.address)
        if failure is None:
            return "no_failure" if is_report(message) else "answered"
        known = letter.facts.get("failed")
        if known in ("hard", failure):
            return "known"
        if failure == "soft" and not _is_last_straw(unit, letter.address, now):
            unit.save_letter(replace(letter, facts={**letter.facts, "failed": "soft"}))
            return "soft"
        inner = around.within(unit)
        permanent_failure(inner, office, letter.message_id, f"{failure} bounce", now)
        return "hard"


def permanent_failure(
    around: Surroundings, office: Office, message_id: str, reason: str, now: datetime
) -> bool:
    """A mail cannot be delivered: a hard bounce, a refusal by the next server, or given up after
    days. Its row is dead, or waits afresh for another address of the player; whether it waits.

    ``reason`` is for the operator. The same mail to the same address fails only once.
    """
    with around.store.begin() as unit:
        outgoing = unit.find_outgoing(message_id)
        letter = unit.find_letter_by_message_id(message_id)
        if letter is not None and letter.facts.get("failed") == "hard":
            return False
        player = None
        if letter is not None:
            player = _suspend(around.within(unit), unit, office, letter, reason=reason, now=now)
        if outgoing is not None:
            unit.end_notice(outgoing.id, DEAD, reason, at=now)  # mails are locked behind players
        if letter is None:
            return False
        unit.save_letter(replace(letter, facts={**letter.facts, "failed": "hard"}))
        if player is None or outgoing is None or choose_address(unit, player) is None:
            return False
        notice = outgoing.notice
        return unit.requeue_notice(notice.cause, notice.player_id, notice.kind, now)


def welcome_back(around: Surroundings, player_id: int, now: datetime) -> None:
    """A player has written: clocks go on."""
    with around.store.begin() as unit:
        player = unit.find_player(player_id)
        if player is not None and player.stopped_since is not None:
            resume_clocks(around.within(unit), player_id, now=now)


def recover(unit: Unit, address: Address, now: datetime) -> None:
    """A player has written from an address: it takes mail again, and what has waited for that goes
    out. For the end of a unit: players and games are locked before what is known of an address."""
    health = unit.find_health(address.address)
    if health is None or health == _recovered(health):
        return
    unit.save_health(_recovered(health))
    if health.bounced_at is not None:
        unit.hurry_notices(now, address.player_id)


def resume(around: Surroundings, address: str, now: datetime) -> bool:
    """The operator knows that an address takes mail again: it gets what has waited, and the clocks
    of its player go on as if the player had written. False if mail to it was not suspended."""
    with around.store.begin() as unit:
        health = unit.find_health(address)
        if health is None or health.bounced_at is None:
            return False
        owned = unit.find_address(address)
        if owned is None or owned.verified_at is None:
            unit.save_health(_recovered(health))
        else:
            resume_clocks(around.within(unit), owned.player_id, now=now)
            recover(unit, owned, now)
        return True


def _recovered(health: AddressHealth) -> AddressHealth:
    return replace(health, bounced_at=None, soft_score=0.0, soft_at=None)


def _suspend(
    around: Surroundings, unit: Unit, office: Office, letter: Letter, *, reason: str, now: datetime
) -> Player | None:
    """Send nothing more to an address; whose it was, if mail about games goes there."""
    owned = _owned(unit, letter)
    player = None
    if owned is not None:
        try:
            player = stop_clocks(around, owned.player_id, now=now)
        except NoSuchPlayerError:  # while this waited for the player
            raise StoreBusyError(f"player {owned.player_id} was merged with another") from None
    health = unit.find_health(letter.address) or AddressHealth(letter.address)
    unit.save_health(replace(health, bounced_at=now))
    if player is not None and health.bounced_at is None and office.director is not None:
        following = choose_address(unit, player)
        since = player.stopped_since
        facts = {
            "address": letter.address,
            "reason": reason,
            "stopped_until": None if since is None else instant_text(stop_ends(player, since)),
            "next_address": None if following is None else following.address,
        }
        cause = f"bounce/{letter.address}/{instant_text(now)}"
        unit.add_notice(Notice(cause, player.id, BOUNCE_NOTICE, now, letter.game_id, facts))
    return player


def _owned(unit: Unit, letter: Letter) -> Address | None:
    """The address that a letter went to, if it is one by which its player can be reached: not the
    director's, nor one that was never confirmed."""
    address = unit.find_address(letter.address)
    if address is None or address.verified_at is None or letter.kind == BOUNCE_NOTICE:
        return None
    return address if address.player_id == letter.player_id else None


def _is_last_straw(unit: Unit, address: str, now: datetime) -> bool:
    """Whether one more failure for now is one too many; else it is counted."""
    health = unit.find_health(address) or AddressHealth(address)
    age = timedelta(0) if health.soft_at is None else max(timedelta(0), now - health.soft_at)
    score: float = health.soft_score * 0.5 ** (age / HALF_LIFE) + 1
    if score >= MOST_SOFT:
        return True  # players and games are locked before what is known of an address
    unit.save_health(replace(health, soft_score=score, soft_at=now))
    return False
