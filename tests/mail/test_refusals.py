"""Every reason why something was not done has words."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

import pbem
from pbem.catalogues import get_tongue
from pbem.mail.guards import Sign
from pbem.mail.quotes import Doubt
from pbem.mail.refusals import DOUBTS, MACHINES, NOT_ALLOWED, say_not_allowed
from pbem.play.errors import NotAllowedError, PlayError

SOURCE = Path(pbem.__file__).parent
RAISED = re.compile(
    r"""(?:NotAllowedError|PlayError|ActRefused)\(\s*"([a-z_]+)"((?:[^()]|\([^()]*\))*)\)"""
)


def raised() -> dict[str, set[str]]:
    """The codes that are raised, with the names of their facts."""
    found: dict[str, set[str]] = {}
    for file in SOURCE.rglob("*.py"):
        for code, facts in RAISED.findall(file.read_text(encoding="utf-8")):
            found.setdefault(code, set()).update(re.findall(r"(\w+)=", facts))
    errors: list[type[PlayError]] = [PlayError, *PlayError.__subclasses__()]
    for error in errors:
        found.setdefault(error.code, set())
    return found


def test_every_code_has_a_sentence() -> None:
    codes = set(raised()) - {PlayError.code, "player_faults"}
    assert len(codes) > 20
    assert codes - set(NOT_ALLOWED) == set()


def test_a_sentence_names_only_facts_that_are_given() -> None:
    given = raised() | {
        "no_such_game": {"game"},
        "no_such_invitation": {"invitation"},
        "no_such_study": {"study"},
        "no_such_event": {"event"},
        "challenge_too_far": {"places", "reach"},
        "challenge_too_soon": {"until"},
    }
    for code, text in NOT_ALLOWED.items():
        named = {name for _, name, _, _ in Formatter().parse(text) if name}
        assert named <= given.get(code, set()), code


def test_every_doubt_and_every_sign_of_a_machine_has_words() -> None:
    assert {str(doubt) for doubt in Doubt} <= set(DOUBTS)
    assert set(get_args(Sign)) == set(MACHINES)


@pytest.mark.parametrize("code", ["game_over", "of_another_release"])
def test_what_was_stored_by_another_release_is_still_said(code: str) -> None:
    said = say_not_allowed(code, {}, get_tongue("nl"))
    assert said
    assert "{" not in said


def test_a_code_of_its_own_is_kept() -> None:
    assert NotAllowedError("plays_oneself").code == "plays_oneself"
