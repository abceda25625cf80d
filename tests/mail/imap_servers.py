"""IMAP servers for tests: a small one of ours that can break at will, and Dovecot where it is."""

from __future__ import annotations

import os
import re
import shutil
import socket
import socketserver
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from deploy.load.ports import free_port
from pbem.endpoints import Server

USER: Final = "pbem"
PASSWORD: Final = "not-a-secret"
_PATH: Final = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"


@dataclass
class Stored:
    """A mail in a folder."""

    raw: bytes
    flags: set[str] = field(default_factory=set)


class FakeMailbox(socketserver.ThreadingTCPServer):
    """A mailbox with folders; only what a fetcher needs of IMAP.

    ``breaks_at`` is a command at which the connection breaks, before it is done or after.
    """

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.folders: dict[str, dict[int, Stored]] = {"INBOX": {}, "Done": {}}
        self.breaks_at = ""
        self.breaks_after = False
        self.sizes: dict[int, int] = {}
        self.capabilities = "IMAP4rev1 MOVE UIDPLUS"
        self.commands: list[str] = []

    def add(self, raw: bytes, *flags: str) -> int:
        number = 1 + max((n for folder in self.folders.values() for n in folder), default=0)
        self.folders["INBOX"][number] = Stored(raw, set(flags))
        return number

    def flags(self) -> dict[int, set[str]]:
        return {number: mail.flags for number, mail in self.folders["INBOX"].items()}

    @property
    def address(self) -> Server:
        host, port = self.server_address[:2]
        return Server("imap", str(host), int(port), "none", USER, PASSWORD)


class _Session(socketserver.StreamRequestHandler):
    server: FakeMailbox

    def handle(self) -> None:
        self.wfile.write(f"* OK [CAPABILITY {self.server.capabilities}] ready\r\n".encode())
        while line := self.rfile.readline():
            tag, _, rest = line.decode().strip().partition(" ")
            words = rest.split(" ")
            name = " ".join(words[: 2 if words[0] == "UID" else 1]).upper()
            self.server.commands.append(name)
            breaks = name == self.server.breaks_at
            if breaks and not self.server.breaks_after:
                return
            told, status = self._do(name, rest)
            if breaks:
                return
            self.wfile.write(told + f"{tag} {status} done\r\n".encode())
            if name == "LOGOUT":
                return

    def _do(self, name: str, rest: str) -> tuple[bytes, str]:
        inbox = self.server.folders["INBOX"]
        if name == "LOGIN":
            is_known = rest == f'LOGIN {USER} "{PASSWORD}"'
            return b"", "OK in" if is_known else f"NO not {rest}"
        if name == "CAPABILITY":
            return f"* CAPABILITY {self.server.capabilities}\r\n".encode(), "OK"
        if name == "SELECT":
            folder = rest.partition('"')[2].rstrip('"')
            return b"* 1 EXISTS\r\n", "OK" if folder in self.server.folders else "NO no such folder"
        if name == "UID SEARCH":
            unseen = [str(number) for number, mail in inbox.items() if r"\Seen" not in mail.flags]
            return f"* SEARCH {' '.join(reversed(unseen))}\r\n".encode(), "OK"
        found = re.search(r"UID \w+ (\d+)", rest)
        number = int(found[1]) if found else 0
        if name == "UID FETCH" and "SIZE" in rest:
            size = self.server.sizes.get(number, len(inbox[number].raw))
            return f"* 1 FETCH (UID {number} RFC822.SIZE {size})\r\n".encode(), "OK"
        if name == "UID FETCH":
            raw = inbox[number].raw
            head = f"* 1 FETCH (UID {number} BODY[] {{{len(raw)}}}\r\n".encode()
            return head + raw + b")\r\n", "OK"
        if name == "UID STORE":
            inbox[number].flags |= set(re.findall(r"\\\w+", rest))
        elif name == "UID MOVE":
            self.server.folders["Done"][number] = inbox.pop(number)
        elif name == "UID COPY":
            self.server.folders["Done"][number] = Stored(inbox[number].raw)
        return b"", "OK"


@contextmanager
def fake_mailbox() -> Iterator[FakeMailbox]:
    with FakeMailbox() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


# -- Dovecot -------------------------------------------------------------------------------------

_CONFIG: Final = """
base_dir = {folder}/run
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <{certificate}
ssl_key = <{certificate}
disable_plaintext_auth = no
mail_location = maildir:{folder}/mail
first_valid_uid = 0
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {login_user}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
  }}
}}
service anvil {{
  chroot =
}}
namespace inbox {{
  inbox = yes
  mailbox Done {{
    auto = create
  }}
}}
"""


def find_dovecot() -> str | None:
    """The program, if there is one whose configuration we know how to write."""
    program = shutil.which("dovecot", path=_PATH)
    if program is None:
        return None
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return program if told.stdout.startswith("2.3.") else None


@dataclass(frozen=True)
class Dovecot:
    """A Dovecot that runs, its ports, and where its mail lies."""

    port: int
    tls_port: int
    folder: Path
    owner: tuple[int, int]

    def add(self, raw: bytes, name: str) -> None:
        for kind in ("cur", "new", "tmp"):
            made = self.folder / "mail" / kind
            made.mkdir(exist_ok=True)
            os.chown(made, *self.owner)
        file = self.folder / "mail" / "new" / name
        file.write_bytes(raw)
        os.chown(file, *self.owner)

    def files(self, folder: str = "") -> dict[str, str]:
        """Names of the mails in a folder, and their flags as Maildir has them."""
        cur = self.folder / "mail" / folder / "cur"
        names = [file.name for file in cur.iterdir()] if cur.exists() else []
        return {
            name.partition(":")[0].partition(",")[0]: name.partition(":2,")[2] for name in names
        }


@contextmanager
def dovecot(program: str, certificate: Path) -> Iterator[Dovecot]:
    """Dovecot in the foreground, with everything it has in one folder of its own.

    Started by root it works as the users that its package made; they cannot look into a folder
    that is only root's.
    """
    import grp
    import pwd

    is_root = os.getuid() == 0
    user = pwd.getpwnam("dovecot") if is_root else pwd.getpwuid(os.getuid())
    port, tls_port = free_port(), free_port()
    folder = Path(tempfile.mkdtemp(prefix="pbem-dovecot-"))
    folder.chmod(0o755)
    own = shutil.copy(certificate, folder / "server.pem")
    config = folder / "dovecot.conf"
    config.write_text(
        _CONFIG.format(
            folder=folder,
            certificate=own,
            user=user.pw_name,
            login_user="dovenull" if is_root else user.pw_name,
            group=grp.getgrgid(user.pw_gid).gr_name,
            uid=user.pw_uid,
            gid=user.pw_gid,
            password=PASSWORD,
            port=port,
            tls_port=tls_port,
        )
    )
    (folder / "mail").mkdir()
    os.chown(folder / "mail", user.pw_uid, user.pw_gid)
    process = subprocess.Popen([program, "-F", "-c", str(config)], cwd=folder)
    try:
        _wait_for(port, process, folder / "log")
        yield Dovecot(port, tls_port, folder, (user.pw_uid, user.pw_gid))
    finally:
        process.terminate()
        process.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        try:
            with socket.create_connection(("127.0.0.1", port), 1) as connection:
                if connection.recv(4) == b"* OK":
                    return
        except OSError:
            time.sleep(0.05)
    told = log.read_text() if log.exists() else ""
    raise AssertionError(f"Dovecot did not start: {told}")
