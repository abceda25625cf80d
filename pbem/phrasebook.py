"""English texts of parts that know no languages, to be found again and said in another one.

The notation, the schedule and the options of a game say in English what is wrong, with facts in
the text. Who tells a player keeps a book of those texts, with braces where the facts stand, finds
what was said among them, and says it anew. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from string import Formatter

from pbem.tongue import ENGLISH, Tongue


class Phrasebook:
    """English texts of parts that know no languages, to be found again and said in another tongue.

    The texts have braces for their facts. What is not in the book is said as it is.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)

    def say(self, said: str, tongue: Tongue) -> str:
        """Something that was said in English, in a tongue."""
        if tongue.language == ENGLISH.language:
            return said
        found = self.find(said)
        return said if found is None else tongue.say(found[0], **found[1])

    def find(self, said: str) -> tuple[str, dict[str, str]] | None:
        """The text of the book that was said, and the facts in it."""
        if said in self._plain:
            return said, {}
        for pattern, text in self._patterns:
            match = pattern.fullmatch(said)
            if match is not None:
                return text, match.groupdict()
        return None

    @cached_property
    def _plain(self) -> frozenset[str]:
        return frozenset(text for text in self._texts if "{" not in text)

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        """The texts with braces as patterns; those that leave least open come first."""
        braced = [text for text in self._texts if "{" in text]
        braced.sort(key=lambda text: -len(_literals(text)))
        return [(re.compile(_pattern(text), re.DOTALL), text) for text in braced]


def _literals(text: str) -> str:
    return "".join(literal for literal, *_ in Formatter().parse(text))


def _pattern(text: str) -> str:
    named: set[str] = set()
    parts = []
    for literal, name, *_ in Formatter().parse(text):
        parts.append(re.escape(literal))
        if name:
            parts.append(f"(?P={name})" if name in named else f"(?P<{name}>.+?)")
            named.add(name)
    return "".join(parts)
