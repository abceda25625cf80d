"""How gunicorn runs the web pages: ``gunicorn --config deploy/gunicorn_conf.py wsgi:app``.

WEB_CONCURRENCY is the number of processes (gunicorn's own variable), 2 by default.
"""

import os

from pbem.bootstrap import make_office
from pbem.config import read_settings
from pbem.errors import ConfigError
from workers.starting import saying_why
from workers.web_server import THREADS

with saying_why():
    _settings = read_settings()
    if _settings.listen_http is None:
        raise ConfigError("PBEM_LISTEN_HTTP is off: there is nowhere to show web pages")
    make_office(_settings)  # what is missing is said once, and not by each process

bind = str(_settings.listen_http)
workers = int(os.environ.get("WEB_CONCURRENCY") or 2)
worker_class = "gthread"
threads = THREADS
# Every process opens a store of its own: connections do not survive a fork.
preload_app = False
# A thread that answers for longer than this is no sign of a hang: feeds do. The process is watched.
timeout = 60
graceful_timeout = 20
keepalive = 5
# Signs of life are written here: a disk that is slow would look like a hang.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None
control_socket_disable = True
# No access log: addresses of pages hold tokens (L3.4). A proxy's must leave them out, too.
accesslog = None
