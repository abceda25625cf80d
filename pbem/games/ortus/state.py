"""A game of Ortus as the server keeps it, and what each seat may see of it.

``State`` holds everything, secrets and seed included; ``View`` is what one seat may know. Whatever
looks ahead for a player works on the view alone, so it cannot leak (N2.5). Seat 0 is Gold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from notation.orders import Branch, Plan
from notation.standing import StandingRule
from pbem.games.base import Request, Result, Start
from pbem.games.ortus.dice import SEED_BYTES, commitment, lot
from pbem.games.ortus.figures import STARTER_ENERGY
from pbem.games.ortus.options import Options, parse_options
from pbem.games.ortus.position import Position, Rules, from_line, opening

SETUP: Final = "setup"
BID: Final = "bid"
TURN: Final = "turn"
DEFENCE: Final = "defence"
OVER: Final = "over"

_GAME_ID: Final = re.compile(r"[!-~]{1,64}")

Rulebook = tuple[StandingRule, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is left of a plan: its orders, and the branches of an attack being defended."""

    steps: Plan
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Auction:
    """The bidding for the first turn (R9.4): who leads at what Energy, and who is to speak."""

    leader: int
    energy: int = STARTER_ENERGY
    bidder: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The whole of a game between two submissions; pairs are by seat.

    ``bids`` are in order, None for a pass. ``standing`` are the rules for this game, ``general``
    those a player left for all games (N3.1).
    """

    start: Start
    options: Options
    setups: tuple[str | None, str | None] = (None, None)
    bids: tuple[int | None, ...] = ()
    position: Position | None = None
    waiting: Waiting | None = None
    standing: tuple[Rulebook, Rulebook] = ((), ())
    general: tuple[Rulebook, Rulebook] = ((), ())
    offers: tuple[bool, bool] = (False, False)
    asked: int = 0
    """How many defences have been asked for."""
    attack: str = ""
    """The order of the attack that is being defended, canonical; empty while none is."""
    result: Result | None = None

    def auction(self) -> Auction:
        """How the bidding stands; without bidding the starter leads and nobody speaks."""
        starter = self.options.starter
        if starter is None:
            starter = lot(self.start.seed, self.start.game_id)
        if not self.options.bid:
            return Auction(starter)
        auction = Auction(starter, bidder=1 - starter)
        for bid in self.bids:
            assert auction.bidder is not None
            if bid is None:
                return replace(auction, bidder=None)
            over = bid == 0
            auction = Auction(auction.bidder, bid, None if over else 1 - auction.bidder)
        return auction

    @property
    def phase(self) -> str:
        """What the game waits for."""
        if self.result is not None:
            return OVER
        if self.position is not None:
            return TURN if self.position.question is None else DEFENCE
        return SETUP if None in self.setups else BID

    def requests(self) -> tuple[Request, ...]:
        """Who is asked for what."""
        match self.phase:
            case "setup":
                missing = [seat for seat in (0, 1) if self.setups[seat] is None]
                return tuple(Request(seat, SETUP) for seat in missing)
            case "bid":
                bidder = self.auction().bidder
                assert bidder is not None
                return (Request(bidder, BID, str(len(self.bids))),)
            case "turn" if self.position is not None:
                # Handed over and back by each defence that was asked (R9.3).
                mark = f"{self.position.round}.{self.asked}"
                return (Request(self.position.active, TURN, mark),)
            case "defence" if self.position is not None:
                return (Request(self.position.passive, DEFENCE, str(self.asked), is_reply=True),)
        return ()

    def rulebook(self, seat: int) -> Rulebook:
        """A seat's standing rules in the order in which they are tried (N3.1)."""
        return self.standing[seat] + self.general[seat]

    def view(self, seat: int) -> View:
        """What a seat may see. A lone set-up stays secret even when the game is over (R2.2)."""
        shown = None not in self.setups
        position = self.position
        is_mine = position is not None and position.active == seat
        return View(
            seat=seat,
            phase=self.phase,
            asked=tuple(request.kind for request in self.requests() if request.seat == seat),
            options=self.options,
            commitment=commitment(self.start.seed),
            setups=self.setups
            if shown
            else (
                self.setups[0] if seat == 0 else None,
                self.setups[1] if seat == 1 else None,
            ),
            auction=self.auction() if shown else None,
            position=position,
            waiting=self.waiting if is_mine else None,
            standing=self.standing[seat],
            general=self.general[seat],
            offers=self.offers,
            result=self.result,
        )


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may know. ``asked`` are the kinds of the open requests to it."""

    seat: int
    phase: str
    asked: tuple[str, ...]
    options: Options
    commitment: str
    setups: tuple[str | None, str | None]
    auction: Auction | None
    position: Position | None
    waiting: Waiting | None
    standing: Rulebook
    general: Rulebook
    offers: tuple[bool, bool]
    result: Result | None


def begin(start: Start) -> State:
    """A new game. Raises OptionsError with every fault listed.

    Raises ValueError for an id or a seed from which no lot can be drawn (R9.5).
    """
    if not _GAME_ID.fullmatch(start.game_id):
        raise ValueError(f"the game id {start.game_id[:40]!r} is not 1 to 64 plain characters")
    if len(start.seed) != SEED_BYTES:
        raise ValueError(f"the seed has {len(start.seed)} bytes, not {SEED_BYTES}")
    options = parse_options(start.options)
    state = State(start=start, options=options)
    if options.position is None:
        return state
    return replace(state, position=_from_position(options))


def _from_position(options: Options) -> Position:
    assert options.position is not None
    return from_line(
        options.position,
        options.arena,
        dicey=options.dicey,
        bonus=options.bonus,
        collecting=options.collecting,
    )


def rules_of(state: State) -> Rules:
    """The rules of play, once set-ups and starter are known."""
    options = state.options
    if options.position is not None:
        return _from_position(options).rules
    gold, black = state.setups
    assert gold is not None
    assert black is not None
    return Rules(
        arena=options.arena,
        level=options.level,
        elements=(gold, black),
        dicey=options.dicey,
        bonus=options.bonus,
        collecting=options.collecting,
        starter=state.auction().leader,
    )


def open_play(state: State) -> State:
    """The first turn, once set-ups are in and the bidding is over (R2.4)."""
    energy = state.auction().energy
    return replace(state, position=opening(rules_of(state), starter_energy=energy))
