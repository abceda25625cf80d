"""What a mail brings along besides its own matter: messages, and word of mails that were held.

Each is told once (L5). What was told is kept with the letter, and looked up there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from pbem.mail.composing.desk import Desk
from pbem.mail.composing.telling import earlier_letters
from pbem.mail.refusals import say_machine
from pbem.play.log import instant_text
from pbem.play.model import Message
from pbem.play.post import Inbound, Letter

MESSAGES_UNTIL: Final = "messages_until"
HELD: Final = "held"
MENTIONED_FOR: Final = timedelta(days=14)
"""A held mail that is older is on the game page only."""

TO_CONFIRM: Final = "dmarc"
"""The reason of a held mail that the player was asked to confirm, in a mail of its own (L3.3)."""


@dataclass(frozen=True, slots=True)
class HeldMail:
    """A mail of the player's that was neither played nor answered."""

    arrived: str
    reason: str


@dataclass(frozen=True, slots=True)
class Extras:
    """What is told along the way; ``kept`` goes into the letter."""

    messages: tuple[Message, ...] = ()
    held: tuple[HeldMail, ...] = ()
    kept: Mapping[str, object] = field(default_factory=dict)


def find_extras(desk: Desk, game_id: str | None, seat: int | None) -> Extras:
    """Messages to this seat and held mails that no mail to the player has told of yet."""
    earlier = list(earlier_letters(desk, game_id))
    messages: tuple[Message, ...] = ()
    if game_id is not None and seat is not None:
        messages = tuple(_untold_messages(desk, game_id, seat, earlier))
    held = list(_untold_held(desk, game_id, earlier))
    kept: dict[str, object] = {}
    if messages:
        kept[MESSAGES_UNTIL] = instant_text(messages[-1].at)
    if held:
        kept[HELD] = [inbound.id for inbound in held]
    told = tuple(
        HeldMail(
            desk.dates.short(each.arrival.arrived), say_machine(each.reason or "", desk.tongue)
        )
        for each in held
    )
    return Extras(messages, told, kept)


def _untold_messages(
    desk: Desk, game_id: str, seat: int, earlier: Sequence[Letter]
) -> Iterator[Message]:
    told = max(
        (str(letter.facts[MESSAGES_UNTIL]) for letter in earlier if MESSAGES_UNTIL in letter.facts),
        default="",
    )
    for message in desk.unit.messages_of(game_id):
        if message.seat != seat and instant_text(message.at) > told:
            yield message


def _untold_held(desk: Desk, game_id: str | None, earlier: Sequence[Letter]) -> Iterator[Inbound]:
    told: set[object] = set()
    for letter in earlier:
        ids = letter.facts.get(HELD)
        told.update(ids if isinstance(ids, list) else ())
    for inbound in desk.unit.held_for(desk.player.id):
        is_here = inbound.game_id in (None, game_id)
        is_recent = desk.now < inbound.arrival.arrived + MENTIONED_FOR
        if is_here and is_recent and inbound.id not in told and inbound.reason != TO_CONFIRM:
            yield inbound
