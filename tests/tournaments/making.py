"""Events as they stand, made from a few words, for tests of what follows from them.

An encounter is ``"1 2 +-"``: who is at home, who is away, and one sign for each game, as the home
side sees it: ``+`` won, ``=`` drawn, ``-`` lost, ``.`` goes on, ``f`` won and ``F`` lost by
forfeit, ``v`` annulled. The home side has Gold in the first game, and then in every other one.
``"3"`` alone is a bye.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbem.tournaments.charter import Charter
from pbem.tournaments.event import Encounter, Ending, Entrant, Event, EventGame, Holder, Result

SIGNS: dict[str, tuple[int, Ending]] = {
    "+": (2, "played"),
    "=": (1, "played"),
    "-": (0, "played"),
    "f": (2, "forfeit"),
    "F": (0, "forfeit"),
    "v": (0, "void"),
}


def make_event(
    rounds: Sequence[Sequence[str]],
    /,
    *,
    entrants: int = 0,
    stage: str = "",
    **charter: Any,
) -> Event:
    """An event that runs, with these encounters in each of its rounds."""
    encounters: list[Encounter] = []
    for round_, told in enumerate(rounds, start=1):
        for board, text in enumerate(told, start=1):
            each = _encounter(text, len(encounters) + 1, round_, stage)
            encounters.append(replace(each, board=board))
    count = entrants or max(number for each in encounters for number in each.entrants)
    return Event(
        id="e",
        charter=Charter(**{"title": "Test", "format": "swiss", "meeting": "single"} | charter),
        phase="running",
        entrants=tuple(
            Entrant(number, (Holder(100 + number, 0),)) for number in range(1, count + 1)
        ),
        encounters=tuple(encounters),
        round=len(rounds),
    )


def with_entrant(event: Event, number: int, **changes: Any) -> Event:
    """The event with one entrant changed."""
    entrants = list(event.entrants)
    entrants[number - 1] = replace(entrants[number - 1], **changes)
    return replace(event, entrants=tuple(entrants))


def _encounter(text: str, number: int, round_: int, stage: str) -> Encounter:
    parts = text.split()
    home = int(parts[0])
    if len(parts) == 1:
        return Encounter(number, round_, home, None, stage=stage)
    away, signs = int(parts[1]), parts[2]
    games = tuple(_game(sign, home, away, is_home_gold=not i % 2) for i, sign in enumerate(signs))
    return Encounter(number, round_, home, away, games, stage=stage)


def _game(sign: str, home: int, away: int, *, is_home_gold: bool) -> EventGame:
    gold, black = (home, away) if is_home_gold else (away, home)
    if sign == ".":
        return EventGame(gold, black)
    points, ending = SIGNS[sign]
    other = 0 if ending == "void" else 2 - points
    result = Result(*(points, other) if is_home_gold else (other, points), ending=ending)
    return EventGame(gold, black, result)
