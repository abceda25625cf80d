"""The door for a WSGI server; the application itself is built in ``pbem.web``."""
