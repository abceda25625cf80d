"""How often somebody may ask: generous for pages, strict where a mail would be sent.

Visitors are told apart by their network address, programs by their token. Counted in memory, or in
Redis where the broker is there, so that several processes count together.
"""

from __future__ import annotations

from typing import Any, Final, cast

from flask import Blueprint, Flask, request
from flask_limiter import Limiter

from pbem.mail.smtp_gate import peer_name
from pbem.play.access import pass_hash
from pbem.web import counting
from pbem.web.api import TOPICS
from pbem.web.api.callers import find_secret

PAGES: Final = "1200 per minute"
MAILS: Final = "10 per 10 minutes; 30 per day"
CALLS: Final = "600 per minute"


def install_limits(app: Flask, *, broker_url: str) -> None:
    """Count requests; too many get 429."""
    is_shared = broker_url.startswith(("redis://", "rediss://"))
    limiter = Limiter(
        _visitor,
        app=app,
        default_limits=[PAGES],
        storage_uri=broker_url if is_shared else f"{counting.SCHEME}://",
        in_memory_fallback_enabled=is_shared,
        headers_enabled=True,
    )
    for endpoint in ("signing_in.send_link", "signing_up.send"):
        view: Any = app.view_functions[endpoint]
        app.view_functions[endpoint] = limiter.limit(MAILS)(view)
    for topic in TOPICS:
        limiter.limit(CALLS, key_func=_caller, override_defaults=False)(topic)
    for name in ("inbound", "health", "links"):
        limiter.exempt(cast(Blueprint, app.blueprints[name]))


def _visitor() -> str:
    """Where a visitor comes from; of IPv6 only the half that is not the visitor's to choose."""
    return peer_name(request.remote_addr or "")


def _caller() -> str:
    """A program by its token, so that those behind one address do not count together; whoever has
    none by the address."""
    secret = find_secret()
    return f"token/{pass_hash(secret)}" if secret else _visitor()
