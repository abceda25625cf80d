"""Texts that somebody writes to hold up the server: ``python deploy/bench/hostile.py [--json]``.

What a reader makes of a mail, and what an operator is shown of it, must take time in proportion to
its length, whatever is in it: a text four times as long may take at most eight times as long, where
one whose time grows with the square takes sixteen. A few milliseconds are allowed for in both. The
yardstick beside them is prose of the same length.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from measuring import Figure, at_most, report, shown

from pbem.mail.known_lines import KnownLines, prints_of
from pbem.mail.parts import MAX_TEXT, read_message
from pbem.mail.raw_shown import show_raw
from pbem.mail.what import find_wanted

GROWTH = 8.0
ALLOWED = 0.005
"""Seconds that are no sign of anything."""
TRIES = 3
SHOWN = 1 << 20

PROSE = "Well played, I did not see that coming. Shall we go on after the weekend?\n"
TEXTS = {
    "a sign, dots and words": ("+", ".", " a b c d e"),
    "a sign and blanks": ("-", " ", "x"),
    "signs": ("", "+ ", ""),
    "lines with signs": ("", "- a\n", ""),
    "blanks before an order": ("", " ", "F2>H8; end"),
    "blank lines": ("", "\n", "end"),
    "quotes": ("", "> ", "end"),
    "quotes in quotes": ("", "> > end\n", ""),
    "attributions": ("", "On Mon, 3 Jan 2028, Ann wrote:\n", ""),
    "half attributions": ("", "On Mon, ", "wrote:"),
    "brackets": ("", "[", ""),
    "plans": ("", "W1 rng I4 [-: ", ""),
    "warriors": ("", "W1 ", ""),
    "arrows": ("", "W1>", ""),
    "orders": ("", "F2>H8; ", "end"),
    "lines of orders": ("", "F2>H8\n", "end"),
    "attempts": ("", "F2 goes to H8\n", ""),
    "numbers": ("", "1. ", ""),
    "courtesies": ("", "thanks, ", "F2>H8"),
    "talk of resigning": ("", "resign ", "?"),
    "standing rules": ("standing: ", "block all <=3; ", ""),
    "remarks": ("", "3b. ! {Good.}\n", ""),
    "open remarks": ("", "3b. {", ""),
    "commands": ("", "status\n", ""),
    "words close to commands": ("", "stauts\n", ""),
    "headings": ("", "k3f7abcd:\n", ""),
    "underscores": ("", "_", ""),
    "dashes": ("", "-", ""),
    "combining marks": ("F2", "\u0301", ">H8"),
    "angle brackets": ("", "<", ""),
    "addresses": ("invite ", "a@", "b"),
}
MARKUP = {
    "open divisions": ("", "<div>", "end"),
    "quotes in markup": ("", "<blockquote>", "end"),
    "half tags": ("", "<a ", ""),
    "comments": ("", "<!--", ""),
    "entities": ("", "&amp;", ""),
    "half entities": ("", "&#", ""),
    "tables": ("", "<table><tr><td>", ""),
}
RAW = {
    "letters": ("A: b\n\n", "a", ""),
    "lines of base64": ("A: b\n\n", "a" * 43 + "\n", ""),
    "soft breaks": ("A: b\n\n", "a=\n", ""),
    "folds": ("A: b\n\n", "abcdefghijklmnopq\n   ", ""),
    "headers": ("", "A: b\n", ""),
    "encoded words": ("A: ", "=?utf-8?q?a?= ", ""),
    "half encoded words": ("A: ", "=?a?b?", ""),
    "mails in mails": ("", "Content-Type: message/rfc822\n\n", ""),
    "parts": ("Content-Type: multipart/mixed; boundary=b\n\n", "--b\n", ""),
    "parts in parts": ("", "Content-Type: multipart/mixed; boundary=b\n\n--b\n", ""),
    "parameters": ("Content-Type: text/plain", "; boundary", ""),
    "base64": ("Content-Transfer-Encoding: base64\n\n", "a=\n", ""),
}

Work = Callable[[bytes], object]


def seconds(work: Work, raw: bytes) -> float:
    """The least CPU that it takes; what takes long is not done again."""
    best = float("inf")
    for _ in range(TRIES):
        began = time.process_time()
        work(raw)
        best = min(best, time.process_time() - began)
        if best > 1:
            break
    return best


def read(raw: bytes) -> object:
    known = KnownLines(prints_of(("Your turn: round 7",)))
    games = frozenset({"k3f7abcd"})
    return find_wanted(read_message(raw), sent=known, games=games, has_headings=True)


def as_mail(kind: str, text: str) -> bytes:
    head = (
        f"From: a@example.org\r\nSubject: Re: game\r\nContent-Type: {kind}; charset=utf-8\r\n\r\n"
    )
    return (head + text).encode()


def growth(name: str, work: Work, make: Callable[[int], bytes], size: int) -> Figure:
    short, long = (seconds(work, make(length)) for length in (size // 4, size))
    value = (long + ALLOWED) / (short + ALLOWED)
    return at_most(f"{name} ({long * 1000:.0f} ms)", value, "x", GROWTH)


def filled(text: tuple[str, str, str], size: int) -> str:
    first, piece, last = text
    return first + piece * ((size - len(first) - len(last)) // len(piece.encode())) + last


def figures() -> list[Figure]:
    prose = ("", PROSE, "")
    usual = seconds(read, as_mail("text/plain", filled(prose, MAX_TEXT)))
    found = [shown(f"read: prose of {MAX_TEXT >> 10} kB", usual * 1000, "ms")]
    for kind, texts in (("text/plain", TEXTS), ("text/html", MARKUP)):
        for name, text in texts.items():

            def make(size: int, kind: str = kind, text: tuple[str, str, str] = text) -> bytes:
                return as_mail(kind, filled(text, size))

            found.append(growth(f"read: {name}", read, make, MAX_TEXT))
    usual = seconds(show_raw, as_mail("text/plain", filled(prose, SHOWN)))
    found.append(shown("show: prose of 1 MB", usual * 1000, "ms"))
    for name, text in RAW.items():

        def make_raw(size: int, text: tuple[str, str, str] = text) -> bytes:
            return filled(text, size).encode()

        found.append(growth(f"show: {name}", show_raw, make_raw, SHOWN))
    return found


if __name__ == "__main__":
    report(figures())
