"""What a run comes to: figures with their targets, and whether the log has every turn.

A *turn* is a submission by mail that was played: an entry of a game's log. So much was answered as
played must be in the logs, or the run counts for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from measuring import Figure, at_least, at_most, shown
from sqlalchemy import text

from deploy.load.playing import DRAINING, Measured
from pbem.store.database import make_engine

MEGABYTE = 1 << 20


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of some values that is not below this share of all."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def count_turns(database_url: str) -> int:
    """How many entries of logs came by mail."""
    engine = make_engine(database_url)
    try:
        with engine.connect() as connection:
            counted = text("SELECT count(*) FROM log_entries WHERE key LIKE 'mail/%'")
            return int(connection.execute(counted).scalar_one())
    finally:
        engine.dispose()


def speed(name: str, run: Measured, target: float, logged: int) -> list[Figure]:
    """How fast turns were played when there was always enough to do."""
    turns = max(1, run.turns)
    return [
        at_least(f"{name}: turns, saturated", run.speed, "turns/s", target),
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
        wholeness(name, (run, logged)),
    ]


def slower_run(name: str, run: Measured, logged: int) -> list[Figure]:
    """A run of which the speed does not count: another was quicker. All else does."""
    return [
        shown(f"{name}: turns, saturated", run.speed, "turns/s"),
        at_least(f"{name}: mails with a diagram", run.has_pictures * 100, "%", 100),
        shown(f"{name}: CPU of unrelated programs", run.others_cpu / run.seconds * 100, "%"),
        shown(f"{name}: CPU kept from this machine", run.stolen_cpu / run.seconds * 100, "%"),
        wholeness(name, (run, logged)),
    ]


def quickness(name: str, run: Measured, rate: float, limit: float, logged: int) -> list[Figure]:
    """How soon mails went out when there was little to do: nearly all of ``rate`` turns a second,
    which come by chance."""
    return [
        at_least(f"{name}: turns, at a tenth of the load", run.speed, "turns/s", 0.8 * rate),
        shown(f"{name}: mail in to mail out p50, at a tenth", _ms(run, 0.50), "ms"),
        at_most(f"{name}: mail in to mail out p95, at a tenth", _ms(run, 0.95), "ms", limit),
        wholeness(f"{name}, at a tenth", (run, logged)),
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


def wholeness(name: str, *runs: tuple[Measured, int]) -> Figure:
    """Whether all that was sent in runs is in their logs once, and each mail came once."""
    wrong = sum(len(run.amiss) + abs(run.played - logged) for run, logged in runs)
    return at_most(f"{name}: turns and mails lost, doubled or refused", wrong, "times", 0)


def _ms(run: Measured, share: float) -> float:
    """Of the time from mail in to mail out; if no mail came at all, as long as was waited."""
    return percentile(run.latencies or [DRAINING], share) * 1000
