"""``pbem verify`` and ``pbem dice``: proof that a game was what its log says."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

import click

from pbem.cli.inputs import showing_errors
from pbem.cli.progress import with_progress

if TYPE_CHECKING:
    from pbem.play.model import StoredGame
    from pbem.play.ports import Surroundings

# The store is imported where it is used: every other command would wait for it.

BATCH: Final = 50
MAX_LINE: Final = 1 << 20


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
@click.argument("what", required=False, metavar="GAME|FILE")
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
def verify(what: str | None, everything: bool, jobs: int, repair: bool) -> None:
    """Replay logs: chain, rules, costs, dice and clocks.

    GAME is a game in the store, FILE a .log file, which needs no server; a record (.ogn) is for
    pbem check. The first fault of each log is shown with its entry.
    """
    if everything == (what is not None):
        raise click.UsageError("name a game or a file, or say --all")
    if what is not None and what.endswith(".ogn"):
        raise click.UsageError(f"a record is checked with: pbem check {what}")
    if what is not None and (os.sep in what or what.endswith(".log") or Path(what).is_file()):
        _verify_file(Path(what))
        return
    games = faults = 0
    findings = _verify_all(jobs, repair) if what is None else [_verify_one(what, repair)]
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
    if faults:
        sys.exit(1)


def _verify_file(path: Path) -> None:
    from pbem.play.log import ChainError, parse_log  # noqa: PLC0415
    from pbem.play.verification import replay_log  # noqa: PLC0415

    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            seed, entries = parse_log(_bounded_lines(file))
        course, head = replay_log(seed, entries)
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from None
    except ChainError as error:
        raise click.ClickException(f"{path}: {error}") from None
    result = course.play.find_result(course.state)
    ending = "not over" if result is None else result.termination
    click.echo(f"{path}: {len(entries)} entries, {ending}, LogHash {head}")


def _bounded_lines(file: TextIO) -> Iterator[str]:
    """Lines, a longer one in pieces: what is no log must not fill the memory."""
    while line := file.readline(MAX_LINE):
        yield line


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
    with surroundings() as around, _pool(jobs) as pool:
        batches = _batches(around)
        waiting: deque[Future[list[Finding]]] = deque(
            pool.submit(_verify_batch, batch, repair) for batch in islice(batches, 2 * jobs)
        )
        while waiting:
            yield from waiting.popleft().result()
            following = next(batches, None)
            if following is not None:
                waiting.append(pool.submit(_verify_batch, following, repair))


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Processes of their own: a fork would take our connections to the database along.
    return ProcessPoolExecutor(jobs, mp_context=get_context("forkserver"))


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
