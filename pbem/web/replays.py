"""A game to go through, ready for a page: everything the templates and the script of replays need.

The same for the server's pages, for frames on other sites and for the static site, so nothing here
knows of requests or addresses. The script is given the film of the game and what each order did in
words; the list of orders is in the page itself.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from markupsafe import Markup, escape

from pbem.archive.facts_told import find_fact, names_of, tell_facts
from pbem.archive.frames import Document, Frame
from pbem.archive.showing import draw_frame, speak_frame, tell_end, tell_frame
from pbem.archive.trends import draw_trends, find_trends
from pbem.diagrams.chart import chart_svg
from pbem.diagrams.film import make_film
from pbem.diagrams.page_theme import page_theme
from pbem.diagrams.svg import scene_svg
from pbem.games.chart import Chart
from pbem.games.scene import Scene
from pbem.tongue import Tongue

EMBED_HEIGHT: Final = 900
"""Pixels: the board, what steers it, and the order shown."""
FRAME_BYTES: Final = 1500
"""About what a frame takes in memory."""


@dataclass(frozen=True)
class Replay:
    """A document in a language. What takes long is made once, when it is first asked for."""

    document: Document
    tongue: Tongue

    @cached_property
    def names(self) -> tuple[str, str]:
        """Gold's and Black's player."""
        return names_of(self.document.tags, tongue=self.tongue)

    @property
    def title(self) -> str:
        """Who played."""
        return " – ".join(self.names)

    @cached_property
    def occasion(self) -> str:
        """Event, round and date, as far as they are known."""
        known = (find_fact(self.document.tags, tag) for tag in ("Event", "Round", "Date"))
        return ", ".join(fact for fact in known if fact)

    @cached_property
    def ending(self) -> str:
        """How the game ended."""
        return tell_end(self.document, tongue=self.tongue)

    @cached_property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What its tags tell."""
        return tuple(tell_facts(self.document, tongue=self.tongue))

    @cached_property
    def figures(self) -> Chart | None:
        """Energy, honour and Wells over time; None for a game of less than two turns."""
        trends = find_trends(self.document)
        return None if len(trends.labels) < 2 else draw_trends(trends, tongue=self.tongue)

    @cached_property
    def chart(self) -> Markup:
        """The figures as a drawing, if there are any."""
        if self.figures is None:
            return Markup()
        return Markup(chart_svg(self.figures, theme=page_theme()))

    @cached_property
    def data(self) -> Markup:
        """What the script needs, as JSON that can stand in a page."""
        frames = self.document.frames
        film = make_film(((self.draw(frame), frame.before) for frame in frames), theme=page_theme())
        data = {
            "words": film.words,
            "sprites": film.sprites,
            "items": film.items,
            "frames": film.frames,
            "before": [frame.before for frame in frames],
            "told": [" ".join(self.tell(frame)) for frame in frames],
        }
        written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        # Nothing in it may end the element it stands in, or begin a comment.
        return Markup(written.replace("</", "<\\u002f").replace("<!", "<\\u0021"))

    def draw(self, frame: Frame) -> Scene:
        """The board of a frame."""
        return draw_frame(frame, names=self.names, tongue=self.tongue)

    def tell(self, frame: Frame) -> tuple[str, ...]:
        """What the order of a frame did."""
        return tell_frame(frame, tongue=self.tongue)

    def find_moment(self, place: str) -> Moment | None:
        """The moment of a place, or the beginning; None if there is no board."""
        frame = self.document.find(place) if place else None
        if frame is None:
            frame = next(iter(self.document.frames), None)
        return None if frame is None else Moment(self, frame)

    def weigh(self) -> int:
        """About how many bytes it takes."""
        return 2 * (len(self.data) + len(self.chart)) + FRAME_BYTES * len(self.document.frames)


@dataclass(frozen=True)
class Moment:
    """One frame of a replay: what a page shows that does not go on by itself."""

    replay: Replay
    frame: Frame

    @property
    def board(self) -> Markup:
        """The board."""
        return Markup(scene_svg(self.replay.draw(self.frame), theme=page_theme()))

    @property
    def told(self) -> str:
        """What the order did."""
        return " ".join(self.replay.tell(self.frame))

    @property
    def spoken(self) -> list[str]:
        """The board in words, by lines."""
        return speak_frame(self.frame, tongue=self.replay.tongue).splitlines()

    @property
    def earlier(self) -> Frame | None:
        """The frame before."""
        before = self.frame.before
        return None if before is None else self.replay.document.frames[before]

    @property
    def later(self) -> Frame | None:
        """The next frame of the line."""
        return self.replay.document.find_following(self.frame)

    @property
    def others(self) -> list[Frame]:
        """What could stand in its place."""
        alternatives = self.replay.document.alternatives(self.frame)
        return [other for other in alternatives if other.number != self.frame.number]


def mark_code(said: str) -> Markup:
    """A text in which what is between backquotes is code."""
    parts = said.split("`")
    return Markup("").join(
        Markup("<code>{}</code>" if index % 2 else "{}").format(part)
        for index, part in enumerate(parts)
    )


def make_citation(replay: Replay, address: str) -> str:
    """One line that names a game and where it is."""
    named = [replay.title, replay.occasion, replay.document.result, address]
    return ", ".join(part for part in named if part)


def make_embed_code(replay: Replay, address: str) -> str:
    """What somebody puts into a page of another site."""
    return (
        f'<iframe src="{escape(address)}" title="{escape(replay.title)}" loading="lazy"'
        f' width="100%" height="{EMBED_HEIGHT}"></iframe>'
    )
