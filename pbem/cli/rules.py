"""Commands about the rules: vectors against the engine, counting, and what can be done now."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from pbem.cli.inputs import read_position
from pbem.cli.progress import with_progress
from pbem.games.ortus.conformance import Difference, compare
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.legality import check
from pbem.games.ortus.orders import action_text
from pbem.games.ortus.perft import divide
from pbem.games.ortus.perft import perft as count

MAX_VECTOR: Final = 4 << 20
MAX_DEPTH: Final = 6

arena_option = click.option(
    "--arena",
    "arena_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="An arena file of your own, for positions that name it.",
)
dicey_option = click.option("--dicey", is_flag=True, help="Play with dice.")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def conform(file: Path) -> None:
    """Replay conformance vectors and compare everything.

    FILE has one vector a line, in JSON; docs/conformance.md tells the form. Each difference is
    shown with its vector, step and field, what was expected and what the rules here give.
    """
    vectors = differences = 0
    with file.open("rb") as lines:
        numbered = enumerate(iter(lambda: lines.readline(MAX_VECTOR), b""), start=1)
        for number, line in with_progress(numbered, "vectors"):
            if not line.strip():
                continue
            vectors += 1
            for difference in _differences(number, line):
                differences += 1
                click.echo(_describe(difference))
    click.echo(f"{vectors} vectors, {differences} differences")
    if differences or not vectors:
        sys.exit(1)


def _differences(number: int, line: bytes) -> list[Difference]:
    try:
        vector = json.loads(line)
    except (ValueError, RecursionError) as error:
        return [Difference(f"line {number}", 0, "form", "JSON", str(error))]
    if not isinstance(vector, dict):
        return [Difference(f"line {number}", 0, "form", "an object", type(vector).__name__)]
    return list(compare(vector))


def _describe(difference: Difference) -> str:
    return (
        f"{difference.vector} step {difference.step} {difference.field}: "
        f"expected {_short(difference.expected)}, got {_short(difference.got)}"
    )


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= 200 else text[:199] + "…"


@click.command()
@click.argument("position")
@click.argument("depth", type=click.IntRange(0, MAX_DEPTH))
@click.option("--divide", "divided", is_flag=True, help="Show the count behind each first action.")
@arena_option
@dicey_option
def perft(position: str, depth: int, divided: bool, arena_file: Path | None, dicey: bool) -> None:
    """Count the lines of play of DEPTH plies from POSITION.

    A ply is one action, or one answer to an attack. POSITION is a position line, - reads it from
    standard input.
    """
    here = read_position(position, arena_file=arena_file, dicey=dicey)
    if not divided or depth == 0:
        click.echo(str(count(here, depth)))
        return
    total = 0
    actions = with_progress(divide(here, depth), "actions", total=len(legal_actions(here)))
    for action, lines in actions:
        click.echo(f"{action_text(here, action)}: {lines}")
        total += lines
    click.echo(f"total: {total}")


@click.command()
@click.argument("position")
@click.option("--json", "as_json", is_flag=True, help="A list of {action, cost} instead.")
@arena_option
@dicey_option
def moves(position: str, as_json: bool, arena_file: Path | None, dicey: bool) -> None:
    """List every legal action of POSITION with its cost.

    POSITION is a position line, - reads it from standard input.
    """
    here = read_position(position, arena_file=arena_file, dicey=dicey)
    costs = {action_text(here, action): check(here, action) for action in legal_actions(here)}
    if as_json:
        listed = [{"action": text, "cost": cost} for text, cost in sorted(costs.items())]
        click.echo(json.dumps(listed, indent=1))
        return
    Console().print(_moves_table(costs))
    click.echo(f"{len(costs)} legal actions")


def _moves_table(costs: dict[str, int]) -> Table:
    """One row for each warrior and verb, the hexes in order of cost."""
    rows: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for text, cost in costs.items():
        who, verb, rest = _split(text)
        rows.setdefault((who, verb), []).append((cost, rest))
    table = Table(show_lines=False, pad_edge=False)
    for heading in ("who", "does", "where (cost)"):
        table.add_column(heading, overflow="fold")
    for (who, verb), places in sorted(rows.items(), key=lambda row: (row[0][0][1:], row[0])):
        places.sort(key=lambda place: (place[0], _by_number(place[1])))
        shown = " ".join(rest if cost == 0 else f"{rest}({cost})" for cost, rest in places)
        table.add_row(who, verb, shown)
    return table


def _by_number(where: str) -> list[tuple[str, int]]:
    """G9 before G10, with a landing as without."""
    return [(hex_[0], int(hex_[1:])) for hex_ in where.split("@") if hex_[1:].isdigit()]


def _split(text: str) -> tuple[str, str, str]:
    """Who, verb and where of a canonical action."""
    if " " in text:
        who, verb, where = text.split(" ", 2)
        return who, verb, where
    if ":kite>" in text:
        who, where = text.split(":kite>")
        return who, "kite", where
    who, _, where = text.partition(">")
    return (who, "walk", where) if who != "guide" and where else (who, "", where)
