"""Challenges in a ladder: making one, accepting it, declining it."""

from __future__ import annotations

from flask import abort, g, request
from werkzeug.wrappers import Response as BaseResponse

from pbem.play.events import challenging, substituting
from pbem.web.events.seen import get_seen
from pbem.web.events.site import events
from pbem.web.events.taking_part import done_or_told
from pbem.web.visiting import for_players, get_around, get_viewer


@events.post("/<event_id>/challenge/<int:rival>")
@for_players
def challenge(event_id: str, rival: int) -> BaseResponse:
    """Challenge somebody above."""
    seen = get_seen(event_id)
    if not 1 <= rival <= len(seen.event.entrants):
        abort(404)

    def do() -> str:
        challenging.challenge(get_around(), event_id, get_viewer().id, rival, now=g.now)
        return str(g.tongue.say("{name} is told of your challenge.", name=seen.names.of(rival)))

    return done_or_told(event_id, do)


@events.post("/<event_id>/challenges/<int:number>")
@for_players
def answer_challenge(event_id: str, number: int) -> BaseResponse:
    """Accept a challenge, or decline it."""
    get_seen(event_id)
    answer, reason = request.form.get("answer"), request.form.get("reason", "")
    if answer not in ("accept", "decline"):
        abort(400)

    def do() -> str:
        around, me = get_around(), get_viewer().id
        if answer == "accept":
            challenging.accept(around, event_id, me, number, now=g.now)
            return str(g.tongue.say("Accepted: your games begin in a moment."))
        challenging.decline(around, event_id, me, number, reason=reason, now=g.now)
        return str(g.tongue.say("Declined."))

    return done_or_told(event_id, do)


@events.post("/<event_id>/place")
@for_players
def answer_place(event_id: str) -> BaseResponse:
    """Take over a place that one was asked to take, or not."""
    get_seen(event_id)
    answer = request.form.get("answer")
    if answer not in ("accept", "decline"):
        abort(400)

    def do() -> str:
        around, me = get_around(), get_viewer().id
        if answer == "accept":
            substituting.take_place(around, event_id, me, now=g.now)
            return str(g.tongue.say("The place is yours, with the games that go on."))
        substituting.decline_place(around, event_id, me, now=g.now)
        return str(g.tongue.say("Declined."))

    return done_or_told(event_id, do)
