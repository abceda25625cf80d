"""The JSON API, ``/api/v1``: everything the pages can do, for programs with a token.

Schemas are ``schemas`` with their ``fields``, what all calls share ``topics``, answers to faults
``problems``, who asks ``callers``; the rest is one module a topic. The document is at
``/api/v1/openapi.json``, its page at ``/api/v1/docs``.

Three things programs cannot do, so that a token that got lost cannot become more than it is: making
tokens, leaving for good, and adding addresses, at which one could sign in.
"""

from __future__ import annotations

from typing import Final

from flask import Flask
from flask_wtf.csrf import CSRFProtect

from pbem.web.api import (
    account,
    archive,
    arranging,
    events,
    feed,
    games,
    people,
    playing,
    ratings,
    remarks,
    writing,
)
from pbem.web.api.docs import docs
from pbem.web.api.topics import PlainApi

TOPICS: Final = tuple(
    each.calls
    for each in (
        games,
        playing,
        writing,
        feed,
        arranging,
        events,
        people,
        ratings,
        archive,
        remarks,
        account,
    )
)


def install_api(app: Flask, csrf: CSRFProtect) -> None:
    """Add the API to an application. Its callers bring a token, so no form can be forged."""
    app.config.update(
        API_TITLE="pbem",
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api/v1",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={
            "info": {"description": "Correspondence games by mail, for programs."},
            "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        },
    )
    api = PlainApi(app)
    app.extensions["pbem_api"] = api
    for topic in TOPICS:
        csrf.exempt(topic)
        api.register_blueprint(topic)
    app.register_blueprint(docs)
