"""Where everything under load listens: this machine only, at ports that are free."""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from typing import Final

from workers.ports import keeping_port

HOST = "127.0.0.1"

_KEPT: Final = ExitStack()
atexit.register(_KEPT.close)


def free_port() -> int:
    """A port that nobody has, and nobody is given while this process runs: a server that was killed
    can listen at it again."""
    return _KEPT.enter_context(keeping_port(HOST))
