"""What the answer to a mail consists of: the words that ``act`` writes and ``compose`` reads.

A mail gets one answer (L5): the receipt of the entry it became, or a notice of the kind ``answer``
whose cause is the mail. Either shows the *sections* of the mail's outcome. A section says what is
to be told, in plain values; the text is made from the game as it stood after ``entry``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

ANSWER: Final = "answer"
"""The kind of a notice that answers a mail. Facts: ``inbound``, ``sections``, and where the mail
was about a game ``seat`` and ``entry`` (the last one when it was read). ``requests`` are those that
a reply may answer beside the one open in the game; ``address`` is where it goes if the player has
confirmed none yet. A mail that was played in several games gets this too, and no receipts."""

ADDRESS_CONFIRMATION: Final = "address_confirmation"
"""The kind of the notice that asks whether an address is its reader's. Fact: ``address``."""

CONFIRM_MAIL: Final = "confirm_mail"
"""The kind of the notice that asks a player to confirm a mail (L3.3). Fact: ``inbound``."""

SECTIONS: Final = {
    "refusal": "text: the orders; the game refuses them again when the answer is written;"
    " code and clause: of the first fault, for the operator",
    "too_late": "text: the orders, since: the entry that closed the request",
    "not_asked": "text: the orders; the mail answered asked for nothing",
    "kept": "text: canonical orders, until: instant; held for correction",
    "already_kept": "text: what is held, until: instant; the new one was not taken",
    "undone": "text: what was dropped",
    "nothing_to_undo": "",
    "what_if": "text: the orders to try",
    "doubt": "reasons: names of reply.Doubt, below: lines that may be orders",
    "choice_gone": "number; there is no refusal open that has such a number",
    "sure_resign": "asks to write resign alone, where it was not clear; ok does it too",
    "empty": "nothing was found in the mail that could be meant for us",
    "message_passed": "text: the message that went to the opponent",
    "message_kept_back": "text, why: refused, held, question (to the server), no_game",
    "noted": "text: the private note",
    "remarked": "number: of the archived game; remarks: those kept, known: those that stood there"
    " already, both as they can be written again",
    "remarks_withdrawn": "number: of the archived game; places",
    "remarks_refused": "text: the remarks, faults: what is wrong with them",
    "remarks_unsure": "text: the remarks; without a token it is not sure who wrote",
    "notes_wish": "wish: what holds for the notes of a game, has_joined: whether they have",
    "unknown_command": "text: the line, nearest: names of commands like it",
    "not_allowed": "code and facts of a PlayError, command: the line",
    "faults": "faults: what by field, command: the line",
    "help": "",
    "status": "",
    "board": "",
    "history": "",
    "games": "",
    "settings": "changed: names of settings",
    "leave_offered": "first, last: dates; days_left: by year; effects: by game, its deadline"
    " before and after, instants or None; events: each event with the days by which it ends later,"
    " and who waits; ok takes it",
    "leave_taken": "as leave_offered, without events",
    "leave_ended": "first: date",
    "rules_set": "rules: canonical; for all games",
    "invited": "invitation: its id, address: who was invited",
    "accepted": "game: its id",
    "declined": "invitation: its id",
    "joined": "",
    "address_confirmed": "address",
    "address_added": "address; it has to be confirmed",
    "bundle": "requests: ids of the requests in it, answered with one token",
    "played": "game, entry: in a mail with orders for several games",
    "which_game": "text: the orders or the command, games: ids; it names no game",
    "which_invitation": "invitations: ids of those that are open, command: it names none",
    "no_invitation": "command: there is none that it could be about",
    "write_again": "commands: lines; without a token it is not sure who wrote; ok does them",
    "ok_gone": "there is nothing that ok could be about",
    "mail_stopped": "address: it gets answers only from now on",
    "mail_resumed": "address",
    "not_confirmed": "address: what was written does not say that it is to be confirmed",
    "events": "",
    "event_table": "event: its id",
    "event_why": "event: its id; why the reader meets whom they meet",
    "event_done": "event: its id, what: what was done, from event_sections.DONE",
    "sure_withdraw": "event: its id, games: how many would be lost; ok does it",
    "left_out": "count: how many more commands there were than one mail may hold",
}
"""Every section with its facts."""


@dataclass(frozen=True, slots=True)
class Section:
    """One thing that an answer tells; ``game_id`` only where a mail was about several games."""

    name: str
    facts: Mapping[str, object] = field(default_factory=dict)
    game_id: str | None = None

    def to_plain(self) -> dict[str, object]:
        """As it is stored."""
        return {"name": self.name, "facts": dict(self.facts), "game": self.game_id}

    @classmethod
    def from_plain(cls, plain: Mapping[str, object]) -> Section:
        """From what was stored."""
        facts = plain["facts"]
        game = plain.get("game")
        assert isinstance(facts, Mapping)
        return cls(str(plain["name"]), facts, None if game is None else str(game))
