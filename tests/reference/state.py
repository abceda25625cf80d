"""What the reference engine remembers of a game, how a game starts, and position lines (N4).

Legal actions are found in `legality`, changes are made in `engine`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tests.reference.board import (
    ARENAS,
    BLACK,
    COORDINATES,
    CORE,
    GOLD,
    HAVEN,
    HOUSES,
    Arena,
    Direction,
    distance,
    opponent,
)

# M: each level switches on the element rules of all levels before it.
LEVELS = ("apprentice", "wind", "earth", "water", "master")
ELEMENTS = "WEAF"


class RefusedError(ValueError):
    """Something the rules do not allow, or a text that cannot be read."""


@dataclass(frozen=True, slots=True)
class Wave:
    """M4.1: how a wave runs on when the warrior it hits falls."""

    at: str
    direction: Direction
    powers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack whose defence is open: victims with their Power, in the order of R6.1."""

    victims: tuple[tuple[str, int], ...]
    wave: Wave | None


@dataclass(slots=True)
class State:
    """A game between two actions."""

    arena: Arena
    level: str
    dicey: bool
    round: int
    active: str
    energy: dict[str, int | None]
    honour: dict[str, int]
    guide: dict[str, str | None]
    warriors: dict[str, dict[str, str | None]]  # House -> name -> hex, None = Fallen
    handicap: dict[str, int] = field(default_factory=lambda: dict.fromkeys(HOUSES, 0))
    board: dict[str, str] = field(default_factory=lambda: dict.fromkeys(HOUSES, ""))
    starter: str = GOLD  # N4: a game from a position counts as if Gold had started
    from_setups: bool = False
    turns_ended: int = 0
    turn_start: dict[str, str | None] = field(default_factory=dict)  # the active House's warriors
    moved: set[str] = field(default_factory=set)
    attacked: set[str] = field(default_factory=set)
    winds_out: int = 0
    owed: int = 0
    returning: bool = False
    guide_used: bool = False
    pending: Attack | None = None
    winner: str | None = None
    reason: str | None = None
    first_whole_round: int = 1  # R8.3: rounds before this one were not played whole
    last_fall: int | None = None


def copied(state: State) -> State:
    """A copy that can be changed without a trace in the first."""
    return replace(
        state,
        energy=dict(state.energy),
        honour=dict(state.honour),
        guide=dict(state.guide),
        warriors={house: dict(warriors) for house, warriors in state.warriors.items()},
        moved=set(state.moved),
        attacked=set(state.attacked),
    )


def has(state: State, element_level: str) -> bool:
    """M: whether the rules of that level are on."""
    return LEVELS.index(state.level) >= LEVELS.index(element_level)


def begin_turn(state: State) -> None:
    """What is forgotten and remembered when a turn begins."""
    state.turn_start = dict(state.warriors[state.active])
    state.moved = set()
    state.attacked = set()
    state.winds_out = 0
    state.owed = 0
    state.returning = False
    state.guide_used = False


def find_arena(name: str, wells: list[str] | None, cuts: list[str] | None) -> Arena:
    """R9.6: one of the two arenas, or one made of the Wells and cuts given."""
    if wells is not None:
        return Arena(name, frozenset(wells), frozenset(cuts or ()))
    if name not in ARENAS:
        raise RefusedError(f"no arena is called {name!r}")
    return ARENAS[name]


def _check_level(level: str) -> None:
    if level not in LEVELS:
        raise RefusedError(f"no level is called {level!r}")


def _check_elements(house: str, elements: str) -> None:
    """R2.1: two warriors of each element."""
    if sorted(elements) != sorted(ELEMENTS * 2):
        raise RefusedError(f"{house} needs two of each element, not {elements!r}")


def state_from_setups(
    *,
    gold_setup: str,
    black_setup: str,
    starter: str,
    starter_energy: int,
    arena: Arena,
    level: str,
    dicey: bool,
) -> State:
    """R2.2 to R2.5, and R9.4 for what a bid left the starter."""
    _check_level(level)
    warriors: dict[str, dict[str, str | None]] = {}
    for house, setup in ((GOLD, gold_setup), (BLACK, black_setup)):
        _check_elements(house, setup)
        slots = enumerate(zip(setup, HAVEN[house], strict=True), start=1)
        warriors[house] = {f"{element}{slot}": place for slot, (element, place) in slots}
    state = State(
        arena=arena,
        level=level,
        dicey=dicey,
        round=1,
        active=starter,
        energy={starter: starter_energy, opponent(starter): 14},  # R2.5
        honour=dict.fromkeys(HOUSES, 0),
        guide=dict.fromkeys(HOUSES),
        warriors=warriors,
        starter=starter,
        from_setups=True,
    )
    begin_turn(state)
    return state


def _check_place(house: str, place: str, arena: Arena) -> None:
    if place not in COORDINATES or place == CORE or place in arena.cuts:
        raise RefusedError(f"no warrior can stand on {place!r}")
    if place in HAVEN[opponent(house)]:
        raise RefusedError(f"{place} is the Haven of the other House")


def _read_warriors(house: str, text: str, arena: Arena) -> dict[str, str | None]:
    words = [word.split("@") for word in text.split()]
    if len(words) != 8 or any(len(word) != 2 for word in words):
        raise RefusedError(f"{house} needs eight warriors, each with its hex")
    if [name[1:] for name, _ in words] != list("12345678"):
        raise RefusedError(f"{house}'s warriors are not in slot order")
    _check_elements(house, "".join(name[:1] for name, _ in words))
    for _, place in words:
        if place != "x":
            _check_place(house, place, arena)
    return {name: None if place == "x" else place for name, place in words}


def state_from_position(line: str, *, arena: Arena | None = None, dicey: bool = False) -> State:
    """N4: a position line, with the checks that clause asks for."""
    fields = [part.strip() for part in line.split("|")]
    if len(fields) != 6:
        raise RefusedError(f"a position line has six fields, not {len(fields)}")
    try:
        arena_name, level, side, number = fields[0].split()
        energy = dict(zip(HOUSES, map(int, fields[1].split()), strict=True))
        honour = dict(zip(HOUSES, map(int, fields[2].split()), strict=True))
        guides = dict(zip(HOUSES, fields[3].split(), strict=True))
        active, round_number = {"g": GOLD, "b": BLACK}[side], int(number)
    except (ValueError, KeyError) as error:
        raise RefusedError(f"not a position line: {line!r}") from error
    _check_level(level)
    arena = arena or find_arena(arena_name, None, None)
    warriors = {
        house: _read_warriors(house, text, arena)
        for house, text in zip(HOUSES, fields[4:], strict=True)
    }
    taken = [place for house in HOUSES for place in warriors[house].values() if place]
    if len(set(taken)) != len(taken):
        raise RefusedError("two warriors stand on one hex")
    if None in warriors[opponent(active)].values():
        raise RefusedError("only the side to move has Fallen")
    for house in HOUSES:
        _check_guide(house, honour[house], guides[house])
    state = State(
        arena=arena,
        level=level,
        dicey=dicey,
        round=round_number,
        active=active,
        energy={house: energy[house] for house in HOUSES},
        honour=honour,
        guide={house: None if guides[house] == "-" else guides[house] for house in HOUSES},
        warriors=warriors,
        first_whole_round=round_number if active == GOLD else round_number + 1,
    )
    begin_turn(state)
    return state


def _check_guide(house: str, honour: int, guide: str) -> None:
    if not 0 <= honour <= 7:
        raise RefusedError(f"{house}'s honour is {honour}")
    if (guide != "-") != (honour > 0):
        raise RefusedError(f"{house}'s Guide does not fit its honour")
    if guide != "-" and (guide not in COORDINATES or distance(guide, CORE) != 8 - honour):
        raise RefusedError(f"{house}'s Guide is not {8 - honour} steps from the Core")


def position_line(state: State) -> str:
    """N4: the line of a position at the start of Manoeuvring."""

    def pair(values: Mapping[str, object]) -> str:
        return " ".join("-" if values[house] is None else str(values[house]) for house in HOUSES)

    warriors = [
        " ".join(f"{name}@{place or 'x'}" for name, place in state.warriors[house].items())
        for house in HOUSES
    ]
    head = f"{state.arena.name} {state.level} {state.active[0]} {state.round}"
    return " | ".join([head, pair(state.energy), pair(state.honour), pair(state.guide), *warriors])
