"""The files that ``pbem verify`` is given: records, logs, and exports (``.zip``) with an index.

Nothing is ever unpacked to disk, and memory stays bounded whatever a file holds: an export's list
of contents has a longest length, all of it together may not grow by more than ``MOST_GROWTH``, and
only the two ways of packing are read that an export of ours can have.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath, PureWindowsPath
from typing import IO, Final, Literal

import click

from pbem.cli.inputs import open_input
from pbem.play.exporting import INDEX

Kind = Literal["records", "log", "index"]

MAX_DIRECTORY: Final = 32 << 20
"""The longest list of contents of an export: some 400,000 files."""

MOST_GROWTH: Final = 100
ALWAYS_ALLOWED: Final = 64 << 20
"""An export may unpack to this many bytes and ``MOST_GROWTH`` times its own length."""

UNREADABLE: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, OverflowError,
)  # fmt: skip
"""What reading a damaged member of an export can raise."""

_PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED: Final = 0x1
_KINDS: Final[dict[str, Kind]] = {".ogn": "records", ".log": "log"}
_ZIP_BEGINNINGS: Final = (b"PK\x03\x04", b"PK\x05\x06")


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One file of records, of logs, or the index of an export. ``export`` is the number of the
    export it is in, and 0 for a file that was named itself; ``member`` is its name in there."""

    name: str
    kind: Kind
    open: Callable[[], IO[bytes]]
    export: int = 0
    member: str = ""


@dataclass(slots=True)
class Exhibits:
    """All that was found, what is wrong with the rest, and how much of it is neither."""

    found: list[Exhibit] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    others: int = 0
    exports: int = 0

    def of_kind(self, kind: Kind) -> list[Exhibit]:
        """All of one kind, in the order they were found."""
        return [exhibit for exhibit in self.found if exhibit.kind == kind]


def gather_exhibits(paths: Sequence[str], closing: ExitStack) -> Exhibits:
    """Look at files, ``-`` for standard input, and into exports, which are closed with
    ``closing``."""
    gathered = Exhibits()
    for path in paths:
        try:
            place = _kept_input(closing) if path == "-" else path
            with open_input(place) as file:
                beginning = file.read(4)
            suffix = PurePosixPath(path).suffix
            if suffix == ".zip" or (suffix not in _KINDS and beginning in _ZIP_BEGINNINGS):
                _look_into(path, closing.enter_context(open_input(place)), gathered)
                continue
        except click.ClickException as error:
            gathered.faults.append(error.message)
            continue
        guessed: Kind = "log" if beginning[:1] == b"{" else "records"
        kind = _KINDS.get(suffix, guessed)
        gathered.found.append(Exhibit(path, kind, partial(open_input, place)))
    return gathered


def _kept_input(closing: ExitStack) -> str:
    """The place of a file with all of standard input, which is gone when ``closing`` is."""
    spool = closing.enter_context(tempfile.NamedTemporaryFile())  # noqa: SIM115 - it is entered
    shutil.copyfileobj(sys.stdin.buffer, spool)
    spool.flush()
    return spool.name


def _look_into(path: str, file: IO[bytes], gathered: Exhibits) -> None:
    """Find the records and logs of an export, and say what else is not as it should be."""
    try:
        export = zipfile.ZipFile(_Cautious(file))
    except UNREADABLE as error:
        gathered.faults.append(f"{path}: cannot be read as an export: {error}")
        return
    gathered.exports += 1
    allowed = ALWAYS_ALLOWED + MOST_GROWTH * file.seek(0, io.SEEK_END)
    for member in export.infolist():
        name = f"{path}/{member.filename}"
        kind = _KINDS.get(PurePosixPath(member.filename).suffix)
        if member.filename == INDEX:
            kind = "index"
        fault = _find_fault(member)
        if fault is not None:
            gathered.faults.append(f"{name}: {fault}")
        elif kind is None:
            gathered.others += not member.is_dir()
        elif member.file_size > allowed:
            gathered.faults.append(f"{path}: unpacks to far more than an export of games does")
            return
        else:
            allowed -= member.file_size
            opened = partial(export.open, member)
            gathered.found.append(
                Exhibit(name, kind, opened, export=gathered.exports, member=member.filename)
            )


def _find_fault(member: zipfile.ZipInfo) -> str | None:
    """Why a member of an export is not looked at, if it is one that should have been."""
    name = PureWindowsPath(member.filename)  # it knows both kinds of slashes, and drives
    if name.drive or name.root or ".." in name.parts:
        return "has a name that leads out of the export; it was not read"
    if member.flag_bits & _ENCRYPTED:
        return "is encrypted; it was not read"
    if member.compress_type not in _PACKED:
        return "is packed in a way that no export of ours is; it was not read"
    if name.suffix == ".zip":
        return "is an export inside an export; it was not read"
    return None


class _Cautious(io.BufferedIOBase):
    """A file of which nobody can ask for more at once than the list of contents may be long."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def read(self, size: int | None = -1) -> bytes:
        if size is not None and size > MAX_DIRECTORY:
            raise zipfile.BadZipFile("its list of contents is too long")
        return self._file.read(-1 if size is None else size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True
