"""A web site for tests: the real application on a real store, with a clock that the test sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from flask.testing import FlaskClient

from pbem.config import Settings
from pbem.mail.office import Office
from pbem.play.ports import Store, Surroundings
from pbem.play.post import NEW, Inbound
from pbem.web import create_app
from pbem.web.fetching import FetchError
from tests.mail.post import DOMAIN, NOON, make_office

PLAY: Final = f"play@{DOMAIN}"


class Site:
    """An application, its clock, what it fetched and whom it nudged."""

    def __init__(
        self,
        store: Store,
        *,
        office: Office | None = None,
        webhooks: Mapping[str, str] | None = None,
    ) -> None:
        self.store = store
        self.office = office or make_office()
        self.now = NOON
        self.nudged: list[int] = []
        self.files: dict[str, bytes] = {}
        self.fetched: list[str] = []
        self.around = Surroundings(store, bytes)
        self.app = create_app(
            self.around,
            self.office,
            Settings(Path("/nowhere"), "", webhooks=webhooks or {}),
            nudge=self._nudge,
            fetch=self._fetch,
            clock=lambda: self.now,
        )

    def _nudge(self, numbers: Sequence[int]) -> None:
        self.nudged += numbers

    def _fetch(self, url: str) -> bytes:
        self.fetched.append(url)
        if url not in self.files:
            raise FetchError("not there")
        return self.files[url]

    def seconds(self, **ago: Any) -> str:
        """The time on the clock, or before it, in seconds."""
        return str(int((self.now - timedelta(**ago)).timestamp()))

    @property
    def client(self) -> FlaskClient:
        return self.app.test_client()

    def stored(self) -> list[Inbound]:
        """All mails that are to be read, with their bytes."""
        with self.store.read() as unit:
            found = [unit.find_inbound(row.id) for row in unit.inbound_in_state(NEW)]
            return sorted((row for row in found if row is not None), key=lambda row: row.id)

    def later(self, **by: Any) -> datetime:
        """Let time pass."""
        self.now += timedelta(**by)
        return self.now
