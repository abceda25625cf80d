"""What the page on the API shows was called and answered so; every call is in its table.

The examples are run by a shell, one after the other, with curl and jq. Without those they are
skipped; ``PBEM_REQUIRE_CURL=1`` makes that a failure.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from flask import Flask

from deploy.load.ports import free_port
from pbem.bootstrap import make_office, open_surroundings
from pbem.config import DATABASE_FILE, read_settings
from pbem.endpoints import Endpoint
from pbem.mail.refusals import NOT_ALLOWED
from pbem.play import access
from pbem.web import create_app
from pbem.web.api import problems
from tests.docs.pages import DOCS
from workers.demo import DOMAIN, settle
from workers.web_server import WebServer

PAGE = (DOCS / "api.md").read_text(encoding="utf-8")
SITE = "http://127.0.0.1:8000"
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_END = "\x1e"
"""Between what one example printed and the next."""


class Example(NamedTuple):
    """Commands, and the block below them with what they print, if there is one."""

    script: str
    kind: str
    answer: str


class Site(NamedTuple):
    app: Flask
    url: str
    ann: str
    ben: str


def examples() -> list[Example]:
    found: list[Example] = []
    for kind, text in _FENCE.findall(PAGE):
        if kind == "sh":
            found.append(Example(text, "", ""))
        elif kind:
            assert found[-1].kind == "", f"two answers to {found[-1].script}"
            found[-1] = Example(found[-1].script, kind, text)
    return found


@pytest.fixture(scope="module")
def site(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The game of the demonstration, with a web server and a token for each player."""
    folder = tmp_path_factory.mktemp("api")
    shutil.copy(migrated_sqlite, folder / DATABASE_FILE)
    endpoint = Endpoint("127.0.0.1", free_port())
    url = f"http://{endpoint}"
    settings = read_settings(
        {"PBEM_DATA_DIR": str(folder), "PBEM_MAIL_DOMAIN": DOMAIN, "PBEM_SITE_URL": url}
    )
    now = datetime.now(UTC)
    with open_surroundings(settings) as around:
        settle(around, now)
        ann, ben = (
            access.make_token(around, number, "the page", access.SCOPES, now=now).secret
            for number in (1, 2)
        )
        app = create_app(around, make_office(settings), settings)
        server = WebServer(app, endpoint)
        server.start()
        try:
            yield Site(app, url, ann, ben)
        finally:
            server.stop()


def run(site: Site, scripts: list[str], folder: Path) -> list[str]:
    """What each script prints; all of them run in one shell."""
    for program in ("curl", "jq"):
        if shutil.which(program) is None:
            if os.environ.get("PBEM_REQUIRE_CURL"):
                pytest.fail(f"there is no {program} on this machine")
            pytest.skip(f"there is no {program} on this machine")
    together = f"printf '{_END}'\n".join(scripts).replace(SITE, site.url)
    done = subprocess.run(
        ["sh", "-eu", "-c", together],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "ann": site.ann, "ben": site.ben},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, (done.stderr, done.stdout.split(_END)[-1])
    return done.stdout.split(_END)


def fits(said: Any, shown: Any) -> bool:
    """Whether an answer is what the page shows: ``…`` stands for whatever differs."""
    if isinstance(shown, str) and "…" in shown:
        parts = map(re.escape, shown.split("…"))
        return shown == "…" or re.fullmatch(".*".join(parts), str(said), re.DOTALL) is not None
    if isinstance(shown, dict) and isinstance(said, dict):
        return shown.keys() == said.keys() and all(
            fits(said[key], value) for key, value in shown.items()
        )
    if isinstance(shown, list) and isinstance(said, list):
        if shown[-1:] == ["…"]:
            shown, said = shown[:-1], said[: len(shown) - 1]
        return len(shown) == len(said) and all(map(fits, said, shown))
    return bool(said == shown)


def test_the_examples_are_answered_as_the_page_shows(site: Site, tmp_path: Path) -> None:
    shown = examples()
    assert len(shown) > 20
    printed = run(site, [example.script for example in shown], tmp_path)
    for example, said in zip(shown, printed, strict=True):
        match example.kind:
            case "":
                assert said == "", example.script
            case "jsonc":
                assert fits(json.loads(said), json.loads(example.answer)), (example.script, said)
            case "http":
                lines = said.replace("\r\n", "\n").splitlines()
                for line in example.answer.splitlines():
                    assert any(fits(each, line) for each in lines), (line, said)
            case _:
                pytest.fail(f"unknown kind {example.kind}")


def test_the_table_has_every_call_with_its_scope(site: Site) -> None:
    document = site.app.test_client().get("/api/v1/openapi.json").get_json()
    calls = {
        (
            f"{method.upper()} {path.removeprefix('/api/v1')}",
            "*" if {} in call["security"] else "",
            call["x-scope"],
        )
        for path, found in document["paths"].items()
        for method, call in found.items()
        if method != "parameters"
    }
    rows = re.findall(r"^\| `([A-Z]+ [^`]+)` ?(\*?) \| `(\w+)` \|", PAGE, re.MULTILINE)
    assert len(rows) == len(calls)
    assert set(rows) == calls


def test_calls_named_in_the_text_are_there(site: Site) -> None:
    document = site.app.test_client().get("/api/v1/openapi.json").get_json()
    named = re.findall(r"`(GET|POST|PUT|PATCH|DELETE) ([^`]+)`", PAGE)
    for method, path in named:
        assert method.lower() in document["paths"][f"/api/v1{path}"]


def test_the_table_of_codes_is_that_of_the_code() -> None:
    table = PAGE.partition("| status | code |")[2].partition("\n\n")[0]
    named = {
        code
        for row in table.splitlines()[2:]
        for code in re.findall(r"`([a-z_]+)`", row.split("|")[2])
    }
    own = {"too_late", "already_kept", "nothing_to_undo", "conflict", "refused"}
    own |= {"unavailable", "too_many_feeds"}
    assert set(problems._CODES.values()) | own <= named
    assert named - own - set(problems._CODES.values()) <= set(NOT_ALLOWED)
