"""The systemd units: by systemd's own eyes, and by what this program knows."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.reading import DEPLOY, fault_of_command, faults_of_environment
from workers.jobs import LANES

UNITS = DEPLOY / "systemd"
SERVICES = sorted(UNITS.glob("*.service"))
NAMES = sorted(each.name for each in UNITS.iterdir() if each.suffix != ".example")
PROGRAMS = "/opt/pbem/bin/"
NO_SYSTEMD = "systemd-analyze is not installed"
is_there = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason=NO_SYSTEMD)


def settings(file: Path) -> list[tuple[str, str]]:
    """Every line ``name=value`` of a unit."""
    return re.findall(r"^([A-Za-z]+)=(.*)$", file.read_text(), re.MULTILINE)


def values(file: Path, name: str) -> list[str]:
    return [value for found, value in settings(file) if found == name]


@is_there
def test_systemd_understands_them(tmp_path: Path) -> None:
    for name in NAMES:
        # Only programs that are there are good enough for it.
        text = re.sub(rf"=({PROGRAMS})\S+", f"={sys.executable}", (UNITS / name).read_text())
        (tmp_path / name.replace("@.", "@read.")).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *sorted(map(str, tmp_path.iterdir()))],
        capture_output=True,
        text=True,
        check=False,
    )
    told = [line for line in done.stderr.splitlines() if "pbem" in line]
    assert told == []


@is_there
@pytest.mark.parametrize("file", SERVICES, ids=lambda file: str(file.name))
def test_systemd_finds_little_that_they_may_do(file: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=30", "--no-pager", file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr


@pytest.mark.parametrize("file", SERVICES, ids=lambda file: str(file.name))
def test_what_they_start_can_be_started(file: Path, tmp_path: Path) -> None:
    [command] = values(file, "ExecStart")
    assert command.startswith(PROGRAMS)
    words = command.removeprefix(PROGRAMS).replace("%i", "read").replace("${PROCESSES}", "2")
    if "pbem-backups" in words:
        words = words.replace("/var/lib/pbem-backups", str(tmp_path))
    assert fault_of_command(shlex.split(words)) is None
    set_ = dict(pair.split("=", 1) for line in values(file, "Environment") for pair in line.split())
    ours = {name: value for name, value in set_.items() if name.startswith("PBEM_")}
    assert faults_of_environment(ours, tmp_path) == []
    assert values(file, "EnvironmentFile") == ["/etc/pbem/environment"]


def test_the_example_is_all_that_a_server_needs(tmp_path: Path) -> None:
    text = (UNITS / "environment.example").read_text()
    pairs = dict(re.findall(r"^#?([A-Z_]+)=(.*)$", text, re.MULTILINE))
    given = dict(re.findall(r"^([A-Z_]+)=(.*)$", text, re.MULTILINE))
    assert faults_of_environment(given, tmp_path, is_serving=True) == []
    pairs.pop("WEB_CONCURRENCY")
    assert faults_of_environment(pairs, tmp_path, is_serving=True) == []


def test_all_are_kept_from_the_same_things_and_come_back() -> None:
    def hardening(file: Path) -> str:
        return file.read_text().partition("# What it may not do.")[2].partition("\n[")[0].strip()

    assert len({hardening(file) for file in SERVICES}) == 1
    for word in ("NoNewPrivileges=yes", "ProtectSystem=strict", "PrivateTmp=yes"):
        assert word in hardening(SERVICES[0])
    for file in SERVICES:
        assert values(file, "User") == ["pbem"]
        if file.name != "pbem-backup.service":
            assert values(file, "Restart") == ["always"]
            assert values(file, "StartLimitIntervalSec") == ["0"]


def test_the_page_enables_every_part() -> None:
    page = (DEPLOY.parent / "docs" / "operations.md").read_text()
    for lane in LANES:
        assert re.search(rf"pbem-worker@\{{[a-z,]*{lane}", page)
    for name in NAMES:
        assert name.removesuffix(".service").removesuffix("@") in page
