"""The front page: for visitors what this is, for players the way to their games."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, g, redirect, render_template, url_for
from werkzeug.wrappers import Response as BaseResponse

home: Final = Blueprint("home", __name__)


@home.get("/")
def front() -> str | BaseResponse:
    """What this is; players go on to their games."""
    if g.viewer is not None:
        return redirect(url_for("games.mine"), 303)
    return render_template("home/front.html")
