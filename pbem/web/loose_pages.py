"""The templates of the server without the server: for pages that are written as files."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader

from pbem.tongue import Tongue

WEB: Final = Path(__file__).parent


def loose_pages(tongue: Tongue) -> Environment:
    """Templates that speak a language, and know of no request."""
    made = Environment(
        loader=FileSystemLoader(WEB / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(_=tongue.say, count=tongue.count, tongue=tongue)
    return made
