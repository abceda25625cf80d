"""Whether this process lives, and whether it can serve: for whoever watches over it."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, jsonify

from pbem.errors import StoreError
from pbem.web.house import get_house

health: Final = Blueprint("health", __name__, url_prefix="/health")


@health.get("/live")
def live() -> Response:
    """The process answers."""
    return jsonify(status="ok")


@health.get("/ready")
def ready() -> tuple[Response, int]:
    """The database answers, too."""
    try:
        with get_house().around.store.read() as unit:
            unit.oldest_unread()
    except StoreError:
        return jsonify(status="no database"), 503
    return jsonify(status="ok"), 200
