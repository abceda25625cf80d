"""The parts of an answer that are about the player and not about one board.

Settings, leave, the list of games, invitations, and the reasons why something was not done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from pbem.mail.composing.desk import Desk
from pbem.mail.refusals import say_doubt, say_not_allowed
from pbem.play.model import Preferences
from pbem.play.saying import say_fault
from pbem.play.story import load_story
from pbem.tongue import N_, Tongue

Values = dict[str, object]
Facts = Mapping[str, object]

SETTINGS: Final = {
    "name": N_("name"),
    "language": N_("language"),
    "zone": N_("zone"),
    "board": N_("board"),
    "delivery": N_("delivery"),
    "quiet": N_("quiet"),
    "weekends": N_("weekends"),
    "messages": N_("messages"),
    "address": N_("address"),
}
"""The word for each setting, as it is written behind ``settings``."""

EXPLAINED: Final = {
    "en": N_("English"),
    "nl": N_("Dutch"),
    "image": N_("a picture in the mail"),
    "text": N_("letters in columns"),
    "spoken": N_("told in words"),
    "each": N_("every mail when it is written"),
    "digest": N_("one mail each morning"),
    "none": N_("only answers to your own mails"),
}
NOBODY_RESTS: Final = N_("your clock runs on Saturdays and Sundays")
RESTS: Final = N_("your clock stands still on Saturdays and Sundays")
STOPS_PLANS: Final = N_("a message stops your plan")
KEEPS_PLANS: Final = N_("plans go on when a message comes")

KEPT_BACK: Final = {
    "refused": N_("This was not passed on, because your orders were not played:"),
    "held": N_("This was not passed on, because your orders are kept for correction:"),
    "question": N_("This seems to be meant for us and was not passed on to your opponent:"),
    "no_game": N_("This was passed on to nobody, because it belongs to no game:"),
    "unsure": N_("This was not passed on, because it is not certain that you wrote it:"),
}
"""Why a message stayed here."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: the word for it, its value, and what that means."""

    word: str
    value: str
    meaning: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class GameLine:
    """One of the player's games in a list."""

    id: str
    opponent: str
    house: str
    round: int
    is_asked: bool
    until: str
    left: str


@dataclass(frozen=True, slots=True)
class LeaveEffect:
    """When time is over in a game, without the leave and with it."""

    game: str
    before: str
    after: str


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
            round=story.course.turns // len(story.stored.players) + 1,
            is_asked=asked is not None,
            until="" if until is None else desk.dates.instant(until),
            left="" if until is None else desk.dates.left(until),
        )


# -- settings and leave -------------------------------------------------------------------------


def _settings(desk: Desk, facts: Facts) -> Values:
    changed = set(_texts(facts.get("changed")))
    chosen, tongue = desk.player.preferences, desk.tongue
    addresses = desk.unit.addresses_of(desk.player.id)
    shown = [
        ("name", desk.player.name, ""),
        ("language", chosen.language, _explained(chosen.language, tongue)),
        ("zone", chosen.time_zone, desk.dates.instant(desk.now)),
        ("board", chosen.board, _explained(chosen.board, tongue)),
        ("delivery", chosen.delivery, _explained(chosen.delivery, tongue)),
        ("quiet", *_quiet(chosen, tongue)),
        ("weekends", *_weekends(chosen, tongue)),
        ("messages", *_messages(chosen, tongue)),
        *(("address", each.address, _address_state(each, tongue)) for each in addresses),
    ]
    return {
        "settings": [
            Setting(tongue.say(SETTINGS[key]), value, meaning, key in changed)
            for key, value, meaning in shown
        ]
    }


def _explained(value: str, tongue: Tongue) -> str:
    return tongue.say(EXPLAINED[value]) if value in EXPLAINED else ""


def _quiet(chosen: Preferences, tongue: Tongue) -> tuple[str, str]:
    if chosen.quiet_from is None or chosen.quiet_to is None:
        return "off", tongue.say(N_("your clock runs at night too"))
    hours = f"{chosen.quiet_from:%H:%M}-{chosen.quiet_to:%H:%M}"
    return hours, tongue.say(N_("your clock stands still then"))


def _weekends(chosen: Preferences, tongue: Tongue) -> tuple[str, str]:
    if chosen.rests_on_weekends:
        return "off", tongue.say(RESTS)
    return "on", tongue.say(NOBODY_RESTS)


def _messages(chosen: Preferences, tongue: Tongue) -> tuple[str, str]:
    if chosen.messages_stop_plans:
        return "stop", tongue.say(STOPS_PLANS)
    return "go", tongue.say(KEEPS_PLANS)


def _address_state(address: object, tongue: Tongue) -> str:
    if getattr(address, "verified_at", None) is None:
        return tongue.say(N_("not confirmed yet"))
    if getattr(address, "is_preferred", False):
        return tongue.say(N_("mails go here"))
    if getattr(address, "is_fallback", False):
        return tongue.say(N_("mails go here when the other fails"))
    return tongue.say(N_("you may write from here"))


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


def _texts(plain: object) -> list[str]:
    return [str(each) for each in plain] if isinstance(plain, (list, tuple)) else []


ACCOUNT_SECTIONS: Final[Mapping[str, Callable[[Desk, Facts], Values]]] = {
    "kept": _kept,
    "already_kept": _kept,
    "doubt": _doubt,
    "not_allowed": _not_allowed,
    "faults": _faults,
    "message_kept_back": _message_kept_back,
    "invited": _invited,
    "unknown_command": _unknown_command,
    "games": _games,
    "settings": _settings,
    "leave_offered": _leave,
    "leave_taken": _leave,
    "leave_ended": _leave_ended,
}
