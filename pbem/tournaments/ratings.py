"""Ratings: which games count, and what they come to, month by month. Glicko-2 itself is ``glicko``.

Each level has ratings of its own. A period is a calendar month (UTC). All games of a month count
together, against the opponents as they were when it began; the figure of the month that runs is
simply what it would be if it ended now. So nothing depends on the order in which games come to
light, nor on when anybody counts: from the same games follow the same figures.

Keeping games and figures, and the moment, is left to ``pbem.play.rating``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Final, Literal

from pbem.tournaments.glicko import NEW, Figure, after_period, after_rest

WhyNot = Literal[
    "friendly",
    "position",
    "handicap",
    "ruling",
    "forfeit",
    "short",
    "substituted",
    "annulled",
    "self",
    "often",
]
"""Why a game counts for no rating: it was agreed so; it began from a position, or with a handicap;
a director ruled; somebody gave up, or let the clock run out, before it had really begun; a draw was
agreed so early; a seat changed hands; a director took it back; both sides are one person; the two
have had MOST_OF_A_PAIR rated games in the month already."""

ENOUGH_TURNS: Final = 6
"""A game with fewer turns, of both sides together, counts for nobody."""
MOST_OF_A_PAIR: Final = 4
"""So many games of the same two count in a month at a level; what they play besides does not. Two
friends cannot lift each other far."""
SURE_DEVIATION: Final = 110.0
SURE_GAMES: Final = 5
"""With a larger deviation, or fewer games, a rating is provisional."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game of a level that is over. ``gold`` and ``black`` are players; ``points`` are Gold's, in
    halves; ``why_not`` is empty if it counts."""

    game_id: str
    ended_at: datetime
    gold: int
    black: int
    points: int
    why_not: WhyNot | Literal[""] = ""

    @property
    def period(self) -> int:
        """The month it belongs to."""
        return period_of(self.ended_at)

    @property
    def pair(self) -> frozenset[int]:
        """Who played."""
        return frozenset((self.gold, self.black))

    @property
    def order(self) -> tuple[datetime, str]:
        """By which games are sorted."""
        return self.ended_at, self.game_id


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's figure at the end of a month in which they had rated games; ``games`` counts all
    of them up to then."""

    player_id: int
    period: int
    figure: Figure
    games: int

    def at(self, period: int) -> Rating:
        """The same as it stands in a later month: less sure by the months without a game."""
        rested = max(0, period - self.period - 1)
        return replace(self, figure=after_rest(self.figure, rested))

    @property
    def is_provisional(self) -> bool:
        """Whether it is still too uncertain to be ranked."""
        return self.games < SURE_GAMES or self.figure.deviation > SURE_DEVIATION


def period_of(instant: datetime) -> int:
    """The number of the month of an instant; months follow each other by one."""
    moment = instant.astimezone(UTC)
    return moment.year * 12 + moment.month - 1


def begin_of(period: int) -> datetime:
    """The instant with which a month begins."""
    year, month = divmod(period, 12)
    return datetime(year, month + 1, 1, tzinfo=UTC)


def period_text(period: int) -> str:
    """A month as it is written: ``2026-11``."""
    return f"{begin_of(period):%Y-%m}"


def why_unrated(
    *, is_agreed: bool, has_position: bool, has_handicap: bool, ending: str, turns: int
) -> WhyNot | Literal[""]:
    """Why a game counts for no rating, by what it is itself; empty if it counts.

    ``ending`` is its termination (N5.1), ``turns`` those of both sides.
    """
    if not is_agreed:
        return "friendly"
    if has_position:
        return "position"
    if has_handicap:
        return "handicap"
    if ending == "ruling":
        return "ruling"
    if turns < ENOUGH_TURNS:
        return "forfeit" if ending in ("resignation", "time") else "short"
    return ""


def judged(games: Iterable[RatedGame]) -> list[RatedGame]:
    """The games of a level in their order, with those that do not count because of who played, or
    how often. What the games say already stays."""
    counts: Counter[tuple[int, frozenset[int]]] = Counter()
    found = []
    for each in sorted(games, key=lambda game: game.order):
        game = replace(each, why_not="") if each.why_not in ("self", "often") else each
        if not game.why_not:
            if game.gold == game.black:
                game = replace(game, why_not="self")
            elif counts[game.period, game.pair] >= MOST_OF_A_PAIR:
                game = replace(game, why_not="often")
            else:
                counts[game.period, game.pair] += 1
        found.append(game)
    return found


def rate(
    games: Iterable[RatedGame], before: Mapping[int, Rating] | None = None
) -> Iterator[Rating]:
    """What the games of a level come to: a rating for each player and month with rated games, month
    by month. ``before`` are the last ratings from before the first of these games, by player.
    """
    known = dict(before or {})
    counting = (game for game in judged(games) if not game.why_not)
    for period, played in groupby(counting, key=lambda game: game.period):
        ratings = list(_rate_period(period, list(played), known))
        known.update((rating.player_id, rating) for rating in ratings)
        yield from ratings


def _rate_period(
    period: int, games: Sequence[RatedGame], known: Mapping[int, Rating]
) -> Iterator[Rating]:
    scores: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for game in games:
        scores[game.gold].append((game.black, game.points))
        scores[game.black].append((game.gold, 2 - game.points))
    figures = {
        player_id: known[player_id].at(period).figure if player_id in known else NEW
        for player_id in scores
    }
    for player_id in sorted(scores):
        had = known[player_id].games if player_id in known else 0
        played = [(figures[opponent], points) for opponent, points in scores[player_id]]
        figure = after_period(figures[player_id], played)
        yield Rating(player_id, period, figure, had + len(played))
