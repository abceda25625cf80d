"""Who wrote a mail, and to which of our letters it is the answer (L3).

The token in the address leads to a letter, and the letter to a player; where a program has mangled
the address, the Message-ID that the mail answers does. That alone is not enough: From must be one
of that player's verified addresses (L3.2), and where the operator has named a server that checks
it, that server must not have found it forged (L3.3). What a known player may do with an old letter
is ``act``'s to say; mails of machines are taken out by ``guards`` before.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from pbem.mail.answers import ANSWER
from pbem.mail.auth_results import find_verdict
from pbem.mail.headers import FromFault, Mailbox, answered_ids, find_sender
from pbem.mail.office import Office
from pbem.mail.parts import Message
from pbem.play.model import Address, Notice, Player
from pbem.play.ports import Unit
from pbem.play.post import Inbound, Letter

FOREIGN_SENDER: Final = "foreign_sender"
"""The kind of the notice that tells a player of a mail that was not taken for theirs. Facts:
``reason``, ``inbound``, and ``sender`` where From could be read."""

OPENING_KINDS: Final = frozenset({"address_confirmation", "invitation"})
"""Letters that may be answered from the address they went to before it is verified."""

_ANSWERABLE: Final = OPENING_KINDS | {ANSWER}
"""The same, and our answers to what was written from there."""

_MAX_LOOKS: Final = 10

Reason = FromFault | Literal["foreign_from", "unknown_token", "player_gone", "dmarc_fail"]


@dataclass(frozen=True, slots=True)
class Known:
    """A player who passed L3. ``letter`` is what they answer; without one they can say only what
    is about no request."""

    player: Player
    address: Address
    letter: Letter | None


@dataclass(frozen=True, slots=True)
class ToConfirm:
    """It seems to be this player, who has to confirm it on a page first (L3.3)."""

    player: Player
    address: Address
    letter: Letter | None


@dataclass(frozen=True, slots=True)
class Stranger:
    """Somebody without a verified address who wrote to a service address, perhaps to join."""

    address: str
    name: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody who may be answered. The player whose token was used is told, if there is one."""

    reason: Reason
    tell_player_id: int | None = None
    letter: Letter | None = None
    sender: str | None = None


Identity = Known | ToConfirm | Stranger | Unknown


def identify(unit: Unit, office: Office, inbound: Inbound, message: Message) -> Identity:
    """Who wrote a mail."""
    sender = find_sender(message)
    kind, _, value = inbound.arrival.destination.partition("/")
    letter = unit.find_letter(value) if kind == "reply" else None
    has_token = letter is not None
    if letter is None:
        letter = _answered_letter(unit, office, message)
    if letter is not None:
        unit.foresee_identity(letter)
        owner = unit.find_player(letter.player_id)
        if owner is None or owner.deleted_at is not None:
            return Unknown("player_gone")
        found = _by_letter(unit, office, owner, letter, sender, has_token=has_token)
    else:
        found = _by_address(unit, kind, sender)
    return _authenticated(office, inbound, message, sender, found)


def tell_player(unit: Unit, inbound: Inbound, unknown: Unknown, now: datetime) -> None:
    """Tell the player whose token a stranger used: at most once a day for each reason (L5)."""
    player_id, letter = unknown.tell_player_id, unknown.letter
    if player_id is None:
        return
    facts: dict[str, object] = {"reason": unknown.reason, "inbound": inbound.id}
    if unknown.sender is not None:
        facts["sender"] = unknown.sender
    unit.add_notice(
        Notice(
            f"foreign/{unknown.reason}/{now.date().isoformat()}",
            player_id,
            FOREIGN_SENDER,
            now,
            None if letter is None else letter.game_id,
            facts,
        )
    )


def _answered_letter(unit: Unit, office: Office, message: Message) -> Letter | None:
    """The letter that In-Reply-To or References name; only names that we made count (L3.1)."""
    for name in answered_ids(message, office.domain)[:_MAX_LOOKS]:
        message_id = office.keys.find_message(name)
        letter = None if message_id is None else unit.find_letter_by_message_id(message_id)
        if letter is not None:
            return letter
    return None


def _by_letter(
    unit: Unit,
    office: Office,
    player: Player,
    letter: Letter,
    sender: Mailbox | FromFault,
    *,
    has_token: bool,
) -> Identity:
    mine = {each.address: each for each in unit.addresses_of(player.id)}
    if isinstance(sender, Mailbox):
        address = mine.get(sender.address)
        if address is not None and _counts(address, letter):
            return Known(player, address, letter)
    if has_token and office.trust == "token":
        fallback = mine.get(letter.address)
        if fallback is not None and _counts(fallback, letter):
            return Known(player, fallback, letter)
    if isinstance(sender, Mailbox):
        return Unknown("foreign_from", player.id, letter, sender.address)
    return Unknown(sender, player.id, letter)


def _counts(address: Address, letter: Letter) -> bool:
    """Whether a mail from this address may answer the letter."""
    if address.verified_at is not None:
        return True
    return letter.kind in _ANSWERABLE and letter.address == address.address


def _by_address(unit: Unit, kind: str, sender: Mailbox | FromFault) -> Identity:
    """A mail that answers no letter of ours."""
    if not isinstance(sender, Mailbox):
        return Unknown(sender)
    address = unit.find_address(sender.address)
    if address is not None and address.verified_at is not None:
        player = unit.find_player(address.player_id)
        if player is not None and player.deleted_at is None:
            return Known(player, address, None)
    if kind == "reply":
        return Unknown("unknown_token", sender=sender.address)
    return Stranger(sender.address, sender.name)


def _authenticated(
    office: Office,
    inbound: Inbound,
    message: Message,
    sender: Mailbox | FromFault,
    found: Identity,
) -> Identity:
    """The same, unless the sender's domain disowns the mail (L3.3)."""
    claimed = sender.address if isinstance(sender, Mailbox) else None
    verdict = find_verdict(message, office.authserv_id, claimed)
    if isinstance(found, Stranger) and verdict == "fail":
        return Unknown("dmarc_fail", sender=claimed)
    is_doubtful = verdict == "fail" or (office.trust == "token+from+dmarc" and verdict != "pass")
    if isinstance(found, Known) and is_doubtful and not inbound.is_confirmed:
        return ToConfirm(found.player, found.address, found.letter)
    return found
