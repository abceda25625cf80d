"""A job that was nudged and has not begun is not nudged again, in one process or in several."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from typing import Any

import pytest
from redis import Redis

from tests.workers.environment import open_no_desk
from workers import waiting
from workers.app import Nudges, make_app, task_name
from workers.waiting import WaitingHere, WaitingInRedis


class Sender:
    """A process that nudges: which messages it has sent."""

    def __init__(self, broker: str, **more: Any) -> None:
        self.app = make_app(open_no_desk, lambda: broker)
        self.app.send_task = lambda task, **_: self.sent.append(task)
        self.nudges = Nudges(self.app, **more)
        self.sent: list[str] = []


@pytest.fixture
def make_sender() -> Iterator[Callable[..., Sender]]:
    """Makes senders."""
    with ExitStack() as stack:

        def make(broker: str, **more: Any) -> Sender:
            sender = Sender(broker, **more)
            stack.callback(sender.nudges.close)
            return sender

        yield make


def test_between_processes_one_message_is_under_way(
    broker: str, make_sender: Callable[..., Sender], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "_FORGOTTEN_AFTER", 600_000)  # not while this test runs
    monkeypatch.setattr(waiting, "_PATIENCE", 60)
    listener, web, worker = (make_sender(broker) for _ in range(3))
    for number in range(5):
        listener.nudges.mails_stored([number])
        web.nudges("read")
    assert listener.sent + web.sent == [task_name("read")]
    web.nudges("send")  # another job waits for nobody
    assert web.sent == [task_name("send")]
    worker.nudges.begun("read")
    web.nudges("read")
    web.nudges("read")
    assert web.sent == [task_name("send"), task_name("read")]


def test_a_nudge_that_was_lost_keeps_the_next_one_back_for_a_moment_only(
    broker: str, make_sender: Callable[..., Sender], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "_FORGOTTEN_AFTER", 1)
    listener = make_sender(broker)
    while len(listener.sent) < 3:
        listener.nudges("read")


def test_a_message_that_could_not_be_sent_does_not_wait(
    broker: str, make_sender: Callable[..., Sender]
) -> None:
    listener, web = make_sender(broker), make_sender(broker)

    def fail(task: str, **_: object) -> None:
        raise ConnectionError("no broker")

    listener.app.send_task = fail
    listener.nudges("read")
    web.nudges("read")
    assert web.sent == [task_name("read")]


def test_who_nudges_no_more_keeps_no_connection_for_what_waits(
    broker: str, make_sender: Callable[..., Sender]
) -> None:
    sender = make_sender(broker)
    sender.nudges("read")
    with closing(Redis.from_url(broker)) as watching:
        assert len(watching.client_list()) == 2
        sender.nudges.close()
        until = time.monotonic() + 60
        while len(watching.client_list()) > 1:
            assert time.monotonic() < until, "it is still there"


def test_without_redis_every_job_is_nudged() -> None:
    nowhere = WaitingInRedis("redis://127.0.0.1:1", "pbem")
    assert nowhere.add("read")
    assert nowhere.add("read")
    nowhere.discard("read")


def test_in_one_process_it_is_the_same(make_sender: Callable[..., Sender]) -> None:
    sender = make_sender("memory://localhost", waiting=WaitingHere())
    sender.nudges("read")
    sender.nudges("read")
    sender.nudges.begun("read")
    sender.nudges("read")
    assert sender.sent == [task_name("read")] * 2


def test_a_broker_that_falls_silent_holds_nobody_up(broker: str) -> None:
    """It neither answers nor hangs up, as behind a firewall that has forgotten a connection."""
    app = make_app(open_no_desk, lambda: broker)
    nudges = Nudges(app)
    with closing(Redis.from_url(broker)) as watching, ThreadPoolExecutor(1) as pool:
        queue = app.conf.task_routes[task_name("read")]["queue"]
        nudges("read")
        assert watching.llen(queue) == 1
        redis = int(watching.info()["process_id"])
        os.kill(redis, signal.SIGSTOP)
        try:
            nudged = pool.submit(nudges, "send")
            with suppress(TimeoutError):
                nudged.result(60)
            is_held_up = not nudged.done()
        finally:
            os.kill(redis, signal.SIGCONT)
        assert not is_held_up
    nudges.close()
    app.close()
