"""A position of Ortus: where everything is, and what has happened in the turn so far.

``Rules`` is what a game was agreed on and never changes; ``Position`` is the rest. A position is
never changed once it is handed out: ``turn`` copies it and works on the copy. Owns the opening
positions and the way from and to a position line (N4).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final, NamedTuple, Self

from notation.position_line import PositionLine
from pbem.games.ortus.arena import Arena
from pbem.games.ortus.figures import (
    COLLECTING,
    HOUSE_NAMES,
    LEVELS,
    SECOND_ENERGY,
    SIDE_LETTERS,
    STARTER_ENERGY,
)
from pbem.games.ortus.hexes import (
    BLACK,
    GOLD,
    HAVEN_SLOTS,
    OFF_BOARD,
    bit_set,
    find_hex_name,
    get_hex,
)

SLOTS: Final = range(8)


@dataclass(frozen=True, slots=True)
class Rules:
    """What the players agreed on; pairs are Gold, Black. ``elements`` are the letters by slot.

    ``bonus`` and ``collecting`` are the two kinds of handicap (R9.2). ``has_opening`` is False for
    a game that began from a position: it has no first turn in the sense of M2.2 and R2.5.
    """

    arena: Arena
    level: int
    elements: tuple[str, str]
    dicey: bool = False
    bonus: tuple[int, int] = (0, 0)
    collecting: tuple[tuple[int, ...], tuple[int, ...]] = (COLLECTING, COLLECTING)
    starter: int = GOLD
    has_opening: bool = True
    fires: tuple[tuple[int, ...], tuple[int, ...]] = field(init=False, compare=False)
    earths: tuple[tuple[int, ...], tuple[int, ...]] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        for name, element in (("fires", "F"), ("earths", "E")):
            places = tuple(
                tuple(slot for slot in SLOTS if house[slot] == element) for house in self.elements
            )
            object.__setattr__(self, name, places)

    def warrior_name(self, house: int, slot: int) -> str:
        """``W3`` for the warrior of this House that started on slot index 2 (R2.3)."""
        return f"{self.elements[house][slot]}{slot + 1}"


class Victim(NamedTuple):
    """A warrior under attack: its slot index, its hex, and the Power it takes to save it."""

    slot: int
    hex: int
    power: int


class Question(NamedTuple):
    """An open defence (R6.1): the victims in order, and how a wave would run on (M4.1)."""

    victims: tuple[Victim, ...]
    wave_step: int = 0
    wave_powers: tuple[int, ...] = ()


class Position:
    """A position inside a turn. Pairs are Gold, Black; a hex is a number, ``OFF_BOARD`` is Fallen.

    Of the turn: ``start_hexes`` are where the active House stood when it began; ``moved`` and
    ``attacked`` are sets of slot indices as bits; ``owed`` counts Guide steps; ``returning`` and
    ``guide_return_used`` tell how far R7 has come; ``winds_out`` counts for M2.2. ``verdicts`` are
    the hexes hit by the last attack with *saved*, in order; ``rolled`` is the face index it had;
    ``attacks`` counts the attacks declared in the game (R9.5), ``last_fall`` is the round of the
    last fall (R8.3).
    """

    __slots__ = (
        "active",
        "attacked",
        "attacks",
        "energy",
        "guide",
        "guide_return_used",
        "hexes",
        "honour",
        "last_fall",
        "moved",
        "occupied",
        "owed",
        "question",
        "reason",
        "returning",
        "rolled",
        "round",
        "rules",
        "start_hexes",
        "verdicts",
        "winds_out",
        "winner",
    )

    rules: Rules
    active: int
    round: int
    energy: tuple[int, int]
    honour: tuple[int, int]
    guide: tuple[int, int]
    hexes: tuple[tuple[int, ...], tuple[int, ...]]
    occupied: tuple[int, int]
    start_hexes: tuple[int, ...]
    moved: int
    attacked: int
    owed: int
    returning: bool
    guide_return_used: bool
    winds_out: int
    question: Question | None
    verdicts: tuple[tuple[int, bool], ...]
    rolled: int | None
    attacks: int
    last_fall: int
    winner: int | None
    reason: str | None

    def __init__(
        self,
        rules: Rules,
        *,
        active: int,
        round: int,
        energy: tuple[int, int],
        hexes: tuple[tuple[int, ...], tuple[int, ...]],
        honour: tuple[int, int] = (0, 0),
        guide: tuple[int, int] = (OFF_BOARD, OFF_BOARD),
        last_fall: int = 0,
    ) -> None:
        self.rules = rules
        self.active = active
        self.round = round
        self.energy = energy
        self.honour = honour
        self.guide = guide
        self.hexes = hexes
        self.occupied = (_occupied(hexes[GOLD]), _occupied(hexes[BLACK]))
        self.attacks = 0
        self.last_fall = last_fall
        self.winner = None
        self.reason = None
        self.begin_turn()

    def begin_turn(self) -> None:
        """Forget the last turn. Only for ``turn``, on a fresh copy."""
        self.start_hexes = self.hexes[self.active]
        self.moved = 0
        self.attacked = 0
        self.owed = 0
        self.returning = False
        self.guide_return_used = False
        self.winds_out = 0
        self.question = None
        self.verdicts = ()
        self.rolled = None

    def copy(self) -> Self:
        """The same position again, for ``turn`` to work on."""
        new = self.__class__.__new__(self.__class__)
        new.rules = self.rules
        new.active = self.active
        new.round = self.round
        new.energy = self.energy
        new.honour = self.honour
        new.guide = self.guide
        new.hexes = self.hexes
        new.occupied = self.occupied
        new.start_hexes = self.start_hexes
        new.moved = self.moved
        new.attacked = self.attacked
        new.owed = self.owed
        new.returning = self.returning
        new.guide_return_used = self.guide_return_used
        new.winds_out = self.winds_out
        new.question = self.question
        new.verdicts = self.verdicts
        new.rolled = self.rolled
        new.attacks = self.attacks
        new.last_fall = self.last_fall
        new.winner = self.winner
        new.reason = self.reason
        return new

    def key(self) -> tuple[object, ...]:
        """Everything that tells two positions of one game apart."""
        return _key(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash((self.active, self.round, self.energy, self.honour, self.hexes, self.attacks))

    def __repr__(self) -> str:
        return f"<Position {self.line()} moved={self.moved:b} question={self.question}>"

    @property
    def passive(self) -> int:
        """The House that is not on turn: the one that defends."""
        return 1 - self.active

    @property
    def is_first_turn(self) -> bool:
        """Whether this is the first turn of the whole game (M2.2)."""
        rules = self.rules
        return self.round == 1 and rules.has_opening and self.active == rules.starter

    def free(self, house: int) -> int:
        """The set of hexes that are free for a House (R4.1)."""
        occupied = self.occupied
        return self.rules.arena.free_ground[house] & ~(occupied[GOLD] | occupied[BLACK])

    def wells_held(self, house: int) -> int:
        """On how many Wells this House stands (R3.1)."""
        return (self.occupied[house] & self.rules.arena.wells).bit_count()

    def fallen(self, house: int) -> list[int]:
        """The slot indices of a House's Fallen, lowest first."""
        return [slot for slot, hex_ in enumerate(self.hexes[house]) if hex_ == OFF_BOARD]

    def quiet_rounds(self) -> int:
        """Complete rounds since a warrior last fell (R8.3)."""
        return max(self.round - 1 - self.last_fall, 0)

    def line(self) -> PositionLine:
        """This position as a position line (N4); what the turn has used up is not in it."""
        rules = self.rules
        gold, black = (
            tuple(
                (rules.warrior_name(house, slot), find_hex_name(hex_))
                for slot, hex_ in enumerate(self.hexes[house])
            )
            for house in (GOLD, BLACK)
        )
        return PositionLine(
            arena=rules.arena.name,
            level=LEVELS[rules.level],
            side=SIDE_LETTERS[self.active],
            round=self.round,
            energy=self.energy,
            honour=self.honour,
            guide=(find_hex_name(self.guide[GOLD]), find_hex_name(self.guide[BLACK])),
            gold=gold,
            black=black,
        )


_key: Final[attrgetter[tuple[object, ...]]] = attrgetter(*Position.__slots__)


def _occupied(hexes: tuple[int, ...]) -> int:
    return bit_set([hex_ for hex_ in hexes if hex_ != OFF_BOARD])


def _hex_or_off_board(name: str | None) -> int:
    return OFF_BOARD if name is None else get_hex(name)


def opening(rules: Rules, *, starter_energy: int = STARTER_ENERGY) -> Position:
    """The first turn of a game from set-ups (R2.5); the bid may have lowered the Energy (R9.4)."""
    energy = [SECOND_ENERGY, SECOND_ENERGY]
    energy[rules.starter] = starter_energy
    return Position(
        rules,
        active=rules.starter,
        round=1,
        energy=(energy[GOLD], energy[BLACK]),
        hexes=HAVEN_SLOTS,
    )


def from_line(
    line: PositionLine,
    arena: Arena,
    *,
    dicey: bool = False,
    bonus: tuple[int, int] = (0, 0),
    collecting: tuple[tuple[int, ...], tuple[int, ...]] = (COLLECTING, COLLECTING),
) -> Position:
    """The position that a line describes (N4). The line names an arena, the caller brings it.

    Raises ValueError when a warrior stands on a hex that this arena has cut out.
    """
    houses = (line.gold, line.black)
    for warriors, house in zip(houses, HOUSE_NAMES, strict=True):
        for name, hex_ in warriors:
            if hex_ is not None and arena.cuts >> get_hex(hex_) & 1:
                raise ValueError(f"{house}'s {name} stands on {hex_}, which {arena.name} cuts out")
    rules = Rules(
        arena=arena,
        level=LEVELS.index(line.level),
        elements=(
            "".join(name[0] for name, _ in line.gold),
            "".join(name[0] for name, _ in line.black),
        ),
        dicey=dicey,
        bonus=bonus,
        collecting=collecting,
        has_opening=False,
    )
    active = SIDE_LETTERS.index(line.side)
    return Position(
        rules,
        active=active,
        round=line.round,
        energy=line.energy,
        honour=line.honour,
        guide=(_hex_or_off_board(line.guide[GOLD]), _hex_or_off_board(line.guide[BLACK])),
        hexes=(
            tuple(_hex_or_off_board(hex_) for _, hex_ in line.gold),
            tuple(_hex_or_off_board(hex_) for _, hex_ in line.black),
        ),
        # A round that Black begins alone is never complete (R8.3).
        last_fall=line.round - 1 + active,
    )
