"""Whole games by mail while everything breaks: ``python deploy/load/faults.py [--json]``.

Simulated players play as in ``turns.py``, some of their mails over HTTP. Meanwhile, one after the
other and at random moments, with SIGKILL: web, listener, reader, sender, beat, Redis (which is
also emptied), PostgreSQL; and in one process all of it, and the disk is full. The mail server that
takes our mails says 451 and 550, hangs, and drops connections: in a mail, and behind it, with the
mail kept or not. Players send again what was not taken, like any mail server, with the same
Message-ID.

Then all is calm, and the games are played to their ends. What players sent is compared with the
logs and with what arrived. Two kinds of copies no program can avoid that would rather send a mail
twice than lose it: the mail server had kept a mail and broke off before it said so, or whoever had
sent it was killed between that word and the note of it. They are counted apart, each with its
witness, and there can be no more of them than of what brings them about. An answer also comes again
to a player whose own mail came again (L1.2). Any other copy is a fault.

What waits for minutes in the database waits for half of one: see ``hurrying.py``.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

_DEPLOY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(_DEPLOY.parent), str(_DEPLOY / "bench")]

from measuring import Figure, at_least, at_most, print_figures, shown

from deploy.load.breaking import CLOUDS
from deploy.load.postgres import NoServerError
from deploy.load.processes import DiedError, clean_up_when_told
from deploy.load.redis_server import NoRedisError
from deploy.load.servers import Database, ManyProcesses, OneProcess
from deploy.load.trial import Bounds, Outcome, break_many, break_one, run, small_disk

REMARKS = 20
"""Lines that are shown of what is wrong."""


def figures_of(name: str, done: Outcome) -> list[Figure]:
    """What is told of a run."""
    found, copies = done.found, done.found.copies
    kinds = Counter(each.name for each in done.broken)
    kills = sum(each.couriers for each in done.broken)
    told = [
        at_least("faults injected", len(done.broken), "times", 1),
        *(shown(f"- {what}", times, "times") for what, times in sorted(kinds.items())),
        *(
            shown(f"- mails for which the mail server {what}", done.hits[fault], "mails")
            for fault, what in CLOUDS.items()
        ),
        shown("mails that players had to send again", done.tried_again, "times"),
        at_most("processes that ended by themselves", len(done.ended), "times", 0),
        at_least("submissions taken", found.accepted, "mails", 1),
        shown("- over HTTP", found.over_http, "mails"),
        at_least("- in a log once", found.played, "mails", found.accepted),
        at_most("- refused", found.refused, "mails", 0),
        at_most("- lost", found.lost, "mails", 0),
        at_most("- in a log twice", found.played_twice, "mails", 0),
        at_most("- counted as of another instant", found.mistimed, "mails", 0),
        at_most("- not answered", found.unanswered, "mails", 0),
        shown("- longest wait for an answer", found.longest_wait, "s"),
        at_most("entries of logs that nobody has sent", found.unsent, "entries", 0),
        at_most("mails in quarantine", found.quarantined, "mails", 0),
        at_least("mails sent", found.mails, "mails", 1),
        at_most("- lost", found.missing + found.dead, "mails", 0),
        at_most("- that still wait", found.waiting, "mails", 0),
        at_most("- that are not ours", found.unknown, "mails", 0),
        at_most("- doubled", copies.without_reason, "mails", 0),
        at_most(
            "- came again: kept by a mail server that dropped out before it said so",
            copies.unsaid,
            "mails",
            done.hits["unsaid"],
        ),
        at_most(
            "- came again: sender killed between the word for it and the note",
            copies.unnoted,
            "mails",
            kills,
        ),
        shown("- came again: the player's own mail did", copies.wanted, "mails"),
        at_most("games not played to their end", done.running, "games", 0),
        at_least(
            "games that pbem verify finds right, clocks too", done.verified, "games", done.games
        ),
    ]
    return [replace(each, name=f"{name}: {each.name}") for each in told]


def one_process(bounds: Bounds) -> Outcome:
    with small_disk() as disk, tempfile.TemporaryDirectory(prefix="pbem-faults-") as folder:
        url = f"sqlite:///{disk}/pbem.sqlite3"
        return asyncio.run(run(Path(folder), url, bounds, OneProcess, break_one(disk)))


def many_processes(bounds: Bounds) -> Outcome:
    database = Database()
    try:
        with tempfile.TemporaryDirectory(prefix="pbem-faults-") as folder, database.fresh() as url:
            make = partial(ManyProcesses, database=database)
            return asyncio.run(run(Path(folder), url, bounds, make, break_many))
    finally:
        database.throw_away()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print a list of figures instead")
    parser.add_argument("--games", type=int, default=40, help="games at once")
    parser.add_argument("--seconds", type=float, default=90.0, help="for which things break")
    parser.add_argument("--calm", type=float, default=240.0, help="seconds after that, at most")
    parser.add_argument("--only", choices=("one", "many"), help="one mode only")
    parser.add_argument("--seed", type=int, help="what the random moments follow from")
    given = parser.parse_args()
    clean_up_when_told()
    seed = int(time.time()) if given.seed is None else given.seed
    bounds = Bounds(given.games, given.seconds, given.calm, seed)
    figures = []
    for word, name, mode in (
        ("one", "one process", one_process),
        ("many", "many processes", many_processes),
    ):
        if given.only in (None, word):
            try:
                done = mode(bounds)
            except (NoServerError, NoRedisError, DiedError) as error:
                print(error, file=sys.stderr)
                figures.append(Figure(f"{name}: was not measured", 0, "", "to run", False))
                continue
            figures += figures_of(name, done)
            for remark in (*done.ended, *done.found.remarks[:REMARKS], done.faults):
                if remark:
                    print(f"{name}: {remark}", file=sys.stderr)
    print(f"seed {seed}", file=sys.stderr)
    return print_figures(figures, as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
