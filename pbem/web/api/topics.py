"""What all topics of the API share: how bodies are read, ETags, and which problems a call can end
in.

Most of it follows from what a call takes and is written into the document here, once. A call names
only the problems of its own.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from flask import Request, Response, abort, request
from flask_smorest import Api, Blueprint
from webargs.flaskparser import FlaskParser, is_json_request

from pbem.web.api.problems import CONTENT_TYPE, ProblemSchema

STREAM: Final = "text/event-stream"
_ALWAYS: Final = (401, 403, 429, 503)
_WITH_BODY: Final = (400, 413, 415)
_SAID: Final = {
    400: "The body is not JSON.",
    401: "There is no token, or it is not good any more.",
    403: "The token may not do this.",
    404: "There is no such thing, or it is not the caller's to see.",
    409: "It cannot be done as things stand; the code says why.",
    413: "The body is too large.",
    415: "The body is not of the type application/json.",
    422: "What was sent cannot be taken; the faults say why.",
    429: "Too many calls; try again later.",
    503: "The server cannot do it now; try again later.",
}
_TEXT: Final = {"schema": {"type": "string"}}
_IF_NONE_MATCH: Final = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The ETag of what the caller has already.",
    **_TEXT,
}


class PlainApi(Api):  # type: ignore[misc] # it comes without types
    """An API that documents each problem by itself, and leaves errors to ``problems``."""

    DEFAULT_ERROR_RESPONSE_NAME = None
    ERROR_SCHEMA = ProblemSchema

    def _register_error_handlers(self) -> None:
        """Pages and calls share an application: its handlers tell them apart."""


class BodyParser(FlaskParser):
    """Reads only bodies that say they are JSON; anything else would count as no body at all."""

    def load_json(self, req: Request, schema: Any) -> Any:
        """The body of a call."""
        if not is_json_request(req):
            abort(415)
        try:
            return super().load_json(req, schema)
        except (RecursionError, ValueError):  # nested too deep, or a number of too many figures
            abort(400)


class Topic(Blueprint):  # type: ignore[misc]
    """The calls of one topic."""

    ARGUMENTS_PARSER = BodyParser()

    def __init__(self, name: str, path: str, description: str) -> None:
        super().__init__(
            f"api_{name}", __name__, url_prefix=f"/api/v1{path}", description=description
        )
        self.after_request(_tag)

    @staticmethod
    def _prepare_response_doc(
        doc: dict[str, Any], doc_info: dict[str, Any], *, method: str, **more: Any
    ) -> dict[str, Any]:
        """Add what follows from what a call takes."""
        told: dict[Any, Any] = doc_info.setdefault("response", {}).setdefault("responses", {})
        for status in _problems(doc, doc_info):
            told.setdefault(status, [_problem(status)])
        if method == "get" and told[200][0]["content_type"] != STREAM:
            told[304] = [{"description": "Nothing has changed.", "content_type": None}]
            for answer in told[200]:
                answer["headers"] = {"ETag": {**_TEXT, "required": True}}
            doc.setdefault("parameters", []).append(_IF_NONE_MATCH)
        prepared: dict[str, Any] = Blueprint._prepare_response_doc(doc, doc_info, **more)
        return prepared


def _problems(doc: dict[str, Any], doc_info: dict[str, Any]) -> list[int]:
    found = [*_ALWAYS, *doc_info.get("problems", ())]
    if "requestBody" in doc:
        found += _WITH_BODY
    if "requestBody" in doc or "parameters" in doc:
        found.append(422)
    return found


def _problem(status: int) -> dict[str, Any]:
    told = {
        "schema": ProblemSchema,
        "description": _SAID[status],
        "content_type": CONTENT_TYPE,
    }
    if status == HTTPStatus.UNAUTHORIZED:
        told["headers"] = {"WWW-Authenticate": {**_TEXT, "required": True}}
    return told


def _tag(response: Response) -> Response:
    """An ETag for whatever is looked at; a caller who has it already gets nothing again."""
    response.vary.update(("Authorization", "Accept-Language"))
    if response.is_streamed:
        return response
    response.headers.setdefault("Cache-Control", "private, no-cache")
    if request.method in ("GET", "HEAD") and response.status_code == HTTPStatus.OK:
        response.add_etag()
        response.make_conditional(request)
    return response
