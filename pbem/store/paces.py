"""How long players take, and games last: read from what is there anyway."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import and_, bindparam, select

from pbem.play.paced import Reply
from pbem.store.archive_rows import ARCHIVED_GAMES
from pbem.store.columns import table_of
from pbem.store.games import GameRow, SeatRow
from pbem.store.logs import LogEntryRow
from pbem.store.requests import REQUESTS
from pbem.store.transaction import Transaction
from pbem.tournaments.ratings import ENOUGH_TURNS

_GAMES: Final = table_of(GameRow)
_SEATS: Final = table_of(SeatRow)
_LOG: Final = table_of(LogEntryRow)

_REPLIES: Final = (
    select(REQUESTS.c.opened_at, _LOG.c.arrived)
    .join(_SEATS, and_(_SEATS.c.game_id == REQUESTS.c.game_id, _SEATS.c.seat == REQUESTS.c.seat))
    .join(_GAMES, _GAMES.c.id == _SEATS.c.game_id)
    # The player's own entry closed it: no flag, no default, nobody else's act.
    .join(
        _LOG,
        and_(
            _LOG.c.game_id == REQUESTS.c.game_id,
            _LOG.c.number == REQUESTS.c.closed_by,
            _LOG.c.seat == REQUESTS.c.seat,
        ),
    )
    .where(_SEATS.c.player_id == bindparam("player"), _GAMES.c.last_at >= bindparam("begin"))
    .order_by(_LOG.c.arrived.desc())
    .limit(bindparam("most"))
)
_LENGTHS: Final = (
    select(ARCHIVED_GAMES.c.turns)
    .where(
        ARCHIVED_GAMES.c.level == bindparam("wanted"),
        ARCHIVED_GAMES.c.result != "*",
        ARCHIVED_GAMES.c.termination != "ruling",
        ARCHIVED_GAMES.c.turns >= ENOUGH_TURNS,
    )
    .order_by(ARCHIVED_GAMES.c.day.desc(), ARCHIVED_GAMES.c.id.desc())
    .limit(bindparam("most"))
)


class PaceQueries(Transaction):
    """What a unit can tell of paces."""

    def replies_of(
        self, players: Collection[int], *, since: datetime, limit: int
    ) -> Mapping[int, Sequence[Reply]]:
        """The last answers that players gave themselves in games that have gone on since then,
        newest first, by player."""
        wanted = sorted(players)
        if not wanted:
            return {}
        found = self._fetch(
            *((_REPLIES, {"player": each, "begin": since, "most": limit}) for each in wanted)
        )
        return {
            player_id: [Reply(*row) for row in rows]
            for player_id, rows in zip(wanted, found, strict=True)
        }

    def game_lengths(self, level: str, *, limit: int) -> Sequence[int]:
        """The turns of the newest archived games of a level that were played to an end."""
        return self._column(_LENGTHS, {"wanted": level, "most": limit})
