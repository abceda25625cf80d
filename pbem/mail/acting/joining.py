"""Who is new: signing up by mail, confirming an address, answering an invitation (L5, L6).

The first mail of a stranger only asks the address whether it wants to join. Nothing else happens
before the answer, and nothing that the stranger wrote is in the mail that asks.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from pbem.mail.acting.errand import Errand
from pbem.mail.answers import ADDRESS_CONFIRMATION, Section
from pbem.mail.commands import Command
from pbem.mail.guards import may_answer
from pbem.mail.office import Office
from pbem.mail.parts import Message
from pbem.mail.what import Part, Wanted
from pbem.mail.who import Stranger
from pbem.play import players
from pbem.play.errors import NotAllowedError
from pbem.play.model import Notice, Player, Preferences
from pbem.play.ports import Surroundings, Unit
from pbem.play.post import Inbound, Letter, mail_key

JOINS_AN_HOUR: Final = 200
"""Strangers who are asked within an hour, all together: a From can be forged (L5)."""

INVITATION: Final = "invitation"
NOT_CONFIRMED: Final = "not_confirmed"
_HOUR: Final = timedelta(hours=1)
_ALLOWED: Final = frozenset({"accept", "decline", "withdraw", "stop", "start", "settings", "help"})
"""What somebody may say whose address is not confirmed."""

Answer = tuple[str, int, str]
"""Cause, player and kind of the notice that answers a mail."""


def ask_stranger(
    around: Surroundings,
    unit: Unit,
    office: Office,
    *,
    inbound: Inbound,
    stranger: Stranger,
    language: str,
    now: datetime,
) -> Answer | None:
    """Ask somebody who wrote to us whether they want to join; None if they were asked lately."""
    if not may_answer(unit, office, stranger.address, "join", now):
        return None
    if unit.count_event("join", now, _HOUR) > JOINS_AN_HOUR:
        return None
    try:
        player = _find_or_add(around, unit, stranger, language, now=now)
    except NotAllowedError:
        return None
    notice = Notice(
        mail_key(inbound.id),
        player.id,
        ADDRESS_CONFIRMATION,
        now,
        facts={"address": stranger.address},
    )
    unit.add_notice(notice)
    return notice.cause, player.id, notice.kind


def find_language(message: Message) -> str:
    """The language a mail says it is written in, if it is one of ours; else English."""
    for name in ("content-language", "accept-language"):
        for value in message.values(name)[:1]:
            language = value.strip()[:2].lower()
            if language in players.LANGUAGES:
                return language
    return players.LANGUAGES[0]


def _find_or_add(
    around: Surroundings, unit: Unit, stranger: Stranger, language: str, *, now: datetime
) -> Player:
    """The player an address belongs to. Raises NotAllowedError if it was asked too often."""
    player = _find_newcomer(unit, stranger.address)
    if player is None:
        chosen = Preferences(language=language)
        name = _name(stranger)
        return players.join(around, name, stranger.address, now=now, preferences=chosen)
    players.check_asked_often(unit, stranger.address, now)
    return player


def _find_newcomer(unit: Unit, address: str) -> Player | None:
    """A player who was asked before, or invited, and has not answered. Not one who has other
    addresses: nobody can keep an address from its owner by naming it."""
    found = unit.find_address(address)
    if found is None or any(each.verified_at for each in unit.addresses_of(found.player_id)):
        return None
    return unit.find_player(found.player_id)


def _name(stranger: Stranger) -> str:
    for name in (stranger.name, stranger.address.partition("@")[0]):
        try:
            return players.clean_name(name[: players.MAX_NAME])
        except players.PlayerFaults:
            continue
    return "?"


# -- answers to letters that went to an address before it was confirmed ---------------------------


def open_letter(errand: Errand, wanted: Wanted) -> Wanted:
    """What a mail asks for beside confirming an address or answering an invitation."""
    letter = errand.letter
    if letter is None:
        return wanted
    if letter.kind == ADDRESS_CONFIRMATION:
        return _confirm(errand, wanted, str(letter.facts.get("address", letter.address)))
    if errand.address.verified_at is None and _was_asked_again(errand, letter):
        return _confirm(errand, wanted, errand.address.address)
    if letter.facts.get(INVITATION) is not None and wanted.agrees:
        errand.keep_rest(wanted)
        wanted = Wanted((Part(commands=(Command("accept", "accept"),)),))
    is_accepted = any(command.name == "accept" for command in wanted.commands)
    if errand.address.verified_at is None and is_accepted:
        _verify(errand, errand.address.address)
    return wanted


def _was_asked_again(errand: Errand, letter: Letter) -> bool:
    """Whether the letter answers a mail that left it open if the address is to be confirmed."""
    number = letter.facts.get("inbound")
    asked = errand.unit.find_inbound(number) if isinstance(number, int) else None
    told = () if asked is None else asked.outcome.get("sections", ())
    assert isinstance(told, list | tuple)
    return any(Section.from_plain(each).name == NOT_CONFIRMED for each in told)


def _confirm(errand: Errand, wanted: Wanted, address: str) -> Wanted:
    """A reply that says ok, or says nothing at all, or already uses commands, confirms; any other
    may be from somebody who was asked against their will."""
    commands = wanted.commands
    is_refused = any(command.name in ("stop", "decline", "withdraw") for command in commands)
    if is_refused or wanted.doubts or not (wanted.agrees or wanted.is_empty or commands):
        if not is_refused:
            errand.tell(NOT_CONFIRMED, address=address)
        return _without_text(wanted)
    if address == errand.address.address or errand.address.verified_at is not None:
        _verify(errand, address)
    return _without_text(wanted)


def _verify(errand: Errand, address: str) -> None:
    """The address is the player's: the mail came from it, or from another that is, and the token
    went nowhere else."""
    mine = errand.unit.addresses_of(errand.player.id)
    is_new = not any(each.verified_at for each in mine)
    with errand.attempt(address):
        verified = players.verify_address(errand.around, errand.player.id, address, now=errand.at)
        if address == errand.address.address:
            errand.address = verified
        if is_new:
            errand.tell("joined")
        else:
            errand.tell("address_confirmed", address=address)


def _without_text(wanted: Wanted) -> Wanted:
    """There is nobody yet to whom words could go."""
    parts = (Part(commands=part.commands) for part in wanted.parts)
    return replace(wanted, parts=tuple(part for part in parts if part.commands), agrees=False)


def is_allowed_unconfirmed(command: Command) -> bool:
    """Whether somebody whose address is not confirmed may say this; nobody else's may be named."""
    return command.name in _ALLOWED and "@" not in command.argument
