"""The container files: by hadolint, and what it does not know of."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.reading import DEPLOY, PROGRAMS, TOP, fault_of_command, faults_of_environment

FILES = [DEPLOY / "Containerfile", DEPLOY / "postfix" / "Containerfile"]


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64",
    reason="hadolint comes as a package for Linux on x86-64 only",
)
@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(DEPLOY)))
def test_hadolint(file: Path) -> None:
    done = subprocess.run(
        [PROGRAMS / "hadolint", "--no-color", file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def instructions(file: Path) -> list[tuple[str, str]]:
    """Each instruction of a container file with what follows it, lines joined."""
    lines = [line for line in file.read_text().splitlines() if not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    pairs = (line.split(None, 1) for line in joined.splitlines() if line.strip())
    return [(name, " ".join(rest.split())) for name, rest in pairs]


def test_every_image_runs_as_a_number_that_is_not_roots() -> None:
    user = ""
    for name, rest in instructions(FILES[0]):
        if name == "FROM" and rest.endswith(("AS operator", "AS server")):
            user = rest
        elif name == "USER":
            assert user
            assert rest == "10001:10001"
            user = ""
    assert user == ""


def test_signals_reach_the_process() -> None:
    """Its own form of command has no shell between the engine and the process."""
    for file in FILES:
        said = dict(instructions(file))
        assert said["STOPSIGNAL"] == "SIGTERM"
        words = json.loads(said["CMD"])
        assert "ENTRYPOINT" not in said
    assert fault_of_command(json.loads(dict(instructions(FILES[0]))["CMD"])) is None
    assert words == ["/srv/postfix/start"]


def test_what_is_copied_is_there_and_is_let_through() -> None:
    let_through = [
        line[1:]
        for line in (TOP / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    ]
    for file in FILES:
        for name, rest in instructions(file):
            if name == "COPY" and "--from" not in rest:
                for source in rest.split()[:-1]:
                    assert (TOP / source).exists(), source
                    assert source in let_through
    assert all((TOP / each).exists() for each in let_through)


def test_its_environment_is_known(tmp_path: Path) -> None:
    [rest] = [rest for name, rest in instructions(FILES[0]) if name == "ENV" and "PBEM_" in rest]
    environ = dict(pair.split("=", 1) for pair in rest.split())
    assert faults_of_environment(environ, tmp_path) == []


def test_postfix_is_started_as_its_script_can_be() -> None:
    start = (DEPLOY / "postfix" / "start").read_text()
    options = {word for word in start.split() if word.startswith("--")}
    told = subprocess.run(
        [DEPLOY / "postfix" / "set-up", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert options
    assert all(option in told for option in options)
