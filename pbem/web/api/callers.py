"""Who calls: the owner of the token in ``Authorization: Bearer …``, and what it may do."""

from __future__ import annotations

from collections.abc import Callable
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
    scope: str, *, is_optional: bool = False
) -> Callable[[Callable[Parameters, Answer]], Callable[Parameters, Answer]]:
    """A call that needs a token with a scope; where it is optional, anybody may look."""

    def decorate(view: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
        @wraps(view)
        def guarded(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Answer:
            refused = _identify(scope, is_optional=is_optional)
            if refused is not None:
                return cast(Answer, refused)
            return view(*args, **kwargs)

        guarded._apidoc = {  # type: ignore[attr-defined]
            **getattr(view, "_apidoc", {}),
            "manual_doc": {"security": [{"token": []}, {}] if is_optional else [{"token": []}]},
        }
        return guarded

    return decorate


def _identify(scope: str, *, is_optional: bool) -> Response | None:
    """Set who calls; what is wrong, if they may not."""
    g.viewer = None
    written = request.headers.get("Authorization", "")
    if not written and is_optional:
        return None
    secret = written[len(_SCHEME) :].strip() if written.lower().startswith(_SCHEME) else ""
    found = find_owner(get_house().around, "token", secret[:200], now=g.now) if secret else None
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
