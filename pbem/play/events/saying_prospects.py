"""Who can still win and what each needs, in sentences. Pure.

What is said comes from ``pbem.tournaments.prospects``; names are by the numbers of entrants, or of
teams.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.play.events.saying_standings import say_list
from pbem.play.events.saying_why import say_points
from pbem.tongue import N_, Tongue
from pbem.tournaments.event import DRAW, WIN
from pbem.tournaments.needs import Condition, Need
from pbem.tournaments.prospects import Prospect, Prospects

_FIRST: Final = {
    "certain": N_("{name} is first, whatever comes."),
    "out": N_("{name} cannot be first any more."),
    "needs": N_("{name} is first {needs}."),
    "trials": N_("{name} was first in {good} of {ways} trials."),
    "possible": N_("{name} can still be first."),
}
_AMONG: Final = {
    "certain": N_("{name} is among the first {places}, whatever comes."),
    "out": N_("{name} cannot be among the first {places} any more."),
    "needs": N_("{name} is among the first {places} {needs}."),
    "trials": N_("{name} was among the first {places} in {good} of {ways} trials."),
    "possible": N_("{name} can still be among the first {places}."),
}
_GAME: Final = {
    (WIN, WIN): N_("{entrant} wins against {opponent}"),
    (DRAW, WIN): N_("{entrant} does not lose to {opponent}"),
    (DRAW, DRAW): N_("{entrant} draws with {opponent}"),
    (0, DRAW): N_("{entrant} does not win against {opponent}"),
    (0, 0): N_("{entrant} loses to {opponent}"),
}
"""What must become of one game, from the fewest points to the most."""


def say_prospect(
    prospect: Prospect, found: Prospects, names: Mapping[int, str], *, tongue: Tongue
) -> str:
    """What somebody can still reach and what for, in one sentence."""
    texts = _FIRST if found.places == 1 else _AMONG
    facts: dict[str, object] = {"name": names[prospect.entrant], "places": found.places}
    key: str = prospect.state
    if key == "possible" and found.method == "simulated":
        key, facts = "trials", facts | {"good": prospect.good, "ways": found.ways}
    elif key == "possible" and prospect.needs:
        told = [_need(need, prospect, names, tongue) for need in prospect.needs]
        key, facts = "needs", facts | {"needs": tongue.say(N_("; or ")).join(told)}
    return tongue.say(texts[key], **facts)


def say_method(found: Prospects, *, tongue: Tongue) -> str:
    """How it was found out; nothing if there was nothing to find out."""
    if found.method == "simulated":
        return tongue.say(
            N_(
                "There are too many ways in which all can end to go through them: this was tried "
                "out {trials} times by chance, with the ratings of the players, and by points "
                "alone."
            ),
            trials=found.ways,
        )
    if found.method == "none" or not found.open_games or not found.ways:
        return ""
    return tongue.count(
        "This is exact: all {ways} ways in which one game can end were gone through.",
        "This is exact: all {ways} ways in which {count} games can end were gone through.",
        found.open_games,
        ways=found.ways,
    )


def _need(need: Need, prospect: Prospect, names: Mapping[int, str], tongue: Tongue) -> str:
    own = _own(need, prospect, names, tongue)
    if need.ways:
        if not own:
            text = N_("altogether in {good} of the {ways} ways in which the games can then end")
            return tongue.say(text, good=need.good, ways=need.ways)
        text = N_("{own} altogether in {good} of the {ways} ways in which the games can then end")
        return tongue.say(text, own=own, good=need.good, ways=need.ways)
    if not need.others:
        return own
    others = [_condition(each, names, tongue) for each in need.others]
    told = say_list(others, tongue=tongue)
    if not own:
        return tongue.say(N_("if {conditions}"), conditions=told)
    return tongue.say(N_("{own} if {conditions}"), own=own, conditions=told)


def _own(need: Need, prospect: Prospect, names: Mapping[int, str], tongue: Tongue) -> str:
    """The points of one's own that it takes; nothing if any will do."""
    if not need.least:
        return ""
    points = say_points(need.least, tongue=tongue)
    if len(prospect.opponents) > 1:
        text = N_("with at least {points} from the {games} games that are open")
        return tongue.say(text, points=points, games=prospect.games)
    opponent = names[prospect.opponents[0]]
    if prospect.games == 2 and need.least == 2 * WIN:
        return tongue.say(N_("with two wins against {opponent}"), opponent=opponent)
    if prospect.games > 1:
        text = N_("with at least {points} against {opponent}")
        return tongue.say(text, points=points, opponent=opponent)
    if need.least == WIN:
        return tongue.say(N_("with a win against {opponent}"), opponent=opponent)
    return tongue.say(N_("with at least a draw against {opponent}"), opponent=opponent)


def _condition(each: Condition, names: Mapping[int, str], tongue: Tongue) -> str:
    facts = {"entrant": names[each.entrant], "opponent": names[each.opponent]}
    if each.games == 1:
        return tongue.say(_GAME[each.least, each.most], **facts)
    least, most = (say_points(points, tongue=tongue) for points in (each.least, each.most))
    if each.least == each.most:
        return tongue.say(
            N_("{entrant} gets just {points} against {opponent}"), points=most, **facts
        )
    if each.most == WIN * each.games:
        text = N_("{entrant} gets at least {points} against {opponent}")
        return tongue.say(text, points=least, **facts)
    if not each.least:
        text = N_("{entrant} gets at most {points} against {opponent}")
        return tongue.say(text, points=most, **facts)
    text = N_("{entrant} gets from {least} to {points} against {opponent}")
    return tongue.say(text, points=most, least=least, **facts)
