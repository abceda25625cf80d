"""What is forgotten: nobody's mail is kept longer than it is needed, nor who never answered.

Rows of mails that came in stay, without their bytes: they are what keeps a mail from being taken
twice (L1.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import and_, bindparam, case, delete, exists, or_, select, update

from pbem.play.post import HANDLED, MOOT, NEW
from pbem.store.backlog import DROP_SEEN
from pbem.store.columns import Instant, Words, table_of
from pbem.store.games import GameRow, SeatRow
from pbem.store.inbound import InboundRow
from pbem.store.letters import LetterRow
from pbem.store.notices import NoticeRow
from pbem.store.players import AddressRow, PlayerRow
from pbem.store.post_limits import DROP_COUNTERS, DROP_NONCES
from pbem.store.transaction import Transaction

_INBOUND: Final = table_of(InboundRow)
_LETTERS: Final = table_of(LetterRow)
_GAMES: Final = table_of(GameRow)
_NOTICES: Final = table_of(NoticeRow)
_SEATS: Final = table_of(SeatRow)
_PLAYERS: Final = table_of(PlayerRow)
_ADDRESSES: Final = table_of(AddressRow)
_BEFORE: Final = bindparam("before", type_=Instant())

_LONG_OVER: Final = select(_GAMES.c.id).where(_GAMES.c.ended_at < _BEFORE)
_FORGET: Final = (
    update(_INBOUND)
    .where(_INBOUND.c.state == HANDLED, _INBOUND.c.arrived < _BEFORE, _INBOUND.c.raw != b"")
    .values(raw=b""),
    delete(_LETTERS).where(
        or_(
            and_(_LETTERS.c.game_id.is_(None), _LETTERS.c.made_at < _BEFORE),
            _LETTERS.c.game_id.in_(_LONG_OVER),
        )
    ),
    DROP_COUNTERS,
    DROP_NONCES,
    DROP_SEEN,
)
_FORGET_MAILS: Final = (
    update(_INBOUND)
    .where(_INBOUND.c.player_id == bindparam("player"))
    .values(raw=b"", sender=None, lane="", state=HANDLED, outcome={}, lease_until=None)
)
# Only facts that may name an address: the others tell of games, which stay.
_FORGET_NOTICES: Final = (
    update(_NOTICES)
    .where(
        _NOTICES.c.player_id == bindparam("player"), _NOTICES.c.facts.cast(Words()).contains("@")
    )
    .values(facts={}, state=case((_NOTICES.c.state == NEW, MOOT), else_=_NOTICES.c.state))
)
_DROP_LETTERS: Final = delete(_LETTERS).where(_LETTERS.c.player_id == bindparam("player"))


_IDLE_GUESTS: Final = (
    select(_PLAYERS.c.id)
    .where(
        _PLAYERS.c.deleted_at.is_(None),
        _PLAYERS.c.created_at < _BEFORE,
        ~exists().where(
            _ADDRESSES.c.player_id == _PLAYERS.c.id, _ADDRESSES.c.verified_at.is_not(None)
        ),
        ~exists().where(_SEATS.c.player_id == _PLAYERS.c.id),
    )
    .order_by(_PLAYERS.c.id)
    .limit(bindparam("most"))
)


class ForgettingQueries(Transaction):
    """What a unit can forget."""

    def idle_guests(self, before: datetime, limit: int) -> Sequence[int]:
        """The numbers of players from before then who never confirmed an address, and sit in no
        game."""
        wanted = {"before": before, "most": limit}
        return self._column(_IDLE_GUESTS, wanted)

    def forget_post(self, before: datetime) -> int:
        """Drop what nobody needs any more: the bytes of mails that were handled, counters and
        nonces, and letters about no game or one long over, all from before then; how many rows."""
        return sum(self._change(statement, {"before": before}) for statement in _FORGET)

    def forget_mail_of(self, player_id: int) -> None:
        """Drop a player's letters and what is kept of their mails, and addresses in what was to be
        written to them; the rows stay, so that no mail is taken or sent twice."""
        self._write_later(_FORGET_MAILS, {"player": player_id})
        self._write_later(_FORGET_NOTICES, {"player": player_id})
        self._write_later(_DROP_LETTERS, {"player": player_id})
