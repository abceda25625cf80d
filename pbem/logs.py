"""How the server logs: one line for each event, for people or for machines, without any token.

Everything goes to one handler of the standard library's root logger, our own events (structlog) and
those of libraries. The last step before the text takes tokens out (L3.4), tracebacks included.
"""

from __future__ import annotations

import logging
import sys
from typing import Any, Final, TextIO

import structlog

from pbem.config import LogStyle
from pbem.mail.redact import redact

_QUIET: Final = ("celery", "kombu", "amqp", "mail.log", "waitress", "werkzeug", "alembic", "PIL")
"""Libraries that tell at length what nobody asked; their warnings are shown."""


def set_up_logging(
    style: LogStyle, *, level: int = logging.INFO, stream: TextIO | None = None
) -> None:
    """Log to standard error from now on, whatever was set up before."""
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    out = stream or sys.stderr
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if style == "json"
        else structlog.dev.ConsoleRenderer(colors=out.isatty())
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _take_out_tokens,
                renderer,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))


def _take_out_tokens(
    logger: object, method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    return {name: _redacted(value) for name, value in event.items()}


def _redacted(value: object) -> object:
    if isinstance(value, bool | int | float | None):
        return value
    return redact(value if isinstance(value, str) else repr(value))
