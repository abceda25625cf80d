"""How many rounds of an event are still to begin: for forecasts."""

from __future__ import annotations

from pbem.tournaments import teams
from pbem.tournaments.bracket import bracket
from pbem.tournaments.event import Event
from pbem.tournaments.league import season_of
from pbem.tournaments.rounds import awaits_final, can_go_on, swiss_rounds


def rounds_left(event: Event) -> int | None:
    """How many rounds follow the present one as things stand; None if the event never ends by
    itself, or nobody can say: a ladder, a league without a last season."""
    charter = event.charter
    if charter.format == "ladder" or (charter.format == "league" and not charter.rounds):
        return None
    if not event.encounters or not can_go_on(event):
        return 0
    if charter.format == "swiss":
        left = swiss_rounds(event) - event.round
    elif charter.format == "knockout":
        left = _left_of_bracket(event)
    elif charter.format == "teams" and charter.pace == "rounds":
        left = teams.rounds_of(event) - event.round
    else:
        left = len({each.round for each in event.encounters if each.round > event.round})
        left += _left_of_seasons(event) if charter.format == "league" else awaits_final(event)
    return max(0, left)


def _left_of_seasons(event: Event) -> int:
    season = season_of(event)
    of_season = len({each.round for each in event.encounters}) // season
    return (event.charter.rounds - season) * of_season


def _left_of_bracket(event: Event) -> int:
    found = bracket(event)
    open_rounds = [match.round for match in found.matches if match.state != "decided"]
    return len(found.rounds) - min(open_rounds) if open_rounds else 0
