"""The outbox: mails to be written, one for each cause, player and kind (L1.3).

Rows are written in the transaction of what they tell about. Senders claim them with a lease; what
is sent, given up or moot stays, so that the same mail can be asked for again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    CheckConstraint,
    Index,
    UniqueConstraint,
    bindparam,
    exists,
    func,
    or_,
    select,
    text,
    update,
)
from sqlmodel import Field

from pbem.play.model import Notice
from pbem.play.post import DEAD, MOOT, NEW, SENT, Outgoing
from pbem.store.columns import (
    NUMBER,
    Instant,
    Json,
    Key,
    Row,
    Words,
    is_storable,
    of_many,
    table_of,
    written_out,
)
from pbem.store.transaction import Foresight, Transaction, inserts, remembered


class NoticeRow(Row, table=True):
    """A mail to be written: ``new`` until it was sent, is given up as ``dead``, or is ``moot``.

    ``next_try`` is when a sender may take it, ``lease_until`` until when one has it, ``since`` when
    the first one took it, ``ended_at`` when it was last sent or given up. ``entry`` is the log
    entry it tells of, also found among its facts.
    """

    __tablename__ = "notices"
    __table_args__ = (
        UniqueConstraint("cause", "player_id", "kind"),
        UniqueConstraint("message_id"),
        CheckConstraint("state IN ('new', 'sent', 'dead', 'moot')", name="state"),
        CheckConstraint("attempts >= 0", name="attempts"),
        Index(
            "ix_notices_waiting",
            "next_try",
            "id",
            sqlite_where=text("state = 'new'"),
            postgresql_where=text("state = 'new'"),
        ),
        Index(
            "ix_notices_dead",
            "id",
            sqlite_where=text("state = 'dead'"),
            postgresql_where=text("state = 'dead'"),
        ),
        Index("ix_notices_told", "game_id", "player_id", "entry"),
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    cause: str = Field(sa_type=Key)
    player_id: int = Field(foreign_key="players.id", sa_type=NUMBER)
    kind: str = Field(sa_type=Key)
    created_at: datetime = Field(sa_type=Instant)
    game_id: str | None = Field(foreign_key="games.id", sa_type=Key)
    facts: dict[str, Any] = Field(sa_type=Json)
    message_id: str = Field(sa_type=Key)
    state: str = Field(sa_type=Key)
    attempts: int
    next_try: datetime = Field(sa_type=Instant)
    lease_until: datetime | None = Field(sa_type=Instant)
    reason: str | None = Field(sa_type=Words)
    since: datetime | None = Field(sa_type=Instant)
    entry: int | None
    ended_at: datetime | None = Field(sa_type=Instant)


NOTICES: Final = table_of(NoticeRow)
_FIELDS: Final = tuple(field.name for field in fields(Notice))

_ADD: Final = {
    name: insert.on_conflict_do_nothing().inline() for name, insert in inserts(NOTICES).items()
}
_CAUSED: Final = (
    select(*(NOTICES.c[name] for name in _FIELDS))
    .where(NOTICES.c.cause == bindparam("wanted"))
    .order_by(NOTICES.c.id)
)

_SAME: Final = NOTICES.alias("told")
_READDRESS: Final = (
    update(NOTICES)
    .where(
        NOTICES.c.player_id == bindparam("before"),
        NOTICES.c.state == written_out(NEW),
        # Who has a mail of the same cause, as two who were told of one event, needs no second one.
        ~exists().where(
            _SAME.c.cause == NOTICES.c.cause,
            _SAME.c.kind == NOTICES.c.kind,
            _SAME.c.player_id == bindparam("after"),
        ),
    )
    .values(player_id=bindparam("after"))
)
OUTGOING: Final = select(
    *(NOTICES.c[name] for name in _FIELDS),
    *(NOTICES.c[name] for name in ("id", "message_id", "attempts", "since", "reason")),
)
_CLAIM: Final = (
    OUTGOING.where(
        NOTICES.c.state == written_out(NEW),
        NOTICES.c.next_try <= bindparam("now"),
        or_(NOTICES.c.lease_until.is_(None), NOTICES.c.lease_until <= bindparam("now")),
    )
    .order_by(NOTICES.c.next_try, NOTICES.c.id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_LEASE: Final = of_many(
    update(NOTICES).values(
        lease_until=bindparam("until"),
        since=func.coalesce(NOTICES.c.since, bindparam("now", type_=Instant())),
    ),
    NOTICES.c.id,
)
_END: Final = (
    update(NOTICES)
    .where(NOTICES.c.id == bindparam("wanted"))
    .values(
        state=bindparam("ending"),
        reason=bindparam("why"),
        lease_until=None,
        ended_at=bindparam("then"),
    )
)
_RETRY: Final = (
    update(NOTICES)
    .where(NOTICES.c.id == bindparam("wanted"), NOTICES.c.state == written_out(NEW))
    .values(
        next_try=bindparam("then"),
        attempts=NOTICES.c.attempts + bindparam("counted"),
        reason=bindparam("why"),
        lease_until=None,
    )
)
_HURRY: Final = (
    update(NOTICES)
    .where(
        NOTICES.c.state == written_out(NEW),
        NOTICES.c.next_try > bindparam("then"),
        NOTICES.c.attempts > 0,
        or_(
            bindparam("player", type_=NUMBER).is_(None),
            NOTICES.c.player_id == bindparam("player", type_=NUMBER),
        ),
    )
    .values(next_try=bindparam("then"))
)
_AFRESH: Final = update(NOTICES).values(
    state=NEW, next_try=bindparam("then"), attempts=0, since=None, reason=None, lease_until=None
)
_REPLAY: Final = _AFRESH.where(
    NOTICES.c.id == bindparam("wanted"), NOTICES.c.state == written_out(DEAD)
)
_REQUEUE: Final = _AFRESH.where(
    NOTICES.c.id == bindparam("wanted"), NOTICES.c.state != written_out(NEW)
)
_NAMED: Final = select(NOTICES.c.id).where(
    NOTICES.c.cause == bindparam("because"),
    NOTICES.c.player_id == bindparam("player"),
    NOTICES.c.kind == bindparam("of_kind"),
)
_BY_MESSAGE_ID: Final = OUTGOING.where(NOTICES.c.message_id == bindparam("wanted"))
_IN_STATE: Final = {
    state: OUTGOING.where(NOTICES.c.state == written_out(state))
    .order_by(NOTICES.c.id.desc())
    .limit(bindparam("most"))
    for state in (NEW, SENT, DEAD, MOOT)
}
_TOLD_AT_ALL: Final = select(func.max(NOTICES.c.entry)).where(
    or_(NOTICES.c.state == written_out(NEW), NOTICES.c.state == written_out(SENT))
)
_TOLD: Final = _TOLD_AT_ALL.where(
    NOTICES.c.game_id == bindparam("game"),
    NOTICES.c.player_id == bindparam("player"),
    NOTICES.c.entry < bindparam("limit"),
)
_MINE: Final = NOTICES.alias("mine")
_TOLD_BEFORE: Final = of_many(
    select(
        _MINE.c.game_id,
        _MINE.c.player_id,
        _MINE.c.entry,
        _TOLD_AT_ALL.where(
            NOTICES.c.game_id == _MINE.c.game_id,
            NOTICES.c.player_id == _MINE.c.player_id,
            NOTICES.c.entry < _MINE.c.entry,
        )
        .scalar_subquery()
        .label("told"),
    ),
    _MINE.c.id,
)


class NoticeQueries(Transaction):
    """What a unit can do with notices."""

    def add_notice(self, notice: Notice) -> None:
        """A mail to be written; one that is there already stays as it is (L1.3)."""
        entry = notice.facts.get("entry")
        values = {
            "cause": notice.cause,
            "player_id": notice.player_id,
            "kind": notice.kind,
            "created_at": notice.created_at,
            "game_id": notice.game_id,
            "facts": dict(notice.facts),
            "message_id": message_id(notice),
            "state": NEW,
            "attempts": 0,
            "next_try": notice.created_at,
            "entry": entry if isinstance(entry, int) else None,
        }
        self._write_later(_ADD[self._dialect], values)

    def readdress_notices(self, player_id: int, to_player_id: int) -> None:
        """Mails to a player that have not been sent go to another; their Message-IDs stay."""
        self._write_later(_READDRESS, {"before": player_id, "after": to_player_id})

    def notices_for(self, cause: str) -> Sequence[Notice]:
        """The mails that one cause has brought about."""
        rows = self._rows(_CAUSED, {"wanted": cause})
        return [Notice(*row) for row in rows]

    def claim_notices(self, now: datetime, *, lease: timedelta, limit: int) -> Sequence[Outgoing]:
        """Mails to write whose time has come, oldest first; nobody else gets them until the lease
        is over."""
        rows = self._rows(_CLAIM, {"now": now, "most": limit})
        if rows:
            leasing, leased = self._of_many(_LEASE, [row.id for row in rows])
            self._write_later(leasing, {**leased, "until": now + lease, "now": now})
        return [outgoing_of(row, since=row.since or now) for row in rows]

    def end_notice(
        self, outgoing_id: int, state: str, reason: str = "", *, at: datetime | None = None
    ) -> None:
        """A mail was sent, is given up as dead, or has become moot, at that instant; one that was
        forgotten meanwhile needs no end."""
        values = {"wanted": outgoing_id, "ending": state, "why": reason or None, "then": at}
        self._write_later(_END, values)

    def retry_notice(
        self, outgoing_id: int, at: datetime, *, is_counted: bool, reason: str = ""
    ) -> None:
        """A mail is to be tried again then; ``is_counted`` if a server has seen this try.

        Raises StoreConflictError if it has ended meanwhile.
        """
        values = {
            "wanted": outgoing_id,
            "then": at,
            "counted": int(is_counted),
            "why": reason or None,
        }
        self._write_later(_RETRY, values, f"there is no notice {outgoing_id} to be sent")

    def requeue_notice(self, cause: str, player_id: int, kind: str, now: datetime) -> bool:
        """Send the same mail again (L1.2); whether there is one. One that waits goes on waiting."""
        wanted = {"because": cause, "player": player_id, "of_kind": kind}
        number = self._value(_NAMED, wanted)
        if number is None:
            return False
        self._write_later(_REQUEUE, {"wanted": number, "then": now})
        return True

    def find_outgoing(self, message_id: str) -> Outgoing | None:
        """The row of the outbox with the left half of a Message-ID, whatever became of it."""
        if not is_storable(message_id):
            return None
        row = self._first(_BY_MESSAGE_ID, {"wanted": message_id})
        return None if row is None else outgoing_of(row, since=row.since)

    def notices_in_state(self, state: str, *, limit: int = 100) -> Sequence[tuple[Outgoing, str]]:
        """Mails in a state with the last reason, newest first, for the operator."""
        rows = self._rows(_IN_STATE[state], {"most": limit})
        return [(outgoing_of(row, since=row.since), row.reason or "") for row in rows]

    def replay_notice(self, outgoing_id: int, now: datetime) -> bool:
        """Try a dead mail afresh; whether there is such a one."""
        return self._change(_REPLAY, {"wanted": outgoing_id, "then": now}) == 1

    def hurry_notices(self, now: datetime, player_id: int | None = None) -> int:
        """Try now what failed and waits for another try, of one player or of all; how
        many mails that are."""
        return self._change(_HURRY, {"then": now, "player": player_id})

    @remembered
    def last_told(self, game_id: str, player_id: int, before: int) -> int:
        """The newest entry below ``before`` of which a player was told by mail; -1 if none.

        What is still to be sent counts as told; what was given up or is moot does not.
        """
        wanted = {"game": game_id, "player": player_id, "limit": before}
        found: int | None = self._value(_TOLD, wanted)
        return -1 if found is None else found

    def _foresee_told(self, numbers: Collection[int]) -> Foresight:
        """What ``last_told`` is going to be asked of the entries that notices are about."""
        [rows] = yield [self._of_many(_TOLD_BEFORE, numbers)]
        for game_id, player_id, entry, told in rows:
            last = -1 if told is None else told
            self._foretell(NoticeQueries.last_told, last, game_id, player_id, entry)


def outgoing_of(row: Any, *, since: datetime | None) -> Outgoing:
    """What a row of ``OUTGOING`` tells."""
    return Outgoing(
        id=row.id,
        notice=Notice(*row[: len(_FIELDS)]),
        message_id=row.message_id,
        attempts=row.attempts,
        since=since,
    )


def message_id(notice: Notice) -> str:
    """The left half of the Message-ID, the same whenever the same row is written (L1.3).

    The instant is part of it: after a restore of an older copy of the store numbers of entries and
    mails come again, and so would the names, and tokens, of mails that others have already got.
    """
    made = notice.created_at.astimezone(UTC).isoformat()
    named = f"{notice.player_id}\n{notice.kind}\n{notice.cause}\n{made}"
    return hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:32]
