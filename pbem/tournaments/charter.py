"""The charter of an event: what is announced before anybody enters. Owns its names and its limits.

Later changes are acts of a director, which say why (``acts``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, get_args

Format = Literal["round_robin", "swiss", "knockout", "league", "ladder", "teams"]
Meeting = Literal["pair", "bid", "single"]
"""How an encounter is played: two games with Houses and start swapped, one game with a bid for the
first turn (R9.4), or one game, with starts balanced over the event. Gold has the first turn in all
but games with a bid."""
TieBreak = Literal[
    "sonneborn_berger",
    "buchholz",
    "buchholz_cut",
    "buchholz_median",
    "direct",
    "wins",
    "koya",
    "black_starts",
]
Pace = Literal["together", "rounds"]
"""Whether all games of a round robin begin at once, or round after round."""
ByeWorth = Literal["win", "draw", "nothing"]

FORMATS: Final = get_args(Format)
MEETINGS: Final = get_args(Meeting)
TIE_BREAKS: Final = get_args(TieBreak)
PACES: Final = get_args(Pace)
BYE_WORTHS: Final = get_args(ByeWorth)

USUAL_TIE_BREAKS: Final[Mapping[str, tuple[TieBreak, ...]]] = {
    "round_robin": ("direct", "sonneborn_berger", "wins", "black_starts"),
    "league": ("direct", "sonneborn_berger", "wins", "black_starts"),
    "swiss": ("buchholz_cut", "buchholz", "sonneborn_berger", "wins", "black_starts"),
    "teams": ("direct", "wins"),
    "knockout": (),
    "ladder": (),
}
"""The order of tie-breaks if the event does not choose one."""


@dataclass(frozen=True, slots=True)
class Charter:
    """What an event is. ``agreement`` is what is played in it, as in an invitation, but without who
    starts: that is the event's to say.

    ``rounds`` is for Swiss events (0: as many as it takes to find one winner) and counts the
    seasons of a league (0: until a director ends it); ``cycles`` is how often all meet all in a
    round robin; with ``group_size`` a round robin is played in groups of up to so many, from each
    of which ``finalists`` go on to a final group. ``round_days`` is how long a round lasts at most:
    games that still go on then count as draws for pairing only, until they end (0: rounds wait for
    their last game). ``size`` and ``movers`` are of leagues: how many play in a division, and how
    many go up and down; ``boards`` is of team matches.
    """

    title: str
    format: Format
    agreement: Mapping[str, object] = field(default_factory=dict)
    meeting: Meeting = "pair"
    about: str = ""
    """What the director says of it; plain text."""
    tie_breaks: tuple[TieBreak, ...] = ()
    rounds: int = 0
    cycles: int = 1
    pace: Pace = "together"
    group_size: int = 0
    finalists: int = 2
    round_days: int = 0
    bye_worth: ByeWorth = "win"
    size: int = 8
    movers: int = 2
    boards: int = 4
    third_place: bool = False
    """Whether the losers of a knock-out's semi-finals play for the third place."""
    reach: int = 3
    """How many places above their own players of a ladder may challenge."""
    min_entrants: int = 2
    max_entrants: int = 0
    """0: as many as like to, up to ``act_entries.MOST_ENTRANTS``; who comes later waits for a place
    (waiting list)."""
    min_rating: int | None = None
    max_rating: int | None = None
    check_in_hours: int = 0
    """So long before the start entrants are asked to say that they are there; 0: nobody is."""
    closes_at: datetime | None = None
    """When entering ends; late entry into a Swiss event is the director's to allow."""
    starts_at: datetime | None = None
    """When it begins by itself; None: when the director says so."""
    allows_late: bool = True

    @property
    def order(self) -> tuple[TieBreak, ...]:
        """The tie-breaks in their order."""
        return self.tie_breaks or USUAL_TIE_BREAKS[self.format]

    @property
    def games(self) -> int:
        """How many games an encounter has."""
        return 2 if self.meeting == "pair" else 1
