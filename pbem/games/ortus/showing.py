"""What a seat is shown of a game: the board of a state, and the outcomes of a submission.

Owns what the words on a picture cannot know from the position alone: set-ups that are still
secret, bids that are open, an end that no board shows. How a position is drawn is ``drawing``.
``game`` loads this module when a board is first asked for: most submissions need none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from notation.reading import parse_order
from notation.record_writing import format_verdicts
from pbem.games.base import Event, Forecast
from pbem.games.ortus.drawing import SECRET, TITLE, Trace, draw_position, draw_setup, trace_question
from pbem.games.ortus.following import trace_moments
from pbem.games.ortus.hexes import GOLD, hex_name
from pbem.games.ortus.moments import moments_since, stretch_key
from pbem.games.ortus.orders import to_action
from pbem.games.ortus.plans import AttackOutcome, Outcome
from pbem.games.ortus.position import Position
from pbem.games.ortus.speech import speak_position
from pbem.games.ortus.state import BID, State, View, open_play
from pbem.games.ortus.submissions import Submission, fault_of
from pbem.games.ortus.turn import decide
from pbem.games.ortus.words import house_name
from pbem.games.scene import Scene
from pbem.shelf import Shelf
from pbem.tongue import ENGLISH, N_, Tongue

TO_BID: Final = N_("to bid")
BIDS_OPEN: Final = N_("{house} would start with {energy}; bids are open.")
YOU_PLAY: Final = N_("You play {house}.")
YOUR_SETUP: Final = N_("Your set-up: {setup}.")

Since = tuple[State, Sequence[Event]]
"""A state, and what followed it."""

_MOST_KEPT: Final = 8
"""Boards that are kept for the mail to the other seat; each takes about 3 kB."""


class _Drawn(NamedTuple):
    """A board. What its key names is held here, so that no other thing can come to have the same
    ids."""

    state: State
    tongue: Tongue
    since: Since | None
    scene: Scene


_kept: Final[Shelf[tuple[int, ...], _Drawn]] = Shelf(_MOST_KEPT, lambda _: 1)


def show_state(
    state: State,
    seat: int | None,
    *,
    tongue: Tongue = ENGLISH,
    since: Since | None = None,
) -> Scene:
    """The board as a seat, or a spectator, may see it; with what has happened ``since``."""
    bottom = GOLD if seat is None else seat
    if state.phase == BID:
        return _show_bidding(state, bottom, tongue)
    position = _shown_position(state)
    if position is None:
        setup = None if seat is None else state.setups[seat]
        return draw_setup(state.options.arena, setup=setup, house=bottom, tongue=tongue)
    scene = _draw_state(state, position, since, tongue)
    return scene if scene.bottom_seat == bottom else replace(scene, bottom_seat=bottom)


def _draw_state(state: State, position: Position, since: Since | None, tongue: Tongue) -> Scene:
    """The board that is public, drawn once for both seats: only the side it is seen from differs,
    and here it is Gold's."""
    key = (id(state), id(tongue), *(() if since is None else stretch_key(*since)))
    drawn = _kept.find(key)
    if drawn is None:
        trace = Trace() if since is None else trace_moments(moments_since(*since))
        if position.question is not None:
            attack = to_action(position, parse_order(state.attack))
            trace += trace_question(position, attack)
        held = None if since is None else (since[0], tuple(since[1]))
        drawn = _Drawn(state, tongue, held, draw_position(position, trace=trace, tongue=tongue))
        _kept.keep(key, drawn)
    return drawn.scene


def speak_state(state: State, seat: int | None, *, tongue: Tongue = ENGLISH) -> str:
    """The board in words, as a seat, or a spectator, may see it."""
    lines = [] if seat is None else [tongue.say(YOU_PLAY, house=house_name(tongue, seat))]
    position = _shown_position(state)
    if state.phase == BID:
        lines.append(_bids_open(state, tongue))
        position = open_play(state).position
        assert position is not None
        # Nobody is on turn before the bidding is over.
        lines += speak_position(position, tongue=tongue).splitlines()[1:]
    elif position is not None:
        lines.append(speak_position(position, tongue=tongue))
    else:
        lines.append(tongue.say(SECRET))
        if seat is not None and state.setups[seat] is not None:
            lines.append(tongue.say(YOUR_SETUP, setup=state.setups[seat]))
    return "\n".join(lines)


def _shown_position(state: State) -> Position | None:
    """The board that is public, with the end of the game on it."""
    position = state.position
    if position is not None and state.result is not None and position.reason is None:
        # A board does not know that its game was resigned, agreed on, or ended by the clock.
        position = position.copy()
        position.winner, position.reason = state.result.winner, state.result.termination
    return position


def _show_bidding(state: State, bottom: int, tongue: Tongue) -> Scene:
    """Both set-ups, shown while the first turn is bid for (R2.4)."""
    auction = state.auction()
    position = open_play(state).position
    assert position is not None
    scene = draw_position(position, bottom=bottom, caption=_bids_open(state, tongue), tongue=tongue)
    panels = tuple(
        replace(
            panel,
            status=tongue.say(TO_BID) if panel.seat == auction.bidder else "",
            is_active=panel.seat == auction.bidder,
        )
        for panel in scene.panels
    )
    return replace(scene, panels=panels, title=TITLE.format(caption=scene.caption))


def _bids_open(state: State, tongue: Tongue) -> str:
    auction = state.auction()
    leader = house_name(tongue, auction.leader)
    return tongue.say(BIDS_OPEN, house=leader, energy=auction.energy)


def forecast(
    view: View, submission: Submission, *, tongue: Tongue = ENGLISH
) -> tuple[Forecast, ...]:
    """Every way a submission can go, as far as its author may know (N2.5)."""
    if submission.check is not None:
        return forecast_outcomes(submission.check.outcomes, view.seat, tongue=tongue)
    if submission.saves and view.position is not None:
        after = decide(view.position, submission.saves)
        scene = draw_position(after, bottom=view.seat, tongue=tongue)
        return (Forecast((submission.text,), scene, asks=_asks(after)),)
    if submission.setup:
        scene = draw_setup(
            view.options.arena, setup=submission.setup, house=view.seat, tongue=tongue
        )
        return (Forecast((), scene),)
    return ()


def forecast_outcomes(
    outcomes: Iterable[Outcome], seat: int, *, tongue: Tongue = ENGLISH
) -> tuple[Forecast, ...]:
    """Outcomes of a plan with their boards, seen from a seat."""
    return tuple(
        Forecast(
            steps=tuple(_attack_text(attack) for attack in outcome.attacks),
            scene=draw_position(outcome.position, bottom=seat, tongue=tongue),
            fault=None if outcome.stopped is None else fault_of(*outcome.stopped),
            asks=_asks(outcome.position),
        )
        for outcome in outcomes
    )


def _attack_text(attack: AttackOutcome) -> str:
    """An attack with its roll and verdicts, as a record would have it (N5.3)."""
    roll = "" if attack.roll is None else f"({'/'.join(map(str, attack.roll))})"
    is_lone = len(attack.verdicts) == 1
    verdicts = [(None if is_lone else hex_, saved) for hex_, saved in attack.verdicts]
    return f"{attack.order}{roll}{format_verdicts(tuple(verdicts))}"


def _asks(position: Position) -> str | None:
    if position.question is None:
        return None
    return ", ".join(
        f"{hex_name(victim.hex)} ({victim.power})" for victim in position.question.victims
    )
