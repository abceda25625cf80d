"""Doing what a mail asks for, inside the unit that marks it as handled (L1.2).

Owns the order of doing (invitations and one's own affairs first, then what is played, then what
is only told) and the one answer that follows: the receipt of what was played, or a notice of its
own. The topics are in ``pbem.mail.acting``; what the answer says is ``pbem.mail.answers``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from pbem.mail.acting.affairs import change_affairs
from pbem.mail.acting.annotating import annotate, wish_notes
from pbem.mail.acting.arranging import arrange
from pbem.mail.acting.asking import tell_about, what_if
from pbem.mail.acting.directing import DEEDS, direct, rule_by_letter
from pbem.mail.acting.errand import Errand
from pbem.mail.acting.events import answer_event, asks_in_event, state, take_part
from pbem.mail.acting.joining import is_allowed_unconfirmed, open_letter
from pbem.mail.acting.orders import answer_part
from pbem.mail.answers import ANSWER
from pbem.mail.commands import Command, is_nearly_command, nearest_commands
from pbem.mail.guards import may_answer
from pbem.mail.redact import clean_message
from pbem.mail.what import Part, Wanted, read_lines
from pbem.play import games
from pbem.play.model import Notice
from pbem.play.notices import cause_of

MAX_COMMANDS: Final = 20
"""How many commands one mail may hold; the rest is left out, and the answer says so."""

MAX_TRIES: Final = 5
"""How many times one mail may ask what would happen in a game."""

MAX_SHOWN: Final = 20
"""How many doubtful lines are shown."""

_ARRANGING: Final = frozenset({"invite", "accept", "decline", "withdraw", "rematch"})
_ANSWERS: Final = frozenset({"accept", "decline"})
_TAKING_PART: Final = frozenset({"enter", "here", "challenge"})
_AFFAIRS: Final = frozenset({"leave", "rules", "stop", "start"})
_TOLD: Final = _AFFAIRS | {"notes"}
"""Commands that say themselves what is to be told, also if they change nothing."""


def act(errand: Errand, wanted: Wanted) -> dict[str, object]:
    """Do what a mail asks for; the outcome, as it is stored with the mail."""
    wanted = open_letter(errand, wanted)
    wanted = answer_event(errand, rule_by_letter(errand, wanted))
    wanted = _agreed(errand, wanted)
    commands, parts = _taken(errand, wanted)
    parts = _reasons(errand, commands, parts)
    for command in commands:
        if command.name in _ARRANGING:
            arrange(errand, command)
    for command in commands:
        _carry_out(errand, command)
    if wanted.doubts:
        errand.tell("doubt", reasons=list(wanted.doubts), below=_shown(wanted.below))
        if errand.game_id is not None:
            errand.owe_answer(errand.game_id)
    for part in sorted(parts, key=lambda part: part.game_id or ""):
        _answer(errand, part, commands)
    for command in commands:
        if not command.changes_something and command.name not in _TOLD:
            tell_about(errand, command)
    if not errand.sections and not errand.played and errand.answered is None:
        errand.tell("empty")
    return _conclude(errand)


def _carry_out(errand: Errand, command: Command) -> None:
    """Do what a command says that is about the player, a game or an event."""
    if command.name in _AFFAIRS or (command.name == "settings" and command.argument):
        change_affairs(errand, command)
    elif command.name == "undo":
        _undo(errand, command)
    elif command.name == "notes":
        wish_notes(errand, command)
    elif command.name in _TAKING_PART:
        take_part(errand, command)
    elif command.name in DEEDS:
        direct(errand, command)


def _reasons(errand: Errand, commands: Sequence[Command], parts: Sequence[Part]) -> Sequence[Part]:
    """Words beside the answer to a question of an event are a reason, and no message."""
    if not asks_in_event(errand) or not any(each.name in _ANSWERS for each in commands):
        return parts
    errand.words = clean_message("\n".join(part.message for part in parts if part.message))
    return [replace(part, message="") for part in parts]


def _shown(lines: Sequence[str]) -> list[str]:
    return [clean_message(line)[:200] for line in lines[:MAX_SHOWN]]


def _agreed(errand: Errand, wanted: Wanted) -> Wanted:
    """``ok`` does what the answer to an earlier mail asked about, once."""
    number = None if errand.letter is None else errand.letter.facts.get("inbound")
    if not wanted.agrees or not isinstance(number, int):
        return wanted
    asked = errand.unit.find_inbound(number)
    lines = None if asked is None else asked.outcome.get("on_ok")
    if asked is None or asked.player_id != errand.player.id or not isinstance(lines, list):
        return wanted
    errand.keep_rest(wanted)
    if not errand.unit.use_nonce(f"ok/{asked.id}", errand.now):
        errand.tell("ok_gone")
        return Wanted(())
    return read_lines([str(line) for line in lines], games=errand.unit.games_of(errand.player.id))


def _taken(errand: Errand, wanted: Wanted) -> tuple[list[Command], Sequence[Part]]:
    """The commands and parts that may be carried out, given how sure it is who wrote."""
    commands = list(wanted.commands)
    if len(commands) > MAX_COMMANDS:
        errand.tell("left_out", count=len(commands) - MAX_COMMANDS)
        del commands[MAX_COMMANDS:]
    if not errand.is_sure:
        later = [command for command in commands if command.changes_something]
        if later:
            errand.on_ok += [command.text for command in later]
            errand.tell("write_again", commands=[command.text for command in later])
        return [command for command in commands if command not in later], wanted.parts
    if errand.address.verified_at is None:
        barred = [command for command in commands if not is_allowed_unconfirmed(command)]
        for command in barred:
            facts: dict[str, object] = {}
            errand.tell(
                "not_allowed", code="address_not_verified", facts=facts, command=command.text
            )
        return [command for command in commands if command not in barred], ()
    return commands, wanted.parts


def _answer(errand: Errand, part: Part, commands: Sequence[Command]) -> None:
    """One part: what is played and said, then what is tried."""
    part = state(errand, annotate(errand, part))
    is_talk = bool(part.message) and not (part.orders or part.choice is not None)
    is_question = bool(part.tries) or (
        bool(part.commands) and not any(command.changes_something for command in part.commands)
    )
    if is_talk and is_question:
        errand.tell("message_kept_back", text=clean_message(part.message), why="question")
        part = replace(part, message="")
    elif is_talk and _is_no_message(errand, part):
        line = part.message.strip().split("\n")[0]
        errand.tell("unknown_command", text=clean_message(line), nearest=nearest_commands(line))
        part = replace(part, message="")
    answer_part(errand, part)
    for tried in part.tries[:MAX_TRIES]:
        what_if(errand, tried, part.game_id)
    if len(part.tries) > MAX_TRIES:
        errand.tell("left_out", count=len(part.tries) - MAX_TRIES)


def _is_no_message(errand: Errand, part: Part) -> bool:
    """Whether words were hardly meant for an opponent: one line that is nearly a command, or any
    where there is no opponent."""
    if part.commands or part.notes or part.may_resign:
        return False
    if errand.find_game(part.game_id) is None or not errand.is_sure:
        return True
    return "\n" not in part.message.strip() and is_nearly_command(part.message)


def _undo(errand: Errand, command: Command) -> None:
    game_id = errand.find_game(command.game_id)
    seat = None if game_id is None else errand.find_seat(game_id)
    if game_id is None or seat is None:
        errand.tell("which_game", text=command.text, games=list(errand.running_games()))
        return
    held = games.undo(errand.around, game_id, seat, now=errand.at)
    if held is None:
        errand.tell("nothing_to_undo", game_id)
    else:
        errand.tell("undone", game_id, text=held.text)


# -- the one answer -----------------------------------------------------------------------------


def _conclude(errand: Errand) -> dict[str, object]:
    """Write down the answer: the receipt if there is one and nothing else needs an answer."""
    answer = None
    if len(errand.played) == 1 and not (errand.refusals or errand.on_ok or errand.bundled):
        answer = _find_receipt(errand, *errand.played[0])
    if not errand.sections and not errand.played:
        answer = errand.answered
    if answer is None:
        for game_id, entry in errand.played:
            errand.tell("played", game_id, game=game_id, entry=entry)
        answer = _add_answer(errand)
    outcome: dict[str, object] = {"sections": [section.to_plain() for section in errand.sections]}
    if answer is not None:
        outcome["answer"] = [answer.cause, answer.player_id, answer.kind]
    if errand.refusals:
        outcome["refusals"] = errand.refusals
    if errand.on_ok:
        outcome["on_ok"] = errand.on_ok
    return outcome


def _find_receipt(errand: Errand, game_id: str, entry: int) -> Notice | None:
    cause = cause_of(game_id, entry)
    told = [each for each in errand.told if each.cause == cause] or errand.unit.notices_for(cause)
    return next((each for each in told if each.player_id == errand.player.id), None)


def _add_answer(errand: Errand) -> Notice | None:
    """An answer of its own; none to an address that nobody has confirmed and that writes and
    writes: it may be a machine's (L5)."""
    address = errand.address
    if address.verified_at is None and not may_answer(
        errand.unit, errand.office, address.address, errand.key, errand.now
    ):
        return None
    facts: dict[str, object] = {
        "inbound": errand.inbound.id,
        "sections": [section.to_plain() for section in errand.sections],
    }
    stored = None if errand.game_id is None else errand.unit.find_game(errand.game_id)
    seat = None if stored is None else stored.find_seat(errand.player.id)
    if stored is not None and seat is not None:
        facts |= {"seat": seat, "entry": stored.entries - 1}
    requests = list(dict.fromkeys((*errand.requests, *_still_open(errand))))
    if requests:
        facts["requests"] = requests
    if errand.address.verified_at is None:
        facts["address"] = errand.address.address
    game_id = None if seat is None else errand.game_id
    notice = Notice(errand.key, errand.player.id, ANSWER, errand.now, game_id, facts)
    errand.unit.add_notice(notice)
    return notice


def _still_open(errand: Errand) -> Iterator[str]:
    """What is open in the games that the mail was about, beside the one it answered."""
    asked = {request.partition(".")[0] for request in errand.bundled}
    asked |= {game_id for game_id, _ in errand.played} | set(errand.refusals)
    for game_id in sorted(asked - {errand.game_id or ""}):
        request = errand.open_request(game_id)
        if request is not None:
            yield request.id
