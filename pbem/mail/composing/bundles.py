"""Several games in one mail: the daily digest, and the games of the command ``bundle`` (L6).

One token opens the requests of all of them; a reply names each game before its orders. A digest
is the first of a player's mails that is due: it tells of every game what its letters have not told,
and the other mails that were due with it find that there is nothing left to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, time, timedelta
from typing import Final

from pbem.mail.answers import ADDRESS_CONFIRMATION, ANSWER, CONFIRM_MAIL
from pbem.mail.bounces import BOUNCE_NOTICE
from pbem.mail.composing.desk import Desk
from pbem.mail.composing.drafts import Draft
from pbem.mail.composing.event_news import TOLD_NEWS, find_news, is_news_told
from pbem.mail.composing.extras import Extras, find_extras
from pbem.mail.composing.game_views import GameSight, GameView
from pbem.mail.composing.telling import TOLD, told_in_letters
from pbem.mail.who import FOREIGN_SENDER
from pbem.play.access import SIGN_IN
from pbem.play.events import notices as events
from pbem.play.log import instant_text
from pbem.play.model import Notice, Player, split_request_id
from pbem.play.notices import GAME_OVER, MESSAGE, NEWS, RECEIPT, REMINDER, REQUEST
from pbem.play.story import load_story
from pbem.schedule.zones import get_zone

DIGEST: Final = "digest"
NONE: Final = "none"
BUNDLE: Final = "bundle"
"""The template of a digest, and its kind among letters."""

MORNING: Final = time(7)
"""When a digest goes out, on the player's wall."""

DAY: Final = timedelta(days=1)

ANSWERS: Final = frozenset(
    {ANSWER, RECEIPT, ADDRESS_CONFIRMATION, CONFIRM_MAIL, FOREIGN_SENDER, BOUNCE_NOTICE, SIGN_IN}
)
"""Kinds that a player gets whatever they have chosen: answers to what they did themselves."""

AT_ONCE: Final = (
    ANSWERS | {GAME_OVER, REMINDER} | (frozenset(events.KINDS) - {events.NEWS, events.SUBSTITUTED})
)
"""Kinds that no digest holds back: of an event, all but what is only news."""


def is_answer(notice: Notice) -> bool:
    """Whether a mail answers what its reader did; a place that became free is no answer."""
    is_entry = notice.kind in (events.ENTERED, events.WAITING)
    return notice.kind in ANSWERS or (is_entry and not notice.facts.get("moved_up"))


def when_to_send(player: Player, notice: Notice, now: datetime) -> datetime | None:
    """When a mail goes out, as the player has chosen; None if they want none of this kind."""
    delivery = player.preferences.delivery
    if delivery == NONE and not is_answer(notice):
        return None
    if delivery != DIGEST or notice.kind in AT_ONCE:
        return now
    zone = get_zone(player.preferences.time_zone)
    made = notice.created_at.astimezone(zone)
    morning = datetime.combine(made.date(), MORNING, tzinfo=zone)
    if morning <= made:
        morning = datetime.combine(made.date() + DAY, MORNING, tzinfo=zone)
    return max(now, morning.astimezone(now.tzinfo))


def is_digested(player: Player, notice: Notice) -> bool:
    """Whether a mail is gathered with others into one."""
    kind = notice.kind
    is_gathered = kind in (NEWS, MESSAGE, events.NEWS) or kind.endswith(REQUEST)
    return player.preferences.delivery == DIGEST and is_gathered


def draft_digest(desk: Desk) -> Draft | None:
    """All that is new and all that is asked, in all games, and news of events; None if an earlier
    mail has it all."""
    sights = list(_sights(desk))
    extras = find_extras(desk, [(sight.story.stored.id, sight.seat) for sight in sights])
    news = find_news(desk)
    if is_news_told(desk) if desk.notice.kind == events.NEWS else _is_told(desk, extras):
        return None
    written = {message.game_id for message in extras.messages}
    shown = [
        sight
        for sight in sights
        if sight.request is not None or sight.story.events or sight.story.stored.id in written
    ]
    if not shown and not news:
        return None
    shown.sort(key=_urgency)
    names = {sight.story.stored.id: sight for sight in shown}
    return Draft(
        template=BUNDLE,
        content={
            "games": [each.view() for each in shown],
            "messages": [
                (names[each.game_id].name(each.seat), each.text) for each in extras.messages
            ],
            "held": extras.held,
            "news": news,
        },
        about=BUNDLE,
        opens={
            **extras.kept,
            "requests": [each.request_id for each in shown if each.request is not None],
            TOLD: {each.story.stored.id: each.story.entry.number for each in shown},
            TOLD_NEWS: {each.event_id: each.last for each in news},
        },
        thread=desk.thread(None),
    )


def _urgency(sight: GameSight) -> tuple[bool, str, str]:
    """What is asked before what is told, and what is over soonest first."""
    deadline = None if sight.request is None else sight.request.deadline
    until = "~" if deadline is None else instant_text(deadline)
    return sight.request is None, until, sight.story.stored.id


def _is_told(desk: Desk, extras: Extras) -> bool:
    """Whether a digest before this one has told what this mail is about."""
    game_id, entry = desk.notice.game_id, desk.facts.get("entry")
    if game_id is None:
        return True
    if isinstance(entry, int):
        return max(told_in_letters(desk, game_id), default=-1) >= entry
    return not any(message.game_id == game_id for message in extras.messages)


def _sights(desk: Desk) -> Iterator[GameSight]:
    """The player's running games, new from where their letters ended; and the game in which
    somebody has written, which may be over."""
    games = list(desk.unit.games_of(desk.player.id, is_over=False))
    written_in = desk.notice.game_id if desk.notice.kind == MESSAGE else None
    if written_in is not None and written_in not in games:
        games.append(written_in)
    for game_id in games:
        since = max(told_in_letters(desk, game_id), default=-1)
        story = load_story(desk.unit, game_id, since=since)
        seat = story.stored.find_seat(desk.player.id)
        if seat is not None:
            yield GameSight(desk, story, seat)


def bundled_games(desk: Desk, requests: Iterable[str]) -> Sequence[GameView]:
    """The games of some requests that are still open, for one mail."""
    views = []
    for request_id in requests:
        game_id, _, seat = split_request_id(request_id)
        row = desk.unit.find_request(request_id)
        if row is None or row.closed_by is not None:
            continue
        story = load_story(desk.unit, game_id)
        sight = GameSight(desk, story.since(story.entry.number), seat)
        views.append(sight.view(with_news=False))
    return views
