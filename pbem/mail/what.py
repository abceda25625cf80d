"""What did they want? From a mail to the orders, commands, message and notes in it (L4).

Owns what a reply means as a whole: which game each part is for, that a mail with ``try`` plays
nothing, that a command may stand in the subject. Finding the reply in the mail is ``reply``, what
a line is ``classify``, a command ``commands``; doing it is ``act``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from notation.reading import find_choice
from pbem.mail.classify import (
    Classified,
    Kind,
    classify,
    is_lone_sign,
    is_order_like,
    is_sign_and_words,
)
from pbem.mail.commands import (
    Command,
    asks_about_resigning,
    command_finder,
    find_command,
    is_ok,
    speaks_of_resigning,
)
from pbem.mail.known_lines import NOTHING_KNOWN, KnownLines
from pbem.mail.parts import Message
from pbem.mail.quotes import Doubt
from pbem.mail.remark_lines import Cut, begins_remark, cut_remarks
from pbem.mail.reply import Reply, read_reply

_HEADING: Final = re.compile(
    r"[\[*_#\s]*(?:(?:game|partij|spel)\s*(?::\s*)?)?([a-z2-7]{8})[\]*_]*\s*(:|$|\s)\s*(.*)",
    re.IGNORECASE | re.DOTALL,
)
_IN_SUBJECT: Final = frozenset(
    {"help", "status", "board", "history", "games", "settings", "bundle", "stop", "start"}
)
"""Commands that may stand in the subject of a mail without text: none plays anything."""


@dataclass(frozen=True, slots=True)
class Part:
    """What is meant for one game; ``game_id`` None is the game that the mail answered is about."""

    game_id: str | None = None
    orders: str = ""
    """Orders and attempts at them, for the game to read or to refuse as a whole (N1.7)."""
    tries: tuple[Command, ...] = ()
    """What is only to be tried; the argument is the orders."""
    choice: int | None = None
    commands: tuple[Command, ...] = ()
    message: str = ""
    notes: tuple[str, ...] = ()
    remarks: str = ""
    """Remarks on the game, which is over."""
    withdrawals: tuple[tuple[str, int | None], ...] = ()
    """Where remarks are withdrawn: turns, each with the number of an order or None."""
    may_resign: bool = False
    """Whether it speaks of resigning without saying so."""
    stray_sign: str = ""
    """A bare sign that is no answer, because it does not stand on top (N1.5)."""
    sign_and_words: str = ""
    """The line on top, if its sign and the few words behind it may be an answer: ``+ please``."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it."""
        return self == Part(self.game_id)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a mail asks for. With any ``doubts`` only commands that change nothing are in it."""

    parts: tuple[Part, ...]
    doubts: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    """Lines that may be orders, where the doubt is about them."""
    agrees: bool = False
    """Whether it begins with ``ok``, and only words follow."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """All commands, wherever they stand."""
        return tuple(command for part in self.parts for command in part.commands)

    @property
    def only_plays(self) -> bool:
        """Whether it is orders for the game that the mail answered is about, and nothing else."""
        if len(self.parts) != 1:
            return False
        orders = self.parts[0].orders
        return bool(orders) and self.parts[0] == Part(orders=orders)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found."""
        return not self.parts and not self.doubts


def find_wanted(
    message: Message,
    *,
    sent: KnownLines = NOTHING_KNOWN,
    games: Collection[str] = (),
    over: Collection[str | None] = (),
    has_headings: bool = False,
) -> Wanted:
    """What a mail asks for. Never raises.

    ``games`` are the ids of its writer's games, ``over`` those that can be annotated (None: the
    one that the mail answered is about); ``has_headings`` if the mail answered asked for answers
    to several (L6).
    """
    is_command = command_finder(games)

    def may_be_meant(line: str) -> bool:
        if is_command(line) or _find_heading(line, games) is not None:
            return True
        # The remark that a mail gives as an example may be answered with, as orders may.
        return None in over and begins_remark(line)

    reply = read_reply(
        message,
        sent=sent,
        is_command=may_be_meant,
        has_headings=has_headings,
    )
    if not reply.is_certain:
        return _doubtful(reply, tuple(reply.doubts), games)
    texts = reply.sure_texts
    written = [text for text in texts if text.strip()]
    if not written:
        command = _find_in_subject(message)
        return Wanted(() if command is None else (Part(commands=(command,)),))
    if _names_a_game_twice(texts, games):
        return _doubtful(reply, (Doubt.TWO_SETS,), games)
    return read_lines(texts, games=games, over=over)


def read_lines(
    lines: Sequence[str],
    *,
    games: Collection[str] = (),
    over: Collection[str | None] = (),
) -> Wanted:
    """What lines ask for that were surely written by the player."""
    parts = [
        _read_part(game_id, cut_remarks(found) if game_id in over else Cut(rest=found), games)
        for game_id, found in _sections(lines, games)
    ]
    if any(part.tries for part in parts):
        parts = [_only_tried(part) for part in parts]
    kept = tuple(part for part in parts if not part.is_empty)
    written = next((line for line in lines if line.strip()), "")
    is_talk = len(kept) == 1 and kept[0] == Part(message=kept[0].message)
    return Wanted(kept, agrees=is_talk and is_ok(written))


def _names_a_game_twice(lines: Sequence[str], games: Collection[str]) -> bool:
    named = [game_id for game_id, _ in _sections(lines, games)]
    return len(set(named)) < len(named)


def _doubtful(reply: Reply, doubts: Sequence[Doubt], games: Collection[str]) -> Wanted:
    """Nothing is done, but a question to the server that stands surely on top is answered."""
    commands = []
    for line in reply.lines:
        command = find_command(line.text, games=games) if line.doubt is None else None
        if command is None or command.changes_something or command.name == "try":
            break
        commands.append(command)
    below = reply.below or tuple(line.text for line in reply.lines if is_order_like(line.text))
    return Wanted(
        (Part(commands=tuple(commands)),) if commands else (),
        tuple(doubt.value for doubt in doubts),
        below,
    )


def _find_in_subject(message: Message) -> Command | None:
    for subject in message.values("subject")[:1]:
        command = find_command(subject)
        if command is not None and command.name in _IN_SUBJECT and not command.argument:
            return command
    return None


# -- headings: one mail about several games -----------------------------------------------------


def _find_heading(line: str, games: Collection[str]) -> tuple[str, str] | None:
    """The game that a line begins to speak of, and what it says of it in the same line."""
    found = _HEADING.fullmatch(line.strip())
    if found is None or found[1].lower() not in games:
        return None
    rest = found[3].strip()
    is_answer = is_order_like(rest) or is_lone_sign(rest) or find_choice(rest) is not None
    return (found[1].lower(), rest) if found[2] == ":" or not rest or is_answer else None


def _sections(
    lines: Sequence[str], games: Collection[str]
) -> list[tuple[str | None, tuple[str, ...]]]:
    """The lines by game; those above the first heading are for the game of the mail."""
    sections: list[tuple[str | None, list[str]]] = [(None, [])]
    for line in lines:
        heading = _find_heading(line, games)
        if heading is None:
            sections[-1][1].append(line)
        else:
            sections.append((heading[0], [heading[1]]))
    return [(game_id, tuple(found)) for game_id, found in sections if any(map(str.strip, found))]


# -- one part -----------------------------------------------------------------------------------


def _read_part(game_id: str | None, cut: Cut, games: Collection[str]) -> Part:
    lines = cut.rest
    asks_resign = any(map(asks_about_resigning, lines))
    kept = [line for line in lines if not asks_about_resigning(line)]
    sorted_lines = classify(kept, is_command=command_finder(games))
    commands = tuple(
        replace(command, game_id=command.game_id or game_id)
        for item in sorted_lines.of(Kind.COMMAND)
        if (command := find_command(item.text, games=games)) is not None
    )
    is_try = any(command.name == "try" for command in commands)
    orders, tries = sorted_lines.orders_text, tuple(_tries(sorted_lines, games)) if is_try else ()
    message = sorted_lines.message
    is_only_talk = not orders and not commands and sorted_lines.choice is None
    talk = [line.strip() for line in kept if line.strip()] if is_only_talk else []
    return Part(
        game_id,
        orders="" if tries else orders,
        tries=tries,
        choice=sorted_lines.choice,
        commands=tuple(command for command in commands if command.name != "try"),
        message=message,
        notes=sorted_lines.notes,
        remarks=cut.remarks,
        withdrawals=cut.withdrawals,
        may_resign=asks_resign or (is_only_talk and speaks_of_resigning(message)),
        stray_sign=next(filter(is_lone_sign, talk), ""),
        sign_and_words=next(filter(is_sign_and_words, talk[:1]), ""),
    )


def _tries(sorted_lines: Classified, games: Collection[str]) -> Iterator[Command]:
    """What is to be tried, where there is a ``try``: orders behind it belong to it, on its line and
    below."""
    found = [Command("try", "")]
    for item in sorted_lines.items:
        command = find_command(item.text, games=games) if item.kind is Kind.COMMAND else None
        if command is not None and command.name == "try":
            found.append(command)
        elif item.kind in (Kind.ORDERS, Kind.ATTEMPT):
            orders = "\n".join(filter(None, (found[-1].argument, item.text)))
            found[-1] = replace(found[-1], argument=orders)
    yield from found[0 if found[0].argument else 1 :]


def _only_tried(part: Part) -> Part:
    """In a mail with ``try`` nothing is played, wherever it stands."""
    tries = part.tries or ((Command("try", "", part.orders),) if part.orders else ())
    return replace(part, orders="", choice=None, tries=tries)
