"""What the files under deploy/ say: processes with their commands and environments, and whether
this program knows them."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import yaml

import pbem.config
from pbem.cli import main
from pbem.config import read_leniently
from pbem.setting_files import SECRETS
from workers.jobs import LANES

TOP = Path(__file__).parents[2]
DEPLOY = TOP / "deploy"
PROGRAMS = Path(sys.executable).parent
"""Where programs of installed packages are."""

_SET = re.compile(r'"(PBEM_[A-Z_]+[A-Z])"')
KNOWN = frozenset(
    _SET.findall(Path(pbem.config.__file__).read_text())
    + [f"{name}_FILE" for name in SECRETS]
    + list(SECRETS)
)
"""The variables that a server knows."""

SAMPLES = {
    "PBEM_SECRET": "0123456789abcdef0123456789abcdef",
    "PBEM_DATABASE_URL": "postgresql://pbem:word@postgres/pbem",
    "PBEM_BROKER_URL": "redis://:word@redis:6379/0",
    "PBEM_SMTP_URL": "smtp://pbem:word@mail.example.org",
}
"""What secrets might hold."""

VARIABLE = re.compile(r"\$\{([A-Z_]+)(?::([-?])([^}]*))?\}")
"""A variable in the compose file, with what is said of it where it is not set."""
GIVEN = {"PBEM_MAIL_DOMAIN": "play.example.org", "PBEM_SITE_URL": "https://play.example.org"}


def read_yaml(file: Path) -> list[Any]:
    """The documents of a file."""
    return [each for each in yaml.safe_load_all(file.read_text()) if each is not None]


def filled_in(text: str) -> str:
    """A text as compose reads it with the example's settings."""

    def find(match: re.Match[str]) -> str:
        return GIVEN.get(match[1]) or (match[3] if match[2] == "-" else "")

    return VARIABLE.sub(find, text).replace("$$", "$")


def fault_of_command(words: Sequence[str]) -> str | None:
    """Why a command would not start; None if it would."""
    program, *rest = words
    if program == "pbem":
        return _fault_of_pbem(rest)
    if program == "gunicorn":
        is_ours = rest[-1] == "wsgi:app" and "gunicorn_conf.py" in rest[rest.index("--config") + 1]
        return None if is_ours else f"gunicorn {rest}"
    if program == "celery":
        return _fault_of_celery(rest)
    return f"{program} is none of our programs"


def _fault_of_pbem(words: Sequence[str]) -> str | None:
    command: click.Command = main
    rest = list(words)
    try:
        while isinstance(command, click.Group):
            _, found, rest = command.resolve_command(click.Context(command), rest or [""])
            assert found is not None  # it raises if there is none
            command = found
        command.make_context(command.name, rest)
    except click.ClickException as error:
        return f"pbem {' '.join(words)}: {error.format_message()}"
    return None


def _fault_of_celery(words: Sequence[str]) -> str | None:
    from celery.bin.celery import celery

    if list(words[:2]) != ["-A", "workers"]:
        return "it is not our app"
    kind = celery.commands[words[2]]
    try:
        context = kind.make_context(words[2], list(words[3:]), resilient_parsing=True)
    except click.ClickException as error:
        return error.format_message()
    known = {f"pbem.{lane}" for lane in LANES}
    queues = {each for each in context.params.get("queues") or () if each}
    if words[2] == "worker" and (not queues or not queues <= known):
        return f"{queues} are not all queues of ours"
    return None


def processes_of(words: Sequence[str], environ: Mapping[str, str]) -> int:
    """How many processes of a command tell Prometheus of themselves: those that do the work, not
    the one that watches over them."""
    if "--concurrency" in words:
        return int(words[words.index("--concurrency") + 1])
    return int(environ["WEB_CONCURRENCY"]) if words[0] == "gunicorn" else 1


def faults_of_environment(
    environ: Mapping[str, str], samples: Path, *, is_serving: bool = False
) -> list[str]:
    """What a process would say of its environment; secrets from files are made up."""
    made = dict(environ)
    faults = [f"{name} is not known" for name in made if _is_strange(name)]
    for name in SECRETS:
        if f"{name}_FILE" in made:
            file = samples / name
            file.write_text(SAMPLES.get(name, "a made-up secret"))
            made[f"{name}_FILE"] = str(file)
    made.setdefault("HOME", "/nonexistent")
    return faults + read_leniently(made, is_serving=is_serving)[1]


def _is_strange(name: str) -> bool:
    return name.startswith("PBEM_") and name not in KNOWN
