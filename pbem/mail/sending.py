"""From the outbox to a server: claim, compose, keep the letter, hand it over, note what came of it.

A letter is stored before its mail leaves, in a transaction of its own: a reply can never be here
before its token is known. Whatever happens in between, the row is still there and is written again
as the same mail (L1.3). Tries that reached a server back off with jitter, and five days of them
are enough (L1.4). While no server takes mail, nothing counts as a try.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from pbem.errors import StoreBusyError, StoreConflictError, StoreUnavailableError
from pbem.mail.bounces import permanent_failure, return_path
from pbem.mail.compose import NoAddressError, compose, when_to_send
from pbem.mail.composing.model import Composed
from pbem.mail.mime import to_bytes
from pbem.mail.office import Office
from pbem.mail.redact import redact
from pbem.mail.signing import Signer
from pbem.mail.transport import Delivered, Failed, RelayDownError, Transport, with_crlf
from pbem.play.ports import Surroundings
from pbem.play.post import DEAD, MOOT, SENT, Letter, Outgoing
from pbem.tally import TALLY

LEASE: Final = timedelta(minutes=10)
"""How long a sender has one mail to itself; more than all of a server's silences together."""
FIRST_PAUSE: Final = timedelta(minutes=5)
LONGEST_PAUSE: Final = timedelta(hours=6)
GIVEN_UP_AFTER: Final = timedelta(days=5)
FEWEST_TRIES: Final = 12
MOST_CRASHES: Final = 3
"""A mail that cannot be written is tried this often, and is then for the operator to look at."""
_DOWN_PAUSE: Final = timedelta(seconds=10)
_TRIES_TO_NOTE: Final = 3
_MAX_REASON: Final = 500

Fate = Literal["sent", "moot", "later", "failed", "dead", "crashed"]
"""``later``: it is not yet time; ``failed``: it will be tried again."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of the mails that were due; ``down`` says why no server took any."""

    fates: Counter[Fate]
    down: str | None = None

    @property
    def total(self) -> int:
        """How many mails were looked at."""
        return sum(self.fates.values())


def send_waiting(
    around: Surroundings,
    office: Office,
    transport: Transport,
    now: datetime,
    limit: int = 20,
    *,
    signer: Signer | None = None,
) -> Sent:
    """Send up to ``limit`` mails whose time has come, one after the other.

    Each is claimed alone: who is killed here leaves one mail waiting for its lease, not many.
    """
    fates: Counter[Fate] = Counter()
    for _ in range(limit):
        with around.store.begin() as unit:
            claimed = unit.claim_notices(now, lease=LEASE, limit=1)
        if not claimed:
            break
        mail = _Mail(around, office, transport, signer, claimed[0], now)
        try:
            fates[mail.send()] += 1
        except RelayDownError as error:
            reason = redact(str(error))[:_MAX_REASON]
            mail.put_off(now + _DOWN_PAUSE, reason=reason)
            return Sent(fates, reason)
    return Sent(fates)


def find_pause(outgoing: Outgoing, now: datetime) -> timedelta | None:
    """How long a mail waits after one more failure; None if it has failed for long enough.

    Pauses double up to a limit. The jitter follows from the row: mails that failed together do not
    come back together. Days in which nobody could try are not held against a mail.
    """
    is_old = outgoing.since is not None and now - outgoing.since >= GIVEN_UP_AFTER
    if is_old and outgoing.attempts + 1 >= FEWEST_TRIES:
        return None
    pause: timedelta = FIRST_PAUSE * 2 ** min(outgoing.attempts, 10)
    seed = f"{outgoing.message_id}/{outgoing.attempts}".encode()
    share = hashlib.sha256(seed).digest()[0] / 255
    return min(LONGEST_PAUSE, pause) * (0.75 + share / 2)


@dataclass(frozen=True, slots=True)
class _Mail:
    """One mail that is claimed, and what becomes of it."""

    around: Surroundings
    office: Office
    transport: Transport
    signer: Signer | None
    outgoing: Outgoing
    now: datetime

    def send(self) -> Fate:
        """Write it and hand it over. Raises RelayDownError and the store's errors."""
        try:
            at = self._find_time()
            if at is None:
                return self._end(MOOT)
            if at > self.now:
                return self.put_off(at)
            composed = compose(self.around, self.office, self.outgoing, self.now)
            if composed is None:
                return self._end(MOOT)
            letter, data = self._write(composed)
        except (StoreBusyError, StoreUnavailableError):
            raise
        except NoAddressError as error:
            return self._try_again(str(error))
        except Exception as error:  # whatever a damaged game or a fault in a template brings about
            return self._note_crash(error)
        path = return_path(self.office, letter, self.now)
        outcome = self.transport.send(path, letter.address, data)
        return self._note_sent() if isinstance(outcome, Delivered) else self._note_failure(outcome)

    def put_off(self, at: datetime, *, reason: str = "") -> Fate:
        """It is to go out then; nobody has tried."""
        self._retry(at, is_counted=False, reason=reason)
        return "later"

    def _find_time(self) -> datetime | None:
        """When it may go out, by the player's wishes; None if they want no such mail."""
        with self.around.store.read() as unit:
            player = unit.find_player(self.outgoing.notice.player_id)
            if player is None:
                return None
            return when_to_send(unit, player, self.outgoing, self.now)

    def _write(self, composed: Composed) -> tuple[Letter, bytes]:
        """The letter, stored, and the bytes of the mail."""
        data = with_crlf(to_bytes(composed, self.office))
        if self.signer is not None:
            data = self.signer.sign(data)
        with self.around.store.begin() as unit:
            return unit.save_letter(composed.letter), data

    def _note_sent(self) -> Fate:
        """It has left: not to note that would send it once more."""
        for _ in range(_TRIES_TO_NOTE - 1):
            with suppress(StoreBusyError, StoreUnavailableError):
                return self._end(SENT)
        return self._end(SENT)

    def _note_failure(self, failed: Failed) -> Fate:
        reason = redact(str(failed))[:_MAX_REASON]
        if not failed.is_permanent and find_pause(self.outgoing, self.now) is not None:
            return self._try_again(reason)
        # It goes to the player's next address, or is dead.
        is_waiting = permanent_failure(
            self.around, self.office, self.outgoing.message_id, reason, self.now
        )
        TALLY.count("bounces", "refused")
        return "failed" if is_waiting else "dead"

    def _note_crash(self, error: Exception) -> Fate:
        """It could not be written; the player's address is not to blame."""
        reason = redact(f"{type(error).__name__}: {error}")[:_MAX_REASON]
        if self.outgoing.attempts + 1 >= MOST_CRASHES:
            return self._end(DEAD, reason)
        self._try_again(reason)
        return "crashed"

    def _try_again(self, reason: str) -> Fate:
        """It failed once more, and comes back after a pause; too often, and it is dead."""
        pause = find_pause(self.outgoing, self.now)
        if pause is None:
            return self._end(DEAD, reason)
        self._retry(self.now + pause, is_counted=True, reason=reason)
        return "failed"

    def _retry(self, at: datetime, *, is_counted: bool, reason: str) -> None:
        # It may have ended meanwhile: another sender had it after this one's lease.
        with suppress(StoreConflictError), self.around.store.begin() as unit:
            unit.retry_notice(self.outgoing.id, at, is_counted=is_counted, reason=reason)

    def _end(self, state: Literal["sent", "moot", "dead"], reason: str = "") -> Fate:
        with self.around.store.begin() as unit:
            unit.end_notice(self.outgoing.id, state, reason)
        return state
