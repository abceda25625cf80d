"""Whole games by mail while everything breaks: ``python deploy/load/faults.py [--json]``.

Simulated players play as in ``turns.py``, some of their mails over HTTP. Meanwhile, one after the
other and at random moments, with SIGKILL: web, listener, reader, sender, beat, Redis (which is
also emptied), PostgreSQL; and in one process all of it, and the disk is full. The mail server that
takes our mails says 4xx and 5xx, falls silent, and drops connections, before the end of a mail and
after it. Players send again what was not taken, like any mail server, with the same Message-ID.

Then all is calm, and the games are played to their ends. What players sent is compared with the
logs and with what arrived. Mails that came twice by their Message-ID are told apart: where the
connection broke after the mail was taken, or what had sent it was killed before it could note that,
nobody can know, and it is sent again rather than lost; an answer comes again to a player whose
mail came again (L1.2). Any other is a fault.

What waits for minutes in the database waits for half of one: see ``hurrying.py``.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path

_DEPLOY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(_DEPLOY.parent), str(_DEPLOY / "bench")]

from measuring import Figure, at_least, at_most, print_figures, shown

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
    return [
        *(shown(f"{name}: {what}", times, "times") for what, times in sorted(kinds.items())),
        *(shown(f"{name}: mails hit by {what!r}", n, "mails") for what, n in done.hits.items()),
        *(shown(f"{name}: {what} ended by itself", n, "times") for what, n in done.ended.items()),
        at_least(f"{name}: faults injected", len(done.broken), "times", 1),
        shown(f"{name}: mails that players had to send again", done.tried_again, "times"),
        at_least(f"{name}: submissions taken", found.accepted, "mails", 1),
        shown(f"{name}: submissions taken over HTTP", found.over_http, "mails"),
        shown(f"{name}: submissions played", found.played, "mails"),
        shown(f"{name}: submissions refused", found.refused, "mails"),
        at_most(f"{name}: submissions lost", found.lost, "mails", 0),
        at_most(f"{name}: submissions played twice", found.played_twice, "mails", 0),
        at_most(f"{name}: mails in quarantine", found.quarantined, "mails", 0),
        at_least(f"{name}: mails sent", found.mails, "mails", 1),
        at_most(f"{name}: mails lost", found.missing + found.dead, "mails", 0),
        at_most(f"{name}: mails that still wait", found.waiting, "mails", 0),
        at_most(f"{name}: mails that are not ours", found.unknown, "mails", 0),
        shown(f"{name}: twice, broken off before it was said", copies.unsaid, "mails"),
        shown(f"{name}: twice, killed before it was noted", copies.unnoted, "mails"),
        shown(f"{name}: twice, asked for again", copies.wanted, "mails"),
        at_most(f"{name}: mails doubled", copies.without_reason, "mails", 0),
        at_most(f"{name}: games not played to their end", done.running, "games", 0),
        at_most(f"{name}: games that pbem verify finds wrong", bool(done.verified), "runs", 0),
    ]


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
    parser.add_argument("--games", type=int, default=12, help="games at once")
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
            for remark in [*done.found.remarks[:REMARKS], done.verified]:
                print(
                    f"{name}: {remark}" if remark else "", end="\n" * bool(remark), file=sys.stderr
                )
    print(f"seed {seed}", file=sys.stderr)
    return print_figures(figures, as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
