"""Rows of palette indices as a PNG file.

Packing is most of the time a picture takes. Pillow's own writer looks at every row again, so the
few chunks are written here. Where the package ``zlib-ng`` is installed it does the compression:
the same format in half the time.
"""

from __future__ import annotations

import struct
import zlib
from functools import cache
from importlib import import_module
from typing import Any, Final

from pbem.diagrams.layout import WIDTH

LARGEST: Final = 30_000
"""No picture of the usual width or less is larger, as long as there is a way to avoid it."""
LEVEL: Final = 5
"""One less would bring every twelfth picture over the limit, one more takes half as long again."""
HARD_LEVEL: Final = 6
FRAME: Final = 400
"""What a file has around the packed rows, and a little more."""

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


def pack_png(rows: memoryview, *, width: int, height: int, palette: bytes) -> bytes:
    """A palette PNG from rows of indices, each behind its filter byte 0."""
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = (_chunk(b"IHDR", header), _chunk(b"PLTE", palette))
    packed = _zlib().compress(rows, LEVEL)
    # Five of a thousand boards of real games are that crowded.
    if len(packed) > LARGEST - FRAME and width <= WIDTH:
        packed = _zlib().compress(rows, HARD_LEVEL)
    return b"".join((SIGNATURE, *chunks, _chunk(b"IDAT", packed), _chunk(b"IEND", b"")))


@cache
def _zlib() -> Any:
    try:
        return import_module("zlib_ng.zlib_ng")
    except ImportError:
        return zlib


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = _zlib().crc32(data, _zlib().crc32(kind))
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)
