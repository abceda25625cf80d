"""Whole games behind the seam, for tests: two seats send texts to each other."""

from __future__ import annotations

from typing import Final

from pbem.games.base import Accepted, Refused, Start
from pbem.games.ortus.dice import lot
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.position import Position
from pbem.games.ortus.state import State
from tests.ortus.drawing import DEFAULT_SETUP, HOUSES

GAME_ID: Final = "drawn-1"


def seed_for(starter: str) -> bytes:
    """A seed whose lot names this House."""
    house = HOUSES.index(starter)
    return next(seed for number in range(99) if lot(seed := bytes([number] * 32), GAME_ID) == house)


def new_game(*, seed: bytes | None = None, **options: object) -> State:
    """A game that waits for set-ups."""
    return Ortus().start(Start(GAME_ID, options, seed or seed_for("gold")))


def send(state: State, house: str, text: str) -> State:
    """The state after an accepted submission."""
    done = Ortus().submit(state, HOUSES.index(house), text)
    assert isinstance(done, Accepted), f"{text} was refused: {done}"
    return done.state


def refused(state: State, house: str, text: str) -> str:
    """The code of the first fault of a refused submission."""
    done = Ortus().submit(state, HOUSES.index(house), text)
    assert isinstance(done, Refused), f"{text} was accepted"
    return done.faults[0].code


def decree(state: State, text: str) -> State:
    """The state after an act of the server."""
    return Ortus().decree(state, text).state


def requests(state: State) -> list[tuple[str, str]]:
    """Who is asked for what."""
    return [(HOUSES[request.seat], request.kind) for request in state.requests()]


def with_setups(state: State) -> State:
    """The same game after both sent the default set-up."""
    state = send(state, "black", f"setup {DEFAULT_SETUP}")
    return send(state, "gold", f"setup {DEFAULT_SETUP}")


def board(state: State) -> Position:
    """The position of a game that has begun."""
    assert state.position is not None, "the game has not begun"
    return state.position


def result(state: State) -> tuple[str | None, str] | None:
    """The House that won, None for a draw, and the word for how; None while the game goes on."""
    if state.result is None:
        return None
    seat = state.result.winner
    return None if seat is None else HOUSES[seat], state.result.termination
