"""Tables of events to take along: CSV, JSON, HTML, PDF."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from flask import Response, abort, g, render_template, request

from pbem.play.events.exporting import crosstable_csv as write_crosstable
from pbem.play.events.exporting import table_csv as write_csv
from pbem.play.events.exporting import table_json as write_json
from pbem.play.events.saying_standings import SIGNS
from pbem.shelf import Shelf
from pbem.tournaments.crosstable import crosstable_of, show_cell
from pbem.tournaments.standings import Table, table_of
from pbem.tournaments.team_table import team_table
from pbem.web.events.seen import SeenEvent, get_seen
from pbem.web.events.site import events
from pbem.web.events.stages import say_stage, stages_of
from pbem.web.events.table import ShownTable, show_table, show_teams

MOST_KEPT: Final = 4_000_000
"""How many bytes of PDFs are kept: those of a thousand players take seconds to draw."""

_papers: Final[Shelf[tuple[str, int, str, int], bytes]] = Shelf(MOST_KEPT, len)


@events.get("/<event_id>/table.csv")
def table_csv(event_id: str) -> Response:
    """A table as CSV."""

    def write(seen: SeenEvent, table: Table) -> str:
        return write_csv(table, seen.names.by_entrant, tongue=g.tongue)

    return _file(event_id, write, "text/csv", "csv")


@events.get("/<event_id>/crosstable.csv")
def crosstable_csv(event_id: str) -> Response:
    """A crosstable as CSV."""

    def write(seen: SeenEvent, table: Table) -> str:
        return write_crosstable(crosstable_of(table), seen.names.by_entrant)

    return _file(event_id, write, "text/csv", "cross.csv")


@events.get("/<event_id>/table.json")
def table_json(event_id: str) -> Response:
    """A table with its games and explanations as JSON."""

    def write(seen: SeenEvent, table: Table) -> str:
        return write_json(seen.event, table, seen.names.by_entrant, tongue=g.tongue)

    return _file(event_id, write, "application/json", "json")


def _file(
    event_id: str, write: Callable[[SeenEvent, Table], str], kind: str, ending: str
) -> Response:
    seen = _get_begun(event_id)
    stages = stages_of(seen.event)
    stage = request.args.get("stage", stages[0])
    if stage not in stages:
        abort(404)
    return _attached(event_id, write(seen, table_of(seen.event, stage)), kind, ending)


def _attached(event_id: str, text: str, kind: str, ending: str) -> Response:
    response = Response(text, mimetype=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="event-{event_id}.{ending}"'
    return response


@events.get("/<event_id>/table.html")
def table_html(event_id: str) -> Response:
    """All tables of an event as one page that needs nothing else, to keep or to put elsewhere."""
    seen = _get_begun(event_id)
    event, names = seen.event, seen.names.by_entrant
    tables: list[tuple[ShownTable, Mapping[int, str]]] = [
        (show_table(seen, stage), names) for stage in stages_of(event)
    ]
    if event.charter.format == "teams":
        tables.insert(0, show_teams(seen))
    text = render_template(
        "events/table_file.html",
        title=event.charter.title,
        tables=tables,
        has_points=event.charter.format not in ("knockout", "ladder"),
        show_cell=show_cell,
        signs_told=g.tongue.say(SIGNS),
    )
    return _attached(event_id, text, "text/html", "html")


@events.get("/<event_id>/table.pdf")
def table_pdf(event_id: str) -> Response:
    """All tables of an event on paper, with their crosstables and every explanation."""
    seen = _get_begun(event_id)
    named = hash(tuple(sorted(seen.names.by_entrant.items())))
    key = (event_id, seen.event.acts, g.tongue.language, named)
    data = _papers.find(key)
    if data is None:
        data = _draw(seen)
        _papers.keep(key, data)
    response = Response(data, mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="event-{event_id}.pdf"'
    return response


def _draw(seen: SeenEvent) -> bytes:
    # What makes PDFs takes much memory, and most servers make few.
    from pbem.diagrams.event_pdf import Part, event_pdf  # noqa: PLC0415

    event, names = seen.event, seen.names.by_entrant
    parts = [
        Part(say_stage(event, stage), table_of(event, stage), names) for stage in stages_of(event)
    ]
    if event.charter.format == "teams":
        teams = team_table(event)
        named = {number: teams.name(number) for number in range(1, len(teams.teams) + 1)}
        parts.insert(0, Part(g.tongue.say("Teams"), teams.table, named))
    return event_pdf(event.charter.title, parts, tongue=g.tongue)


def _get_begun(event_id: str) -> SeenEvent:
    """An event that has a table; 404 before it has begun."""
    seen = get_seen(event_id)
    if seen.event.phase in ("draft", "open"):
        abort(404)
    return seen
