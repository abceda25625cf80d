"""Energy, honour and Wells of both Houses over the turns of a game, and the chart of them.

Energy is what a House kept: what it had left when its turn ended, less what it paid for saves in
the other's turn. What it collects follows from its Wells, and is spent before it is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pbem.archive.frames import Document, Frame
from pbem.games.chart import Chart, Strip
from pbem.games.ortus.figures import HONOUR_TO_WIN, WELLS_TO_WIN
from pbem.games.ortus.hexes import BLACK, GOLD
from pbem.games.ortus.words import house_name
from pbem.tongue import ENGLISH, N_, Tongue

TITLE: Final = N_("Energy, honour and Wells, turn by turn")
START: Final = N_("Start")
ENERGY: Final = N_("Energy kept for defending")
HONOUR: Final = N_("Honour")
WELLS: Final = N_("Wells")

_ENERGY_STEP: Final = 7

Pair = tuple[int, int]
Pairs = tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Trends:
    """Figures of Gold and Black at the beginning and at the end of every turn."""

    labels: tuple[str, ...]
    """Of the turns; the figures have one moment more, the beginning."""
    energy: Pairs
    honour: Pairs
    wells: Pairs


def find_trends(document: Document) -> Trends:
    """The trends of the game itself, as far as it could be played; empty if it has no board."""
    labels: list[str] = []
    turns: list[tuple[Pair, Pair, Pair]] = []
    for frame in document.main:
        if frame.deed is None:
            if not turns:
                turns.append(_figures(frame, frame.position.energy))
            continue
        if not labels or labels[-1] != frame.label:
            labels.append(frame.label)
            turns.append(turns[-1])
        board, after = frame.deed.board, frame.position
        house, other = board.active, board.passive
        kept = list(turns[-1][0])
        if after.active == house:
            kept[other] = after.energy[other]
        else:  # the other has collected already, and that is not kept
            kept[house] = after.energy[house]
        turns[-1] = _figures(frame, (kept[0], kept[1]))
    return Trends(
        tuple(labels),
        energy=tuple(turn[0] for turn in turns),
        honour=tuple(turn[1] for turn in turns),
        wells=tuple(turn[2] for turn in turns),
    )


def draw_trends(trends: Trends, *, tongue: Tongue = ENGLISH) -> Chart:
    """The chart of the trends, Gold's and Black's.

    Raises ValueError for trends without a beginning.
    """
    most = max((max(pair) for pair in trends.energy), default=0)
    top = max(2, -(-most // _ENERGY_STEP)) * _ENERGY_STEP
    return Chart(
        title=tongue.say(TITLE),
        names=(house_name(tongue, GOLD), house_name(tongue, BLACK)),
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


def _figures(frame: Frame, energy: Pair) -> tuple[Pair, Pair, Pair]:
    figures = frame.figures
    return energy, figures.honour, figures.wells


def _by_house(pairs: Pairs) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
