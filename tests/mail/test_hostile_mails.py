"""Hostile mails through the whole server: listener, reader, sender (L2, L3, L4.4, L5).

Each is aimed at games that run. Whatever it is, reading it raises nothing, no game, player or
address changes, and nobody hears of it but those who may.
"""

from __future__ import annotations

import re
import resource
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Connection, text

from pbem.play.post import DEAD
from pbem.web.app import create_app
from tests.databases import BOTH
from tests.functional.house import House, open_house
from tests.functional.mails import Mail, read_mail
from tests.functional.raw_smtp import hand_over, talk
from tests.functional.sink import Sink
from tests.mail.hostile.cases import Case, World, mail
from tests.mail.hostile.folder import all_cases
from tests.mail.hostile.target import set_the_scene
from tests.mail.hostile.webhooks import SECRETS, Posts
from tests.play.hasty_store import HastyStore
from workers import jobs

KEPT = (
    *("games", "seats", "log_entries", "requests", "messages", "notes"),
    *("players", "addresses", "leaves", "invitations", "address_health"),
)
"""The tables in which nothing may change."""

MOST_MEMORY = 600
"""Megabytes that reading all of it may take at most; a mail of ten is in there several times."""

RUNNING = ("clock", "due", "deadline")
"""Columns that move on: a clock stands while the server owes an answer."""

CASES = {case.name: case for case in all_cases()}
AIMED = [
    *(("sqlite", name) for name in CASES),
    # What stands in between is the same; but not every database keeps every character.
    *(("postgresql", name) for name in CASES if name.startswith(("form: body", "inject:"))),
]


@dataclass
class Range:
    """A server to shoot at, and how it looked before."""

    house: House
    store: HastyStore
    world: World
    web: FlaskClient
    memory: float

    def kept(self, tables: tuple[str, ...] = KEPT) -> dict[str, list[tuple[Any, ...]]]:
        """All rows of some tables."""
        with self.store._reading.connect() as connection:
            return {name: sorted(self._rows(connection, name), key=repr) for name in tables}

    def _rows(self, connection: Connection, table: str) -> Iterator[tuple[Any, ...]]:
        for row in connection.execute(text(f"SELECT * FROM {table}")).mappings():
            is_soft = table == "address_health" and row["bounced_at"] is None
            if not is_soft:
                yield tuple(value for name, value in row.items() if name not in RUNNING)

    def inbound(self, behind: int = 0) -> list[tuple[int, str, int, str | None]]:
        """Mails stored behind a number: number, state, attempts, reason."""
        query = text("SELECT id, state, attempts, reason FROM inbound WHERE id > :behind")
        with self.store._reading.connect() as connection:
            return [tuple(row) for row in connection.execute(query, {"behind": behind})]

    def last_inbound(self) -> int:
        with self.store._reading.connect() as connection:
            return connection.execute(text("SELECT max(id) FROM inbound")).scalar() or 0

    def make_ready(self) -> None:
        """Set the scene anew if a case has changed it, so that the next one shows something."""
        with self.store.read() as unit:
            asked = [unit.find_request(request_id) for request_id in self.world.requests]
        if not all(row is not None and row.closed_by is None for row in asked):
            self.store.empty()
            self.house.forget_mails()
            self.world = set_the_scene(self.house)

    def dead(self) -> int:
        """How many mails of ours could not be written or sent."""
        with self.store.read() as unit:
            return len(unit.notices_in_state(DEAD))

    def fire(self, case: Case) -> list[Mail]:
        """Send it and let the server work; the mails that left because of it."""
        house = self.house
        house.clock.now += timedelta(hours=1)
        office = replace(
            house.office,
            trust=case.trust,
            authserv_id=self.world.authserv if case.has_authserv else None,
        )
        desk = replace(house.desk, office=office)
        before = len(house.sink.all_mails())
        for number in range(case.times):
            self._send(case, number)
            jobs.read(desk)
            jobs.send(desk)
        house.look_at_mails()
        return [read_mail(delivered) for delivered in house.sink.all_mails()[before:]]

    def _send(self, case: Case, number: int) -> None:
        world = replace(self.world, now=self.house.clock.now, case=str(self.last_inbound()))
        if case.way == "webhook":
            for post in cast(Posts, case.facts["posts"])(world):
                self.web.post(post.path, data=post.body, headers=post.headers)
            return
        made = case.make(world)
        if case.way == "dialogue":
            talk(self.house.listener.port, made)
            return
        if number:
            made = b"X-Number: %d\r\n" % number + made
        hand_over(self.house.listener.port, case.sender, case.to(self.world), made)


@pytest.fixture(scope="module")
def sqlite_range(
    migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Range]:
    file = tmp_path_factory.mktemp("hostile") / "pbem.sqlite3"
    shutil.copy(migrated_sqlite, file)
    with open_range(HastyStore.open(f"sqlite:///{file}")) as opened:
        yield opened


@pytest.fixture(scope="module")
def postgresql_range(migrated_postgres: str) -> Iterator[Range]:
    store = HastyStore.open(migrated_postgres)
    store.empty()
    with open_range(store) as opened:
        yield opened


@contextmanager
def open_range(store: HastyStore) -> Iterator[Range]:
    with ExitStack() as stack:
        stack.callback(store.dispose)
        sink = stack.enter_context(Sink())
        house = stack.enter_context(open_house(store, sink, director=None))
        settings = replace(house.desk.settings, webhooks=SECRETS)
        app = create_app(
            house.around, house.office, settings, fetch=fetch_nothing, clock=house.clock
        )
        app.testing = True  # what goes wrong in there is raised here
        yield Range(house, store, set_the_scene(house), app.test_client(), most_memory())


def fetch_nothing(url: str) -> bytes:
    raise AssertionError(f"{url} was fetched")


def most_memory() -> float:
    """The most memory this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def may_hear(world: World, case: Case) -> set[str]:
    others = {"other": ("cleo@example.org", "dirk@example.org")}
    found: set[str] = set()
    for name in case.may_hear:
        found.update(others.get(name, (getattr(world, name, name),)))
    return found


@pytest.mark.parametrize(("database", "name"), AIMED)
def test_nothing_happens(request: pytest.FixtureRequest, database: str, name: str) -> None:
    firing_range: Range = request.getfixturevalue(f"{database}_range")
    case = CASES[name]
    firing_range.make_ready()
    world = firing_range.world
    before, last, dead = firing_range.kept(), firing_range.last_inbound(), firing_range.dead()
    left = firing_range.fire(case)

    stored = firing_range.inbound(behind=last)
    assert all(
        state in ("handled", "held") and attempts <= 1 for _, state, attempts, _ in stored
    ), stored
    if "most" in case.facts:
        assert len(stored) <= int(str(case.facts["most"]))
    after = firing_range.kept()
    for table, rows in before.items():
        if table not in case.may_change:
            assert after[table] == rows, f"{table} changed"
    heard = {each.delivered.recipient for each in left}
    assert heard <= may_hear(world, case)
    for each in left:
        assert each.header("Bcc") == ""
        if each.delivered.recipient not in (world.ann, world.beau):
            shown = each.header("To") + each.header("Subject") + each.words
            assert not re.search(r"\beve\b(?!@)|evil|victim(?!@example\.com)", shown, re.I), shown
    assert firing_range.dead() == dead
    assert most_memory() - firing_range.memory < MOST_MEMORY


@pytest.mark.parametrize("database", BOTH)
def test_the_honest_mail_is_played(request: pytest.FixtureRequest, database: str) -> None:
    """Else nothing above would show anything."""
    firing_range: Range = request.getfixturevalue(f"{database}_range")
    world = firing_range.world
    before = firing_range.kept(("log_entries",))
    left = firing_range.fire(Case("honest", mail, sender=world.ann))
    assert len(firing_range.kept(("log_entries",))["log_entries"]) > len(before["log_entries"])
    assert {each.delivered.recipient for each in left} == {world.ann, world.beau}
