"""The one error of this package: where the text could not be read, and what was expected there."""

from __future__ import annotations


class NotationError(ValueError):
    """Text that cannot be read.

    ``code`` is stable and short (``bad_hex``, ``two_verbs``, …); ``line`` and ``column`` count
    from 1; ``found`` is what stood there, shortened; ``expected`` says in English what could have.
    """

    def __init__(
        self, code: str, *, line: int, column: int, found: str, expected: str
    ) -> None:
        self.code = code
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
        super().__init__(
            f"line {line}, column {column}: found {found!r}, expected {expected}"
        )
