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
from pbem.mail.refusals import HELD_REASONS, say_held
from pbem.play.log import instant_text
from pbem.play.model import Message
from pbem.play.post import Inbound, LetterFacts

MESSAGES_UNTIL: Final = "messages_until"
"""In a letter: the instant of the last message told, by game."""

HELD: Final = "held"
"""In a letter: the numbers of the held mails it tells of."""

MENTIONED_FOR: Final = timedelta(days=14)
"""A held mail that is older is on the game page only."""


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


def find_extras(desk: Desk, games: Sequence[tuple[str, int]]) -> Extras:
    """Messages in these games (with the player's seats), and held mails, that are not told yet."""
    messages: list[Message] = []
    until: dict[str, str] = {}
    for game_id, seat in games:
        found = list(_untold_messages(desk, game_id, seat))
        if found:
            until[game_id] = instant_text(found[-1].at)
        messages += found
    held = list(_untold_held(desk, [game_id for game_id, _ in games]))
    kept: dict[str, object] = {}
    if until:
        kept[MESSAGES_UNTIL] = until
    if held:
        kept[HELD] = [inbound.id for inbound in held]
    return Extras(tuple(messages), tuple(_held_mail(desk, each) for each in held), kept)


def _held_mail(desk: Desk, inbound: Inbound) -> HeldMail:
    arrived = desk.dates.short(inbound.arrival.arrived)
    return HeldMail(arrived, say_held(inbound.reason or "", desk.tongue))


def _untold_messages(desk: Desk, game_id: str, seat: int) -> Iterator[Message]:
    told = max((_told(letter, game_id) for letter in earlier_letters(desk, game_id)), default="")
    for message in desk.unit.messages_of(game_id):
        if message.seat != seat and instant_text(message.at) > told:
            yield message


def _told(letter: LetterFacts, game_id: str) -> str:
    until = letter.facts.get(MESSAGES_UNTIL)
    return str(until.get(game_id, "")) if isinstance(until, Mapping) else ""


def _untold_held(desk: Desk, games: Sequence[str]) -> Iterator[Inbound]:
    held = [
        inbound
        for inbound in desk.unit.held_for(desk.player.id)
        if desk.now < inbound.arrival.arrived + MENTIONED_FOR
        and inbound.reason in HELD_REASONS
        and (inbound.game_id is None or inbound.game_id in games)
    ]
    if not held:
        return
    told: set[object] = set()
    for game_id in (*games, None):
        for letter in earlier_letters(desk, game_id):
            ids = letter.facts.get(HELD)
            told.update(ids if isinstance(ids, list) else ())
    yield from (inbound for inbound in held if inbound.id not in told)
