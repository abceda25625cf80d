"""Acts about challenges in a ladder. What they do to the order is ``ladder``'s."""

from __future__ import annotations

from pbem.tournaments import ladder
from pbem.tournaments.act_model import Act, ActRefused, entrant_of
from pbem.tournaments.event import Challenge, Event


def challenged(event: Event, act: Act) -> Event:
    """Somebody challenges a player above them (``rival``)."""
    if event.charter.format != "ladder":
        raise ActRefused("no_ladder")
    challenger, rival = entrant_of(event, act).number, act.facts.get("rival")
    if not isinstance(rival, int) or not 1 <= rival <= len(event.entrants):
        raise ActRefused("no_such_entrant", entrant=rival)
    hindrance = ladder.check_challenge(event, challenger, rival, act.at)
    if hindrance is not None:
        raise ActRefused(hindrance.code, **hindrance.facts)
    return ladder.challenged(event, challenger, rival, act.at)


def accepted(event: Event, act: Act) -> Event:
    """Who was challenged will play."""
    return ladder.answered(event, _open(event, act).number, "accepted", act.at)


def declined(event: Event, act: Act) -> Event:
    """Who was challenged will not play: with a reason that is good, the place stays theirs."""
    challenge = _open(event, act)
    is_excused = bool(act.reason.strip()) and ladder.can_excuse(event, challenge.challenged, act.at)
    return ladder.answered(event, challenge.number, "excused" if is_excused else "declined", act.at)


def lapsed(event: Event, act: Act) -> Event:
    """A challenge was not answered in time."""
    return ladder.lapsed(event, _open(event, act).number, act.at)


def slipped(event: Event, act: Act) -> Event:
    """Somebody has done nothing for long, and is one place lower."""
    number = entrant_of(event, act).number
    if number not in event.ladder:
        raise ActRefused("not_on_ladder", entrant=number)
    return ladder.slipped(event, number, act.at)


def _open(event: Event, act: Act) -> Challenge:
    number = act.facts.get("challenge")
    if not isinstance(number, int) or not 1 <= number <= len(event.challenges):
        raise ActRefused("no_such_challenge")
    challenge = event.challenges[number - 1]
    if challenge.answer != "open":
        raise ActRefused("challenge_answered")
    return challenge
