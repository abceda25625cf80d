"""Tables of events as data: CSV for spreadsheets, JSON for programs. Pure: from tables to text.

Columns and keys are English and stay as they are; points are decimal numbers. What is there for
people is in the language of who asked. Pages and paper are drawn elsewhere (``pbem.web``,
``pbem.diagrams.event_pdf``).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Final

from pbem.play.events.saying_standings import say_explained
from pbem.tongue import ENGLISH, Tongue
from pbem.tournaments.crosstable import Crosstable, show_cell
from pbem.tournaments.event import Event
from pbem.tournaments.explaining import explanations
from pbem.tournaments.sheets import Line
from pbem.tournaments.standings import Row, Table
from pbem.tournaments.tie_breaks import UNITS

FORMAT: Final = "pbem-event-table"
VERSION: Final = 1
_COUNTS: Final = ("wins", "draws", "losses", "byes", "starts", "other_starts", "running")
_COLUMNS: Final = {"wins": "won", "draws": "drawn", "losses": "lost"}
"""Games by how they ended, where ``wins`` is a tie-break: no two columns have one name."""


def table_csv(table: Table, names: Mapping[int, str], *, tongue: Tongue = ENGLISH) -> str:
    """A table: one line for each entrant, with why they stand above the next."""
    told = [say_explained(each, names, tongue=tongue) for each in explanations(table)]
    head = ["place", "shared", "name", "points", *table.tie_breaks]
    head += [*(_COLUMNS.get(name, name) for name in _COUNTS), "why"]
    return _written(
        [
            head,
            *(
                [
                    str(row.place),
                    "yes" if row.is_shared else "no",
                    names[row.entrant],
                    _decimal(row.points, 2),
                    *(figure for _, figure in _figures(table, row)),
                    *(str(getattr(row, name)) for name in _COUNTS),
                    why,
                ]
                for row, why in zip(table.rows, [*told, ""], strict=True)
            ),
        ]
    )


def crosstable_csv(cross: Crosstable, names: Mapping[int, str]) -> str:
    """A crosstable: a column for each opponent, or for each round."""
    if cross.kind == "opponents":
        heads = [names[head] for head in cross.heads]
    else:
        heads = [f"round {head}" for head in cross.heads]
    return _written(
        [
            ["line", "name", *heads, "points"],
            *(
                [
                    str(number),
                    names[each.row.entrant],
                    *(show_cell(cells, cross.kind) for cells in each.cells),
                    _decimal(each.row.points, 2),
                ]
                for number, each in enumerate(cross.rows, 1)
            ),
        ]
    )


def table_json(
    event: Event, table: Table, names: Mapping[int, str], *, tongue: Tongue = ENGLISH
) -> str:
    """A table with its games and explanations."""
    rows = [
        {
            "place": row.place,
            "shared": row.is_shared,
            "entrant": row.entrant,
            "name": names[row.entrant],
            "points": row.points / 2,
            "figures": {
                name: None if value == "" else float(value) for name, value in _figures(table, row)
            },
            **{name: getattr(row, name) for name in _COUNTS},
            "games": [_game(line) for line in table.sheet.lines[row.entrant]],
        }
        for row in table.rows
    ]
    why = [
        {
            "above": told.facts["above"],
            "below": told.facts["below"],
            "code": told.code,
            "text": say_explained(told, names, tongue=tongue),
        }
        for told in explanations(table)
    ]
    content = {
        "format": FORMAT,
        "version": VERSION,
        "event": event.id,
        "title": event.charter.title,
        "kind": event.charter.format,
        "meeting": event.charter.meeting,
        "stage": table.stage,
        "provisional": table.is_provisional,
        "tie_breaks": list(table.tie_breaks),
        "rows": rows,
        "why": why,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _game(line: Line) -> dict[str, object]:
    kinds = {"is_running": "running", "is_bye": "bye", "is_absent": "absent"}
    kind = next((word for name, word in kinds.items() if getattr(line, name)), line.ending)
    return {
        "round": line.round,
        "opponent": line.opponent,
        "points": None if line.is_running else line.points / 2,
        "ending": kind,
        "started": line.has_started,
    }


def _figures(table: Table, row: Row) -> Iterable[tuple[str, str]]:
    for tie_break, figure in zip(table.tie_breaks, row.figures, strict=True):
        yield tie_break, "" if figure is None else _decimal(figure, UNITS[tie_break])


def _decimal(figure: int, unit: int) -> str:
    return f"{figure / unit:.2f}".rstrip("0").rstrip(".")


def _written(lines: Iterable[Iterable[str]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file)
    for line in lines:
        writer.writerow(_tamed(each) for each in line)
    return file.getvalue()


def _tamed(text: str) -> str:
    """A text that no spreadsheet takes for a formula. Results begin with their signs."""
    is_formula = text[:1] in ("=", "+", "-", "@", "\t", "\r") and len(text) > 1
    return f"'{text}" if is_formula else text
