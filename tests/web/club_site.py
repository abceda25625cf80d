"""The site of a club, with a clock that the test sets: browsers and programs that visit it.

A ``Browser`` keeps cookies and sends forms as a person would, with the token of the form; a
``Program`` calls the API with a token of its player's.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pbem.config import Settings
from pbem.mail.sending import send_waiting
from pbem.mail.transport import Delivered
from pbem.play import access
from pbem.play.model import Notice, Player
from pbem.play.ports import Surroundings
from pbem.play.post import NEW
from pbem.web import create_app
from tests.mail.post import make_office
from tests.play.club import NOON, Club
from tests.play.hasty_store import HastyStore

URL: Final = "https://play.example.org"
_TOKEN: Final = re.compile(r'name="csrf_token"[^>]* value="([^"]+)"')


class ClubSite:
    """An application on the store of a club. Making one takes longer than most tests do: it is
    kept, and ``open`` begins anew."""

    def __init__(self, store: HastyStore) -> None:
        self.store = store
        self.office = make_office()
        self.now = NOON
        self.waits: list[datetime] = []
        """When senders were told that mail may wait."""
        self.app = create_app(
            Surroundings(store, Random("site").randbytes),
            self.office,
            Settings(Path("/nowhere"), ""),
            clock=lambda: self.now,
            mail_waits=lambda: self.waits.append(self.now),
        )
        self.open(Club(store))

    def open(self, club: Club) -> None:
        """Begin with a club in which nothing has happened: it is noon, and nobody has asked."""
        self.club = club
        self.around = club.around
        self.now = NOON
        for limiter in self.app.extensions["limiter"]:
            limiter.reset()

    def later(self, **by: Any) -> datetime:
        """Let time pass."""
        self.now += timedelta(**by)
        return self.now

    def visitor(self) -> Browser:
        """A browser in which nobody has signed in."""
        return Browser(self.app.test_client())

    def browser(self, player: Player) -> Browser:
        """A browser in which a player has signed in."""
        client = self.app.test_client()
        given = access.begin_session(self.around, player.id, browser="a browser", now=self.now)
        client.set_cookie("__Host-pbem", given.secret, domain="play.example.org", secure=True)
        return Browser(client)

    def program(self, player: Player, *scopes: str) -> Program:
        """A program with a token of a player's; with all scopes if none is named."""
        given = access.make_token(
            self.around, player.id, "a program", scopes or access.SCOPES, now=self.now
        )
        return Program(self.app.test_client(), given.secret)

    def mails(self, kind: str) -> list[Notice]:
        """The mails of a kind that are to be written, newest first."""
        with self.around.store.read() as unit:
            return [row.notice for row, _ in unit.notices_in_state(NEW) if row.notice.kind == kind]

    def send_mails(self) -> list[tuple[str, str]]:
        """Send what is to be sent: who got what, as one text without soft line ends."""
        way = _Way()
        send_waiting(self.around, self.office, way, self.now, 100)
        return [(to, raw.replace(b"=\r\n", b"").decode("ascii")) for to, raw in way.mails]


class _Way:
    """A way out that takes every mail."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, bytes]] = []

    def send(self, envelope_from: str, recipient: str, data: bytes) -> Delivered:
        self.mails.append((recipient, data))
        return Delivered()

    def check(self) -> None: ...

    def close(self) -> None: ...


class Browser:
    """Visits pages and sends forms."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.client.get(path, base_url=URL, **more)

    def post(self, path: str, form: Mapping[str, Any] | None = None, **more: Any) -> TestResponse:
        """Send a form with the token that belongs to this browser."""
        data = {**(form or {}), "csrf_token": self.form_token()}
        return self.client.post(path, base_url=URL, data=data, **more)

    def call(self, path: str, /, **sent: Any) -> TestResponse:
        """What the scripts of a page do: JSON with the token in a header."""
        headers = {"X-CSRFToken": self.form_token()}
        return self.client.post(path, base_url=URL, json=sent, headers=headers)

    def form_token(self) -> str:
        # The form that chooses the language is on the page of everybody.
        for path in ("/sign-in", "/settings"):
            found = _TOKEN.search(self.get(path).text)
            if found is not None:
                return found[1]
        raise AssertionError("no form has a token")


class Program:
    """Calls the API."""

    def __init__(self, client: FlaskClient, token: str | None = None) -> None:
        self.client = client
        self.headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    def call(self, method: str, path: str, **more: Any) -> TestResponse:
        headers = {**self.headers, **more.pop("headers", {})}
        return self.client.open(
            f"/api/v1{path}", method=method, base_url=URL, headers=headers, **more
        )

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.call("GET", path, **more)

    def post(self, path: str, /, **body: Any) -> TestResponse:
        return self.call("POST", path, json=body)


def words(response: TestResponse) -> str:
    """What is read on a page."""
    body = response.text.partition("<main")[2].partition(">")[2]
    return html.unescape(" ".join(re.sub(r"<[^>]*>", " ", body).split()))
