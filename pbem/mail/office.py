"""What every part of the mail needs to know of this server: its names, its keys, whom it trusts."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.config import Trust
from pbem.mail.keys import Keys


@dataclass(frozen=True, slots=True)
class Office:
    """This server's post office. Made from the settings by ``pbem.bootstrap``."""

    domain: str
    """Right of the @ in all our addresses."""
    site_url: str
    """Where the web pages are, without a slash at the end."""
    keys: Keys
    name: str = "Ortus by mail"
    """What stands in From before the address."""
    trust: Trust = "token+from"
    authserv_id: str | None = None
    """Whose Authentication-Results count (L3.3); None: nobody's."""
    director: str | None = None
    """Where bounce notices go (L5)."""
    answers_an_hour: int = 20
    """Automatic answers to one address within an hour that failed L3 (L5)."""
