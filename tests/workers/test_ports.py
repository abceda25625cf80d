"""Ports that are kept for a server that starts later."""

from __future__ import annotations

import errno
import socket
import sys

import pytest

from workers.ports import keeping_port

HOST = "127.0.0.1"


def test_a_server_that_asks_for_it_has_it_again_and_again() -> None:
    with keeping_port(HOST) as port:
        for _ in range(2):
            with (
                socket.create_server((HOST, port)) as server,
                socket.create_connection((HOST, port)),
            ):
                server.accept()[0].close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a port be kept")
def test_nobody_else_has_it() -> None:
    with keeping_port(HOST) as port:
        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            other.bind((HOST, port))
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((HOST, port)).close()


def test_one_that_somebody_listens_at() -> None:
    with socket.create_server((HOST, 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(OSError, match="in use") as caught, keeping_port(HOST, port):
            pass
        assert caught.value.errno == errno.EADDRINUSE
