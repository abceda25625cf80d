"""Studies and puzzles: records that begin from a position. A later version names the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    CheckConstraint,
    Index,
    UniqueConstraint,
    bindparam,
    func,
    or_,
    select,
    update,
)
from sqlmodel import Field

from pbem.play.studied import NewStudy, Study
from pbem.store.columns import NUMBER, Instant, Key, Row, Words, is_number, table_of
from pbem.store.players import PLAYERS
from pbem.store.transaction import Transaction


class StudyRow(Row, table=True):
    """One version of a study; the solution of a puzzle is the record's main line."""

    __tablename__ = "studies"
    __table_args__ = (
        UniqueConstraint("replaces"),
        CheckConstraint("visibility IN ('open', 'private')", name="visibility"),
        Index("ix_studies_player_id", "player_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=NUMBER)
    player_id: int = Field(foreign_key="players.id", sa_type=NUMBER)
    title: str = Field(sa_type=Words)
    record: str = Field(sa_type=Words)
    is_puzzle: bool
    visibility: str = Field(sa_type=Key)
    at: datetime = Field(sa_type=Instant)
    replaces: int | None = Field(foreign_key="studies.id", sa_type=NUMBER)


STUDIES: Final = table_of(StudyRow)

_NEWER: Final = STUDIES.alias("newer")
_SELECT: Final = (
    select(
        STUDIES.c.id.label("number"),
        STUDIES.c.player_id,
        PLAYERS.c.name.label("author"),
        STUDIES.c.title,
        STUDIES.c.record,
        STUDIES.c.is_puzzle,
        STUDIES.c.visibility,
        STUDIES.c.at,
        STUDIES.c.replaces,
        _NEWER.c.id.label("newer"),
    )
    .join(PLAYERS, PLAYERS.c.id == STUDIES.c.player_id)
    .outerjoin(_NEWER, _NEWER.c.replaces == STUDIES.c.id)
)
_FIND: Final = _SELECT.where(STUDIES.c.id == bindparam("wanted"))
_NEWEST: Final = (
    _SELECT.where(
        _NEWER.c.id.is_(None),
        STUDIES.c.id < bindparam("before"),
        or_(STUDIES.c.visibility == "open", STUDIES.c.player_id == bindparam("viewer")),
    )
    .order_by(STUDIES.c.id.desc())
    .limit(bindparam("most"))
)
_BY: Final = _SELECT.where(STUDIES.c.player_id == bindparam("owner")).order_by(STUDIES.c.id)
_COUNT: Final = (
    select(func.count())
    .select_from(STUDIES)
    .where(STUDIES.c.player_id == bindparam("owner"), STUDIES.c.at >= bindparam("since"))
)
_ADD: Final = STUDIES.insert().returning(STUDIES.c.id)
_READDRESS: Final = (
    update(STUDIES)
    .where(STUDIES.c.player_id == bindparam("owner"))
    .values(player_id=bindparam("heir"))
)
_BLANK: Final = (
    update(STUDIES)
    .where(STUDIES.c.player_id == bindparam("owner"), STUDIES.c.visibility == "private")
    .values(title="", record="")
)
_LAST: Final = 2**62
_NOBODY: Final = 0


class StudyQueries(Transaction):
    """What a unit can do with studies."""

    def add_study(self, study: NewStudy, at: datetime) -> int:
        """Keep a version; its number. Raises StoreConflictError if the one before has been
        replaced already."""
        number: int = self._value(_ADD, {**asdict(study), "at": at})
        return number

    def find_study(self, number: int) -> Study | None:
        """A version by number."""
        row = self._first(_FIND, {"wanted": number}) if is_number(number) else None
        return None if row is None else _study(row)

    def newest_studies(
        self, *, viewer: int | None, before: int | None, limit: int
    ) -> Sequence[Study]:
        """The last versions of studies that a viewer may see, newest first."""
        values = {
            "viewer": _NOBODY if viewer is None else viewer,
            "before": before if before is not None and is_number(before) else _LAST,
            "most": limit,
        }
        return [_study(row) for row in self._rows(_NEWEST, values)]

    def studies_by(self, player_id: int) -> Sequence[Study]:
        """All versions of a player's studies, oldest first."""
        return [_study(row) for row in self._rows(_BY, {"owner": player_id})]

    def count_studies(self, player_id: int, *, since: datetime) -> int:
        """How many versions a player has made since then."""
        count: int = self._value(_COUNT, {"owner": player_id, "since": since})
        return count

    def readdress_studies(self, player_id: int, to_player_id: int) -> None:
        """What one player has made is another's."""
        self._write_later(_READDRESS, {"owner": player_id, "heir": to_player_id})

    def blank_private_studies(self, player_id: int) -> None:
        """Forget what is in the studies that nobody else has seen."""
        self._write_later(_BLANK, {"owner": player_id})


def _study(row: Any) -> Study:
    return Study(*row)
