"""The web: pages that links in mails lead to, and the ways in for mail over HTTP."""

from __future__ import annotations

from pbem.web.app import create_app

__all__ = ["create_app"]
