"""Games to test the seam with: studies from a few warriors, random games of every variant."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from pbem.games.base import Accepted, Entry, Event, Refused, Start
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.sampling import random_entry
from pbem.games.ortus.state import State
from tests.ortus.drawing import DEFAULT_SETUP, HOUSES, from_parts
from tests.ortus.seats import seed_for

GAME: Final = Ortus()
GAME_ID: Final = "study-1"

TWO_ARCHERS: Final[dict[str, Any]] = {"gold": "W1@F4 F2@I7", "black": "A4@I4 E3@N8"}
"""Apprentice: W1 and F2 can each shoot at I4 for 3 Energy; N8 is far away."""

SIX: Final[dict[str, Any]] = {"gold": "A4@E6 F2@E4", "black": "W1@G6 F2@F7 A4@G5", "level": "water"}
"""``A4 six G6@F6`` hits G6, then F7 and G5, each with Power 3."""

WAVE: Final[dict[str, Any]] = {
    "gold": "A4@E6 F2@E4",
    "black": "W1@G6 F2@I6 A4@K6",
    "level": "water",
}
"""``A4 wave G6@F6`` runs on to I6 and K6 with Powers 5, 3 and 1."""


def line(
    *,
    gold: str = "",
    black: str = "",
    level: str = "apprentice",
    arena: str = "origin",
    to_move: str = "gold",
    round: int = 5,
    energy: tuple[int, int] = (14, 14),
    guide: tuple[str | None, str | None] = (None, None),
) -> str:
    """A position line: the warriors named stand as told (``x``: Fallen), the rest in the Haven."""
    havens = ("H1 I1 J1 K1 L1 M1 N1 O1", "H15 G15 F15 E15 D15 C15 B15 A15")
    houses = []
    for placed, haven in zip((gold, black), havens, strict=True):
        names = [f"{element}{slot}" for slot, element in enumerate(DEFAULT_SETUP, start=1)]
        hexes: dict[str, str | None] = dict(zip(names, haven.split(), strict=True))
        for warrior in placed.split():
            name, hex_ = warrior.split("@")
            assert name in hexes, f"{name} is not in {DEFAULT_SETUP}"
            hexes[name] = None if hex_ == "x" else hex_
        houses.append(tuple(hexes.items()))
    return from_parts(
        arena=arena,
        level=level,
        to_move=to_move,
        round=round,
        energy=energy,
        guide=guide,
        houses=houses,
    )


@dataclass
class Table:
    """A game with its log and all that happened; ``state`` is where it stands."""

    start: Start
    state: State = field(init=False)
    log: list[Entry] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = GAME.start(self.start)

    def send(self, house: str, text: str) -> Accepted[State]:
        """An accepted submission; its events are in the result and in ``events``."""
        seat = HOUSES.index(house)
        done = GAME.submit(self.state, seat, text)
        assert isinstance(done, Accepted), f"{text} was refused: {done}"
        return self._keep(Entry(seat, done.text), done)

    def decree(self, text: str) -> Accepted[State]:
        """An act of the server."""
        return self._keep(Entry(None, text), GAME.decree(self.state, text))

    def _keep(self, entry: Entry, done: Accepted[State]) -> Accepted[State]:
        self.state = done.state
        self.log.append(entry)
        self.events += done.events
        return done

    def refused(self, house: str, text: str) -> Refused:
        """A refusal, which must leave the state as it was."""
        before = self.state
        done = GAME.submit(before, HOUSES.index(house), text)
        assert isinstance(done, Refused), f"{text} was accepted as {done.text}"
        assert self.state == before
        for fault in done.faults:
            assert GAME.explain(fault)
        return done

    def record(self, **tags: str) -> str:
        """The record of the game so far."""
        return GAME.record(self.start, self.log, tags)

    def asked(self) -> list[tuple[str, str]]:
        """Who is asked for what."""
        return [(HOUSES[request.seat], request.kind) for request in GAME.requests(self.state)]


def study(*, seed: bytes = bytes(32), options: dict[str, Any] | None = None, **place: Any) -> Table:
    """A game from a position line, made of the arguments of ``line``."""
    text = line(**place)
    return Table(Start(GAME_ID, {"position": text, **(options or {})}, seed))


def table(*, seed: bytes | None = None, game_id: str = "drawn-1", **options: object) -> Table:
    """A game that waits for set-ups; Gold would start by lot."""
    return Table(Start(game_id, options, seed or seed_for("gold")))


VARIANTS: Final[tuple[dict[str, Any], ...]] = (
    *({"level": level} for level in LEVELS),
    *({"level": level, "dice": "dicey"} for level in LEVELS),
    {"level": "master", "arena": "crown", "handicap": "gold +3", "bid": True},
    {"level": "water", "handicap": "black II", "starter": "black", "draw_claim": False},
    {"level": "master", "dice": "dicey", "handicap": "gold I", "bid": True, "draw_claim": 3},
)


def random_table(
    number: int, options: dict[str, Any], *, entries: int = 400, until: str | None = None
) -> Table:
    """A game at random; ``until`` stops it as soon as somebody is asked for that."""
    rng = Random(number)
    played = Table(Start(f"random-{number}", options, rng.randbytes(32)))
    while len(played.log) < entries and GAME.requests(played.state):
        if until is not None and any(kind == until for _, kind in played.asked()):
            break
        entry = random_entry(rng, GAME, played.state)
        played.send(HOUSES[entry.seat or 0], entry.text)
    return played
