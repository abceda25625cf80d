"""Parts without languages: what they say in English is in a book, and so can be said in any."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random
from string import Formatter

import pytest

import notation
import pbem
from pbem.games.base import OptionsError, Refused
from pbem.games.ortus.expectations import EXPECTED, OPTION_FAULTS
from pbem.games.ortus.options import parse_options
from pbem.phrasebook import Phrasebook
from pbem.play.saying import FAULTS, say_fault, say_faults, say_schedule_error
from pbem.schedule.errors import ScheduleError
from pbem.schedule.leave import parse_leave
from pbem.tongue import ENGLISH, Tongue
from tests.ortus.games import GAME, TWO_ARCHERS, study

MARKED = Tongue("xx", lambda text: f"<{text}>", lambda one, many, count: f"<{many}>")
"""A language in which every text stands between angles."""

NOTATION = ("cursor", "decision_reading", "order_faults", "order_reading", "reading", "standing")
SCHEDULE = ("calendar", "durations", "leave", "rules", "zones")
PLAY = ("players", "terms", "events/charters")
PIECES = {
    "a warrior such as W3",
    "1, without a space inside",
    "eight elements for slots 1 to 8, two each of W, E, A and F",
    "; there are 1",
    "a Power",
    "an Energy",
    "1 from 0 to 1",
    "a duration 1",
    "such as 14d, 36h or 1d12h",
    "with the larger units first",
    "of at most 1000 days",
}
"""Of these longer texts are put together."""

NO_TEXTS = {"30d+1d cap 60d defence 4d fall"}
"""Written by players, in every language alike."""


def phrases(package: str, modules: tuple[str, ...]) -> Iterator[str]:
    """Every English phrase in some modules that is no docstring, its facts replaced by a 1."""
    folder = Path({"notation": notation.__file__}.get(package, pbem.__file__)).parent
    for module in modules:
        path = folder.joinpath(*package.split(".")[1:], f"{module}.py")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                child.parent = node  # type: ignore[attr-defined]
        for node in ast.walk(tree):
            text = _phrase(node)
            if text is not None and " " in text and not isinstance(_parent(node), ast.JoinedStr):
                yield text


def _parent(node: ast.AST) -> ast.AST | None:
    return getattr(node, "parent", None)


def _phrase(node: ast.AST) -> str | None:
    if isinstance(_parent(node), ast.Expr):
        return None  # a docstring
    match node:
        case ast.Constant(str() as text):
            return text
        case ast.JoinedStr(values):
            parts = [part.value if isinstance(part, ast.Constant) else "1" for part in values]
            return "".join(map(str, parts))
    return None


def is_prose(text: str) -> bool:
    """Whether a text has words; patterns, spellings and examples of orders have hardly any."""
    return len([word for word in text.split() if word.strip(",;:").isalpha()]) > 1


@pytest.mark.parametrize(
    ("package", "modules", "texts"),
    [
        ("notation", NOTATION, EXPECTED),
        ("pbem.schedule", SCHEDULE, FAULTS),
        ("pbem.play", PLAY, FAULTS),
        ("pbem.games.ortus", ("options",), OPTION_FAULTS),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_phrase_is_in_its_book_and_every_text_of_the_book_is_said(
    package: str, modules: tuple[str, ...], texts: tuple[str, ...]
) -> None:
    book = Phrasebook(texts)
    said = {text for text in phrases(package, modules) if is_prose(text)} - PIECES - NO_TEXTS
    assert [text for text in sorted(said) if book.find(text) is None] == []


@pytest.mark.parametrize("text", [*EXPECTED, *OPTION_FAULTS, *FAULTS])
def test_a_text_is_found_again_with_its_facts(text: str) -> None:
    book = Phrasebook([*EXPECTED, *OPTION_FAULTS, *FAULTS])
    facts = {"warrior": "W3", "order": "W3 rng G4", "count": "7"}
    names = [name for _, name, _, _ in Formatter().parse(text) if name]
    filled = {name: facts.get(name, f"x{number}") for number, name in enumerate(names)}
    found = book.find(text.format(**filled))
    assert found is not None
    assert found[0].format(**found[1]) == text.format(**filled)
    assert MARKED.say(text, **filled) == book.say(text.format(**filled), MARKED)


def test_facts_that_are_texts_and_several_texts_are_said_too() -> None:
    book = Phrasebook(["expected {what}", "a {thing}", "it is late"])
    assert book.say("expected a hex", MARKED) == "<expected <a hex>>"
    assert book.say("it is late; expected a hex", MARKED) == "<it is late>; <expected <a hex>>"
    assert book.say("unheard of", MARKED) == "unheard of"
    assert book.say("it is late", ENGLISH) == "it is late"


JUNK = (
    *(
        "F2",
        ">",
        "G4",
        "rng",
        "x",
        "[",
        "]",
        "|",
        "-",
        "+",
        ":",
        ";",
        "end",
        "kite",
        "all",
        "block",
    ),
    *("setup", "WWEE", "bid", "draw", "claim", "standing:", "keep", "<=", "9", "W", "3", "@", "Z9"),
    *(
        "fall",
        ",",
        "guide",
        "ret",
        "resign",
        "P4",
        "A15",
        "hello",
        "drg",
        "wave",
        "\n",
        "wind",
        "=",
    ),
)


def test_no_word_of_a_syntax_error_stays_english() -> None:
    rng = Random(4)
    game = study(**TWO_ARCHERS)
    kinds = set()
    for _ in range(1200):
        text = " ".join(rng.choices(JUNK, k=rng.randrange(1, 7)))
        done = GAME.submit(game.state, 0, text)
        if not isinstance(done, Refused):
            continue
        for fault in done.faults:
            said = GAME.explain(fault, tongue=MARKED)
            assert said.startswith("<"), (text, said)
            if fault.code.startswith("syntax_"):
                expected = str(fault.facts["expected"])
                assert f"expected <{expected[0]}" in said, (text, said)
                kinds.add(fault.code)
    assert len(kinds) > 20


def test_what_is_wrong_with_options_settings_and_leaves_is_said() -> None:
    with pytest.raises(OptionsError) as wrong:
        parse_options({"level": "novice", "dice": 3, "bid": 1, "handicap": "x", "speed": "fast"})
    for text in say_faults(wrong.value.faults, tongue=MARKED).values():
        assert text.startswith("<")
        assert text.endswith(">")
    with pytest.raises(ScheduleError) as late:
        parse_leave("2026-13-20 tomorrow")
    assert all(text.startswith("<") for text in say_schedule_error(late.value, tongue=MARKED))
    rule = "line 1, column 1: found 'blok', expected block, fall or ask"
    assert "expected <block, fall or ask>" in say_fault(rule, tongue=MARKED)
