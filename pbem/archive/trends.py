"""Energy, honour and Wells of both Houses over the turns of a record, and the chart of them.

Energy is what a House kept: what it had left when its turn ended, less what it paid for saves in
the other's turn. What it collects follows from its Wells, and is spent before it is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from notation.record import Record
from pbem.games.chart import Chart, Strip
from pbem.games.ortus.arena import Arena
from pbem.games.ortus.figures import HONOUR_TO_WIN, WELLS_TO_WIN
from pbem.games.ortus.position import Position
from pbem.games.ortus.replaying import RecordFault, first_position, moments
from pbem.tongue import ENGLISH, N_, Tongue

TITLE: Final = N_("Energy, honour and Wells, turn by turn")
START: Final = N_("Start")
ENERGY: Final = N_("Energy kept for defending")
HONOUR: Final = N_("Honour")
WELLS: Final = N_("Wells")

_ENERGY_STEP: Final = 7

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Trends:
    """Figures of Gold and Black at the beginning and at the end of every turn."""

    labels: tuple[str, ...]
    """Of the turns; the figures have one moment more, the beginning."""
    energy: Pairs
    honour: Pairs
    wells: Pairs


def find_trends(record: Record, *, arenas: Mapping[str, Arena] | None = None) -> Trends | None:
    """The trends of the main line, as far as it can be played; None if it cannot be begun."""
    try:
        before = first_position(record, arenas=arenas)
    except RecordFault:
        return None
    labels: list[str] = []
    turns = [_figures(before, before.energy)]
    try:
        for turn, _, after in moments(record, arenas=arenas):
            label = f"{turn.round}{turn.side}"
            if not labels or labels[-1] != label:
                labels.append(label)
                turns.append(turns[-1])
            house, other = before.active, before.passive
            kept = list(turns[-1][0])
            if after.active == house:
                kept[other] = after.energy[other]
            else:  # the other has collected already, and that is not kept
                kept[house] = after.energy[house]
            turns[-1] = _figures(after, (kept[0], kept[1]))
            before = after
    except RecordFault:
        pass  # what could be played is shown; what is wrong is told by ``verify``
    energy, honour, wells = zip(*turns, strict=True)
    return Trends(tuple(labels), energy, honour, wells)


def draw_trends(trends: Trends, names: tuple[str, str], *, tongue: Tongue = ENGLISH) -> Chart:
    """The chart of the trends, with the names of Gold's and Black's player."""
    most = max((max(pair) for pair in trends.energy), default=0)
    top = max(2, -(-most // _ENERGY_STEP)) * _ENERGY_STEP
    return Chart(
        title=tongue.say(TITLE),
        names=names,
        moments=(tongue.say(START), *trends.labels),
        strips=(
            Strip(
                tongue.say(ENERGY),
                _by_house(trends.energy),
                maximum=top,
                levels=tuple(range(0, top + 1, _ENERGY_STEP)),
                height=66,
            ),
            Strip(
                tongue.say(HONOUR),
                _by_house(trends.honour),
                maximum=HONOUR_TO_WIN,
                levels=(0, 4, HONOUR_TO_WIN),
                height=54,
                goal=HONOUR_TO_WIN,
            ),
            Strip(
                tongue.say(WELLS),
                _by_house(trends.wells),
                maximum=WELLS_TO_WIN,
                levels=(0, WELLS_TO_WIN),
                height=40,
                goal=WELLS_TO_WIN,
            ),
        ),
    )


def _figures(
    position: Position, energy: tuple[int, int]
) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
    return energy, position.honour, (position.wells_held(0), position.wells_held(1))


def _by_house(pairs: Pairs) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
