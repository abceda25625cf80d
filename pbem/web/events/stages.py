"""The tables of an event that are counted by themselves: groups, finals, divisions of seasons."""

from __future__ import annotations

from flask import g

from pbem.tournaments.bracket import THIRD
from pbem.tournaments.event import Event
from pbem.tournaments.league import find_division


def stages_of(event: Event) -> list[str]:
    """Its stages, newest first: a final before the groups, the last season before others."""
    found = dict.fromkeys(each.stage for each in event.encounters if each.stage != THIRD)
    if event.charter.format == "league":
        return sorted(found, key=_season_and_division)
    ordered = list(found)
    if "final" in ordered:
        ordered.remove("final")
        ordered.insert(0, "final")
    return ordered or [""]


def _season_and_division(stage: str) -> tuple[int, int]:
    found = find_division(stage)
    return (0, 0) if found is None else (-found.season, found.number)


def say_stage(event: Event, stage: str) -> str:
    """The name of a stage; empty where there is one table."""
    if not stage:
        return ""
    if stage == "final":
        return str(g.tongue.say("Final"))
    if stage == THIRD:
        return str(g.tongue.say("Third place"))
    found = find_division(stage) if event.charter.format == "league" else None
    if found is not None:
        return str(
            g.tongue.say(
                "Season {season}, division {number}", season=found.season, number=found.number
            )
        )
    return str(g.tongue.say("Group {letter}", letter=stage))
