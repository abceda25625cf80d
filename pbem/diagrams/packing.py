"""Rows of palette indices as a PNG file.

Packing is most of the time a picture takes. Pillow's own writer looks at every row again, so the
few chunks are written here. Where the package ``zlib-ng`` is installed it does the compression:
the same format in half the time.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Final, cast

FAST_LEVEL: Final = 5
"""Less would make pictures of busy boards too large for a mail."""
PLAIN_LEVEL: Final = 5

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


def pack_png(rows: memoryview, *, width: int, height: int, palette: bytes) -> bytes:
    """A palette PNG from rows of indices, each behind its filter byte 0."""
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return b"".join(
        (
            SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", palette),
            _chunk(b"IDAT", _compressor()(rows)),
            _chunk(b"IEND", b""),
        )
    )


@cache
def _compressor() -> Callable[[memoryview], bytes]:
    try:
        fast = import_module("zlib_ng.zlib_ng")
    except ImportError:
        return lambda rows: zlib.compress(rows, PLAIN_LEVEL)
    return lambda rows: cast(bytes, fast.compress(rows, FAST_LEVEL))


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(data, zlib.crc32(kind))
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)
