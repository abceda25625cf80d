"""Finding archived games: by what their records tell, by a position, by set-ups.

One archived game is a page of its own (``replays``). Visitors are shown open games, players their
private ones too.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, abort, g, render_template, request
from markupsafe import Markup

from notation.position_line import format_position
from notation.record_reading import parse_record
from pbem.archive.asked import MAX_LINE, find_position_at, position_from_line, turn_label
from pbem.archive.facts_told import show_result
from pbem.archive.statistics import Score
from pbem.diagrams.details import piece_svg
from pbem.diagrams.page_theme import page_theme
from pbem.games.base import OptionsError
from pbem.games.ortus.drawing import SHAPES, draw_position
from pbem.games.ortus.figures import HOUSE_NAMES, LEVELS
from pbem.games.ortus.position import Position
from pbem.games.scene import Piece
from pbem.play.archived import ArchivedGame, find_cursor
from pbem.play.finding import FoundGame, explore_setups, look_up
from pbem.play.found import SetupFilter
from pbem.play.library import search
from pbem.web.archive_forms import MAX_WORDS, choices, pattern_choices, read_filter
from pbem.web.faults import say_fields
from pbem.web.seen_games import get_seen_record, place_asked, viewer_number
from pbem.web.visiting import get_around

archive: Final = Blueprint("archive", __name__, url_prefix="/archive")
archive.add_app_template_global(show_result, "shown_result")

_STARTED: Final = {"yes": True, "no": False}
_MAIN_FIELDS: Final = frozenset({"player", "opponent", "event"})


@archive.get("")
def index() -> tuple[str, int]:
    """Archived games, newest first; the form narrows them down."""
    wanted, written, faults = read_filter(request.args)
    after = request.args.get("after")
    cursor = None if after is None else find_cursor(after)
    page = None
    if not faults:
        page = search(get_around(), wanted, viewer=viewer_number(), after=cursor)
    shown = render_template(
        "archive/index.html",
        page=page,
        written=written,
        faults={name: g.tongue.say(fault) for name, fault in faults.items()},
        choices=choices(g.tongue),
        patterns=pattern_choices(g.tongue),
        is_narrowed=bool(written.keys() - _MAIN_FIELDS),
        is_first=cursor is None,
    )
    return shown, 422 if faults else 200


# -- positions ----------------------------------------------------------------------------------


@archive.get("/position")
def position() -> tuple[str, int]:
    """What is known of a position: a line, or a turn of an archived game."""
    written = {
        "line": " ".join(request.args.get("line", "").split())[: MAX_LINE + 1],
        "dice": request.args.get("dice", "clean")[:20],
        "handicap": request.args.get("handicap", "").strip()[:20],
        # A form that was sent says what it wants; who comes from a link wants all.
        "turned": request.args.get("turned", "" if "line" in request.args else "1"),
    }
    asked = None
    faults: dict[str, str] = {}
    if "game" in request.args:
        asked = find_game_position()
        written["line"] = format_position(asked.line())
        written["dice"] = "dicey" if asked.rules.dicey else "clean"
    elif written["line"]:
        try:
            asked = position_from_line(
                written["line"], dice=written["dice"], handicap=written["handicap"]
            )
        except OptionsError as error:
            faults = say_fields(error)
            if "position" in faults:
                faults["line"] = faults.pop("position")
    found = None
    if asked is not None:
        is_turned = bool(written["turned"])
        found = look_up(get_around(), asked, turned=is_turned, viewer=viewer_number())
    shown = render_template(
        "archive/position.html",
        written=written,
        faults=faults,
        scene=None if asked is None else draw_position(asked, tongue=g.tongue),
        found=found,
        choices=choices(g.tongue),
    )
    return shown, 422 if faults else 200


def find_game_position() -> Position:
    """The position of a turn of an archived game, both named by the address; 404 if there is none
    that the viewer may see."""
    number = request.args.get("game", type=int)
    if number is None:
        abort(404)
    found = find_position_at(parse_record(get_seen_record(number)), place_asked())
    if found is None:
        abort(404)
    return found


# -- set-ups ------------------------------------------------------------------------------------


@archive.get("/setups")
def setups() -> str:
    """How often each set-up was played, and how it scored."""
    house = request.args.get("house")
    level = request.args.get("level", "")
    wanted = SetupFilter(
        house="black" if house == "black" else "gold",
        level=level if level in LEVELS else "",
        arena=request.args.get("arena", "").strip()[:MAX_WORDS],
        dice=request.args.get("dice", "") if request.args.get("dice") in ("clean", "dicey") else "",
        started=_STARTED.get(request.args.get("started", "")),
    )
    return render_template(
        "archive/setups.html",
        wanted=wanted,
        setups=explore_setups(get_around(), wanted),
        pieces=_pieces(HOUSE_NAMES.index(wanted.house)),
        choices=choices(g.tongue),
    )


def _pieces(house: int) -> Markup:
    """The four elements of a House, drawn once; set-ups point to them."""
    drawn = (
        piece_svg(Piece(None, house, shape, letter), theme=page_theme()).replace(
            "<svg ", f'<svg id="element-{letter}" ', 1
        )
        for letter, shape in SHAPES.items()
    )
    return Markup("".join(drawn))


# -- what the templates say ---------------------------------------------------------------------


@archive.app_template_global("percent")
def percent(share: float) -> str:
    """A share as people read it."""
    return f"{round(100 * share)} %"


@archive.app_template_global("score_words")
def score_words(score: Score) -> str:
    """A score with its confidence: ``62 % (51–72 %)``."""
    if score.share is None or score.interval is None:
        return "–"
    low, high = score.interval
    return f"{round(100 * score.share)} % ({round(100 * low)}–{round(100 * high)} %)"


@archive.app_template_global("archived_path")
def archived_path(game: ArchivedGame, *, at: str = "") -> str:
    """The page of an archived game, at a turn."""
    path = f"{request.script_root}/archive/{game.number}"
    return f"{path}?at={at}" if at else path


@archive.app_template_global("turn_found")
def turn_found(found: FoundGame) -> str:
    """The label of the turn before which a game came to a position; empty where it is not known,
    for a game that began from a position."""
    facts = found.game.facts
    return turn_label(found.ply, starter=facts.starter) if facts.gold_setup else ""
