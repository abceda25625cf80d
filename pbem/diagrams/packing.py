"""Rows of palette indices as a PNG file.

Pillow's own writer looks at every row again, so the few chunks are written here. ISA-L packs a
board in a quarter of the time that others take; pictures are drawn so that it still gets a usual
one below 30 kB (decision 33). Those that it leaves LARGE, with arrows and many pieces in the open,
are packed again with more care.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Final

from isal import isal_zlib
from zlib_ng import zlib_ng

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
LARGE: Final = 33_500
"""With what stands around it such a file is just below 34 kB. To pack one again takes four times as
long as the first time, so only those are that would be above."""
_QUICK: Final = 2
_CAREFUL: Final = 3
"""Levels, as the two libraries count them."""


def pack_png(rows: memoryview, *, width: int, height: int, palette: bytes) -> bytes:
    """A palette PNG from rows of indices, each behind its filter byte 0."""
    return b"".join((_head(width, height, palette), *_chunk(b"IDAT", _pack(rows)), _END))


@lru_cache(maxsize=16)
def _head(width: int, height: int, palette: bytes) -> bytes:
    """All before the pixels: the same for nearly all pictures."""
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return b"".join((SIGNATURE, *_chunk(b"IHDR", header), *_chunk(b"PLTE", palette)))


def _pack(rows: memoryview) -> bytes:
    packed: bytes = isal_zlib.compress(rows, _QUICK)
    return packed if len(packed) <= LARGE else zlib_ng.compress(rows, _CAREFUL)


def _chunk(kind: bytes, data: bytes) -> tuple[bytes, bytes, bytes]:
    """In three pieces: what is long need not be copied to be joined with the rest."""
    checksum = isal_zlib.crc32(data, isal_zlib.crc32(kind))
    return struct.pack(">I", len(data)) + kind, data, struct.pack(">I", checksum)


_END: Final = b"".join(_chunk(b"IEND", b""))
