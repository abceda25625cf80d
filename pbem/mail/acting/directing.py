"""Directing events by mail: ruling on a game by one letter, and stepping in by commands.

Who may is the use cases' to say; that it is the director who writes, the token's (L3). A letter
counts only as an answer to a dossier, and only at the very beginning of a reply.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pbem.mail.acting.errand import Errand
from pbem.mail.acting.events import find_named
from pbem.mail.commands import Command
from pbem.mail.composing.event_views import EVENT, EVENT_MAIL
from pbem.mail.redact import clean_message
from pbem.mail.what import Wanted
from pbem.play.errors import NotAllowedError
from pbem.play.events import directing, notices, running
from pbem.play.events.directing import Ruling
from pbem.play.events.viewing import see_event

RULINGS: Final[Mapping[str, Ruling]] = {"g": "gold", "b": "black", "d": "draw"}
"""By the letter; ``c`` lets the game go on."""

_LETTER: Final = re.compile(r"\W{0,3}([gbdc])(?![\w'’])[ \t]*[.:;,!)–-]*\s*(.*)", re.I | re.DOTALL)
_DAYS: Final = re.compile(r"(\d{1,3})\s*(?:d|days?|dag(?:en)?)?\b[\s:,.]*(.*)", re.I | re.DOTALL)


def rule_by_letter(errand: Errand, wanted: Wanted) -> Wanted:
    """Rule on the game of a dossier as its answer says; what else is wanted."""
    letter = errand.letter
    if letter is None or letter.facts.get(EVENT_MAIL) != notices.DOSSIER or wanted.doubts:
        return wanted
    written = wanted.parts[0].message if wanted.parts else ""
    found = _LETTER.fullmatch(written.strip())
    if found is None:
        return wanted
    event_id = str(letter.facts[EVENT])
    number, index = letter.facts["encounter"], letter.facts["game"]
    assert isinstance(number, int)
    assert isinstance(index, int)
    ruling = RULINGS.get(found[1].lower())
    with errand.attempt(written):
        if ruling is None:
            _check_directs(errand, event_id)
            errand.tell("event_done", event=event_id, what="goes_on")
        else:
            directing.adjudicate(
                errand.around,
                event_id,
                errand.player.id,
                (number, index),
                ruling,
                reason=clean_message(found[2]),
                now=errand.at,
            )
            errand.tell("event_done", event=event_id, what=f"ruled_{ruling}")
    first = replace(wanted.parts[0], message="")
    rest = (*(() if first.is_empty else (first,)), *wanted.parts[1:])
    return replace(wanted, parts=rest, agrees=False)


def _check_directs(errand: Errand, event_id: str) -> None:
    event = see_event(errand.unit, event_id, viewer=errand.player.id)
    if errand.player.id not in event.directors:
        raise NotAllowedError("not_director")


def direct(errand: Errand, command: Command) -> None:
    """Carry out a command of a director."""
    event_id, me, now = command.event_id, errand.player.id, errand.at
    reason = clean_message(command.behind_event)
    with errand.attempt(command.text):
        _check_directs(errand, event_id)
        match command.name:
            case "pause":
                running.pause(errand.around, event_id, me, reason=reason, now=now)
            case "resume":
                running.resume(errand.around, event_id, me, reason=reason, now=now)
            case "extend":
                found = _DAYS.fullmatch(reason)
                assert found is not None, "no other is a command"
                running.extend(errand.around, event_id, me, int(found[1]), reason=found[2], now=now)
            case "warn":
                event = see_event(errand.unit, event_id, viewer=me)
                place, why = find_named(errand, event, reason)
                directing.warn(errand.around, event_id, me, place.number, reason=why, now=now)
        errand.tell("event_done", event=event_id, what=f"{command.name}_done")
