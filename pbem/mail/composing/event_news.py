"""News of events in a digest: what happened in them since the reader's letters told of any.

What is news to somebody, their notices say (``pbem.play.events.notices``); how it is said is the
event's public log's to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from pbem.mail.composing.desk import Desk
from pbem.mail.composing.event_views import sight_of
from pbem.mail.links import event_url
from pbem.play.events import notices
from pbem.play.events.open_event import NoSuchEventError
from pbem.play.events.ports import KeptAct
from pbem.play.events.saying_log import say_act

TOLD_NEWS: Final = "news"
"""In letters: the last act of each event that they told of."""
NEWS_ACTS: Final = frozenset(
    {"changed", "paused", "resumed", "extended", "started", "director_added"}
)
"""What may be news; who is told of it, their notices say."""
LOOKED_BACK: Final = timedelta(days=3)
"""What is older than this has been told, or is no news any more."""
_MOST: Final = 20


@dataclass(frozen=True, slots=True)
class EventNews:
    """What is new in one event; ``last`` is the number of the last act that is told."""

    event_id: str
    title: str
    said: tuple[tuple[str, str], ...]
    """Sentences, each with the reason that was given for it."""
    last: int
    url: str


def find_news(desk: Desk) -> list[EventNews]:
    """What the reader has not been told of events, one entry for each."""
    told = _told(desk)
    mine = {stored.id for stored, _ in desk.unit.events_of(desk.player.id)}
    about = desk.facts.get("event") if desk.notice.kind == notices.NEWS else None
    found: list[EventNews] = []
    for event_id in sorted(mine | ({about} if isinstance(about, str) else set())):
        since = told.get(event_id, 0) + 1
        kept = [each for each in desk.unit.acts_of(event_id, since=since) if _is_news(desk, each)]
        if kept:
            found += _say(desk, event_id, [each for each in kept if _is_for(desk, event_id, each)])
    return found


def _say(desk: Desk, event_id: str, acts: list[KeptAct]) -> Iterator[EventNews]:
    if not acts:
        return
    try:
        sight = sight_of(desk, event_id)
    except NoSuchEventError:
        return
    said = tuple((say_act(each.act, sight.names, desk.tongue), each.act.reason) for each in acts)
    url = event_url(desk.office, event_id)
    yield EventNews(event_id, sight.event.charter.title, said[-_MOST:], acts[-1].act.number, url)


def _is_news(desk: Desk, kept: KeptAct) -> bool:
    since = desk.notice.created_at - LOOKED_BACK
    return kept.act.name in NEWS_ACTS and since <= kept.act.at <= desk.now


def _is_for(desk: Desk, event_id: str, kept: KeptAct) -> bool:
    told = desk.unit.notices_for(notices.cause_of_act(event_id, kept.act.number))
    return any((each.player_id, each.kind) == (desk.player.id, notices.NEWS) for each in told)


def is_news_told(desk: Desk) -> bool:
    """Whether a letter before this one has told what a notice of news is about."""
    event_id, act = desk.facts.get("event"), desk.facts.get("act")
    return isinstance(act, int) and _told(desk).get(str(event_id), 0) >= act


def _told(desk: Desk) -> Mapping[str, int]:
    """The last act of each event that letters have told of."""
    found: dict[str, int] = {}
    for letter in desk.earlier_letters(None):
        told = letter.facts.get(TOLD_NEWS)
        for event_id, number in told.items() if isinstance(told, Mapping) else ():
            found[str(event_id)] = max(found.get(str(event_id), 0), int(number))
    return found
