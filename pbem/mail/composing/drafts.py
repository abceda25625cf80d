"""What a kind of mail consists of, before it is put into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.mail.composing.model import Attachment, Thread


@dataclass(frozen=True, slots=True)
class Draft:
    """The content of a mail; ``template`` is the folder that puts it into words.

    ``request_id`` is what a reply may answer, ``opens`` what else the reply's token opens (both go
    into the letter), ``about`` is the word before the token in Reply-To.
    """

    template: str
    content: Mapping[str, object]
    about: str
    game_id: str | None = None
    seat: int | None = None
    request_id: str | None = None
    opens: Mapping[str, object] = field(default_factory=dict)
    thread: Thread = field(default_factory=Thread)
    attachments: tuple[Attachment, ...] = ()
