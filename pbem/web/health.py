"""Whether this process lives, and whether it can serve: for whoever watches over it."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, current_app, jsonify

from pbem.readiness import Readiness

health: Final = Blueprint("health", __name__, url_prefix="/health")

READINESS: Final = "pbem_readiness"
"""The name of what looks, among the extensions of the application."""


@health.get("/live")
def live() -> Response:
    """The process answers."""
    return jsonify(status="ok")


@health.get("/ready")
def ready() -> tuple[Response, int]:
    """The database answers, too. Pages are shown and mail is taken without the broker, so that it
    is gone is only told: nobody is better off when every web process is taken away with it."""
    readiness = current_app.extensions[READINESS]
    assert isinstance(readiness, Readiness)
    parts = readiness.look()
    is_ready = parts["database"] == "ok"
    return jsonify(status="ok" if is_ready else "no database", **parts), 200 if is_ready else 503
