"""Where the pages of events are: one part of the site."""

from __future__ import annotations

from typing import Final

from flask import Blueprint

events: Final = Blueprint("events", __name__, url_prefix="/events")
