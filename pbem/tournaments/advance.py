"""How far each has come in a knock-out: what its table is ordered by.

Who has come through is the ``bracket``'s to say.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from pbem.tournaments.bracket import bracket
from pbem.tournaments.event import Event

State = Literal["out", "third", "in", "won"]
STATES: Final[tuple[State, ...]] = ("out", "third", "in", "won")
"""How somebody stands in the last round they came to: out by it; out, but winner of the match for
the third place; still in; or winner of all. Each is more than those before it."""


class Reached(NamedTuple):
    """The last round somebody came to, and how they stand in it."""

    round: int
    state: State

    @property
    def figure(self) -> int:
        """The higher the further; those who went out together are level."""
        return len(STATES) * self.round + STATES.index(self.state)


def read_reached(figure: int) -> Reached:
    """The inverse of ``Reached.figure``."""
    round_, state = divmod(figure, len(STATES))
    return Reached(round_, STATES[state])


def advances(event: Event) -> dict[int, int]:
    """The figure of every entrant; 0 for who is not in the bracket."""
    figures = dict.fromkeys((each.number for each in event.entrants), 0)
    if not any(each.is_in for each in event.entrants) and not event.encounters:
        return figures
    found = bracket(event)
    for matches in found.rounds:
        for match in matches:
            for side in match.sides:
                if side is not None:
                    is_out = match.state == "decided" and match.winner != side
                    figures[side] = Reached(match.round, "out" if is_out else "in").figure
    if found.champion is not None:
        figures[found.champion] = Reached(len(found.rounds), "won").figure
    if found.third is not None and found.third.winner is not None:
        figures[found.third.winner] = Reached(len(found.rounds) - 1, "third").figure
    return figures
