"""Cuts the text of a submission into tokens, and undoes what mail programs do to it (N1.3).

Owns everything below the level of an order: Unicode spaces, dashes, arrows and quotes, leftovers
of HTML, bold marks, list dashes, words glued to hexes (``F2rngG4``), and which line breaks can
separate at all (N1.1). Every token keeps the line and column of the text as it was written.
What the tokens mean is ``order_reading.py`` and ``reading.py``.

The kinds of token: ``name`` (a letter and digits, ``F2``: a warrior or a hex), ``number``,
``element`` (its letter), ``word`` (its canonical form), ``other`` (anything unknown),
``rules`` (the rest of a ``standing:`` line), ``quote`` (``>`` as the first thing on a line),
``break`` (the end of a line), ``end`` (of the text), and otherwise the character itself.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from notation.words import ELEMENTS, LONGEST_FIRST, WORDS


class Token(NamedTuple):
    """One piece of the text; ``text`` is how it was written, ``value`` what it stands for."""

    kind: str
    value: str
    line: int
    column: int
    text: str


class Tokens(NamedTuple):
    """The tokens of a text, the last one of kind ``end``."""

    tokens: list[Token]
    first_line: int
    """The first line that is not blank (N1.5)."""
    quoted_lines: frozenset[int]
    """The lines that begin with ``>`` (N1.1)."""


CONTINUING: Final = frozenset("@[]|,:")
"""A line that begins with one of these goes on with the order above it (N1.1)."""

# Invisible characters are taken out before anything else, even inside a token: zero-width spaces
# and joiners, byte order mark, soft hyphen, marks of direction, variation selectors.
_INVISIBLE: Final = dict.fromkeys(
    map(
        ord,
        "\u00ad\u034f\u061c\u180e\ufe0e\ufe0f\ufeff"
        "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
        "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069",
    )
)

_DASHES: Final = "‐‑‒–—―−﹣－-"
_LONG_DASHES: Final = "—―"
# An arrow is never the quotation mark of a mail, as a plain ">" may be.
_PLAIN: Final = {"arrow": (">", "->"), "dash": ("-", "-"), "dot": (".", ".")}
# What HTML leaves behind, with the kind and value it stands for; an empty kind is dropped.
_ENTITIES: Final = {
    **dict.fromkeys(("nbsp", "#160", "#xa0", "quot", "#34", "apos", "#39"), ("", "")),
    **dict.fromkeys(("gt", "#62", "#x3e"), (">", ">")),
    **dict.fromkeys(("ndash", "mdash", "minus"), ("-", "-")),
    "rarr": (">", "->"),
    "amp": ("&", "&"),
}
_STARTS_ORDER: Final = frozenset({"name", "number", "element", "word", "other"})


@cache
def _token_pattern() -> re.Pattern[str]:
    # Every repeat is bounded or over a class that nothing before it can also match, so that no
    # text makes the search slower than linear.
    return re.compile(
        rf"""
          (?P<space>\s+)
        | (?P<run>[^\W_]+|×)
        | (?P<arrow>(?:[{_DASHES}]{{1,3}}|=)(?:>|&(?:amp;){{0,3}}gt;)|[→⇒➔➙➛➜➝➞➡⟶⟹])
        | (?P<entity>&(?:amp;){{0,3}}(?P<name>[A-Za-z]{{2,5}}|\#[0-9xXaAeE]{{2,4}});)
        | (?P<dash>[{_DASHES}])
        | (?P<dot>[.…])
        | (?P<mark>[>+@\[\]|,:;)!?*&])
        | (?P<ornament>["'`´_“”„‟‘’‚‛«»‹›•‣◦▪●·]+)
        | (?P<other>.)
        """,
        re.VERBOSE | re.DOTALL,
    )


@cache
def _piece_pattern() -> re.Pattern[str]:
    words = "|".join(map(re.escape, LONGEST_FIRST))
    return re.compile(rf"(?P<word>{words})|(?P<name>[a-z][0-9]+)|(?P<number>[0-9]+)", re.ASCII)


def tokenise(text: str) -> Tokens:
    """Cut ``text``; never fails, in time linear in its length."""
    tokens: list[Token] = []
    quoted: set[int] = set()
    first_line = 0
    for number, raw in enumerate(text.splitlines(), start=1):
        line = _tokenise_line(raw, number, before=tokens[-1].kind if tokens else "")
        if not first_line and raw.translate(_INVISIBLE).strip():
            first_line = number
        line = _without_list_dashes(line)
        if not line:
            continue
        if line[0].kind == ">" and line[0].value == ">":
            line[0] = line[0]._replace(kind="quote")
            quoted.add(number)
        if tokens and line[0].kind not in CONTINUING:
            tokens.append(_behind(tokens[-1], "break", "end of line"))
        tokens.extend(line)
    last = tokens[-1] if tokens else Token("", "", 1, 1, "")
    tokens.append(_behind(last, "end", "end of text"))
    return Tokens(tokens, first_line, frozenset(quoted))


def _behind(token: Token, kind: str, text: str) -> Token:
    return Token(kind, "", token.line, token.column + len(token.text), text)


def _without_list_dashes(line: list[Token]) -> list[Token]:
    """Drop dashes that mark a list or a signature; keep the one that is a sign (N1.5).

    ``- fall`` is a list dash and ``fall``. A line of nothing but one ``-`` is a sign; ``--``, and
    the one long dash that phones make of it, is where a signature begins and says nothing.
    """
    count = 0
    while count < len(line) and line[count].kind == "-":
        count += 1
    if count == 0:
        return line
    if count == len(line):
        return [] if count > 1 or line[0].text in _LONG_DASHES else line
    return line[count:] if line[count].kind in _STARTS_ORDER else line


def _tokenise_line(raw: str, number: int, *, before: str) -> list[Token]:
    text: str = raw
    columns: range | list[int] = range(1, len(raw) + 1)
    if not raw.isascii():
        kept = [at for at, char in enumerate(raw) if ord(char) not in _INVISIBLE]
        if len(kept) < len(raw):
            text = "".join([raw[at] for at in kept])
            columns = [at + 1 for at in kept]
    line: list[Token] = []
    for match in _token_pattern().finditer(text):
        group, found, column = match.lastgroup, match.group(), columns[match.start()]
        if group in ("space", "ornament"):
            continue
        if group == "run":
            for kind, value, start, piece in _cut_run(found):
                at = match.start() + start
                line.append(Token(kind, value, number, columns[at], piece))
                if kind == "word" and value == "standing":
                    at += len(piece)
                    line.append(_rules_token(raw, number, text=text, columns=columns, at=at))
                    return line
            continue
        kind, value = _punctuation(match)
        if kind == "*" and (line[-1].kind if line else before) not in ("[", "|"):
            continue  # bold; where a guard may stand the star counts (N2.1)
        if kind:
            line.append(Token(kind, value, number, column, found))
    return line


def _punctuation(match: re.Match[str]) -> tuple[str, str]:
    """The kind and value of anything that is not a run of letters and digits; "" to drop it."""
    group, found = match.lastgroup or "", match.group()
    if group in _PLAIN:
        return _PLAIN[group]
    if group == "entity":
        return _ENTITIES.get(match["name"].lower(), ("other", found))
    if group == "mark":
        return ("!", found) if found in "!?" else (found, found)
    return "other", found


def _rules_token(raw: str, number: int, *, text: str, columns: range | list[int], at: int) -> Token:
    """``standing:`` takes the rest of its line as it was written (N3.1)."""
    colon = re.compile(r"[\s*_]*:\s*|\s*").match(text, at)
    at = colon.end() if colon else at
    start = columns[at] - 1 if at < len(text) else len(raw)
    return Token("rules", raw[start:], number, start + 1, raw[start:])


def _cut_run(run: str) -> list[tuple[str, str, int, str]]:
    """Cut ``F2rngG4`` into kind, value, start and text of each piece: words first, longest first.

    A run that cannot be cut to its end is one unknown word, so that no verb is ever found inside
    ``friends``; only the letters behind ``setup`` may hang on to it.
    """
    low = run.lower()
    if len(low) != len(run):  # a capital that grows when lowered is no letter of ours
        return [("other", run, 0, run)]
    pieces: list[tuple[str, str, int, str]] = []
    at = 0
    while at < len(low):
        match = _piece_pattern().match(low, at)
        if match is None or not (match["word"] or run[at : match.end()].isascii()):
            if len(pieces) == 1 and pieces[0][1] == "setup":
                return [pieces[0], ("other", run[at:], at, run[at:])]
            return [("other", run, 0, run)]
        value, text = match.group(), run[at : match.end()]
        if match["word"] and value in ELEMENTS:
            pieces.append(("element", ELEMENTS[value], at, text))
        elif match["word"]:
            word = WORDS[value]
            pieces.append((">", "->", at, text) if word == ">" else ("word", word, at, text))
        else:
            pieces.append((match.lastgroup or "other", value.upper(), at, text))
        at = match.end()
    return pieces
