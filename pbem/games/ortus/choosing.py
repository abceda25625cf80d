"""What may follow in a turn that is being put together, for a board that can be clicked.

Sees only what the player on turn sees: it reads no standing rules and rolls no dice (N2.5). In a
dicey game an end is shown with a face that allows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from notation.errors import NotationError
from notation.reading import parse_order
from pbem.games.base import Fault
from pbem.games.choices import Choice, Choices, Fork, Kind
from pbem.games.ortus.actions import (
    ATTACKS,
    DRAGONS,
    END,
    GUIDE,
    NOBODY,
    ON_GUIDE,
    RETURN,
    Action,
)
from pbem.games.ortus.drawing import Trace, draw_position, trace_action
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.hexes import OFF_BOARD, hex_name
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.legality import check
from pbem.games.ortus.orders import action_text, to_action
from pbem.games.ortus.perft import outcomes as faces_rolled
from pbem.games.ortus.plans import named_verdicts, settled
from pbem.games.ortus.position import Position
from pbem.games.ortus.state import View
from pbem.tongue import ENGLISH, N_, Tongue

MAX_PATH = 200
FELL = N_("{hex} falls")
SAVED = N_("{hex} is saved")


def find_choices(view: View, path: Sequence[str], *, tongue: Tongue = ENGLISH) -> Choices | None:
    """What may follow behind a path; None if the seat is not on turn."""
    position = view.position
    if position is None or position.question is not None or position.active != view.seat:
        return None
    return find_choices_on(position, path, tongue=tongue)


def find_choices_on(
    position: Position, path: Sequence[str], *, tongue: Tongue = ENGLISH
) -> Choices:
    """What may follow behind a path of the House on turn, on any board without an open defence."""
    seat = position.active
    walk = _Walk(position)
    fault: Fault | None = None
    step: int | None = None
    for number, item in enumerate(path[:MAX_PATH]):
        fault = walk.take(item)
        if fault is not None:
            step = number
            break
    here = walk.position
    is_over = here.winner is not None or here.active != seat
    ends = walk.open_ends()
    return Choices(
        scene=draw_position(here, bottom=seat, trace=walk.trace, tongue=tongue),
        choices=() if is_over else tuple(_choice(here, action) for action in legal_actions(here)),
        forks=tuple(_fork(end, tongue) for end in ends) if len(ends) > 1 else (),
        fault=fault,
        step=step,
    )


class _Walk:
    """Goes along a path. Behind an attack whose end is open it stands on the first end, until a
    guard says which."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.trace: Trace | None = None
        self._ends: dict[str, Position] = {}
        self._last: tuple[Position, Action] | None = None

    def take(self, item: str) -> Fault | None:
        """One step further, or why not."""
        if item.startswith("["):
            return self._assume(item.strip("[]: "))
        before = self.position
        try:
            action = to_action(before, parse_order(item))
            check(before, action)
        except NotationError as error:
            facts = {"found": error.found, "expected": error.expected}
            return Fault(f"syntax_{error.code}", "N1", facts)
        except Illegal as reason:
            return Fault(reason.code, reason.clause, reason.facts)
        self._ends = {}
        self._last = before, action
        if action.verb in ATTACKS:
            for after in faces_rolled(before, action):
                for end in settled(after):
                    self._ends.setdefault(_guard(end), end)
            self._stand(next(iter(self._ends.values())))
        else:
            self._stand(next(iter(faces_rolled(before, action))))
        return None

    def _assume(self, guard: str) -> Fault | None:
        end = self._ends.get(guard)
        if end is None:
            return Fault("no_such_end", "N2.1", {"guard": guard})
        self._ends = {}
        self._stand(end)
        return None

    def _stand(self, position: Position) -> None:
        assert self._last is not None
        self.position = position
        self.trace = trace_action(*self._last, position)

    def open_ends(self) -> list[tuple[str, Position]]:
        """The ends of the last attack between which nothing has been assumed."""
        return list(self._ends.items())


def _guard(end: Position) -> str:
    """How a plan names this end of an attack (N2.1)."""
    verdicts = named_verdicts(end)
    if len(verdicts) == 1:
        return "+" if verdicts[0][1] else "-"
    return ",".join(f"{hex_}{'+' if saved else '-'}" for hex_, saved in verdicts)


def _fork(end: tuple[str, Position], tongue: Tongue) -> Fork:
    guard, position = end
    told = [
        tongue.say(SAVED if saved else FELL, hex=hex_) for hex_, saved in named_verdicts(position)
    ]
    return Fork(guard, ", ".join(told))


def _choice(position: Position, action: Action) -> Choice:
    target = None
    if action.to == ON_GUIDE:
        target = hex_name(position.guide[position.active])
    elif action.to != NOBODY:
        target = hex_name(action.to)
    return Choice(
        order=action_text(position, action),
        kind=_kind(action),
        cost=check(position, action),
        sources=tuple(_sources(position, action)),
        target=target,
        landing=None if action.landing == NOBODY else hex_name(action.landing),
    )


def _kind(action: Action) -> Kind:
    if action.verb in ATTACKS:
        return "attack"
    others: dict[str, Kind] = {END: "end", GUIDE: "step", RETURN: "place"}
    return others.get(action.verb, "move")


def _sources(position: Position, action: Action) -> Iterator[str]:
    house = position.active
    if action.verb == GUIDE:
        guide = position.guide[house]
        yield "guide" if guide == OFF_BOARD else hex_name(guide)
        return
    for slot in (action.who, action.partner if action.verb == DRAGONS else NOBODY):
        if slot == NOBODY:
            continue
        hex_ = position.hexes[house][slot]
        element = position.rules.elements[house][slot]
        yield f"{element}{slot + 1}" if hex_ == OFF_BOARD else hex_name(hex_)
