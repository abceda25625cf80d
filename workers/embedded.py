"""The whole server in one process: listeners, web pages, and the workers with their beat.

The same jobs as on many machines (L1.5), on Celery's broker in memory: one worker in a thread for
each lane. The ways in close first when it stops, so that nothing is taken that is not stored; what
is stored or claimed and not done is done by whoever starts next.
"""

from __future__ import annotations

import threading
import time
import uuid
from contextlib import ExitStack
from functools import partial
from typing import Any, Final, Self

import structlog
from celery import Celery
from celery.beat import EmbeddedService, Scheduler
from celery.worker import state

from pbem.config import IN_MEMORY, Settings
from pbem.endpoints import Endpoint
from pbem.errors import ConfigError
from pbem.mail.patience import STARTING, patiently
from pbem.web import create_app
from pbem.web.post_office import PostOffice
from workers.app import Nudges, make_app
from workers.desk import Desk, open_desk
from workers.jobs import AT_START, JOBS, LANES, Lane
from workers.listeners import Listeners, taken
from workers.metrics_server import serving_metrics
from workers.waiting import WaitingHere
from workers.watching import note_ended
from workers.web_server import WebServer

_BROKER: Final = f"{IN_MEMORY}localhost"
_STARTING: Final = 10.0
_STOPPING: Final = 10.0
"""Seconds that jobs may take to come to an end; what they have claimed is free again later."""

_log: Final = structlog.get_logger("workers")


class Embedded:
    """A server that runs from ``start`` to ``stop``."""

    def __init__(self, settings: Settings, *, post: PostOffice | None = None) -> None:
        self._settings = settings
        self._post = post
        self._stack = ExitStack()
        self._listeners: Listeners | None = None
        self._crew: Crew | None = None
        self._web: WebServer | None = None
        self.endpoints: dict[str, Endpoint] = {}
        """Where it listens, by protocol."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin. Raises PbemError, with nothing left running."""
        try:
            self._start()
        except BaseException:
            self._stack.close()
            raise

    def stop(self) -> None:
        """End: first the ways in, then the workers, then the store."""
        self._stack.close()

    def find_fault(self) -> str | None:
        """What has ended that should run; whoever sees it ends the process and starts another."""
        parts = {} if self._listeners is None else self._listeners.parts()
        if self._web is not None:
            parts["web"] = self._web.is_serving
        if self._crew is not None:
            parts |= self._crew.parts()
        return next((name for name, is_running in parts.items() if not is_running), None)

    def _start(self) -> None:
        opening = partial(open_desk, self._settings, is_receiving=self._is_receiving)
        desk = patiently(lambda: self._stack.enter_context(opening()), STARTING)
        self._stack.callback(note_ended, desk)
        self._serve_metrics(desk)
        self._crew = crew = Crew(desk)
        self._stack.callback(crew.stop)
        crew.start()
        self._listeners = self._stack.enter_context(
            Listeners(
                self._settings,
                desk.around,
                desk.office,
                nudge=crew.nudges.mails_stored,
                clock=desk.clock,
            )
        )
        self.endpoints |= self._listeners.endpoints
        self._serve_web(desk, crew)
        for job in AT_START:
            crew.nudges(job)

    def _serve_metrics(self, desk: Desk) -> None:
        serving = serving_metrics(self._settings, stopping=desk.stopping, clock=desk.clock)
        if (endpoint := self._stack.enter_context(serving)) is not None:
            self.endpoints["metrics"] = endpoint

    def _is_receiving(self) -> bool:
        return self._listeners is None or all(self._listeners.parts().values())

    def _serve_web(self, desk: Desk, crew: Crew) -> None:
        wanted = self._settings.listen_http
        if wanted is None:
            return
        application = create_app(
            desk.around,
            desk.office,
            self._settings,
            nudge=crew.nudges.mails_stored,
            mail_waits=crew.nudges.mail_waits,
            clock=desk.clock,
            post=self._post,
        )
        try:
            self._web = web = WebServer(application, wanted, is_behind=self._settings.proxies > 0)
        except OSError as error:
            raise taken("PBEM_LISTEN_HTTP", wanted, error) from None
        web.start()
        self._stack.callback(web.stop)
        self.endpoints["http"] = web.endpoint


class Crew:
    """The workers and the beat of one process."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        # The broker in memory is the same for the whole process.
        prefix = f"pbem-{uuid.uuid4().hex}"
        self._waiting = WaitingHere()
        self._apps = {lane: self._make_app(lane, prefix) for lane in LANES}
        self._threads: list[threading.Thread] = []
        self._beat: Any = EmbeddedService(
            self._apps["care"],
            thread=True,
            scheduler_cls=Scheduler,  # the usual one would keep a file where it is started
        )
        self.nudges = Nudges(self._apps["care"], self._waiting)

    def start(self) -> None:
        """Have all jobs done from now on."""
        state.should_stop = None
        are_ready = []
        for lane, app in self._apps.items():
            is_ready = threading.Event()
            thread = threading.Thread(
                target=_work, args=(app, lane, is_ready), name=f"worker-{lane}", daemon=True
            )
            thread.start()
            self._threads.append(thread)
            are_ready.append(is_ready)
        if not all(each.wait(_STARTING) for each in are_ready):
            raise ConfigError("the workers did not start")
        self._beat.start()

    def parts(self) -> dict[str, bool]:
        """Its threads by name, and whether they run."""
        return {thread.name: thread.is_alive() for thread in (*self._threads, self._beat)}

    def stop(self) -> None:
        """Have no job begun any more, and wait for those that have."""
        self._desk.stopping.set()
        self._beat.stop()
        state.should_stop = 0
        nudge = Nudges(self._apps["care"])
        for job in JOBS:
            # A worker looks whether it is to stop after a message, and once more after another.
            for _ in range(2):
                nudge(job.name)
        until = time.monotonic() + _STOPPING
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        late = [thread.name for thread in self._threads if thread.is_alive()]
        if late:
            _log.warning("workers_left_behind", workers=late)
        else:
            state.should_stop = None
        for app in self._apps.values():
            app.close()

    def _make_app(self, lane: Lane, prefix: str) -> Celery:
        app = make_app(
            lambda: self._desk,
            lambda: _BROKER,
            lanes=(lane,),
            prefix=prefix,
            waiting=self._waiting,
        )
        app.finalize()
        return app


def _work(app: Celery, lane: str, is_ready: threading.Event) -> None:
    """The life of a worker, in a thread of its own."""
    app.set_current()
    app.WorkController(
        pool="solo",
        hostname=f"{lane}@pbem",
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        ready_callback=lambda consumer: is_ready.set(),
    ).start()
