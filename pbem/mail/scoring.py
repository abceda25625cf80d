"""Scores a reader of replies on a folder of mails with an index (``pbem mailcheck``).

Owns the format of the index, the comparison, and trying each mail again with orders written in
place of its reply text. A reader is any function from the bytes of a mail to the text of the
reply, so that other libraries are measured by the same figures. Showing them is the command's.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from notation.writing import format_plan
from pbem.mail.classify import Kind, classify, find_orders
from pbem.mail.text_lines import clean

MAX_INDEX: Final = 32 << 20
MAX_CHANGED: Final = 256 << 10
MAX_SECONDS: Final = 0.1
ORDERS: Final = "W3:kite>E7; F2 rng G4"
FOREIGN: Final = "E1 chg H7@H9"
"""Written into the quoted text: it must never be found."""


_ENCODED: Final = re.compile(rb"text/html|quoted-printable|base64|format=flowed", re.IGNORECASE)


class IndexFault(ValueError):
    """The folder has no index that can be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One mail and what its reply is known to be."""

    file: str
    format: str
    kind: str
    expected: str | None
    alternatives: tuple[str, ...]
    must_contain: tuple[str, ...]
    must_not_contain: tuple[str, ...]
    elided_tail: str | None


@dataclass(frozen=True, slots=True)
class Read:
    """What a reader made of a mail; ``asks`` when it would ask before anything is played."""

    text: str
    asks: bool = False


Reader = Callable[[bytes], Read]


@dataclass(slots=True)
class Score:
    """The figures of one reader; lists name the files."""

    reader: str
    mails: int = 0
    lost: list[str] = field(default_factory=list)
    leaked: list[str] = field(default_factory=list)
    tails: list[str] = field(default_factory=list)
    exact: int = 0
    expected: int = 0
    failures: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    seconds: float = 0.0
    orders_tried: int = 0
    orders_found: int = 0
    orders_asked: list[str] = field(default_factory=list)
    orders_lost: list[str] = field(default_factory=list)
    orders_foreign: list[str] = field(default_factory=list)

    @property
    def is_hard_rule_broken(self) -> bool:
        """Whether text was lost, quoted text leaked, a mail failed, or foreign orders were read."""
        return bool(
            self.lost
            or self.leaked
            or self.failures
            or self.slow
            or self.orders_lost
            or self.orders_foreign
        )


def read_index(folder: Path) -> list[Entry]:
    """The entries of ``INDEX.json``.

    Raises:
        IndexFault: there is none, or it is not an index.
    """
    try:
        path = folder / "INDEX.json"
        if path.stat().st_size > MAX_INDEX:
            raise IndexFault(f"{path} is larger than {MAX_INDEX} bytes")
        found = json.loads(path.read_text(encoding="utf-8"))
        entries = found["entries"] if isinstance(found, dict) else found
        return [_read_entry(entry) for entry in entries]
    except OSError as error:
        raise IndexFault(f"{folder / 'INDEX.json'}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise IndexFault(f"{folder / 'INDEX.json'} is not an index of mails: {error!r}") from None


def _read_entry(entry: dict[str, Any]) -> Entry:
    alternatives = entry.get("alt_expected") or ()
    if isinstance(alternatives, str):
        alternatives = (alternatives,)
    elif isinstance(alternatives, dict):
        alternatives = tuple(alternatives.values())
    return Entry(
        file=str(entry["file"]),
        format=str(entry.get("format") or "eml"),
        kind=str(entry.get("kind") or "reply"),
        expected=entry.get("expected"),
        alternatives=tuple(text for text in alternatives if isinstance(text, str)),
        must_contain=tuple(entry.get("must_contain") or ()),
        must_not_contain=tuple(entry.get("must_not_contain") or ()),
        elided_tail=entry.get("elided_tail"),
    )


def as_mail(data: bytes, form: str) -> bytes:
    """The bytes of a mail: files of text or HTML get the headers they lack."""
    if form not in ("text", "txt", "plain", "html") or data.startswith(b"MIME-Version:"):
        return data
    subtype = b"html" if form == "html" else b"plain"
    return (
        b"From: player@example.org\r\nTo: game@example.org\r\nSubject: Re: Your turn\r\n"
        b"MIME-Version: 1.0\r\nContent-Transfer-Encoding: 8bit\r\n"
        b"Content-Type: text/" + subtype + b"; charset=utf-8\r\n\r\n" + data
    )


def score(reader: str, read: Reader, folder: Path, entries: Sequence[Entry]) -> Score:
    """Run a reader over all mails, twice over those whose reply text can be found."""
    result = Score(reader)
    for entry in entries:
        try:
            data = (folder / entry.file).read_bytes()
        except OSError:
            result.failures.append(f"{entry.file}: cannot be read")
            continue
        result.mails += 1
        found = _timed(result, read, as_mail(data, entry.format), entry.file)
        if found is not None:
            _compare(result, entry, found)
        for changed in _with_orders(data, entry):
            result.orders_tried += 1
            found = _timed(result, read, as_mail(changed, entry.format), entry.file)
            if found is not None:
                _compare_orders(result, entry, found)
    return result


def _timed(result: Score, read: Reader, mail: bytes, file: str) -> Read | None:
    seconds, found = _run(result, read, mail, file)
    result.seconds += seconds
    if seconds > MAX_SECONDS:  # once more: the first mail of all pays for tables, a busy machine
        seconds = min(seconds, _run(result, read, mail, file)[0])  # makes any of them slow
    if seconds > result.slowest[0]:
        result.slowest = (seconds, file)
    if seconds > MAX_SECONDS and file not in result.slow:
        result.slow.append(file)
    return found


def _run(result: Score, read: Reader, mail: bytes, file: str) -> tuple[float, Read | None]:
    found = None
    started = time.perf_counter()
    try:
        found = read(mail)
    except Exception as error:
        failure = f"{file}: {type(error).__name__}"
        if failure not in result.failures:
            result.failures.append(failure)
    return time.perf_counter() - started, found


def _compare(result: Score, entry: Entry, found: Read) -> None:
    text = _folded(found.text)
    for wanted in entry.must_contain:
        if _bare(wanted) not in _bare(found.text):
            result.lost.append(entry.file)
            break
    if any(_folded(other) in text for other in entry.must_not_contain if _folded(other)):
        result.leaked.append(entry.file)
    if entry.elided_tail and _folded(entry.elided_tail) in text:
        result.tails.append(entry.file)
    if entry.expected is not None:
        result.expected += 1
        wanted_texts = (entry.expected, *entry.alternatives)
        result.exact += any(_bare(wanted) == _bare(found.text) for wanted in wanted_texts)


def _compare_orders(result: Score, entry: Entry, found: Read) -> None:
    read = _orders_in(found.text)
    # Where only one line was replaced the reply may have orders of its own.
    others = set(read) - {ORDERS} - set(_orders_in(entry.expected or ""))
    if others and not found.asks:
        result.orders_foreign.append(entry.file)
    elif ORDERS not in read:
        result.orders_lost.append(entry.file)
    elif found.asks:
        result.orders_asked.append(entry.file)
    else:
        result.orders_found += 1


def _orders_in(text: str) -> list[str]:
    return [
        format_plan(plan)
        for item in classify(text.split("\n")).of(Kind.ORDERS)
        if (plan := find_orders(item.text)) is not None
    ]


def _with_orders(data: bytes, entry: Entry) -> Iterator[bytes]:
    """The mail with orders in place of its reply text, where that can be found in the bytes."""
    is_text = entry.format in ("text", "txt", "plain")
    # In a whole mail only where its text stands as it is, and in one form.
    if len(data) > MAX_CHANGED or not (is_text or _ENCODED.search(data) is None):
        return
    lines = data.decode("utf-8", "surrogateescape").replace("\r\n", "\n").split("\n")
    first = _find_reply(lines, entry)
    if first is None:
        return
    start, end = first
    changed = [*lines[:start], ORDERS, *lines[end:]]
    foreign = {_folded(other) for other in entry.must_not_contain}
    for at, line in enumerate(changed):
        # Only inside marks: elsewhere the new line could be taken for the end of the reply.
        if line.startswith(">") and _folded(line) in foreign:
            changed[at] = re.sub(r"^([>\s]+).*", rf"\1{FOREIGN}", line)
    yield "\n".join(changed).encode("utf-8", "surrogateescape")


def _find_reply(lines: list[str], entry: Entry) -> tuple[int, int] | None:
    """Where the expected text stands: all of it in a row, else a line that must be kept."""
    rows = [_bare(line) for line in lines]
    for text in (entry.expected, *entry.must_contain):
        if not text or text.lstrip().startswith(">"):
            continue
        wanted = [_bare(line) for line in text.strip("\n").split("\n")]
        for at in range(len(rows) - len(wanted) + 1):
            if rows[at : at + len(wanted)] == wanted:
                return at, at + len(wanted)
    for at, row in enumerate(rows):
        if not row.startswith(">") and any(_bare(text) in row for text in entry.must_contain):
            return at, at + 1
    return None


def _folded(text: str) -> str:
    """White space folded and marks at the beginning of lines removed."""
    without = re.sub(r"(?m)^[>\s]+", "", clean(text))
    return " ".join(without.split())


def _bare(text: str) -> str:
    return " ".join(re.sub(r"[*_]", "", clean(text)).split())
