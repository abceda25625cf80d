"""Why a game counts for no rating: the sentences for the codes of ``WhyNot``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.tongue import N_, Tongue
from pbem.tournaments.ratings import ENOUGH_TURNS, MOST_OF_A_PAIR

SENTENCES: Final[Mapping[str, str]] = {
    "friendly": N_("friendly: the players agreed that it does not count"),
    "position": N_("it began from a position"),
    "handicap": N_("it was played with a handicap"),
    "ruling": N_("it ended by a ruling"),
    "forfeit": N_("it was given up before {turns} turns"),
    "short": N_("it ended before {turns} turns"),
    "substituted": N_("a substitute took over a seat"),
    "annulled": N_("a director annulled it"),
    "self": N_("both accounts were one player's"),
    "often": N_("only {games} games of the same two count in a month"),
}


def say_why_unrated(why_not: str, tongue: Tongue) -> str:
    """Why a game does not count, in a few words; empty if it does."""
    if not why_not:
        return ""
    return tongue.say(SENTENCES[why_not], turns=ENOUGH_TURNS, games=MOST_OF_A_PAIR)
