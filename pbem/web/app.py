"""The Flask application: a factory that joins the blueprints and gives every answer its headers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from flask import Flask, Response

from pbem.catalogues import get_tongue
from pbem.config import Settings
from pbem.mail.office import Office
from pbem.play.ports import Surroundings
from pbem.tongue import Tongue
from pbem.web.fetching import Fetch, fetch_https
from pbem.web.house import House, Nudge
from pbem.web.inbound import blueprint as inbound
from pbem.web.links import blueprint as links

_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self';"
        " base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",  # the address of a page is the key to it
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
_FOREVER: Final = "max-age=31536000"


def create_app(
    around: Surroundings,
    office: Office,
    settings: Settings,
    *,
    nudge: Nudge | None = None,
    fetch: Fetch = fetch_https,
    tongues: Callable[[str], Tongue] = get_tongue,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Flask:
    """The web of one server."""
    app = Flask("pbem.web")
    app.url_map.strict_slashes = False
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.extensions["pbem"] = House(
        around=around,
        office=office,
        webhooks=settings.webhooks,
        nudge=nudge,
        fetch=fetch,
        tongues=tongues,
        clock=clock,
    )
    app.register_blueprint(inbound)
    app.register_blueprint(links)
    is_https = office.site_url.startswith("https://")

    @app.after_request
    def _protect(response: Response) -> Response:
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        if is_https:
            response.headers.setdefault("Strict-Transport-Security", _FOREVER)
        return response

    return app
