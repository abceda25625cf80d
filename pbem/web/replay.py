"""The pages of archived games: going through one, and the same as a frame for other sites.

What is shown comes from ``replays``; whatever takes long is kept for all who look at the same
record in the same language. What stands beside the board for annotators is ``remark_panels``;
searching the archive and taking games along have pages of their own.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    g,
    make_response,
    redirect,
    render_template,
    url_for,
)
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as BaseResponse

from notation.record import Record
from notation.record_writing import format_record
from pbem.archive.framing import make_document
from pbem.archive.signs import show_signs
from pbem.play.annotating import read_joined
from pbem.play.archived import ArchivedGame
from pbem.shelf import Shelf
from pbem.tongue import N_
from pbem.web.games import get_view
from pbem.web.limits import count_drawing
from pbem.web.packing import pack
from pbem.web.remark_panels import author_query, make_panel, read_authors
from pbem.web.replays import Replay, make_citation, make_embed_code, mark_code
from pbem.web.seen_games import get_seen, place_asked, viewer_number
from pbem.web.visiting import ask_to_sign_in, get_around, get_office

replay: Final = Blueprint("replay", __name__)
replay.add_app_template_global(show_signs, "signs")
replay.add_app_template_global(mark_code, "coded")

MOST_BYTES: Final = 24 << 20
"""How much is kept of all replays together; one takes about 300 kB."""

DOWNLOADS: Final = (
    (N_("Record as archived (.ogn)"), "downloads.record"),
    (N_("Record with remarks (.ogn)"), "annotating.record"),
    (N_("Log (.log)"), "downloads.log"),
    (N_("Booklet"), "booklets.page"),
    (N_("Booklet (PDF)"), "booklets.pdf"),
    (N_("In words"), "booklets.words"),
)
"""What can be taken along; a log only of a game played here."""

_EMBED_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
        " base-uri 'none'; form-action 'none'; frame-ancestors *"
    ),
    "Cross-Origin-Resource-Policy": "cross-origin",
}

_kept: Final[Shelf[tuple[bytes, str], Replay]] = Shelf(MOST_BYTES, Replay.weigh)


@replay.get("/archive/<int:number>")
def show(number: int) -> Response:
    """A game at a moment of it, from which a script goes on by itself."""
    by = read_authors()
    game, shown = _get_replay(number, by=by)
    moment = shown.find_moment(place_asked())
    site, path = get_office().site_url, url_for(".show", number=number)
    is_open = game.visibility == "open"
    page = render_template(
        "archive/replay.html",
        replay=shown,
        moment=moment,
        href=f"?{author_query(by)}at=",
        anchor="#board",
        number=number,
        panel=None if moment is None else make_panel(game, moment.frame.place, by=by),
        downloads=[
            (g.tongue.say(name), url_for(endpoint, number=number))
            for name, endpoint in DOWNLOADS
            if endpoint != "downloads.log" or game.game_id is not None
        ],
        citation=make_citation(shown, f"{site}{path}"),
        embed_code=make_embed_code(shown, f"{site}{path}/embed") if is_open else "",
    )
    return pack(make_response(page))


@replay.get("/archive/<int:number>/embed")
def embed(number: int) -> Response:
    """The same without a frame of ours, for a frame on another site: open games only, no forms."""
    game, shown = _get_replay(number)
    if game.visibility != "open":
        abort(404)
    page = render_template(
        "archive/embed.html",
        replay=shown,
        moment=shown.find_moment(place_asked()),
        href="?at=",
        anchor="#board",
        number=number,
    )
    response = make_response(page)
    response.headers.update(_EMBED_HEADERS)
    return pack(response)


@replay.get("/games/<game_id>/replay")
def show_played(game_id: str) -> BaseResponse:
    """From a game of ours to where it is archived; mails link to this. Who is not signed in may be
    a player of a private game, and learns nothing else of it."""
    try:
        view = get_view(game_id)
    except NotFound:
        if g.viewer is None:
            return ask_to_sign_in()
        raise
    with get_around().store.read() as unit:
        found = unit.find_archived_game(game_id)
    if found is not None and found.is_seen_by(viewer_number()):
        return redirect(url_for(".show", number=found.number))
    if not view.is_over:
        abort(404)
    flash(g.tongue.say("The game is not in the archive yet. Try again in a moment."), "bad")
    return redirect(url_for("games.show", game_id=game_id))


def _get_replay(number: int, *, by: tuple[str, ...] | None = None) -> tuple[ArchivedGame, Replay]:
    """An archived game with the remarks on it, all or those of some authors, in the visitor's
    language; 404 for who may not see it."""
    with get_around().store.read() as unit:
        game = get_seen(unit, number)
        record = read_joined(unit, number, by=by).record
    return game, get_replay(record)


def get_replay(record: Record) -> Replay:
    """The replay of a record in the visitor's language, made if it is not kept: not too often for
    one visitor, since it takes long."""
    key = (sha256(format_record(record).encode()).digest(), g.tongue.language)
    found = _kept.find(key)
    if found is None:
        count_drawing()
        found = Replay(make_document(record), g.tongue)
        _kept.keep(key, found)
    return found
