"""The front page: for visitors what this is, for players the way to their games."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, g, redirect, render_template, url_for
from werkzeug.wrappers import Response as BaseResponse

from pbem.web.lessons import PUPIL, first_game

home: Final = Blueprint("home", __name__)

SHOWN: Final = ("F2>I6; W1 rng F9",)
"""What has been played in the game of the tutorial when the front page shows it."""


@home.get("/")
def front() -> str | BaseResponse:
    """What this is; players go on to their games."""
    if g.viewer is not None:
        return redirect(url_for("games.mine"), 303)
    game = first_game(SHOWN)
    since = (game.before, game.events)
    scene = game.play.scene(game.state, PUPIL, tongue=g.tongue, since=since)
    return render_template("home/front.html", scene=scene)
