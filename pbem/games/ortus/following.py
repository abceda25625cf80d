"""The boards between the events of a game: each event with the position before and after it.

Events name orders and verdicts but carry no boards. Played again from an earlier state they give
them, without dice and standing rules: what was rolled and answered is in the events. ``telling``
makes sentences of this, ``trace_moments`` the arrows of a picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

from notation.reading import parse_order
from pbem.games.base import Event
from pbem.games.ortus.actions import Action
from pbem.games.ortus.drawing import Trace, trace_action
from pbem.games.ortus.figures import DICE
from pbem.games.ortus.hexes import get_hex
from pbem.games.ortus.orders import to_action
from pbem.games.ortus.position import Position
from pbem.games.ortus.state import State, open_play
from pbem.games.ortus.turn import decide, perform

Verdicts = tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """An event with the boards around it; None before play has begun.

    ``action`` is what was done, if something was. ``standing`` is the board before the attack under
    way, on which its victims stand.
    """

    event: Event
    before: Position | None
    after: Position | None
    action: Action | None = None
    standing: Position | None = None


def follow(before: State, events: Iterable[Event]) -> Iterator[Moment]:
    """Go along the events that followed a state."""
    state, position = before, before.position
    standing = position
    known = 0 if position is None else len(position.verdicts)
    for event in events:
        earlier, action = position, None
        match event.name:
            case "setups_shown":
                state = replace(state, setups=cast(tuple[str, str], event.facts["setups"]))
            case "bid_made" | "bid_passed":
                state = replace(state, bids=(*state.bids, cast(int | None, event.facts["bid"])))
            case "turn_began" if position is None:
                position = open_play(state).position
            case "acted":
                assert position is not None
                standing, known = position, 0
                roll = cast(tuple[int, ...] | None, event.facts["roll"])
                action, position = _act(position, str(event.facts["order"]), roll)
            case "defended":
                assert position is not None
                verdicts = cast(Verdicts, event.facts["verdicts"])
                if position.question is not None and known + len(verdicts) > len(position.verdicts):
                    saves = [saved for _, saved in verdicts][: len(position.question.victims)]
                    position = decide(position, saves)
                known += len(verdicts)
        yield Moment(event, earlier, position, action, standing)


@lru_cache(maxsize=48)  # each mail about an entry tells of it and draws it
def _act(position: Position, order: str, roll: tuple[int, ...] | None) -> tuple[Action, Position]:
    """What an order of a record did, and the board behind it."""
    action = to_action(position, parse_order(order))
    return action, perform(position, action, face=_face(action, roll))


def _face(action: Action, roll: tuple[int, ...] | None) -> int | None:
    """The face index that was rolled; of two like faces the first."""
    return None if roll is None else 2 * DICE[action.verb].index(roll)


def trace_moments(moments: Iterable[Moment]) -> Trace:
    """What the events did on the board, for a picture."""
    trace = Trace()
    for moment in moments:
        if moment.action is not None and moment.before is not None and moment.after is not None:
            trace += trace_action(moment.before, moment.action, moment.after)
        elif moment.event.name == "defended":
            verdicts = cast(Verdicts, moment.event.facts["verdicts"])
            fell = frozenset(get_hex(hex_) for hex_, saved in verdicts if not saved)
            trace += Trace(fell=fell)
    return trace
