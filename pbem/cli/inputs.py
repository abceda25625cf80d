"""What a command is given: positions, arena files, records; and how faults are shown."""

from __future__ import annotations

import codecs
import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, TextIO

import click

from notation.errors import NotationError
from notation.position_line import parse_position
from notation.record_reading import guess_encoding
from pbem.cli.showing import make_plain
from pbem.errors import PbemError
from pbem.games.base import OptionsError
from pbem.games.ortus.arena import (
    BUILT_IN,
    MAX_FILE_BYTES,
    Arena,
    ArenaError,
    get_arena,
    parse_arena,
)
from pbem.games.ortus.options import parse_options
from pbem.games.ortus.position import Position, from_line

_SNIFFED: Final = 1 << 20
_MAX_POSITION: Final = 4096
_SHOWN: Final = 100


def read_arena(path: Path) -> Arena:
    """An arena file. Raises click's error with every fault on a line of its own."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
        return parse_arena(data.decode("utf-8", errors="replace"))
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from None
    except ArenaError as error:
        faults = "\n".join(f"  - {fault}" for fault in error.faults)
        raise click.ClickException(f"{path} is not a playable arena:\n{faults}") from None


def read_position(
    text: str, *, arena_file: Path | None = None, dicey: bool = False, handicap: str = ""
) -> Position:
    """A position line, ``-`` for one on standard input. Raises click's error with a caret."""
    try:
        options = parse_options({"handicap": handicap})
    except OptionsError as error:
        raise click.ClickException(f"The handicap {error.faults['handicap']}.") from None
    if text == "-":
        data = sys.stdin.buffer.read(_MAX_POSITION + 1)
        text = data.decode("utf-8", errors="replace").strip()
    try:
        line = parse_position(text)
    except NotationError as error:
        raise click.ClickException(show_fault(text, error)) from None
    if arena_file is not None:
        arena = read_arena(arena_file)
        if arena.name != line.arena:
            raise click.ClickException(
                f"The position is on arena {line.arena}, the file is {arena.name}."
            )
    elif line.arena in BUILT_IN:
        arena = get_arena(line.arena)
    else:
        raise click.ClickException(
            f"There is no arena {line.arena} here; give its file with --arena FILE."
        )
    try:
        return from_line(
            line, arena, dicey=dicey, bonus=options.bonus, collecting=options.collecting
        )
    except ValueError as error:
        raise click.ClickException(f"{error}.") from None


def show_fault(text: str, error: NotationError) -> str:
    """A fault with the line it is in and a caret under the place."""
    lines = text.splitlines() or [""]
    line = lines[min(error.line, len(lines)) - 1]
    start = max(0, error.column - 1 - _SHOWN // 2)
    shown = make_plain(line[start : start + _SHOWN])
    caret = " " * (error.column - 1 - start) + "^"
    found = f"found {error.found!r}" if error.found else "the text ends"
    return f"column {error.column}: {found}, expected {error.expected}\n\n  {shown}\n  {caret}"


@contextmanager
def showing_errors() -> Iterator[None]:
    """Say the server's own errors as the command line says all errors: one line, exit code 1."""
    try:
        yield
    except PbemError as error:
        raise click.ClickException(error.sentence) from None


@contextmanager
def open_records(path: str, *, exactly: bool = False) -> Iterator[TextIO]:
    """A file of records as lines, whatever its encoding; ``-`` is standard input.

    The lines can be read again after ``seek(0)``. What is in no encoding becomes U+FFFD, or, with
    ``exactly``, click's error.
    """
    with decode_records(open_input(path), exactly=exactly) as file:
        try:
            yield file
        except UnicodeDecodeError as error:
            raise click.ClickException(f"{path} is not all text: {error}.") from None


def open_input(path: str) -> IO[bytes]:
    """A file as bytes, ``-`` for standard input; the caller closes it. Raises NoFileError."""
    try:
        if path == "-":
            return _spooled_input()
        file = open(path, "rb")  # noqa: SIM115 - the caller closes it
        file.peek(1)  # a folder can be opened, but not read
    except OSError as error:
        raise NoFileError(f"{path}: {error.strerror}") from None
    return file


def decode_records(data: IO[bytes], *, exactly: bool = False) -> TextIO:
    """Bytes of records as lines, whatever their encoding; as for ``open_records``."""
    head = data.read(_SNIFFED)
    data.seek(0)
    encoding = guess_encoding(head, is_all=len(head) < _SNIFFED)
    errors = "strict" if exactly else "replace"
    return io.TextIOWrapper(data, encoding=encoding, errors=errors, newline="")


class NoFileError(click.ClickException):
    """There is no such file, or it cannot be read."""


class NoTextError(ValueError):
    """A file in which no records can be."""


@contextmanager
def open_any_records(path: str) -> Iterator[TextIO]:
    """A file of records as lines; ``-`` is standard input. UTF-16 is known by its mark; of anything
    else bytes that are not UTF-8 are kept (``surrogateescape``), for whoever knows better. Raises
    NoTextError."""
    data = open_input(path)
    head = data.read(_SNIFFED)
    data.seek(0)
    is_wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not is_wide and b"\0" in head:
        data.close()
        is_zip = head.startswith(b"PK")
        raise NoTextError(
            "this is a zip: unpack it, and take the .ogn files in it"
            if is_zip
            else "this is no text"
        )
    encoding, errors = ("utf-16", "replace") if is_wide else ("utf-8", "surrogateescape")
    with io.TextIOWrapper(data, encoding=encoding, errors=errors, newline="") as file:
        yield file


def _spooled_input() -> IO[bytes]:
    """Standard input as a file: where it comes from a pipe it could be read but once."""
    spool = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    shutil.copyfileobj(sys.stdin.buffer, spool)
    spool.seek(0)
    return spool
