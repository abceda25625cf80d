"""Games as they count for ratings. What they come to is ``ratings``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from sqlalchemy import and_, bindparam, delete, or_, select, true, update

from pbem.play.rated import CountedGame, EndedGame, Exclusion
from pbem.store.columns import is_storable, table_of
from pbem.store.games import GameRow, SeatRow
from pbem.store.rating_rows import (
    GAMES_TO_RATE,
    RATED_GAMES,
    RATING_EXCLUSIONS,
    RATINGS,
)
from pbem.store.transaction import Transaction, inserts
from pbem.tournaments.ratings import RatedGame

_GAMES: Final = table_of(GameRow)
_GOLD: Final = table_of(SeatRow).alias("gold_seat")
_BLACK: Final = table_of(SeatRow).alias("black_seat")

_SELECT_ENDED: Final = (
    select(
        _GAMES.c.id,
        _GAMES.c.options,
        _GAMES.c.terms,
        _GOLD.c.player_id.label("gold"),
        _BLACK.c.player_id.label("black"),
        _GAMES.c.turns,
        _GAMES.c.winner,
        _GAMES.c.termination,
        _GAMES.c.ended_at,
        RATING_EXCLUSIONS.c.why_not,
    )
    .join(_GOLD, and_(_GOLD.c.game_id == _GAMES.c.id, _GOLD.c.seat == 0))
    .join(_BLACK, and_(_BLACK.c.game_id == _GAMES.c.id, _BLACK.c.seat == 1))
    .outerjoin(RATING_EXCLUSIONS, RATING_EXCLUSIONS.c.game_id == _GAMES.c.id)
    .where(_GAMES.c.ended_at.is_not(None))
)
_TO_RATE: Final = (
    select(GAMES_TO_RATE.c.game_id)
    .where(GAMES_TO_RATE.c.game_id > bindparam("last"))
    .order_by(GAMES_TO_RATE.c.game_id)
    .limit(bindparam("most"))
)
_ENDED: Final = (
    _SELECT_ENDED.where(_GAMES.c.id > bindparam("last"))
    .order_by(_GAMES.c.id)
    .limit(bindparam("most"))
)
_FIND_ENDED: Final = _SELECT_ENDED.where(_GAMES.c.id == bindparam("wanted"))
_SAVE: Final = {
    name: insert.on_conflict_do_update(
        index_elements=["game_id"],
        set_={c.name: insert.excluded[c.name] for c in RATED_GAMES.c if c.name != "game_id"},
    )
    for name, insert in inserts(RATED_GAMES).items()
}
_SAVE_WHY_NOT: Final = (
    update(RATED_GAMES)
    .where(RATED_GAMES.c.game_id == bindparam("wanted"))
    .values(why_not=bindparam("why"))
)
_DROP_WANTED: Final = delete(GAMES_TO_RATE).where(GAMES_TO_RATE.c.game_id == bindparam("wanted"))
_EXCLUDE: Final = {
    name: insert.on_conflict_do_nothing() for name, insert in inserts(RATING_EXCLUSIONS).items()
}
_FIND: Final = select(RATED_GAMES).where(RATED_GAMES.c.game_id == bindparam("wanted"))
_SINCE: Final = (
    select(RATED_GAMES)
    .where(RATED_GAMES.c.level == bindparam("wanted"), RATED_GAMES.c.ended_at >= bindparam("begin"))
    .order_by(RATED_GAMES.c.ended_at, RATED_GAMES.c.game_id)
)
_OF_PLAYER: Final = (
    select(RATED_GAMES)
    .where(
        RATED_GAMES.c.level == bindparam("wanted"),
        or_(RATED_GAMES.c.gold == bindparam("player"), RATED_GAMES.c.black == bindparam("player")),
        or_(
            RATED_GAMES.c.is_open == true(),
            RATED_GAMES.c.gold == bindparam("viewer"),
            RATED_GAMES.c.black == bindparam("viewer"),
        ),
    )
    .order_by(RATED_GAMES.c.ended_at.desc(), RATED_GAMES.c.game_id.desc())
    .limit(bindparam("most"))
)
_LEVELS: Final = (
    select(RATED_GAMES.c.level).union(select(RATINGS.c.level)).order_by(RATED_GAMES.c.level)
)


class RatedGameQueries(Transaction):
    """What a unit can do with games that count."""

    def games_to_rate(self, *, after: str, limit: int) -> Sequence[str]:
        """The ids of games behind one that have ended and are not taken in, in order of id."""
        return self._column(_TO_RATE, {"last": after, "most": limit})

    def ended_games(self, *, after: str, limit: int) -> Sequence[EndedGame]:
        """All games that are over, behind one, in order of id."""
        return [_ended(row) for row in self._rows(_ENDED, {"last": after, "most": limit})]

    def find_ended(self, game_id: str) -> EndedGame | None:
        """A game, if it is over."""
        row = self._first(_FIND_ENDED, {"wanted": game_id}) if is_storable(game_id) else None
        return None if row is None else _ended(row)

    def save_counted(self, counted: CountedGame) -> None:
        """How a game counts, whatever it did before."""
        values = {**asdict(counted.game), "level": counted.level, "is_open": counted.is_open}
        self._write_later(_SAVE[self._dialect], values)

    def save_why_not(self, game_id: str, why_not: str) -> None:
        """Why a game that was taken in does not count; empty if it does."""
        self._write_later(_SAVE_WHY_NOT, {"wanted": game_id, "why": why_not})

    def find_counted(self, game_id: str) -> CountedGame | None:
        """How a game counts, if it was taken in."""
        row = self._first(_FIND, {"wanted": game_id}) if is_storable(game_id) else None
        return None if row is None else _counted(row)

    def need_not_rate(self, game_id: str) -> None:
        """A game is taken in."""
        self._write_later(_DROP_WANTED, {"wanted": game_id})

    def exclude_from_rating(self, game_id: str, why: Exclusion) -> None:
        """A game counts for nobody, over or not; the first reason stays."""
        self._write_later(_EXCLUDE[self._dialect], {"game_id": game_id, "why_not": why})

    def counted_games(self, level: str, *, since: datetime) -> Sequence[CountedGame]:
        """The games of a level that ended then or later, in their order."""
        return [_counted(row) for row in self._rows(_SINCE, {"wanted": level, "begin": since})]

    def counted_games_of(
        self, player_id: int, level: str, *, viewer: int | None, limit: int
    ) -> Sequence[CountedGame]:
        """A player's last games at a level that a viewer may know of, newest first."""
        wanted = {"player": player_id, "wanted": level, "viewer": viewer, "most": limit}
        return [_counted(row) for row in self._rows(_OF_PLAYER, wanted)]

    def counted_levels(self) -> Sequence[str]:
        """The levels of which there are games or ratings."""
        return self._column(_LEVELS)

    def counted_among(self, game_ids: Sequence[str]) -> Mapping[str, CountedGame]:
        """Those of the games that were taken in, and how they count."""
        if not game_ids:
            return {}
        found = self._fetch(*((_FIND, {"wanted": game_id}) for game_id in game_ids))
        return {rows[0].game_id: _counted(rows[0]) for rows in found if rows}


def _ended(row: Any) -> EndedGame:
    game_id, options, terms, gold, black, *rest = row
    return EndedGame(game_id, options, terms, (gold, black), *rest)


def _counted(row: Any) -> CountedGame:
    game = RatedGame(row.game_id, row.ended_at, row.gold, row.black, row.points, row.why_not)
    return CountedGame(row.level, game, row.is_open)
