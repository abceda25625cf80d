"""Keeps a process whose threads share Python's lock on one processor, and others of ours off it.

Only one thread of a process runs Python at a time. Spread over several processors, threads hand the
lock from one to the other with every statement to a database and every answer of a mail server:
each time another processor is woken, and finds nothing of ours in its caches. See decision 32.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

_STAT: Final = Path("/proc/thread-self/stat")
_PROCESSOR: Final = 36
"""Which field behind the name of the program says where it runs (proc(5))."""
_TASKS: Final = Path("/proc/self/task")
_CLAIM: Final = "\0pbem/processor/{}"
"""Who has a processor: a name that one process can have, and loses when it ends (unix(7)). Those of
another network, as of most containers, have names of their own."""

_staying: Final = threading.Lock()


@contextmanager
def staying() -> Iterator[None]:
    """While the block runs, all threads stay on the processor where the system has placed this one,
    or, if another process of ours stays there, on one that none of ours has, if there is one.

    Where an operator has chosen one processor, where the process stays already, and on systems that
    have or allow no such choice, all is as it was.
    """
    if not _staying.acquire(blocking=False):
        yield
        return
    with ExitStack() as stack:
        stack.callback(_staying.release)
        allowed = _find_allowed()
        if allowed:
            stack.callback(_bind_threads, allowed)
            _bind_threads({_find_place(allowed, stack)})
        yield


def _find_allowed() -> Collection[int]:
    """The processors on which this thread may run; none if nobody can say."""
    if sys.platform == "linux":
        with suppress(OSError):
            return os.sched_getaffinity(0)
    return ()


def _find_place(allowed: Collection[int], claims: ExitStack) -> int:
    """A processor that is ours alone until the claims are closed; without any, where we are."""
    here = _find_here()
    first = here if here is not None and here in allowed else min(allowed)
    with suppress(OSError):
        claim = claims.enter_context(socket.socket(socket.AF_UNIX))
        for processor in (first, *sorted(allowed)):
            with suppress(OSError):
                claim.bind(_CLAIM.format(processor))
                return processor
    return first


def _find_here() -> int | None:
    """The processor on which this thread runs."""
    try:
        return int(_STAT.read_text().rpartition(")")[2].split()[_PROCESSOR])
    except (OSError, ValueError, IndexError):
        return None


def _bind_threads(processors: Collection[int]) -> None:
    """Let all threads run only there; those that they begin later do the same."""
    if sys.platform == "linux":
        with suppress(OSError):  # some sandboxes forbid it; then it only takes longer
            for task in list(_TASKS.iterdir()):
                with suppress(ProcessLookupError):  # it has ended meanwhile
                    os.sched_setaffinity(int(task.name), processors)
