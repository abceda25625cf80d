"""What the use cases need from a store. ``pbem.store`` fills it; tests do not fake it.

A ``Unit`` is one transaction: everything done through it is kept together or not at all. Locking a
game keeps every other unit away from it until this one ends. Who locks more than one thing locks
the mail that came in first (or an outage), then invitations, then events by id, then players by
number with their addresses, then games by id, then remarks (``lock_remarks``), then what is to be
rated again (``lock_rating_changes``), and counts last. That a game of an event is over is noted
with the game: nobody who has a game waits for its event. Several use cases inside one unit
(``Surroundings.within``) may come in another order: whoever does that locks what they will need
beforehand, or is ready to do it all again (``StoreBusyError``).

What a unit raises is ``pbem.errors.StoreError`` or one of its kinds. After any of them the unit is
lost, also when the caller catches it inside the block, and also inside ``nested``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from pbem.play.annotations import RemarkUnit
from pbem.play.archived import ArchiveUnit
from pbem.play.backlog import Backlog
from pbem.play.events.ports import EventUnit
from pbem.play.found import FindingUnit
from pbem.play.log import LogEntry
from pbem.play.model import (
    Address,
    Invitation,
    LockedGame,
    Message,
    Note,
    Notice,
    OpenRequest,
    Outage,
    Player,
    Preferences,
    Pulse,
    SeenGame,
    StoredGame,
)
from pbem.play.paced import PaceUnit
from pbem.play.post import (
    AddressHealth,
    Arrival,
    Inbound,
    Letter,
    LetterFacts,
    Outgoing,
    Posted,
)
from pbem.play.rated import RatingUnit
from pbem.play.studied import StudyUnit

if TYPE_CHECKING:
    from pbem.play.access import Pass


Foreseen = Mapping[Any, Any]
"""What one unit has looked up, for another: only a store knows what is in it."""


class PostUnit(Protocol):
    """What one transaction can do with the post. Mails that came in are locked before all else."""

    # -- mails that came in ---------------------------------------------------------------------

    def add_inbound(self, arrival: Arrival) -> int:
        """Keep a mail; its number. One that is there already is counted as a repeat, and if it
        was handled with an outcome it is new again, with that, so that it gets the same answer
        (L1.2); one that was handled with none stays handled."""

    def take_mail(
        self, arrivals: Sequence[Arrival], bucket: str, at: datetime, window: timedelta
    ) -> tuple[list[int], int]:
        """``add_inbound`` for each arrival, and one ``count_event`` for the mail that they are."""

    def claim_inbound(self, now: datetime, *, lease: timedelta, limit: int) -> Sequence[Inbound]:
        """Mails to read, oldest first, at most one of a lane; each claim counts as an attempt.
        Nobody else gets them until the lease is over. One that was claimed MAX_READINGS times and
        is free again is quarantined, and its lane goes on (L1.4)."""

    def find_inbound(self, inbound_id: int) -> Inbound | None:
        """A mail that came in."""

    def lock_inbound(self, inbound_id: int) -> Inbound | None:
        """A mail that came in, kept from others until this unit ends."""

    def save_inbound(self, inbound: Inbound) -> None:
        """What became of a mail that is locked; its lease is over."""

    def oldest_unread(self) -> datetime | None:
        """When the oldest mail came in that is still to be read: no flag falls after it (L1.6)."""

    def inbound_in_state(self, state: str, *, limit: int = 100) -> Sequence[Inbound]:
        """Mails that are held or quarantined, newest first, for the operator; without the bytes."""

    def held_for(self, player_id: int) -> Sequence[Inbound]:
        """Mails of a player that are held, oldest first; without the bytes."""

    def readdress_inbound(self, player_id: int, to_player_id: int) -> None:
        """A player's mails are another's."""

    # -- the outbox -----------------------------------------------------------------------------

    def claim_notices(self, now: datetime, *, lease: timedelta, limit: int) -> Sequence[Outgoing]:
        """Mails to write whose time has come, oldest first; nobody else gets them until the lease
        is over."""

    def end_notice(
        self, outgoing_id: int, state: str, reason: str = "", *, at: datetime | None = None
    ) -> None:
        """A mail was sent, is given up as dead, or has become moot, at that instant."""

    def retry_notice(
        self, outgoing_id: int, at: datetime, *, is_counted: bool, reason: str = ""
    ) -> None:
        """A mail is to be tried again then; ``is_counted`` if a server has seen this try."""

    def requeue_notice(self, cause: str, player_id: int, kind: str, now: datetime) -> bool:
        """Send the same mail again (L1.2); whether there is one. One that waits goes on waiting."""

    def find_outgoing(self, message_id: str) -> Outgoing | None:
        """The row of the outbox with the left half of a Message-ID, whatever became of it."""

    def notices_in_state(self, state: str, *, limit: int = 100) -> Sequence[tuple[Outgoing, str]]:
        """Mails in a state with the last reason, newest first, for the operator."""

    def replay_notice(self, outgoing_id: int, now: datetime) -> bool:
        """Try a dead mail afresh; whether there is such a one."""

    def hurry_notices(self, now: datetime, player_id: int | None = None) -> int:
        """Try now what failed and waits for another try, of one player or of all; how
        many mails that are."""

    def last_told(self, game_id: str, player_id: int, before: int) -> int:
        """The newest entry below ``before`` of which a player was told by mail; -1 if none."""

    # -- letters --------------------------------------------------------------------------------

    def save_letter(self, letter: Letter) -> Letter:
        """Keep what was written, with a number; one with the same message_id is replaced."""

    def save_letters(self, letters: Sequence[Letter]) -> list[Letter]:
        """The same of several."""

    def find_letter(self, token_hash: str) -> Letter | None:
        """The letter whose token has this hash."""

    def find_letter_by_message_id(self, message_id: str) -> Letter | None:
        """The letter with the left half of a Message-ID."""

    def find_letter_by_id(self, letter_id: int) -> Letter | None:
        """A letter by its number."""

    def letter_facts(self, player_id: int, game_id: str | None) -> Sequence[LetterFacts]:
        """What the newest letters to a player about a game (None: about no game) told and opened,
        newest first."""

    def games_of_letters(self, token_hashes: Collection[str]) -> Mapping[str, str]:
        """The games that letters are about, by the hashes of their tokens; of one about no game
        there is none."""

    def prints_to(self, player_id: int, game_id: str | None) -> Sequence[bytes]:
        """The fingerprints of the lines of the same letters."""

    def readdress_letters(self, player_id: int, to_player_id: int) -> None:
        """Replies to what was written to a player are another's."""

    def foresee_mails(self, mails: Sequence[Outgoing]) -> None:
        """Look up at once what the writing of these mails is going to ask, where that is quicker;
        what is asked is answered just the same."""

    def foresee_answers(self, token_hashes: Sequence[str]) -> Foreseen:
        """Look up at once what the reading of answers to letters is going to ask, by the hashes of
        the letters' tokens; for other units to ``recall``."""

    def recall(self, foreseen: Foreseen) -> None:
        """Answer what was foreseen as it was then, until this unit writes or locks anything."""

    def foresee_identity(self, letter: Letter) -> None:
        """The same of who may answer a letter, and of what may come back in the answer."""

    def lock_to_act(
        self, claimed: Inbound, player_id: int, game_id: str | None, *, locks_game: bool
    ) -> Inbound | None:
        """``lock_inbound`` for a mail of a player whose bytes are known, and the same of what is
        asked before anything is done that it says. With ``locks_game`` its game is locked, too,
        behind the mail."""

    # -- addresses, limits, the server's pulse --------------------------------------------------

    def find_health(self, address: str) -> AddressHealth | None:
        """How mail to an address fares, if anything is known."""

    def save_health(self, health: AddressHealth) -> None:
        """How mail to an address fares now."""

    def suspended_addresses(self, *, limit: int) -> Sequence[AddressHealth]:
        """Addresses to which mail failed for good, the newest such failure first."""

    def count_event(self, bucket: str, at: datetime, window: timedelta) -> int:
        """Count one more in a bucket; how many there are in the present window, this one too. A
        window begins with the first one; others wait to count in the bucket till this unit ends."""

    def use_nonce(self, nonce: str, at: datetime) -> bool:
        """Whether this is the first time that a nonce is used; it is used from now on."""

    def find_nonce(self, nonce: str) -> datetime | None:
        """When a nonce was used, if it was and that is not forgotten."""

    def beat(self, at: datetime) -> datetime | None:
        """The server can receive and send now; when it last could."""

    def find_pulse(self) -> Pulse | None:
        """When the server last could receive and send, and the outages games are to be told of."""

    def note_listening(self, at: datetime) -> None:
        """A listener in a process of its own can take mail."""

    def last_listening(self) -> datetime | None:
        """When such a listener last could."""

    def outages(self) -> Sequence[Outage]:
        """The outages that games are still to be told of, oldest first."""

    def lock_outage(self) -> Outage | None:
        """The oldest of them, kept from others until this unit ends; None if somebody has it."""

    def save_outage(self, outage: Outage) -> None:
        """An outage that games are to be told of, and how far that has got."""

    def end_outage(self, outage: Outage) -> None:
        """Every running game has been told of an outage."""

    def find_backlog(self, now: datetime, *, counts_games: bool = True) -> Backlog:
        """What waits, what went wrong and who was seen lately, at little cost; counting the games
        that run costs more."""

    def note_seen(self, names: Sequence[str], at: datetime) -> None:
        """Jobs came to their end, by a worker; names as in ``backlog``."""

    def drop_seen(self, name: str) -> None:
        """A worker has ended, and is not missed."""

    def failed_since(self, begin: datetime) -> tuple[int, int]:
        """To how many addresses mail has failed since then: for good, and for now."""

    def forget_post(self, before: datetime) -> int:
        """Drop what nobody needs any more: the bytes of mails that were handled, counters and
        nonces, and letters about no game or one long over, all from before then; how many rows."""

    def forget_mail_of(self, player_id: int) -> None:
        """Drop a player's letters and what is kept of their mails, and addresses in what was to be
        written to them; the rows stay, so that no mail is taken or sent twice."""


class TrailUnit(Protocol):
    """What one transaction can tell of the way that mails took."""

    def inbound_of_key(self, key: str) -> Sequence[Inbound]:
        """The mails that are the same by their Message-ID, one for each place they went to;
        without the bytes."""

    def find_entry(self, game_id: str, key: str) -> LogEntry | None:
        """The entry that the submission of this key became."""

    def posted_for(self, cause: str) -> Sequence[Posted]:
        """The mails that one cause has brought about, and what became of them."""

    def posted_about(self, game_id: str) -> Sequence[Posted]:
        """The mails about a game, and what became of them."""

    def find_posted(self, message_id: str) -> Posted | None:
        """The mail with the left half of a Message-ID, and what became of it."""

    def posted_beginning(self, begin: str, *, limit: int) -> Sequence[Posted]:
        """The first mails whose Message-ID begins so, in their order, and what became of them."""


class AccessUnit(Protocol):
    """What one transaction can do with passes: links to sign in, sessions, tokens."""

    def add_pass(self, made: Pass) -> Pass:
        """A new pass, with its number."""

    def find_pass(self, pass_id: int) -> Pass | None:
        """A pass by number."""

    def lock_pass(self, pass_id: int) -> Pass | None:
        """A pass by number, kept from others until this unit ends."""

    def find_owned_pass(self, hash_: str) -> tuple[Pass, Player] | None:
        """The pass whose secret has this hash, and whose it is."""

    def passes_of(self, player_id: int, kind: str) -> Sequence[Pass]:
        """A player's passes of one kind, newest first."""

    def save_pass(self, changed: Pass) -> None:
        """A pass that was used or is over."""

    def remove_passes(self, player_id: int) -> None:
        """Drop all passes of a player who leaves."""

    def forget_passes(self, before: datetime) -> int:
        """Drop what has been over since then; how many."""


class Unit(
    PostUnit,
    TrailUnit,
    AccessUnit,
    ArchiveUnit,
    FindingUnit,
    RemarkUnit,
    StudyUnit,
    RatingUnit,
    PaceUnit,
    EventUnit,
    Protocol,
):
    """One transaction."""

    def nested(self) -> AbstractContextManager[None]:
        """A part of this unit that is undone alone when its block raises a PbemError that is not
        the store's, or a ValueError; the unit can go on."""

    # -- players --------------------------------------------------------------------------------

    def add_player(self, name: str, preferences: Preferences, at: datetime) -> Player:
        """A new player, with the next number."""

    def find_player(self, player_id: int) -> Player | None:
        """A player by number."""

    def players_by_name(
        self, wanted: str, *, after: tuple[str, int], limit: int
    ) -> Sequence[Player]:
        """Players whose name begins with something, in small letters or large, behind a name and a
        number, in the order of names and then of numbers; only those who have confirmed an address
        and are still there."""

    def lock_player(self, player_id: int) -> Player | None:
        """A player by number, kept from others until this unit ends."""

    def save_player(self, player: Player) -> None:
        """Everything about a player but the addresses."""

    def idle_guests(self, before: datetime, limit: int) -> Sequence[int]:
        """The numbers of players from before then who never confirmed an address, and sit in no
        game."""

    def find_address(self, address: str) -> Address | None:
        """An address, whoever has it."""

    def lock_address(self, address: str) -> Address | None:
        """An address, whoever has it, kept from others until this unit ends."""

    def addresses_of(self, player_id: int) -> Sequence[Address]:
        """A player's addresses, preferred first, then the fallback, then by age."""

    def add_address(self, address: Address) -> None:
        """A new address. Raises StoreConflictError if somebody has it."""

    def save_address(self, address: Address) -> None:
        """An address that has changed; a mark it has is taken from the player's others."""

    def remove_address(self, address: str) -> None:
        """Forget an address."""

    # -- games ----------------------------------------------------------------------------------

    def add_game(self, game: StoredGame) -> None:
        """A new game with its seats."""

    def find_game(self, game_id: str) -> StoredGame | None:
        """A game as it stands, not locked."""

    def see_game(self, game_id: str, player_id: int | None) -> SeenGame | None:
        """A game as it stands, not locked, with the names of those who sit in it, what is asked,
        the messages, and the notes of a player of it."""

    def lock_game(self, game_id: str, key: str | None = None) -> LockedGame | None:
        """A game as it stands, kept from others until this unit ends, with what is asked in it,
        the entry that the submission of this key became, and the server's pulse."""

    def save_game(self, game: StoredGame) -> None:
        """What changes of a game, which this unit has locked or added.

        Raises StoreConflictError if the stored log is not as long as it was when it was locked.
        """

    def games_of(self, player_id: int, *, is_over: bool | None = None) -> Sequence[str]:
        """The ids of a player's games, in order of id."""

    def games_by_end(self, player_id: int) -> tuple[Sequence[str], Sequence[str]]:
        """The ids of a player's games that run, and of those that are over."""

    def count_waiting(self, player_id: int) -> int:
        """How many games wait for a player: something is asked, and nothing is held for it."""

    def all_games(self, *, after: str = "") -> Iterator[str]:
        """The ids of all games behind one, in order, without holding them all in memory."""

    def running_games(self, after: str, limit: int) -> Sequence[str]:
        """The ids of the next games behind one that are not over, in order of id."""

    def due_games(self, until: datetime, limit: int) -> Sequence[str]:
        """The ids of games in which something happens by itself by then, soonest first."""

    def change_seat(self, game_id: str, seat: int, player_id: int) -> None:
        """Another player takes a seat."""

    # -- logs and requests ----------------------------------------------------------------------

    def add_entry(self, game_id: str, entry: LogEntry) -> None:
        """One more line of a log. Raises StoreConflictError if its number or key is taken."""

    def entries(self, game_id: str, *, since: int = 0) -> Sequence[LogEntry]:
        """The log of a game from an entry number on."""

    def requests_of(self, game_id: str, *, only_open: bool = True) -> Sequence[OpenRequest]:
        """What is or was asked in a game, in the order of asking."""

    def find_request(self, request_id: str) -> OpenRequest | None:
        """One request."""

    def open_request(self, request: OpenRequest) -> None:
        """A new request."""

    def put_request(self, request: OpenRequest) -> None:
        """A request in the place of the one with its id: only for repairs."""

    def remove_request(self, request: OpenRequest) -> None:
        """Forget a request that was never asked: only for repairs."""

    def save_request(self, request: OpenRequest) -> None:
        """A request that was closed, or whose deadline moved.

        Raises StoreConflictError if it had been closed before.
        """

    # -- the rest -------------------------------------------------------------------------------

    def add_notice(self, notice: Notice) -> None:
        """A mail to be written; one that is there already stays as it is (L1.3)."""

    def notices_for(self, cause: str) -> Sequence[Notice]:
        """The mails that one cause has brought about."""

    def readdress_notices(self, player_id: int, to_player_id: int) -> None:
        """Mails to a player that have not been sent go to another."""

    def add_message(self, message: Message) -> None:
        """A message between seats."""

    def messages_of(self, game_id: str) -> Sequence[Message]:
        """The messages of a game in order."""

    def save_note(self, note: Note) -> None:
        """A private note; another on the same entry replaces it."""

    def remove_notes(self, game_id: str, seat: int) -> None:
        """Forget a seat's private notes."""

    def notes_of(self, game_id: str, seat: int) -> Sequence[Note]:
        """A seat's private notes in order."""

    def add_invitation(self, invitation: Invitation) -> None:
        """A new invitation."""

    def save_invitation(self, invitation: Invitation) -> None:
        """How an invitation ended, or whose it is now. Raises StoreConflictError."""

    def find_invitation(self, invitation_id: str) -> Invitation | None:
        """An invitation, open or not."""

    def lock_invitation(self, invitation_id: str) -> Invitation | None:
        """An invitation, kept from others until this unit ends."""

    def open_invitations(self, player_id: int | None) -> Sequence[Invitation]:
        """Open ones to a player or from them; open challenges for None."""


class Store(Protocol):
    """Where everything is kept."""

    def begin(self) -> AbstractContextManager[Unit]:
        """A unit that is kept when its block ends and undone when it raises."""

    def read(self) -> AbstractContextManager[Unit]:
        """A unit that only reads, all as of one instant, and is in nobody's way."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a use case cannot make itself: a place to keep things, and true randomness."""

    store: Store
    entropy: Callable[[int], bytes]

    def within(self, unit: Unit) -> Surroundings:
        """The same, with everything done in one unit that is open already: what a use case does is
        kept or undone together with the rest, and undone alone if it raises."""
        return replace(self, store=_Joined(unit))


@dataclass(frozen=True, slots=True)
class _Joined:
    """A store in which every unit is a part of one that is open."""

    unit: Unit

    @contextmanager
    def begin(self) -> Iterator[Unit]:
        """A part of the open unit."""
        with self.unit.nested():
            yield self.unit

    @contextmanager
    def read(self) -> Iterator[Unit]:
        """The open unit: what it has changed is seen."""
        yield self.unit
