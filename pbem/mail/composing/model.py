"""What a mail of ours is before it is bytes. Plain and frozen."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.scene import Scene
from pbem.play.post import Letter


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture inside the HTML part, named there by ``cid:<name>``."""

    name: str
    scene: Scene
    """What it shows. It is drawn when its bytes are wanted: that takes long."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text file that goes along."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Thread:
    """Where a mail belongs: Message-IDs with their brackets, oldest first (L5)."""

    references: tuple[str, ...] = ()
    is_answer: bool = False
    """Whether it answers a mail of the player's: Auto-Submitted says so."""


@dataclass(frozen=True, slots=True)
class Composed:
    """A mail, ready to be made into bytes by ``mime.to_bytes``.

    ``letter`` is what is to be stored of it; its address is where the mail goes.
    """

    letter: Letter
    name: str
    """Whose name stands in To."""
    language: str
    subject: str
    text: str
    html: str
    reply_to: str
    thread: Thread = Thread()
    pictures: tuple[Picture, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    unsubscribe_url: str | None = None
