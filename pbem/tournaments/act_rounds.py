"""Acts about rounds and results: pairing, what games brought, rulings and corrections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from pbem.tournaments import ladder
from pbem.tournaments.act_model import Act, ActRefused
from pbem.tournaments.event import (
    DRAW,
    LOSS,
    WIN,
    Encounter,
    Ending,
    Event,
    EventGame,
    Result,
    Why,
)

SCORES: Final = ((WIN, LOSS), (LOSS, WIN), (DRAW, DRAW))
"""What a game can bring Gold and Black; a director may also take it from both."""
NOTHING: Final = (LOSS, LOSS)


def encounter_to_plain(encounter: Encounter) -> dict[str, object]:
    """An encounter that is to be played, as plain values."""
    return {
        "number": encounter.number,
        "round": encounter.round,
        "home": encounter.home,
        "away": encounter.away,
        "games": [[game.gold, game.black] for game in encounter.games],
        "stage": encounter.stage,
        "board": encounter.board,
        "has_bid": encounter.has_bid,
        "why": [[why.code, dict(why.facts)] for why in encounter.why],
    }


def encounter_from_plain(plain: Mapping[str, Any]) -> Encounter:
    """The encounter of such values."""
    return Encounter(
        number=plain["number"],
        round=plain["round"],
        home=plain["home"],
        away=plain["away"],
        games=tuple(EventGame(gold, black) for gold, black in plain["games"]),
        stage=plain["stage"],
        board=plain["board"],
        has_bid=plain["has_bid"],
        why=tuple(Why(code, facts) for code, facts in plain["why"]),
    )


def paired(event: Event, act: Act) -> Event:
    """Who meets whom is settled. ``round`` is the round that begins with it."""
    new = tuple(encounter_from_plain(each) for each in act.facts["encounters"])
    following = len(event.encounters) + 1
    if [each.number for each in new] != list(range(following, following + len(new))):
        raise ActRefused("paired_already")
    known = range(1, len(event.entrants) + 1)
    if any(number not in known for each in new for number in each.entrants):
        raise ActRefused("no_such_entrant")
    return _begun(replace(event, encounters=(*event.encounters, *new)), act)


def turned_over(event: Event, act: Act) -> Event:
    """The next round begins, which was paired before."""
    return _begun(event, act)


def _begun(event: Event, act: Act) -> Event:
    number = int(act.facts["round"])
    if number < event.round:
        raise ActRefused("paired_already")
    if number == event.round:
        return event
    return replace(event, round=number, round_began=act.at, extra_days=0)


def result(event: Event, act: Act) -> Event:
    """A game is over."""
    if _game(event, act).result is not None:
        raise ActRefused("has_result")
    return _settled(event, act, act.facts.get("ending", "played"), SCORES)


def adjudicated(event: Event, act: Act) -> Event:
    """A director rules how a game ends that still goes on."""
    if _game(event, act).result is not None:
        raise ActRefused("has_result")
    return _settled(event, act, "adjudicated", SCORES)


def corrected(event: Event, act: Act) -> Event:
    """A director corrects what a game brought."""
    if _game(event, act).result is None:
        raise ActRefused("no_result_yet")
    return _settled(event, act, "corrected", (*SCORES, NOTHING))


def annulled(event: Event, act: Act) -> Event:
    """A director has a game count for nothing."""
    facts = {**act.facts, "gold": LOSS, "black": LOSS}
    return _settled(event, replace(act, facts=facts), "void", (NOTHING,))


def _game(event: Event, act: Act) -> EventGame:
    encounter, index = act.facts.get("encounter"), act.facts.get("game")
    if not isinstance(encounter, int) or not 1 <= encounter <= len(event.encounters):
        raise ActRefused("no_such_encounter", encounter=encounter)
    games = event.encounter(encounter).games
    if not isinstance(index, int) or not 0 <= index < len(games):
        raise ActRefused("no_such_encounter", encounter=encounter)
    return games[index]


def _settled(event: Event, act: Act, ending: Ending, allowed: tuple[tuple[int, int], ...]) -> Event:
    facts = act.facts
    if (facts.get("gold"), facts.get("black")) not in allowed and ending != "void":
        raise ActRefused("no_such_result")
    game = _game(event, act)
    ended = facts.get("ended")
    known = "gold" if game.result is None else game.result.starter
    found = Result(
        gold=facts["gold"],
        black=facts["black"],
        ending=ending,
        at=act.at if ended is None else datetime.fromisoformat(ended),
        starter=facts.get("starter", known),
    )
    number, index = facts["encounter"], facts["game"]
    encounter = event.encounter(number)
    games = (*encounter.games[:index], replace(game, result=found), *encounter.games[index + 1 :])
    changed = replace(encounter, games=games)
    before, behind = event.encounters[: number - 1], event.encounters[number:]
    event = replace(event, encounters=(*before, changed, *behind))
    # What a correction comes to is the director's to put right: others have moved since.
    if event.ladder and changed.is_over and not encounter.is_over:
        return ladder.settled(event, changed, act.at)
    return event
