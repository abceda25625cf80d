"""What directors do to entrants and to games: warn, disqualify, rule, correct, annul.

Only directors of the event may; all of it is in its public log. A ruling is in the game's own log
too (R8.3). What both players have to say before one is ``statements``'.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Final, Literal

from pbem.play.errors import NotAllowedError
from pbem.play.events import notices
from pbem.play.events.games_of import end_game
from pbem.play.events.open_event import OpenEvent
from pbem.play.events.ports import GameOfEvent
from pbem.play.events.stepping import tell_act
from pbem.play.ports import Surroundings, Unit
from pbem.play.rating import exclude
from pbem.tournaments.event import DRAW, LOSS, WIN, Entrant, Event

GameKey = tuple[int, int]
"""A game of an event: the number of its encounter, and its place in it from 0."""
Ruling = Literal["gold", "black", "draw"]
SCORES: Final[Mapping[Ruling, tuple[int, int]]] = {
    "gold": (WIN, LOSS),
    "black": (LOSS, WIN),
    "draw": (DRAW, DRAW),
}
"""What each side has of a ruling, in halves."""
_WINNER: Final[Mapping[Ruling, int | None]] = {"gold": 0, "black": 1, "draw": None}


def warn(
    around: Surroundings,
    event_id: str,
    player_id: int | None,
    entrant: int,
    *,
    reason: str,
    now: datetime,
) -> Event:
    """Warn an entrant, and say why."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        _tell_off(unit, opened, "warned", by=player_id, entrant=entrant, reason=reason, now=now)
        opened.save()
        return opened.event


def disqualify(
    around: Surroundings,
    event_id: str,
    player_id: int | None,
    entrant: int,
    *,
    reason: str,
    is_annulled: bool = False,
    now: datetime,
) -> Event:
    """Have an entrant take no further part. The games that are not over are lost, or are nobody's
    (``is_annulled``)."""
    return _put_out(
        around,
        event_id,
        "disqualified",
        by=player_id,
        entrant=entrant,
        reason=reason,
        is_annulled=is_annulled,
        now=now,
    )


def withdraw(
    around: Surroundings,
    event_id: str,
    player_id: int | None,
    entrant: int,
    *,
    reason: str = "",
    is_annulled: bool = False,
    now: datetime,
) -> Event:
    """A director withdraws an entrant who cannot do so; the games that are not over are lost, or
    are nobody's (``is_annulled``)."""
    return _put_out(
        around,
        event_id,
        "withdrew",
        by=player_id,
        entrant=entrant,
        reason=reason,
        is_annulled=is_annulled,
        now=now,
    )


def _put_out(
    around: Surroundings,
    event_id: str,
    name: str,
    *,
    by: int | None,
    entrant: int,
    reason: str,
    is_annulled: bool,
    now: datetime,
) -> Event:
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        _check_director(opened.event, by)
        _check_no_rival(opened.event, by, entrant)
        if name == "withdrew" and opened.event.phase == "open":
            name = "left"
        _tell_off(unit, opened, name, by=by, entrant=entrant, reason=reason, now=now)
        if is_annulled:
            for row in _unfinished(unit, opened.event, entrant):
                _annul(around, unit, opened, row, by=by, reason=reason, now=now)
        opened.save()
        return opened.event


def _check_director(event: Event, by: int | None) -> None:
    if by is not None and by not in event.directors:
        raise NotAllowedError("not_director")


def _check_no_rival(event: Event, by: int | None, entrant: int) -> None:
    """Nobody wins a game of their own by putting the other one out."""
    own = {each.number for each in event.entrants if each.player_id == by}
    for encounter in event.of_entrant(entrant):
        if entrant not in own and not encounter.is_over and own & set(encounter.entrants):
            raise NotAllowedError("own_game_to_rule")


def has_sat(event: Event, which: GameKey, player_id: int | None) -> bool:
    """Whether a game is one that a player has, or had before another took the place over."""
    game = event.encounter(which[0]).games[which[1]]
    places = (event.entrant(number) for number in (game.gold, game.black))
    return any(holder.player_id == player_id for place in places for holder in place.holders)


def _tell_off(
    unit: Unit,
    opened: OpenEvent,
    name: str,
    *,
    by: int | None,
    entrant: int,
    reason: str,
    now: datetime,
) -> None:
    place = get_entrant(opened.event, entrant)
    opened.act(name, by=by, at=now, player=place.player_id, reason=reason, entrant=entrant)
    tell_act(unit, opened, notices.WARNING, [place.player_id], at=now, entrant=entrant)


def get_entrant(event: Event, number: int) -> Entrant:
    """A place by number. Raises NotAllowedError."""
    if not 1 <= number <= len(event.entrants):
        raise NotAllowedError("no_such_entrant", entrant=number)
    return event.entrant(number)


def _unfinished(unit: Unit, event: Event, entrant: int) -> list[GameOfEvent]:
    open_ = {
        (encounter.number, index)
        for encounter in event.of_entrant(entrant)
        for index, game in enumerate(encounter.games)
        if game.result is None
    }
    return [row for row in unit.games_of_event(event.id) if (row.encounter, row.game) in open_]


@contextmanager
def _game_to_rule(
    around: Surroundings, event_id: str, by: int | None, which: GameKey
) -> Iterator[tuple[Unit, OpenEvent, GameOfEvent]]:
    """A game of an event under lock, before a director whose own it is not; kept at the end."""
    with around.store.begin() as unit:
        opened = OpenEvent.lock(around, unit, event_id)
        _check_director(opened.event, by)
        row = _row(unit, event_id, which)
        if has_sat(opened.event, which, by):
            raise NotAllowedError("own_game_to_rule")
        yield unit, opened, row
        opened.save()


def adjudicate(
    around: Surroundings,
    event_id: str,
    player_id: int | None,
    which: GameKey,
    ruling: Ruling,
    *,
    reason: str = "",
    now: datetime,
) -> Event:
    """Rule how a game ends that goes on. Raises NotAllowedError, also if it is over."""
    with _game_to_rule(around, event_id, player_id, which) as (unit, opened, row):
        if row.game_id is not None:
            ended = end_game(around, unit, row.game_id, _WINNER[ruling], now=now)
            if (ended.termination, ended.winner) != ("ruling", _WINNER[ruling]):
                raise NotAllowedError("game_over", game=row.game_id)
        _settle(opened, unit, row, "adjudicated", by=player_id, ruling=ruling, at=now, why=reason)
    return opened.event


def correct(
    around: Surroundings,
    event_id: str,
    player_id: int | None,
    which: GameKey,
    ruling: Ruling,
    *,
    reason: str,
    now: datetime,
) -> Event:
    """Correct what a game brought; the game itself stays as it was played."""
    with _game_to_rule(around, event_id, player_id, which) as (unit, opened, row):
        _settle(opened, unit, row, "corrected", by=player_id, ruling=ruling, at=now, why=reason)
    return opened.event


def annul(
    around: Surroundings,
    event_id: str,
    player_id: int | None,
    which: GameKey,
    *,
    reason: str,
    now: datetime,
) -> Event:
    """Have a game count for nothing; if it goes on, it ends."""
    with _game_to_rule(around, event_id, player_id, which) as (unit, opened, row):
        _annul(around, unit, opened, row, by=player_id, reason=reason, now=now)
    return opened.event


def _annul(
    around: Surroundings,
    unit: Unit,
    opened: OpenEvent,
    row: GameOfEvent,
    *,
    by: int | None,
    reason: str,
    now: datetime,
) -> None:
    if row.game_id is not None:
        end_game(around, unit, row.game_id, None, now=now)
        exclude(unit, row.game_id, "annulled")
    facts = {"encounter": row.encounter, "game": row.game}
    opened.act("annulled", by=by, at=now, reason=reason, **facts)
    unit.count_event_game(row.event_id, row.encounter, row.game)
    _tell_ruling(unit, opened, row, now)


def _settle(
    opened: OpenEvent,
    unit: Unit,
    row: GameOfEvent,
    name: str,
    *,
    by: int | None,
    ruling: Ruling,
    at: datetime,
    why: str,
) -> None:
    gold, black = SCORES[ruling]
    facts = {"encounter": row.encounter, "game": row.game, "gold": gold, "black": black}
    opened.act(name, by=by, at=at, reason=why, **facts)
    unit.count_event_game(row.event_id, row.encounter, row.game)
    _tell_ruling(unit, opened, row, at)


def _tell_ruling(unit: Unit, opened: OpenEvent, row: GameOfEvent, now: datetime) -> None:
    game = opened.event.encounter(row.encounter).games[row.game]
    players = [opened.event.entrant(number).player_id for number in (game.gold, game.black)]
    facts = {"encounter": row.encounter, "game": row.game}
    tell_act(unit, opened, notices.RULED, players, at=now, **facts)


def _row(unit: Unit, event_id: str, which: GameKey) -> GameOfEvent:
    for row in unit.games_of_encounter(event_id, which[0]):
        if row.game == which[1]:
            return row
    raise NotAllowedError("no_such_encounter", encounter=which[0])
