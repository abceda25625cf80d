"""The mails about one game: requests, receipts, news, reminders, messages, and its end (L6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pbem.games.base import Forecast
from pbem.mail.answers import Section
from pbem.mail.composing.desk import Desk
from pbem.mail.composing.drafts import Draft
from pbem.mail.composing.extras import Extras, find_extras
from pbem.mail.composing.game_views import WAITS_FOR, GameSight
from pbem.mail.composing.model import Attachment
from pbem.mail.composing.remark_sections import example_remark, tell_wish
from pbem.mail.composing.sections import describe_sections
from pbem.mail.composing.telling import ENTRY, TOLD, last_told
from pbem.play.archive import record_of
from pbem.play.model import Message
from pbem.play.notices import (
    GAME_OVER,
    HELD_DROPPED,
    MESSAGE,
    NEWS,
    RECEIPT,
    REMINDER,
    REQUEST,
    cause_of,
)
from pbem.play.post import Inbound
from pbem.play.story import Story, load_story

SAYS_NOTHING_NEW: Final = frozenset({REMINDER, MESSAGE, HELD_DROPPED})
"""Kinds that leave the telling of what happened to other mails."""


@dataclass(frozen=True, slots=True)
class Stop:
    """An outcome in which a plan ends early."""

    steps: tuple[str, ...]
    reason: str


def root_of(game_id: str) -> str:
    """What all mails of a game hang on, as one thread."""
    return f"game.{game_id}"


def is_about_a_game(kind: str) -> bool:
    """Whether a kind of notice is composed here."""
    known = (RECEIPT, NEWS, GAME_OVER, REMINDER, MESSAGE, HELD_DROPPED)
    return kind in known or kind.endswith(REQUEST)


def draft_game_mail(desk: Desk) -> Draft | None:
    """The mail of a notice about a game; None if there is nothing left to say."""
    notice, facts = desk.notice, desk.facts
    kind, game_id, seat = notice.kind, notice.game_id, facts["seat"]
    assert game_id is not None
    assert isinstance(seat, int)
    upto = facts.get("entry")
    message = _find_message(desk, game_id, seat) if kind == MESSAGE else None
    if message is not None:
        upto = message.entry
    story = _load(desk, game_id, upto if isinstance(upto, int) else None, kind)
    sight = GameSight(desk, story, seat)
    is_request = kind.endswith(REQUEST) or kind == REMINDER
    if is_request and (sight.is_moot or sight.request_id != facts.get("request")):
        return None
    extras = find_extras(desk, [(game_id, seat)])
    if kind == MESSAGE and (not extras.messages or _comes_along(desk, game_id, message)):
        return None  # another mail brings it along
    answered = _find_answered(desk, story) if kind in (RECEIPT, GAME_OVER) else None
    if kind == RECEIPT and _is_told_elsewhere(story, answered):
        return None
    content = {
        **_common(desk, sight, extras),
        **_of_kind(desk, sight, kind),
        **_answering(desk, sight, answered),
    }
    return Draft(
        template=_template(kind),
        content=content,
        about=game_id,
        game_id=game_id,
        seat=seat,
        request_id=sight.request_id,
        opens={
            **extras.kept,
            ENTRY: story.entry.number,
            **({} if kind in SAYS_NOTHING_NEW else {TOLD: {game_id: story.entry.number}}),
        },
        thread=desk.thread(root_of(game_id), answered),
        attachments=_attachments(desk, story) if kind == GAME_OVER else (),
    )


def _template(kind: str) -> str:
    """The folder of a kind; a request of a kind that no template knows is asked like a turn."""
    known = kind.removesuffix(REQUEST) in WAITS_FOR
    return kind if known or not kind.endswith(REQUEST) else f"turn{REQUEST}"


def _load(desk: Desk, game_id: str, upto: int | None, kind: str) -> Story:
    """What the player has not been told yet, up to the entry of the mail."""
    story = load_story(desk.unit, game_id, upto=upto)
    last = story.entry.number
    return story.since(last if kind in SAYS_NOTHING_NEW else last_told(desk, game_id, last))


def _find_message(desk: Desk, game_id: str, seat: int) -> Message | None:
    sent = desk.notice.created_at
    messages = desk.unit.messages_of(game_id)
    return next((each for each in messages if each.at == sent and each.seat != seat), None)


def _comes_along(desk: Desk, game_id: str, message: Message | None) -> bool:
    """Whether the same mail had orders too: then what they led to brings the message along."""
    if message is None:
        return False
    return any(
        notice.player_id == desk.player.id
        for entry in desk.unit.entries(game_id, since=message.entry + 1)
        if entry.seat == message.seat and entry.arrived == message.at
        for notice in desk.unit.notices_for(cause_of(game_id, entry.number))
    )


def _find_answered(desk: Desk, story: Story) -> Inbound | None:
    """The mail that became the last entry, if it is the player's own."""
    is_own = story.entry.seat == desk.facts["seat"]
    return desk.find_mail(story.entry.key) if is_own else None


def _is_told_elsewhere(story: Story, answered: Inbound | None) -> bool:
    """Whether the mail got another answer that tells of this entry, and more: one for each mail
    (L5). One that said only that the orders are held tells nothing of it."""
    sections = () if answered is None else answered.outcome.get("sections", ())
    assert isinstance(sections, (list, tuple))
    here = {"game": story.stored.id, "entry": story.entry.number}
    return any(each["name"] == "played" and each["facts"] == here for each in sections)


def _common(desk: Desk, sight: GameSight, extras: Extras) -> dict[str, object]:
    return {
        "game": sight.view(),
        "messages": [(sight.name(each.seat), each.text) for each in extras.messages],
        "held": extras.held,
        "next": sight.waits_for(others=True),
    }


def _of_kind(desk: Desk, sight: GameSight, kind: str) -> dict[str, object]:
    story, seat = sight.story, sight.seat
    match kind:
        case "receipt":
            return {
                "played": story.entry.text if story.entry.seat == seat else "",
                "stops": tuple(_stop(desk, story, each) for each in story.chapters[-1].forecasts),
            }
        case "game_over":
            return {
                "outcome": sight.outcome,
                "trips": story.course.trips,
                "file": f"{story.stored.id}.ogn",
                "example": example_remark(story, desk.tongue),
                "notes": tell_wish(desk, story.stored, seat),
            }
        case "reminder":
            percent = desk.facts["percent"]
            usual = story.course.clock.rules.reminders
            return {"is_last": bool(usual) and percent == usual[-1]}
        case "held_dropped":
            return {"text": str(desk.facts["text"])}
    return {}


def _stop(desk: Desk, story: Story, forecast: Forecast) -> Stop:
    fault = forecast.fault
    reason = "" if fault is None else story.play.explain(fault, tongue=desk.tongue)
    return Stop(forecast.steps, reason)


def _answering(desk: Desk, sight: GameSight, answered: Inbound | None) -> dict[str, object]:
    """The sections of the answer to the mail that was played."""
    if answered is None:
        return {"sections": ()}
    plain = answered.outcome.get("sections", ())
    assert isinstance(plain, (list, tuple))
    sections = [Section.from_plain(each) for each in plain]
    return {"sections": describe_sections(desk, sight, sections)}


def _attachments(desk: Desk, story: Story) -> tuple[Attachment, ...]:
    record = record_of(desk.unit, story.stored, {"Site": desk.office.site_url})
    return (Attachment(f"{story.stored.id}.ogn", record),)
