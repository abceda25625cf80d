"""The page that shows the API's document to people: made from it, without any script."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, current_app, render_template

docs: Final = Blueprint("api_docs", __name__, url_prefix="/api/v1")


@docs.get("/docs")
def page() -> str:
    """Every call with what goes in and out."""
    spec: dict[str, Any] = current_app.extensions["pbem_api"].spec.to_dict()
    calls = [
        (method.upper(), path, call)
        for path, methods in sorted(spec["paths"].items())
        for method, call in methods.items()
        if method in ("get", "post", "put", "patch", "delete")
    ]
    return render_template("api/docs.html", calls=calls, schemas=spec["components"]["schemas"])
