"""The parts of an answer that are about the player and not about one board.

Leave, the list of games, invitations, and the reasons why something was not done; settings are
in ``settings_section``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from pbem.mail.composing.desk import Desk
from pbem.mail.composing.remark_sections import show_remark_faults, show_replay, show_wish
from pbem.mail.composing.settings_section import show_settings
from pbem.mail.refusals import say_doubt, say_not_allowed
from pbem.play.saying import say_fault
from pbem.play.story import load_story
from pbem.tongue import N_

Values = dict[str, object]
Facts = Mapping[str, object]

KEPT_BACK: Final = {
    "refused": N_("This was not passed on, because your orders were not played:"),
    "held": N_("This was not passed on, because your orders are kept for correction:"),
    "often": N_("This was not passed on, because you have written enough in this game today:"),
    "question": N_("This seems to be meant for us and was not passed on to your opponent:"),
    "no_game": N_("This was passed on to nobody, because it belongs to no game:"),
    "remarks": N_("This was not passed on, because your remarks were not taken:"),
    "unsure": N_("This was not passed on, because it is not certain that you wrote it:"),
}
"""Why a message stayed here."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """One of the player's games in a list."""

    id: str
    opponent: str
    house: str
    is_asked: bool
    until: str
    left: str


@dataclass(frozen=True, slots=True)
class LeaveEffect:
    """When time is over in a game, without the leave and with it."""

    game: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class EventEffect:
    """By how many days an event ends later, and who waits."""

    event: str
    days: int
    waiting: str


def read_instant(plain: object) -> datetime | None:
    """An instant as facts keep it."""
    try:
        return datetime.fromisoformat(plain) if isinstance(plain, str) else None
    except ValueError:
        return None


def _kept(desk: Desk, facts: Facts) -> Values:
    until = read_instant(facts.get("until"))
    if until is None:
        return {"until": "", "left": ""}
    return {"until": desk.dates.instant(until), "left": desk.dates.left(until)}


def _doubt(desk: Desk, facts: Facts) -> Values:
    reasons = _texts(facts.get("reasons"))
    return {
        "reasons": [say_doubt(reason, desk.tongue) for reason in reasons],
        "below": _texts(facts.get("below")),
    }


def _not_allowed(desk: Desk, facts: Facts) -> Values:
    more = facts.get("facts")
    known = more if isinstance(more, Mapping) else facts
    return {
        "reason": say_not_allowed(str(facts.get("code")), known, desk.tongue),
        "command": str(facts.get("command", "")),
    }


def _faults(desk: Desk, facts: Facts) -> Values:
    found = facts.get("faults")
    by_field = found if isinstance(found, Mapping) else {}
    return {
        "faults": [
            (desk.tongue.say(str(field)), say_fault(str(text), tongue=desk.tongue))
            for field, text in by_field.items()
        ],
        "command": str(facts.get("command", "")),
    }


def _message_kept_back(desk: Desk, facts: Facts) -> Values:
    why = str(facts.get("why"))
    return {"reason": desk.tongue.say(KEPT_BACK.get(why, KEPT_BACK["unsure"]))}


def _invited(desk: Desk, facts: Facts) -> Values:
    """Whom an invitation has gone to: an address that was named, a player, or everybody."""
    invitation = desk.unit.find_invitation(str(facts.get("invitation")))
    guest_id = None if invitation is None else invitation.guest_id
    guest = None if guest_id is None else desk.find_player(guest_id)
    named = facts.get("address")
    return {"guest": str(named) if named else "" if guest is None else guest.name}


_ANSWERS: Final = {
    "accept": N_("accept"),
    "decline": N_("decline"),
    "withdraw": N_("withdraw"),
}
"""The words by which invitations are answered, by the name of the command."""


_DRAW_ANSWERS: Final = {"accept": "draw+", "decline": "draw-"}
"""What somebody may have meant who answers a mail about a game with such a word."""


def _answering(desk: Desk, facts: Facts) -> Values:
    """A command about an invitation which it does not name."""
    command = str(facts.get("command"))
    return {
        "command": desk.tongue.say(_ANSWERS.get(command, _ANSWERS["accept"])),
        "is_own": command == "withdraw",
        "draw": _DRAW_ANSWERS.get(command, "") if desk.notice.game_id else "",
    }


def _unknown_command(desk: Desk, facts: Facts) -> Values:
    return {"nearest": _texts(facts.get("nearest"))}


# -- games --------------------------------------------------------------------------------------


def _games(desk: Desk, facts: Facts) -> Values:
    lines = sorted(_game_lines(desk), key=lambda line: (not line.is_asked, line.id))
    return {"games": lines}


def _game_lines(desk: Desk) -> Iterator[GameLine]:
    unit, me = desk.unit, desk.player.id
    for game_id in unit.games_of(me, is_over=False):
        story = load_story(unit, game_id)
        seat = story.stored.find_seat(me)
        if seat is None:
            continue
        asked = next((row for row in unit.requests_of(game_id) if row.seat == seat), None)
        until = None if asked is None else asked.deadline
        opponent = desk.find_player(story.stored.players[1 - seat])
        yield GameLine(
            id=game_id,
            opponent="?" if opponent is None else opponent.name,
            house=desk.tongue.say(story.play.seats[seat].capitalize()),
            is_asked=asked is not None,
            until="" if until is None else desk.dates.instant(until),
            left="" if until is None else desk.dates.left(until),
        )


# -- leave -------------------------------------------------------------------------


def _leave(desk: Desk, facts: Facts) -> Values:
    first, last = (_day(desk, facts.get(name)) for name in ("first", "last"))
    left = facts.get("days_left")
    effects = facts.get("effects")
    return {
        "first": first,
        "last": last,
        "command": f"leave {facts.get('first')} {facts.get('last')} ok",
        "days_left": sorted(left.items()) if isinstance(left, Mapping) else [],
        "effects": list(_effects(desk, effects)) if isinstance(effects, Mapping) else [],
        "events": list(_in_events(facts.get("events"))),
    }


def _leave_ended(desk: Desk, facts: Facts) -> Values:
    return {"first": _day(desk, facts.get("first"))}


def _day(desk: Desk, plain: object) -> str:
    try:
        return desk.dates.day(date.fromisoformat(str(plain)))
    except ValueError:
        return str(plain)


def _effects(desk: Desk, effects: Mapping[str, object]) -> Iterator[LeaveEffect]:
    """Games in which a leave moves the end of the time."""
    for game_id, effect in effects.items():
        pair = list(effect.values()) if isinstance(effect, Mapping) else effect
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or pair[0] == pair[1]:
            continue
        before, after = (read_instant(each) for each in pair)
        yield LeaveEffect(
            game_id,
            "" if before is None else desk.dates.instant(before),
            "" if after is None else desk.dates.instant(after),
        )


def _in_events(plain: object) -> Iterator[EventEffect]:
    """Events of which a leave moves the end."""
    for each in plain if isinstance(plain, (list, tuple)) else ():
        if isinstance(each, Mapping) and isinstance(each.get("days"), int):
            names = ", ".join(_texts(each.get("waiting")))
            yield EventEffect(str(each.get("event")), each["days"], names)


def _texts(plain: object) -> list[str]:
    return [str(each) for each in plain] if isinstance(plain, (list, tuple)) else []


ACCOUNT_SECTIONS: Final[Mapping[str, Callable[[Desk, Facts], Values]]] = {
    "kept": _kept,
    "already_kept": _kept,
    "doubt": _doubt,
    "not_allowed": _not_allowed,
    "faults": _faults,
    "remarked": show_replay,
    "remarks_withdrawn": show_replay,
    "remarks_refused": show_remark_faults,
    "notes_wish": show_wish,
    "message_kept_back": _message_kept_back,
    "invited": _invited,
    "which_invitation": _answering,
    "no_invitation": _answering,
    "unknown_command": _unknown_command,
    "games": _games,
    "settings": show_settings,
    "leave_offered": _leave,
    "leave_taken": _leave,
    "leave_ended": _leave_ended,
}
