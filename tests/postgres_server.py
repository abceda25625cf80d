"""A PostgreSQL server for tests: one that is named, one that is running, or one of our own.

``PBEM_TEST_POSTGRES_URL`` names a server (a user who may create databases), or is ``temporary``
for a server that is started for the tests and thrown away. Without it a server on the standard
port of this machine is used if it lets us in, else a temporary one, if PostgreSQL is installed.

``python -m tests.postgres_server`` says whether there will be one.
"""

from __future__ import annotations

import getpass
import glob
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

VARIABLE = "PBEM_TEST_POSTGRES_URL"


class NoServerError(Exception):
    """There is no PostgreSQL to test with; says what was tried."""


@contextmanager
def server() -> Iterator[str]:
    """The address of a database from which others can be created. Raises NoServerError."""
    named = os.environ.get(VARIABLE, "")
    if named not in ("", "temporary"):
        if reason := _refusal(named):
            raise NoServerError(f"{VARIABLE}: {reason}")
        yield named
        return
    if not named:
        for user in dict.fromkeys((getpass.getuser(), "postgres")):
            url = f"postgresql://{user}@127.0.0.1:5432/postgres"
            if not _refusal(url):
                yield url
                return
    with _temporary_server() as url:
        yield url


def find_program(name: str) -> str | None:
    """One of PostgreSQL's own programs, on the path or where Debian puts them."""
    places = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), reverse=True)
    return shutil.which(name) or next(iter(places), None)


def _refusal(url: str) -> str | None:
    try:
        with psycopg.connect(url, connect_timeout=3) as connection:
            row = connection.execute(
                "SELECT rolsuper OR rolcreatedb FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
    except psycopg.Error as error:
        return str(error)
    return None if row and row[0] else "the user may not create databases"


@contextmanager
def _temporary_server() -> Iterator[str]:
    initdb, pg_ctl = find_program("initdb"), find_program("pg_ctl")
    if initdb is None or pg_ctl is None:
        raise NoServerError(
            f"{VARIABLE} is not set, no server on port 5432 lets us in, "
            "and initdb and pg_ctl are not installed"
        )
    place = Path(tempfile.mkdtemp(prefix="pbem-postgres-"))
    try:
        as_user = _unprivileged(place)
        data, port = place / "data", _free_port()
        _run([*as_user, initdb, "-A", "trust", "-U", "postgres", "-E", "UTF8", "-N", "-D", data])
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -F"
        log = place / "log"
        _run([*as_user, pg_ctl, "-D", data, "-w", "-l", log, "-o", options, "start"])
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
        finally:
            _run([*as_user, pg_ctl, "-D", data, "-w", "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _unprivileged(place: Path) -> list[str]:
    """How to start a program that refuses to run as root, which then owns the place."""
    if os.geteuid() != 0:
        return []
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(place, user.pw_uid, user.pw_gid)
        if runuser := shutil.which("runuser"):
            return [runuser, "-u", name, "--"]
        if setpriv := shutil.which("setpriv"):
            return [setpriv, f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    raise NoServerError("PostgreSQL does not run as root, and no other user was found")


def _run(command: list[str | Path]) -> None:
    try:
        done = subprocess.run(
            command,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoServerError(f"{command}: {error}") from None
    if done.returncode:
        raise NoServerError(f"{command}: {done.stderr.decode(errors='replace')}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    try:
        with server() as found:
            print(found)
    except NoServerError as error:
        sys.exit(f"No PostgreSQL for the tests: {error}")
