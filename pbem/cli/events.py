"""``pbem event``: what the operator sees of events, and having one go on at once.

Whoever directs an event does so on the pages and by mail. Here the log is shown as it is kept, with
the codes of its acts, and whether the rest follows from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbem.cli.inputs import showing_errors
from pbem.cli.showing import make_plain

if TYPE_CHECKING:
    from pbem.play.ports import Unit
    from pbem.tournaments.event import Event

# The store is imported where it is used: every other command would wait for it.

_MOST: Final = 50
_ID = click.argument("event_id", metavar="EVENT")
_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")


@click.group()
def event() -> None:
    """Events: tournaments, leagues, ladders."""


@event.command("list")
@click.option("--all", "is_all", is_flag=True, help="Also those that are over or were cancelled.")
@click.option("--limit", default=_MOST, show_default=True, help="How many at most.")
@_JSON
def list_(is_all: bool, limit: int, as_json: bool) -> None:
    """List events, newest first."""
    from pbem.bootstrap import open_surroundings  # noqa: PLC0415

    phases = ["draft", "open", "running", "paused", *(["over", "cancelled"] if is_all else [])]
    with showing_errors(), open_surroundings() as around, around.store.read() as unit:
        found = unit.newest_events(phases, before=None, limit=limit)  # type: ignore[arg-type]
    rows = [
        {
            "event": each.id,
            "title": each.title,
            "format": each.format,
            "phase": each.phase,
            "entrants": each.entrants,
            "round": each.round,
            "acts": each.acts,
        }
        for each in found
    ]
    _show(rows, as_json, "There are no events.")


@event.command()
@_ID
def show(event_id: str) -> None:
    """Show an EVENT: its charter, who is in it, its rounds."""
    from pbem.bootstrap import open_surroundings  # noqa: PLC0415
    from pbem.tournaments.charter_plain import charter_to_plain  # noqa: PLC0415

    with showing_errors(), open_surroundings() as around, around.store.read() as unit:
        found = _get(unit, event_id)
        names = _names(unit, found)
        rows = unit.games_of_event(event_id)
    click.echo(f"{make_plain(found.charter.title)} ({found.id}): {found.phase}")
    for name, value in charter_to_plain(found.charter).items():
        if value not in (None, "", [], {}):
            click.echo(f"  {name}: {make_plain(str(value))}")
    click.echo(f"round {found.round}, {found.acts} acts, {len(rows)} games")
    for each in found.entrants:
        click.echo(f"  {each.number}. {names[each.number]} {each.rating} {each.standing}")
    for encounter in found.encounters:
        sides = " - ".join(names[number] for number in encounter.entrants)
        results = ", ".join(
            "running" if game.result is None else f"{game.result.gold}:{game.result.black}"
            for game in encounter.games
        )
        click.echo(f"  round {encounter.round}: {sides} ({results or 'bye'})")


@event.command()
@_ID
@_JSON
def log(event_id: str, as_json: bool) -> None:
    """Show the log of an EVENT: every act, by whom, and why."""
    from pbem.bootstrap import open_surroundings  # noqa: PLC0415

    with showing_errors(), open_surroundings() as around, around.store.read() as unit:
        _get(unit, event_id)
        kept = unit.acts_of(event_id)
    rows = [
        {
            "number": each.act.number,
            "at": f"{each.act.at:%Y-%m-%d %H:%M}",
            "by": each.act.by,
            "act": each.act.name,
            "player": each.act.player,
            "facts": each.act.facts if as_json else _short(each.act.facts),
            "reason": each.act.reason,
        }
        for each in kept
    ]
    _show(rows, as_json, "Nothing has happened.")


@event.command()
@_ID
@_JSON
def standings(event_id: str, as_json: bool) -> None:
    """Show the tables of an EVENT."""
    from pbem.bootstrap import open_surroundings  # noqa: PLC0415
    from pbem.tournaments.event import show_points  # noqa: PLC0415
    from pbem.tournaments.sheets import stages  # noqa: PLC0415
    from pbem.tournaments.standings import standings as stand  # noqa: PLC0415

    with showing_errors(), open_surroundings() as around, around.store.read() as unit:
        found = _get(unit, event_id)
        names = _names(unit, found)
    rows = [
        {
            "stage": stage,
            "place": row.place,
            "entrant": row.entrant,
            "name": names[row.entrant],
            "points": show_points(row.points),
            "wins": row.wins,
            "draws": row.draws,
            "losses": row.losses,
            "starts": row.starts,
            "other_starts": row.other_starts,
        }
        for stage in stages(found) or ("",)
        for row in stand(found, stage)
    ]
    _show(rows, as_json, "Nobody is in this event.")


@event.command()
@click.argument("event_id", metavar="[EVENT]", required=False)
def advance(event_id: str | None) -> None:
    """Let happen now what is due in an EVENT, or in all of them; the server does so itself every
    half minute."""
    from datetime import UTC, datetime  # noqa: PLC0415

    from pbem.bootstrap import open_surroundings  # noqa: PLC0415
    from pbem.play.events.advancing import advance as go_on  # noqa: PLC0415
    from pbem.play.events.advancing import advance_due  # noqa: PLC0415

    now = datetime.now(UTC)
    with showing_errors(), open_surroundings() as around:
        if event_id is None:
            done = advance_due(around, now)
        else:
            with around.store.read() as unit:
                _get(unit, event_id)
            done = go_on(around, event_id, now)
    click.echo(f"{done.acts} acts, {done.games} games begun.")
    for failed, reason in done.failed.items():
        click.echo(f"{failed}: {make_plain(reason)}", err=True)
    if done.failed:
        raise click.exceptions.Exit(1)


@event.command()
def check() -> None:
    """Fold the logs of all events again, and see that all that is shown of them follows from it;
    exit code 1 if anything differs."""
    from pbem.bootstrap import open_surroundings  # noqa: PLC0415
    from pbem.play.events.checking import check_events  # noqa: PLC0415

    with showing_errors(), open_surroundings() as around:
        checked, differences = check_events(around)
    for line in differences:
        click.echo(make_plain(line))
    if differences:
        raise click.exceptions.Exit(1)
    click.echo(f"{checked} events are what their logs say.")


def _get(unit: Unit, event_id: str) -> Event:
    from pbem.play.events.open_event import NoSuchEventError, get_event  # noqa: PLC0415

    try:
        return get_event(unit, event_id)
    except NoSuchEventError:
        raise click.ClickException(f"There is no event {make_plain(event_id)}.") from None


def _names(unit: Unit, found: Event) -> dict[int, str]:
    names = {}
    for each in found.entrants:
        player = unit.find_player(each.player_id)
        names[each.number] = make_plain(player.name) if player else "?"
    return names


def _short(facts: Mapping[str, object]) -> str:
    plain = {
        name: f"{len(value)} of them" if isinstance(value, list | dict) else value
        for name, value in facts.items()
    }
    return ", ".join(f"{name} {value}" for name, value in plain.items())


def _show(rows: Sequence[Mapping[str, object]], as_json: bool, nothing: str) -> None:
    if as_json:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
    elif not rows:
        click.echo(nothing)
    else:
        table = Table(*rows[0])
        for row in rows:
            table.add_row(
                *(Text("" if cell is None else make_plain(str(cell))) for cell in row.values())
            )
        Console().print(table)
