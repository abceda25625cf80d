"""The demonstration over HTTP and SMTP: mail is there to read, a reply is played, and it goes on
where it was left."""

from __future__ import annotations

import gc
import html
import http.cookiejar
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from deploy.load.ports import free_port
from pbem.bootstrap import open_surroundings
from pbem.cli import main
from pbem.config import read_settings
from pbem.endpoints import Endpoint
from pbem.errors import ConfigError
from workers.demo import PLAYERS, run_demo
from workers.demo_events import OTHERS

(_, ANN), (_, BEN) = PLAYERS
ORDERS = "A4 six L8@K8; end"
PATIENCE = 60.0
ROOT = Path(__file__).parents[2]


class Reader:
    """A browser that knows no more than it needs."""

    def __init__(self, url: str) -> None:
        self.url = url
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(jar)

    def get(self, path: str) -> str:
        with self._opener.open(self.url + path, timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def get_bytes(self, path: str) -> bytes:
        with self._opener.open(self.url + path, timeout=PATIENCE) as answer:
            return bytes(answer.read())

    def post(self, page: str, path: str, **fields: str) -> str:
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.get(page))
        assert token is not None
        data = urllib.parse.urlencode({"csrf_token": token[1], **fields}).encode()
        request = urllib.request.Request(self.url + path, data, {"Referer": self.url + page})
        with self._opener.open(request, timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def mails(self, box: str) -> dict[str, str]:
        """The paths of mails in a box, newest first, by what stands in the list."""
        page = self.get(f"/post?box={box}")
        found = re.findall(r'<a[^>]*href="(/post/\d+)"[^>]*>(.*?)</a>', page, re.DOTALL)
        return {path: html.unescape(re.sub(r"<[^>]+>", " ", text)) for path, text in found}

    def wait_for(self, box: str, subject: str, said: str = "", but: str = "") -> str:
        """The path of a mail with something in its subject, and something in its text."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for path, listed in self.mails(box).items():
                text = html.unescape(self.get(f"{path}/html"))
                if path != but and subject in listed and said in text:
                    return path
            time.sleep(0.1)
        raise AssertionError(f"no such mail came to {box}: {self.mails(box)}")


def log(folder: Path) -> list[str]:
    settings = read_settings({"PBEM_DATA_DIR": str(folder)})
    with open_surroundings(settings) as around, around.store.read() as unit:
        address = unit.find_address(ANN)
        assert address is not None
        (game,) = [
            each
            for each in unit.all_games()
            if (found := unit.find_game(each)) and address.player_id in found.players
        ]
        return [entry.text for entry in unit.entries(game)]


def test_a_turn_by_mail_and_the_next_day(tmp_path: Path) -> None:
    environ = {"PBEM_DATA_DIR": str(tmp_path)}
    with run_demo(port=None, environ=environ) as server:
        url = f"http://{server.endpoints['http']}"
        reader = Reader(url)
        asked = reader.wait_for(ANN, "Your turn")
        # As its reader would see it, with the picture.
        picture = re.search(rf'src="({asked}/images/[^"]+)"', reader.get(f"{asked}/html"))
        assert picture is not None
        assert reader.get_bytes(picture[1]).startswith(b"\x89PNG")
        menu = reader.get("/archive").partition("<nav")[2].partition("</nav>")[0]
        on_phones = re.findall(r'<a href="[^"]*"(?: aria-current="page")?>([^<]*)', menu)
        assert on_phones == ["Post office", "Events", "Sign in"], "more has no room there"
        assert "The fifth Well." in reader.get("/archive/1"), "there is an annotated game to see"
        shelf = re.findall(r'href="(/events/\w+)">.*?<strong>([^<]+)', reader.get("/events"))
        paths = {title: path for path, title in shelf}
        assert "to enter" in reader.get(paths["Winter round robin"])
        table = reader.get(f"{paths['Autumn Swiss']}/table")
        assert all(name in table for name in OTHERS)
        assert "Round 3" in reader.get(f"{paths['Autumn Swiss']}/rounds")
        assert {box for _, box in PLAYERS} >= set(
            re.findall(r"box=([^\"&]+@[^\"&]+)", reader.get("/post"))
        )
        reader.post(asked, asked, text=ORDERS)
        reader.wait_for(ANN, "", "A4 six L8@K8", but=asked)
        defence = reader.wait_for(BEN, "L8")
        assert log(tmp_path)[-1] == ORDERS
        assert server.find_fault() is None
    before = log(tmp_path)
    with run_demo(port=None, environ=environ) as server:
        assert f"http://{server.endpoints['http']}" == url, "links in mails lead to it"
        reader = Reader(url)
        assert defence in reader.mails(BEN)
        reader.post(defence, defence, text="-")
        reader.wait_for(BEN, "", "L8-", but=defence)
        assert log(tmp_path)[: len(before)] == before
        assert len(log(tmp_path)) > len(before)
        # In a demonstration everybody may be everybody.
        assert "Sign in" in reader.get("/")
        assert "Ann" in reader.post(f"/post?box={BEN}", "/post/sign-in", box=BEN)
        assert "Sign in" not in reader.get("/games")


def test_nothing_that_is_set_elsewhere_counts(tmp_path: Path) -> None:
    environ = {
        "PBEM_DATA_DIR": str(tmp_path),
        "PBEM_DATABASE_URL": "postgresql://nowhere/x",
        "PBEM_SMTP_URL": "smtp://mail.example.org",
        "PBEM_LISTEN_HTTP": "0.0.0.0:80",
    }
    with run_demo(port=None, environ=environ) as server:
        assert {endpoint.host for endpoint in server.endpoints.values()} == {"127.0.0.1"}
    assert (tmp_path / "pbem.sqlite3").exists()


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    with (
        pytest.raises(ConfigError, match="absolute"),
        run_demo(port=None, environ={"PBEM_DATA_DIR": "here"}),
    ):
        pass


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    environ = {"PBEM_DATA_DIR": str(tmp_path)}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        (tmp_path / "port").write_text(str(port))
        with (
            pytest.raises(ConfigError, match=r"nothing can listen.* in use; choose another --port"),
            run_demo(port=port, environ=environ),
        ):
            pass
        with run_demo(port=None, environ=environ) as server:
            assert server.endpoints["http"].port != port


def test_a_port_that_nobody_can_read_is_any(tmp_path: Path) -> None:
    (tmp_path / "port").write_bytes(b"\xff\xfe80")
    with run_demo(port=None, environ={"PBEM_DATA_DIR": str(tmp_path)}) as server:
        assert (tmp_path / "port").read_text() == str(server.endpoints["http"].port)


def test_one_folder_is_for_one(tmp_path: Path) -> None:
    environ = {"PBEM_DATA_DIR": str(tmp_path)}
    with run_demo(port=None, environ=environ) as server:
        where = re.escape(f"open http://{server.endpoints['http']}/post")
        for port in (None, free_port()):
            with (
                pytest.raises(ConfigError, match=f"runs already: {where}"),
                run_demo(port=port, environ=environ),
            ):
                pass
        assert "Post office" in Reader(f"http://{server.endpoints['http']}").get("/post")


def test_a_port_that_was_wanted_is_kept(tmp_path: Path) -> None:
    environ = {"PBEM_DATA_DIR": str(tmp_path)}
    port = free_port()
    for wanted in (port, None):
        with run_demo(port=wanted, environ=environ) as server:
            assert server.endpoints["http"].port == port


def test_signing_in_by_a_mailed_link(tmp_path: Path) -> None:
    with run_demo(port=None, environ={"PBEM_DATA_DIR": str(tmp_path)}) as server:
        gc.collect()  # whatever nobody keeps is gone, as it is after a while
        reader = Reader(f"http://{server.endpoints['http']}")
        for _ in range(12):  # nobody asks too often here
            reader.post("/sign-in", "/sign-in", address=ANN)
        mail = reader.wait_for(ANN, "sign")
        link = re.search(rf'href="{reader.url}(/sign-in/[^"]+)"', reader.get(f"{mail}/html"))
        assert link is not None
        reader.post(link[1], link[1])
        assert "Sign in" not in reader.get("/games")


def test_the_command_ends_when_it_is_told_to(tmp_path: Path) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    process = subprocess.Popen(
        [sys.executable, "-c", "from pbem.cli import main; main()", "demo"],
        env={**environ, "PBEM_DATA_DIR": str(tmp_path), "PYTHONUNBUFFERED": "1"},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", first)
        assert found is not None, first
        assert "Post office" in Reader(found[0]).get("/")
        process.send_signal(signal.SIGTERM)
        # Not communicate, which would not see what was read along with the first line.
        rest = process.stdout.read()
        process.wait(PATIENCE)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 0
    assert str(tmp_path) in rest
    assert "Ended. What was played is kept: pbem demo goes on with it." in rest
    assert "Traceback" not in rest


def test_the_command_says_which_part_has_ended_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def run_broken(**_: object) -> Iterator[SimpleNamespace]:
        places = {"http": Endpoint("127.0.0.1", 1), "smtp": Endpoint("127.0.0.1", 2)}
        yield SimpleNamespace(endpoints=places, find_fault=lambda: "smtp listener")

    monkeypatch.setattr("workers.demo.run_demo", run_broken)
    monkeypatch.setattr("pbem.logs.set_up_logging", lambda *_, **__: None)
    before = signal.getsignal(signal.SIGTERM)
    done = CliRunner().invoke(main, ["demo"], env={"PBEM_DATA_DIR": str(tmp_path)})
    assert done.exit_code == 1
    assert "the smtp listener has ended by itself" in done.output
    assert signal.getsignal(signal.SIGTERM) is before
