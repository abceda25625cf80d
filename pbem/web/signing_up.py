"""Signing up: a name and an address; nothing else happens before the address is confirmed."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, abort, g, redirect, render_template, request, url_for

from pbem.mail.named_addresses import sign_up
from pbem.mail.smtp_gate import peer_name
from pbem.play.errors import NotAllowedError
from pbem.play.players import PlayerFaults
from pbem.web.faults import say_fields
from pbem.web.visiting import get_around, get_office

signing_up: Final = Blueprint("signing_up", __name__)


@signing_up.get("/sign-up")
def ask() -> str:
    """The form."""
    return render_template("signing_up/ask.html", chosen={}, faults={})


@signing_up.post("/sign-up")
def send() -> Any:
    """Mail a confirmation. Whether an address is taken is told to nobody but its owner."""
    name = request.form.get("name", "")[:200]
    address = request.form.get("address", "")[:320]
    chosen = {"name": name, "address": address}
    try:
        sign_up(
            get_around(),
            get_office(),
            name,
            address,
            language=g.tongue.language,
            source=peer_name(request.remote_addr or ""),
            now=g.now,
        )
    except PlayerFaults as error:
        return render_template("signing_up/ask.html", chosen=chosen, faults=say_fields(error)), 422
    except NotAllowedError:
        abort(429)
    return redirect(url_for("signing_up.sent"), 303)


@signing_up.get("/sign-up/sent")
def sent() -> str:
    """The same page for every address."""
    return render_template("signing_up/sent.html")
