"""What a seat is shown of a game: the board of a state, and the outcomes of a submission.

Owns what the words on a picture cannot know from the position alone: set-ups that are still
secret, bids that are open, an end that no board shows. How a position is drawn is ``drawing``.
``game`` loads this module when a board is first asked for: most submissions need none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from notation.record_writing import format_verdicts
from pbem.games.base import Forecast
from pbem.games.ortus.drawing import draw_position, draw_setup
from pbem.games.ortus.figures import HOUSE_NAMES
from pbem.games.ortus.hexes import GOLD, hex_name
from pbem.games.ortus.plans import AttackOutcome, Outcome
from pbem.games.ortus.position import Position
from pbem.games.ortus.state import BID, State, View, open_play
from pbem.games.ortus.submissions import Submission, fault_of
from pbem.games.ortus.turn import decide
from pbem.games.scene import Scene


def show_state(state: State, seat: int | None) -> Scene:
    """The board as a seat, or a spectator, may see it."""
    bottom = GOLD if seat is None else seat
    if state.phase == BID:
        return _show_bidding(state, bottom)
    if state.position is None:
        setup = None if seat is None else state.setups[seat]
        return draw_setup(state.options.arena, setup=setup, house=bottom)
    position = state.position
    if state.result is not None and position.reason is None:
        # A board does not know that its game was resigned, agreed on, or ended by the clock.
        position = position.copy()
        position.winner, position.reason = state.result.winner, state.result.termination
    return draw_position(position, bottom=bottom)


def _show_bidding(state: State, bottom: int) -> Scene:
    """Both set-ups, shown while the first turn is bid for (R2.4)."""
    auction = state.auction()
    position = open_play(state).position
    assert position is not None
    leader = HOUSE_NAMES[auction.leader].capitalize()
    scene = draw_position(
        position,
        bottom=bottom,
        caption=f"{leader} would start with {auction.energy}; bids are open.",
    )
    panels = tuple(
        replace(
            panel,
            status="to bid" if panel.seat == auction.bidder else "",
            is_active=panel.seat == auction.bidder,
        )
        for panel in scene.panels
    )
    return replace(scene, panels=panels, title=f"Ortus. {scene.caption}")


def forecast(view: View, submission: Submission) -> tuple[Forecast, ...]:
    """Every way a submission can go, as far as its author may know (N2.5)."""
    if submission.check is not None:
        return forecast_outcomes(submission.check.outcomes, view.seat)
    if submission.saves and view.position is not None:
        after = decide(view.position, submission.saves)
        scene = draw_position(after, bottom=view.seat)
        return (Forecast((submission.text,), scene, asks=_asks(after)),)
    return ()


def forecast_outcomes(outcomes: Iterable[Outcome], seat: int) -> tuple[Forecast, ...]:
    """Outcomes of a plan with their boards, seen from a seat."""
    return tuple(
        Forecast(
            steps=tuple(_attack_text(attack) for attack in outcome.attacks),
            scene=draw_position(outcome.position, bottom=seat),
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
