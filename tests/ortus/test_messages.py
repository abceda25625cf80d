"""Every refusal has a sentence, and every sentence gets the facts it needs."""

from __future__ import annotations

import ast
from functools import cache
from importlib import resources
from random import Random
from string import Formatter

import pytest

from notation.reading import ERROR_CODES
from pbem.games.base import Fault, Refused
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.illegal import CLAUSES
from pbem.games.ortus.messages import SENTENCES, explain
from pbem.games.ortus.sampling import random_setup
from tests.ortus.drawing import HOUSES
from tests.ortus.games import GAME, random_table, study

RAISED = {"Illegal", "Ambiguous", "Unfit", "RecordFault", "Fault"}


@cache
def functions() -> list[ast.FunctionDef]:
    package = resources.files("pbem.games.ortus")
    return [
        node
        for file in package.iterdir()
        if file.name.endswith(".py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]


def returned_texts() -> dict[str, set[str]]:
    """The texts that functions return, by the function's name."""
    found: dict[str, set[str]] = {}
    for function in functions():
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                found.setdefault(function.name, set()).update(texts(node.value, function))
    return found


def texts(node: ast.expr, function: ast.FunctionDef) -> set[str]:
    """All texts that an expression may be, as far as it can be seen."""
    match node:
        case ast.Constant(str() as text):
            return {text}
        case ast.IfExp(_, yes, no):
            return texts(yes, function) | texts(no, function)
        case ast.Name(name):
            return {
                text
                for assigned in assignments(function, name)
                for text in texts(assigned, function)
            }
    return set()


def assignments(function: ast.FunctionDef, name: str) -> list[ast.expr]:
    return [
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]


def facts_of(call: ast.Call, function: ast.FunctionDef) -> set[str]:
    found = set()
    for argument in call.args:
        if isinstance(argument, ast.Dict):
            found |= texts_in(argument.keys)
    for keyword in call.keywords:
        if keyword.arg is not None:
            found.add(keyword.arg)
        elif isinstance(keyword.value, ast.Name):
            for assigned in assignments(function, keyword.value.id):
                assert isinstance(assigned, ast.Dict)
                found |= texts_in(assigned.keys)
    return found


def texts_in(nodes: list[ast.expr | None]) -> set[str]:
    return {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@cache
def raised() -> list[tuple[str, str, set[str]]]:
    """Each place that makes a fault: who makes it, its code, its facts."""
    found = []
    returned = returned_texts()
    for function in functions():
        for node in ast.walk(function):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id not in RAISED or not node.args:
                continue
            first = node.args[0]
            codes = texts(first, function)
            if isinstance(first, ast.Call) and isinstance(first.func, ast.Name):
                codes = returned.get(first.func.id, set())
            found += [(node.func.id, code, facts_of(node, function)) for code in codes]
    return found


def fields(sentence: str) -> set[str]:
    names = [name for _, name, _, _ in Formatter().parse(sentence) if name]
    return {name.split("[")[0] for name in names}


def test_every_code_has_a_sentence_and_every_sentence_a_code() -> None:
    codes = {code for _, code, _ in raised()}
    assert codes == set(SENTENCES)


def test_every_illegal_action_cites_its_clause_and_every_clause_is_cited() -> None:
    illegal = {code for kind, code, _ in raised() if kind in {"Illegal", "Ambiguous"}}
    others = {code for kind, code, _ in raised() if kind == "Unfit"}
    assert illegal <= set(CLAUSES)
    assert set(CLAUSES) <= illegal | others


@pytest.mark.parametrize("code", sorted(SENTENCES))
def test_each_place_that_raises_it_gives_the_facts_of_the_sentence(code: str) -> None:
    for kind, raised_code, facts in raised():
        if raised_code == code:
            # The order is added where an illegal action becomes a fault.
            added = {"order"} if kind in {"Illegal", "Ambiguous"} else set()
            assert fields(SENTENCES[code]) <= facts | added


@pytest.mark.parametrize("code", sorted(ERROR_CODES))
def test_what_cannot_be_read_is_told_as_found_and_expected(code: str) -> None:
    fault = Fault(f"syntax_{code}", "N1", {"found": "G{4", "expected": "a hex"}, 1, 1)
    assert explain(fault) == "Found `G{4`, expected a hex."
    at_end = Fault(f"syntax_{code}", "N1", {"found": "  ", "expected": "a hex"}, 1, 1)
    assert explain(at_end) == "Found the end of the orders, expected a hex."


def wild_order(rng: Random) -> str:
    who = rng.choice("WEAF") + str(rng.randrange(1, 9))
    to = rng.choice("ABCDEFGHIJKLMNO") + str(rng.randrange(1, 16))
    landing = rng.choice("ABCDEFGHIJKLMNO") + str(rng.randrange(1, 16))
    return rng.choice(
        [
            f"{who}>{to}",
            f"{who}:kite>{to}",
            f"{who} str {to}",
            f"{who} rng {to}",
            f"{who} chg {to}",
            f"{who} wave {to}@{landing}",
            f"{who} six {to}",
            f"drg {to}",
            f"guide>{to}",
            f"{who} ret {to}",
            f"{who} ret guide",
            f"{to}+",
            f"{to}- {landing}+",
            "block",
            f"bid {rng.randrange(20)}",
            "pass",
            f"setup {random_setup(rng)}",
            "claim draw",
            "draw+",
            f"standing: block {who}",
        ]
    )


@pytest.mark.parametrize("level", LEVELS)
def test_faults_of_wild_orders_are_explained(level: str) -> None:
    rng = Random(level)
    seen: set[str] = set()
    for number in range(3):
        game = random_table(number, {"level": level, "bid": True}, entries=rng.randrange(60))
        game.send("gold", "standing: off")
        for _ in range(150):
            done = GAME.submit(game.state, rng.randrange(2), wild_order(rng))
            if isinstance(done, Refused):
                for fault in done.faults:
                    sentence = explain(fault)
                    assert sentence
                    assert "{" not in sentence
                    assert fault.clause
                    seen.add(fault.code)
    assert len(seen) > 8


def test_what_a_player_reads() -> None:
    game = study(gold="W1@F4 E3@x", black="A4@I4 E3@N8", level="wind", guide=("J2", None))

    def told(text: str, house: str = "gold") -> str:
        done = GAME.submit(game.state, HOUSES.index(house), text)
        assert isinstance(done, Refused)
        return explain(done.faults[0])

    assert told("W2>J2") == "W2 is not one of your warriors: slot 2 holds F2."
    assert told("W1>F5") == "W1 does not walk at this level: it flies, as `W1:kite>E7`."
    assert told("E3>J2") == "E3 is Fallen: it can only be put back, with `E3 ret`."
    assert told("W1 chg I4@H4") == "W1 has no `chg` at this level; its attacks: rng, str."
    assert told("A5>A9; E6>M5") == "That costs 4 Energy, and you have 3."
