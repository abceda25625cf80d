"""Statements for the bare driver: compiled once by SQLAlchemy, run without its machinery.

A submission runs a dozen small statements, and SQLAlchemy would cost more than the database does.
Values go through the same column types, so a row is the same whichever way it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sqlalchemy import Dialect, Executable
from sqlalchemy.sql import Select
from sqlalchemy.sql.compiler import SQLCompiler

Processor = Callable[[Any], Any]

_KNOWN: Final[dict[tuple[str, int], Prepared]] = {}


class Prepared:
    """One statement in the words of one driver."""

    __slots__ = ("_bind", "_is_positional", "_results", "is_reading", "statement", "text")

    def __init__(self, statement: Executable, dialect: Dialect, names: list[str]) -> None:
        self.statement = statement  # kept, so that its identity is not given to another
        compiled = statement.compile(dialect=dialect, column_keys=names)  # type: ignore[attr-defined]
        assert isinstance(compiled, SQLCompiler)
        self.text = compiled.string
        processors = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect)
            for name, bind in compiled.binds.items()
        }
        self._is_positional = bool(compiled.positional)
        order = compiled.positiontup if self._is_positional else list(processors)
        self._bind = [(name, processors[name]) for name in order or ()]
        self._results: list[tuple[int, Processor]] = []
        self.is_reading = isinstance(statement, Select)
        if isinstance(statement, Select):
            for place, column in enumerate(statement.selected_columns):
                process = column.type.dialect_impl(dialect).result_processor(dialect, None)
                if process is not None:
                    self._results.append((place, process))

    def parameters(self, values: Mapping[str, Any]) -> Any:
        """The values as the driver wants them. Raises UnstorableError."""
        if self._is_positional:
            return [
                values[name] if process is None else process(values[name])
                for name, process in self._bind
            ]
        return {
            name: values[name] if process is None else process(values[name])
            for name, process in self._bind
        }

    def row(self, raw: tuple[Any, ...]) -> tuple[Any, ...]:
        """A row as the column types give it back."""
        if not self._results:
            return raw
        row = list(raw)
        for place, process in self._results:
            row[place] = process(row[place])
        return tuple(row)


def prepare(statement: Executable, dialect: Dialect, values: Mapping[str, Any]) -> Prepared:
    """The statement for a driver; the same one each time. Only for statements made at import,
    and always with values of the same names."""
    key = (dialect.name, id(statement))
    found = _KNOWN.get(key)
    if found is None:
        found = _KNOWN[key] = Prepared(statement, dialect, list(values))
    return found
