"""``pbem archive puzzle check``: whether the puzzles of a file hold, and how many solutions each
has."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from notation.record_reading import ReadGame, read_records
from pbem.archive.faults import SPELLING, PlacedFault, played_fault, text_fault
from pbem.archive.puzzles import NotAPuzzle, Problem, Puzzle, check_puzzle
from pbem.archive.solving import LIMIT, find_first_attacks
from pbem.cli.inputs import open_records
from pbem.games.ortus.figures import HOUSE_NAMES
from pbem.tongue import ENGLISH


@click.group()
def puzzle() -> None:
    """Puzzles: records with a position, a goal and a solution."""


@puzzle.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--limit",
    type=click.IntRange(0, 10_000_000),
    default=LIMIT,
    show_default=True,
    help="Positions to look at for other solutions.",
)
def check(files: tuple[str, ...], limit: int) -> None:
    """Play the solutions of puzzles through every answer of the defender.

    FILES are .ogn files; - is standard input. A puzzle has a Position tag, a Goal tag (win, honour
    3, wells 4) and one turn that reaches the goal whatever is answered; variations with other
    verdicts say how it goes on then. For each that holds, the first attacks that solve it are
    listed, if they can all be known within the limit.
    """
    puzzles = faulty = 0
    for path in files:
        with open_records(path) as file:
            for game in read_records(file, mode="recover"):
                puzzles += 1
                faults = list(_find_faults(game))
                for line, column, sentence in faults:
                    click.echo(f"{path}:{line}:{column}: {sentence}")
                if faults:
                    faulty += 1
                else:
                    told = _tell(check_puzzle(game.record), limit)
                    click.echo(f"{path}:{game.line}: {told}")
    click.echo(f"{puzzles} puzzle{'s' * (puzzles != 1)}, {faulty} with faults")
    if faulty or not puzzles:
        sys.exit(1)


def _find_faults(game: ReadGame) -> Iterator[PlacedFault]:
    """What is wrong with a puzzle, each with its line and column."""
    errors = [error for error in game.errors if error.code not in SPELLING]
    for error in errors:
        yield text_fault(error)
    if errors:
        return
    try:
        check_puzzle(game.record)
    except NotAPuzzle as found:
        for wrong in found.wrong:
            if isinstance(wrong, Problem):
                yield PlacedFault(game.line, 1, f"{wrong.say(ENGLISH)} [{wrong.code}]")
            else:
                yield played_fault(game, wrong)


def _tell(found: Puzzle, limit: int) -> str:
    house = HOUSE_NAMES[found.position.active].capitalize()
    goal = found.goal.say(house, ENGLISH)
    attacks = find_first_attacks(found.position, found.goal, limit=limit) if limit else None
    if attacks is None:
        return f"{goal} The solution holds; whether there are others is not known."
    if len(attacks) == 1:
        return (
            f"{goal} The solution holds, and {attacks[0]} is the only first attack that solves it."
        )
    return f"{goal} The solution holds; first attacks that solve it: {', '.join(attacks)}."
