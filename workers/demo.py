"""The demonstration: the whole server on this machine alone, with two players and a game under way.

The same server as any other; only its mail goes to a post office of its own, whose boxes can be
read in the browser.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pbem.bootstrap import open_surroundings
from pbem.config import DATABASE_FILE, Settings, read_settings
from pbem.endpoints import Endpoint, Server
from pbem.errors import ConfigError
from pbem.play import games, invitations, players
from pbem.play.model import Player, Preferences
from pbem.play.ports import Surroundings
from pbem.store.database import make_engine
from pbem.store.schema import upgrade
from workers.embedded import Embedded
from workers.post_office import PostOffice
from workers.web_server import free_port, is_free

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
_PLACES: Final = ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA")


@contextmanager
def run_demo(*, port: int | None, environ: dict[str, str]) -> Iterator[Embedded]:
    """The demonstration, from now to the end of the block. Raises PbemError."""
    settings = _settings(port, environ)
    _make_tables(settings)
    with open_surroundings(settings) as around:
        settle(around, datetime.now(UTC))
    office = PostOffice(settings.data_dir / "post")
    office.start()
    try:
        relay = Server("smtp", _HOST, office.port, "none")
        with Embedded(replace(settings, relay=relay), post=office) as server:
            office.listener_port = server.endpoints["smtp"].port
            yield server
    finally:
        office.stop()


def _settings(port: int | None, environ: dict[str, str]) -> Settings:
    """Nothing needs to be set; of what is, only the folder counts."""
    given = environ.get("PBEM_DATA_DIR")
    settings = read_settings({name: environ[name] for name in _PLACES if name in environ})
    data_dir = Path(given).expanduser() if given else settings.data_dir.with_name(_FOLDER)
    if not data_dir.is_absolute():
        raise ConfigError("PBEM_DATA_DIR must be an absolute path")
    chosen = _choose_port(data_dir / _PORT_FILE) if port is None else port
    return replace(
        settings,
        data_dir=data_dir,
        database_url=f"sqlite:///{data_dir / DATABASE_FILE}",
        mail_domain=DOMAIN,
        site_url=f"http://{_HOST}:{chosen}",
        listen_smtp=Endpoint(_HOST, 0),
        listen_http=Endpoint(_HOST, chosen),
    )


def _choose_port(file: Path) -> int:
    """The port of last time, where links in mails lead, if it is free; else any."""
    before = int(text) if file.exists() and (text := file.read_text()).isdecimal() else 0
    if is_free(_HOST, before):
        return before
    chosen = free_port(_HOST)
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file.write_text(str(chosen))
    return chosen


def _make_tables(settings: Settings) -> None:
    engine = make_engine(settings.database_url)
    try:
        upgrade(engine)
    finally:
        engine.dispose()


def settle(around: Surroundings, now: datetime) -> None:
    """Two players, and a game between them, unless they are here already."""
    with around.store.read() as unit:
        is_settled = unit.find_address(PLAYERS[0][1]) is not None
    if is_settled:
        return
    ann, ben = (_join(around, name, address, now) for name, address in PLAYERS)
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


def _join(around: Surroundings, name: str, address: str, now: datetime) -> Player:
    zone = Preferences(time_zone="Europe/Amsterdam")
    return players.join(around, name, address, now=now, preferences=zone, verified=True)
