"""For a WSGI server: ``gunicorn wsgi:app``."""

from typing import Final

from workers.starting import saying_why
from workers.web import make_web_app

_NOT_BOOTED: Final = 3
"""Gunicorn ends with this code as well; of any other it would start the next process for ever."""

with saying_why(_NOT_BOOTED):
    app = make_web_app()
