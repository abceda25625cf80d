"""Forms are taken from our own pages alone: each brings the token of the browser it was shown in.

A page of another site cannot know the token. Besides, browsers say where a form comes from, and one
that comes from elsewhere is refused whatever it brings. Nothing is asked of browsers that do not
say so: ours are told to send no ``Referer``, and then send none to us either.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from flask import g, request
from flask_wtf.csrf import CSRFError, CSRFProtect

from pbem.web.house import get_house

_OURS: Final = ("same-origin", "none")
_UNSAID: Final = ("", "null")


class OwnForms(CSRFProtect):  # type: ignore[misc] # it comes without types
    """Refuses forms of other sites with CSRFError."""

    def protect(self, *args: Any, **more: Any) -> None:
        """Check the token, then where the form comes from."""
        super().protect(*args, **more)
        if g.get("csrf_valid") and _is_from_elsewhere():
            raise CSRFError("The form is of another site.")


def _is_from_elsewhere() -> bool:
    """Whether the browser says that another site has sent this."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site not in _OURS
    said = request.headers.get("Origin", "")
    if said in _UNSAID:
        said = request.headers.get("Referer", "")
    if said in _UNSAID:
        return False
    # A proxy may call us by another name than visitors do.
    ours = (request.host, urlsplit(get_house().office.site_url).netloc)
    return _place(said) not in ours


def _place(address: str) -> str | None:
    try:
        return urlsplit(address).netloc
    except ValueError:
        return None
