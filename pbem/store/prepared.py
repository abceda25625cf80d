"""Statements for the bare driver: compiled once by SQLAlchemy, run without its machinery.

Statements are small and many, and SQLAlchemy would cost more than the database does. Values go
through its column types, so that a row is the same on every database.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import Column, Dialect, Executable, Float
from sqlalchemy.sql.compiler import SQLCompiler

Processor = Callable[[Any], Any]

_KNOWN: Final[dict[tuple[str, int], Prepared]] = {}


class Prepared:
    """One statement in the words of one driver."""

    __slots__ = (
        "_bind",
        "_constants",
        "_make_row",
        "_results",
        "_statement",
        "only_looks",
        "text",
    )

    def __init__(self, statement: Executable, dialect: Dialect, names: list[str]) -> None:
        self._statement = statement  # kept, so that its identity is not given to another
        compiled = statement.compile(dialect=_numbering(dialect), column_keys=names)  # type: ignore[attr-defined]
        assert isinstance(compiled, SQLCompiler)
        self.text = compiled.string
        # It writes nothing (an INSERT may give back rows, too) and waits for no lock.
        self.only_looks = self.text.startswith("SELECT") and " FOR " not in self.text
        assert "POSTCOMPILE" not in self.text, "a list of values would have to be written out"
        self._bind = [
            (name, compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect))
            for name in compiled.positiontup or ()
        ]
        self._constants = {
            name: bind.effective_value
            for name, bind in compiled.binds.items()
            if not bind.required and name not in names
        }
        columns = getattr(statement, "exported_columns", ())
        names_of = namedtuple("Row", [column.key for column in columns], rename=True)  # type: ignore[misc]
        self._make_row: Callable[[Iterable[Any]], Any] = names_of._make
        self._results: list[tuple[int, Processor]] = []
        for place, column in enumerate(columns):
            if isinstance(column.type, Float):
                continue  # every driver gives them back as they are
            process = column.type.dialect_impl(dialect).result_processor(dialect, None)
            if process is not None:
                self._results.append((place, process))

    def parameters(self, values: Mapping[str, Any]) -> list[Any]:
        """The values as the driver wants them, in their order. Raises UnstorableError."""
        if self._constants:
            values = {**self._constants, **values}
        return [
            values[name] if process is None else process(values[name])
            for name, process in self._bind
        ]

    def rows(self, raw: Iterable[tuple[Any, ...]]) -> list[Any]:
        """Rows as the column types give them back, with the columns' names."""
        rows: Iterable[Iterable[Any]] = map(self._processed, raw) if self._results else raw
        return list(map(self._make_row, rows))

    def _processed(self, raw: tuple[Any, ...]) -> list[Any]:
        row = list(raw)
        for place, process in self._results:
            value = row[place]
            if value is not None:  # None is None in every column type
                row[place] = process(value)
        return row


@cache
def _numbering(dialect: Dialect) -> Dialect:
    """The same database, told values by their numbers: that is how its server knows them."""
    if dialect.name == "sqlite":
        return dialect
    return type(dialect)(paramstyle="numeric_dollar")  # type: ignore[call-arg]


def prepare(statement: Executable, dialect: Dialect, values: Mapping[str, Any]) -> Prepared:
    """The statement for a driver; the same one each time. Only for statements made at import,
    and always with values of the same names."""
    key = (dialect.name, id(statement))
    found = _KNOWN.get(key)
    if found is None:
        found = _KNOWN[key] = Prepared(statement, dialect, list(values))
    return found


def bound_rows(
    columns: Sequence[Column[Any]], rows: Sequence[Sequence[Any]], dialect: Dialect
) -> Iterator[tuple[Any, ...]]:
    """Rows of values as a driver wants them, column by column: there may be many. Raises
    UnstorableError."""
    bound = []
    for column, values in zip(columns, zip(*rows, strict=True), strict=True):
        process = column.type.dialect_impl(dialect).bind_processor(dialect)
        bound.append(values if process is None else map(process, values))
    return zip(*bound, strict=True)
