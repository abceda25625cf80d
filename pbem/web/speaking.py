"""Templates that are compiled for each language: what they say without facts stands in them.

``_("…")`` is said once, when a template is compiled, and not for every page; with facts it is said
as ever. The language is the visitor's, ``g.tongue``; without one nothing is said beforehand.
"""

from __future__ import annotations

from typing import Any

from flask import g
from flask.templating import Environment
from jinja2 import Template, nodes
from jinja2.visitor import NodeTransformer

from pbem.tongue import Tongue

SAY = "_"


class SpeakingEnvironment(Environment):
    """The environment of all templates, and below it one for each language."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._tongue: Tongue | None = None
        self._in_languages: dict[Tongue, SpeakingEnvironment] = {}

    def get_or_select_template(self, *args: Any, **options: Any) -> Template:
        """The template in the visitor's language."""
        if self._tongue is None and "tongue" in g:
            return self._speaking(g.tongue).get_or_select_template(*args, **options)
        return super().get_or_select_template(*args, **options)

    def _speaking(self, tongue: Tongue) -> SpeakingEnvironment:
        found = self._in_languages.get(tongue)
        if found is None:
            found = self._in_languages[tongue] = self.overlay()
            found._tongue = tongue
        return found

    def _generate(self, source: nodes.Template, *args: Any, **options: Any) -> str:
        if self._tongue is not None:
            source = _Saying(self._tongue).visit(source)
        return super()._generate(source, *args, **options)


class _Saying(NodeTransformer):
    """Puts what is said in the place of the call that says it."""

    def __init__(self, tongue: Tongue) -> None:
        self._tongue = tongue

    def visit_Call(self, call: nodes.Call) -> nodes.Node:
        """A call of ``_`` with nothing but a text becomes the text."""
        match call:
            case nodes.Call(
                node=nodes.Name(name=name),
                args=[nodes.Const(value=str(text))],
                kwargs=[],
                dyn_args=None,
                dyn_kwargs=None,
            ) if name == SAY:
                return nodes.Const(self._tongue.say(text), lineno=call.lineno)
        return self.generic_visit(call)
