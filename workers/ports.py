"""Ports that are chosen before the server that listens at them starts."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_CAN_BE_KEPT: Final = sys.platform == "linux"
"""Whether a server can listen at a port that is bound already, but at which nobody listens."""


@contextmanager
def keeping_port(host: str, port: int = 0) -> Iterator[int]:
    """The port, or any that is free, kept in the block for a server that asks for it by its number.
    Raises OSError if it cannot be had.

    One that is let go before its server starts can be given to any connection made meanwhile. It is
    not kept from who names it: any server that takes over addresses (``SO_REUSEADDR``), as servers
    do, can listen at it. Only Linux lets it be kept.
    """
    if _CAN_BE_KEPT:
        with socket.socket() as kept:
            kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            kept.bind((host, port))
            yield int(kept.getsockname()[1])
    else:
        with socket.create_server((host, port)) as taken:
            free = int(taken.getsockname()[1])
        yield free
