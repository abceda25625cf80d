"""How things stand, for whoever watches: counts and oldest instants, each from an index.

Nothing here grows with the number of games or of mails that are done: queues are counted up to a
limit. Only the running games are all counted, in an index of nothing but their ids, and not every
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import and_, bindparam, case, delete, distinct, func, or_, select

from pbem.play.backlog import MOST_COUNTED, SEEN_SENT, SEEN_WORKER, Backlog, Queue
from pbem.play.post import DEAD, HELD, NEW, NO_ADDRESS, QUARANTINED
from pbem.store.columns import Instant, table_of, written_out
from pbem.store.games import GameRow
from pbem.store.inbound import UNREAD, InboundRow
from pbem.store.notices import NoticeRow
from pbem.store.post_limits import AddressHealthRow
from pbem.store.pulse import LISTENER, NOTE, SERVER, HeartbeatRow
from pbem.store.transaction import Transaction

_INBOUND: Final = table_of(InboundRow)
_NOTICES: Final = table_of(NoticeRow)
_HEALTH: Final = table_of(AddressHealthRow)
_GAMES: Final = table_of(GameRow)
_HEARTBEATS: Final = table_of(HeartbeatRow)

_SOON: Final = timedelta(minutes=1)
"""A mail that no server took is put off for less; it is due all the same."""
_MOST_SEEN: Final = 1000
_MOST_LOOKED_AT: Final = 500
"""Of a longer outbox only the first are looked at, and the rest counted in the index."""


def _counted(*conditions: Any) -> Any:
    few = select(conditions[0].left.table.c[0]).where(*conditions).limit(MOST_COUNTED)
    return select(func.count()).select_from(few.subquery()).scalar_subquery()


_COUNTS: Final = select(
    _counted(_INBOUND.c.state == written_out(NEW)),
    _counted(_NOTICES.c.state == written_out(DEAD)),
    _counted(_INBOUND.c.state == written_out(QUARANTINED)),
    _counted(_INBOUND.c.state == written_out(HELD)),
    _counted(_HEALTH.c.bounced_at.is_not(None)),
)
_RUNNING: Final = select(func.count(_GAMES.c.id)).where(_GAMES.c.ended_at.is_(None))

_WAITING: Final = (
    select(
        _NOTICES.c.created_at,
        _NOTICES.c.next_try,
        _NOTICES.c.since,
        _NOTICES.c.attempts,
        _NOTICES.c.reason,
    )
    .where(_NOTICES.c.state == written_out(NEW), _NOTICES.c.next_try <= bindparam("soon"))
    .order_by(_NOTICES.c.next_try, _NOTICES.c.id)
    .limit(_MOST_LOOKED_AT)
    .subquery()
)
# Nobody has tried it, and yet there is a reason: no server took any mail.
_IS_STUCK: Final = and_(_WAITING.c.attempts == 0, _WAITING.c.reason.is_not(None))
_IS_DUE: Final = or_(_WAITING.c.next_try <= bindparam("now"), _IS_STUCK)
_DUE_SINCE: Final = case(
    (_IS_STUCK, func.coalesce(_WAITING.c.since, _WAITING.c.created_at)),
    else_=_WAITING.c.next_try,
)
_OUTBOX: Final = select(
    func.count(),
    func.min(_DUE_SINCE, type_=Instant()),
    func.min(case((_WAITING.c.attempts == 0, _WAITING.c.created_at)), type_=Instant()),
).where(_IS_DUE)

# The first of those that wait, however long, for they are looked at one by one.
_FIRST: Final = (
    select(_NOTICES.c.player_id, _NOTICES.c.since, _NOTICES.c.attempts, _NOTICES.c.reason)
    .where(_NOTICES.c.state == written_out(NEW))
    .order_by(_NOTICES.c.next_try, _NOTICES.c.id)
    .limit(MOST_COUNTED)
    .subquery()
)
_LAST_SENT: Final = (
    select(_HEARTBEATS.c.at).where(_HEARTBEATS.c.name == written_out(SEEN_SENT)).scalar_subquery()
)
_IS_BEHIND_ALL_SENT: Final = and_(
    or_(_LAST_SENT.is_(None), _FIRST.c.since > _LAST_SENT),
    _FIRST.c.reason.is_distinct_from(bindparam("no_address")),
)
_FAILED: Final = select(
    func.count(),
    func.min(_FIRST.c.since, type_=Instant()),
    func.count(distinct(case((_IS_BEHIND_ALL_SENT, _FIRST.c.player_id)))),
    func.min(case((_IS_BEHIND_ALL_SENT, _FIRST.c.since)), type_=Instant()),
).where(_FIRST.c.attempts > 0)

_LONG_OUTBOX: Final = select(func.count()).select_from(
    select(_NOTICES.c.next_try)
    .where(_NOTICES.c.state == written_out(NEW), _NOTICES.c.next_try <= bindparam("now"))
    .limit(MOST_COUNTED)
    .subquery()
)

_SEEN: Final = select(_HEARTBEATS.c.name, _HEARTBEATS.c.at).limit(_MOST_SEEN)
_FAILED_SINCE: Final = {
    name: select(func.count()).select_from(
        select(_HEALTH.c.address)
        .where(_HEALTH.c[name].is_not(None), _HEALTH.c[name] >= bindparam("begin"))
        .limit(MOST_COUNTED)
        .subquery()
    )
    for name in ("bounced_at", "soft_at")
}
_DROP_ONE: Final = delete(_HEARTBEATS).where(_HEARTBEATS.c.name == bindparam("wanted"))
DROP_SEEN: Final = delete(_HEARTBEATS).where(
    _HEARTBEATS.c.name.startswith(SEEN_WORKER), _HEARTBEATS.c.at < bindparam("before")
)


class BacklogQueries(Transaction):
    """What a unit can tell of how things stand."""

    def find_backlog(self, now: datetime, *, counts_games: bool = True) -> Backlog:
        """How things stand; counting the running games takes longest."""
        [counts], [[unread]], [[due, due_since, written]], [failed], beats = self._fetch(
            (_COUNTS, {}),
            (UNREAD, {}),
            (_OUTBOX, {"now": now, "soon": now + _SOON}),
            (_FAILED, {"no_address": NO_ADDRESS}),
            (_SEEN, {}),
        )
        if due == _MOST_LOOKED_AT:
            due = max(due, self._value(_LONG_OUTBOX, {"now": now}))
        waiting, dead, quarantined, held, suspended = counts
        failing, failing_since, players, all_fail_since = failed
        seen = dict(beats)
        return Backlog(
            at=now,
            read=Queue(waiting, unread),
            send=Queue(due, due_since),
            unanswered=min((at for at in (unread, written) if at is not None), default=None),
            dead=dead,
            quarantined=quarantined,
            held=held,
            suspended=suspended,
            failed=Queue(failing, failing_since),
            all_fail_since=all_fail_since if players > 1 else None,
            running=self._value(_RUNNING) if counts_games else None,
            pulse=seen.pop(SERVER, None),
            listener=seen.pop(LISTENER, None),
            seen=seen,
        )

    def note_seen(self, names: Sequence[str], at: datetime) -> None:
        """Jobs came to their end, by a worker."""
        for name in sorted(names):  # in one order, so that no two wait for each other
            self._write_later(NOTE[self._dialect], {"name": name, "at": at})

    def drop_seen(self, name: str) -> None:
        """A worker has ended, and is not missed."""
        self._write_later(_DROP_ONE, {"wanted": name})

    def failed_since(self, begin: datetime) -> tuple[int, int]:
        """To how many addresses mail has failed since then: for good, and for now."""
        wanted = {"begin": begin}
        [[hard]], [[soft]] = self._fetch(
            (_FAILED_SINCE["bounced_at"], wanted), (_FAILED_SINCE["soft_at"], wanted)
        )
        return int(hard), int(soft)
