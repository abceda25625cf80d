"""What a run comes to: figures with their targets, and whether the log has every turn.

A *turn* is a submission by mail that was played: an entry of a game's log. So much was answered as
played must be in the logs, or the run counts for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from measuring import Figure, at_least, at_most, shown
from sqlalchemy import text

from deploy.load.playing import Measured
from pbem.store.database import make_engine

MEGABYTE = 1 << 20


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that is not below this share of all; 0 if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def count_turns(database_url: str) -> int:
    """How many entries of logs came by mail."""
    engine = make_engine(database_url)
    try:
        with engine.connect() as connection:
            counted = text("SELECT count(*) FROM log_entries WHERE key LIKE 'mail/%'")
            return int(connection.execute(counted).scalar_one())
    finally:
        engine.dispose()


def is_whole(run: Measured, logged: int) -> bool:
    """Whether every submission that was taken was answered as played and is in a log, once."""
    return run.submissions == run.played == logged and not run.upsets


def speed(name: str, run: Measured, target: float, logged: int) -> list[Figure]:
    """How fast turns were played when there was always enough to do."""
    turns = max(1, run.turns)
    return [
        at_least(f"{name}: turns, saturated", run.turns / run.seconds, "turns/s", target),
        shown(f"{name}: mails out, saturated", run.mails / run.seconds, "mails/s"),
        shown(f"{name}: size of a mail out", run.size / max(1, run.mails), "bytes"),
        at_least(f"{name}: mails with a diagram", run.has_pictures * 100, "%", 100),
        shown(f"{name}: mail in to mail out p50, saturated", _ms(run, 0.50), "ms"),
        shown(f"{name}: mail in to mail out p95, saturated", _ms(run, 0.95), "ms"),
        shown(f"{name}: CPU of the server for a turn", run.cpu / turns * 1000, "ms"),
        shown(f"{name}: turns in a second of CPU", turns / max(run.cpu, 0.01), "turns"),
        *processes(name, run),
        shown(f"{name}: CPU of the simulated players", run.drivers_cpu / run.seconds * 100, "%"),
        shown(f"{name}: CPU of unrelated programs", run.others_cpu / run.seconds * 100, "%"),
        shown(f"{name}: CPU kept from this machine", run.stolen_cpu / run.seconds * 100, "%"),
        shown(f"{name}: games", run.games, "games"),
        shown(f"{name}: games played to their end", run.games_over, "games"),
        shown(f"{name}: submissions taken", run.submissions, "mails"),
        _wholeness(name, run, logged),
    ]


def quickness(name: str, run: Measured, limit: float, logged: int) -> list[Figure]:
    """How soon mails went out when there was little to do."""
    load = run.turns / run.seconds
    return [
        shown(f"{name}: turns, at a tenth of the load", load, "turns/s"),
        shown(f"{name}: mail in to mail out p50, at a tenth", _ms(run, 0.50), "ms"),
        at_most(f"{name}: mail in to mail out p95, at a tenth", _ms(run, 0.95), "ms", limit),
        _wholeness(f"{name}, at a tenth", run, logged),
    ]


def processes(name: str, run: Measured) -> list[Figure]:
    """CPU and memory of each process."""
    figures = []
    for process, used in run.usage.items():
        figures += [
            shown(f"{name}: {process}, CPU", used.cpu / run.seconds * 100, "%"),
            shown(f"{name}: {process}, resident", used.rss / MEGABYTE, "MB"),
        ]
    return figures


def _wholeness(name: str, run: Measured, logged: int) -> Figure:
    wrong = abs(run.submissions - logged) + run.submissions - run.played + len(run.upsets)
    return at_most(f"{name}: submissions not played once and answered", wrong, "mails", 0)


def _ms(run: Measured, share: float) -> float:
    return percentile(run.latencies, share) * 1000
