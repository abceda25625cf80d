"""The mails to who takes part in an event: entering, news, rulings, the end (L6).

What happened is said as the event's public log says it (``saying_log``). Rounds are
``event_rounds``' to tell of; what directors are asked and told is ``director_mails``'.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Final

from pbem.mail.composing.desk import Desk
from pbem.mail.composing.director_mails import draft_dossier, draft_weekly
from pbem.mail.composing.drafts import Draft
from pbem.mail.composing.event_news import TOLD_NEWS
from pbem.mail.composing.event_rounds import draft_round
from pbem.mail.composing.event_views import EVENT, EventSight, find_sight
from pbem.mail.links import event_url
from pbem.play.events import notices
from pbem.play.events.saying_charter import say_event, say_limits
from pbem.tongue import N_

EVENT_NOTE: Final = "event_note"
"""The template of all that is said in a title and a few sentences."""

Button = tuple[str, str]
"""What pressing it means, and the reply that it opens."""

TITLES: Final = {
    notices.ENTERED: N_("You are in: {event}"),
    notices.WAITING: N_("You are on the waiting list: {event}"),
    notices.CHECK_IN: N_("Are you there? {event} begins soon"),
    notices.NEWS: N_("News of {event}"),
    notices.PUT_OFF: N_("The start of {event} is put off"),
    notices.WARNING: N_("A director's word to you: {event}"),
    notices.SUBSTITUTE_ASKED: N_("Will you take over a place? {event}"),
    notices.SUBSTITUTED: N_("A place has changed hands: {event}"),
    notices.CHALLENGED: N_("You are challenged: {event}"),
    notices.CHALLENGE_ANSWERED: N_("A challenge is settled: {event}"),
    notices.RULED: N_("A director has ruled: {event}"),
    notices.LEAVE: N_("Leave in {event}"),
}


# -- what is said in a few sentences --------------------------------------------------------------


def _note(desk: Desk) -> Draft | None:
    sight = find_sight(desk)
    if sight is None or not _is_still_true(desk, sight):
        return None
    kind = desk.notice.kind
    return Draft(
        template=EVENT_NOTE,
        content={
            "title": desk.tongue.say(TITLES[kind], event=sight.event.charter.title),
            "said": sight.say_act(),
            "reason": sight.reason(),
            "lines": tuple(_lines(desk, sight)),
            "buttons": tuple(_buttons(desk, sight)),
            "url": sight.url,
        },
        about=EVENT,
        opens=sight.opens(**_more(desk)),
        thread=desk.thread(sight.root),
    )


def _more(desk: Desk) -> dict[str, object]:
    """What else is kept: which challenge a reply answers, what news were told."""
    if desk.notice.kind == notices.NEWS and "act" in desk.facts:
        return {TOLD_NEWS: {str(desk.facts[EVENT]): desk.facts["act"]}}
    return {name: desk.facts[name] for name in ("challenge",) if name in desk.facts}


def _is_still_true(desk: Desk, sight: EventSight) -> bool:
    """Whether what is asked can still be answered; what is only told stays true."""
    event, me = sight.event, desk.player.id
    match desk.notice.kind:
        case notices.CHECK_IN:
            mine = event.find_entrant(me)
            return event.phase == "open" and mine is not None and not mine.is_checked_in
        case notices.SUBSTITUTE_ASKED:
            return any(each.player_id == me for each in event.asked)
        case notices.CHALLENGED:
            challenge = sight.find_challenge()
            return challenge is not None and challenge.answer == "open"
        case notices.WAITING:
            mine = event.find_entrant(me)
            return mine is not None and mine.standing == "waiting"
    return True


def _lines(desk: Desk, sight: EventSight) -> Iterator[str]:
    event, tongue = sight.event, desk.tongue
    match desk.notice.kind:
        case notices.ENTERED:
            yield say_event(event.charter, tongue)
            yield from say_limits(event.charter, tongue)
            if event.charter.starts_at is not None and event.phase == "open":
                when = desk.dates.instant(event.charter.starts_at)
                yield tongue.say("It begins on {time}.", time=when)
        case notices.WAITING:
            waiting = [each.player_id for each in event.entrants if each.standing == "waiting"]
            yield tongue.say(
                "All places are taken. You are number {place} of those who wait, and you are "
                "written to as soon as a place is free.",
                place=waiting.index(desk.player.id) + 1,
            )
        case notices.CHECK_IN:
            yield tongue.say(
                "Reply with `ok`, or press the button. Who does not answer before the start is "
                "left out, so that nobody waits for them."
            )
        case notices.CHALLENGED:
            yield tongue.say(
                "Who wins has the higher place. Answer within a week. If you decline, write below "
                "it why: without a reason it costs your place, and so does silence."
            )
        case notices.LEAVE:
            days = {each: date.fromisoformat(str(desk.facts[each])) for each in ("first", "last")}
            yield tongue.say(
                "{player} takes leave from {first} to {last}.",
                player=sight.names.of(int(str(desk.facts["entrant"]))),
                **{name: desk.dates.day(day) for name, day in days.items()},
            )
        case notices.SUBSTITUTE_ASKED:
            yield tongue.say(
                "You would go on with the running games of that place. What has been played stays "
                "its player's; from then on the points are yours."
            )


def _buttons(desk: Desk, sight: EventSight) -> Iterator[Button]:
    say, event_id = desk.tongue.say, sight.event.id
    match desk.notice.kind:
        case notices.ENTERED | notices.WAITING:
            yield say("Take the entry back"), f"withdraw {event_id}"
        case notices.CHECK_IN:
            yield say("I am there"), f"here {event_id}"
            yield say("Take the entry back"), f"withdraw {event_id}"
        case notices.SUBSTITUTE_ASKED | notices.CHALLENGED:
            yield say("Accept"), "accept"
            yield say("Decline"), "decline"


# -- the end --------------------------------------------------------------------------------------


def _over(desk: Desk) -> Draft | None:
    sight = find_sight(desk)
    if sight is None:
        return None
    event = sight.event
    is_cancelled = event.phase == "cancelled"
    return Draft(
        template=notices.OVER,
        content={
            "event": event.charter.title,
            "is_cancelled": is_cancelled,
            "reason": sight.reason(),
            "table": None if is_cancelled else sight.table(),
            "url": event_url(desk.office, event.id, "table"),
        },
        about=EVENT,
        opens=sight.opens(),
        thread=desk.thread(sight.root),
    )


EVENT_MAILS: Final[Mapping[str, Callable[[Desk], Draft | None]]] = {
    **dict.fromkeys(TITLES, _note),
    notices.PAIRED: draft_round,
    notices.OVER: _over,
    notices.WEEKLY: draft_weekly,
    notices.DOSSIER: draft_dossier,
}
"""What composes each of these kinds; None from it says that there is nothing left to say."""
