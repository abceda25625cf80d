"""What every page and every way in needs of this server."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from flask import current_app

from pbem.mail.office import Office
from pbem.play.ports import Surroundings
from pbem.tongue import Tongue
from pbem.web.fetching import Fetch

_log: Final = logging.getLogger(__name__)

Nudge = Callable[[Sequence[int]], None]
"""Told the numbers of mails that are to be read; they are found without it, only later."""


@dataclass(frozen=True, slots=True)
class House:
    """This server, as the web sees it."""

    around: Surroundings
    office: Office
    webhooks: Mapping[str, str] = field(repr=False)
    nudge: Nudge | None
    fetch: Fetch
    tongues: Callable[[str], Tongue]
    clock: Callable[[], datetime]

    def tell(self, inbound_ids: Sequence[int]) -> None:
        """Say that mails are to be read, if anybody listens. They are stored: no fault matters."""
        if inbound_ids and self.nudge is not None:
            try:
                self.nudge(inbound_ids)
            except Exception:
                _log.warning("a nudge for new mail failed", exc_info=True)


def get_house() -> House:
    """The server whose request this is."""
    house = current_app.extensions["pbem"]
    assert isinstance(house, House)
    return house
