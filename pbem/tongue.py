"""Saying something in a player's language. Pure: what a language says for an English text is given.

Every text for players is written in English where it is used, marked with ``N_`` if it stands in a
table, and said through a ``Tongue``. Where translations come from is ``pbem.catalogues``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final


def N_(text: str) -> str:
    """Mark a text in a table for translation; it is said later, by ``Tongue.say``."""
    return text


def _same(text: str) -> str:
    return text


def _one_or_many(one: str, many: str, count: int) -> str:
    return one if count == 1 else many


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language: its code, and how it says an English text (whose braces are filled in)."""

    language: str
    find: Callable[[str], str] = _same
    find_counted: Callable[[str, str, int], str] = _one_or_many

    def say(self, text: str, /, **facts: object) -> str:
        """A text in this language, with its facts."""
        said = self.find(text)
        return said.format(**facts) if facts else said

    def count(self, one: str, many: str, count: int, /, **facts: object) -> str:
        """A text that depends on a number; ``{count}`` in it is the number."""
        return self.find_counted(one, many, count).format(count=count, **facts)


ENGLISH: Final = Tongue("en")
