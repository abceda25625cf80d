"""Real workers on a real Redis that hang, or whose database goes away: the work is done after all.

No beat runs here: what happens, happens because a worker that starts looks for work, or because of
what the test says.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from deploy.load.postgres import NoServerError
from deploy.load.processes import Child
from deploy.load.servers import Database
from pbem.bootstrap import open_surroundings
from pbem.config import read_settings
from pbem.mail.reading import LEASE as READING
from pbem.mail.sending import LEASE as SENDING
from pbem.play import invitations, players
from pbem.play.backlog import SEEN_WORKER
from pbem.play.post import NEW
from pbem.store.database import make_engine
from pbem.store.schema import upgrade
from tests.functional.sink import Sink
from tests.workers.environment import open_no_desk
from workers.app import Nudges, make_app
from workers.desk import utc_now
from workers.jobs import JOBS

PATIENCE = 60.0


@pytest.fixture
def database() -> Iterator[Database]:
    """A PostgreSQL that may go away."""
    try:
        made = Database(is_durable=False)
    except NoServerError as error:
        if os.environ.get("PBEM_REQUIRE_POSTGRES"):
            pytest.fail(str(error))
        pytest.skip(f"no PostgreSQL to test with: {error}")
    yield made
    made.throw_away()


@pytest.fixture
def sink() -> Iterator[Sink]:
    with Sink() as opened:
        yield opened


class House:
    """A worker with what it needs, and two mails that it owes."""

    def __init__(self, folder: Path, broker: str, database_url: str, sink: Sink) -> None:
        self.environ = {
            "PBEM_DATA_DIR": str(folder),
            "PBEM_DATABASE_URL": database_url,
            "PBEM_MAIL_DOMAIN": "play.example.org",
            "PBEM_SITE_URL": "https://play.example.org",
            "PBEM_SECRET": "only for a test that is over in a minute",
            "PBEM_SMTP_URL": f"smtp://127.0.0.1:{sink.port}?tls=none",
            "PBEM_BROKER_URL": broker,
            "PBEM_LOG": "json",
        }
        self.sink = sink
        self._folder = folder
        with open_surroundings(read_settings(self.environ)) as around:
            ann, ben = (
                players.join(around, name, f"{name}@example.org", now=utc_now(), verified=True).id
                for name in ("ann", "ben")
            )
            offered = invitations.invite(around, ann, ben, {}, now=utc_now())
            invitations.accept(around, ben, offered.id, now=utc_now())

    @contextmanager
    def working(self, app: str = "workers", **more: str) -> Iterator[Child]:
        """A worker, from its first words to its last."""
        command = [sys.executable, "-m", "celery", "-A", app, "worker", "--concurrency=1"]
        worker = Child("worker", command, {**self.environ, **more}, self._folder)
        worker.start()
        try:
            worker.wait_for("[queues]")
            yield worker
        finally:
            worker.kill()

    @property
    def workers(self) -> list[str]:
        """Who does jobs, by the notes of them."""
        with open_surroundings(read_settings(self.environ)) as around, around.store.read() as unit:
            seen = unit.find_backlog(utc_now()).seen
        return [name for name in seen if name.startswith(SEEN_WORKER)]

    @property
    def owed(self) -> int:
        """How many mails are still to be sent."""
        with open_surroundings(read_settings(self.environ)) as around, around.store.read() as unit:
            return sum(bool(out.notice.game_id) for out, _ in unit.notices_in_state(NEW))


def wait_until(is_so: Callable[[], bool], meanwhile: Callable[[], None] = lambda: None) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until, "it did not happen"
        meanwhile()
        time.sleep(0.1)


@pytest.mark.parametrize("is_deaf", [False, True], ids=["told", "killed"])
def test_who_hangs_is_ended_and_the_work_is_done_by_the_next(
    tmp_path: Path, migrated_sqlite: Path, broker: str, sink: Sink, is_deaf: bool
) -> None:
    url = f"sqlite:///{shutil.copy(migrated_sqlite, tmp_path / 'pbem.sqlite3')}"
    house = House(tmp_path, broker, url, sink)
    hangs = tmp_path / "hangs"
    deaf = {"DEAF": "1"} if is_deaf else {}
    with (
        closing(Nudges(make_app(open_no_desk, lambda: broker))) as nudge,
        house.working("tests.workers.hanging", HANGS=str(hangs), **deaf) as worker,
    ):
        wait_until(hangs.exists)
        first = int(hangs.read_text())
        # As the beat does; nothing else can run while the only process hangs.
        wait_until(lambda: not house.owed, lambda: nudge("send"))
        assert ("job_took_too_long" in worker.log) is not is_deaf
        assert Path(f"/proc/{first}").exists() is not is_deaf
    assert sorted(each.recipient for each in sink.all_mails()) == [
        "ann@example.org",
        "ben@example.org",
    ]


def test_a_job_runs_as_soon_as_the_database_is_back(
    tmp_path: Path, broker: str, sink: Sink, database: Database
) -> None:
    with ExitStack() as stack:
        url = stack.enter_context(database.fresh())
        engine = make_engine(url)
        upgrade(engine)
        engine.dispose()
        house = House(tmp_path, broker, url, sink)
        database.kill()
        worker = stack.enter_context(house.working("tests.workers.hasty"))
        wait_until(lambda: "the database is waited for" in worker.log)
        database.start()
        sink.wait_for(lambda mails: len(mails) == 2, "what was owed")
        wait_until(lambda: not house.owed)
        wait_until(lambda: house.workers != [])
        worker.stop()
        assert house.workers == [], "it has ended as it was told to"


def test_every_job_has_a_limit_that_is_less_than_its_lease() -> None:
    app = make_app(open_no_desk, lambda: "redis://example.org")
    app.finalize()
    tasks = {job.name: app.tasks[f"pbem.{job.name}"] for job in JOBS}
    for task in tasks.values():
        assert 0 < task.soft_time_limit < task.time_limit
    assert timedelta(seconds=tasks["read"].time_limit) < READING
    assert timedelta(seconds=tasks["send"].time_limit) < SENDING
