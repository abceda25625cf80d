"""The broker, over which processes tell each other that there is work: where it is, and whether it
can be reached."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from pbem.config import IN_MEMORY
from pbem.endpoints import Endpoint

PATIENCE: Final = 5.0
"""Seconds for which an answer is awaited."""
_PORTS: Final = {"redis": 6379, "rediss": 6379, "amqp": 5672, "amqps": 5671}


def is_shared(url: str) -> bool:
    """Whether it is one for several processes."""
    return not url.startswith(IN_MEMORY)


def find_place(url: str) -> Endpoint | None:
    """Host and port, and nothing else of the address. None if they cannot be told for sure: a /, ?
    or # in a password would make a part of it look like them."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or "@" in f"{parts.path}{parts.query}{parts.fragment}":
        return None
    return Endpoint(parts.hostname or "localhost", port or _PORTS[parts.scheme])


def reach_broker(url: str, *, patience: float = PATIENCE) -> None:
    """Raises whatever its driver raises if it does not answer; the text may show the password."""
    if not is_shared(url):
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
