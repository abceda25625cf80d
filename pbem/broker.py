"""Whether the broker can be reached, over which processes tell each other that there is work."""

from __future__ import annotations

from typing import Any, Final

from pbem.config import IN_MEMORY

PATIENCE: Final = 5.0
"""Seconds for which an answer is awaited."""


def reach_broker(url: str, *, patience: float = PATIENCE) -> None:
    """Raises whatever its driver raises if it does not answer; the text may show the password."""
    if url.startswith(IN_MEMORY):
        return
    if url.startswith(("redis://", "rediss://")):
        _ping_redis(url, patience)
    else:
        _reach_amqp(url, patience)


def _ping_redis(url: str, patience: float) -> None:
    from redis import Redis  # noqa: PLC0415 - only where there is one

    client = Redis.from_url(url, socket_connect_timeout=patience, socket_timeout=patience)
    try:
        client.ping()
    finally:
        client.close()


def _reach_amqp(url: str, patience: float) -> None:
    from kombu.connection import Connection  # noqa: PLC0415

    make: Any = Connection  # it comes without types
    with make(url, connect_timeout=patience) as connection:
        connection.connect()
