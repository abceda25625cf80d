"""What the queries of every topic share: the connection in its transaction, and how it is lost.

A transaction in which anything failed is *spoiled*: it can only be undone. PostgreSQL would answer
its COMMIT with success and keep nothing, and SQLite would keep the half that worked.

Statements go to the bare driver (``prepared``, ``lines``). Writes of which nobody needs an answer
are collected and sent together, on PostgreSQL in one round trip; whatever reads sends them first,
and the end of the transaction goes with the last. A savepoint waits for the first write or lock in
it; one in which there was none was never there, and one that begins where another does is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, wraps
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from sqlalchemy import Connection, Executable, Table, TextClause, text
from sqlalchemy.dialects import postgresql, sqlite

from pbem.errors import PbemError, StoreConflictError, StoreError, StoreUnavailableError
from pbem.store.columns import OfMany
from pbem.store.driver_errors import ours
from pbem.store.lines import COMMIT, Ran, Statement, line_of
from pbem.store.prepared import Prepared, bound_rows, prepare

SPOILED: Final = "pbem_spoiled"
"""Set in a connection's ``info`` once something has failed."""

_COMMIT: Final = text(COMMIT)
_MOST_SEEN: Final = 1024
_NOTHING: Final[Mapping[str, Any]] = {}

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")
Insert = postgresql.Insert | sqlite.Insert
Wanted = tuple[Executable, Mapping[str, Any]]
"""A statement with its values."""
Foresight = Generator[Sequence[Wanted], Sequence[list[Any]], None]
"""Wants statements run, is sent the rows of each, and remembers what they answer."""


class _Write:
    """One statement that waits to be sent, and what to say if it does not change one row."""

    __slots__ = ("parameters", "prepared", "what")

    def __init__(self, prepared: Prepared, parameters: Any, what: str | None) -> None:
        self.prepared = prepared
        self.parameters = parameters
        self.what = what


class _Savepoint(NamedTuple):
    """The statements of a savepoint."""

    begin: TextClause
    release: TextClause
    rollback: TextClause


@cache
def _savepoint(depth: int) -> _Savepoint:
    """The savepoint of a part that lies so deep in its unit; the same each time."""
    verbs = ("SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK TO SAVEPOINT")
    return _Savepoint(*(text(f"{verb} pbem_{depth}") for verb in verbs))


class Transaction:
    """One open transaction of either database."""

    def __init__(self, connection: Connection) -> None:
        self.__connection = connection
        self.__waiting: list[_Write] = []
        self.__savepoints: set[_Write] = set()
        """The beginnings of the parts that this unit is in."""
        self.__depth = 0
        self._seen: dict[Any, Any] = {}
        """What was read; of a unit that writes, since it last wrote or locked anything."""
        self._dialect = connection.dialect.name
        self._line = line_of(connection)
        self._driver_error: type[Exception] = connection.dialect.loaded_dbapi.Error

    @property
    def _connection(self) -> Connection:
        """The connection, behind all that waits to be written, for statements made for one
        asking."""
        self.flush()
        return self.__connection

    def _conflict(self, reason: str) -> StoreConflictError:
        """An error to raise: what was to be stored contradicts what is there."""
        self.__spoil()
        return StoreConflictError(reason)

    @contextmanager
    def nested(self) -> Iterator[None]:
        """A part of this unit that is undone alone when its block raises; the unit can go on.

        An error of the store spoils the whole unit, as ever.
        """
        if self.__waiting and self.__waiting[-1] in self.__savepoints:
            with self.__nested_at_once():
                yield
            return
        savepoint = _savepoint(self.__depth)
        begin = self.__add(savepoint.begin, {})
        self.__savepoints.add(begin)
        self.__depth += 1
        try:
            yield
            if self.__waiting and self.__waiting[-1] is begin:
                self.__waiting.pop()  # nothing was written or locked in it
            else:
                is_all_sent = not self.__waiting
                self.__add(savepoint.release, {})
                if not is_all_sent:
                    self.flush()  # whoever has written it is told if it cannot be
        except StoreError:
            raise
        except BaseException:
            self.__undo(savepoint, begin)
            if self.__waiting and self.__waiting[-1] is begin:
                self.__waiting.pop()
            raise
        finally:
            self.__savepoints.discard(begin)
            self.__depth -= 1

    @contextmanager
    def __nested_at_once(self) -> Iterator[None]:
        """A part that begins where the one around it begins: their savepoint is the same."""
        begin, savepoint = self.__waiting[-1], _savepoint(self.__depth - 1)
        try:
            yield
            if self.__waiting and self.__waiting[-1] is not begin:
                self.flush()  # whoever has written it is told if it cannot be
        except StoreError:
            raise
        except BaseException:
            self.__undo(savepoint, begin)
            raise

    def __undo(self, savepoint: _Savepoint, begin: _Write) -> None:
        """Go back to a savepoint, which stays; unless there is nothing to go back in."""
        self._seen.clear()
        connection = self.__connection
        if begin in self.__waiting:
            del self.__waiting[self.__waiting.index(begin) + 1 :]
            return
        self.__waiting.clear()
        if not (connection.invalidated or connection.info.get(SPOILED)):
            self.__add(savepoint.rollback, {})
            self.flush()

    # -- the bare driver ------------------------------------------------------------------------

    def _write_later(
        self, statement: Executable, values: Mapping[str, Any], what: str | None = None
    ) -> None:
        """Write with the next flush. With ``what``, exactly one row must change."""
        self._seen.clear()
        self.__add(statement, values, what)

    def __add(
        self, statement: Executable, values: Mapping[str, Any], what: str | None = None
    ) -> _Write:
        prepared = prepare(statement, self.__connection.dialect, values)
        try:
            write = _Write(prepared, prepared.parameters(values), what)
        except BaseException as error:
            self.__tell_fault(error)
            raise
        self.__waiting.append(write)
        return write

    def _add_many(self, table: Table, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Write many new rows of a table now; each has its values in the order of the names."""
        self._seen.clear()
        self.flush()
        if not rows:
            return
        columns = ", ".join(names)
        driver: Any = self.__connection.connection.driver_connection
        try:
            values = bound_rows([table.c[name] for name in names], rows, self.__connection.dialect)
            if self._dialect == "sqlite":
                places = ", ".join("?" * len(names))
                driver.executemany(
                    f"INSERT INTO {table.name} ({columns}) VALUES ({places})", values
                )
                return
            copying = f"COPY {table.name} ({columns}) FROM STDIN"
            with driver.cursor() as cursor, cursor.copy(copying) as copy:
                for row in values:
                    copy.write_row(row)
        except BaseException as error:
            self.__tell_fault(error)
            raise

    def _change(self, statement: Executable, values: Mapping[str, Any]) -> int:
        """Write now; how many rows have changed."""
        self._seen.clear()
        [ran] = self.__send(self.__bound([(statement, values)]))
        return ran.changed

    def _rows(self, statement: Executable, values: Mapping[str, Any] = _NOTHING) -> list[Any]:
        """The rows of a statement; their values have the names of the columns."""
        [rows] = self._fetch((statement, values))
        return rows

    def _first(self, statement: Executable, values: Mapping[str, Any] = _NOTHING) -> Any:
        """The first row of a statement; None if it has none."""
        rows = self._rows(statement, values)
        return rows[0] if rows else None

    def _column(self, statement: Executable, values: Mapping[str, Any] = _NOTHING) -> list[Any]:
        """The first value of each row."""
        return [row[0] for row in self._rows(statement, values)]

    def _value(self, statement: Executable, values: Mapping[str, Any] = _NOTHING) -> Any:
        """The first value of the first row; None if there is none."""
        row = self._first(statement, values)
        return None if row is None else row[0]

    def _of_many(self, statements: OfMany, values: Collection[Any]) -> Wanted:
        """The statement for so many values, with them."""
        if len(values) == 1:
            [one] = values
            return statements.one, {"one": one}
        return statements.many[self._dialect], {"many": list(values)}

    def _foresee_each(
        self,
        method: Callable[..., Any],
        statements: OfMany,
        asked: Collection[Any],
        column: str,
        answer: Callable[[list[Any]], Any],
    ) -> Foresight:
        """What a method is going to answer, when asked one by one, from the rows of ``of_many``."""
        answers: dict[Any, list[Any]] = {each: [] for each in asked}
        [rows] = yield [self._of_many(statements, answers)]
        for row in rows:
            answers[getattr(row, column)].append(row)
        for each, found in answers.items():
            self._foretell(method, answer(found), each)

    def _foresee(self, *topics: Foresight) -> None:
        """Have several topics remember, after one round trip, what they are going to be asked."""
        wanted = [next(topic) for topic in topics]
        found = iter(self._fetch(*(each for statements in wanted for each in statements)))
        for topic, statements in zip(topics, wanted, strict=True):
            with suppress(StopIteration):
                topic.send([next(found) for _ in statements])

    def _foretell(self, method: Callable[..., Any], answer: object, *asked: object) -> None:
        """Remember what a method of a topic is going to answer."""
        self._seen[method, asked, ()] = answer

    def _is_foretold(self, method: Callable[..., Any], *asked: object) -> bool:
        """Whether it is known what a method is going to answer."""
        return (method, asked, ()) in self._seen

    def _fetch(self, *wanted: Wanted) -> list[list[Any]]:
        """The rows of several statements, run one after the other in one round trip."""
        statements = self.__bound(wanted)
        only_looks = all(prepared.only_looks for prepared, _ in statements)
        if not only_looks:
            self._seen.clear()
        if only_looks and self.__savepoints.issuperset(self.__waiting):
            self.__check()
            found = self._run(statements)
        else:
            found = self.__send(statements)
        try:
            return [
                prepared.rows(ran.rows)
                for (prepared, _), ran in zip(statements, found, strict=True)
            ]
        except BaseException as error:
            self.__tell_fault(error)
            raise

    def __bound(self, wanted: Sequence[Wanted]) -> list[Statement]:
        dialect = self.__connection.dialect
        try:
            prepared = [(prepare(each, dialect, values), values) for each, values in wanted]
            return [(each, each.parameters(values)) for each, values in prepared]
        except BaseException as error:
            self.__tell_fault(error)
            raise

    def finish(self) -> None:
        """Send what waits, and the end of the transaction with it. Raises as ``flush`` does."""
        if any(write.what is not None for write in self.__waiting):
            self.flush()  # it is not to be kept if one of them changed nothing
        if self.__waiting or not self._line.is_idle:
            self.__add(_COMMIT, {})
        self.flush()
        if self._line.is_lost:
            self.__connection.invalidate()

    def flush(self) -> None:
        """Send what waits. Raises StoreConflictError and the store's other errors.

        Raises StoreError too if anything in this unit has failed before.
        """
        self.__send(())

    def __send(self, statements: Sequence[Statement]) -> list[Ran]:
        """Run what waits, and then statements, in one round trip; what those have brought."""
        waiting, self.__waiting = self.__waiting, []
        self.__check()
        if not waiting and not statements:
            return []
        found = self._run([*((write.prepared, write.parameters) for write in waiting), *statements])
        for write, ran in zip(waiting, found, strict=False):
            if write.what is not None and ran.changed != 1:
                raise self._conflict(write.what)
        return found[len(waiting) :]

    def __check(self) -> None:
        if self.__connection.invalidated:
            raise StoreUnavailableError("the connection was lost, so nothing of this unit was kept")
        if self.__connection.info.get(SPOILED):
            raise StoreError("something in this unit had failed, so none of it is kept")

    def _run(self, statements: Sequence[Statement]) -> list[Ran]:
        try:
            return self._line.run(statements)
        except BaseException as error:
            self.__tell_fault(error)
            raise

    def __tell_fault(self, error: BaseException) -> None:
        """Note that something has failed. Raises a driver's error as one of ours, as ``faults``
        does for SQLAlchemy's; any other is the caller's to raise again. It is no context manager,
        for entering one takes longer than some statements do."""
        if isinstance(error, (self._driver_error, OverflowError, UnicodeEncodeError)):
            connection = self.__connection
            lost = connection.dialect.is_disconnect(error, connection.connection, None)  # type: ignore[arg-type]
            if lost:
                connection.invalidate(error)
            self.__spoil()
            # Not "from": what the driver says may hold the row, and tracebacks end up in logs.
            raise ours(error, lost=lost) from None
        if not isinstance(error, PbemError) and self._line.is_lost:
            self.__connection.invalidate(error)
        self.__spoil()

    def __spoil(self) -> None:
        # A connection that is gone has no place for the mark, and needs none.
        if not self.__connection.invalidated:
            self.__connection.info[SPOILED] = True


def remembered(method: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    """Asked twice, a unit need not look twice, as long as it has written and locked nothing in
    between: whoever waits for a lock wants to see what is there then. A lock that is remembered is
    still held: what gives it back, as a part that is undone, forgets everything."""

    @wraps(method)
    def ask(*asked: Asked.args, **more: Asked.kwargs) -> Answer:
        unit: Any = asked[0]
        seen: dict[Any, Any] = unit._seen
        key = (ask, asked[1:], tuple(more.items()))
        if key not in seen:
            answer = method(*asked, **more)
            if len(seen) >= _MOST_SEEN:
                seen.clear()
            seen[key] = answer
            return answer
        known: Answer = seen[key]
        return known

    return ask


def inserts(table: Table) -> dict[str, Insert]:
    """An INSERT by the name of the database, to be told what to do if the row is there already."""
    return {"postgresql": postgresql.insert(table), "sqlite": sqlite.insert(table)}
