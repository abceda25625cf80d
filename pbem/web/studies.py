"""Studies and puzzles: a list, making one, looking at one, trying to solve it."""

from __future__ import annotations

from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    g,
    redirect,
    render_template,
    request,
    url_for,
)

from notation.errors import NotationError
from notation.position_line import format_position
from notation.record_reading import parse_record
from pbem.archive.asked import MAX_LINE
from pbem.archive.puzzles import GOAL_TAG, Goal, Problem, Puzzle, outcome_text, parse_goal
from pbem.archive.study_making import MAX_TEXT, Wrong
from pbem.errors import StoreConflictError
from pbem.games.base import Fault
from pbem.games.ortus.drawing import draw_position
from pbem.games.ortus.messages import explain
from pbem.games.ortus.words import house_name
from pbem.play import studies as play
from pbem.play.errors import NotAllowedError, PlayError
from pbem.play.saying import say_fault
from pbem.play.studied import Study
from pbem.tongue import N_, Tongue
from pbem.web.archive import find_game_position
from pbem.web.faults import say_error, say_placed
from pbem.web.replay import get_replay
from pbem.web.seen_games import place_asked, viewer_number
from pbem.web.visiting import for_players, get_around, get_viewer

studies: Final = Blueprint("studies", __name__, url_prefix="/archive/studies")
studies.add_app_template_global(outcome_text, "outcome_text")

MAX_ORDERS: Final = 2000
GOAL_KINDS: Final = (
    ("", N_("none: it is a study")),
    ("win", N_("win the game")),
    ("honour", N_("gain honour")),
    ("wells", N_("hold Wells")),
)
LONG_TITLE: Final = N_("A study has a title of up to {most} characters.")


@studies.get("")
def index() -> str:
    """Studies and puzzles, newest first."""
    before = request.args.get("before", type=int)
    with get_around().store.read() as unit:
        found = unit.newest_studies(viewer=viewer_number(), before=before, limit=play.ON_A_PAGE + 1)
    shown = found[: play.ON_A_PAGE]
    more = shown[-1].number if len(found) > len(shown) else None
    return render_template("archive/studies.html", studies=shown, more=more)


# -- making one ---------------------------------------------------------------------------------


@studies.get("/new")
@for_players
def new() -> str:
    """The form of a new study: empty, from a turn of a game, or as a new version."""
    chosen = {"title": "", "line": request.args.get("line", "")[:MAX_LINE], "text": ""}
    if "game" in request.args:
        chosen["line"] = format_position(find_game_position().line())
    replaces = request.args.get("replaces", type=int)
    if replaces is not None:
        before = _get_study(replaces)
        chosen |= {"title": before.title, "text": before.record, "replaces": str(replaces)}
        chosen["private"] = "1" if before.visibility == "private" else ""
        goal = parse_record(before.record).tags.get(GOAL_TAG, "") if before.is_puzzle else ""
        chosen["kind"], _, chosen["count"] = goal.partition(" ")
    return _form(chosen, {})


def _form(chosen: dict[str, str], faults: dict[str, list[str]]) -> str:
    """The form; ``faults`` are by field, or of the whole ``study``."""
    return render_template(
        "archive/study_form.html",
        chosen=chosen,
        faults=faults,
        kinds=[(kind, g.tongue.say(words)) for kind, words in GOAL_KINDS],
    )


@studies.post("/new")
@for_players
def make() -> Any:
    """Keep it, or say what is wrong."""
    chosen = {name: value[: MAX_TEXT + 1] for name, value in request.form.items()}
    try:
        goal = _goal(chosen)
    except ValueError:
        return _form(chosen, {"count": [g.tongue.say(N_("A number from 1 to 8."))]}), 422
    replaces = chosen.get("replaces", "")
    draft = play.Draft(
        title=chosen.get("title", ""),
        text=chosen.get("text", "").replace("\r\n", "\n"),
        line=chosen.get("line", ""),
        goal=goal,
        visibility="private" if chosen.get("private") else "open",
        replaces=int(replaces) if replaces.isdecimal() and len(replaces) < 16 else None,
    )
    try:
        number = play.make(get_around(), get_viewer().id, draft, now=g.now)
    except play.StudyFaults as error:
        said = [_say(wrong) for wrong in error.wrong]
        if error.part == "title":
            said = [g.tongue.say(LONG_TITLE, most=play.MAX_TITLE)]
        return _form(chosen, {error.part: said}), 422
    except StoreConflictError:
        return _form(chosen, {"study": [say_error(NotAllowedError("not_your_study"))]}), 409
    except PlayError as error:
        return _form(chosen, {"study": [say_error(error)]}), 409
    flash(g.tongue.say("It is kept."), "good")
    return redirect(url_for(".show", number=number), 303)


def _goal(chosen: dict[str, str]) -> Goal | None:
    kind = chosen.get("kind", "")
    if not kind:
        return None
    return parse_goal(kind if kind == "win" else f"{kind} {chosen.get('count', '').strip()}")


def _say(wrong: Wrong) -> str:
    """What is wrong with a study, with its place."""
    tongue: Tongue = g.tongue
    match wrong:
        case Problem():
            return wrong.say(tongue)
        case Fault():
            reason = explain(wrong, tongue=tongue)
        case NotationError(found=found, expected=expected):
            said = f"expected {expected}, not {found}" if found else f"expected {expected}"
            reason = say_fault(said, tongue=tongue)
    return say_placed(wrong.line, wrong.column, reason)


# -- one study ----------------------------------------------------------------------------------


@studies.get("/<int:number>")
def show(number: int) -> str:
    """A study to go through; a puzzle to solve, or with its solution when ``reveal`` is asked."""
    study = _get_study(number)
    if study.is_puzzle and "reveal" not in request.args:
        return _puzzle(study, play.get_puzzle(study))
    replay = get_replay(parse_record(study.record))
    return render_template(
        "archive/study.html",
        study=study,
        goal=_goal_sentence(play.get_puzzle(study)) if study.is_puzzle else "",
        replay=replay,
        moment=replay.find_moment(place_asked()),
        href="?reveal=1&at=" if study.is_puzzle else "?at=",
        anchor="#board",
        number=number,
    )


def _puzzle(study: Study, puzzle: Puzzle, **tried: Any) -> str:
    return render_template(
        "archive/puzzle.html",
        study=study,
        goal=_goal_sentence(puzzle),
        scene=draw_position(puzzle.position, tongue=g.tongue),
        line=format_position(puzzle.position.line()),
        **tried,
    )


def _goal_sentence(puzzle: Puzzle) -> str:
    return puzzle.goal.say(house_name(g.tongue, puzzle.position.active), g.tongue)


@studies.post("/<int:number>/try")
def attempt(number: int) -> Any:
    """Whether orders solve a puzzle, and every way they can go."""
    study = _get_study(number)
    if not study.is_puzzle:
        abort(404)
    puzzle = play.get_puzzle(study)
    text = request.form.get("text", "")[:MAX_ORDERS]
    if not text.strip():
        return redirect(url_for(".show", number=number), 303)
    done = play.attempt(puzzle, text, tongue=g.tongue)
    attacks = None
    if done.tried is not None and done.tried.is_solved:
        attacks = play.other_attacks(study.record)
    return _puzzle(
        study, puzzle, text=text, preview=done.preview, tried=done.tried, attacks=attacks
    )


@studies.get("/<int:number>.ogn")
def record(number: int) -> Response:
    """The record of a study, with the solution of a puzzle."""
    response = Response(_get_study(number).record, mimetype="text/plain")
    response.headers["Content-Disposition"] = f'attachment; filename="study-{number}.ogn"'
    return response


def _get_study(number: int) -> Study:
    with get_around().store.read() as unit:
        try:
            return play.get_study(unit, number, viewer=viewer_number())
        except play.NoSuchStudyError:
            abort(404)
