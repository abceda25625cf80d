"""How often somebody may ask: generous for pages, strict where mails or many games go out.

Visitors are told apart by their network address, programs by their token. Counted in memory, or in
Redis where the broker is there, so that several processes count together.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, cast

from flask import Blueprint, Flask, abort, current_app, request
from flask_limiter import Limiter
from limits import parse

from pbem.mail.smtp_gate import peer_name
from pbem.play.access import pass_hash
from pbem.web import counting
from pbem.web.api import TOPICS
from pbem.web.api.callers import find_secret

PAGES: Final = "1200 per minute"
MAILS: Final = "10 per 10 minutes; 30 per day"
CALLS: Final = "600 per minute"
FILES: Final = "30 per hour"
DRAWINGS: Final = "60 per minute"
"""Of PDFs, cards and booklets, of making studies and trying puzzles, and of who can still win,
which take much longer than a page; and of replays that nobody has looked at lately."""

_MAILING: Final = ("signing_in.send_link", "signing_up.send")
_MANY_GAMES: Final = ("downloads.games_ogn", "downloads.games_zip")
_DRAWING: Final = (
    "booklets.page",
    "booklets.pdf",
    "booklets.card",
    "booklets.words",
    "events.chances",
    "events.table_pdf",
    "studies.attempt",
    "studies.make",
)
_UNCOUNTED: Final = ("inbound", "health", "links")
_MOST: Final = 4096
"""How many names of visitors are kept at hand."""


class PageLimiter(Limiter):
    """The library's, with a short way for pages that nothing but the general limit is for.

    Finding out which limits are for a request took longer than many a page. Whatever is not as
    usual, one too many or a storage that fails, goes the library's way.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self._pages: frozenset[str] = frozenset()
        self._limit = parse(PAGES)
        super().__init__(*args, **options)

    def take_short_way(self, endpoints: frozenset[str]) -> None:
        """These have no limit but the general one."""
        self._pages = endpoints

    def _check_request_limit(
        self, callable_name: str | None = None, in_middleware: bool = True
    ) -> None:
        if not self._is_within():
            super()._check_request_limit(callable_name, in_middleware)

    def _is_within(self) -> bool:
        endpoint = request.endpoint
        if endpoint not in self._pages or self._storage_dead or not self.enabled:
            return False
        try:
            return self.limiter.hit(self._limit, visitor_name(), endpoint)
        except Exception:  # the library asks again, and then knows what to do
            return False


def install_limits(app: Flask, *, broker_url: str) -> None:
    """Count requests; too many get 429."""
    is_shared = broker_url.startswith(("redis://", "rediss://"))
    limiter = PageLimiter(
        visitor_name,
        app=app,
        default_limits=[PAGES],
        storage_uri=broker_url if is_shared else f"{counting.SCHEME}://",
        in_memory_fallback_enabled=is_shared,
        headers_enabled=True,
    )
    for endpoints, limit in ((_MAILING, MAILS), (_MANY_GAMES, FILES), (_DRAWING, DRAWINGS)):
        for endpoint in endpoints:
            view: Any = app.view_functions[endpoint]
            app.view_functions[endpoint] = limiter.limit(limit)(view)
    for topic in TOPICS:
        limiter.limit(CALLS, key_func=_caller, override_defaults=False)(topic)
    for name in _UNCOUNTED:
        limiter.exempt(cast(Blueprint, app.blueprints[name]))
    strict = {*_MAILING, *_MANY_GAMES, *_DRAWING, "static"}
    others = {*_UNCOUNTED, *(topic.name for topic in TOPICS)}
    limiter.take_short_way(
        frozenset(
            endpoint
            for endpoint in app.view_functions
            if endpoint.partition(".")[0] not in others and endpoint not in strict
        )
    )


def count_drawing() -> None:
    """Count something that has to be made for a visitor now, on a page that seldom makes anything;
    one too many gets 429. Where nobody counts, all may come."""
    for limiter in current_app.extensions.get("limiter", ()):
        try:
            is_within = limiter.limiter.hit(parse(DRAWINGS), visitor_name(), "drawing")
        except Exception:  # the storage has failed, which the next request finds out
            return
        if not is_within:
            abort(429)


def visitor_name() -> str:
    """Where a visitor comes from; of IPv6 only the half that is not the visitor's to choose."""
    return _name(request.remote_addr or "")


_name: Final = lru_cache(maxsize=_MOST)(peer_name)


def _caller() -> str:
    """A program by its token, so that those behind one address do not count together; whoever has
    none by the address."""
    secret = find_secret()
    return f"token/{pass_hash(secret)}" if secret else visitor_name()
