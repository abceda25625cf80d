"""The command that draws: a position, or a moment of a record, as SVG, PNG, text or speech."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

import click

from notation.record import Record
from notation.record_reading import read_records
from pbem.cli.inputs import open_records, read_arena, read_position
from pbem.cli.rules import arena_option
from pbem.diagrams.png import scene_png
from pbem.diagrams.svg import scene_svg
from pbem.diagrams.text import scene_text
from pbem.diagrams.theme import DARK, LIGHT, Theme
from pbem.games.ortus.arena import Arena
from pbem.games.ortus.drawing import Trace, draw_position, trace_action
from pbem.games.ortus.figures import HOUSE_NAMES
from pbem.games.ortus.messages import explain
from pbem.games.ortus.orders import to_action
from pbem.games.ortus.position import Position
from pbem.games.ortus.record_start import RecordFault, first_position
from pbem.games.ortus.replaying import moments
from pbem.games.ortus.speech import speak_action, speak_position
from pbem.games.scene import Scene

_MOMENT: Final = re.compile(
    r"(?P<file>.+?)(?:#(?P<game>[1-9][0-9]{0,8}))?(?:@(?P<label>[0-9]+[gb]))?"
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A position, and what the turn before it did: as a trace, and in words."""

    position: Position
    trace: Trace = field(default_factory=Trace)
    changes: tuple[str, ...] = ()


@click.command()
@click.argument("source", metavar="POSITION|RECORD[@TURN]")
@click.option("--svg", "form", flag_value="svg", help="A drawing for the web.")
@click.option("--png", "form", flag_value="png", help="A picture for a mail.")
@click.option("--text", "form", flag_value="text", default=True, help="A text board (default).")
@click.option("--spoken", "form", flag_value="spoken", help="A description to be read aloud.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write here, not to stdout.")
@click.option(
    "--side",
    type=click.Choice(HOUSE_NAMES),
    default=HOUSE_NAMES[0],
    show_default=True,
    help="From whose side.",
)
@click.option("--dark", is_flag=True, help="For a dark background.")
@click.option(
    "--width",
    type=click.IntRange(350, 1400),
    default=700,
    show_default=True,
    help="Pixels, for --png.",
)
@click.option("--hexlines", is_flag=True, help="Draw all Hexlines.")
@arena_option
def render(  # noqa: PLR0917 - one parameter for each option
    source: str,
    form: str,
    output: Path | None,
    side: str,
    dark: bool,
    width: int,
    hexlines: bool,
    arena_file: Path | None,
) -> None:
    """Draw a position, or a moment of a record.

    POSITION is a position line (- reads it from standard input). RECORD is an .ogn file: the end
    of its first game is drawn, with @12b the board after turn 12b, with #3 the third game.

    \b
      pbem render game.ogn --png -o end.png
      pbem render 'game.ogn#2@5g' --text
    """
    if "|" in source or source == "-":
        moment = Moment(read_position(source, arena_file=arena_file))
    else:
        moment = _find_moment(source, arena_file)
    scene = draw_position(
        moment.position,
        bottom=HOUSE_NAMES.index(side),
        trace=moment.trace,
        with_hexlines=hexlines,
        description=speak_position(moment.position, changes=moment.changes),
    )
    data = _drawn(form, scene, theme=DARK if dark else LIGHT, width=width)
    if output is not None:
        try:
            output.write_bytes(data)
        except OSError as error:
            raise click.ClickException(f"{output}: {error.strerror}") from None
    elif form == "png" and sys.stdout.isatty():
        raise click.UsageError("a PNG is not for the screen; give --output FILE")
    else:
        sys.stdout.buffer.write(data)


def _drawn(form: str, scene: Scene, *, theme: Theme, width: int) -> bytes:
    match form:
        case "svg":
            return scene_svg(scene, theme=theme).encode()
        case "png":
            return scene_png(scene, theme=theme, width=width)
        case "spoken":
            return (scene.description + "\n").encode()
        case _:
            return (scene_text(scene) + "\n").encode()


def _find_moment(source: str, arena_file: Path | None) -> Moment:
    """The position at the end of a turn, and what that turn did."""
    found = _MOMENT.fullmatch(source)
    if found is None:
        raise click.UsageError(f"{source!r} is neither a position nor a record")
    arenas = {}
    if arena_file is not None:
        arena = read_arena(arena_file)
        arenas[arena.name] = arena
    if found["file"] == source and not source.endswith(".ogn") and not os.path.exists(source):
        raise click.ClickException(
            f"{source}: No such file, and not a position line, which has six fields with | between"
            " them (N4). A turn of a record is named as in game.ogn@2b."
        )
    record = _get_record(found["file"], int(found["game"] or 1))
    try:
        return _play_to(record, found["label"], arenas)
    except RecordFault as wrong:
        fault = wrong.fault
        raise click.ClickException(
            f"{found['file']}:{fault.line}:{fault.column}: {explain(fault)} [{fault.clause}]"
        ) from None


def _get_record(path: str, number: int) -> Record:
    with open_records(path) as file:
        games = read_records(file, mode="recover")
        game = next(islice(games, number - 1, None), None)
    if game is None:
        raise click.ClickException(f"{path} has no game {number}.")
    return game.record


def _play_to(record: Record, label: str | None, arenas: dict[str, Arena]) -> Moment:
    moment = Moment(first_position(record, arenas=arenas))
    reached = ""
    for turn, played, after in moments(record, arenas=arenas):
        current = f"{turn.round}{turn.side}"
        if current != reached:
            if reached == label:
                break
            moment, reached = Moment(moment.position), current
        before = moment.position
        action = to_action(before, played.order)
        moment = Moment(
            after,
            moment.trace + trace_action(before, action, after),
            moment.changes + speak_action(before, action, after),
        )
    if label is not None and reached != label:
        raise click.ClickException(f"The game has no turn {label}; it ends with {reached or '?'}.")
    return moment
