"""What goes into the image is named with version and hash, and is what pyproject asks for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.deploy.reading import DEPLOY, TOP

_LOCKED = re.compile(r"([A-Za-z0-9._-]+)(?:\[[a-z,]+\])?==([^\s;\\]+)")
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text())


def locked(name: str) -> dict[str, tuple[Version, int]]:
    """Each package of a lock file with its version and the number of its hashes."""
    found: dict[str, tuple[Version, int]] = {}
    current = ""
    for line in (DEPLOY / name).read_text().splitlines():
        if match := _LOCKED.match(line):
            current = canonicalize_name(match[1])
            found[current] = (Version(match[2]), 0)
        elif re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?", line):
            version, hashes = found[current]
            found[current] = (version, hashes + 1)
        else:
            assert line.startswith("#"), f"{name}: {line}"
    return found


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        (
            "requirements.lock",
            PROJECT["project"]["dependencies"]
            + PROJECT["project"]["optional-dependencies"]["server"],
        ),
        ("build.lock", PROJECT["build-system"]["requires"]),
    ],
)
def test_everything_asked_for_is_locked_in_range(name: str, wanted: Sequence[str]) -> None:
    there = locked(name)
    for text in wanted:
        asked = Requirement(text)
        anew = f"{name} does not fit {text}: make it anew, its first lines say how"
        assert canonicalize_name(asked.name) in there, anew
        version, _ = there[canonicalize_name(asked.name)]
        assert asked.specifier.contains(version), anew


@pytest.mark.parametrize("name", ["requirements.lock", "build.lock"])
def test_everything_has_hashes_and_no_place_is_named(name: str) -> None:
    assert all(hashes for _, hashes in locked(name).values())
    assert not re.search(
        r"https?:|file:|--(?:index-url|extra-index|find-links)|@ ", (DEPLOY / name).read_text()
    )
