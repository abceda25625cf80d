"""What a browser says about its user."""

from __future__ import annotations

from flask import request

from pbem.catalogues import languages
from pbem.tongue import ENGLISH


def browser_language() -> str:
    """The first language the browser asks for that we have; ``nl-BE`` is ``nl``."""
    for wanted, quality in request.accept_languages:
        code = wanted.replace("_", "-").partition("-")[0].lower()
        if quality > 0 and code in languages():
            return code
    return ENGLISH.language
