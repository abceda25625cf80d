"""The demonstration: the whole server on this machine alone, with two players, a game under way,
an annotated one in the archive, and two events (``demo_events``).

The same server as any other; only its mail goes to a post office of its own, whose boxes can be
read in the browser.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

from notation.record_reading import split_records
from pbem.archive.sample import read_sample
from pbem.bootstrap import open_surroundings
from pbem.config import DATABASE_FILE, Settings, read_settings
from pbem.endpoints import Endpoint, Server
from pbem.errors import ConfigError
from pbem.play import games, invitations, players
from pbem.play.importing import Manner, judge, take
from pbem.play.model import Player, Preferences
from pbem.play.ports import Surroundings
from pbem.store.database import make_engine
from pbem.store.schema import upgrade
from workers.demo_events import settle_events
from workers.desk import utc_now
from workers.embedded import Embedded
from workers.ports import keeping_port
from workers.post_office import PostOffice

DOMAIN: Final = "demo.example"
PLAYERS: Final = (("Ann", "ann@players.example"), ("Ben", "ben@players.example"))
POSITION: Final = (
    "origin master g 7 | 22 9 | 1 0 | K1 - "
    "| W1@F6 F2@I6 E3@F9 A4@J7 A5@L1 E6@M1 F7@I3 W8@O1 "
    "| W1@G11 F2@I11 E3@F12 A4@H11 A5@L8 E6@C15 F7@D12 W8@A15"
)
"""A lively middle game in which Gold can attack at once."""

_HOST: Final = "127.0.0.1"
_FOLDER: Final = "pbem-demo"
_PORT_FILE: Final = "port"
_LOCK_FILE: Final = "running"
_PLACES: Final = ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA")


@contextmanager
def run_demo(*, port: int | None, environ: dict[str, str]) -> Iterator[Embedded]:
    """The demonstration, from now to the end of the block. Raises PbemError."""
    data_dir = find_folder(environ)
    with _alone(data_dir), ExitStack() as stack:
        settings = _settings(data_dir, _keep_port(stack, data_dir, port))
        _make_tables(settings)
        with open_surroundings(settings) as around:
            settle(around, utc_now())
        office = PostOffice(data_dir / "post")
        office.start()
        try:
            relay = Server("smtp", _HOST, office.port, "none")
            with Embedded(replace(settings, relay=relay), post=office) as server:
                office.listener_port = server.endpoints["smtp"].port
                yield server
        finally:
            office.stop()


def find_folder(environ: dict[str, str]) -> Path:
    """Where it keeps what is played. Raises ConfigError."""
    given = environ.get("PBEM_DATA_DIR")
    if given is None:
        places = {name: value for name, value in environ.items() if name in _PLACES}
        return read_settings(places).data_dir.with_name(_FOLDER)
    data_dir = Path(given).expanduser()
    if not data_dir.is_absolute():
        raise ConfigError("PBEM_DATA_DIR must be an absolute path")
    return data_dir


@contextmanager
def _alone(data_dir: Path) -> Iterator[None]:
    """Nobody else uses the folder in the block. Raises ConfigError if somebody does.

    Two would file their mails under the same numbers. SQLite locks a file on every system, and the
    lock goes with the process, however that ends.
    """
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with closing(sqlite3.connect(data_dir / _LOCK_FILE, timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            port = _remembered_port(data_dir)
            raise ConfigError(
                f"the demonstration runs already: open http://{_HOST}:{port}/post; "
                "a second one needs a folder of its own, PBEM_DATA_DIR"
            ) from error
        yield


def _settings(data_dir: Path, port: int) -> Settings:
    """Nothing needs to be set; of what is, only the folder counts."""
    return replace(
        read_settings({"PBEM_DATA_DIR": str(data_dir)}),
        database_url=f"sqlite:///{data_dir / DATABASE_FILE}",
        mail_domain=DOMAIN,
        site_url=f"http://{_HOST}:{port}",
        listen_smtp=Endpoint(_HOST, 0),
        listen_http=Endpoint(_HOST, port),
    )


def _keep_port(stack: ExitStack, data_dir: Path, wanted: int | None) -> int:
    """The port that is wanted, or that of last time, where links in mails lead, if it is free; else
    any; kept until the stack is closed. Raises ConfigError."""
    first = _remembered_port(data_dir) if wanted is None else wanted
    try:
        port = stack.enter_context(keeping_port(_HOST, first))
    except OSError as error:
        if wanted is not None:
            raise ConfigError(
                f"nothing can listen at {_HOST}:{wanted}: {os.strerror(error.errno or 0)}; "
                "choose another --port, or none for a free one"
            ) from error
        port = stack.enter_context(keeping_port(_HOST))
    (data_dir / _PORT_FILE).write_text(str(port))
    return port


def _remembered_port(data_dir: Path) -> int:
    file = data_dir / _PORT_FILE
    text = file.read_text(errors="replace") if file.exists() else ""
    return int(text) if re.fullmatch("[0-9]{1,5}", text) and int(text) < 2**16 else 0


def _make_tables(settings: Settings) -> None:
    engine = make_engine(settings.database_url)
    try:
        upgrade(engine)
    finally:
        engine.dispose()


def settle(around: Surroundings, now: datetime) -> None:
    """Two players, a game between them, one of others to replay, and events, unless they are here
    already."""
    with around.store.read() as unit:
        is_settled = unit.find_address(PLAYERS[0][1]) is not None
    if is_settled:
        return
    ann, ben = (_join(around, name, address, now) for name, address in PLAYERS)
    settle_events(around, ben, POSITION, now)
    study = invitations.invite(
        around,
        ann.id,
        ben.id,
        {"position": POSITION, "level": "master", "clock": "30d+1d cap 60d defence 4d fall"},
        now=now,
        host_seat=0,
    )
    game = invitations.accept(around, ben.id, study.id, now=now)
    games.write_message(around, game.id, 1, "Your move, Ann. Good luck!", now=now)
    invitations.invite(around, ben.id, ann.id, {"level": "apprentice"}, now=now, host_seat=1)
    manner = Manner(strict=True)
    take(around, [judge(each, manner) for each in split_records(read_sample())], now=now)


def _join(around: Surroundings, name: str, address: str, now: datetime) -> Player:
    zone = Preferences(time_zone="Europe/Amsterdam")
    return players.join(around, name, address, now=now, preferences=zone, verified=True)
