"""What became of mails, for whoever has to prove it: by key, by cause, by game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import bindparam

from pbem.play.log import LogEntry
from pbem.play.post import Inbound, Posted
from pbem.store.columns import is_storable, table_of
from pbem.store.inbound import LISTED, InboundRow, without_bytes
from pbem.store.logs import FIND_ENTRY
from pbem.store.notices import OUTGOING, NoticeRow, outgoing_of
from pbem.store.transaction import Transaction

_MOST: Final = 10_000
_INBOUND: Final = table_of(InboundRow)
_NOTICES: Final = table_of(NoticeRow)

_OF_KEY: Final = LISTED.where(_INBOUND.c.key == bindparam("wanted")).order_by(_INBOUND.c.id)
_POSTED: Final = OUTGOING.add_columns(_NOTICES.c.state, _NOTICES.c.next_try, _NOTICES.c.ended_at)
_POSTED_BY: Final = {
    name: _POSTED.where(_NOTICES.c[name] == bindparam("wanted"))
    .order_by(_NOTICES.c.id)
    .limit(bindparam("most"))
    for name in ("cause", "message_id", "game_id")
}
_POSTED_FROM: Final = (
    _POSTED.where(_NOTICES.c.message_id >= bindparam("wanted"))
    .order_by(_NOTICES.c.message_id)
    .limit(bindparam("most"))
)


class TrailQueries(Transaction):
    """What a unit can tell of the way that mails took."""

    def inbound_of_key(self, key: str) -> Sequence[Inbound]:
        """The mails that are the same by their Message-ID, one for each place they went to;
        without the bytes."""
        return [without_bytes(row) for row in self._rows(_OF_KEY, {"wanted": key})]

    def find_entry(self, game_id: str, key: str) -> LogEntry | None:
        """The entry that the submission of this key became."""
        row = self._first(FIND_ENTRY, {"game_id": game_id, "wanted": key})
        return None if row is None else LogEntry(*row)

    def posted_for(self, cause: str) -> Sequence[Posted]:
        """The mails that one cause has brought about, and what became of them."""
        return self._posted("cause", cause)

    def posted_about(self, game_id: str) -> Sequence[Posted]:
        """The mails about a game, and what became of them."""
        return self._posted("game_id", game_id)

    def find_posted(self, message_id: str) -> Posted | None:
        """The mail with the left half of a Message-ID, and what became of it."""
        return next(iter(self._posted("message_id", message_id)), None)

    def posted_beginning(self, begin: str, *, limit: int) -> Sequence[Posted]:
        """The first mails whose Message-ID begins so, in their order, and what became of them."""
        if not is_storable(begin):
            return []
        # Those that begin so follow each other, and the index finds the first.
        rows = self._rows(_POSTED_FROM, {"wanted": begin, "most": limit})
        return [_posted(row) for row in rows if row.message_id.startswith(begin)]

    def _posted(self, name: str, wanted: str) -> Sequence[Posted]:
        if not is_storable(wanted):
            return []
        rows = self._rows(_POSTED_BY[name], {"wanted": wanted, "most": _MOST})
        return [_posted(row) for row in rows]


def _posted(row: Any) -> Posted:
    return Posted(
        outgoing_of(row, since=row.since), row.state, row.reason or "", row.next_try, row.ended_at
    )
