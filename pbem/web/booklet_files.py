"""A booklet as one HTML file that needs nothing beside it: to print, to send, to keep."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from pbem.archive.booklet import Chapter
from pbem.diagrams.chart import chart_svg
from pbem.diagrams.svg import scene_svg
from pbem.diagrams.theme import PAPER
from pbem.games.chart import Chart
from pbem.games.scene import Scene
from pbem.tongue import Tongue
from pbem.web.loose_pages import WEB, loose_pages


def booklet_html(chapters: Sequence[Chapter], *, title: str, paper: str, tongue: Tongue) -> str:
    """The whole booklet; ``title`` stands over several games."""
    return (
        loose_pages(tongue)
        .get_template("archive/booklet_file.html")
        .render(
            title=title,
            paper=paper,
            chapters=chapters,
            style=Markup(WEB.joinpath("static", "booklet.css").read_text("utf-8")),
            board=_board,
            chart=_chart,
        )
    )


def _board(scene: Scene) -> Markup:
    return Markup(scene_svg(scene, theme=PAPER))


def _chart(chart: Chart) -> Markup:
    return Markup(chart_svg(chart, theme=PAPER))
