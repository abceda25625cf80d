"""A first game in ten minutes, against an opponent who plays by a script.

Needs no account and stores nothing: what has been sent so far goes along in the address, signed.
The board, the text box and the refusals are those of the real pages; what is taught is ``lessons``.
"""

from __future__ import annotations

from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    current_app,
    g,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.wrappers import Response as BaseResponse

from pbem.games.base import Preview, Refused
from pbem.web.games import answer_choices, board_words, read_json, read_path
from pbem.web.lessons import (
    DONE,
    LESSONS,
    MAX_LENGTH,
    MAX_SENT,
    PUPIL,
    CannotFollowError,
    FirstGame,
    first_game,
)

tutorial: Final = Blueprint("tutorial", __name__, url_prefix="/tutorial")

MAX_STATE: Final = 8000


@tutorial.get("")
def begin() -> str:
    """Look at the board."""
    game = first_game()
    scene = game.play.scene(game.state, PUPIL, tongue=g.tongue)
    return render_template("tutorial/begin.html", scene=scene)


@tutorial.get("/play")
def go_on() -> Any:
    """The game as it stands, and what to do next."""
    game = _find_game()
    return _restart() if game is None else _page(game)


@tutorial.post("/play")
def send() -> Any:
    """Take what the player sends; the other side answers at once."""
    game = _find_game()
    if game is None:
        return _restart()
    text = request.form.get("text", "")[:MAX_LENGTH]
    if "try" in request.form or not text.strip():
        return _page(game, text=text, preview=_preview(game, text))
    if len(game.sent) >= MAX_SENT:
        return _restart()
    done = game.send(text)
    if isinstance(done, Refused):
        return _page(game, text=text, preview=done), 422
    return redirect(url_for(".go_on", s=_sign(done)), 303)


@tutorial.post("/choices")
def choices() -> Response:
    """What may follow behind some orders, for the board that can be clicked."""
    game = _find_game()
    path = read_path()
    if game is None:
        return answer_choices(None, first_game().play)
    found = game.play.choose(game.state, PUPIL, path, tongue=g.tongue)
    return answer_choices(found, game.play)


@tutorial.post("/preview")
def preview() -> Response:
    """What orders would do, as a piece of the page."""
    game, text = _find_game(), read_json("text")
    shown = _preview(game, text[:MAX_LENGTH]) if game and isinstance(text, str) else None
    return jsonify(html=render_template("games/outcomes.html", preview=shown, text=text))


def _preview(game: FirstGame, text: str) -> Preview | Refused | None:
    if not text.strip():
        return None
    return game.play.preview(game.state, PUPIL, text, tongue=g.tongue)


def _page(game: FirstGame, *, text: str = "", preview: Any = None) -> str:
    play, tongue = game.play, g.tongue
    since = (game.before, game.events)
    lesson = game.lesson
    return render_template(
        "tutorial/play.html",
        lesson=lesson,
        number=LESSONS.index(lesson) + 1,
        count_of=len(LESSONS),
        is_done=lesson is DONE,
        scene=play.scene(game.state, PUPIL, tongue=tongue, since=since),
        told=play.tell(game.before, game.events, PUPIL, tongue=tongue),
        spoken=play.speak(game.state, PUPIL, tongue=tongue),
        briefing=None if lesson is DONE else play.brief(game.state, PUPIL, tongue=tongue),
        signed=_sign(game),
        text=text,
        preview=preview,
        words=board_words(),
    )


# -- the game in the address ----------------------------------------------------------------------


def _signer() -> URLSafeSerializer:
    assert current_app.secret_key is not None
    return URLSafeSerializer(current_app.secret_key, salt="tutorial")


def _sign(game: FirstGame) -> str:
    signed = _signer().dumps(list(game.sent))
    return signed if isinstance(signed, str) else signed.decode()


def _find_game() -> FirstGame | None:
    """The game that the address tells; a new one without, None if it tells nonsense."""
    signed = request.args.get("s", "")
    if not signed:
        return first_game()
    try:
        sent = _signer().loads(signed[:MAX_STATE])
        return first_game(tuple(sent))
    except (BadSignature, CannotFollowError):
        return None


def _restart() -> BaseResponse:
    return redirect(url_for(".begin"), 303)
