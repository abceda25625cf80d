"""Commands behind doors: only what is called is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CALLED = """
import sys
from pbem.cli import main
main({words}, standalone_mode=False)
print("loaded", *sorted(name for name in sys.modules if name.startswith("pbem.")))
"""


def loaded_by(*words: str) -> set[str]:
    """The modules of ours that a process has when a command has come to its end."""
    done = subprocess.run(
        [sys.executable, "-c", CALLED.format(words=list(words))],
        capture_output=True,
        check=True,
        cwd=ROOT,
        text=True,
    )
    return set(done.stdout.splitlines()[-1].split()[1:])


def test_the_list_of_commands_loads_none_of_them() -> None:
    assert loaded_by("--help") == {"pbem.cli", "pbem.cli.doors"}


def test_a_server_loads_no_other_command() -> None:
    found = {name for name in loaded_by("serve", "--help") if name.startswith("pbem.cli")}
    assert found == {
        "pbem.cli",
        "pbem.cli.doors",
        "pbem.cli.inputs",
        "pbem.cli.serve",
        "pbem.cli.showing",
        "pbem.cli.stopping",
    }
