"""Who calls: the owner of the token in ``Authorization: Bearer …``, and what it may do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Final, ParamSpec, TypeVar, cast

from flask import Response, g, request

from pbem.mail.dates import Calendar
from pbem.play.access import find_owner
from pbem.play.model import Player
from pbem.web.api.problems import problem
from pbem.web.house import get_house

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")
_SCHEME: Final = "bearer "


def for_callers(
    scope: str, *, is_optional: bool = False, problems: Sequence[int] = ()
) -> Callable[[Callable[Parameters, Answer]], Callable[Parameters, Answer]]:
    """A call that needs a token with a scope; where it is optional, anybody may look.

    ``problems`` are those that the call itself can end in, for the document.
    """

    def decorate(view: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
        @wraps(view)
        def guarded(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Answer:
            refused = _identify(scope, is_optional=is_optional)
            if refused is not None:
                return cast(Answer, refused)
            return view(*args, **kwargs)

        security: list[dict[str, list[str]]] = (
            [{"token": []}, {}] if is_optional else [{"token": []}]
        )
        guarded._apidoc = {  # type: ignore[attr-defined]
            **getattr(view, "_apidoc", {}),
            "manual_doc": {"security": security, "x-scope": scope},
            "problems": tuple(problems),
        }
        return guarded

    return decorate


def find_secret() -> str | None:
    """The secret of the token that was sent; empty for something that is none."""
    written = request.headers.get("Authorization", "")
    if not written:
        return None
    return written[len(_SCHEME) :].strip()[:200] if written.lower().startswith(_SCHEME) else ""


def _identify(scope: str, *, is_optional: bool) -> Response | None:
    """Set who calls; what is wrong, if they may not."""
    g.viewer = None  # a cookie is for pages: a call is not known by it
    secret = find_secret()
    if secret is None and is_optional:
        return None
    found = find_owner(get_house().around, "token", secret, now=g.now) if secret else None
    if found is None:
        response = problem(401, "no_token", "Send a token of yours as a bearer token.")
        response.headers["WWW-Authenticate"] = 'Bearer realm="pbem"'
        return response
    player, token = found
    if scope not in token.scopes:
        return problem(403, "scope_missing", f"This token may not {scope}.", scope=scope)
    g.viewer = player
    g.tongue = get_house().tongues(player.preferences.language)
    g.calendar = Calendar(g.tongue, player.preferences.time_zone, g.now)
    return None


def get_caller() -> Player:
    """The player who calls. Only behind ``for_callers`` without ``is_optional``."""
    return cast(Player, g.viewer)
