"""Several games in one mail: the daily digest, and the games of the command ``bundle`` (L6).

One token opens the requests of all of them; a reply names each game before its orders. A digest
is the first of a player's mails that is due: it tells of every game what its letters have not told,
and the other mails that were due with it find that there is nothing left to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, time, timedelta
from typing import Final

from pbem.mail.answers import ANSWER
from pbem.mail.bounces import BOUNCE_NOTICE
from pbem.mail.composing.desk import Desk
from pbem.mail.composing.drafts import Draft
from pbem.mail.composing.extras import find_extras
from pbem.mail.composing.game_views import GameSight, GameView
from pbem.mail.composing.other_mails import ADDRESS_CONFIRMATION, CONFIRM_MAIL
from pbem.mail.composing.telling import TOLD, told_in_bundles, told_in_letters
from pbem.mail.who import FOREIGN_SENDER
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
    {ANSWER, RECEIPT, ADDRESS_CONFIRMATION, CONFIRM_MAIL, FOREIGN_SENDER, BOUNCE_NOTICE}
)
"""Kinds that a player gets whatever they have chosen: answers to what they did themselves."""

AT_ONCE: Final = ANSWERS | {GAME_OVER, REMINDER}
"""Kinds that no digest holds back."""


def when_to_send(player: Player, notice: Notice, now: datetime) -> datetime | None:
    """When a mail goes out, as the player has chosen; None if they want none of this kind."""
    delivery = player.preferences.delivery
    if delivery == NONE and notice.kind not in ANSWERS:
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
    is_of_game = kind in (NEWS, MESSAGE) or kind.endswith(REQUEST)
    return player.preferences.delivery == DIGEST and is_of_game


def draft_digest(desk: Desk) -> Draft | None:
    """All that is new and all that is asked, in all games; None if an earlier mail has it all."""
    game_id, entry = desk.notice.game_id, desk.facts.get("entry")
    if game_id is None or _is_told(desk, game_id, entry):
        return None
    views: list[GameView] = []
    requests: list[str] = []
    told: dict[str, int] = {}
    messages: list[tuple[str, str]] = []
    for sight in _sights(desk):
        if sight.request is None and not sight.story.events:
            continue
        views.append(sight.view())
        told[sight.story.stored.id] = sight.story.entry.number
        if sight.request is not None and sight.request_id is not None:
            requests.append(sight.request_id)
        extras = find_extras(desk, sight.story.stored.id, sight.seat)
        messages += [(sight.name(each.seat), each.text) for each in extras.messages]
    if not views:
        return None
    extras = find_extras(desk, None, None)
    return Draft(
        template=BUNDLE,
        content={
            "games": sorted(views, key=lambda view: view.ask is None),
            "messages": messages,
            "held": extras.held,
        },
        about=BUNDLE,
        opens={"requests": requests, TOLD: told, **extras.kept},
        thread=desk.thread(None),
    )


def _is_told(desk: Desk, game_id: str, entry: object) -> bool:
    return isinstance(entry, int) and told_in_bundles(desk, game_id, 1 << 30) >= entry


def _sights(desk: Desk) -> Iterator[GameSight]:
    """The player's running games, new from where their letters ended."""
    for game_id in desk.unit.games_of(desk.player.id, is_over=False):
        since = told_in_letters(desk, game_id)
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
        last = load_story(desk.unit, game_id).entry.number
        story = load_story(desk.unit, game_id, upto=last, since=last)
        views.append(GameSight(desk, story, seat).view(with_news=False))
    return views
