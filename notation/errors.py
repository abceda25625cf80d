"""The one error of this package: where the text could not be read, and what was expected there."""

from __future__ import annotations

from functools import partial
from typing import Final

FOUND_LENGTH: Final = 40


def shorten(text: str) -> str:
    """What was found, fit to be shown: at most 40 characters, the unprintable ones made visible."""
    head = text[: FOUND_LENGTH + 1]
    shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in head)
    return shown if len(shown) <= FOUND_LENGTH else shown[: FOUND_LENGTH - 1] + "…"


class NotationError(ValueError):
    """Text that cannot be read.

    ``code`` is stable and short (``bad_hex``, ``two_verbs``, …); ``line`` and ``column`` count
    from 1 in the text as it was written, lines as ``str.splitlines`` cuts them; ``found`` is what
    stood there, shortened; ``expected`` says in English what could have. ``warrior`` is the
    warrior the order is about, where one was read and its verb is what is missing (N1.3).
    """

    def __init__(
        self,
        code: str,
        *,
        line: int,
        column: int,
        found: str,
        expected: str,
        warrior: str | None = None,
    ) -> None:
        self.code = code
        self.line = line
        self.column = column
        self.found = shorten(found)
        self.expected = expected
        self.warrior = warrior
        super().__init__(f"line {line}, column {column}: found {self.found!r}, expected {expected}")

    def __reduce__(self) -> tuple[object, ...]:
        facts = {name: getattr(self, name) for name in ("found", "expected", "warrior")}
        return partial(type(self), self.code, line=self.line, column=self.column, **facts), ()
