"""Every error code that a module gives stands in its public list, so that it can be translated."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import notation.position_line
import notation.record_errors
import notation.standing

PACKAGE = Path(__file__).parents[2] / "notation"
# The first string of a call that makes an error; the code of a TagFault is its second.
_CALL = re.compile(
    r'(?:fail|number|error|error_at|report|_fault|_turn_fault|NotationError)\(\s*"([a-z_]+)"'
    r'|TagFault\([^,()]+, "([a-z_]+)"'
    r'|code, expected = "([a-z_]+)"|self.error\("([a-z_]+)" if deep else "([a-z_]+)"'
)


def _codes_in(*modules: str) -> set[str]:
    found: set[str] = set()
    for module in modules:
        source = (PACKAGE / f"{module}.py").read_text(encoding="utf-8")
        found |= {code for groups in _CALL.findall(source) for code in groups if code}
    return found


@pytest.mark.parametrize(
    ("listed", "modules"),
    [
        (notation.standing.ERROR_CODES, ["standing"]),
        (notation.position_line.ERROR_CODES, ["position_line"]),
        (
            notation.record_errors.ERROR_CODES,
            [path.stem for path in sorted(PACKAGE.glob("record*.py"))],
        ),
    ],
    ids=["standing", "position_line", "record"],
)
def test_every_code_is_listed(listed: frozenset[str], modules: list[str]) -> None:
    assert _codes_in(*modules) == listed
