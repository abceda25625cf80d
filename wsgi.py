"""For a WSGI server: ``gunicorn wsgi:app``."""

from workers.web import make_web_app

app = make_web_app()
