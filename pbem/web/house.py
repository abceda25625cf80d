"""What every page and every way in needs of this server."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from flask import Flask, Response, current_app, request

from pbem.mail.office import Office
from pbem.play.ports import Surroundings
from pbem.tongue import Tongue
from pbem.web.fetching import Fetch

_log: Final = logging.getLogger(__name__)

Nudge = Callable[[Sequence[int]], None]
"""Told the numbers of mails that are to be read; they are found without it, only later."""

MailWaits = Callable[[], None]
"""Told that mails of ours may wait to be sent; they are found without it, only later."""

_CHANGES_NOTHING: Final = ("preview", "choices", "rehearse")
"""How the names of calls end that are posts only because of what they carry."""


@dataclass(frozen=True, slots=True)
class House:
    """This server, as the web sees it."""

    around: Surroundings
    office: Office
    webhooks: Mapping[str, str] = field(repr=False)
    nudge: Nudge | None
    mail_waits: MailWaits | None
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


def install_telling(app: Flask) -> None:
    """Behind each request that may have changed something, say that mails may wait."""

    @app.after_request
    def tell(response: Response) -> Response:
        mail_waits = get_house().mail_waits
        is_change = request.method not in ("GET", "HEAD", "OPTIONS") and response.status_code < 400
        if mail_waits is not None and is_change and _may_change(request.endpoint or ""):
            try:
                mail_waits()
            except Exception:
                _log.warning("a nudge for mail to be sent failed", exc_info=True)
        return response


def _may_change(endpoint: str) -> bool:
    return not endpoint.lower().endswith(_CHANGES_NOTHING)


def get_house() -> House:
    """The server whose request this is."""
    house = current_app.extensions["pbem"]
    assert isinstance(house, House)
    return house
