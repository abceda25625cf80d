"""An app for a real worker: as ``workers``, but it does not wait for a database when it starts:
only its jobs do."""

from __future__ import annotations

from workers import starting

setattr(starting, "STARTING", 0.0)  # noqa: B010

from workers.celery import app  # noqa: E402

__all__ = ["app"]
