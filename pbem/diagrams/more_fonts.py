"""Fonts of this machine for letters that our own font has not: names in any script.

Our font writes Latin, Greek and Cyrillic. For the rest the usual folders are searched, in an order
that is always the same, for files that have the letters. None need be there: what no font has is
shown as ``UNWRITABLE`` by whoever writes.
"""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from fontTools.ttLib import TTFont, TTLibError

from pbem.diagrams.fonts import font_files

FOLDERS: Final = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path("/Library/Fonts"),
    Path("C:/Windows/Fonts"),
)
UNWRITABLE: Final = "?"

_MOST_FILES: Final = 300
"""A machine may have thousands of fonts; reading what letters one has takes some milliseconds."""
_PLAIN_NAMES: Final = ("sans", "gothic", "fallback", "regular", "hei")
_OTHER_NAMES: Final = ("bold", "italic", "oblique", "mono", "light", "thin", "black", "condensed")


def find_fonts_for(text: str) -> tuple[Path, ...]:
    """As few files as have all that some other font can write of a text, the best first."""
    missing = frozenset(map(ord, text)) - own_letters()
    return _find_fonts(missing) if missing else ()


@lru_cache(maxsize=256)
def _find_fonts(missing: frozenset[int]) -> tuple[Path, ...]:
    found: list[Path] = []
    for path in _files():
        there = missing & _letters(path)
        if there:
            found.append(path)
            missing -= there
        if not missing:
            break
    return tuple(found)


def written(text: str, fonts: Sequence[Path]) -> str:
    """The text with a sign for every letter that neither our font nor these have."""
    if own_letters().issuperset(map(ord, text)):
        return text
    return "".join(_writable(letter, fonts) for letter in text)


def has_letter(font: Path, letter: str) -> bool:
    """Whether a font file can write a letter."""
    return ord(letter) in _letters(font)


def _writable(letter: str, fonts: Sequence[Path]) -> str:
    if _is_known(letter, fonts):
        return letter
    if unicodedata.category(letter) in ("Mn", "Cf", "Cc", "Cs"):
        return ""  # accents without their letter, and what is no letter at all
    plain = unicodedata.normalize("NFKD", letter)
    return plain if all(_is_known(part, fonts) for part in plain) else UNWRITABLE


def _is_known(letter: str, fonts: Sequence[Path]) -> bool:
    return ord(letter) in own_letters() or any(has_letter(font, letter) for font in fonts)


@cache
def own_letters() -> frozenset[int]:
    """What our font can write."""
    return _letters(font_files()[0])


@cache
def _files() -> tuple[Path, ...]:
    found: list[Path] = []
    for folder in FOLDERS:
        if folder.is_dir():
            found += sorted(folder.rglob("*.ttf"))
    return tuple(sorted(found, key=_order)[:_MOST_FILES])


def _order(path: Path) -> tuple[int, int, str]:
    """Plain faces first, fonts in the manner of ours before others."""
    name = path.stem.lower()
    is_other = any(word in name for word in _OTHER_NAMES)
    is_plain = any(word in name for word in _PLAIN_NAMES)
    return (is_other, not is_plain, path.name)


@cache
def _letters(path: Path) -> frozenset[int]:
    """The letters that a font file has; none if it cannot be read."""
    try:
        with TTFont(path, lazy=True) as font:
            return frozenset(font.getBestCmap() or ()) if "glyf" in font else frozenset()
    except (TTLibError, OSError, KeyError, ValueError) as error:
        logging.getLogger(__name__).info("%s cannot be used: %s", path, error)
        return frozenset()
