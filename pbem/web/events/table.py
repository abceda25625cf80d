"""Who stands where: the tables of an event with a sentence for each two neighbours, the bracket of
a knock-out and the rungs of a ladder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import abort, g, render_template, request

from pbem.play.events.saying_standings import ABOUT, SHORT, say_explained
from pbem.tournaments.bracket import Bracket, bracket
from pbem.tournaments.explaining import explanations
from pbem.tournaments.ladder import check_challenge
from pbem.tournaments.standings import Row, Table, table_of
from pbem.tournaments.tie_breaks import show_figure
from pbem.web.events.overview import head_of
from pbem.web.events.seen import SeenEvent, get_seen
from pbem.web.events.site import events
from pbem.web.events.stages import say_stage, stages_of


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of a table, ready to be shown."""

    row: Row
    figures: tuple[str, ...]
    why: str
    """Why the one above is above; empty at the top."""


@dataclass(frozen=True, slots=True)
class ShownTable:
    """One table of an event."""

    stage: str
    title: str
    heads: tuple[tuple[str, str], ...]
    """Of the tie-breaks: a short name, and what it is."""
    lines: tuple[TableLine, ...]
    is_provisional: bool


@events.get("/<event_id>/table")
def table(event_id: str) -> str:
    """The tables of an event, or one of them."""
    seen = get_seen(event_id)
    event = seen.event
    if event.phase in ("draft", "open"):
        abort(404)
    stages = stages_of(event)
    wanted = request.args.get("stage")
    if wanted is not None and wanted not in stages:
        abort(404)
    shown = [wanted] if wanted is not None else stages
    return render_template(
        "events/table.html",
        **head_of(seen),
        tables=[show_table(seen, stage) for stage in shown],
        **_pictures(seen),
    )


def show_table(seen: SeenEvent, stage: str) -> ShownTable:
    """A table with what parts its neighbours, in words."""
    found = table_of(seen.event, stage)
    names = seen.names.by_entrant
    whys = ["", *(say_explained(e, names, tongue=g.tongue) for e in explanations(found))]
    lines = tuple(
        TableLine(row, _figures(found, row), why)
        for row, why in zip(found.rows, whys, strict=False)
    )
    heads = tuple(
        (g.tongue.say(SHORT[each]), g.tongue.say(ABOUT[each])) for each in found.tie_breaks
    )
    title = say_stage(seen.event, stage)
    return ShownTable(stage, title, heads, lines, found.is_provisional)


def _figures(found: Table, row: Row) -> tuple[str, ...]:
    return tuple(
        "" if figure is None else show_figure(tie_break, figure)
        for tie_break, figure in zip(found.tie_breaks, row.figures, strict=True)
    )


def _pictures(seen: SeenEvent) -> dict[str, Any]:
    event = seen.event
    found: dict[str, Any] = {"bracket": None, "hindrances": {}}
    if event.charter.format == "knockout" and event.encounters:
        found["bracket"] = bracket(event)
        found["round_names"] = _round_names(found["bracket"])
    if event.charter.format == "ladder" and event.phase == "running" and seen.me is not None:
        mine = seen.me.number
        found["can_challenge"] = {
            each for each in event.ladder if check_challenge(event, mine, each, g.now) is None
        }
    return found


def _round_names(found: Bracket) -> list[str]:
    last = len(found.rounds)
    words = {last: g.tongue.say("Final"), last - 1: g.tongue.say("Semi-finals")}
    numbers = range(1, last + 1)
    return [words.get(each) or g.tongue.say("Round {round}", round=each) for each in numbers]
