"""The options by which ``pbem archive`` is told which games are meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from notation.position_line import LEVELS
from notation.record_tags import TERMINATIONS
from pbem.games.ortus.figures import is_setup

if TYPE_CHECKING:
    from pbem.play.archived import Filter

Command = TypeVar("Command", bound=Callable[..., Any])
_DAY: Final = re.compile(r"(\d{4})(?:[.-](\d{2})(?:[.-](\d{2}))?)?")


class Day(click.ParamType[int]):
    """``2026-11-16``, ``2026.11`` or ``2026`` as the number that days have in the archive."""

    name = "date"

    def __init__(self, missing: str) -> None:
        self._missing = missing
        """What stands for a month or a day that is not named: the first or the last."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, or click's error."""
        found = _DAY.fullmatch(value) if isinstance(value, str) else None
        if found is None:
            self.fail(f"{value!r} is not a date such as 2026-11-16", param, ctx)
        return int("".join(part or self._missing for part in found.groups()))


_OPTIONS: Final = (
    click.option("--player", default="", help="Who played, as the record names them."),
    click.option("--opponent", default="", help="Against whom."),
    click.option("--house", type=click.Choice(["gold", "black"]), help="Which House they had."),
    click.option("--setup", default="", help="Their set-up, such as WFEAAEFW."),
    click.option("--rating-from", "min_rating", type=int, help="Their rating, at least."),
    click.option("--rating-to", "max_rating", type=int, help="Their rating, at most."),
    click.option("--event", default="", help="The event."),
    click.option("--from", "first_day", type=Day("00"), help="From this day, month or year on."),
    click.option("--to", "last_day", type=Day("99"), help="Up to this day, month or year."),
    click.option("--result", type=click.Choice(["1-0", "0-1", "1/2-1/2"]), help="1-0 is Gold's."),
    click.option(
        "--ending",
        "termination",
        type=click.Choice([each for each in TERMINATIONS if each != "unfinished"]),
        help="How it ended.",
    ),
    click.option("--turns-from", "min_turns", type=int, help="Turns, at least."),
    click.option("--turns-to", "max_turns", type=int, help="Turns, at most."),
    click.option("--level", type=click.Choice(LEVELS), help="The level."),
    click.option("--arena", default="", help="The arena."),
    click.option("--dice", type=click.Choice(["clean", "dicey"]), help="With or without dice."),
    click.option("--starter", type=click.Choice(["gold", "black"]), help="Who began."),
    click.option("--source", type=click.Choice(["played", "imported"]), help="Here or elsewhere."),
    click.option("--pattern", default="", help="A pattern, such as 'gold three-wells'."),
    click.option(
        "--position",
        help="A position line that the game went through; with --dice dicey if it had dice.",
    ),
    click.option(
        "--handicap", help="The handicap of the game with this position, such as 'gold +2'."
    ),
    click.option("--turned", is_flag=True, help="The position on a board turned any way."),
)


def filter_options(command: Command) -> Command:
    """All options of a filter; the command hands them to ``make_filter``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def make_filter(
    *, position: str | None, turned: bool, handicap: str | None = None, **chosen: Any
) -> Filter:
    """The filter that the options mean."""
    from pbem.play.archived import Filter  # noqa: PLC0415

    if position is None:
        for is_given, option in ((turned, "--turned"), (handicap is not None, "--handicap")):
            if is_given:
                raise click.UsageError(f"{option} is for --position")
    keys: tuple[int, ...] = ()
    if position is not None:
        is_dicey = chosen.get("dice") == "dicey"
        keys = _keys(position, turned=turned, dicey=is_dicey, handicap=handicap or "")
    chosen |= {
        "setup": _read_setup(chosen.get("setup") or ""),
        "pattern": _read_pattern(chosen.get("pattern") or ""),
    }
    return Filter(
        positions=keys, **{name: value for name, value in chosen.items() if value is not None}
    )


def _read_setup(text: str) -> str:
    setup = text.upper()
    if setup and not is_setup(setup):
        raise click.UsageError(
            f"--setup: {text!r} is no set-up: it has eight letters, two each of W, E, A and F"
        )
    return setup


def _read_pattern(text: str) -> str:
    if not text:
        return ""
    from pbem.archive.patterns import NAMES, house_pattern  # noqa: PLC0415

    pattern = " ".join(text.lower().split())
    if pattern not in {house_pattern(house, name) for house in (0, 1) for name in NAMES}:
        raise click.UsageError(
            f"--pattern: {text!r} is no pattern: it is gold or black, and behind it one of "
            + ", ".join(NAMES)
        )
    return pattern


def _keys(text: str, *, turned: bool, dicey: bool, handicap: str) -> tuple[int, ...]:
    from pbem.archive.positions import position_key, turned_keys  # noqa: PLC0415
    from pbem.cli.inputs import read_position  # noqa: PLC0415

    position = read_position(text, dicey=dicey, handicap=handicap)
    return tuple(turned_keys(position)) if turned else (position_key(position),)
