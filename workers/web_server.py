"""The web of one process: waitress in a thread, which can be stopped."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from waitress import create_server

from pbem.endpoints import Endpoint
from pbem.web.api.feed import MOST_STREAMS

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

THREADS: Final = MOST_STREAMS + 6
"""Feeds keep a thread each; pages have the others."""
_PATIENCE: Final = 0.05
"""Seconds that an answer waits for its turn before it is made beside the others."""
_WAKING: Final = 1.0
_FINISHING: Final = 0.05


class _InTurns:
    """An application whose answers are made one after the other, unless one takes long.

    Only one thread of a process runs at a time, and several that hand each other the right to do
    so at every step of the database take half as long again. What an answer gives out bit by bit,
    as a feed does, is given out behind its turn.
    """

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application
        self._turn = threading.Lock()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        is_mine = self._turn.acquire(timeout=_PATIENCE)
        try:
            return self._application(environ, start_response)
        finally:
            if is_mine:
                self._turn.release()


class WebServer:
    """Serves an application at one port, from ``start`` to ``stop``."""

    def __init__(self, application: Any, endpoint: Endpoint, *, is_behind: bool = False) -> None:
        """Take the port. Raises OSError if it cannot be had.

        ``is_behind`` a proxy, what it says of visitors is left for the application to read.
        """
        family = socket.AF_INET6 if ":" in endpoint.host else socket.AF_INET
        # Waitress would leave things open where it fails to bind.
        taken = socket.create_server((endpoint.host, endpoint.port), family=family)
        self._server = create_server(
            _InTurns(application),
            sockets=[taken],
            threads=THREADS,
            ident=None,
            clear_untrusted_proxy_headers=not is_behind,
        )
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="web", daemon=True)
        self._endpoint = Endpoint(endpoint.host, taken.getsockname()[1])

    @property
    def endpoint(self) -> Endpoint:
        """Where it listens, also where any free port was wanted."""
        return self._endpoint

    @property
    def is_serving(self) -> bool:
        """Whether requests are answered."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Answer from now on."""
        self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """Take no more requests; those under way are answered, for up to ``timeout`` seconds."""
        self._stopping.set()
        if self._thread.is_alive():
            self._server.pull_trigger()
            self._thread.join(timeout)
        self._server.task_dispatcher.shutdown(timeout=timeout)
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()
        self._server.close()

    def _serve(self) -> None:
        # Its own ``run`` ends only by an exception in its thread.
        while not self._stopping.is_set():
            self._turn(_WAKING)
        self._server.accepting = False
        while any(map(_is_busy, list(self._server.active_channels.values()))):
            self._turn(_FINISHING)

    def _turn(self, seconds: float) -> None:
        self._server.asyncore.loop(timeout=seconds, map=self._server._map, count=1)


def _is_busy(channel: Any) -> bool:
    """Whether a request is being answered, or the answer not yet sent."""
    return bool(channel.requests or channel.total_outbufs_len)
