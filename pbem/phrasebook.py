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
from typing import Final

from pbem.tongue import ENGLISH, Tongue

BETWEEN: Final = "; "
LONGEST: Final = 400
"""No text that is longer is looked for: several facts in it could be parted in too many ways."""


class Phrasebook:
    """English texts of parts that know no languages, to be found again and said in another tongue.

    The texts have braces for their facts, and a fact may be a text of the book again. Several
    things that are wrong stand in one text with a semicolon between them. What is not in the book
    is said as it is.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)

    def say(self, said: str, tongue: Tongue) -> str:
        """Something that was said in English, in a tongue."""
        if tongue.language == ENGLISH.language:
            return said
        found = self.find(said)
        if found is not None:
            text, facts = found
            return tongue.say(
                text, **{name: self.say(fact, tongue) for name, fact in facts.items()}
            )
        parts = said.split(BETWEEN)
        return said if len(parts) == 1 else BETWEEN.join(self.say(part, tongue) for part in parts)

    def find(self, said: str) -> tuple[str, dict[str, str]] | None:
        """The text of the book that was said, and the facts in it."""
        if said in self._plain:
            return said, {}
        if len(said) > LONGEST:
            return None
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
