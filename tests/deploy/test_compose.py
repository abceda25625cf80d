"""The compose file: by its schema, and by what this program knows."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.reading import (
    DEPLOY,
    GIVEN,
    PROGRAMS,
    VARIABLE,
    fault_of_command,
    faults_of_environment,
    filled_in,
    read_yaml,
)
from workers.jobs import LANES

FILE = DEPLOY / "compose.yaml"
OURS = ("web", "listener", "reader", "sender", "clocks", "beat", "migrate", "backup")
LASTING = OURS[:6]
NOT_OURS = {"WEB_CONCURRENCY"}
"""Set for gunicorn."""


@pytest.fixture(scope="module")
def compose() -> Any:
    [document] = read_yaml(FILE)
    return document


def test_schema() -> None:
    done = subprocess.run(
        [PROGRAMS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", FILE],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", OURS)
def test_commands_can_be_run(compose: Any, name: str) -> None:
    words = [filled_in(word) for word in compose["services"][name]["command"]]
    assert fault_of_command(words) is None


def test_every_lane_has_a_worker(compose: Any) -> None:
    words = [word for name in OURS for word in compose["services"][name]["command"]]
    queues = {queue for word in words for queue in word.split(",") if queue.startswith("pbem.")}
    assert queues == {f"pbem.{lane}" for lane in LANES}


@pytest.mark.parametrize("name", OURS)
def test_environments_are_understood(compose: Any, name: str, tmp_path: Path) -> None:
    environ = {
        key: filled_in(value) for key, value in compose["services"][name]["environment"].items()
    }
    assert {each for each in environ if not each.startswith("PBEM_")} <= NOT_OURS
    assert faults_of_environment(environ, tmp_path, is_serving=True) == []


@pytest.mark.parametrize("name", OURS)
def test_ours_have_no_rights_they_do_not_need(compose: Any, name: str) -> None:
    service = compose["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in service
    assert "user" not in service  # the image has one


def test_who_waits_for_whom(compose: Any) -> None:
    services = compose["services"]
    for name, service in services.items():
        for needed in service.get("depends_on", {}):
            assert needed in services, f"{name} needs {needed}"
    for name in LASTING:
        needs = services[name]["depends_on"]
        assert needs["migrate"]["condition"] == "service_completed_successfully"
        assert services[name]["restart"] == "unless-stopped"
    assert services["migrate"]["depends_on"]["postgres"]["condition"] == "service_healthy"


def test_everything_named_is_defined_and_secrets_come_from_files(compose: Any) -> None:
    for name, service in compose["services"].items():
        for kind in ("secrets", "networks"):
            assert set(service.get(kind, ())) <= set(compose[kind]), name
        for volume in service.get("volumes", ()):
            assert volume.split(":")[0] in compose["volumes"]
    for secret in compose["secrets"].values():
        assert set(secret) == {"file"}
    made = (DEPLOY / "make-secrets").read_text()
    for name in compose["secrets"]:
        assert f"keep {name} " in made


def test_what_lasts_is_watched_and_may_finish(compose: Any) -> None:
    for name, service in compose["services"].items():
        if name in ("migrate", "backup"):
            assert service["healthcheck"] == {"disable": True}
        elif name not in ("postfix", "listener"):  # theirs is in the image
            assert service["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")
        if name != "redis":
            assert re.fullmatch(r"\d+s", service["stop_grace_period"])


def test_settings_of_the_example_are_those_that_are_used() -> None:
    used = {match[0] for match in VARIABLE.findall(FILE.read_text())}
    example = re.findall(r"^#?([A-Z_]+)=", (DEPLOY / "env.example").read_text(), re.MULTILINE)
    assert set(example) <= used
    needed = {match[0] for match in VARIABLE.findall(FILE.read_text()) if match[1] == "?"}
    assert needed <= set(example)
    assert needed == set(GIVEN)


def test_secrets_are_made_once(tmp_path: Path) -> None:
    script = tmp_path / "make-secrets"
    script.write_bytes((DEPLOY / "make-secrets").read_bytes())
    script.chmod(0o755)
    contents = []
    for _ in range(2):
        subprocess.run([script], check=True, capture_output=True)
        contents.append({each.name: each.read_text() for each in tmp_path.glob("secrets/*")})
    assert contents[0] == contents[1]
    assert len(contents[0]["secret"].strip()) == 64
    assert contents[0]["postgres_password"].strip() in contents[0]["database_url"]
    assert (tmp_path / "secrets").stat().st_mode & 0o077 == 0
