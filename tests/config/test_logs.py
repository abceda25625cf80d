"""What is logged: one line an event, for machines if wanted, and never a token (L3.4)."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from pbem.logs import set_up_logging
from pbem.mail.keys import Keys

TOKEN = Keys(b"x" * 32).reply_token("m")


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield io.StringIO()
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def fail() -> None:
    raise ValueError(f"ort1.{TOKEN}@play.example.org")


@pytest.mark.parametrize("style", ["console", "json"])
def test_no_token_gets_through(out: io.StringIO, style: str) -> None:
    set_up_logging("json" if style == "json" else "console", stream=out)
    ours = structlog.get_logger("workers")
    ours.info("mail_sent", to=f"ort1.{TOKEN}@play.example.org", nested={"a": [TOKEN.upper()]})
    ours.warning(f"event {TOKEN}")
    theirs = logging.getLogger("library")
    theirs.warning("to %s", TOKEN)
    theirs.warning("to %(name)s", {"name": f"ort1{TOKEN}"})
    try:
        fail()
    except ValueError:
        ours.exception("job_failed")
        theirs.exception("failed")
    text = out.getvalue()
    assert TOKEN not in text.lower()
    assert text.count("[…]") + text.count("[\\u2026]") >= 7
    assert text.count("Traceback") == 2


def test_json_is_one_object_a_line(out: io.StringIO) -> None:
    set_up_logging("json", stream=out)
    structlog.get_logger("workers").info("mails_sent", count=3, fates={"sent": 3})
    logging.getLogger("library").warning("a\nb")
    first, second = map(json.loads, out.getvalue().splitlines())
    assert (first["event"], first["count"], first["level"]) == ("mails_sent", 3, "info")
    assert first["logger"] == "workers"
    assert second["event"] == "a\nb"


def test_libraries_are_quiet_below_warnings(out: io.StringIO) -> None:
    set_up_logging("console", stream=out)
    logging.getLogger("celery.worker").info("received a task")
    logging.getLogger("kombu").warning("no broker")
    structlog.get_logger("workers").debug("detail")
    assert "received" not in out.getvalue()
    assert "no broker" in out.getvalue()
    assert "detail" not in out.getvalue()
