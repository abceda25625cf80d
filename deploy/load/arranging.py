"""Whole games before they are played: players, games between them, and what each will write.

Players and games are made by the same use cases as anybody's. What is written is played at random
beforehand, on the game's own seed, so that every die falls as it will: whole turns, attacks with
plans behind them, answers to attacks. Played by mail it is the same game again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from random import Random

from pbem.games.base import Refused, Start
from pbem.games.ortus.actions import ATTACKS, END_TURN, Action
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.orders import action_text
from pbem.games.ortus.sampling import Habits, random_action, random_entry, submit_thriftily
from pbem.games.ortus.state import State
from pbem.play import invitations, players
from pbem.play.model import Player
from pbem.play.ports import Surroundings

HOME = "players.example"
"""Where the simulated players have their mail."""
AWAY = "elsewhere.example"
"""Where they have their second address."""
LONGEST_TURN = 5
"""Orders in one submission, at most."""
MOST_SUBMISSIONS = 400
PLANNED = 0.5
"""How many attacks have a plan behind them."""
HABITS = Habits(plans=1.0, rules=0.1)


@dataclass
class Arranged:
    """A game that waits to be played by mail: its players by seat, and what each will write."""

    game_id: str
    start: Start
    addresses: tuple[str, str]
    others: tuple[str, str]
    """Where their mail goes while the first address takes none."""
    orders: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))

    @property
    def length(self) -> int:
        """How many submissions it takes."""
        return len(self.orders[0]) + len(self.orders[1])


def arrange(around: Surroundings, count: int, now: datetime, *, name: str = "p") -> list[Arranged]:
    """So many games, each between two players of its own."""
    return [_arrange_one(around, number, now, name) for number in range(count)]


def _arrange_one(around: Surroundings, number: int, now: datetime, name: str) -> Arranged:
    addresses = (f"{name}{number}.gold@{HOME}", f"{name}{number}.black@{HOME}")
    others = (f"{name}{number}.gold@{AWAY}", f"{name}{number}.black@{AWAY}")
    gold, black = (
        _join(around, address, other, now) for address, other in zip(addresses, others, strict=True)
    )
    agreement = {"level": LEVELS[number % len(LEVELS)], "visibility": "open"}
    invitation = invitations.invite(around, gold.id, black.id, agreement, now=now, host_seat=0)
    stored = invitations.accept(around, black.id, invitation.id, now=now)
    arranged = Arranged(stored.id, stored.start, addresses, others)
    for seat, text in write_game(Random(number), stored.start):
        arranged.orders[seat].append(text)
    return arranged


def _join(around: Surroundings, address: str, other: str, now: datetime) -> Player:
    name = address.partition("@")[0]
    player = players.join(around, name, address, now=now, verified=True)
    players.add_address(around, player.id, other, now=now)
    players.verify_address(around, player.id, other, now=now)
    players.choose_addresses(around, player.id, preferred=address, fallback=other)
    return player


def write_game(rng: Random, start: Start) -> Iterator[tuple[int, str]]:
    """The submissions of a game played at random to its end, with who makes them."""
    game = Ortus()
    state = game.start(start)
    for _ in range(MOST_SUBMISSIONS):
        requests = game.requests(state)
        if not requests:
            return
        if requests[0].kind == "turn":
            seat, text, state = _whole_turn(rng, game, state)
        else:
            entry = random_entry(rng, game, state)
            seat, text = entry.seat or 0, entry.text
            done = game.submit(state, seat, text)
            assert not isinstance(done, Refused), (text, done)
            state = done.state
        yield seat, text
    raise AssertionError(f"a game of more than {MOST_SUBMISSIONS} submissions")


def _whole_turn(rng: Random, game: Ortus, state: State) -> tuple[int, str, State]:
    """What somebody writes when it is their turn: orders up to an attack, or to the end."""
    seat = game.requests(state)[0].seat
    orders: list[str] = []
    now = state
    while len(orders) < LONGEST_TURN:
        position = now.position
        assert position is not None
        action = random_action(rng, position)
        if not orders and action.verb in ATTACKS and rng.random() < PLANNED:
            entry, planned = submit_thriftily(rng, game, now, HABITS)
            return seat, entry.text, planned.state
        orders.append(action_text(position, action))
        if _ends(action):
            break
        done = game.submit(now, seat, orders[-1])
        assert not isinstance(done, Refused), (orders, done)
        now = done.state
        if not _goes_on(game, now, seat):
            break
    text = "; ".join(orders)
    whole = game.submit(state, seat, text)
    assert not isinstance(whole, Refused), (text, whole)
    return seat, text, whole.state


def _ends(action: Action) -> bool:
    return action == END_TURN or action.verb in ATTACKS


def _goes_on(game: Ortus, state: State, seat: int) -> bool:
    requests = game.requests(state)
    return bool(requests) and requests[0].seat == seat and requests[0].kind == "turn"
