"""The folder of a static site: files are there as a whole or not at all, and only ours are touched.

A file is written beside its place and then put there. A folder is ours if it was empty or has our
mark; of an earlier writing that was broken off, nothing half done stays.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from pbem.errors import PbemError

MARK: Final = ".pbem-archive-site"
MARK_TEXT: Final = b"This folder is written by `pbem archive site`: what else is put here may go.\n"
PART: Final = ".part"
OUR_FOLDERS: Final = ("", "games", "players", "events", "years", "search")
OUR_ENDINGS: Final = (".html", ".ogn", ".js", ".css", ".svg", PART)


class SiteFolderError(PbemError):
    """A folder that cannot be that of a site."""


class SiteFolder:
    """A folder that is ours; ``keep`` is told every file that belongs to the site."""

    def __init__(self, root: Path, keep: Callable[[str], None]) -> None:
        self._root = root
        self._keep = keep

    @classmethod
    def open(cls, root: Path, *, keep: Callable[[str], None]) -> SiteFolder:
        """The folder, made if it is not there. Raises SiteFolderError."""
        try:
            root.mkdir(parents=True, exist_ok=True)
            has_others = any(root.iterdir()) and not (root / MARK).exists()
            if has_others:
                raise SiteFolderError(
                    f"there are other files in {root}; name an empty folder, or a new one"
                )
            for name in OUR_FOLDERS:
                (root / name).mkdir(exist_ok=True)
            (root / MARK).write_bytes(MARK_TEXT)
        except OSError as error:
            raise SiteFolderError(f"{error.filename}: {error.strerror}") from None
        return cls(root, keep)

    def has(self, path: str) -> bool:
        """Whether there is such a file."""
        return (self._root / path).is_file()

    def read_head(self, path: str, size: int) -> bytes:
        """The beginning of a file; nothing if it is not there."""
        try:
            with (self._root / path).open("rb") as file:
                return file.read(size)
        except OSError:
            return b""

    def keep(self, *paths: str) -> None:
        """Files that stay as they are."""
        for path in paths:
            self._keep(path)

    def write(self, path: str, data: bytes) -> None:
        """A file as it is to be; one that is so already is left alone. Raises SiteFolderError."""
        self._keep(path)
        place = self._root / path
        part = place.with_name(place.name + PART)
        try:
            is_there = place.is_file() and place.stat().st_size == len(data)
            if is_there and place.read_bytes() == data:
                return
            part.write_bytes(data)
            os.replace(part, place)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise SiteFolderError(f"{error.filename}: {error.strerror}") from None

    def remove_others(self, is_kept: Callable[[str], bool]) -> int:
        """Remove what belonged to the site before, and what was left half done; how many files."""
        removed = 0
        for folder in OUR_FOLDERS:
            for place in (self._root / folder).iterdir():
                path = place.relative_to(self._root).as_posix()
                if place.suffix in OUR_ENDINGS and place.is_file() and not is_kept(path):
                    place.unlink()
                    removed += 1
        return removed
