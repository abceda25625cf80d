"""What the headers of a mail say about who wrote it and what it answers (L2.3, L3.1, L3.2).

Owns the reading of addresses, Message-IDs and encoded words. Every header may be hostile: reading
is one pass over a text of bounded length, and what is not plainly one thing is a fault, never a
guess. The standard library's parser is not used: it takes seconds for some headers, and finds
addresses where another program finds different ones. Whether a sender is trusted is ``who``.
"""

from __future__ import annotations

import binascii
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from pbem.mail.parts import Message, decode_charset
from pbem.play.players import PlayerFaults, clean_address

MAX_FROM: Final = 4 << 10
MAX_LIST: Final = 64 << 10
MAX_CLAUSES: Final = 16 << 10
MAX_ADDRESSES: Final = 100
MAX_IDS: Final = 50
_MAX_FROMS: Final = 10
_MAX_NESTING: Final = 20
_MAX_NAME: Final = 200
_REMEMBERED: Final = 128
_SHORT: Final = 200
"""What is read in headers that are no longer than this is remembered for a while: From is looked at
several times for each mail, and the same players write again."""

_TOKEN: Final = re.compile(
    r'(?P<space>\s+)|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<bracketed>\[[^\[\]\\<>@,;:"()]*\])'
    r'|(?P<atom>[^\s"()<>,;:@\[\]\\]+)|(?P<special>[<>,;:@(])',
    re.DOTALL,
)
_QUOTABLE: Final = re.compile(r"[^\w.@-]")
_COMMENT_END: Final = re.compile(r"\\.|[()]", re.DOTALL)
_ENCODED: Final = re.compile(r"=\?([^\s?*]{1,40})(?:\*[^\s?]{0,20})?\?([bBqQ])\?([^\s?]{0,800})\?=")
_MESSAGE_ID: Final = re.compile(r"<([^\s<>@]{1,250})@([^\s<>@]{1,250})>")

FromFault = Literal[
    "no_from", "two_from", "headers_cut", "from_group", "from_many", "from_unreadable"
]


class Mailbox(NamedTuple):
    """One address in the one spelling that is stored, and the name beside it."""

    address: str
    name: str = ""


class _Token(NamedTuple):
    kind: str
    text: str
    is_apart: bool
    """Whether space or a comment stands before it."""


class _Unreadable(Exception):
    """Not a list of addresses; says which fault it is."""

    def __init__(self, fault: FromFault = "from_unreadable") -> None:
        self.fault: FromFault = fault
        super().__init__(fault)


def find_sender(message: Message) -> Mailbox | FromFault:
    """Who wrote a mail: exactly one From with exactly one address, or why there is none (L3.2)."""
    if "headers_cut" in message.notes:
        return "headers_cut"  # another From may stand where nothing was read
    values = message.values("from")
    if len(values) != 1:
        return "two_from" if values else "no_from"
    if len(values[0]) > MAX_FROM:
        return "from_unreadable"
    return _remembered_sender(values[0]) if len(values[0]) <= _SHORT else _find_one(values[0])


def _find_one(value: str) -> Mailbox | FromFault:
    try:
        found = list(_mailboxes(value))
    except _Unreadable as error:
        return error.fault
    if len(found) != 1:
        return "from_many" if found else "from_unreadable"
    return found[0]


_remembered_sender: Final = lru_cache(_REMEMBERED)(_find_one)


def find_senders(message: Message) -> tuple[Mailbox, ...]:
    """Every address that can be read in any From, for those who look for one to be wary of."""
    values = message.values("from")[:_MAX_FROMS]
    return tuple(mailbox for value in values for mailbox in read_addresses(value[:MAX_FROM]))


def read_addresses(value: str) -> tuple[Mailbox, ...]:
    """The addresses of a header such as To, at most a hundred; those in front of a fault."""
    return _remembered_addresses(value) if len(value) <= _SHORT else _read_addresses(value)


def _read_addresses(value: str) -> tuple[Mailbox, ...]:
    found: list[Mailbox] = []
    try:
        for mailbox in _mailboxes(value[:MAX_LIST], allows_groups=True):
            found.append(mailbox)
            if len(found) == MAX_ADDRESSES:
                break
    except _Unreadable:
        pass
    return tuple(found)


_remembered_addresses: Final = lru_cache(_REMEMBERED)(_read_addresses)


def answered_ids(message: Message, domain: str) -> tuple[str, ...]:
    """Left halves of Message-IDs at a domain that a mail answers, the nearest first (L3.1)."""
    found: dict[str, None] = {}
    for name in ("in-reply-to", "references"):
        for value in message.values(name)[:5]:
            ids = _MESSAGE_ID.findall(value[-MAX_LIST:])[-MAX_IDS:]
            for left, right in reversed(ids):
                if right.lower() == domain.lower():
                    found.setdefault(left, None)
    return tuple(found)[:MAX_IDS]


def own_id(message: Message) -> tuple[str, str] | None:
    """Both halves of a mail's Message-ID, the right one in small letters."""
    for value in message.values("message-id")[:1]:
        if found := _MESSAGE_ID.search(value[:1000]):
            return found[1], found[2].lower()
    return None


def find_clauses(value: str) -> list[str] | None:
    """What stands between semicolons, without comments; None if a bracket or quote is left open,
    or nobody would write so much.

    In quotes only names stay as they are, so that no clause can be hidden in one.
    """
    if len(value) > MAX_CLAUSES:
        return None
    clauses: list[list[str]] = [[]]
    try:
        for token in _tokens(value):
            if token.text == ";":
                clauses.append([])
                continue
            is_quoted = token.kind == "quoted"
            text = _QUOTABLE.sub("_", token.text[1:-1]) if is_quoted else token.text
            clauses[-1].append(" " * token.is_apart + text)
    except _Unreadable:
        return None
    return ["".join(clause).strip() for clause in clauses]


def decode_words(value: str) -> str:
    """A text with its encoded words decoded, on one line (RFC 2047). Never raises."""
    joined = re.sub(r"(\?=)\s+(?==\?)", r"\1", value[:MAX_FROM])
    decoded = _ENCODED.sub(lambda word: _decode_word(word[1], word[2], word[3]), joined)
    return " ".join(decoded.split())


def _decode_word(charset: str, coding: str, text: str) -> str:
    data = text.encode("utf-8", "replace")
    if coding in "qQ":
        data = binascii.a2b_qp(data, header=True)
    else:
        try:
            data = binascii.a2b_base64(data + b"=" * (-len(data) % 4))
        except binascii.Error:
            return ""
    return decode_charset(data, charset).replace("\0", "")


# -- addresses ----------------------------------------------------------------------------------


def _mailboxes(value: str, *, allows_groups: bool = False) -> Iterator[Mailbox]:
    """The mailboxes of an address list. Raises _Unreadable."""
    item: list[_Token] = []
    is_inside = False
    for token in _tokens(value):
        if token.text == "<" and token.kind == "special":
            is_inside = True
        elif token.text == ">" and token.kind == "special":
            is_inside = False
        elif token.kind == "special" and not is_inside and token.text in ",;:":
            if token.text != "," and not allows_groups:
                raise _Unreadable("from_group")
            if token.text != ":":  # what stands before a colon is the name of a group
                yield from _mailbox(item)
            item = []
            continue
        item.append(token)
    yield from _mailbox(item)


def _tokens(value: str) -> Iterator[_Token]:
    at = 0
    is_apart = False
    while at < len(value):
        found = _TOKEN.match(value, at)
        if found is None:
            raise _Unreadable
        at = found.end()
        if found.lastgroup == "space":
            is_apart = True
        elif found[0] == "(":
            at = _behind_comment(value, at)
            is_apart = True
        else:
            yield _Token(found.lastgroup or "", found[0], is_apart)
            is_apart = False


def _behind_comment(value: str, at: int) -> int:
    depth = 1
    for found in _COMMENT_END.finditer(value, at):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
        if depth > _MAX_NESTING:
            break
    raise _Unreadable


def _mailbox(item: Sequence[_Token]) -> Iterator[Mailbox]:
    """The mailbox between two commas; nothing if no address stands there."""
    signs = [token.text if token.kind == "special" else "" for token in item]
    if "<" not in signs and ">" not in signs:
        if "@" in signs:
            yield Mailbox(_address(item))
        elif any(token.kind != "atom" or "=?" in token.text for token in item):
            raise _Unreadable  # only plain words may be a name with a comma in it
        return
    opens = signs.index("<") if "<" in signs else len(signs)
    if signs.count("<") != 1 or signs.count(">") != 1 or signs[-1] != ">":
        raise _Unreadable("from_many" if signs.count("@") > 1 else "from_unreadable")
    address = _address(item[opens + 1 : -1])
    name = item[:opens]
    if "@" in signs[:opens] and _address(name) != address:
        raise _Unreadable("from_many")  # a name that is another address: which one is meant?
    yield Mailbox(address, _name(name))


def _address(tokens: Sequence[_Token]) -> str:
    """An address in the one spelling that is stored. Raises _Unreadable."""
    if len(tokens) != 3 or tokens[1].text != "@" or tokens[1].is_apart or tokens[2].is_apart:
        raise _Unreadable("from_many" if len(tokens) > 5 else "from_unreadable")
    local, domain = tokens[0].text, tokens[2].text
    if tokens[0].kind == "quoted":
        local = re.sub(r"\\(.)", r"\1", local[1:-1], flags=re.DOTALL)
    if tokens[2].kind != "atom" or tokens[0].kind not in ("atom", "quoted"):
        raise _Unreadable
    if "=?" in local + domain:
        raise _Unreadable  # an encoded word: others may read something else here
    try:
        address = clean_address(f"{local}@{domain}")
    except PlayerFaults:
        raise _Unreadable from None
    if any(_passes_for_ascii(char) for char in local + domain):
        raise _Unreadable
    return address


def _passes_for_ascii(char: str) -> bool:
    """Whether it is another letter that becomes a plain one in small letters, as the kelvin."""
    return not char.isascii() and unicodedata.normalize("NFC", char).lower().isascii()


def _name(tokens: Sequence[_Token]) -> str:
    parts = []
    for token in tokens:
        text = token.text
        if token.kind == "quoted":
            text = re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
        parts.append(" " * token.is_apart + text)
    decoded = decode_words("".join(parts))
    return "".join(char for char in decoded if unicodedata.category(char)[0] != "C")[:_MAX_NAME]
