"""The web: pages for players and visitors, the JSON API, and the ways in for mail over HTTP."""

from __future__ import annotations

from pbem.web.app import create_app

__all__ = ["create_app"]
