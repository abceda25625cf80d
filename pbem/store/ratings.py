"""Ratings, and what is to be counted again. The games that count are ``rated_games``.

The rows of ``rating_changes`` are also the lock: whoever counts a level locks those of the level
and drops them in the end, so that a second one waits, and then finds nothing left to do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import and_, bindparam, case, delete, func, literal, not_, or_, select, true, update

from pbem.play.rated import Change, Listed
from pbem.store.columns import is_number
from pbem.store.players import PLAYERS
from pbem.store.rating_rows import RATED_GAMES, RATING_CHANGES, RATINGS
from pbem.store.transaction import Transaction
from pbem.tournaments.glicko import SCALE, Figure
from pbem.tournaments.ratings import SURE_DEVIATION, SURE_GAMES, Rating, period_of

SHOWN_FOR: Final = 12
"""So many months after their last rated game players stay in the list."""

_ADD_CHANGE: Final = RATING_CHANGES.insert().inline()
_CHANGES: Final = select(RATING_CHANGES).order_by(RATING_CHANGES.c.id)
_OF_LEVEL: Final = _CHANGES.where(RATING_CHANGES.c.level == bindparam("wanted"))
_LOCK_CHANGES: Final = {"postgresql": _OF_LEVEL.with_for_update(), "sqlite": _OF_LEVEL}
_DROP_CHANGE: Final = delete(RATING_CHANGES).where(RATING_CHANGES.c.id == bindparam("number"))
_FIRST_OF: Final = (
    select(RATED_GAMES.c.level, func.min(RATED_GAMES.c.ended_at).label("first"))
    .where(
        or_(RATED_GAMES.c.gold == bindparam("player"), RATED_GAMES.c.black == bindparam("player"))
    )
    .group_by(RATED_GAMES.c.level)
    .order_by(RATED_GAMES.c.level)
)
_READDRESS: Final = tuple(
    update(RATED_GAMES)
    .where(RATED_GAMES.c[side] == bindparam("before"))
    .values({side: bindparam("after")})
    for side in ("gold", "black")
)
_SINCE: Final = (
    select(RATINGS)
    .where(RATINGS.c.level == bindparam("wanted"), RATINGS.c.period >= bindparam("begin"))
    .order_by(RATINGS.c.period, RATINGS.c.player_id)
)
_BEFORE: Final = (
    select(RATINGS)
    .where(
        RATINGS.c.player_id == bindparam("player"),
        RATINGS.c.level == bindparam("wanted"),
        RATINGS.c.period < bindparam("begin"),
    )
    .order_by(RATINGS.c.period.desc())
    .limit(1)
)
_COLUMNS: Final = (
    "player_id",
    "level",
    "period",
    "rating",
    "deviation",
    "volatility",
    "games",
    "is_last",
)
_DROP: Final = delete(RATINGS).where(
    RATINGS.c.player_id == bindparam("player"),
    RATINGS.c.level == bindparam("wanted"),
    RATINGS.c.period == bindparam("month"),
)
_LATER: Final = RATINGS.alias("later")
_MARK_LAST: Final = (
    update(RATINGS)
    .where(RATINGS.c.player_id == bindparam("player"), RATINGS.c.level == bindparam("wanted"))
    .values(
        is_last=not_(
            select(literal(1))
            .select_from(_LATER)
            .where(
                _LATER.c.player_id == RATINGS.c.player_id,
                _LATER.c.level == RATINGS.c.level,
                _LATER.c.period > RATINGS.c.period,
            )
            .exists()
        )
    )
)
_OF_PLAYER: Final = (
    select(RATINGS)
    .where(RATINGS.c.player_id == bindparam("player"))
    .order_by(RATINGS.c.level, RATINGS.c.period)
)
_RESTED: Final = case(
    (bindparam("month") > RATINGS.c.period, bindparam("month") - RATINGS.c.period - 1), else_=0
)
_GROWN: Final = RATINGS.c.volatility * SCALE
_IS_SURE: Final = and_(
    RATINGS.c.games >= SURE_GAMES,
    RATINGS.c.deviation * RATINGS.c.deviation + _RESTED * _GROWN * _GROWN <= SURE_DEVIATION**2,
)
"""As ``Rating.is_provisional`` has it, in the month that is asked for."""
_LIST: Final = (
    select(RATINGS, PLAYERS.c.name)
    .join(PLAYERS, PLAYERS.c.id == RATINGS.c.player_id)
    .where(
        RATINGS.c.level == bindparam("wanted"),
        RATINGS.c.is_last == true(),
        RATINGS.c.period >= bindparam("begin"),
        PLAYERS.c.deleted_at.is_(None),
    )
    .order_by(RATINGS.c.rating.desc(), RATINGS.c.player_id)
    .limit(bindparam("most"))
    .offset(bindparam("passed"))
)
_LISTS: Final = {False: _LIST.where(_IS_SURE), True: _LIST.where(not_(_IS_SURE))}


class RatingQueries(Transaction):
    """What a unit can do with ratings."""

    def add_rating_change(self, level: str, period: int) -> None:
        """A level is to be counted again from a month on."""
        self._write_later(_ADD_CHANGE, {"level": level, "period": period})

    def rating_changes(self) -> Sequence[Change]:
        """What is to be counted again."""
        return [Change(*row) for row in self._rows(_CHANGES)]

    def lock_rating_changes(self, level: str) -> Sequence[Change]:
        """What is to be counted again of a level. Nobody else counts it until this unit ends."""
        return [Change(*row) for row in self._rows(_LOCK_CHANGES[self._dialect], {"wanted": level})]

    def remove_rating_changes(self, changes: Collection[Change]) -> None:
        """These were counted."""
        for change in changes:
            self._write_later(_DROP_CHANGE, {"number": change.number})

    def readdress_ratings(self, player_id: int, to_player_id: int) -> None:
        """What one player has played counts for another; it is to be counted again."""
        for row in self._rows(_FIRST_OF, {"player": player_id}):
            self.add_rating_change(row.level, period_of(row.first))
        for statement in _READDRESS:
            self._write_later(statement, {"before": player_id, "after": to_player_id})

    def ratings_since(self, level: str, period: int) -> Sequence[Rating]:
        """The ratings of a level of a month and all later ones."""
        return [_rating(row) for row in self._rows(_SINCE, {"wanted": level, "begin": period})]

    def ratings_before(
        self, level: str, period: int, players: Collection[int]
    ) -> Mapping[int, Rating]:
        """The last ratings of players from before a month; those who have none are left out."""
        if not players:
            return {}
        found = self._fetch(
            *(
                (_BEFORE, {"player": player_id, "wanted": level, "begin": period})
                for player_id in sorted(players)
            )
        )
        return {rows[0].player_id: _rating(rows[0]) for rows in found if rows}

    def replace_ratings(
        self, level: str, gone: Collection[Rating], made: Collection[Rating]
    ) -> None:
        """Some ratings of a level are gone, and others are there."""
        for rating in gone:
            wanted = {"player": rating.player_id, "wanted": level, "month": rating.period}
            self._write_later(_DROP, wanted)
        ordered = sorted(made, key=lambda rating: (rating.period, rating.player_id))
        self._add_many(RATINGS, _COLUMNS, [_row(level, rating) for rating in ordered])
        for player_id in sorted({rating.player_id for rating in (*gone, *made)}):
            self._write_later(_MARK_LAST, {"player": player_id, "wanted": level})

    def ratings_of(self, player_id: int) -> Sequence[tuple[str, Rating]]:
        """All ratings of a player, by level and month."""
        if not is_number(player_id):
            return []
        rows = self._rows(_OF_PLAYER, {"player": player_id})
        return [(row.level, _rating(row)) for row in rows]

    def list_ratings(
        self, level: str, *, period: int, is_provisional: bool, offset: int, limit: int
    ) -> Sequence[Listed]:
        """The last ratings of a level, best first, as they stand in a month: of players who are
        still there and had a rated game in the year before."""
        wanted = {
            "wanted": level,
            "month": period,
            "begin": period - SHOWN_FOR,
            "most": limit,
            "passed": offset,
        }
        rows = self._rows(_LISTS[is_provisional], wanted)
        return [Listed(row.name, _rating(row).at(period)) for row in rows]


def _rating(row: Any) -> Rating:
    figure = Figure(row.rating, row.deviation, row.volatility)
    return Rating(row.player_id, row.period, figure, row.games)


def _row(level: str, rating: Rating) -> tuple[Any, ...]:
    """The values of ``_COLUMNS``."""
    figure = rating.figure
    numbers = (figure.rating, figure.deviation, figure.volatility, rating.games)
    return (rating.player_id, level, rating.period, *numbers, False)
