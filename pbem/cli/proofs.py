"""``pbem verify`` and ``pbem dice``: proof that a game was what its log says.

Owns the command and the games of a store; files are ``file_proofs``.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from pbem.cli.inputs import showing_errors
from pbem.cli.processes import start_processes
from pbem.cli.progress import with_progress
from pbem.cli.records import arenas_option, read_arenas

if TYPE_CHECKING:
    from pbem.play.model import StoredGame
    from pbem.play.ports import Surroundings

# The store is imported where it is used: every other command would wait for it.

BATCH: Final = 50


class Finding(NamedTuple):
    """What came of one game: its caches that differed, or the first fault of its log."""

    game: str
    repaired: tuple[str, ...] = ()
    fault: str | None = None


@contextmanager
def surroundings() -> Iterator[Surroundings]:
    """The server's store, with its errors said as the command line says them."""
    from pbem.bootstrap import open_surroundings  # noqa: PLC0415

    with showing_errors(), open_surroundings() as around:
        yield around


@click.command()
@click.argument("what", nargs=-1, metavar="[GAME|FILE]...")
@click.option("--all", "everything", is_flag=True, help="Every game in the store.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=os.cpu_count() or 1,
    show_default=True,
    help="How many processes work on --all.",
)
@click.option(
    "--repair/--no-repair",
    default=True,
    show_default=True,
    help="Put stored positions right that do not match their log.",
)
@arenas_option
def verify(
    what: tuple[str, ...],
    everything: bool,
    jobs: int,
    repair: bool,
    arena_files: tuple[Path, ...],
) -> None:
    """Prove that games were what they are said to be.

    FILES need no server: records (.ogn) prove rules, Energy, dice and result; logs (.log) the chain
    and the clocks as well; in exports (.zip) everything is verified. Where record and log of a game
    are both there, they must tell the same. - is standard input. GAME is a game in the store.

    Each fault is shown with its file, line and column, or with its entry of the log.
    """
    if everything == bool(what):
        raise click.UsageError("name games or files, or say --all")
    files = [name for name in what if _is_file(name)]
    games = [name for name in what if name not in files]
    is_good = True
    if files:
        from pbem.cli.file_proofs import verify_files  # noqa: PLC0415

        is_good = verify_files(files, read_arenas(arena_files)).is_good
    if games:
        is_good &= _report((_verify_one(game, repair) for game in games), repair)
    elif everything:
        is_good = _report(_verify_all(jobs, repair), repair)
    if not is_good:
        sys.exit(1)


def _is_file(name: str) -> bool:
    return name == "-" or os.sep in name or "." in name or Path(name).is_file()


def _report(findings: Iterable[Finding], repair: bool) -> bool:
    """Print what came of games in the store; whether all is well."""
    games = faults = 0
    for finding in with_progress(findings, "games"):
        games += 1
        if finding.fault is not None:
            faults += 1
            click.echo(f"{finding.game}: {finding.fault}")
        elif finding.repaired:
            done = "repaired from the log" if repair else "not what the log says"
            click.echo(f"{finding.game}: {', '.join(finding.repaired)} {done}")
            faults += not repair
    click.echo(f"{games} game{'s' * (games != 1)}, {faults} with faults")
    return not faults


def _verify_one(game_id: str, repair: bool) -> Finding:
    from pbem.play.errors import NoSuchGameError  # noqa: PLC0415

    with surroundings() as around:
        try:
            return _verify_within(around, game_id, repair)
        except NoSuchGameError:
            raise click.ClickException(f"There is no game {game_id}.") from None


def _verify_batch(game_ids: list[str], repair: bool) -> list[Finding]:
    """One batch in a process of its own."""
    with surroundings() as around:
        return [_verify_within(around, game_id, repair) for game_id in game_ids]


def _verify_within(around: Surroundings, game_id: str, repair: bool) -> Finding:
    from pbem.errors import StoreBusyError, StoreUnavailableError  # noqa: PLC0415
    from pbem.play.errors import NoSuchGameError  # noqa: PLC0415
    from pbem.play.log import ChainError  # noqa: PLC0415
    from pbem.play.verification import verify as verify_game  # noqa: PLC0415

    try:
        found = verify_game(around, game_id, now=datetime.now(UTC), repair=repair)
    except ChainError as error:
        return Finding(game_id, fault=str(error))
    except (NoSuchGameError, StoreBusyError, StoreUnavailableError):
        raise
    except Exception as error:  # whatever a damaged row brings about: the others are still to do
        return Finding(game_id, fault=f"its rows cannot be read: {error}")
    return Finding(game_id, found.differences)


def _verify_all(jobs: int, repair: bool) -> Iterator[Finding]:
    """Every game, a few batches ahead at a time, so that memory stays flat."""
    with surroundings() as around, start_processes(jobs) as pool:
        batches = _batches(around)
        waiting: deque[Future[list[Finding]]] = deque(
            pool.submit(_verify_batch, batch, repair) for batch in islice(batches, 2 * jobs)
        )
        while waiting:
            yield from waiting.popleft().result()
            following = next(batches, None)
            if following is not None:
                waiting.append(pool.submit(_verify_batch, following, repair))


def _batches(around: Surroundings) -> Iterator[list[str]]:
    """The ids of all games; each batch is read by itself, so that no transaction stays open."""
    last = ""
    while True:
        with around.store.read() as unit:
            batch = list(islice(unit.all_games(after=last), BATCH))
        if not batch:
            return
        yield batch
        last = batch[-1]


@click.command()
@click.argument("game_id", metavar="GAME")
def dice(game_id: str) -> None:
    """Show the lot and every roll of a game, and how to check them without us.

    The seed is shown once the game is over; its hash was given to both players at the start.
    """
    from pbem.games.base import Start  # noqa: PLC0415
    from pbem.games.ortus import dice as drawn  # noqa: PLC0415
    from pbem.games.ortus.game import Ortus  # noqa: PLC0415
    from pbem.games.ortus.state import SETUP  # noqa: PLC0415
    from pbem.play.archive import game_entries  # noqa: PLC0415
    from pbem.play.errors import NoSuchGameError  # noqa: PLC0415
    from pbem.play.games import get_stored  # noqa: PLC0415

    with surroundings() as around, around.store.read() as unit:
        try:
            stored = get_stored(unit, game_id)
        except NoSuchGameError:
            raise click.ClickException(f"There is no game {game_id}.") from None
        entries = unit.entries(game_id)
    start: Start = stored.start
    click.echo(f"game       {start.game_id}")
    click.echo(f"SeedHash   {drawn.commitment(start.seed)}")
    if stored.is_over:
        click.echo(f"Seed       {start.seed.hex()}")
    try:
        state, events = Ortus().replay(start, game_entries(entries))
    except ValueError as error:
        raise click.ClickException(f"The log of {game_id} is damaged: {error}.") from None
    rolls = [
        event
        for several in events
        for event in several
        if event.name == "acted" and event.facts["roll"] is not None
    ]
    if state.phase == SETUP:
        click.echo("lot        shown when both set-ups are in")  # R2.4
    else:
        lot = Ortus.seats[drawn.lot(start.seed, game_id)]
        click.echo(f"lot        {lot}{_proof(stored, 0, 2)}")
    for number, event in enumerate(rolls, start=1):
        figures = "/".join(map(str, event.facts["roll"]))  # type: ignore[call-overload]
        click.echo(
            f"attack {number:<3} {figures:<4} {event.facts['order']}{_proof(stored, number, 6)}"
        )
    if stored.is_over:
        click.echo(
            "\nTo check number N yourself: the SHA-256 of the seed's bytes is SeedHash, and\n"
            f"  printf '{game_id}/N' | openssl dgst -sha256 -mac HMAC -macopt hexkey:SEED\n"
            "gives bytes; the first below 252 counts: mod 2 for the lot "
            f"(0 is {Ortus.seats[0]}), mod 6 for a\n"
            "die, two of the six for each face in the order of docs/rules.md R9.1."
        )
    else:
        click.echo("\nThe seed is published when the game is over.")


def _proof(stored: StoredGame, number: int, sides: int) -> str:
    """The arithmetic behind a number, once the seed is no secret."""
    from pbem.games.ortus.dice import random_byte  # noqa: PLC0415

    if not stored.is_over:
        return ""
    byte = random_byte(stored.start.seed, stored.id, number)
    return f"   byte {byte} mod {sides} = {byte % sides}"
