"""Events for programs: lists, one event, its tables, pairings and log; entering and leaving."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from flask import abort, g

from pbem.play.events import entering
from pbem.play.events.ports import StoredEvent
from pbem.play.events.saying_charter import say_event
from pbem.play.events.saying_log import say_act
from pbem.play.events.viewing import PUBLIC, list_events
from pbem.tournaments.event import Event, Phase
from pbem.web.api import event_schemas as schemas
from pbem.web.api.callers import for_callers, get_caller
from pbem.web.api.topics import Topic
from pbem.web.events.pairings import GameLine, PairingLine, pairing_lines
from pbem.web.events.seen import SeenEvent, see
from pbem.web.events.stages import stages_of
from pbem.web.events.table import show_table
from pbem.web.house import get_house

calls = Topic("events", "/events", "Events: tournaments, leagues, ladders")

_PHASES: Final[dict[str, tuple[Phase, ...]]] = {
    "open": ("open",),
    "running": ("running", "paused"),
    "over": ("over", "cancelled"),
    "all": PUBLIC,
}


@calls.route("")
@for_callers("read", is_optional=True)
@calls.arguments(schemas.EventsQuery, location="query")
@calls.response(200, schemas.EventListSchema)
def index(query: dict[str, Any]) -> dict[str, Any]:
    """Events, newest first."""
    with get_house().around.store.read() as unit:
        found = list_events(
            unit,
            phases=_PHASES[query["phase"]],
            before=_find_place(query["after"]),
            limit=query["limit"] + 1,
        )
    page = found[: query["limit"]]
    return {"events": page, "next": _place(page[-1]) if len(found) > len(page) else None}


def _place(event: StoredEvent) -> str:
    return f"{event.created_at.timestamp():.6f} {event.id}"


def _find_place(text: str) -> tuple[datetime, str] | None:
    at, _, event_id = text.partition(" ")
    try:
        return datetime.fromtimestamp(float(at), UTC), event_id
    except (ValueError, OverflowError, OSError):
        return None


def _see(event_id: str) -> SeenEvent:
    with get_house().around.store.read() as unit:
        return see(unit, event_id)


@calls.route("/<event_id>")
@for_callers("read", is_optional=True, problems=(404,))
@calls.response(200, schemas.WholeEventSchema)
def show(event_id: str) -> dict[str, Any]:
    """One event."""
    return _whole(_see(event_id))


def _whole(seen: SeenEvent) -> dict[str, Any]:
    event, charter = seen.event, seen.event.charter
    return {
        "id": event.id,
        "title": charter.title,
        "format": charter.format,
        "phase": event.phase,
        "players": sum(each.is_in for each in event.entrants),
        "round": event.round,
        "starts_at": charter.starts_at,
        "about": charter.about,
        "told": say_event(charter, g.tongue),
        "meeting": charter.meeting,
        "agreement": dict(charter.agreement),
        "tie_breaks": charter.order,
        "stages": stages_of(event) if event.encounters else [],
        "directors": event.directors,
        "is_closed": event.is_closed,
        "entrants": [
            {
                "number": each.number,
                "player_id": each.player_id,
                "name": seen.names.of(each.number),
                "rating": each.rating,
                "standing": each.standing,
                "team": each.team,
                "board": each.board,
            }
            for each in event.entrants
        ],
    }


@calls.route("/<event_id>/entry", methods=["POST"])
@for_callers("play", problems=(404, 409))
@calls.response(200, schemas.WholeEventSchema)
def enter(event_id: str) -> dict[str, Any]:
    """Enter an event, or its waiting list; team matches are entered on their page."""
    _see(event_id)
    entering.enter(get_house().around, event_id, get_caller().id, now=g.now)
    return _whole(_see(event_id))


@calls.route("/<event_id>/entry", methods=["DELETE"])
@for_callers("play", problems=(404, 409))
@calls.response(200, schemas.WholeEventSchema)
def leave(event_id: str) -> dict[str, Any]:
    """Take an entry back, or withdraw: games that are not over are lost by it."""
    _see(event_id)
    entering.leave(get_house().around, event_id, get_caller().id, now=g.now)
    return _whole(_see(event_id))


@calls.route("/<event_id>/standings")
@for_callers("read", is_optional=True, problems=(404,))
@calls.arguments(schemas.StageQuery, location="query")
@calls.response(200, schemas.StandingsSchema)
def standings(query: dict[str, Any], event_id: str) -> dict[str, Any]:
    """A table of an event, with a sentence for each two neighbours."""
    seen = _see(event_id)
    stages = _stages(seen.event)
    stage = stages[0] if query["stage"] is None else query["stage"]
    if stage not in stages:
        abort(404)
    shown = show_table(seen, stage)
    rows = [
        {
            **asdict(line.row),
            "points": line.row.points / 2,
            "name": seen.names.of(line.row.entrant),
            "figures": [
                {"tie_break": name, "figure": figure}
                for name, figure in zip(seen.event.charter.order, line.figures, strict=True)
            ],
            "why": line.why,
        }
        for line in shown.lines
    ]
    return {"stage": stage, "is_provisional": shown.is_provisional, "rows": rows}


def _stages(event: Event) -> list[str]:
    """The tables of an event that has begun; 404 before."""
    if event.phase in ("draft", "open"):
        abort(404)
    return stages_of(event)


@calls.route("/<event_id>/pairings")
@for_callers("read", is_optional=True, problems=(404,))
@calls.arguments(schemas.RoundQuery, location="query")
@calls.response(200, schemas.PairingsSchema)
def pairings(query: dict[str, Any], event_id: str) -> dict[str, Any]:
    """Who meets whom, who starts, what came of it, and why they meet."""
    seen = _see(event_id)
    wanted = query["round"]
    encounters = [each for each in seen.event.encounters if wanted in (None, each.round)]
    lines = sorted(pairing_lines(seen, encounters), key=lambda line: line.number)
    return {"pairings": [_pairing(line) for line in lines]}


def _pairing(line: PairingLine) -> dict[str, Any]:
    return {
        "number": line.number,
        "round": line.round,
        "stage": line.stage,
        "board": line.board,
        "home": line.home,
        "away": line.away,
        "games": [_game(each) for each in line.games],
        "why": line.why,
    }


def _game(line: GameLine) -> dict[str, Any]:
    result = line.result
    return {
        "game_id": line.game_id,
        "gold": line.gold,
        "black": line.black,
        "starter": line.starter,
        "gold_points": None if result is None else result.gold / 2,
        "black_points": None if result is None else result.black / 2,
        "ending": None if result is None else result.ending,
    }


@calls.route("/<event_id>/log")
@for_callers("read", is_optional=True, problems=(404,))
@calls.arguments(schemas.ActsQuery, location="query")
@calls.response(200, schemas.ActsSchema)
def log(query: dict[str, Any], event_id: str) -> dict[str, Any]:
    """The public log of an event."""
    with get_house().around.store.read() as unit:
        see(unit, event_id)
        acts = [kept.act for kept in unit.acts_of(event_id, since=query["after"] + 1)]
        page = acts[: query["limit"]]
        seen = see(unit, event_id, {each for act in page for each in (act.by, act.player)})
    told = [
        {
            "number": act.number,
            "at": act.at,
            "name": act.name,
            "told": say_act(act, seen.names, g.tongue),
            "reason": act.reason,
        }
        for act in page
    ]
    return {"acts": told, "next": page[-1].number if len(acts) > len(page) else None}
