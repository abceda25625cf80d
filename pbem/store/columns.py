"""How values become columns, so that both databases give back exactly what they were given.

Owns the column types and the base of all tables. Leaves the tables themselves to the topics.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Final, NamedTuple, TypeVar, cast

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Dialect,
    Executable,
    Index,
    Integer,
    MetaData,
    Select,
    Table,
    Text,
    Update,
    any_,
    bindparam,
    func,
    literal_column,
    select,
    true,
)
from sqlalchemy import column as sql_column
from sqlalchemy.types import TypeDecorator, TypeEngine
from sqlmodel import SQLModel

from pbem.errors import UnstorableError

Rows = TypeVar("Rows", Select[Any], Update)
"""A statement about some rows."""

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_LARGEST: Final = 2**63
_ONLY_ON: Final = "pbem_only_on"

NUMBER: Final = BigInteger().with_variant(Integer(), "sqlite")
"""A number given by the database; SQLite counts only in columns that it calls INTEGER."""


class Row(SQLModel):
    """The base of all tables. Names of constraints follow from what they constrain."""

    metadata: ClassVar[MetaData] = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def table_of(row: type[SQLModel]) -> Table:
    """The table behind a row class; statements are made on it, without the ORM's identity map."""
    return cast(Table, row.__table__)  # type: ignore[attr-defined]


def index_on(dialect: str, name: str, *columns: str) -> Index:
    """An index that only one kind of database has."""
    return Index(name, *columns, info={_ONLY_ON: dialect}).ddl_if(dialect=dialect)


def is_found_on(dialect: str, item: object, *_: object) -> bool:
    """Whether a kind of database has something that a table describes: for Alembic, which would
    look for every index everywhere."""
    return not isinstance(item, Index) or item.info.get(_ONLY_ON, dialect) == dialect


def written_out(word: str) -> ColumnElement[str]:
    """A word that stands in the statement itself: an index with a condition on a column is used
    only by statements in which its value can be read."""
    assert word.isidentifier(), word
    return literal_column(f"'{word}'", Text)


class OfMany(NamedTuple):
    """The rows that have one of many values in a column; those of each value in their order."""

    one: Executable
    """For one value, ``one``: every database knows the best way to it, whatever the value is."""
    many: Mapping[str, Executable]
    """For a list of them, ``many``, by the name of the database."""


def of_many(rows: Rows, column: ColumnElement[Any]) -> OfMany:
    """Rows of one or many values. A list of values is one parameter: the statement is the same for
    any number of them."""
    listed = func.json_each(bindparam("many", type_=Json())).table_valued("value")
    return OfMany(
        rows.where(column == bindparam("one", type_=column.type)),
        {
            "postgresql": _each_by_itself(rows, column),
            "sqlite": rows.where(column.in_(select(listed.c.value))),
        },
    )


def _each_by_itself(rows: Select[Any] | Update, column: ColumnElement[Any]) -> Executable:
    """The rows of many values on PostgreSQL, which would plan ``= ANY`` anew for lists of different
    lengths, or keep reading a whole table that was small when it made its plan.

    So it is not told how long the list is, and looks up the rows of each value by themselves.
    """
    kind = Text() if isinstance(column.type, Words) else BigInteger()
    values = bindparam("many", type_=ARRAY(kind))
    if isinstance(rows, Update):
        return rows.where(column == any_(values))
    listed = (
        func.unnest(select(values).scalar_subquery())
        .table_valued(sql_column("value", kind))
        .render_derived()
    )
    # OFFSET keeps it from being made into a join of another kind.
    found = rows.where(column == listed.c.value).offset(literal_column("0")).lateral("found")
    return select(*found.c).select_from(listed.join(found, true()))


def microseconds(instant: datetime) -> int:
    """An instant as microseconds since 1970, exactly. Raises UnstorableError without a zone."""
    if instant.tzinfo is None:
        raise UnstorableError("an instant without a time zone")
    return (instant - EPOCH) // _MICROSECOND


def instant_of(value: int) -> datetime:
    """The instant of so many microseconds."""
    return EPOCH + value * _MICROSECOND


def _instant_or_none(value: int | None) -> datetime | None:
    return None if value is None else instant_of(value)


_encode: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode
"""Made once: ``json.dumps`` would make an encoder each time."""

_scan: Final[Callable[[str, int], tuple[Any, int]]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]


def json_text(value: object) -> str:
    """Plain values as JSON: one text for one value. Raises UnstorableError for anything else.

    ASCII only, so that text with a NUL or half a surrogate pair can be kept on every database.
    """
    try:
        return _encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise UnstorableError(f"not made of plain values: {error}") from None


def _read_json(text: str | None) -> Any:
    """The plain values of a JSON text. Raises ValueError."""
    if text is None:
        return None
    # A text of ours has nothing before and behind its value. There are many, and most are short:
    # to look for spaces there takes longer than to read them.
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        end = -1
    return value if end == len(text) else json.loads(text)


def is_storable(text: str) -> bool:
    """Whether text can be kept at all: PostgreSQL knows no NUL, and UTF-8 no half surrogates."""
    if "\0" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_number(value: int) -> bool:
    """Whether a number is one that a row can have."""
    return 0 <= value < _LARGEST


class Instant(TypeDecorator[datetime]):
    """An aware instant, kept as a whole number that sorts by time; UTC comes back."""

    impl = BigInteger
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[datetime | None], int | None]:
        """Into the database."""
        return lambda value: None if value is None else microseconds(value)

    def result_processor(
        self,
        dialect: Dialect,
        coltype: object,
    ) -> Callable[[int | None], datetime | None]:
        """Out of it."""
        return _instant_or_none


class Words(TypeDecorator[str]):
    """Text of any length."""

    impl = Text
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[str | None], str | None]:
        """Into the database. Raises UnstorableError."""
        return _checked


class Key(Words):
    """Text that rows are found and sorted by: by code point, whatever the database's language."""

    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """PostgreSQL would otherwise sort by the rules of its language."""
        collation = "C" if dialect.name == "postgresql" else None
        return Text(collation=collation)


class Json(TypeDecorator[Any]):
    """Plain values."""

    impl = Text
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[object], str | None]:
        """Into the database. Raises UnstorableError."""
        return lambda value: None if value is None else json_text(value)

    def result_processor(
        self,
        dialect: Dialect,
        coltype: object,
    ) -> Callable[[str | None], object]:
        """Out of it."""
        return _read_json


def _checked(value: str | None) -> str | None:
    if value is not None and not is_storable(value):
        raise UnstorableError("text with a NUL or half a surrogate pair in it")
    return value
