"""``pbem status``: what waits, what went wrong and who was seen lately, for whoever runs a server.

``pbem doctor`` looks whether everything is set up; this looks how it goes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import click
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from pbem.cli.inputs import showing_errors
from pbem.cli.showing import open_console

if TYPE_CHECKING:
    from pbem.play.backlog import Alarm, Backlog
    from pbem.play.model import Outage
    from pbem.play.ports import Surroundings

# The store is imported where it is used: every other command would wait for it.

_DAY: Final = timedelta(days=1)
_LATELY: Final = timedelta(hours=1)
"""Workers that did nothing for longer are not shown: they were killed. Those that were told to end
are not shown at all."""
_UNITS: Final = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))


@dataclass(frozen=True, slots=True)
class Status:
    """Everything that is shown."""

    backlog: Backlog
    failed: tuple[int, int]
    """Addresses to which mail failed within a day: for good, and for now."""
    outages: Sequence[Outage]
    alarms: Sequence[Alarm]

    @property
    def jobs(self) -> dict[str, datetime]:
        """When each job last came to its end."""
        from pbem.play.backlog import SEEN_JOB  # noqa: PLC0415

        return self._seen(SEEN_JOB, _DAY * 36500)

    @property
    def workers(self) -> dict[str, datetime]:
        """When each process that does jobs was last seen."""
        from pbem.play.backlog import SEEN_WORKER  # noqa: PLC0415

        return self._seen(SEEN_WORKER, _LATELY)

    @property
    def hints(self) -> Sequence[Alarm]:
        """What somebody should know though nothing need be past its limit: what does not run."""
        from pbem.play.backlog import Alarm  # noqa: PLC0415

        start = "start pbem serve, or workers and a beat"
        if self.backlog.is_untouched:
            return (Alarm("no server has run yet", start),)
        if not self.workers:
            return (Alarm("no process does jobs", start),)
        if self.backlog.pulse is None:
            return (Alarm("no pulse yet", "pbem doctor looks at both ways of the mail"),)
        return ()

    def _seen(self, begin: str, longest: timedelta) -> dict[str, datetime]:
        found = {
            name.removeprefix(begin): at
            for name, at in sorted(self.backlog.seen.items())
            if name.startswith(begin) and self.backlog.age(at) <= longest
        }
        return found


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def status(as_json: bool) -> None:
    """Show what waits, what went wrong, and when jobs and workers were last seen.

    The exit code is 1 if something is past its limit; the last lines say what, and where to look.
    They also say if no process does jobs; that alone leaves it at 0.
    """
    from pbem.bootstrap import open_surroundings  # noqa: PLC0415

    with showing_errors(), open_surroundings() as around:
        found = find_status(around, datetime.now(UTC))
    if as_json:
        click.echo(json.dumps(to_plain(found), ensure_ascii=False))
    else:
        _show(found)
    if found.alarms:
        sys.exit(1)


def find_status(around: Surroundings, now: datetime) -> Status:
    """How things stand. Raises StoreError."""
    from pbem.play.backlog import find_alarms  # noqa: PLC0415
    from workers.jobs import RHYTHMS  # noqa: PLC0415

    with around.store.read() as unit:
        backlog = unit.find_backlog(now)
        alarms = tuple(find_alarms(backlog, RHYTHMS))
        return Status(backlog, unit.failed_since(now - _DAY), unit.outages(), alarms)


def to_plain(found: Status) -> dict[str, Any]:
    """As JSON has it: instants become the seconds since then, None where there are none."""
    backlog = found.backlog

    def seconds(instant: datetime | None) -> float | None:
        return None if instant is None else backlog.age(instant).total_seconds()

    return {
        "at": backlog.at.isoformat(),
        "queues": {
            lane: {"length": queue.length, "oldest": seconds(queue.oldest)}
            for lane, queue in backlog.queues.items()
        },
        "failed": {"length": backlog.failed.length, "oldest": seconds(backlog.failed.oldest)},
        "all_fail": seconds(backlog.all_fail_since),
        "unanswered": seconds(backlog.unanswered),
        "dead": backlog.dead,
        "quarantined": backlog.quarantined,
        "held": backlog.held,
        "suspended": backlog.suspended,
        "failed_for_good_today": found.failed[0],
        "failed_for_now_today": found.failed[1],
        "games": backlog.running,
        "pulse": seconds(backlog.pulse),
        "listener": seconds(backlog.listener),
        "jobs": {name: seconds(at) for name, at in found.jobs.items()},
        "workers": {name: seconds(at) for name, at in found.workers.items()},
        "outages": [
            {"begins": outage.begins.isoformat(), "ends": outage.ends.isoformat()}
            for outage in found.outages
        ],
        "alarms": [asdict(alarm) for alarm in found.alarms],
        "hints": [asdict(hint) for hint in found.hints],
    }


def _show(found: Status) -> None:
    table = Table("what", "how many", "how long", "more", box=SIMPLE_HEAD, pad_edge=False)
    for row in _rows(found):
        table.add_row(*(Text(cell, overflow="fold") for cell in row))
    console = open_console()
    console.print(table)
    for alarm in found.alarms:
        console.print(Text(f"{alarm.what} → {alarm.advice}", style="bold red"))
    for hint in found.hints:
        console.print(Text(f"{hint.what} → {hint.advice}", style="yellow"))
    if not found.alarms and not found.hints:
        console.print("All is well.")


def _rows(found: Status) -> Iterator[tuple[str, str, str, str]]:
    from pbem.play.backlog import MOST_COUNTED  # noqa: PLC0415

    backlog = found.backlog

    def many(number: int) -> str:
        return f"{number} or more" if number == MOST_COUNTED else str(number)

    def age(instant: datetime | None, never: str = "") -> str:
        return never if instant is None else say_span(backlog.age(instant))

    read, send, failed = backlog.read, backlog.send, backlog.failed
    yield "mails to read", many(read.length), age(read.oldest), ""
    yield "mails to send", many(send.length), age(send.oldest), "pbem mail waiting"
    yield "mails that failed and wait", many(failed.length), age(failed.oldest), "pbem mail hurry"
    yield "oldest mail unanswered", "", age(backlog.unanswered), ""
    yield "dead mails", many(backlog.dead), "", "pbem mail dead, pbem mail replay ID or --all"
    yield "in quarantine", many(backlog.quarantined), "", "pbem mail quarantine"
    yield "held", many(backlog.held), "", "pbem mail held"
    hard, soft = found.failed
    today = f"within a day {hard} for good, {soft} for now"
    yield "addresses that fail", many(backlog.suspended), "", today
    yield "games that run", str(backlog.running), "", ""
    could = "" if backlog.pulse is None else "mail could come and go"
    yield "last pulse", "", age(backlog.pulse, "never"), could
    if backlog.listener is not None:
        yield "last note of a listener", "", age(backlog.listener), "pbem listen"
    for name, at in found.jobs.items():
        yield f"job {name}", "", age(at), "since it last came to its end"
    for name, at in found.workers.items():
        yield "worker", "", age(at), name
    for outage in found.outages:
        told = f"{outage.begins:%Y-%m-%d %H:%M} to {outage.ends:%Y-%m-%d %H:%M} UTC"
        yield "outage", "", say_span(outage.ends - outage.begins), f"{told}; games are being told"


def say_span(span: timedelta) -> str:
    """A span in its two largest units, as ``2 h 5 min``."""
    rest = int(span.total_seconds())
    told: list[str] = []
    for unit, size in _UNITS:
        number, rest = divmod(rest, size)
        if number or (told and len(told) < 2) or (unit == "s" and not told):
            told.append(f"{number} {unit}")
        if len(told) == 2:
            break
    return " ".join(told)
