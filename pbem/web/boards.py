"""Boards on pages: inline pictures, and the style sheet with their colours."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response
from markupsafe import Markup

from pbem.diagrams.details import piece_svg
from pbem.diagrams.page_theme import page_theme, theme_css
from pbem.diagrams.svg import scene_svg
from pbem.games.scene import Piece, Scene

boards: Final = Blueprint("boards", __name__)


def draw(scene: Scene) -> Markup:
    """A board as part of a page; all text in it is escaped by the drawing."""
    return Markup(scene_svg(scene, theme=page_theme()))


@boards.app_template_global("piece")
def draw_piece(piece: Piece) -> Markup:
    """One piece by itself, for a button; what it is has to be said beside it."""
    return Markup(piece_svg(piece, theme=page_theme()))


@boards.get("/boards.css")
def style() -> Response:
    """The colours of boards, bright and dark."""
    response = Response(theme_css(), mimetype="text/css")
    response.cache_control.public = True
    response.cache_control.max_age = 3600
    return response
