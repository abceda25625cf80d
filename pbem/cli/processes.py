"""Processes that share the work of a command."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def start_processes(jobs: int) -> ProcessPoolExecutor:
    """So many processes of their own: a fork would take our connections to the database along."""
    return ProcessPoolExecutor(
        jobs,
        mp_context=get_context("forkserver"),
        initializer=_take_over,
        initargs=(dict(os.environ),),
    )


def _take_over(environ: dict[str, str]) -> None:
    """What forks them has the settings of the moment it was first needed."""
    os.environ.clear()
    os.environ.update(environ)
