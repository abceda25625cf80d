"""From the outbox to a server: claim, compose, keep the letter, hand it over, note what came of it.

Mails are taken up a few at a time: written together, their letters stored in one transaction, then
each is drawn, made into bytes and handed over by itself. Couriers in threads of their own do that
while the next few are written: they pack pictures and wait for servers and disks, the writer does
not. A letter is stored before its mail leaves: a reply can never be here before its token is known.
What a server has taken is noted at once, for whoever is killed in between has sent a mail that
nobody knows of; a database that is away for a moment is waited for. Whatever else happens, the row
is still there and is written again as the same mail (L1.3). Tries that reached a server back off
with jitter, and five days of them are enough (L1.4). While no server takes mail, nothing is a try.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Literal, Self

from pbem.errors import PbemError, StoreBusyError, StoreConflictError, StoreUnavailableError
from pbem.mail.bounces import permanent_failure, return_path
from pbem.mail.compose import NoAddressError, compose, when_to_send
from pbem.mail.composing.model import Composed
from pbem.mail.mime import to_bytes
from pbem.mail.noting import SentNotes
from pbem.mail.office import Office
from pbem.mail.patience import patiently
from pbem.mail.redact import redact
from pbem.mail.signing import Signer
from pbem.mail.transport import Delivered, Failed, RelayDownError, Transport
from pbem.play.notices import GAME_OVER
from pbem.play.ports import Surroundings, Unit
from pbem.play.post import DEAD, MOOT, Letter, Outgoing
from pbem.tally import TALLY

_log: Final = logging.getLogger(__name__)

TOGETHER: Final = 12
"""How many mails are written together, while those before them are handed over."""
LEASE: Final = timedelta(minutes=6)
"""How long a sender has its mails to itself; more than a server's silences, the time in which mails
are handed over together, and that for which a database is waited for."""
HANDING_OVER: Final = 45.0
"""Seconds after which no other mail is handed over: it would be another sender's before it has
left. Those that are left over are anybody's again."""
FIRST_PAUSE: Final = timedelta(minutes=5)
LONGEST_PAUSE: Final = timedelta(hours=6)
GIVEN_UP_AFTER: Final = timedelta(days=5)
FEWEST_TRIES: Final = 12
MOST_CRASHES: Final = 3
"""A mail that cannot be written is tried this often, and is then for the operator to look at."""
_DOWN_PAUSE: Final = timedelta(seconds=10)
_MAX_REASON: Final = 500

Fate = Literal["sent", "moot", "later", "failed", "dead", "crashed"]
"""``later``: it is not yet time; ``failed``: it will be tried again."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of the mails that were due; ``down`` says why no server took any. ``endings``
    are those that tell of a game's end."""

    fates: Counter[Fate]
    down: str | None = None
    endings: int = 0

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
    couriers: Executor | None = None,
) -> Sent:
    """Send up to ``limit`` mails whose time has come; all are sent, or not, when this ends.

    Nobody gets two of those that are written together: the second may say what the first has not.
    Without couriers those few are handed over before others are written.
    """
    with Sender(around, office, transport, signer=signer, couriers=couriers) as sender:
        sender.send_some(now, limit)
    return sender.sent


def _batches(claimed: Sequence[Outgoing]) -> Iterator[list[Outgoing]]:
    """The mails in their order, a few at a time, cut before each whose reader has one already."""
    batch: dict[int, Outgoing] = {}
    for outgoing in claimed:
        player_id = outgoing.notice.player_id
        if player_id in batch or len(batch) >= TOGETHER:
            yield list(batch.values())
            batch = {}
        batch[player_id] = outgoing
    if batch:
        yield list(batch.values())


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
class _Written:
    """A mail in words; ``letter`` has a number once it is stored."""

    mail: _Mail
    composed: Composed
    letter: Letter


class Sender:
    """Sends mails, claim after claim, until its block ends: then all of them are sent, or not."""

    def __init__(
        self,
        around: Surroundings,
        office: Office,
        transport: Transport,
        *,
        signer: Signer | None = None,
        couriers: Executor | None = None,
    ) -> None:
        self._around = around
        self._office = office
        self._transport = transport
        self._signer = signer
        self._couriers = couriers
        self._notes = SentNotes(around.store)
        self._under_way: list[Future[Fate | None]] = []
        self._fates: Counter[Fate] = Counter()
        self._down: str | None = None
        self._is_broken = False  # this and the one before are set by couriers, all else is not
        """Whether a courier could not note what it did, or failed as nobody had foreseen."""
        self._endings = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._wait()

    @property
    def sent(self) -> Sent:
        """What became of the mails so far; of the last few only when the block has ended."""
        return Sent(self._fates, self._down, self._endings)

    def send_some(self, now: datetime, limit: int) -> bool:
        """Send up to ``limit`` mails whose time has come; whether there may be more to do. Raises
        the store's errors."""
        if self._down is not None:
            return False
        with self._around.store.begin() as unit:
            claimed = unit.claim_notices(now, lease=LEASE, limit=limit)
        self._endings += sum(outgoing.notice.kind == GAME_OVER for outgoing in claimed)
        until = time.monotonic() + HANDING_OVER
        for batch in _batches(claimed):
            self._send([_Mail(self._around, self._office, each, now) for each in batch], until)
        return bool(claimed)

    def _send(self, mails: Sequence[_Mail], until: float) -> None:
        """Write mails and have them handed over, if that is not too late then."""
        if self._down is not None:
            self._give_back(mails)
            return
        ready = self._write(mails)
        self._wait()
        if self._down is not None:
            self._give_back([each.mail for each in ready])
            return
        for written in patiently(lambda: self._keep(ready)):
            if self._couriers is None:
                self._count(self._deliver(written, until))
            else:
                self._under_way.append(self._couriers.submit(self._deliver, written, until))

    def _wait(self) -> None:
        """Until all couriers are back. Raises what one of them could not deal with."""
        wait(self._under_way)
        back, self._under_way = self._under_way, []
        for each in back:
            if each.exception() is None:
                self._count(each.result())
        for each in back:
            each.result()

    def _count(self, fate: Fate | None) -> None:
        if fate is not None:
            self._fates[fate] += 1

    def _deliver(self, written: _Written, until: float) -> Fate | None:
        """What a courier does. None if nothing can be noted any more: it would come twice."""
        if self._is_broken:
            return None
        try:
            return self._hand_over_or_back(written, until)
        except BaseException:
            self._is_broken = True
            raise

    def _hand_over_or_back(self, written: _Written, until: float) -> Fate | None:
        """None if it has not left: no server takes any mail, or it is too late for this one."""
        if self._down is None:
            if time.monotonic() > until:
                written.mail.put_off(written.mail.now)
                return None
            try:
                return self._hand_over(written)
            except RelayDownError as error:
                self._down = redact(str(error))[:_MAX_REASON]
        self._give_back([written.mail])
        return None

    def _give_back(self, mails: Sequence[_Mail]) -> None:
        """No server takes mail: these are anybody's again in a moment."""
        for mail in mails:
            mail.put_off(mail.now + _DOWN_PAUSE, reason=self._down or "")

    def _write(self, mails: Sequence[_Mail]) -> list[_Written]:
        """Those that are to go out now; what becomes of the others is noted."""

        def write() -> list[_Written | Callable[[], Fate]]:
            with self._around.store.read() as unit:
                unit.foresee_mails([mail.outgoing for mail in mails])
                return [mail.write(unit) for mail in mails]

        written = []
        try:
            results = patiently(write)
        except (StoreBusyError, StoreUnavailableError):
            raise
        except Exception as error:
            # Something that one of them needs is damaged: it keeps no other from being written.
            if len(mails) > 1:
                return [ready for each in mails for ready in self._write([each])]
            self._fates[mails[0].note_crash(error)] += 1
            return []
        for done in results:
            if isinstance(done, _Written):
                written.append(done)
            else:
                self._fates[done()] += 1
        return written

    def _keep(self, written: Sequence[_Written]) -> list[_Written]:
        """Store the letters of mails. One that cannot be stored keeps no other from leaving."""
        if not written:
            return []
        try:
            with self._around.store.begin() as unit:
                letters = unit.save_letters([each.letter for each in written])
            return [
                replace(each, letter=letter) for each, letter in zip(written, letters, strict=True)
            ]
        except (StoreBusyError, StoreUnavailableError):
            raise
        except PbemError as error:
            if len(written) > 1:
                return [kept for each in written for kept in self._keep([each])]
            self._fates[written[0].mail.note_crash(error)] += 1
            return []

    def _untell(self, letter: Letter) -> None:
        """Its mail could not be made, so nobody was told what it says; the next one is to."""
        with self._around.store.begin() as unit:
            unit.save_letters([replace(letter, facts={})])

    def _hand_over(self, written: _Written) -> Fate:
        mail, letter = written.mail, written.letter
        path = return_path(self._office, letter, mail.now)
        try:
            data = to_bytes(written.composed, self._office)
            if self._signer is not None:
                data = self._signer.sign(data)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # the picture library panics with what is no Exception
            patiently(lambda: self._untell(letter))
            return mail.note_crash(error)
        try:
            outcome = self._transport.send(path, letter.address, data)
        except RelayDownError:
            raise
        except Exception as error:  # whatever one mail brings about keeps no other from leaving
            return mail.note_crash(error)
        if isinstance(outcome, Delivered):
            return mail.note_sent(self._notes)
        return mail.note_failure(outcome)


@dataclass(frozen=True, slots=True)
class _Mail:
    """One mail that is claimed, and what becomes of it."""

    around: Surroundings
    office: Office
    outgoing: Outgoing
    now: datetime

    def write(self, unit: Unit) -> _Written | Callable[[], Fate]:
        """The mail in words, or what else is to become of it."""
        try:
            at = self._find_time(unit)
            if at is not None and at > self.now:
                return partial(self.put_off, at)
            composed = None if at is None else self._compose(unit)
            if composed is None:
                return partial(self._end, MOOT)
            return _Written(self, composed, composed.letter)
        except (StoreBusyError, StoreUnavailableError):
            raise
        except NoAddressError as error:
            return partial(self._try_again, str(error))
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            # Whatever a damaged game or a fault in a template brings about.
            return partial(self.note_crash, error)

    def _compose(self, unit: Unit) -> Composed | None:
        return compose(self.around.within(unit), self.office, self.outgoing, self.now)

    def _find_time(self, unit: Unit) -> datetime | None:
        """When it may go out, by the player's wishes; None if they want no such mail."""
        player = unit.find_player(self.outgoing.notice.player_id)
        return None if player is None else when_to_send(unit, player, self.outgoing, self.now)

    def put_off(self, at: datetime, *, reason: str = "") -> Fate:
        """It is to go out then; nobody has tried."""
        self._retry(at, is_counted=False, reason=reason)
        return "later"

    def note_sent(self, notes: SentNotes) -> Fate:
        """It has left: not to note that would send it once more."""
        patiently(lambda: notes.keep(self.outgoing.id, self.now))
        return "sent"

    def note_failure(self, failed: Failed) -> Fate:
        """A server has refused it."""
        reason = redact(str(failed))[:_MAX_REASON]
        _log.warning("mail %s was not taken: %s", self.outgoing.id, reason)
        if not failed.is_permanent and find_pause(self.outgoing, self.now) is not None:
            return self._try_again(reason)
        # It goes to the player's next address, or is dead.
        name = self.outgoing.message_id
        is_waiting = patiently(
            lambda: permanent_failure(self.around, self.office, name, reason, self.now)
        )
        TALLY.add("bounces", "refused")
        return "failed" if is_waiting else "dead"

    def note_crash(self, error: BaseException) -> Fate:
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
        def note() -> None:
            with self.around.store.begin() as unit:
                unit.retry_notice(self.outgoing.id, at, is_counted=is_counted, reason=reason)

        # It may have ended meanwhile: another sender had it after this one's lease.
        with suppress(StoreConflictError):
            patiently(note)

    def _end(self, state: Literal["moot", "dead"], reason: str = "") -> Fate:
        def note() -> Fate:
            with self.around.store.begin() as unit:
                unit.end_notice(self.outgoing.id, state, reason, at=self.now)
            return state

        return patiently(note)
