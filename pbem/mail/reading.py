"""Reading the mails that were stored: guards, who, what, act, and the mail is handled (L1, L2).

Owns the pipeline and the transaction around it: what a mail leads to, the mails that follow and
the mark that it is handled are kept together or not at all (L1.2). A mail that was handled before
gets the same answer again and changes nothing. What a mail contains cannot raise past here: one
that crashes its reader three times is quarantined, and the queue goes on (L1.4).

Longer than most: from the claim to the mark it is one promise, and easier to check in one place.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Literal

from pbem.errors import StoreBusyError, StoreUnavailableError
from pbem.mail.act import act
from pbem.mail.acting.errand import Errand
from pbem.mail.acting.joining import ask_stranger, find_language
from pbem.mail.addresses import REPLY
from pbem.mail.answers import CONFIRM_MAIL
from pbem.mail.bounces import find_bounced, handle_bounce, recover, welcome_back
from pbem.mail.guards import judge, may_answer
from pbem.mail.known_lines import KnownLines
from pbem.mail.mishaps import give_back, note_crash, within_time
from pbem.mail.office import Office
from pbem.mail.parts import Message, read_message
from pbem.mail.patience import patiently
from pbem.mail.what import Wanted, find_wanted
from pbem.mail.who import Identity, Known, Stranger, ToConfirm, Unknown, identify, tell_player
from pbem.play.model import Notice
from pbem.play.ports import Foreseen, Surroundings, Unit
from pbem.play.post import HANDLED, HELD, NEW, Inbound, Letter, mail_key
from pbem.tally import TALLY

LEASE: Final = timedelta(minutes=3)
"""How long a reader has a mail to itself; one that crashed is tried again after that."""

TO_CONFIRM: Final = "to_confirm"
"""Why a mail is held that its player has to confirm."""

TO_OPERATOR: Final = "to_operator"
"""Why a mail is held that is for the people who run the server."""

TO_RETURN_PATH: Final = "to_return_path"
"""Why a mail is held that a person, it seems, wrote to where only reports go."""

Fate = Literal["handled", "held", "repeated", "busy", "crashed"]
"""What became of a mail that was taken up; ``busy`` and ``crashed`` ones are taken up again."""

_OPERATORS: Final = frozenset({"postmaster", "service/director", "service/abuse"})
_MAX_CHANGES: Final = 5
_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What can be found out about a mail before anything is done."""

    identity: Identity
    wanted: Wanted
    ran: frozenset[str] = frozenset()
    """The games that the mail is about and that ran then: once one is over, a text about it is read
    in another way."""


def read_waiting(
    around: Surroundings,
    office: Office,
    now: datetime,
    limit: int = 20,
    *,
    readers: Executor | None = None,
) -> int:
    """Read mails that wait, oldest first, at most one of each lane; how many were taken up. With
    ``readers`` those about different games are read at once: none waits until the database has
    kept another.

    Raises StoreUnavailableError when there is no database to read from; once mails are claimed it
    is waited for.
    """
    with around.store.begin() as unit:
        claimed = unit.claim_inbound(now, lease=LEASE, limit=limit)
        groups = _by_game(unit, claimed)
    # Of mails about one game only the first: what the others ask may change with it.
    foreseen = _foresee(around, [mails[0] for mails in groups])

    def read(mails: Sequence[Inbound]) -> None:
        for inbound in mails:
            known = foreseen.get(inbound.id)
            patiently(partial(read_claimed, around, office, inbound, now, known))

    if readers is None:
        read(claimed)
        return len(claimed)
    begun = _do_at_once(readers, [partial(read, mails) for mails in groups])
    return sum(map(len, groups[:begun]))


def _token_of(mail: Inbound) -> str:
    """The hash of the token of the letter that a mail answers, if it answers one."""
    return mail.arrival.destination.removeprefix(REPLY)


def _foresee(around: Surroundings, mails: Sequence[Inbound]) -> dict[int, Foreseen]:
    """What the reading of mails is going to ask, by their numbers; of some, or all, it may not be
    known."""
    if len(mails) < 2:  # for which it would only be a longer way
        return {}
    try:
        with around.store.read() as unit:
            foreseen = unit.foresee_answers([_token_of(mail) for mail in mails])
    except Exception as error:  # what is wrong with one is told when it is read by itself
        _log.warning("mails are looked up one by one: %s", type(error).__name__)
        return {}
    return dict.fromkeys((mail.id for mail in mails), foreseen)


def _by_game(unit: Unit, claimed: Sequence[Inbound]) -> list[list[Inbound]]:
    """Mails that answer letters about one game stay in their order: it may be the game's."""
    tokens = {mail.id: _token_of(mail) for mail in claimed}
    games = unit.games_of_letters(list(tokens.values())) if len(claimed) > 1 else {}
    groups: dict[str | int, list[Inbound]] = {}
    for mail in claimed:
        groups.setdefault(games.get(tokens[mail.id], mail.id), []).append(mail)
    return list(groups.values())


def _do_at_once(readers: Executor, works: Sequence[Callable[[], None]]) -> int:
    """Have readers work; how many works they have taken. Raises the first error, and then nothing
    more is begun."""
    failed = threading.Event()

    def begin(work: Callable[[], None]) -> None:
        if not failed.is_set():  # else it is anybody's after its lease
            try:
                work()
            except BaseException:
                failed.set()
                raise

    first: BaseException | None = None
    begun: list[Future[None]] = []
    try:
        for work in works:
            begun.append(readers.submit(begin, work))
    except RuntimeError as error:  # the process is stopping, or has no room for a thread
        _log.warning("mails are left until their lease is over: %s", error)
    for each in begun:  # none is left alone
        try:
            each.result()
        except CancelledError:  # the process is stopping
            continue
        except BaseException as error:
            failed.set()
            first = first or error
    if first is not None:
        raise first
    return len(begun)


def read_claimed(
    around: Surroundings,
    office: Office,
    inbound: Inbound,
    now: datetime,
    foreseen: Foreseen | None = None,
) -> bool:
    """Read a mail that was claimed; whether it was read. What goes wrong with one mail is noted
    and keeps no other waiting; without a database, it waits for one."""
    fate: Fate | None = None
    try:
        fate = read_inbound(around, office, inbound, now, foreseen)
    except StoreUnavailableError:
        raise
    except StoreBusyError:
        give_back(around, inbound.id)
        fate = "busy"
    except Exception as error:  # whatever a mail brings about
        note_crash(around, inbound.id, error)
        fate = "crashed"
    if fate is not None:
        TALLY.add("mails_read", fate)
    return fate not in ("busy", "crashed")


def read_inbound(
    around: Surroundings,
    office: Office,
    inbound: Inbound,
    now: datetime,
    foreseen: Foreseen | None = None,
) -> Fate | None:
    """Read one mail and do what it asks for; what became of it, None if it was read before. Doing
    it again changes nothing. What was ``foreseen`` of its sender is looked at again before
    anything is done."""
    if inbound.outcome:
        _answer_again(around, office, inbound.id, now)
        return "repeated"
    raw = inbound.arrival.raw
    message = within_time(lambda: read_message(raw), len(raw))
    for _ in range(_MAX_CHANGES):
        prepared = _prepare(around, office, inbound, message, foreseen)
        foreseen = None
        with around.store.begin() as unit:
            locked = _lock(unit, inbound, prepared)
            if locked is None or locked.state != NEW or locked.outcome:
                return None
            if not _is_still(prepared, unit, office, locked, message):
                continue  # the player, their address, or a game has changed meanwhile
            reader = _Reader(
                around=around.within(unit),
                unit=unit,
                office=office,
                inbound=locked,
                message=message,
                now=now,
            )
            read = reader.read(prepared)
            unit.save_inbound(read)
        return _note_read(read)
    raise StoreBusyError(f"the sender of mail {inbound.id} changes all the time")


def _lock(unit: Unit, inbound: Inbound, prepared: _Prepared) -> Inbound | None:
    identity = prepared.identity
    if not isinstance(identity, Known):
        return unit.lock_inbound(inbound.id)
    letter = identity.letter
    game_id = None if letter is None else letter.game_id
    player = identity.player
    # Clocks that stand are set going first, and what comes to a return-path may stop them: players
    # come before games in the order of locks.
    is_reply = inbound.arrival.destination.startswith(REPLY)
    locks_game = is_reply and prepared.wanted.only_plays and player.stopped_since is None
    return unit.lock_to_act(inbound, player.id, game_id, locks_game=locks_game)


def _is_still(
    prepared: _Prepared, unit: Unit, office: Office, inbound: Inbound, message: Message
) -> bool:
    """Whether somebody is who they were a moment ago, and no game has ended meanwhile. The letter
    that a known player answers need not be looked at again: what it was it stays."""
    identity = prepared.identity
    if isinstance(identity, Known):
        player, address = identity.player, identity.address
        is_same_player = unit.find_player(player.id) == player
        if not is_same_player or unit.find_address(address.address) != address:
            return False
        return not any(_is_over(unit, game_id) for game_id in prepared.ran)
    return identify(unit, office, inbound, message) == identity


def _is_over(unit: Unit, game_id: str) -> bool:
    game = unit.find_game(game_id)
    return game is not None and game.is_over


def _note_read(read: Inbound) -> Fate:
    """Count what is certain now that the unit has ended."""
    is_report = read.arrival.destination.startswith("bounce/")
    if is_report and read.reason in ("soft", "hard"):
        TALLY.add("bounces", read.reason)
    return "held" if read.state == HELD else "handled"


def _answer_again(around: Surroundings, office: Office, inbound_id: int, now: datetime) -> None:
    """The same mail has come once more: the same answer, and nothing else (L1.2)."""
    with around.store.begin() as unit:
        inbound = unit.lock_inbound(inbound_id)
        if inbound is None or inbound.state != NEW or not inbound.outcome:
            return
        answer = inbound.outcome.get("answer")
        stranger = inbound.outcome.get("stranger")
        is_limited = stranger is not None and not may_answer(
            unit, office, str(stranger), "join", now
        )
        if isinstance(answer, list) and not is_limited:
            cause, player_id, kind = answer
            unit.requeue_notice(str(cause), int(player_id), str(kind), now)
        unit.save_inbound(replace(inbound, state=HANDLED))


def _prepare(
    around: Surroundings,
    office: Office,
    inbound: Inbound,
    message: Message,
    foreseen: Foreseen | None,
) -> _Prepared:
    """Who wrote, and what they want; nothing is locked while the text is read."""
    with around.store.read() as unit:
        if foreseen is not None:
            unit.recall(foreseen)
        identity = identify(unit, office, inbound, message)
        if not isinstance(identity, Known):
            return _Prepared(identity, Wanted(()))
        letter, player_id = identity.letter, identity.player.id
        running, ended = unit.games_by_end(player_id)
        games, over = {*running, *ended}, set[str | None](ended)
        if letter is not None and letter.game_id in over:
            over.add(None)
        sent = _known_lines(unit, letter, player_id)
    has_headings = letter is not None and "requests" in letter.facts
    wanted = within_time(
        lambda: find_wanted(message, sent=sent, games=games, over=over, has_headings=has_headings),
        len(inbound.arrival.raw),
    )
    about = {None if letter is None else letter.game_id, *(part.game_id for part in wanted.parts)}
    return _Prepared(identity, wanted, frozenset(running).intersection(about))


def _known_lines(unit: Unit, letter: Letter | None, player_id: int) -> KnownLines:
    """The lines of what we wrote lately about the same thing: they may come back in a quote."""
    game_id = None if letter is None else letter.game_id
    return KnownLines(*unit.prints_to(player_id, game_id), *((letter.prints,) if letter else ()))


def _whose(identity: Identity) -> tuple[int | None, Letter | None]:
    """The player whom a mail concerns, and the letter it answers, whoever has sent it."""
    match identity:
        case Known() | ToConfirm():
            return identity.player.id, identity.letter
        case Unknown():
            return identity.tell_player_id, identity.letter
        case Stranger():
            return None, None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    """One mail, locked: what becomes of it."""

    around: Surroundings
    unit: Unit
    office: Office
    inbound: Inbound
    message: Message
    now: datetime

    def read(self, prepared: _Prepared) -> Inbound:
        inbound, identity = self._with_player(prepared.identity), prepared.identity
        destination = inbound.arrival.destination
        if destination.startswith("bounce/"):
            return self._read_report()
        machine = judge(self.office, inbound, self.message)
        if machine is not None:
            return self._hold(machine.reason, *_whose(identity))
        if destination in _OPERATORS:
            return replace(inbound, state=HELD, reason=TO_OPERATOR)
        return self._answer(inbound, identity, prepared.wanted)

    def _answer(self, inbound: Inbound, identity: Identity, wanted: Wanted) -> Inbound:
        match identity:
            case Known():
                return replace(inbound, state=HANDLED, outcome=self._act(inbound, identity, wanted))
            case ToConfirm():
                self._ask_to_confirm(identity)
                return replace(inbound, state=HELD, reason=TO_CONFIRM)
            case Stranger():
                return replace(inbound, state=HANDLED, outcome=self._greet(identity))
            case Unknown():
                tell_player(self.unit, inbound, identity, self.now)
                return replace(inbound, state=HANDLED, reason=identity.reason)

    def _read_report(self) -> Inbound:
        """What came to the return-path of a letter. An answer to it, mostly of a player who is
        away, is held like any other that a machine wrote."""
        letter = find_bounced(self.unit, self.office, self.inbound)
        result = handle_bounce(self.around, self.office, self.inbound, self.message, self.now)
        if letter is None or result != "answered":
            return replace(self.inbound, state=HANDLED, reason=result)
        machine = judge(self.office, self.inbound, self.message)
        reason = TO_RETURN_PATH if machine is None else machine.reason
        return self._hold(reason, letter.player_id, letter)

    def _hold(self, reason: str, player_id: int | None, letter: Letter | None) -> Inbound:
        """Neither played nor answered; shown to the player whose letter it answers (L5)."""
        game_id = None if letter is None else letter.game_id
        return replace(
            self.inbound, state=HELD, reason=reason, player_id=player_id, game_id=game_id
        )

    def _with_player(self, identity: Identity) -> Inbound:
        """Whose mail it is and which game it is about, for the game page (L5)."""
        if not isinstance(identity, Known | ToConfirm):
            return self.inbound
        letter = identity.letter
        game_id = None if letter is None else letter.game_id
        return replace(self.inbound, player_id=identity.player.id, game_id=game_id)

    def _act(self, inbound: Inbound, known: Known, wanted: Wanted) -> dict[str, object]:
        welcome_back(self.around, known.player.id, self.inbound.arrival.arrived)
        player = self.unit.find_player(known.player.id)
        errand = Errand(
            self.around,
            self.unit,
            self.office,
            inbound,
            player or known.player,
            known.address,
            known.letter,
            self.now,
        )
        outcome = act(errand, wanted)
        recover(self.unit, known.address, self.now)
        return outcome

    def _ask_to_confirm(self, asked: ToConfirm) -> None:
        letter = asked.letter
        self.unit.add_notice(
            Notice(
                mail_key(self.inbound.id),
                asked.player.id,
                CONFIRM_MAIL,
                self.now,
                None if letter is None else letter.game_id,
                {"inbound": self.inbound.id},
            )
        )

    def _greet(self, stranger: Stranger) -> dict[str, object]:
        answer = ask_stranger(
            self.around,
            self.unit,
            self.office,
            inbound=self.inbound,
            stranger=stranger,
            language=find_language(self.message),
            now=self.now,
        )
        return {} if answer is None else {"answer": list(answer), "stranger": stranger.address}
