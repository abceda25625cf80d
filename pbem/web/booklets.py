"""What can be taken along of an archived game: its booklet, as a page and as a PDF, the game in
words, and its card.

Which game may be seen is ``seen_games``' to say; how they look is ``pbem.archive`` and
``pbem.diagrams``. Pictures and PDFs take a while to make, so the last ones are kept, by all they
are made from. What makes them takes much memory and is loaded with the first one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final, NamedTuple

from flask import Blueprint, Response, g, render_template, request
from markupsafe import Markup

from notation.record import Record
from notation.record_writing import format_record
from pbem.archive.booklet import make_chapter
from pbem.archive.card import make_card
from pbem.archive.framing import make_document
from pbem.archive.words import tell_game
from pbem.diagrams.chart import chart_svg
from pbem.diagrams.page_theme import page_theme
from pbem.diagrams.papers import PAPERS
from pbem.games.chart import Chart
from pbem.play.annotating import read_joined
from pbem.shelf import Shelf
from pbem.web.seen_games import get_seen, place_asked
from pbem.web.visiting import get_around, get_office

booklets: Final = Blueprint("booklets", __name__, url_prefix="/archive")

MOST_BYTES: Final = 16 << 20
"""How much is kept of all PDFs and cards together."""

_kept: Final[Shelf[bytes, bytes]] = Shelf(MOST_BYTES, len)


class _Seen(NamedTuple):
    """An archived game that the visitor may see, with all that was remarked on it."""

    record: Record
    is_open: bool


def _get_game(number: int) -> _Seen:
    """The game with its remarks; 404 if there is none, or it may not be seen."""
    with get_around().store.read() as unit:
        game = get_seen(unit, number)
        return _Seen(read_joined(unit, number).record, game.visibility == "open")


@booklets.get("/<int:number>/booklet")
def page(number: int) -> str:
    """The booklet as a page that prints well."""
    chapter = make_chapter(make_document(_get_game(number).record), tongue=g.tongue)
    return render_template(
        "archive/booklet.html",
        number=number,
        chapter=chapter,
        paper=_paper(),
        chart=_draw_chart,
    )


@booklets.get("/<int:number>.pdf")
def pdf(number: int) -> Response:
    """The booklet as a PDF."""
    seen, paper, tongue = _get_game(number), _paper(), g.tongue

    def make() -> bytes:
        from pbem.diagrams.booklet_pdf import booklet_pdf  # noqa: PLC0415

        chapter = make_chapter(make_document(seen.record), tongue=tongue)
        return booklet_pdf([chapter], paper=PAPERS[paper], tongue=tongue)

    response = _answer(seen, ("pdf", paper), make, "application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="game-{number}.pdf"'
    return response


@booklets.get("/<int:number>/card.png")
def card(number: int) -> Response:
    """The card of the game, at its end or at the place asked for."""
    seen, tongue, site = _get_game(number), g.tongue, get_office().name
    # Whatever is no place of the game shows its end, which is drawn once for all of them.
    frame = make_document(seen.record).find(place) if (place := place_asked()) else None
    place = frame.place if frame is not None else ""

    def make() -> bytes:
        from pbem.diagrams.card import card_png  # noqa: PLC0415

        document = make_document(seen.record)
        return card_png(make_card(document, place=place or None, tongue=tongue), site=site)

    response = _answer(seen, ("card", place, site), make, "image/png")
    if seen.is_open:  # made to be shown by others
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


@booklets.get("/<int:number>/words")
def words(number: int) -> str:
    """The game in words."""
    told = tell_game(make_document(_get_game(number).record), tongue=g.tongue)
    return render_template("archive/words.html", number=number, told=told)


def _paper() -> str:
    asked = request.args.get("paper", "")
    return asked if asked in PAPERS else "a4"


def _draw_chart(chart: Chart) -> Markup:
    """A chart as part of a page; all text in it is escaped by the drawing."""
    return Markup(chart_svg(chart, theme=page_theme()))


def _answer(
    seen: _Seen, kind: tuple[str, ...], make: Callable[[], bytes], mimetype: str
) -> Response:
    """What was made before from the same, or is made now."""
    facts = (format_record(seen.record), g.tongue.language, *kind)
    key = hashlib.sha256("\0".join(facts).encode("utf-8", "replace")).digest()
    response = Response(mimetype=mimetype)
    response.set_etag(key.hex()[:32])
    response.cache_control.no_cache = True
    response.cache_control.public = seen.is_open
    response.cache_control.private = None if seen.is_open else True
    response.vary.add("Accept-Language")
    response.vary.add("Cookie")
    if request.if_none_match.contains(key.hex()[:32]):
        response.status_code = 304
        return response
    made = _kept.find(key)
    if made is None:
        made = make()
        _kept.keep(key, made)
    response.set_data(made)
    return response
