"""Templates say what they can when they are compiled, in each language for itself."""

from __future__ import annotations

import pytest
from flask import Flask, g, render_template
from jinja2 import DictLoader

from pbem.tongue import ENGLISH, Tongue
from pbem.web.speaking import SpeakingEnvironment

said: list[str] = []


def shout(text: str) -> str:
    said.append(text)
    return text.upper() + " <!>"


LOUD = Tongue("xx", shout)
QUIET = Tongue("yy", lambda text: f".{text}")
TEMPLATES = {
    "frame.html": "{% block inner %}{% endblock %}|{{ _('frame') }}",
    "page.html": "{% extends 'frame.html' %}{% block inner %}{{ _('one') }},"
    "{{ _('with {what}', what=what) }},{% include 'part.html' %}{% endblock %}",
    "part.html": "{{ [_('part'), what]|join(':') }}{% if _('yes') %}{{ _(what) }}{% endif %}",
}


@pytest.fixture
def app() -> Flask:
    app = Flask("speaking")
    app.jinja_environment = SpeakingEnvironment
    app.jinja_loader = DictLoader(TEMPLATES)

    @app.context_processor
    def words() -> dict[str, object]:
        return {"_": g.tongue.say} if "tongue" in g else {"_": ENGLISH.say}

    return app


def render(app: Flask, tongue: Tongue | None) -> str:
    with app.app_context():
        if tongue is not None:
            g.tongue = tongue
        return render_template("page.html", what="x")


def test_each_language_has_its_own(app: Flask) -> None:
    english = "one,with x,part:xx|frame"
    for _ in range(2):
        assert render(app, ENGLISH) == english
        assert render(app, QUIET) == ".one,.with x,.part:x.x|.frame"
        assert render(app, None) == english


def test_texts_without_facts_are_said_once(app: Flask) -> None:
    texts = {**TEMPLATES, "page.html": TEMPLATES["page.html"].replace("with {what}", "with")}
    app.jinja_loader = DictLoader(texts)
    said.clear()
    pages = [render(app, LOUD) for _ in range(3)]
    assert set(pages) == {
        "ONE &lt;!&gt;,WITH &lt;!&gt;,PART &lt;!&gt;:xX &lt;!&gt;|FRAME &lt;!&gt;"
    }
    counts = {text: said.count(text) for text in said}
    assert counts == {"one": 1, "part": 1, "yes": 1, "frame": 1, "with": 3, "x": 3}
