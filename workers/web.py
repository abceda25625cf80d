"""The web as an application for a WSGI server: ``gunicorn wsgi:app``.

It does no work but its own: what has come in is told to the workers over the broker.
"""

from __future__ import annotations

import atexit
from contextlib import ExitStack, closing
from typing import Final

from flask import Flask

from pbem.bootstrap import make_office, open_surroundings
from pbem.config import Settings, read_settings
from pbem.logs import set_up_logging
from pbem.mail.patience import STARTING, patiently
from pbem.web import create_app
from workers.app import Nudges
from workers.celery import app as celery
from workers.metrics_server import serving_metrics

_kept: Final = ExitStack()
"""What is open as long as this process is: dropped, it would be closed."""
atexit.register(_kept.close)  # later no thread runs that could be waited for


def make_web_app(settings: Settings | None = None) -> Flask:
    """The web of this process. Raises PbemError."""
    settings = settings or read_settings()
    set_up_logging(settings.log_style)
    office = make_office(settings)
    around = patiently(lambda: _kept.enter_context(open_surroundings(settings)), STARTING)
    _kept.enter_context(serving_metrics(settings))
    nudges = _kept.enter_context(closing(Nudges(celery)))
    return create_app(
        around, office, settings, nudge=nudges.mails_stored, mail_waits=nudges.mail_waits
    )
