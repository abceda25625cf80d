"""Taking part in events by mail: entering, being there, leaving, challenges, statements.

A place or a challenge is answered by a reply to the mail that asks (``accept``, ``decline`` or
``ok``). What is said to directors about a game goes to nobody else, and so do the words below it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pbem.mail.acting.errand import Errand
from pbem.mail.acting.naming import find_named
from pbem.mail.commands import Command
from pbem.mail.composing.event_views import EVENT, EVENT_MAIL
from pbem.mail.redact import clean_message
from pbem.mail.what import Part, Wanted
from pbem.play.errors import NotAllowedError
from pbem.play.events import challenging, entering, notices, statements
from pbem.play.events.substituting import decline_place, take_place
from pbem.play.events.viewing import see_event
from pbem.tournaments.act_entries import find_active

_ASKING: Final = (notices.SUBSTITUTE_ASKED, notices.CHALLENGED)


def take_part(errand: Errand, command: Command) -> None:
    """Carry out a command of somebody who plays in an event, or would like to."""
    with errand.attempt(command.text):
        event_id = command.event_id
        match command.name:
            case "enter":
                _enter(errand, event_id, command.behind_event)
            case "here":
                entering.check_in(errand.around, event_id, errand.player.id, now=errand.at)
                _done(errand, event_id, "checked_in")
            case "challenge":
                event = see_event(errand.unit, event_id, viewer=errand.player.id)
                rival, rest = find_named(errand, event, command.behind_event)
                if rest:
                    raise NotAllowedError("no_such_name", name=command.behind_event)
                challenging.challenge(
                    errand.around, event_id, errand.player.id, rival.number, now=errand.at
                )
                _done(errand, event_id, "challenged")


def _done(errand: Errand, event_id: str, what: str) -> None:
    errand.tell("event_done", event=event_id, what=what)


# -- entering and leaving -------------------------------------------------------------------------


def _enter(errand: Errand, event_id: str, team: str) -> None:
    """The mail that tells of the entry is the answer."""
    see_event(errand.unit, event_id, viewer=errand.player.id)
    entering.enter(errand.around, event_id, errand.player.id, now=errand.at, team=team)
    event = see_event(errand.unit, event_id, viewer=errand.player.id)
    told = errand.unit.notices_for(notices.cause_of_act(event_id, event.acts))
    errand.answered = next((each for each in told if each.player_id == errand.player.id), None)


def names_event(errand: Errand, command: Command) -> bool:
    """Whether a ``withdraw`` is about an event: the one named, or that of the mail answered."""
    if command.argument:
        return errand.unit.find_event(command.event_id) is not None
    return _event_of(errand) is not None


def withdraw(errand: Errand, command: Command) -> None:
    """Leave an event; where games would be lost, only if it is said twice."""
    event_id = command.event_id or _event_of(errand) or ""
    event = see_event(errand.unit, event_id, viewer=errand.player.id)
    mine = find_active(event, errand.player.id)
    if mine is None:
        raise NotAllowedError("not_in_event")
    running = [
        game
        for encounter in event.of_entrant(mine.number)
        for game in encounter.games
        if game.result is None
    ]
    if event.phase in ("running", "paused") and not command.is_confirmed:
        errand.tell("sure_withdraw", event=event_id, games=len(running))
        errand.on_ok.append(f"withdraw {event_id} ok")
        return
    entering.leave(errand.around, event_id, errand.player.id, now=errand.at)
    _done(errand, event_id, "withdrew")


# -- answers to mails that ask --------------------------------------------------------------------


def _event_of(errand: Errand) -> str | None:
    found = None if errand.letter is None else errand.letter.facts.get(EVENT)
    return found if isinstance(found, str) else None


def _asks(errand: Errand) -> str:
    """What kind of mail about an event is answered."""
    return "" if errand.letter is None else str(errand.letter.facts.get(EVENT_MAIL, ""))


def asks_in_event(errand: Errand) -> bool:
    """Whether the mail answered asks something that is accepted or declined."""
    return _asks(errand) in _ASKING


def answer_event(errand: Errand, wanted: Wanted) -> Wanted:
    """``ok`` says that one is there, or accepts what the mail answered asked; what is left."""
    if not wanted.agrees or (_asks(errand) not in (*_ASKING, notices.CHECK_IN)):
        return wanted
    errand.keep_rest(wanted)
    event_id = _event_of(errand) or ""
    with errand.attempt("ok"):
        if asks_in_event(errand):
            answer_asked(errand, accepts=True)
        else:
            entering.check_in(errand.around, event_id, errand.player.id, now=errand.at)
            _done(errand, event_id, "checked_in")
    return Wanted(())


def answer_asked(errand: Errand, *, accepts: bool) -> None:
    """Take over a place or not, play a challenge or not."""
    around, me, now = errand.around, errand.player.id, errand.at
    event_id = _event_of(errand) or ""
    if _asks(errand) == notices.SUBSTITUTE_ASKED:
        answer = take_place if accepts else decline_place
        answer(around, event_id, me, now=now)
        _done(errand, event_id, "place_taken" if accepts else "place_declined")
        return
    number = None if errand.letter is None else errand.letter.facts.get("challenge")
    assert isinstance(number, int)
    if accepts:
        challenging.accept(around, event_id, me, number, now=now)
        _done(errand, event_id, "challenge_accepted")
        return
    challenging.decline(around, event_id, me, number, reason=errand.words, now=now)
    _done(errand, event_id, "challenge_declined")


# -- what is said to directors --------------------------------------------------------------------


def state(errand: Errand, part: Part) -> Part:
    """Take statements about games to the directors, with the words below them; what is left."""
    said = [command for command in part.commands if command.name == "statement"]
    if not said:
        return part
    for number, command in enumerate(said):
        words = [command.argument, part.message if number == len(said) - 1 else ""]
        if errand.is_sure:
            with errand.attempt(command.text):
                _state(errand, command, clean_message("\n".join(filter(None, words))))
    return replace(part, message="")


def _state(errand: Errand, command: Command, text: str) -> None:
    row = errand.unit.find_event_game(command.game_id or "")
    if row is None:
        raise NotAllowedError("no_event_game")
    which = (row.encounter, row.game)
    statements.state(errand.around, row.event_id, errand.player.id, which, text, now=errand.at)
    _done(errand, row.event_id, "stated")
