"""A web site for tests: the real application on a real store, with a clock that the test sets.

Making the application takes longer than most tests do, so one is kept for each set of ways in, and
shows whichever site was made last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from flask import Flask
from flask.testing import FlaskClient

from pbem.config import Settings
from pbem.play.ports import Store, Surroundings
from pbem.play.post import NEW, Inbound
from pbem.web import create_app
from pbem.web.fetching import FetchError
from tests.mail.post import DOMAIN, NOON, make_office

PLAY: Final = f"play@{DOMAIN}"


class Site:
    """An application, its clock, what it fetched and whom it nudged."""

    def __init__(self, store: Store, webhooks: Mapping[str, str] | None = None) -> None:
        self.store = store
        self.office = make_office()
        self.now = NOON
        self.nudged: list[int] = []
        self.files: dict[str, bytes] = {}
        self.fetched: list[str] = []
        self.around = Surroundings(store, bytes)
        self.app = _show(self, webhooks or {})

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


class _Window:
    """Where an application looks: at the site that was made last."""

    site: Site

    def begin(self) -> Any:
        return self.site.store.begin()

    def read(self) -> Any:
        return self.site.store.read()

    def nudge(self, numbers: Sequence[int]) -> None:
        self.site.nudged += numbers

    def now(self) -> datetime:
        return self.site.now

    def fetch(self, url: str) -> bytes:
        self.site.fetched.append(url)
        if url not in self.site.files:
            raise FetchError("not there")
        return self.site.files[url]


_kept: dict[tuple[tuple[str, str], ...], tuple[Flask, _Window]] = {}


def _show(site: Site, webhooks: Mapping[str, str]) -> Flask:
    key = tuple(sorted(webhooks.items()))
    if key not in _kept:
        window = _Window()
        _kept[key] = (_make(window, webhooks), window)
    app, window = _kept[key]
    window.site = site
    return app


def _make(window: _Window, webhooks: Mapping[str, str]) -> Flask:
    return create_app(
        Surroundings(window, bytes),
        make_office(),
        Settings(Path("/nowhere"), "", webhooks=webhooks),
        nudge=window.nudge,
        fetch=window.fetch,
        clock=window.now,
    )
