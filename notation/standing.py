"""Standing defence rules as text (N3.1): ``block F* <=4; block all <=2 keep 5; ask all``.

Owns the type of a rule, its reading and its writing. What a rule answers to an attack is
``pbem.games.ortus.defence``; that ``standing:`` takes the rest of its line is ``tokens.py``.

A bare slot (``block 3``) is refused here although orders know it (N1.2): it could as well be
meant as a Power, and a standing rule that was misread is noticed only when a warrior has fallen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, NoReturn

from notation.errors import NotationError
from notation.words import ELEMENTS, WORDS

MAX_RULES: Final = 64
MAX_TEXT: Final = 8192
MAX_NUMBER: Final = 99

ERROR_CODES: Final = frozenset(
    {
        "bad_answer",
        "bad_limit",
        "bad_number",
        "bad_slot",
        "bad_whom",
        "bare_slot",
        "empty_standing",
        "limit_twice",
        "missing_whom",
        "off_with_rules",
        "standing_too_long",
        "too_many_rules",
    }
)


@dataclass(frozen=True, slots=True)
class StandingRule:
    """One rule: ``answer`` is block, fall or ask; ``whom`` is ``all``, ``F*`` or ``W3``."""

    answer: str
    whom: str
    up_to: int | None = None
    keep: int | None = None


_ANSWERS: Final = frozenset({"block", "fall", "ask"})
_ELEMENTS: Final = {"w": "W", "e": "E", "a": "A", "f": "F", **ELEMENTS}

# What mail programs leave between words does no harm (N1.3): any space, quotes, soft hyphens.
_SKIPPED: Final = r"(?:[\s\"'“”‘’„`\u00ad\u200b-\u200d\u2060\ufeff]|&nbsp;)+"
_EXPECTED_ANSWER: Final = "block, fall or ask"
_EXPECTED_WHOM: Final = "all, an element such as F*, or a warrior such as W3"
_EXPECTED_LIMIT: Final = "<= and a Power, keep and an Energy, or ;"


@cache
def _token_pattern() -> re.Pattern[str]:
    """Compiled on first use: most of what is read has no standing rules."""
    return re.compile(
        rf"""
          (?P<skip>{_SKIPPED}|\.(?=\s*(?:[;,\n]|\Z)))
        | (?P<mark>[0-9]{{1,3}}[.)](?=\s))
        | (?P<number>[0-9]+)
        | (?P<word>[^\W\d_]+)
        | (?P<star>\*)
        | (?P<most>(?:<|&lt;)\s*=|=\s*(?:<|&lt;)|≤|&le;)
        | (?P<separator>[;,])
        | (?P<other>.)
        """,
        re.VERBOSE,
    )


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int

    @property
    def word(self) -> str:
        """The canonical word, or what was written in small letters."""
        written = self.text.lower()
        return WORDS.get(written, written)


def parse_standing(text: str, *, line: int = 1, column: int = 1) -> tuple[StandingRule, ...]:
    """Read the rules that stand behind ``standing:``; ``off`` gives no rules at all.

    ``line`` and ``column`` say where ``text`` began, so that errors point into the whole
    submission. Rules may also stand on lines of their own, as in a web form.

    Raises:
        NotationError: at the first thing that cannot be read.
    """
    return _Reader(text, line, column).read()


def format_standing(rules: tuple[StandingRule, ...]) -> str:
    """Write rules canonically, without ``standing:``; no rules are ``off``."""
    return "; ".join(map(_format_rule, rules)) or "off"


def _format_rule(rule: StandingRule) -> str:
    up_to = "" if rule.up_to is None else f" <={rule.up_to}"
    keep = "" if rule.keep is None else f" keep {rule.keep}"
    return f"{rule.answer} {rule.whom}{up_to}{keep}"


class _Reader:
    def __init__(self, text: str, line: int, column: int) -> None:
        self.text = text
        self.line = line
        self.column = column
        if len(text) > MAX_TEXT:
            self.fail("standing_too_long", MAX_TEXT, f"at most {MAX_TEXT} characters of rules")

    def read(self) -> tuple[StandingRule, ...]:
        pieces = self.split()
        if not pieces:
            self.fail("empty_standing", len(self.text), "a rule such as ask all, or off")
        words = [token.word for token in pieces[0] if token.kind != "star"]
        if len(pieces) == 1 and words == ["off"]:
            return ()
        if len(pieces) > MAX_RULES:
            first = pieces[MAX_RULES][0]
            self.fail("too_many_rules", first.start, f"at most {MAX_RULES} rules", first.text)
        return tuple(self.read_rule(piece) for piece in pieces)

    def split(self) -> list[list[_Token]]:
        """The tokens of each rule, without list marks and the stars of ``*bold*`` around it."""
        pieces: list[list[_Token]] = [[]]
        for match in _token_pattern().finditer(self.text):
            kind, found = match.lastgroup or "other", match.group()
            if kind == "separator" or (kind == "skip" and "\n" in found):
                pieces.append([])
            elif kind not in {"skip", "mark"}:
                pieces[-1].append(_Token(kind, found, match.start()))
            elif kind == "mark" and pieces[-1]:
                self.fail("bad_limit", match.start(), _EXPECTED_LIMIT, found)
        for piece in pieces:
            if piece and piece[0].kind == "star":
                del piece[0]
        return [piece for piece in pieces if piece]

    def read_rule(self, tokens: list[_Token]) -> StandingRule:
        first = tokens[0]
        answer = first.word
        if answer not in _ANSWERS:
            if answer == "off":
                self.fail("off_with_rules", first.start, "off alone, or rules", first.text)
            self.fail("bad_answer", first.start, _EXPECTED_ANSWER, first.text)
        whom, next_token = self.read_whom(tokens)
        limits: dict[str, int] = {}
        while next_token < len(tokens):
            token = tokens[next_token]
            if token.kind == "most":
                name, expected = "up_to", "a Power"
            elif token.word == "keep":
                name, expected = "keep", "an Energy"
            elif token.kind == "star" and next_token == len(tokens) - 1:
                break
            else:
                self.fail("bad_limit", token.start, _EXPECTED_LIMIT, token.text)
            if name in limits:
                self.fail("limit_twice", token.start, "each limit once", token.text)
            limits[name] = self.read_number(tokens, next_token + 1, expected)
            next_token += 2
        return StandingRule(answer, whom, limits.get("up_to"), limits.get("keep"))

    def read_whom(self, tokens: list[_Token]) -> tuple[str, int]:
        """Whom a rule is for, and the index of the token behind it."""
        at = 1
        if len(tokens) > 2 and tokens[1].kind == "star" and tokens[2].kind == "word":
            at = 2  # *F* in bold
        if at >= len(tokens):
            self.fail("missing_whom", self.end_of(tokens[-1]), _EXPECTED_WHOM)
        token = tokens[at]
        if token.word == "all":
            return "all", at + 1
        if token.kind == "number":
            expected = f"a warrior with its element, such as W{token.text[:1]}; or <= for a Power"
            self.fail("bare_slot", token.start, expected, token.text)
        letter = _ELEMENTS.get(token.word)
        if letter is None:
            self.fail("bad_whom", token.start, _EXPECTED_WHOM, token.text)
        follower = tokens[at + 1] if at + 1 < len(tokens) else None
        if follower is not None and follower.kind == "star":
            return f"{letter}*", at + 2
        if follower is not None and follower.kind == "number":
            # Only a spelled-out element may stand apart from its slot (N1.3).
            if len(token.word) == 1 and follower.start != self.end_of(token):
                self.fail("bad_whom", token.start, f"{letter}* or {letter}3 in one", token.text)
            if follower.text not in "12345678" or len(follower.text) != 1:
                self.fail("bad_slot", follower.start, "a slot from 1 to 8", follower.text)
            return letter + follower.text, at + 2
        return f"{letter}*", at + 1

    def read_number(self, tokens: list[_Token], at: int, expected: str) -> int:
        wanted = f"{expected} from 0 to {MAX_NUMBER}"
        if at >= len(tokens):
            self.fail("bad_number", self.end_of(tokens[-1]), wanted)
        token = tokens[at]
        if token.kind != "number" or len(token.text) > 4 or int(token.text) > MAX_NUMBER:
            self.fail("bad_number", token.start, wanted, token.text)
        return int(token.text)

    @staticmethod
    def end_of(token: _Token) -> int:
        return token.start + len(token.text)

    def fail(self, code: str, start: int, expected: str, found: str | None = None) -> NoReturn:
        before = self.text.count("\n", 0, start)
        newline = self.text.rfind("\n", 0, start)
        column = start - newline if before else self.column + start
        if found is None:
            found = self.text[start : start + 60]
        raise NotationError(
            code, line=self.line + before, column=column, found=found, expected=expected
        )
