"""Help: the rules and the notation clause by clause with drawn examples, and playing by mail.

The content is ``manual``. Every clause has an anchor, so that a refusal can point at it. Pages are
the same for everybody who reads one language, and a browser that has one need not fetch it again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from flask import Blueprint, Response, g, make_response, render_template, request, url_for
from markupsafe import Markup, escape

from pbem.diagrams.legend import legend_svg
from pbem.diagrams.page_theme import page_theme
from pbem.games.base import Fault
from pbem.games.ortus.drawing import draw_legend
from pbem.mail.commands import RULES as STANDING_RULES
from pbem.mail.commands import WORDS
from pbem.tongue import N_, Tongue
from pbem.web.forms import form_token
from pbem.web.manual.figures import draw_figure, draw_shared, find_refusal, rule_meanings
from pbem.web.manual.mail_texts import COMMANDS
from pbem.web.manual.master_rules import ELEMENTS
from pbem.web.manual.model import Clause, Figure, Section, Table
from pbem.web.manual.notation_texts import NOTATION
from pbem.web.manual.playing_rules import APPRENTICE, VARIANTS
from pbem.web.visiting import get_office

help_pages: Final = Blueprint("help", __name__)

RULES: Final = (*APPRENTICE, *ELEMENTS, VARIANTS)
_CODE: Final = re.compile(r"`([^`]+)`")
_CITED: Final = re.compile(r"\b[RMN][1-9]\.[1-9]\b")


@dataclass(frozen=True, slots=True)
class Drawn:
    """An example as a page shows it."""

    figure: Figure
    svg: Markup
    fault: Fault | None


@dataclass(frozen=True, slots=True)
class Part:
    """A clause, or the head of a section, as a page shows it."""

    clause: Clause | Section
    drawn: Drawn | None
    meanings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A section with its clauses."""

    head: Part
    parts: tuple[Part, ...]


# -- pages --------------------------------------------------------------------------------------


@help_pages.get("/help")
def index() -> Response:
    """Where to find what."""
    legend = legend_svg(
        draw_legend(g.tongue), title=g.tongue.say("The signs in the pictures"), theme=page_theme()
    )
    return _kept(render_template("help/index.html", legend=Markup(legend)))


@help_pages.get("/help/rules")
def rules() -> Response:
    """Every clause of the rules."""
    return _clauses(RULES, g.tongue.say("The rules"))


@help_pages.get("/help/notation")
def notation() -> Response:
    """Every clause of the notation."""
    return _clauses(NOTATION, g.tongue.say("The notation"))


@help_pages.get("/help/mail")
def mail() -> Response:
    """How to play by mail, with all commands."""
    rows = [
        (_spellings(name), *((meaning, example) if example else (meaning, "")))
        for name, (meaning, example) in COMMANDS.items()
    ]
    office = get_office()
    return _kept(render_template("help/mail.html", rows=rows, domain=office.domain))


def _spellings(name: str) -> list[str]:
    if name == STANDING_RULES:
        return ["standing all:"]
    return [word for word, meant in WORDS.items() if meant == name]


def _clauses(sections: Sequence[Section], title: str) -> Response:
    chapters, shared = _draw(tuple(sections), g.tongue)
    return _kept(
        render_template("help/clauses.html", title=title, chapters=chapters, shared=shared)
    )


def _kept(page: str) -> Response:
    """A page that a browser may keep, and asks about before it shows it again.

    The token of the form at its foot is not the same in every process, and good in all of them.
    """
    response = make_response(page)
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.update(("Cookie", "Accept-Language"))
    same = page.replace(form_token(), "")
    response.set_etag(hashlib.sha256(same.encode()).hexdigest()[:32])
    response.make_conditional(request)
    return response


@lru_cache(maxsize=16)
def _draw(sections: tuple[Section, ...], tongue: Tongue) -> tuple[tuple[Chapter, ...], Markup]:
    chapters = tuple(
        Chapter(_part(section, tongue), tuple(_part(clause, tongue) for clause in section.clauses))
        for section in sections
    )
    arenas = dict.fromkeys(
        part.drawn.figure.arena
        for chapter in chapters
        for part in (chapter.head, *chapter.parts)
        if part.drawn is not None
    )
    return chapters, Markup(draw_shared(arenas))


def _part(clause: Clause | Section, tongue: Tongue) -> Part:
    figure = clause.figure
    rules = clause.rules if isinstance(clause, Clause) else ""
    drawn = None
    if figure is not None:
        refused = find_refusal(figure)
        fault = None if refused is None else refused.faults[0]
        drawn = Drawn(figure, Markup(draw_figure(figure, tongue=tongue)), fault)
    return Part(clause, drawn, rule_meanings(rules, tongue=tongue) if rules else ())


# -- words --------------------------------------------------------------------------------------


@help_pages.app_template_global("prose")
def say_prose(text: str) -> Markup:
    """A text in the reader's language; what is in backquotes is code, clauses are links."""
    return mark_up(g.tongue.say(text))


@help_pages.app_template_global("marked")
def mark_up(said: str) -> Markup:
    """A text that has been said, with its code and its clauses marked."""
    parts = []
    for index, piece in enumerate(_CODE.split(said)):
        if index % 2:
            parts.append(Markup("<code>{}</code>").format(piece))
        else:
            linked = _CITED.sub(lambda found: clause_link(found[0]), str(escape(piece)))
            parts.append(Markup(linked))
    return Markup("").join(parts)


def clause_link(number: str) -> Markup:
    """A link to a clause."""
    return Markup('<a href="{}">{}</a>').format(clause_url(number), number)


@help_pages.app_template_global("clause_url")
def clause_url(number: str) -> str:
    """The address of a clause, or of a section."""
    page = "help.notation" if number.startswith("N") else "help.rules"
    return url_for(page, _anchor=number)


@help_pages.app_template_global("cells")
def say_cells(table: Table, row: tuple[str, ...]) -> list[Markup]:
    """The cells of a row: code as it is, clauses as links, everything else said."""
    return [
        Markup("<code>{}</code>").format(cell) if index in table.code else say_prose(cell)
        for index, cell in enumerate(row)
    ]


TITLES: Final = (
    (N_("Learn in ten minutes"), "tutorial.begin", N_("One turn and one defence, step by step.")),
    (N_("The rules"), "help.rules", N_("Every clause, with a drawn example.")),
    (N_("The notation"), "help.notation", N_("How orders, plans and standing rules are written.")),
    (N_("Playing by mail"), "help.mail", N_("A game in five mails, and all commands.")),
)
"""The cards of the first page: title, endpoint, what is there."""


@help_pages.context_processor
def cards() -> dict[str, object]:
    """For the first page."""
    return {"titles": TITLES}
