"""The post office of ``pbem demo``: every player's mail as the player would see it, and replies.

Only there: a real server sends real mail. Replies go out over SMTP like anybody's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Final, Protocol
from urllib.parse import parse_qs, unquote

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    flash,
    g,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from pbem.play import access
from pbem.web.visiting import get_around, remember_session

post_office: Final = Blueprint("post_office", __name__, url_prefix="/post")

_MAILTO: Final = re.compile(r'href="mailto:([^"?]*)(?:\?([^"]*))?"')
_CID: Final = re.compile(r'src="cid:([^"]+)"')
_MAIL_CSP: Final = (
    "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self';"
    " sandbox allow-top-navigation-by-user-activation"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A mail in somebody's box."""

    number: int
    recipient: str
    subject: str
    at: datetime
    text: str
    html: str
    images: dict[str, bytes]
    attachments: dict[str, bytes]
    reply_to: str
    message_id: str
    references: str
    sender: str


class PostOffice(Protocol):
    """Where all the mail is."""

    def pieces(self) -> Sequence[Piece]:
        """Everything, newest first."""

    def find(self, number: int) -> Piece | None:
        """One mail."""

    def reply(self, piece: Piece, text: str) -> None:
        """Answer a mail as its reader."""


def _office() -> PostOffice:
    office: PostOffice = current_app.extensions["pbem_post_office"]
    return office


@post_office.get("")
def index() -> str:
    """All boxes, or one player's."""
    boxes = _boxes()
    wanted = request.args.get("box", "")
    pieces = [piece for piece in _office().pieces() if wanted in ("", piece.recipient)]
    return render_template(
        "post_office/index.html", boxes=boxes, wanted=wanted, pieces=pieces[:200]
    )


def _boxes() -> Mapping[str, int]:
    boxes: dict[str, int] = {}
    for piece in _office().pieces():
        boxes[piece.recipient] = boxes.get(piece.recipient, 0) + 1
    return dict(sorted(boxes.items()))


def _get(number: int) -> Piece:
    piece = _office().find(number)
    if piece is None:
        abort(404)
    return piece


@post_office.get("/<int:number>")
def show(number: int) -> str:
    """A mail with the box to reply in."""
    return render_template(
        "post_office/mail.html",
        piece=_get(number),
        body=request.args.get("body", "")[:2000],
        boxes=_boxes(),
    )


@post_office.get("/<int:number>/html")
def html(number: int) -> Response:
    """The HTML of a mail, alone in its frame; its answers lead to the reply box."""
    piece = _get(number)
    here = url_for(".show", number=number)

    def to_box(found: re.Match[str]) -> str:
        query = parse_qs(found[2].replace("&amp;", "&") if found[2] else "")
        body = unquote(query.get("body", [""])[0]).strip()
        link = url_for(".show", number=number, body=body or None, _anchor="reply")
        return f'target="_top" href="{escape(link)}"'

    shown = _MAILTO.sub(to_box, piece.html)
    shown = _CID.sub(lambda found: f'src="{here}/images/{escape(found[1])}"', shown)
    response = make_response(shown.replace('href="http', 'target="_top" href="http'))
    response.headers["Content-Security-Policy"] = _MAIL_CSP
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


@post_office.get("/<int:number>/images/<name>")
def image(number: int, name: str) -> Response:
    """A picture of a mail."""
    found = _get(number).images.get(name)
    if found is None:
        abort(404)
    response = Response(found, mimetype="image/png")
    # The frame of a mail is a world of its own, so that nothing in it can reach this one.
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


@post_office.get("/<int:number>/files/<name>")
def attachment(number: int, name: str) -> Response:
    """What is attached to a mail."""
    found = _get(number).attachments.get(name)
    if found is None:
        abort(404)
    response = Response(found, mimetype="text/plain")
    response.headers["Content-Disposition"] = "attachment"
    return response


@post_office.post("/<int:number>")
def reply(number: int) -> BaseResponse:
    """Send a reply, over SMTP."""
    piece = _get(number)
    text = request.form.get("text", "").strip()
    if not text:
        flash(g.tongue.say("Write something first."), "bad")
        return redirect(url_for(".show", number=number), 303)
    _office().reply(piece, text)
    flash(g.tongue.say("Sent. The answer is here in a moment."), "good")
    # To all boxes: what comes next may be for the opponent.
    return redirect(url_for(".index"), 303)


@post_office.post("/sign-in")
def sign_in() -> BaseResponse:
    """Come in as the owner of a box; in a demonstration everybody may be everybody."""
    with get_around().store.read() as unit:
        address = unit.find_address(request.form.get("box", "").lower())
    if address is None or address.verified_at is None:
        abort(404)
    given = access.begin_session(get_around(), address.player_id, browser="demo", now=g.now)
    response = make_response(redirect(url_for("games.mine"), 303))
    remember_session(response, given)
    return response
