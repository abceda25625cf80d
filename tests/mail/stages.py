"""A stage for tests of composing: Ann and Ben in a store, and mails taken apart again."""

from __future__ import annotations

import email
import email.policy
import hashlib
import re
from email.message import EmailMessage
from typing import Final

from pbem.diagrams.text import scene_text
from pbem.games.scene import Scene
from pbem.mail.composing.model import Composed
from pbem.mail.mime import to_bytes
from pbem.mail.office import Office

_MAILTO: Final = re.compile(r'href="mailto:[^"]*"')


class Sketches:
    """Drawings without the drawing: a picture is named by what it would show."""

    def png(self, scene: Scene) -> bytes:
        return hashlib.sha256(repr(scene).encode()).digest()

    def text(self, scene: Scene) -> str:
        return scene_text(scene)


def parsed(mail: Composed, office: Office) -> EmailMessage:
    """The mail as another program reads it."""
    return email.message_from_bytes(to_bytes(mail, office), policy=email.policy.default)


def part(message: EmailMessage, kind: str) -> str:
    """The text of the part of a kind, with plain line ends."""
    found = [each for each in message.walk() if each.get_content_type() == kind]
    content = found[0].get_content()
    assert isinstance(content, str)
    return content.replace("\r\n", "\n")


def without_links(html: str) -> str:
    """HTML without the links that open a reply."""
    return _MAILTO.sub("", html)
