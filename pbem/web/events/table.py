"""Who stands where: the tables of an event with a sentence for each two neighbours, crosstables,
how points grew, the bracket of a knock-out, the rungs of a ladder, the table of teams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import abort, g, render_template, request
from markupsafe import Markup

from pbem.diagrams.climb_chart import climb_svg
from pbem.diagrams.page_theme import page_theme
from pbem.play.events.saying_standings import ABOUT, SHORT, SIGNS, say_explained
from pbem.tournaments.bracket import Bracket, bracket
from pbem.tournaments.climb import climb_of
from pbem.tournaments.crosstable import Crosstable, crosstable_of, show_cell
from pbem.tournaments.explaining import explanations
from pbem.tournaments.ladder import check_challenge
from pbem.tournaments.standings import Row, Table, table_of
from pbem.tournaments.team_table import team_table
from pbem.tournaments.tie_breaks import show_figure
from pbem.web.events.overview import head_of
from pbem.web.events.seen import SeenEvent, get_seen
from pbem.web.events.site import events
from pbem.web.events.stages import say_stage, stages_of

MOST_CROSSED: Final = 60
"""With more players a crosstable is for files, and not for a page."""
LEAST_CLIMB: Final = 3
"""How many moments a drawing of points has at least: the beginning, and two rounds."""


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
    cross: Crosstable | None
    """None where there are too many to show."""
    climb: Markup
    """How points grew, as a drawing; empty before the second round."""


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
        show_cell=show_cell,
        signs_told=g.tongue.say(SIGNS),
        **_pictures(seen),
    )


def show_table(seen: SeenEvent, stage: str) -> ShownTable:
    """A table with what parts its neighbours, in words."""
    found, title = table_of(seen.event, stage), say_stage(seen.event, stage)
    return _shown(found, seen.names.by_entrant, seen.event.charter.format, title=title)


def show_teams(seen: SeenEvent) -> tuple[ShownTable, Mapping[int, str]]:
    """The table of teams, and their names."""
    teams = team_table(seen.event)
    names = {number: teams.name(number) for number in range(1, len(teams.teams) + 1)}
    return _shown(teams.table, names, "teams", title=g.tongue.say("Teams")), names


def _shown(found: Table, names: Mapping[int, str], format_: str, *, title: str) -> ShownTable:
    whys = ["", *(say_explained(e, names, tongue=g.tongue) for e in explanations(found))]
    lines = tuple(
        TableLine(row, _figures(found, row), why)
        for row, why in zip(found.rows, whys, strict=False)
    )
    heads = tuple(
        (g.tongue.say(SHORT[each]), g.tongue.say(ABOUT[each])) for each in found.tie_breaks
    )
    is_ladder = format_ == "ladder"
    return ShownTable(
        stage=found.stage,
        title=title,
        heads=heads,
        lines=lines,
        is_provisional=found.is_provisional,
        cross=None if is_ladder or len(lines) > MOST_CROSSED else crosstable_of(found),
        climb=Markup() if format_ in ("ladder", "knockout") else _climb(found, names),
    )


def _climb(found: Table, names: Mapping[int, str]) -> Markup:
    grown = climb_of(found)
    if len(grown.rounds) < LEAST_CLIMB:
        return Markup()
    title = g.tongue.say("Points after each round")
    return Markup(climb_svg(grown, names, title=title, theme=page_theme()))


def _figures(found: Table, row: Row) -> tuple[str, ...]:
    return tuple(
        "" if figure is None else show_figure(tie_break, figure)
        for tie_break, figure in zip(found.tie_breaks, row.figures, strict=True)
    )


def _pictures(seen: SeenEvent) -> dict[str, Any]:
    event = seen.event
    found: dict[str, Any] = {"bracket": None, "teams": None}
    if event.charter.format == "teams":
        found["teams"], found["team_names"] = show_teams(seen)
        found["board_points"] = team_table(event).board_points
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
