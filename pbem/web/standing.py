"""Standing rules of one game: what they mean, what they would have answered so far, setting them.

Only of the viewer's own seat: everybody else finds nothing here. Rules for all games are
``account``.
"""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, flash, g, redirect, render_template, request, url_for

from pbem.games.base import Refused, Rehearsal
from pbem.play import games as play
from pbem.play.errors import PlayError
from pbem.play.viewing import GameView
from pbem.web.faults import say_error
from pbem.web.forms import make_form_key
from pbem.web.games import get_own_view, key_of, tell_of
from pbem.web.visiting import for_players, get_around

standing: Final = Blueprint("standing", __name__)

MAX_RULES: Final = 2000
OFF: Final = "off"


@standing.get("/games/<game_id>/standing")
@for_players
def edit(game_id: str) -> Any:
    """The rules that hold, and what they would have answered."""
    view, _ = get_own_view(game_id)
    return _page(view, None)


@standing.post("/games/<game_id>/standing")
@for_players
def save(game_id: str) -> Any:
    """Try rules on the game so far, or set them."""
    view, seat = get_own_view(game_id)
    text = request.form.get("text", "").strip()[:MAX_RULES] or OFF
    rehearsed = view.rehearse(text, g.tongue)
    if "try" in request.form or not isinstance(rehearsed, Rehearsal):
        return _page(view, text)
    try:
        done = play.submit(
            get_around(),
            game_id,
            seat,
            f"standing: {rehearsed.text}",
            arrived=g.now,
            key=key_of(request.form.get("key", "")),
        )
    except PlayError as error:
        flash(say_error(error), "bad")
        return redirect(url_for(".edit", game_id=game_id), 303)
    if isinstance(done, play.TurnedDown):
        return _page(view, text)
    if isinstance(done, play.Taken):
        flash(g.tongue.say("These rules hold for every attack from now on."), "good")
    else:
        tell_of(done)
    return redirect(url_for(".edit", game_id=game_id), 303)


def _page(view: GameView, text: str | None) -> Any:
    """The editor; ``text`` is what was written, None for the rules that hold."""
    holding = view.rehearse(None, g.tongue)
    assert isinstance(holding, Rehearsal), "rules that hold were read before"
    rehearsed = holding if text is None else view.rehearse(text, g.tongue)
    is_refused = isinstance(rehearsed, Refused)
    shown = render_template(
        "standing/edit.html",
        view=view,
        holding=holding,
        rehearsed=rehearsed,
        is_tried=text is not None and not is_refused,
        is_refused=is_refused,
        text=holding.text if text is None else text,
        form_key=make_form_key(),
    )
    return (shown, 422) if is_refused else shown
