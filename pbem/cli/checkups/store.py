"""The database and the broker: reachable, of the right form, and healthy."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from pbem.broker import find_place, is_shared, reach_broker
from pbem.cli.checkups.findings import Finding, fault, ok, warning
from pbem.config import Settings
from pbem.errors import PbemError, SchemaError

if TYPE_CHECKING:
    from sqlalchemy import Engine

_MOST: Final = 100


def check_store(settings: Settings) -> Iterator[Finding]:
    """The tables and what is in them."""
    from pbem.store import revisions, schema  # noqa: PLC0415
    from pbem.store.database import make_engine  # noqa: PLC0415

    engine = make_engine(settings.database_url)
    kind = engine.dialect.name
    try:
        revisions.check_schema(engine)
        faults = schema.find_differences(engine) + schema.find_damage(engine)
    except SchemaError as error:
        yield fault("database", str(error), "pbem db upgrade")
        return
    except PbemError as error:
        yield fault("database", str(error), "look at PBEM_DATABASE_URL, and whether it runs")
        return
    except Exception as error:
        # Drivers have errors of their own, whose text may show how to log in.
        advice = "look at PBEM_DATABASE_URL, and whether it runs"
        yield fault("database", f"cannot be used: {type(error).__name__}", advice)
        return
    finally:
        engine.dispose()
    if faults:
        advice = "restore a backup, or see what pbem db check says"
        yield fault("database", f"{len(faults)} faults, the first: {faults[0]}", advice)
    else:
        yield ok("database", f"{kind}, revision {revisions.newest_revision()}, nothing damaged")


def find_database_time(settings: Settings) -> datetime | None:
    """What time it is to the database; None if it has no clock of its own, or cannot be asked."""
    from sqlalchemy import text  # noqa: PLC0415

    from pbem.store.database import make_engine  # noqa: PLC0415

    engine: Engine = make_engine(settings.database_url)
    if engine.dialect.name != "postgresql":
        return None
    try:
        with engine.connect() as connection:
            told = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
    except Exception:  # it is told by the check of the database
        return None
    finally:
        engine.dispose()
    assert isinstance(told, datetime)
    return told.astimezone(UTC)


def check_queues(settings: Settings) -> Iterator[Finding]:
    """Mails that need somebody, and whether the server runs."""
    from pbem.bootstrap import open_surroundings  # noqa: PLC0415
    from pbem.play.post import DEAD, QUARANTINED  # noqa: PLC0415

    try:
        with open_surroundings(settings) as around, around.store.read() as unit:
            dead = len(unit.notices_in_state(DEAD, limit=_MOST))
            quarantined = len(unit.inbound_in_state(QUARANTINED, limit=_MOST))
            pulse = unit.find_pulse()
    except PbemError:  # it is told by the check of the database
        return
    if dead:
        yield warning("mails given up", _count(dead), "pbem mail dead shows why")
    if quarantined:
        advice = "pbem mail quarantine shows them; please report what crashed"
        yield warning("mails that could not be read", _count(quarantined), advice)
    if not dead and not quarantined:
        yield ok("mails", "none was given up, none is in quarantine")
    if pulse is None:
        yield ok("pulse", "the server has not run yet")
    else:
        yield ok("pulse", f"mail could last come and go at {pulse.last:%Y-%m-%d %H:%M} UTC")


def _count(found: int) -> str:
    return f"{_MOST} or more" if found == _MOST else str(found)


def check_broker(settings: Settings) -> Iterator[Finding]:
    """Where nudges go between processes, and whether the database is for as many of them."""
    url = settings.broker_url
    if not is_shared(url):
        yield ok("broker", "in memory, for one process")
        return
    place = find_place(url)
    name = url.partition(":")[0] + ("" if place is None else f" at {place}")
    try:
        reach_broker(url)
    except Exception as error:
        # The text of a driver's error may show the password.
        advice = (
            "look at PBEM_BROKER_URL, and whether it runs;"
            " until it is back mail is stored, and nothing is read or sent"
        )
        yield fault("broker", f"{name} cannot be reached: {type(error).__name__}", advice)
    else:
        yield ok("broker", f"{name} answers")
    if settings.database_url.startswith("sqlite:"):
        yield warning(
            "database and broker",
            "a broker is set, and the database is a file of this machine",
            "all is well if every process runs here; for several machines set PBEM_DATABASE_URL"
            " to PostgreSQL, or each has a store of its own",
        )
