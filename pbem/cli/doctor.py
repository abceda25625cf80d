"""``pbem doctor``: looks at everything a server needs, and says what to do about it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbem.cli.showing import make_plain

if TYPE_CHECKING:
    from pbem.cli.checkups.findings import Finding
    from pbem.cli.checkups.names import Lookup
    from pbem.config import Settings

# The checkups are imported where they are used: every other command would wait for them.

_STYLES: Final = {"ok": "green", "warning": "yellow", "fault": "bold red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--no-dns", is_flag=True, help="Do not look up the names of the mail domain.")
def doctor(as_json: bool, no_dns: bool) -> None:
    """Check settings, database, broker, mail out and in, DNS, clocks, disk and secret.

    Run it where the server runs, with the same environment. Nothing is changed and no mail is sent.
    The exit code is 1 if there is a fault.
    """
    from pbem.config import read_leniently  # noqa: PLC0415

    settings, faults = read_leniently(is_serving=True)
    findings = []
    for finding in examine(settings, faults, asks_dns=not no_dns):
        findings.append(finding)
        if as_json:
            click.echo(json.dumps(asdict(finding), ensure_ascii=False))
    if not as_json:
        _show(findings)
    if any(finding.verdict == "fault" for finding in findings):
        sys.exit(1)


def examine(
    settings: Settings,
    faults: Sequence[str],
    *,
    asks_dns: bool = True,
    lookup: Lookup | None = None,
) -> Iterator[Finding]:
    """Everything, one finding after the other."""
    from pbem.cli.checkups import machine, names, post, store  # noqa: PLC0415

    now = datetime.now(UTC)
    yield from machine.check_settings(faults)
    yield from machine.check_web(settings)
    yield machine.check_secret(settings)
    yield from machine.check_certificate(settings, now)
    yield machine.check_disk(settings)
    yield from store.check_store(settings)
    yield from store.check_queues(settings)
    yield from store.check_broker(settings)
    yield from machine.check_times(settings, store.find_database_time(settings))
    yield machine.check_zones(now)
    yield from post.check_way_out(settings)
    yield from post.check_ways_in(settings)
    yield from post.check_pages(settings)
    if asks_dns:
        yield from names.check_names(settings, lookup or names.ask_dns)


def _show(findings: Sequence[Finding]) -> None:
    table = Table("", "what", "how it is, and what to do", box=SIMPLE_HEAD, pad_edge=False)
    for finding in findings:
        said = Text(make_plain(finding.found), overflow="fold")
        if finding.advice:
            said.append(f"\n→ {finding.advice}", style="bold")
        table.add_row(
            Text(finding.verdict, style=_STYLES[finding.verdict]), Text(finding.name), said
        )
    console = Console()
    console.print(table)
    count = {
        verdict: sum(finding.verdict == verdict for finding in findings) for verdict in _STYLES
    }
    if count["fault"] or count["warning"]:
        parts = [f"{n} {what}{'s' * (n != 1)}" for what, n in count.items() if what != "ok" and n]
        console.print(f"{', '.join(parts)}.")
    else:
        console.print("All is well.")
