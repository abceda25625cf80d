"""What no server can be faster than: the same listener stores the same mails, and as many mails of
the same size are relayed for them, with no game behind.

``python -m deploy.load.floor_server listen relay`` does both in one process; with one of the words
it does only that. ``PBEM_FLOOR_SAMPLES`` is a folder of mails to relay, ``PBEM_FLOOR_RATIO`` how
many go out for one that came in.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path

from pbem.bootstrap import make_office, open_surroundings
from pbem.config import Settings, read_settings
from pbem.mail.listener import Listener
from pbem.mail.transport import Delivered, SmtpTransport
from pbem.play.ports import Surroundings
from pbem.play.post import HANDLED, Inbound

SAMPLES = "PBEM_FLOOR_SAMPLES"
RATIO = "PBEM_FLOOR_RATIO"
LEASE = timedelta(minutes=3)
BATCH = 10
_LOOK = 0.005


def main() -> None:
    stopping, woken = threading.Event(), threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: stopping.set())
    settings = read_settings()
    with ExitStack() as stack:
        around = stack.enter_context(open_surroundings(settings))
        if "listen" in sys.argv[1:]:
            assert settings.listen_smtp is not None
            listener = Listener(
                around,
                make_office(settings),
                host=settings.listen_smtp.host,
                port=settings.listen_smtp.port,
                nudge=lambda numbers: woken.set(),
            )
            stack.enter_context(listener)
            print(f"listening smtp {settings.listen_smtp.host}:{listener.port}")
        print("ready", flush=True)
        if "relay" in sys.argv[1:]:
            _relay(settings, around, stopping, woken)
        else:
            stopping.wait()


def _relay(
    settings: Settings, around: Surroundings, stopping: threading.Event, woken: threading.Event
) -> None:
    assert settings.relay is not None
    files = sorted(Path(os.environ[SAMPLES]).iterdir())
    samples = cycle([file.read_bytes() for file in files])
    ratio, owed = float(os.environ[RATIO]), 0.0
    transport = SmtpTransport(settings.relay, name=str(settings.mail_domain))
    while not stopping.is_set():
        with around.store.begin() as unit:
            claimed = unit.claim_inbound(datetime.now(UTC), lease=LEASE, limit=BATCH)
        for inbound in claimed:
            owed += ratio
            while owed >= 1:
                owed -= 1
                _send(transport, inbound, next(samples))
            with around.store.begin() as unit:
                unit.save_inbound(replace(inbound, state=HANDLED))
        if not claimed:
            woken.wait(_LOOK)
            woken.clear()
    transport.close()


def _send(transport: SmtpTransport, inbound: Inbound, data: bytes) -> None:
    sender = f"play@{inbound.arrival.via}.example"
    done = transport.send(sender, inbound.arrival.sender or "", data)
    assert isinstance(done, Delivered), done


if __name__ == "__main__":
    main()
