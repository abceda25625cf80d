"""Directing events by mail: ruling on a game by one letter, and stepping in by commands.

Who may is the use cases' to say; that it is the director who writes, the token's (L3). A letter
counts only as an answer to a dossier, and only at the very beginning of a reply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from pbem.mail.acting.errand import Errand
from pbem.mail.acting.naming import find_named, get_player_named
from pbem.mail.commands import Command
from pbem.mail.composing.event_views import EVENT, EVENT_MAIL
from pbem.mail.redact import clean_message
from pbem.mail.what import Wanted
from pbem.play.errors import NotAllowedError
from pbem.play.events import directing, making, notices, running
from pbem.play.events.directing import GameKey, Ruling
from pbem.play.events.substituting import ask_substitute
from pbem.play.events.viewing import see_event

RULINGS: Final[Mapping[str, Ruling]] = {"g": "gold", "b": "black", "d": "draw"}
"""By the letter; ``c`` lets the game go on."""

RESULTS: Final[Mapping[str, Ruling]] = {
    "gold": "gold",
    "goud": "gold",
    "black": "black",
    "zwart": "black",
    "draw": "draw",
    "remise": "draw",
}
"""By the word behind ``correct`` and a game."""

_LETTER: Final = re.compile(r"\W{0,3}([gbdc])(?![\w'’])[ \t]*[.:;,!)–-]*\s*(.*)", re.I | re.DOTALL)
_FIRST_WORD: Final = re.compile(r"(\w+)\b[\s:,.–-]*(.*)", re.DOTALL)
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


# -- commands -------------------------------------------------------------------------------------


def direct(errand: Errand, command: Command) -> None:
    """Carry out a command of a director."""
    with errand.attempt(command.text):
        _check_directs(errand, command.event_id)
        DEEDS[command.name](errand, command.event_id, clean_message(command.behind_event))
        errand.tell("event_done", event=command.event_id, what=f"{command.name}_done")


def _open(errand: Errand, event_id: str, _: str) -> None:
    making.open_entries(errand.around, event_id, errand.player.id, now=errand.at)


def _close(errand: Errand, event_id: str, _: str) -> None:
    making.close_entries(errand.around, event_id, errand.player.id, now=errand.at)


def _begin(errand: Errand, event_id: str, _: str) -> None:
    running.start(errand.around, event_id, errand.player.id, now=errand.at)


def _pause(errand: Errand, event_id: str, reason: str) -> None:
    running.pause(errand.around, event_id, errand.player.id, reason=reason, now=errand.at)


def _resume(errand: Errand, event_id: str, reason: str) -> None:
    running.resume(errand.around, event_id, errand.player.id, reason=reason, now=errand.at)


def _extend(errand: Errand, event_id: str, text: str) -> None:
    found = _DAYS.fullmatch(text)
    assert found is not None, "no other is a command"
    me, days = errand.player.id, int(found[1])
    running.extend(errand.around, event_id, me, days, reason=found[2], now=errand.at)


def _warn(errand: Errand, event_id: str, text: str) -> None:
    place, reason = _named(errand, event_id, text)
    me = errand.player.id
    directing.warn(errand.around, event_id, me, place, reason=reason, now=errand.at)


def _disqualify(errand: Errand, event_id: str, text: str) -> None:
    place, reason = _named(errand, event_id, text)
    me = errand.player.id
    directing.disqualify(errand.around, event_id, me, place, reason=reason, now=errand.at)


def _substitute(errand: Errand, event_id: str, text: str) -> None:
    place, name = _named(errand, event_id, text)
    asked = get_player_named(errand, name)
    ask_substitute(errand.around, event_id, errand.player.id, place, asked, now=errand.at)


def _correct(errand: Errand, event_id: str, text: str) -> None:
    which, rest = _game_named(errand, event_id, text)
    word, reason = _first_word(rest)
    ruling = RESULTS.get(word.lower())
    if ruling is None:
        raise NotAllowedError("which_result")
    me = errand.player.id
    directing.correct(errand.around, event_id, me, which, ruling, reason=reason, now=errand.at)


def _annul(errand: Errand, event_id: str, text: str) -> None:
    which, reason = _game_named(errand, event_id, text)
    me = errand.player.id
    directing.annul(errand.around, event_id, me, which, reason=reason, now=errand.at)


def _named(errand: Errand, event_id: str, text: str) -> tuple[int, str]:
    """The number of the place that a text names, and what stands behind."""
    event = see_event(errand.unit, event_id, viewer=errand.player.id)
    place, behind = find_named(errand, event, text, has_waiting=True)
    return place.number, behind


def _game_named(errand: Errand, event_id: str, text: str) -> tuple[GameKey, str]:
    """The game whose id a text begins with, and what stands behind it."""
    game_id, behind = _first_word(text)
    row = errand.unit.find_event_game(game_id.lower())
    if row is None or row.event_id != event_id:
        raise NotAllowedError("no_such_encounter")
    return (row.encounter, row.game), behind


def _first_word(text: str) -> tuple[str, str]:
    found = _FIRST_WORD.fullmatch(text)
    return ("", text) if found is None else (found[1], found[2].strip())


DEEDS: Final[Mapping[str, Callable[[Errand, str, str], None]]] = {
    "open": _open,
    "close": _close,
    "begin": _begin,
    "pause": _pause,
    "resume": _resume,
    "extend": _extend,
    "warn": _warn,
    "disqualify": _disqualify,
    "substitute": _substitute,
    "correct": _correct,
    "annul": _annul,
}
"""By the name of the command: what is done, with the event and what stands behind its id."""
