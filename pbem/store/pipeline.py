"""Many statements to PostgreSQL in one round trip: a pipeline of libpq, worked through psycopg.

psycopg's cursors take several times as long over a small statement as the server does, and begin
and end each transaction in a round trip of its own. Here a transaction begins with the first
statements, and every statement is prepared under a name when a connection first meets it. Values
but bytes go as text, for then the server reads them as the types that the statement says.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from typing import Any, Final

from psycopg import Binary, Connection, IsolationLevel, OperationalError
from psycopg.abc import Buffer, PQGen
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import (
    FeatureNotSupported,
    InFailedSqlTransaction,
    InvalidSqlStatementName,
    error_from_result,
)
from psycopg.pq import ConnStatus, ExecStatus, PipelineStatus, TransactionStatus
from psycopg.pq.abc import PGresult
from psycopg.waiting import Ready, Wait

from pbem.store.lines import COMMIT, Ran, Statement

_BYTES: Final = (bytes, Binary)
"""What goes as it is. SQLAlchemy wraps bytes for the driver."""
_FORGOTTEN: Final = (FeatureNotSupported, InvalidSqlStatementName)
"""What the server says when it does not know a statement any more, or when its tables are other
ones than when it was prepared."""
_CANCELLING: Final = 2.0
"""Seconds."""
_FAILED: Final = (ExecStatus.FATAL_ERROR, ExecStatus.BAD_RESPONSE)
_END: Final = ExecStatus.PIPELINE_SYNC
_LOST: Final = ConnStatus.BAD
"""Asked of every result: to look them up in their enums takes longer."""

_Command = tuple[str, Sequence[Buffer | None], Sequence[int]]
"""A statement's text, its values as bytes, and how they are written."""


class Pipeline:
    """The way to a server."""

    def __init__(self, driver: Connection[Any]) -> None:
        self.driver = driver
        self._names: dict[str, bytes] = {}
        """What the server knows each statement by."""
        self._numbers = count()
        self._values = Transformer(driver)

    @property
    def is_idle(self) -> bool:
        """Whether no transaction is under way."""
        return self.driver.pgconn.transaction_status == TransactionStatus.IDLE

    @property
    def is_lost(self) -> bool:
        """Whether nothing more can be asked."""
        return self.driver.closed

    def run(self, statements: Sequence[Statement]) -> list[Ran]:
        """Run statements in their order, beginning a transaction where there is none."""
        commands = [self._command(prepared.text, values) for prepared, values in statements]
        begun = 0
        if self.is_idle:
            commands.insert(0, (self._begin(), (), ()))
            begun = 1
        try:
            results = self.driver.wait(self._exchange(commands))
        except BaseException as error:
            if self.driver.pgconn.pipeline_status != PipelineStatus.OFF:
                self._break_off()
            if isinstance(error, _FORGOTTEN):
                self._names.clear()
            raise
        if commands[-1][0] == COMMIT and results[-1].command_status != b"COMMIT":
            raise InFailedSqlTransaction("something had failed, so nothing was kept")
        return [self._ran(result) for result in results[begun:]]

    def _break_off(self) -> None:
        """In the middle nobody knows what the server has still to say. It is told to stop, for it
        might wait for a lock, and end the transaction when it has it."""
        with suppress(Exception):
            self.driver.cancel_safe(timeout=_CANCELLING)
        self.driver.close()

    def _begin(self) -> str:
        """With the isolation and the right to write that the connection is set to."""
        text, level = "BEGIN", self.driver.isolation_level
        if level is not None:
            text += f" ISOLATION LEVEL {IsolationLevel(level).name.replace('_', ' ')}"
        if self.driver.read_only is not None:
            text += " READ ONLY" if self.driver.read_only else " READ WRITE"
        return text

    def _command(self, text: str, values: Sequence[Any]) -> _Command:
        ways = [PyFormat.BINARY if isinstance(each, _BYTES) else PyFormat.TEXT for each in values]
        return text, self._values.dump_sequence(values, ways), self._values.formats or ()

    def _ran(self, result: PGresult) -> Ran:
        if result.status != ExecStatus.TUPLES_OK:
            return Ran([], result.command_tuples or 0)
        self._values.set_pgresult(result)
        rows = self._values.load_rows(0, result.ntuples, tuple)
        return Ran(rows, result.command_tuples or 0)

    def _exchange(self, commands: Sequence[_Command]) -> PQGen[list[PGresult]]:
        """Send commands and fetch what came of each. Raises the server's first error."""
        link = self.driver.pgconn
        link.enter_pipeline_mode()
        new = self._send(commands)
        # From a server that has gone, what it said before is told first: maybe all was kept.
        with suppress(OperationalError):
            while link.flush():
                ready = yield Wait.RW
                if ready and ready & Ready.R:  # nothing when psycopg goes on after an interrupt
                    link.consume_input()
        results = yield from self._fetch()
        if link.status != _LOST:
            link.exit_pipeline_mode()
        done = results[: len(commands) + len(new)]
        failed = next((each for each in results if each.status in _FAILED), None)
        known = self._note_prepared(new, done)
        if len(known) == len(commands) and failed not in done:
            return known
        if failed is not None:
            raise error_from_result(failed, encoding=self.driver.info.encoding)
        raise OperationalError("the connection is lost")

    def _send(self, commands: Sequence[_Command]) -> dict[int, tuple[str, bytes]]:
        """Queue commands, and before each one that is new its preparation; where among the results
        those will be."""
        link = self.driver.pgconn
        new: dict[int, tuple[str, bytes]] = {}
        names = dict[str, bytes]()
        place = 0
        for text, values, formats in commands:
            name = self._names.get(text) or names.get(text)
            if name is None:
                name = names[text] = b"pbem_%d" % next(self._numbers)
                link.send_prepare(name, text.encode())
                new[place] = text, name
                place += 1
            link.send_query_prepared(name, values, formats)
            place += 1
        link.pipeline_sync()
        return new

    def _fetch(self) -> PQGen[list[PGresult]]:
        """All results, or those that came before the connection was lost."""
        link = self.driver.pgconn
        results: list[PGresult] = []
        while True:
            while link.is_busy():
                yield Wait.R
                try:
                    link.consume_input()
                except OperationalError:
                    break
            result = link.get_result()
            if result is None:  # behind every result
                if link.status == _LOST:
                    return results
            elif result.status == _END:
                return results
            else:
                results.append(result)

    def _note_prepared(
        self, new: dict[int, tuple[str, bytes]], results: Sequence[PGresult]
    ) -> list[PGresult]:
        """Remember what the server knows now; the results of the statements themselves."""
        others = []
        for place, result in enumerate(results):
            if place not in new:
                others.append(result)
            elif result.status == ExecStatus.COMMAND_OK:
                text, name = new[place]
                self._names[text] = name
        return others
