"""The JSON API, ``/api/v1``: everything the pages can do, for programs with a token.

Schemas are ``schemas``, answers to faults ``problems``, who asks ``callers``; the rest is one
module a topic. The document is at ``/api/v1/openapi.json``, its page at ``/api/v1/docs``.
"""

from __future__ import annotations

from flask import Flask
from flask_smorest import Api
from flask_wtf.csrf import CSRFProtect

from pbem.web.api.account import account
from pbem.web.api.arranging import arranging
from pbem.web.api.docs import docs
from pbem.web.api.games import games
from pbem.web.api.people import people
from pbem.web.api.problems import ProblemSchema


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
            "security": [{"token": []}, {}],
        },
    )
    api = Api(app)
    api.ERROR_SCHEMA = ProblemSchema
    app.extensions["pbem_api"] = api
    for blueprint in (games, arranging, people, account):
        csrf.exempt(blueprint)
        api.register_blueprint(blueprint)
    app.register_blueprint(docs)
