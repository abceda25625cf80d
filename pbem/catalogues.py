"""The languages we ship, read from the catalogues in ``pbem/locale/<language>/*.po``.

A language is all its catalogues together: one for each part of the server that says something.
English is the text in the code and needs none. The catalogues are read as they are, without a
compiling step, so what is installed is what was reviewed. Pure packages are handed a ``Tongue``
and never import this module.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Final

from babel.messages.pofile import read_po

from pbem.tongue import ENGLISH, Tongue

LOCALE_DIR: Final = Path(__file__).parent / "locale"


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages a player can choose; English first."""
    found = {path.parent.name for path in LOCALE_DIR.glob("*/*.po")}
    return (ENGLISH.language, *sorted(found - {ENGLISH.language}))


def get_tongue(language: str) -> Tongue:
    """How to say things in a language; in English if we do not have it. ``nl-BE`` is ``nl``."""
    code = language.replace("_", "-").partition("-")[0].lower()
    return _read_tongue(code) if code in languages()[1:] else ENGLISH


@cache
def _read_tongue(language: str) -> Tongue:
    texts: dict[str, str] = {}
    counted: dict[str, tuple[str, ...]] = {}
    plural: Callable[[int], int] = c2py("n != 1")
    for path in sorted(LOCALE_DIR.joinpath(language).glob("*.po")):
        with path.open("rb") as file:
            catalogue = read_po(file, locale=language)
        plural = c2py(catalogue.plural_expr)
        for message in catalogue:
            if message.fuzzy or not message.id or not message.string:
                continue
            if isinstance(message.id, str):
                texts.setdefault(message.id, str(message.string))
            elif all(message.string):
                counted.setdefault(message.id[0], tuple(message.string))

    def find(text: str) -> str:
        return texts.get(text, text)

    def find_counted(one: str, many: str, count: int) -> str:
        forms = counted.get(one)
        if forms is None:
            return one if count == 1 else many
        return forms[plural(count)]

    return Tongue(language, find, find_counted)
