"""What an event is, in words: its format, how two meet, its phase, its tie-breaks.

Owns the names that pages and mails call these by, in one table each. What is played in it is said
by the game and its clock; why two meet by ``saying_why``; who stands where, and what tie-breaks are
called, by ``saying_standings``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from pbem.play.events.saying_standings import TIE_BREAKS
from pbem.tongue import N_, Tongue
from pbem.tournaments.charter import Charter

FORMAT_NAMES: Final = {
    "round_robin": N_("Round robin"),
    "swiss": N_("Swiss"),
    "knockout": N_("Knock-out"),
    "league": N_("League"),
    "ladder": N_("Ladder"),
    "teams": N_("Team match"),
}
"""By format."""

FORMAT_SENTENCES: Final = {
    "round_robin": N_("Everybody meets everybody."),
    "swiss": N_("Round after round you meet somebody with about as many points as you."),
    "knockout": N_("Who loses an encounter is out."),
    "league": N_("Divisions of equal strength; season after season the best go up."),
    "ladder": N_("Challenge somebody above you; who wins takes the place."),
    "teams": N_("Teams meet on boards."),
}
"""By format, for who has to choose one."""

MEETING_NAMES: Final = {
    "pair": N_("Two games, Houses and first turn swapped"),
    "bid": N_("One game, with a bid for the first turn"),
    "single": N_("One game, first turns balanced over the event"),
}
"""By meeting."""

MEETING_SENTENCES: Final = {
    "pair": N_("Two who meet play two games, with Houses and the first turn swapped."),
    "bid": N_("Two who meet play one game and bid for the first turn."),
    "single": N_("Two who meet play one game; over the event each has the first turn as often."),
}
"""By meeting."""

PHASE_NAMES: Final = {
    "draft": N_("Being prepared"),
    "open": N_("Open for entries"),
    "running": N_("Running"),
    "paused": N_("Paused"),
    "over": N_("Over"),
    "cancelled": N_("Cancelled"),
}
"""By phase."""
WITHOUT_LIMITS: Final = ("knockout", "ladder")
"""Formats whose rounds have no last day: matches begin as soon as they can."""
CLOSED: Final = N_("Entries are closed")
"""Of an event that has not begun, and takes no more."""


def say_format(charter: Charter, tongue: Tongue) -> str:
    """How an event of this charter goes, in one sentence."""
    said = _TOLD.get(charter.format)
    return tongue.say(FORMAT_SENTENCES[charter.format]) if said is None else said(charter, tongue)


def _round_robin(charter: Charter, tongue: Tongue) -> str:
    if not charter.group_size:
        return tongue.count(
            "Everybody meets everybody once.",
            "Everybody meets everybody {count} times.",
            charter.cycles,
        )
    return tongue.say(
        "Everybody meets everybody in groups of up to {size}; the best {finalists} of each group"
        " play a final.",
        size=charter.group_size,
        finalists=charter.finalists,
    )


def _swiss(charter: Charter, tongue: Tongue) -> str:
    if not charter.rounds:
        return tongue.say(
            "As many rounds as it takes to find one winner; in each you meet somebody with about"
            " as many points."
        )
    return tongue.count(
        "{count} round, in which you meet somebody of about your strength.",
        "{count} rounds, in each of which you meet somebody with about as many points.",
        charter.rounds,
    )


def _league(charter: Charter, tongue: Tongue) -> str:
    return tongue.say(
        "Divisions of {size} in which everybody meets everybody; after a season {movers} go up and"
        " {movers} go down.",
        size=charter.size,
        movers=charter.movers,
    )


def _ladder(charter: Charter, tongue: Tongue) -> str:
    return tongue.say(
        "Challenge somebody up to {reach} places above you; who wins takes the place.",
        reach=charter.reach,
    )


def _teams(charter: Charter, tongue: Tongue) -> str:
    return tongue.count(
        "Teams meet on {count} board.", "Teams meet on {count} boards.", charter.boards
    )


_TOLD: Final[Mapping[str, Callable[[Charter, Tongue], str]]] = {
    "round_robin": _round_robin,
    "swiss": _swiss,
    "league": _league,
    "ladder": _ladder,
    "teams": _teams,
}


def say_event(charter: Charter, tongue: Tongue) -> str:
    """What an event is, in two sentences."""
    return f"{say_format(charter, tongue)} {tongue.say(MEETING_SENTENCES[charter.meeting])}"


def say_limits(charter: Charter, tongue: Tongue) -> Iterator[str]:
    """Who can enter, and until when rounds last, one sentence each."""
    if charter.max_entrants:
        yield tongue.count(
            "There is {count} place.", "There are {count} places.", charter.max_entrants
        )
    if charter.min_entrants > 2:
        yield tongue.say("It begins with at least {least} players.", least=charter.min_entrants)
    low, high = charter.min_rating, charter.max_rating
    if low is not None and high is not None:
        yield tongue.say("For ratings from {low} to {high}.", low=low, high=high)
    elif low is not None:
        yield tongue.say("For ratings of {low} and more.", low=low)
    elif high is not None:
        yield tongue.say("For ratings up to {high}.", high=high)
    if charter.round_days and charter.format not in WITHOUT_LIMITS:
        yield tongue.count(
            "A round lasts {count} day at most; games that still go on then count as draws for"
            " pairing, until they end.",
            "A round lasts {count} days at most; games that still go on then count as draws for"
            " pairing, until they end.",
            charter.round_days,
        )
    if charter.check_in_hours:
        yield tongue.count(
            "In the last hour before the start you are asked to say that you are there.",
            "In the last {count} hours before the start you are asked to say that you are there.",
            charter.check_in_hours,
        )


def say_order(charter: Charter, tongue: Tongue) -> str:
    """What ranks those with as many points, in its order; empty where nothing does."""
    return ", ".join(tongue.say(TIE_BREAKS[each]) for each in charter.order)
