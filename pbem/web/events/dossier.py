"""The dossier of a game, from which a director rules on it by one click, or corrects its result;
and what players say before that."""

from __future__ import annotations

from typing import Any, Final

from flask import abort, flash, g, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from pbem.archive.trends import draw_trends
from pbem.diagrams.chart import chart_svg
from pbem.diagrams.page_theme import page_theme
from pbem.play.errors import NotAllowedError, PlayError
from pbem.play.events import directing, statements
from pbem.play.events.dossiers import Dossier, open_dossier
from pbem.play.events.open_event import MAX_REASON
from pbem.web.boards import draw
from pbem.web.events.overview import head_of
from pbem.web.events.pairings import pairing_line
from pbem.web.events.seen import SeenEvent, for_directors, get_seen
from pbem.web.events.site import events
from pbem.web.faults import say_error
from pbem.web.visiting import for_players, get_around, get_viewer

LAST_STEPS: Final = 12
RULINGS: Final = ("gold", "draw", "black", "annul")


@events.get("/<event_id>/games/<int:number>/<int:index>")
@for_directors
def dossier(seen: SeenEvent, number: int, index: int) -> str:
    """All there is to know about a game."""
    try:
        with get_around().store.read() as unit:
            found = open_dossier(unit, seen.event.id, get_viewer(), (number, index), now=g.now)
    except NotAllowedError:
        abort(404)
    line = pairing_line(seen, found.encounter)
    return render_template(
        "events/dossier.html",
        **head_of(seen),
        dossier=found,
        line=line,
        this=line.games[index],
        **_shown(found),
    )


def _shown(found: Dossier) -> dict[str, Any]:
    view, trends = found.view, found.trends
    return {
        "view": view,
        "board_drawn": None if view is None else draw(view.scene(g.tongue)),
        "spoken": "" if view is None else view.spoken(g.tongue),
        "last_steps": () if view is None else [s for s in view.steps if s.texts][-LAST_STEPS:],
        "trends": trends,
        "chart": _chart(found),
    }


def _chart(found: Dossier) -> Markup:
    if found.trends is None or len(found.trends.labels) < 2:
        return Markup()
    return Markup(chart_svg(draw_trends(found.trends, tongue=g.tongue), theme=page_theme()))


@events.post("/<event_id>/games/<int:number>/<int:index>")
@for_directors
def rule(seen: SeenEvent, number: int, index: int) -> BaseResponse:
    """Rule on a game that goes on, correct one that is over, or annul either."""
    ruling = request.form.get("ruling", "")
    if ruling not in RULINGS:
        abort(400)
    try:
        _rule(seen, (number, index), ruling, request.form.get("reason", "")[:MAX_REASON])
    except PlayError as error:
        flash(say_error(error), "bad")
        here = url_for(".dossier", event_id=seen.event.id, number=number, index=index)
        return redirect(here, 303)
    flash(g.tongue.say("Ruled. Both players are told."), "good")
    return redirect(url_for(".desk", event_id=seen.event.id), 303)


def _rule(seen: SeenEvent, which: tuple[int, int], ruling: Any, reason: str) -> None:
    around, me = get_around(), get_viewer()
    with around.store.read() as unit:
        found = open_dossier(unit, seen.event.id, me, which, now=g.now)
    if ruling == "annul":
        directing.annul(around, seen.event.id, me.id, which, reason=reason, now=g.now)
    elif found.game.result is None:
        directing.adjudicate(around, seen.event.id, me.id, which, ruling, reason=reason, now=g.now)
    else:
        directing.correct(around, seen.event.id, me.id, which, ruling, reason=reason, now=g.now)


@events.post("/<event_id>/games/<int:number>/<int:index>/statement")
@for_players
def state(event_id: str, number: int, index: int) -> BaseResponse:
    """Say something to the directors about one's own game."""
    seen = get_seen(event_id)
    back = url_for(".show", event_id=event_id)
    game_id = seen.find_game_id(number, index)
    if game_id is not None:
        back = url_for("games.show", game_id=game_id)
    try:
        text = request.form.get("text", "")
        me = get_viewer().id
        statements.state(get_around(), event_id, me, (number, index), text, now=g.now)
        flash(g.tongue.say("The directors are told. Nobody else reads it."), "good")
    except PlayError as error:
        flash(say_error(error), "bad")
    return redirect(back, 303)
