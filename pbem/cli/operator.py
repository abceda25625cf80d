"""``pbem mail``: the mails that need somebody to look at them, and what can be done about them.

A mail that could not be delivered or written is dead; one that crashed its reader is quarantined;
one of a machine, or not certain to be its player's, is held (L1.4, L5, L3.3).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click
from rich.table import Table
from rich.text import Text

from pbem.cli.inputs import showing_errors
from pbem.cli.showing import make_plain, open_console

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.play.ports import Surroundings, Unit
    from pbem.play.post import AddressHealth, Inbound, Outgoing

# The store is imported where it is used: every other command would wait for it.

_MOST: Final = 100
_LIMIT = click.option("--limit", default=_MOST, show_default=True, help="How many at most.")
_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
_NUMBER = click.argument("number", type=click.IntRange(min=1), metavar="ID")


@click.group()
def mail() -> None:
    """Mails that need somebody to look at them."""


@mail.command()
@_LIMIT
@_JSON
def dead(limit: int, as_json: bool) -> None:
    """List mails of ours that were given up, newest first."""
    from pbem.play.post import DEAD  # noqa: PLC0415

    with _opened() as around, around.store.read() as unit:
        rows = [_of_outgoing(*row) for row in unit.notices_in_state(DEAD, limit=limit)]
    _show(rows, as_json, "No mail was given up.")


@mail.command()
@_LIMIT
@_JSON
def waiting(limit: int, as_json: bool) -> None:
    """List mails of ours that are still to be sent, newest first, with what went wrong so far."""
    from pbem.play.post import NEW  # noqa: PLC0415

    with _opened() as around, around.store.read() as unit:
        rows = [_of_outgoing(*row) for row in unit.notices_in_state(NEW, limit=limit)]
    _show(rows, as_json, "No mail is waiting.")


@mail.command()
@click.argument("number", type=click.IntRange(min=1), metavar="ID", required=False)
@click.option("--all", "is_all", is_flag=True, help="All dead mails.")
def replay(number: int | None, is_all: bool) -> None:
    """Send a dead mail after all, or all of them. Its number is in pbem mail dead."""
    from datetime import UTC, datetime  # noqa: PLC0415

    if (number is not None) is is_all:
        raise click.UsageError("Give the number of a dead mail, or --all.")
    now = datetime.now(UTC)
    with _opened() as around:
        if number is None:
            count = _replay_all(around, now)
            click.echo(f"{_mails_are(count)} sent again." if count else "No mail was given up.")
            return
        with around.store.begin() as unit:
            if not unit.replay_notice(number, now):
                raise click.ClickException(f"There is no dead mail {number}.")
    click.echo(f"Mail {number} is sent again.")


@mail.command()
def hurry() -> None:
    """Try all mails now that failed and wait, as when a relay that refused them is mended."""
    from datetime import UTC, datetime  # noqa: PLC0415

    with _opened() as around, around.store.begin() as unit:
        count = unit.hurry_notices(datetime.now(UTC))
    click.echo(f"{_mails_are(count)} tried now." if count else "No mail has failed and waits.")


def _mails_are(count: int) -> str:
    return "1 mail is" if count == 1 else f"{count} mails are"


def _replay_all(around: Surroundings, now: datetime) -> int:
    """Not in one transaction: senders would wait for the end of it."""
    from pbem.play.post import DEAD  # noqa: PLC0415

    count = 0
    while True:
        with around.store.begin() as unit:
            rows = unit.notices_in_state(DEAD, limit=_MOST)
            count += sum(unit.replay_notice(row.id, now) for row, _ in rows)
        if len(rows) < _MOST:
            return count


@mail.command()
@_LIMIT
@_JSON
def quarantine(limit: int, as_json: bool) -> None:
    """List mails that came in and could not be read, newest first."""
    from pbem.play.post import QUARANTINED  # noqa: PLC0415

    with _opened() as around, around.store.read() as unit:
        rows = [_of_inbound(row) for row in unit.inbound_in_state(QUARANTINED, limit=limit)]
    _show(rows, as_json, "No mail is in quarantine.")


@mail.command()
@_LIMIT
@_JSON
def held(limit: int, as_json: bool) -> None:
    """List mails that came in and are neither played nor answered, newest first."""
    from pbem.play.post import HELD  # noqa: PLC0415

    with _opened() as around, around.store.read() as unit:
        rows = [_of_inbound(row) for row in unit.inbound_in_state(HELD, limit=limit)]
    _show(rows, as_json, "No mail is held.")


@mail.command()
@_NUMBER
def release(number: int) -> None:
    """Read a mail once more that is in quarantine."""
    from dataclasses import replace  # noqa: PLC0415

    from pbem.play.post import NEW, QUARANTINED  # noqa: PLC0415

    with _opened() as around, around.store.begin() as unit:
        inbound = unit.lock_inbound(number)
        if inbound is None or inbound.state != QUARANTINED:
            raise click.ClickException(f"There is no mail {number} in quarantine.")
        unit.save_inbound(replace(inbound, state=NEW, attempts=0, reason=None))
    click.echo(f"Mail {number} is read again.")


@mail.command()
@_NUMBER
def raw(number: int) -> None:
    """Write a mail that came in to standard output, without what tokens are in it.

    It is shown as it came, but for text in base64 or quoted-printable, which is decoded, and what
    cannot be looked into, which is left out. A line in brackets says so.
    """
    from pbem.mail.raw_shown import show_raw  # noqa: PLC0415

    with _opened() as around, around.store.read() as unit:
        inbound = unit.find_inbound(number)
    if inbound is None:
        raise click.ClickException(f"There is no mail {number}.")
    click.echo(show_raw(inbound.arrival.raw), nl=False)


@mail.command()
@_LIMIT
@_JSON
def suspended(limit: int, as_json: bool) -> None:
    """List addresses that get no mail because it failed for good, newest first."""
    with _opened() as around, around.store.read() as unit:
        rows = [_of_address(unit, health) for health in unit.suspended_addresses(limit=limit)]
    _show(rows, as_json, "Mail to no address is suspended.")


@mail.command()
@click.argument("address")
def resume(address: str) -> None:
    """Send mail to ADDRESS again. If it is a player's, the player's clocks go on."""
    from datetime import UTC, datetime  # noqa: PLC0415

    from pbem.mail import bounces  # noqa: PLC0415
    from pbem.play.players import PlayerFaults, clean_address  # noqa: PLC0415
    from pbem.play.post import DEAD  # noqa: PLC0415

    with _opened() as around:
        try:
            address = clean_address(address)
        except PlayerFaults:
            raise click.ClickException(f"{address} is no mail address.") from None
        if not bounces.resume(around, address, datetime.now(UTC)):
            raise click.ClickException(f"Mail to {address} is not suspended.")
        with around.store.read() as unit:
            owned = unit.find_address(address)
            dead = [
                row.id
                for row, _ in unit.notices_in_state(DEAD, limit=1000)
                if owned is not None and row.notice.player_id == owned.player_id
            ]
    click.echo(f"Mail to {address} goes out again.")
    if dead:
        numbers = ", ".join(map(str, sorted(dead)))
        click.echo(f"Given up before: {numbers}. To send one after all: pbem mail replay ID")


def _of_address(unit: Unit, health: AddressHealth) -> dict[str, object]:
    owned = unit.find_address(health.address)
    player = None if owned is None else unit.find_player(owned.player_id)
    stopped = None if player is None else player.stopped_since
    assert health.bounced_at is not None
    return {
        "address": health.address,
        "since": _time(health.bounced_at.isoformat()),
        "player": None if player is None else player.id,
        "clocks stand since": None if stopped is None else _time(stopped.isoformat()),
    }


def _of_outgoing(outgoing: Outgoing, reason: str) -> dict[str, object]:
    notice = outgoing.notice
    return {
        "id": outgoing.id,
        "made": _time(notice.created_at.isoformat()),
        "player": notice.player_id,
        "game": notice.game_id,
        "kind": notice.kind,
        "tries": outgoing.attempts,
        "reason": reason,
    }


def _of_inbound(inbound: Inbound) -> dict[str, object]:
    from pbem.mail.redact import redact  # noqa: PLC0415

    arrival = inbound.arrival
    return {
        "id": inbound.id,
        "arrived": _time(arrival.arrived.isoformat()),
        "via": arrival.via,
        "from": arrival.lane,
        "to": redact(arrival.destination),
        "player": inbound.player_id,
        "game": inbound.game_id,
        "reason": inbound.reason,
    }


def _time(instant: str) -> str:
    return instant[:19].replace("T", " ") + "Z"


def _show(rows: Sequence[Mapping[str, object]], as_json: bool, if_none: str) -> None:
    if as_json:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
        return
    if not rows:
        click.echo(if_none)
        return
    table = Table(*rows[0])
    for row in rows:
        # What strangers wrote is text, and no markup.
        table.add_row(
            *(Text("" if value is None else make_plain(str(value))) for value in row.values())
        )
    open_console().print(table)


@contextmanager
def _opened() -> Iterator[Surroundings]:
    from pbem.bootstrap import open_surroundings  # noqa: PLC0415

    with showing_errors(), open_surroundings() as around:
        yield around
