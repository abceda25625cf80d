"""That mails have left, noted by several couriers at once.

Each courier waits until its note is on the disk before it hands over another mail: the commit is
what takes long. So those who have something to note put it down and come up one at a time. Whoever
has the turn keeps all that is put down by then, in one unit; the others find theirs kept when they
have the turn, and go on. If that fails, only the one who tried is told: the others try themselves.
A failure that is no matter of waiting may be another's, so each is then kept by its own courier.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pbem.errors import StoreBusyError, StoreError, StoreUnavailableError
from pbem.play.ports import Store
from pbem.play.post import SENT

PATIENCE: Final = 30.0
"""Seconds for which a courier waits for its turn; as long as the store lets one wait to write."""


@dataclass(frozen=True, slots=True, eq=False)
class _Note:
    """That a mail has left, and when. Each is its courier's own: none is equal to another."""

    outgoing_id: int
    at: datetime


class SentNotes:
    """Notes of mails that have left, of couriers that share a store. None of them has a unit open
    when it comes: whoever has the turn might wait for that one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: set[_Note] = set()
        """Put down and not yet kept; each for as long as its courier waits for that. Threads change
        it without a lock: whatever they do to it is one step."""
        self._turn = threading.Lock()

    def keep(self, outgoing_id: int, at: datetime) -> None:
        """Note that a mail has left. It is kept when this returns; raises the store's errors."""
        note = _Note(outgoing_id, at)
        with self._put_down(note):
            if note not in self._waiting:
                return
            try:
                self._keep(self._waiting)
            except (StoreBusyError, StoreUnavailableError):
                raise
            except StoreError:
                self._keep({note})

    @contextmanager
    def _put_down(self, note: _Note) -> Iterator[None]:
        """Put down a note and wait for the turn; the note is taken up before others have it, so
        that they do not wait for what this one has waited for in vain."""
        has_turn = False
        self._waiting.add(note)
        try:
            has_turn = self._turn.acquire(timeout=PATIENCE)
            if not has_turn:
                raise StoreBusyError("others are noting what they have sent")
            yield
        finally:
            self._waiting.discard(note)
            if has_turn:
                self._turn.release()

    def _keep(self, wanted: set[_Note]) -> None:
        """Keep what was put down, in the order of numbers: another sender that notes the same
        mails, whose lease was over, would else wait for this one while this one waits for it."""
        with self._store.begin() as unit:
            # Not before: more is put down while this one waits until it can write.
            notes = wanted.copy()
            for note in sorted(notes, key=lambda note: note.outgoing_id):
                unit.end_notice(note.outgoing_id, SENT, at=note.at)
        self._waiting.difference_update(notes)
