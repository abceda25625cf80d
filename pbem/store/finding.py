"""What archived games tell of positions and set-ups, counted in indexes alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import ColumnElement, bindparam, case, false, func, or_, select, true

from pbem.play.found import Followed, SetupCount, SetupFilter, Visit
from pbem.store.archive_rows import ARCHIVED_GAMES, ARCHIVED_POSITIONS
from pbem.store.columns import is_storable
from pbem.store.transaction import Transaction

_P: Final = ARCHIVED_POSITIONS.c
_G: Final = ARCHIVED_GAMES.c
_AT_KEY: Final = _P.key == bindparam("wanted")
_OPEN: Final = (_AT_KEY, _P.is_open == true())
_RESULTS: Final = {
    "gold": {"won": "1-0", "drawn": "1/2-1/2", "lost": "0-1", "undecided": "*"},
    "black": {"won": "0-1", "drawn": "1/2-1/2", "lost": "1-0", "undecided": "*"},
}
_OTHER: Final = {"gold": "black", "black": "gold"}

_FOLLOWED: Final = (
    select(
        _P.next_order,
        _P.score,
        func.count().label("games"),
        func.max(_P.game).label("newest"),
    )
    .where(*_OPEN)
    .group_by(_P.next_order, _P.score)
)
_VISITS: Final = (
    select(_P.game, _P.ply).where(*_OPEN).order_by(_P.game.desc(), _P.ply).limit(bindparam("most"))
)
_VISIT: Final = (
    select(_P.game, _P.ply)
    .where(
        *_OPEN,
        _P.next_order == bindparam("order"),
        _P.score == bindparam("result"),
        _P.game == bindparam("number"),
    )
    .order_by(_P.ply)
    .limit(1)
)
_PRIVATE: Final = (
    select(_P.game, _P.ply)
    .join(ARCHIVED_GAMES, _G.id == _P.game)
    .where(
        _AT_KEY,
        _P.is_open == false(),
        or_(_G.gold_player == bindparam("viewer"), _G.black_player == bindparam("viewer")),
    )
    .order_by(_P.game.desc(), _P.ply)
    .limit(bindparam("most"))
)


def _counted(result: str) -> ColumnElement[int]:
    return func.sum(case((_G.result == result, 1), else_=0))


class FindingQueries(Transaction):
    """What a unit can tell of positions and set-ups."""

    def followed(self, keys: Sequence[int]) -> Mapping[int, Sequence[Followed]]:
        """What followed the positions with these keys in open games, by key."""
        answers = self._fetch(*((_FOLLOWED, {"wanted": key}) for key in keys))
        return {
            key: [Followed(*row) for row in rows] for key, rows in zip(keys, answers, strict=True)
        }

    def visits(self, key: int, *, limit: int) -> Sequence[Visit]:
        """The newest open games that came to a position."""
        return [Visit(*row) for row in self._rows(_VISITS, {"wanted": key, "most": limit})]

    def newest_visits(self, key: int, followed: Sequence[Followed]) -> Sequence[Visit]:
        """The newest open game of each order and result behind a position."""
        asked = (
            {"wanted": key, "order": each.next_order, "result": each.score, "number": each.newest}
            for each in followed
        )
        return [Visit(*rows[0]) for rows in self._fetch(*((_VISIT, each) for each in asked))]

    def private_visits(self, key: int, *, viewer: int, limit: int) -> Sequence[Visit]:
        """The newest private games of a player that came to a position."""
        rows = self._rows(_PRIVATE, {"wanted": key, "viewer": viewer, "most": limit})
        return [Visit(*row) for row in rows]

    def count_setups(self, wanted: SetupFilter, *, limit: int) -> Sequence[SetupCount]:
        """The set-ups of open games, the most played first."""
        house = wanted.house
        words = {"level": wanted.level, "arena": wanted.arena, "dice": wanted.dice}
        if wanted.started is not None:
            words["starter"] = house if wanted.started else _OTHER[house]
        if not all(map(is_storable, words.values())):
            return ()
        setup = _G[f"{house}_setup"]
        played = func.count()
        statement = (
            select(
                setup, *(_counted(result).label(name) for name, result in _RESULTS[house].items())
            )
            .where(setup != "", _G.visibility == "open")
            .where(*(_G[name] == word for name, word in words.items() if word))
            .group_by(setup)
            .order_by(played.desc(), setup)
            .limit(limit)
        )
        return [SetupCount(*row) for row in self._connection.execute(statement)]
