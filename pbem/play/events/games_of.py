"""The games of an event: beginning them, and what they brought when they are over.

A game of an event is a game like any other, which knows nothing of it; which encounter it belongs
to is a row beside it (``ports.GameOfEvent``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from pbem.play.events.charters import agreement_of
from pbem.play.events.open_event import OpenEvent, get_event
from pbem.play.events.ports import GameOfEvent
from pbem.play.model import StoredGame
from pbem.play.open_game import OpenGame
from pbem.play.ports import Surroundings, Unit
from pbem.play.starting import start_game
from pbem.play.story import tell_story
from pbem.tournaments.event import DRAW, LOSS, WIN, Encounter, Event, EventGame, Result

PLAYED_TURNS: Final = 2
"""Who lets the clock run out before so many turns of both have been played has not begun: it is a
forfeit, and no game that was played."""


@dataclass(frozen=True, slots=True)
class PlaceOfGame:
    """Where a game belongs: for pages, mails and records that tell of it."""

    event: Event
    encounter: Encounter
    index: int
    """Which of the encounter's games it is, from 0."""

    @property
    def game(self) -> EventGame:
        """Who sits where in it."""
        return self.encounter.games[self.index]

    @property
    def round(self) -> str:
        """The round, with the number of the game where an encounter has several: ``2.1``."""
        number = str(self.encounter.round)
        return number if len(self.encounter.games) == 1 else f"{number}.{self.index + 1}"


def event_of(unit: Unit, game_id: str) -> PlaceOfGame | None:
    """The event of a game, if it is one of an event."""
    row = unit.find_event_game(game_id)
    if row is None:
        return None
    event = get_event(unit, row.event_id)
    return PlaceOfGame(event, event.encounter(row.encounter), row.game)


def event_tags(unit: Unit, game_id: str) -> dict[str, str]:
    """The tags of a record that say which event a game was of, and which round (N5)."""
    place = event_of(unit, game_id)
    if place is None:
        return {}
    return {"Event": place.event.charter.title, "Round": place.round}


def begin_games(
    around: Surroundings, unit: Unit, opened: OpenEvent, encounter: Encounter, *, now: datetime
) -> int:
    """Start those games of an encounter that have not begun and have no result; how many."""
    rows = {
        row.game: row
        for row in unit.games_of_encounter(opened.event.id, encounter.number)
        if row.game_id is None and not row.is_counted
    }
    begun = 0
    for index, game in enumerate(encounter.games):
        row = rows.get(index)
        if row is None or game.result is not None:
            continue
        players = tuple(opened.event.entrant(each).player_id for each in (game.gold, game.black))
        agreement = agreement_of(opened.event.charter, encounter)
        # The mail that tells of the round brings its games along.
        stored = start_game(around, unit, agreement, players, at=now, tells=False)
        unit.begin_event_game(replace(row, game_id=stored.id))
        begun += 1
    return begun


def result_of(unit: Unit, stored: StoredGame) -> Result:
    """What a game that is over brought: Gold is its first seat."""
    gold = DRAW if stored.winner is None else (WIN if stored.winner == 0 else LOSS)
    result = Result(gold, WIN - gold, "played", stored.ended_at, _starter(unit, stored))
    if stored.termination == "ruling":
        if stored.turns == 0 and stored.winner is None:  # nobody came
            return replace(result, gold=LOSS, black=LOSS, ending="void")
        return replace(result, ending="adjudicated")
    if stored.termination == "time" and stored.turns < PLAYED_TURNS:
        return replace(result, ending="forfeit")
    return result


def _starter(unit: Unit, stored: StoredGame) -> Literal["gold", "black"]:
    """Whose the first turn was; Gold's where nobody had one."""
    if stored.start.options.get("starter") == "gold":
        return "gold"
    chapters = tell_story(unit, stored).chapters
    if stored.start.options.get("position"):
        return "black" if chapters[0].course.requests[0].seat else "gold"
    for chapter in chapters:
        for event in chapter.events:
            if event.name == "turn_ended":
                return "gold" if event.seat == 0 else "black"
    return "gold"


def take_result(unit: Unit, opened: OpenEvent, row: GameOfEvent, *, now: datetime) -> bool:
    """Take in what a game brought that is over; whether that is news to the event."""
    stored = None if row.game_id is None else unit.find_game(row.game_id)
    known = opened.event.encounter(row.encounter).games[row.game].result
    is_news = False
    if (
        stored is not None
        and stored.is_over
        and known is None
        and opened.event.phase in ("running", "paused")
    ):
        write_result(opened, row.encounter, row.game, result_of(unit, stored), now=now)
        is_news = True
    unit.count_event_game(row.event_id, row.encounter, row.game)
    return is_news


def write_result(
    opened: OpenEvent, encounter: int, game: int, result: Result, *, now: datetime
) -> None:
    """The act that tells what a game brought."""
    ended = now if result.at is None else result.at
    opened.act(
        "result",
        at=now,
        encounter=encounter,
        game=game,
        gold=result.gold,
        black=result.black,
        ending=result.ending,
        starter=result.starter,
        ended=ended.isoformat(),
    )


def end_game(
    around: Surroundings, unit: Unit, game_id: str, winner: int | None, *, now: datetime
) -> StoredGame:
    """End a game by a ruling, if it is not over; the game as it is then (R8.3)."""
    game = OpenGame.lock(around, unit, game_id)
    game.catch_up(now)
    if not game.stored.is_over:
        game.decree(f"ruling {'draw' if winner is None else winner}", now)
    game.save(now)
    return game.stored
