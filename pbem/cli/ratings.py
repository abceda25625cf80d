"""``pbem ratings``: counting everything again, and the list of a level."""

from __future__ import annotations

import json
from typing import Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbem.cli.inputs import showing_errors
from pbem.cli.showing import make_plain
from pbem.games.ortus.figures import LEVELS

# The store is imported where it is used: every other command would wait for it.

_MOST: Final = 50


@click.group()
def ratings() -> None:
    """Ratings of players: who has which, and whether they follow from the games."""


@ratings.command()
@click.option("--check", is_flag=True, help="Only compare; exit code 1 if anything differs.")
def recompute(check: bool) -> None:
    """Count all ratings again from the games alone.

    The server may run meanwhile. The numbers are the same each time, whoever counted before.
    """
    from pbem.bootstrap import open_surroundings  # noqa: PLC0415
    from pbem.play.rating_again import find_differences, recount  # noqa: PLC0415

    with showing_errors(), open_surroundings() as around:
        if not check:
            done = recount(around)
            click.echo(
                f"{done.games} games are over; {done.corrected} of them were not taken in as they"
                f" should be. {done.ratings} ratings have changed."
            )
            return
        with around.store.read() as unit:
            waits = bool(unit.rating_changes() or unit.games_to_rate(after="", limit=1))
        differences = find_differences(around)
    for line in differences:
        click.echo(line)
    if waits:
        click.echo("Some games are not counted yet; the server does that every half minute.")
    if differences:
        raise click.exceptions.Exit(1)
    click.echo("All ratings follow from the games.")


@ratings.command("list")
@click.argument("level", type=click.Choice(LEVELS))
@click.option("--provisional", is_flag=True, help="Those that are not sure enough to be ranked.")
@click.option("--page", type=click.IntRange(1, 10_000), default=1, help="Fifty at a time.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def list_(level: str, provisional: bool, page: int, as_json: bool) -> None:
    """List the ratings of a LEVEL, best first."""
    from datetime import UTC, datetime  # noqa: PLC0415

    from pbem.bootstrap import open_surroundings  # noqa: PLC0415
    from pbem.play.rating_seen import list_ratings  # noqa: PLC0415

    with showing_errors(), open_surroundings() as around:
        found = list_ratings(
            around,
            level,
            now=datetime.now(UTC),
            is_provisional=provisional,
            offset=(page - 1) * _MOST,
            limit=_MOST,
        )
    rows = [
        {
            "place": None if provisional else found.first + index,
            "player": listed.rating.player_id,
            "name": listed.name,
            "rating": listed.rating.figure.shown,
            "deviation": round(listed.rating.figure.deviation),
            "games": listed.rating.games,
        }
        for index, listed in enumerate(found.players)
    ]
    if as_json:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
    elif not rows:
        click.echo("Nobody is in this list.")
    else:
        table = Table(*rows[0])
        for row in rows:
            table.add_row(
                *(Text("" if cell is None else make_plain(str(cell))) for cell in row.values())
            )
        Console().print(table)
