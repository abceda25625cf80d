"""Puts the parts together: settings, store and true randomness become the surroundings of play."""

from __future__ import annotations

import gc
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from pbem.config import Settings, read_settings
from pbem.play.ports import Surroundings
from pbem.store.database import open_store


def settle_memory() -> None:
    """Tell the garbage collector that what is loaded stays: it need not look through it again."""
    gc.collect()
    gc.freeze()


@contextmanager
def open_surroundings(settings: Settings | None = None) -> Iterator[Surroundings]:
    """The surroundings of this process. Raises PbemError when the store cannot be used."""
    store = open_store((settings or read_settings()).database_url)
    settle_memory()
    try:
        yield Surroundings(store, secrets.token_bytes)
    finally:
        store.dispose()
