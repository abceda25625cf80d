"""The theme of boards on web pages: every colour is a variable of the page's style sheet.

So one picture is bright or dark as the page is, without being drawn twice. ``page_theme`` goes to
``scene_svg``, ``theme_css`` into the style sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Final, cast

from pbem.diagrams.theme import DARK, LIGHT, Theme

_PREFIX: Final = "--board"


@cache
def page_theme() -> Theme:
    """The theme whose colours are variables."""
    named = _named(LIGHT, _PREFIX)
    return replace(cast(Theme, named), name="page")


@cache
def theme_css() -> str:
    """The variables for bright and for dark pages.

    A page is dark if its reader's system is, unless ``data-theme`` on the root says otherwise.
    Paper is always bright.
    """
    light = "".join(f"{name}:{colour};" for name, colour in _colours(LIGHT, _PREFIX))
    dark = "".join(f"{name}:{colour};" for name, colour in _colours(DARK, _PREFIX))
    return (
        f":root{{{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark)"
        f"{{:root:not([data-theme=light]){{{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{{dark}}}}}\n"
    )


def _parts(value: Any, name: str) -> Iterator[tuple[str, str, Any]]:
    """The parts of a value: how each is found in it, its name, and what it is."""
    if is_dataclass(value):
        for field in fields(value):
            if field.name != "name" or not isinstance(value, Theme):
                yield field.name, f"{name}-{field.name}", getattr(value, field.name)
    elif isinstance(value, tuple):
        for index, part in enumerate(value):
            yield str(index), f"{name}-{index}", part
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key, f"{name}-{key.value}", part


def _named(value: Any, name: str) -> Any:
    if isinstance(value, str):
        return f"var({_css_name(name)})"
    named = {key: _named(part, part_name) for key, part_name, part in _parts(value, name)}
    if isinstance(value, tuple):
        return tuple(named.values())
    return named if isinstance(value, dict) else replace(value, **named)


def _colours(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield _css_name(name), value
        return
    for _, part_name, part in _parts(value, name):
        yield from _colours(part, part_name)


def _css_name(name: str) -> str:
    return name.replace("_", "-")
