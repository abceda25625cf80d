"""What every part of the mail needs to know of this server: its names, its keys, whom it trusts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pbem.config import Trust
from pbem.games.scene import Scene
from pbem.mail.keys import Keys


class Drawings(Protocol):
    """How boards are drawn; ``pbem.diagrams.for_mail`` fills it."""

    def png(self, scene: Scene) -> bytes:
        """A picture, 700 pixels wide."""

    def text(self, scene: Scene) -> str:
        """A text board of at most 78 columns."""


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
    drawings: Drawings | None = None
    """Who draws boards for mails; with nobody to draw them they are told in words."""
