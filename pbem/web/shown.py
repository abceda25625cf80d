"""What a game's page shows until the next entry: the board, the log and the question, made once.

All of it follows from the entries that the viewer may see, so it is kept for whoever looks at the
same seat's side of the same entry in the same language. Clocks, messages, notes and forms are the
page's own. Nothing is kept by player: who sits where is asked anew for every page.
"""

from __future__ import annotations

from dataclasses import dataclass
from sys import getsizeof
from typing import Final

from flask import g, render_template, url_for
from markupsafe import Markup

from pbem.games.base import Briefing, Preview
from pbem.games.scene import Piece
from pbem.play.viewing import GameView
from pbem.shelf import Shelf
from pbem.web.boards import draw

MOST_BYTES: Final = 6 << 20
"""How much is kept of all pages together; one takes about 50 kB."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The parts of a page that only a new entry changes; ``pieces`` are those of a set-up that is
    asked for, as in the first example."""

    briefing: Briefing | None
    question: Markup
    examples: Markup
    pieces: tuple[Piece, ...]
    board: Markup
    steps: Markup
    told: Markup
    log: Markup


_Key = tuple[str, str, int, int | None, str]


def _weigh(shown: Shown) -> int:
    return sum(map(getsizeof, (shown.board, shown.steps, shown.told, shown.log)))


_kept: Final[Shelf[_Key, Shown]] = Shelf(MOST_BYTES, _weigh)


def get_shown(view: GameView) -> Shown:
    """What a page shows of a game; made if nobody has looked since the last entry."""
    path = url_for("games.show", game_id=view.game_id)
    key = (path, view.version, view.at, view.seat, g.tongue.language)
    shown = _kept.find(key)
    if shown is None:
        shown = _make(view)
        _kept.keep(key, shown)
    return shown


def _make(view: GameView) -> Shown:
    briefing = view.briefing(g.tongue)
    before, after = _neighbours(view)
    return Shown(
        briefing=briefing,
        question=_part("question", briefing=briefing) if briefing else Markup(),
        examples=_part("examples", briefing=briefing) if briefing else Markup(),
        pieces=() if briefing is None else find_pieces(view, briefing, briefing.examples),
        board=draw(view.scene(g.tongue)),
        steps=_part("steps", view=view, before=before, after=after),
        told=_part("told", view=view, told=view.told(g.tongue)),
        log=_part("log", view=view),
    )


def _part(name: str, **values: object) -> Markup:
    return Markup(render_template(f"games/{name}.html", **values))


def _neighbours(view: GameView) -> tuple[int | None, int | None]:
    """The entries to step to from the one looked at: back, and on."""
    numbers = [step.number for step in view.steps if step.texts or step.number == 0]
    back = [number for number in numbers if number <= view.at][:-1]  # the last is what is seen
    on = [number for number in numbers if number > view.at]
    return max(back, default=None), min(on, default=None)


def find_pieces(view: GameView, briefing: Briefing, texts: tuple[str, ...]) -> tuple[Piece, ...]:
    """The pieces of a set-up that is asked for, as in the first text that is one."""
    if briefing.kind == "setup":
        for text in texts:
            shown = view.preview(text, g.tongue)
            if isinstance(shown, Preview) and shown.forecasts:
                return shown.forecasts[0].scene.pieces
    return ()
