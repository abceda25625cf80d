"""A house to visit with a browser: the real site on a database of its own, at a free port.

The clock stands at noon unless a test sets it. Players come in by sessions that the test begins
for them.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from deploy.load.ports import free_port
from pbem.config import Settings
from pbem.endpoints import Endpoint
from pbem.mail.office import Office
from pbem.play import access, games, invitations, players
from pbem.play.model import Player, Preferences, StoredGame
from pbem.play.ports import Surroundings
from pbem.store.database import open_store
from pbem.web import create_app
from tests.mail.post import DOMAIN, KEYS, NOON
from workers.web_server import WebServer

HOST: Final = "127.0.0.1"


class House:
    """A site that is being served."""

    def __init__(self, around: Surroundings, url: str) -> None:
        self.around = around
        self.url = url
        self.office = Office(DOMAIN, url, KEYS)
        self.now = NOON
        self.app = create_app(
            around, self.office, Settings(Path("/nowhere"), ""), clock=lambda: self.now
        )

    def join(self, name: str, **chosen: Any) -> Player:
        """A player, with an address that is confirmed."""
        return players.join(
            self.around,
            name,
            f"{name.split(maxsplit=1)[0].lower()}@example.org",
            now=self.now,
            preferences=Preferences(**chosen),
            verified=True,
        )

    def begin_session(self, player: Player) -> str:
        """The secret of a session, for the cookie."""
        given = access.begin_session(self.around, player.id, browser="a browser", now=self.now)
        return given.secret

    def start(self, gold: Player, black: Player, **agreement: Any) -> str:
        """A game that has just begun."""
        invitation = invitations.invite(
            self.around, gold.id, black.id, agreement, now=self.now, host_seat=0
        )
        return invitations.accept(self.around, black.id, invitation.id, now=self.now).id

    def send(self, game_id: str, seat: int, text: str, *, at: datetime | None = None) -> None:
        """A submission that is taken, now or kept for later."""
        done = games.submit(self.around, game_id, seat, text, arrived=at or self.now)
        assert isinstance(done, games.Taken | games.Kept), f"{text}: {done}"

    def stored(self, game_id: str) -> StoredGame:
        """A game as it is stored."""
        with self.around.store.read() as unit:
            return games.get_stored(unit, game_id)

    def log(self, game_id: str) -> list[tuple[int | None, str]]:
        """Who has sent what, in canonical notation."""
        with self.around.store.read() as unit:
            return [(entry.seat, entry.text) for entry in unit.entries(game_id, since=1)]

    def asked(self, game_id: str) -> list[tuple[int, str]]:
        """Which seat is asked for what."""
        with self.around.store.read() as unit:
            return [(row.seat, row.kind) for row in unit.requests_of(game_id)]

    def games_of(self, player: Player) -> list[str]:
        """All games of a player."""
        with self.around.store.read() as unit:
            return [
                *unit.games_of(player.id, is_over=False),
                *unit.games_of(player.id, is_over=True),
            ]


@contextmanager
def open_house(database: Path) -> Iterator[House]:
    """A house on an SQLite file with its tables, served from now to the end of the block."""
    store = open_store(f"sqlite:///{database}")
    port = free_port()
    house = House(Surroundings(store, secrets.token_bytes), f"http://{HOST}:{port}")
    server = WebServer(house.app, Endpoint(HOST, port))
    server.start()
    try:
        yield house
    finally:
        server.stop()
        store.dispose()
