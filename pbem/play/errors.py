"""What a use case refuses outright: nothing was changed, and the reason is for the caller.

::

    PbemError
    └── PlayError                ``code`` is stable; what a player reads is made from it
        ├── NoSuchGameError
        ├── NoSuchPlayerError
        ├── NoSuchInvitationError
        └── NotAllowedError      there is such a thing, but this player may not do that to it
"""

from __future__ import annotations

from pbem.errors import PbemError


class PlayError(PbemError):
    """A use case that cannot be carried out."""

    code = "play"

    def __init__(self, code: str | None = None, **facts: object) -> None:
        self.code = code or self.code
        self.facts = facts
        details = ", ".join(f"{name}={value}" for name, value in facts.items())
        super().__init__(f"{self.code}{': ' + details if details else ''}")


class NoSuchGameError(PlayError):
    """There is no game of that name."""

    code = "no_such_game"


class NoSuchPlayerError(PlayError):
    """There is no such player."""

    code = "no_such_player"


class NoSuchInvitationError(PlayError):
    """There is no such invitation."""

    code = "no_such_invitation"


class NotAllowedError(PlayError):
    """This player may not do that."""

    code = "not_allowed"
