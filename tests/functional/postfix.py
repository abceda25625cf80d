"""A Postfix of the test's own, set up by ``deploy/postfix/set-up``: own directories, own ports.

It takes mail for our domain and hands it to us by LMTP; what we hand in it sends to the sink. It
listens on the loopback only, is started by the test, and is stopped after it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deploy.load.ports import free_port

SET_UP = Path(__file__).parents[2] / "deploy" / "postfix" / "set-up"


@dataclass(frozen=True)
class Postfix:
    """A running instance."""

    config: Path
    port: int
    """Where the world sends mail to."""
    submission_port: int
    """Where we hand in ours."""
    log_file: Path

    def log(self) -> str:
        """What it has written down."""
        return self.log_file.read_text() if self.log_file.exists() else ""


def why_not() -> str | None:
    """Why no Postfix can be started here."""
    if shutil.which("postfix", path=_path()) is None:
        return "Postfix is not installed"
    if os.geteuid() != 0:
        return "Postfix must be started by root"
    return None


@contextmanager
def running_postfix(domain: str, *, lmtp_port: int, relay_port: int) -> Iterator[Postfix]:
    """An instance that runs while the block does."""
    port, submission_port = free_port(), free_port()
    # Postfix gives up root for its work, and must come by what a test may keep to itself.
    home = Path(tempfile.mkdtemp(prefix="pbem-postfix-"))
    home.chmod(0o755)
    config, log = home / "config", home / "log" / "mail.log"
    environment = {**os.environ, "PATH": _path()}
    _run(
        [
            str(SET_UP),
            *("--domain", domain, "--host", f"mail.{domain}"),
            *("--interfaces", "loopback-only", "--listen", f"127.0.0.1:{port}"),
            *("--submission", f"127.0.0.1:{submission_port}"),
            *("--lmtp", f"127.0.0.1:{lmtp_port}", "--relay", f"[127.0.0.1]:{relay_port}"),
            *("--config", str(config), "--queue", str(home / "queue")),
            *("--data", str(home / "data"), "--log", str(log)),
        ],
        environment,
    )
    postfix = [shutil.which("postfix", path=_path()) or "postfix", "-c", str(config)]
    try:
        _run([*postfix, "start"], environment)
        yield Postfix(config, port, submission_port, log)
    finally:
        subprocess.run([*postfix, "stop"], env=environment, check=False, capture_output=True)
        shutil.rmtree(home, ignore_errors=True)


def _run(command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(
        command, env=environment, check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, f"{command[0]}: {done.stdout}{done.stderr}"


def _path() -> str:
    return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
