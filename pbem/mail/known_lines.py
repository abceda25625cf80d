"""The lines of mails of ours, kept as fingerprints: enough to know a line again that comes back.

Programs copy a mail into the answer to it with marks or without. A line of a reply that stands in
what we sent is ours (L4.4, L4.5), however the program has spaced, marked or embellished it. Of each
line eight bytes are kept: a line cannot be read in them, only guessed, and they are compared as
they are. An answer may quote any of the last twenty mails, some two thousand lines.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from pbem.mail.text_lines import clean, fold

_SIZE: Final = 8
"""Bytes of a fingerprint. Of two thousand known lines none is taken for another by chance."""
_NUMBER: Final = "Q"
"""The same bytes as a number, in the machine's own order: none has to be cut out."""
_REMEMBERED: Final = 512
"""Lines whose fingerprints are at hand: most lines of our mails stand in all of them."""
_SHORT: Final = 160
"""The longest line of which that is so. A longer one is of one mail, and would take much room."""


def prints_of(lines: Iterable[str]) -> bytes:
    """The fingerprints of lines, one behind the other."""
    prints = [
        _remembered_print(line) if len(line) <= _SHORT else _make_print(line)
        for line in dict.fromkeys(lines)
    ]
    return b"".join(dict.fromkeys(prints))


class KnownLines:
    """Asks whether a line is among those of some mails, whose fingerprints ``prints_of`` made."""

    def __init__(self, *prints: bytes) -> None:
        # One that is damaged keeps nobody's mail from being read.
        whole = b"".join(each for each in prints if len(each) % _SIZE == 0)
        self._prints = frozenset(memoryview(whole).cast(_NUMBER))

    def __contains__(self, line: str) -> bool:
        made = _make_print(line)  # anybody's line: it would only take the room of ours
        return bool(made) and int.from_bytes(made, sys.byteorder) in self._prints

    def __bool__(self) -> bool:
        return bool(self._prints)


NOTHING_KNOWN: Final = KnownLines()


def _make_print(line: str) -> bytes:
    """Of one line; nothing if it says nothing."""
    folded = fold(clean(line))
    if not folded:
        return b""
    return blake2b(folded.encode("utf-8", "surrogatepass"), digest_size=_SIZE).digest()


_remembered_print: Final = lru_cache(_REMEMBERED)(_make_print)
