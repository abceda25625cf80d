"""The pages for operators name every setting and every command that there is."""

from __future__ import annotations

import re
import shlex
import tomllib

import click
import pytest

from pbem import config, setting_files
from pbem.cli import main
from pbem.store.database import make_engine
from tests.deploy.reading import DEPLOY, fault_of_command, read_yaml
from tests.docs.pages import DOCS, ROOT
from workers.jobs import LANES

OPERATIONS = (DOCS / "operations.md").read_text(encoding="utf-8")
ENVIRONMENT = (DEPLOY / "systemd" / "environment.example").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def settings_in_code() -> set[str]:
    """Every variable that is read, as the modules that read them write it."""
    found: set[str] = set()
    for module in (config, setting_files):
        assert module.__file__ is not None
        with open(module.__file__, encoding="utf-8") as file:
            found |= set(re.findall(r'"(PBEM_[A-Z_]*[A-Z])"', file.read()))
    return found | {f"PBEM_WEBHOOK_{name.upper()}" for name in config.WEBHOOKS}


def settings_in_table() -> set[str]:
    table = OPERATIONS.partition("| variable |")[2].partition("\n\n")[0]
    found: set[str] = set()
    for row in table.splitlines()[2:]:
        names = re.findall(r"`(PBEM_[A-Z_]+|_[A-Z]+)`", row.split("|")[1])
        stem = names[0].rpartition("_")[0]
        found |= {stem + name if name.startswith("_") else name for name in names}
    return found


def test_every_setting_is_in_the_table_and_no_other() -> None:
    assert settings_in_table() == settings_in_code()


@pytest.mark.parametrize("name", setting_files.SECRETS)
def test_what_may_come_from_a_file_is_told(name: str) -> None:
    told = OPERATIONS.partition("What is secret can come from a file")[2].partition("\n\n")[0]
    wanted = "PBEM_WEBHOOK_…" if name.startswith("PBEM_WEBHOOK_") else name
    assert f"`{wanted}`" in told


def test_the_readme_has_every_command() -> None:
    block = README.partition("## The commands")[2].split("```")[1]
    named = re.findall(r"^pbem ([a-z]+)", block, re.MULTILINE)
    assert len(named) == len(set(named))
    assert set(named) == set(main.commands)


def test_workers_of_their_own_are_started_as_told() -> None:
    part = OPERATIONS.partition("### Workers of their own")[2].partition("\n#")[0]
    block = part.split("```")[1].strip()
    commands = [shlex.split(re.split(r" {2,}", line)[0]) for line in block.splitlines()]
    assert {" ".join(words[:1]) for words in commands} == {"pip", "celery", "gunicorn", "pbem"}
    for words in commands:
        if words[0] == "pip":
            assert any(name.startswith("gunicorn") for name in extra_of(words[-1]))
        elif words != ["celery", "-A", "workers", "worker"]:  # which does all jobs
            assert fault_of_command(words) is None, words
    (conf,) = [ROOT / words[2] for words in commands if words[0] == "gunicorn"]
    assert conf.is_file()
    assert any("-Q" in words for words in commands)
    named = set(re.findall(r"`(pbem\.[a-z]+)`", part))
    assert named == {f"pbem.{lane}" for lane in LANES}


def test_commands_of_an_upgrade_are_whole() -> None:
    part = OPERATIONS.partition("\n## Upgrade\n")[2]
    commands = re.findall(r"`(pbem [^`]+)`", part)
    assert {"pbem db upgrade", "pbem status"} <= set(commands)
    assert [fault for each in commands if (fault := fault_of_command(shlex.split(each)))] == []


def test_commands_as_the_server_sees_it() -> None:
    part = OPERATIONS.partition("### As the server sees it")[2].partition("\n#")[0]
    lines = part.split("```")[1].replace("\\\n", "").strip().splitlines()
    systemd, compose, kubernetes = map(shlex.split, lines)
    for words in (systemd, compose, kubernetes):
        assert words[-2].removeprefix("/opt/pbem/bin/") == "pbem"
        assert fault_of_command(["pbem", words[-1]]) is None
    told = {word for word in systemd if "=" in word}
    unit = (DEPLOY / "systemd" / "pbem.service").read_text().splitlines()
    assert {each.partition(" ")[0] for each in unit} >= told
    [services] = read_yaml(DEPLOY / compose[compose.index("-f") + 1].removeprefix("deploy/"))
    assert compose[compose.index("exec") + 1] in services["services"]
    deployed = read_yaml(DEPLOY / "kubernetes" / "workers.yaml")
    name = kubernetes[kubernetes.index("exec") + 1].removeprefix("deploy/")
    assert name in {each["metadata"]["name"] for each in deployed}


def test_connections_are_counted_as_the_units_start_processes() -> None:
    worker = (DEPLOY / "systemd" / "pbem-worker@.service").read_text()
    each = re.search(r"^Environment=PROCESSES=(\d+)$", worker, re.MULTILINE)
    web = re.search(r"^#WEB_CONCURRENCY=(\d+)$", ENVIRONMENT, re.MULTILINE)
    assert each is not None
    assert web is not None
    workers, pages = int(each[1]) * len(LANES), int(web[1])
    number = workers + pages + 2
    at_once = number * make_engine("postgresql://localhost/pbem").pool.size()  # type: ignore[attr-defined]
    told = " ".join(OPERATIONS.partition("### What it takes")[2].partition("\n#")[0].split())
    assert f"{number} processes ({workers} of workers, {pages} of the web, the listener" in told
    assert f"may want {at_once} and more" in told
    allowed = re.search(r"`max_connections = (\d+)`", told)
    assert allowed is not None
    assert int(allowed[1]) > at_once


def extra_of(wanted: str) -> list[str]:
    """What is installed with ``.[…]``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: list[str] = project["optional-dependencies"][wanted.strip(".[]")]
    return found


@pytest.mark.parametrize("group", ["mail", "db"])
def test_the_page_has_every_command_of_a_group(group: str) -> None:
    _, found, _ = main.resolve_command(click.Context(main), [group])
    assert isinstance(found, click.Group)
    named = re.findall(rf"^pbem {group} ([a-z]+)", OPERATIONS, re.MULTILINE)
    assert {*found.commands} <= {*named}


@pytest.mark.parametrize(
    "name",
    ["demo", "doctor", "serve", "listen", "status", "trace", "ingest", "verify", "dice"],
)
def test_the_page_names_what_runs_and_checks_a_server(name: str) -> None:
    assert f"pbem {name}" in OPERATIONS
