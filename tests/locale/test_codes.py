"""Every code that a player may be answered with has a sentence, and its facts are there."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import get_args

import pbem
import pbem.play
from pbem.mail.guards import Sign
from pbem.mail.quotes import Doubt
from pbem.mail.refusals import DOUBTS, MACHINES, NOT_ALLOWED, say_not_allowed
from pbem.play.errors import NotAllowedError, PlayError
from pbem.play.players import PlayerFaults
from pbem.tongue import ENGLISH
from pbem.tournaments.acts import NOT_NOW, ActRefused
from pbem.tournaments.ladder import Hindrance

SAID_OTHERWISE = {PlayError.code, PlayerFaults.code}
"""The root, which is never raised, and faults by field, which each have their own text."""


def raised() -> Iterator[tuple[str, set[str]]]:
    """Each code of a PlayError with the facts it comes with."""
    for module in pkgutil.walk_packages(pbem.play.__path__, "pbem.play."):
        importlib.import_module(module.name)
    for kind in PlayError.__subclasses__():
        yield kind.code, set()
    for path in Path(pbem.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    ast.Name(NotAllowedError.__name__ | ActRefused.__name__),
                    [ast.Constant(str() as code)],
                ):
                    yield code, {keyword.arg or "" for keyword in node.keywords}
                case ast.Call(
                    ast.Name(Hindrance.__name__), [ast.Constant(str() as code), ast.Dict(keys)]
                ):
                    yield code, {str(key.value) for key in keys if isinstance(key, ast.Constant)}
    yield from ((code, set()) for code in NOT_NOW.values())


def test_every_refusal_of_a_use_case_has_a_sentence() -> None:
    assert {code for code, _ in raised()} - SAID_OTHERWISE == set(NOT_ALLOWED)


def test_every_refusal_comes_with_the_facts_of_its_sentence() -> None:
    for code, facts in raised():
        if facts:
            needed = {name for _, name, _, _ in Formatter().parse(NOT_ALLOWED[code]) if name}
            assert needed <= facts, code
            assert "?" not in say_not_allowed(code, dict.fromkeys(facts, 7), ENGLISH)


def test_every_doubt_and_every_sign_of_a_machine_has_words() -> None:
    assert {doubt.value for doubt in Doubt} <= set(DOUBTS)
    assert set(get_args(Sign)) == set(MACHINES)
