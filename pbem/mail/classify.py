"""What each line of a reply is: orders, an attempt at them, a private note, or message text (L4.5).

Owns the sorting only. Whether text reads as orders is asked of the notation, whose grammar is
nowhere repeated here; whether orders are legal is asked of the game, later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Final

from notation.hexes import HEX_NAMES
from notation.orders import Plan
from notation.reading import find_choice, find_plan
from notation.tokens import CONTINUING, Token, tokenise
from notation.words import ELEMENTS, WARRIOR_VERBS, WORDS
from pbem.mail.near_orders import is_near_orders

_MAX_ORDER_LINES: Final = 12
_MAX_ORDERS: Final = 4000
_MAX_TRIES: Final = 60

# A quick look, so that prose is not tokenised: a letter and a figure, or a word of the notation at
# the beginning.
_MAY_BE_ORDERS: Final = re.compile(
    r"(?<![^\W_])[a-ow]\d|^[\W_]*(?:\d{1,2}[.)]\s*)?(?:"
    + "|".join(sorted((*(word for word in WORDS if word.isalpha() and len(word) > 2), *ELEMENTS)))
    + r")(?![^\W\d_])",
    re.IGNORECASE,
)
_VERBS: Final = WARRIOR_VERBS | {"block", "fall", "guide", "x"}
_BARE: Final = frozenset({"name", "number", "element", ",", ";", ".", "!"})
_SIGNS: Final = frozenset({">", "@", "+", "-"})
_LONE_SIGNS: Final = ("+", "-", "–", "−")
_MOST_WORDS_BEHIND_SIGN: Final = 4

# What people say before an order on the same line (L4.3). Only words that add nothing to it.
_COURTESY_WORDS: Final = """
thanks thank you thx ty cheers hi hello hey ok okay yes sure well so then now please fine good
great right regards best my the our orders order move moves turn reply answer is are here as
follows i play we dank bedankt dankje dankjewel hoi hallo dag ja goed prima groet groeten mijn
beurt zet zetten antwoord alsjeblieft merci danke bonjour salut oui gracias hola grazie ciao
obrigado tack takk kiitos
"""
_COURTESY: Final = frozenset(_COURTESY_WORDS.split())
_COURTESY_END: Final = re.compile(r"[,:!.;–—-]+\s+")


class Kind(StrEnum):
    """What a line of a reply is."""

    ORDERS = "orders"
    ATTEMPT = "attempt"
    CHOICE = "choice"
    COMMAND = "command"
    NOTE = "note"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class Item:
    """A line, or the few lines of one order, with what it is."""

    kind: Kind
    text: str
    """For orders what the notation is to read; for a note without its ``#``."""
    line: int
    """The number of its first line, from 0."""
    lines: int = 1


@dataclass(frozen=True, slots=True)
class Classified:
    """A reply sorted. Items keep the order of the lines; blank lines belong to the message."""

    items: tuple[Item, ...]

    def of(self, kind: Kind) -> tuple[Item, ...]:
        """The items of one kind."""
        return tuple(item for item in self.items if item.kind is kind)

    @property
    def orders_text(self) -> str:
        """All orders and attempts, for the game to read or to refuse as a whole (N1.7)."""
        kinds = (Kind.ORDERS, Kind.ATTEMPT)
        return "\n".join(item.text for item in self.items if item.kind in kinds)

    @property
    def message(self) -> str:
        """The message text, for the opponent if the cut was certain."""
        text = "\n".join(item.text for item in self.items if item.kind is Kind.MESSAGE)
        return re.sub(r"\n{3,}", "\n\n", text).strip("\n")

    @property
    def notes(self) -> tuple[str, ...]:
        """The private notes."""
        return tuple(item.text for item in self.of(Kind.NOTE))

    @property
    def choice(self) -> int | None:
        """The number on the first line, which answers a refusal while one is open (N1.7)."""
        return next((find_choice(item.text) for item in self.of(Kind.CHOICE)), None)


def find_orders(text: str) -> Plan | None:
    """What the text says as orders; None when it is not orders as a whole."""
    if len(text) > _MAX_ORDERS or not (_MAY_BE_ORDERS.search(text) or is_lone_sign(text)):
        return None
    return find_plan(text)


def is_lone_sign(text: str) -> bool:
    """A bare ``+`` or ``-``, which is an answer on the first line only (N1.5)."""
    return text.strip(" .!*_") in _LONE_SIGNS


def is_sign_and_words(text: str) -> bool:
    """A sign with a few words behind it, as in ``+ please``; more of them are a list, or talk."""
    sign, behind = text.strip()[:1], text.strip()[1:]
    if sign not in _LONE_SIGNS or not behind or behind[0] not in " \t\u00a0,;.!:":
        return False
    return len(behind.split(maxsplit=_MOST_WORDS_BEHIND_SIGN)) <= _MOST_WORDS_BEHIND_SIGN


def reads_as_orders(text: str) -> bool:
    """Whether a line is orders wherever it stands; a lone sign is not."""
    return not is_lone_sign(text) and find_orders(text) is not None


def is_order_like(text: str) -> bool:
    """Whether a line is orders or an attempt at them."""
    return reads_as_orders(text) or is_attempt(text) or _behind_courtesy(text) is not None


def is_attempt(text: str) -> bool:
    """A warrior or hex next to a verb, an arrow, ``@`` or a sign (L4.5)."""
    return bool(_MAY_BE_ORDERS.search(text[:_MAX_ORDERS])) and _is_attempt(text[:_MAX_ORDERS])


@lru_cache(maxsize=1024)
def _is_attempt(text: str) -> bool:
    # The colon of `W3:kite` stands between the warrior and the verb.
    tokens = [token for token in tokenise(text).tokens[:-1] if token.kind != ":"]
    for left, right in pairwise(tokens):
        if (_is_place(left) and _is_doing(right)) or (_is_doing(left) and _is_place(right)):
            return True
    # Nothing but names of warriors and hexes is no message: the verb was forgotten.
    return any(map(_is_place, tokens)) and {token.kind for token in tokens} <= _BARE


def _is_place(token: Token) -> bool:
    if token.kind == "name":
        is_warrior = token.value[0] in "WEAF" and token.value[1:] in "12345678"
        return token.value in HEX_NAMES or is_warrior
    return False


def _is_doing(token: Token) -> bool:
    return token.kind in _SIGNS or (token.kind == "word" and token.value in _VERBS)


def _behind_courtesy(text: str) -> str | None:
    """The orders behind ``Thanks,`` or ``My orders:`` on one line."""
    rest = None
    for match in _COURTESY_END.finditer(text[:60]):
        words = re.findall(r"[^\W\d_]+|\d+", text[: match.start()].casefold())
        if not words or not set(words) <= _COURTESY:
            break
        rest = text[match.end() :]
    has_place = rest is not None and re.search(r"\d", rest)
    return rest if rest is not None and has_place and find_orders(rest) is not None else None


def classify(
    lines: Sequence[str], *, is_command: Callable[[str], bool] = lambda _: False
) -> Classified:
    """Sort the lines of a reply. ``is_command`` knows the commands of mails (L6)."""
    return _Sorter(lines, is_command).sort()


class _Sorter:
    """Goes through the lines once; counts how often lines were joined to find an order."""

    __slots__ = ("has_sign", "is_command", "lines", "tries")

    def __init__(self, lines: Sequence[str], is_command: Callable[[str], bool]) -> None:
        self.lines = lines
        self.is_command = is_command
        self.tries = 0
        self.has_sign = False

    def sort(self) -> Classified:
        items: list[Item] = []
        at = 0
        is_first = True
        while at < len(self.lines):
            if self.lines[at].strip():
                item = self._item(at, is_first=is_first)
                is_first = False
            else:
                item = Item(Kind.MESSAGE, "", at)
            items.append(item)
            at += item.lines
        return Classified(tuple(items))

    def _item(self, at: int, *, is_first: bool) -> Item:
        text = self.lines[at]
        choice = find_choice(text) if is_first else None
        if text.lstrip().startswith("#") and choice is None:
            return Item(Kind.NOTE, text.lstrip()[1:].strip(), at)
        if choice is not None:
            return Item(Kind.CHOICE, text, at)
        if self.is_command(text):
            return Item(Kind.COMMAND, text, at)
        return self._orders_or_text(at, is_first=is_first)

    def _orders_or_text(self, at: int, *, is_first: bool) -> Item:
        text = self.lines[at]
        if is_lone_sign(text) and (is_first or self.has_sign):
            # A second sign may be meant for a second victim, or take the first one back.
            kind = Kind.ATTEMPT if self.has_sign else Kind.ORDERS
            self.has_sign = True
            return Item(kind, text, at)
        count = self._count_order_lines(at)
        if count:
            return Item(Kind.ORDERS, "\n".join(self.lines[at : at + count]), at, count)
        rest = _behind_courtesy(text)
        if rest is not None:
            return Item(Kind.ORDERS, rest, at)
        is_meant = is_attempt(text) or is_near_orders(text)
        return Item(Kind.ATTEMPT if is_meant else Kind.MESSAGE, text, at)

    def _count_order_lines(self, at: int) -> int:
        """How many lines from here are orders, soft wraps joined (N1.1); 0 when none are."""
        lines = self.lines
        text = lines[at]
        found = int(reads_as_orders(text))
        if found and not _continues(lines, at + 1):
            return 1
        if not (found or is_attempt(text) or "[" in text):
            return 0
        for end in range(at + 1, min(len(lines), at + _MAX_ORDER_LINES)):
            is_open = text.count("[") > text.count("]")
            self.tries += 1
            if self.tries > _MAX_TRIES or (not lines[end].strip() and not is_open):
                break
            if not (is_open or _continues(lines, end)) and end > at + 1:
                break
            text += "\n" + lines[end]
            if find_orders(text) is not None:
                found = end - at + 1
                if not _continues(lines, end + 1):
                    break
        return found


def _continues(lines: Sequence[str], at: int) -> bool:
    return at < len(lines) and lines[at].lstrip()[:1] in CONTINUING and bool(lines[at].strip())
