"""Pairings as a page shows them: who meets whom, who starts, how it went, and why they meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from flask import g

from pbem.play.events.saying_why import say_why
from pbem.tongue import N_
from pbem.tournaments.event import Encounter, EventGame, Result, Why, show_points
from pbem.web.events.seen import SeenEvent

ENDINGS: Final = {
    "forfeit": N_("not played"),
    "adjudicated": N_("ruled"),
    "corrected": N_("corrected"),
    "void": N_("annulled"),
}
"""How a game came to its result, if it was not simply played."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game of an encounter. ``game_id`` is None where it has not begun."""

    encounter: int
    index: int
    gold: int
    black: int
    starter: int | None
    """Who has the first turn; None while bids decide it."""
    score: str
    """Empty while it goes on."""
    ending: str
    game_id: str | None
    result: Result | None


@dataclass(frozen=True, slots=True)
class PairingLine:
    """An encounter in a list."""

    number: int
    round: int
    stage: str
    board: int
    home: int
    away: int | None
    score: str
    """Empty while nothing is known; so far, while games go on."""
    is_over: bool
    is_mine: bool
    games: tuple[GameLine, ...]
    why: tuple[str, ...]


def pairing_lines(seen: SeenEvent, encounters: Iterable[Encounter]) -> list[PairingLine]:
    """Encounters as lines; the viewer's own first."""
    me = seen.was_me
    lines = [_line(seen, each, None if me is None else me.number) for each in encounters]
    return sorted(lines, key=lambda line: not line.is_mine)


def pairing_line(seen: SeenEvent, encounter: Encounter) -> PairingLine:
    """One encounter."""
    return pairing_lines(seen, [encounter])[0]


def say_whys(seen: SeenEvent, whys: Iterable[Why]) -> tuple[str, ...]:
    """Reasons as sentences, with the names in the event."""
    names = seen.names.by_entrant
    return tuple(say_why(why, names, tongue=g.tongue) for why in whys)


def _line(seen: SeenEvent, encounter: Encounter, me: int | None) -> PairingLine:
    home, away = encounter.home, encounter.away
    is_known = any(game.result is not None for game in encounter.games)
    score = ""
    if away is not None and is_known:
        score = f"{show_points(encounter.points_of(home))}–{show_points(encounter.points_of(away))}"
    return PairingLine(
        number=encounter.number,
        round=encounter.round,
        stage=encounter.stage,
        board=encounter.board,
        home=home,
        away=away,
        score=score,
        is_over=encounter.is_over,
        is_mine=me is not None and me in encounter.entrants,
        games=tuple(_games(seen, encounter)),
        why=say_whys(seen, encounter.why),
    )


def _games(seen: SeenEvent, encounter: Encounter) -> Iterator[GameLine]:
    for index, game in enumerate(encounter.games):
        result = game.result
        ending = "" if result is None else ENDINGS.get(result.ending, "")
        yield GameLine(
            encounter=encounter.number,
            index=index,
            gold=game.gold,
            black=game.black,
            starter=_starter(seen, encounter, game),
            score="" if result is None else score_of(result),
            ending=g.tongue.say(ending) if ending else "",
            game_id=seen.find_game_id(encounter.number, index),
            result=result,
        )


def score_of(result: Result) -> str:
    """What a game brought Gold and Black."""
    return f"{show_points(result.gold)}–{show_points(result.black)}"


def _starter(seen: SeenEvent, encounter: Encounter, game: EventGame) -> int | None:
    if game.result is not None:
        return game.gold if game.result.starter == "gold" else game.black
    is_bid = encounter.has_bid or seen.event.charter.meeting == "bid"
    return None if is_bid else game.gold
