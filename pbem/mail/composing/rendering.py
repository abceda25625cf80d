"""Fills in the templates: subject, plain text and HTML of a mail, in one language.

Templates say everything through ``_`` and ``n_``, in English; what they are given is plain values.
In the HTML part everything is escaped, and in both parts names and texts of players are cut to one
line or wrapped. A template that names something it was not given is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextvars import ContextVar
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.runtime import Context
from markupsafe import Markup, escape

from pbem.tongue import Tongue

COLUMNS: Final = 76
SHORT_CODE: Final = 24
_KEPT_SPACE: Final = "\x00"
_CODE: Final = re.compile(r"`([^`]+)`")

_content: Final[ContextVar[Mapping[str, object]]] = ContextVar("content of the mail")


def render(template: str, tongue: Tongue, content: Mapping[str, object]) -> str:
    """A template in a language; its ending says whether it is HTML.

    No content is named like what every mail has: macros would not see it.
    """
    form = "html" if template.endswith(".html") else "txt"
    before = _content.set(content)
    try:
        made = _environment(form, tongue).get_template(template).render(content)
    finally:
        _content.reset(before)
    return _tidy_html(made) if form == "html" else _tidy_text(made)


def render_subject(template: str, tongue: Tongue, content: Mapping[str, object]) -> str:
    """A subject: one line."""
    return " ".join(render(template, tongue, content).split())


def _of_this_mail(name: str) -> Callable[..., object]:
    """What macros call by a name that means something else in every mail. They are made once for
    all mails, and so are not given a mail's content."""

    def call(*args: object) -> object:
        called: Any = _content.get()[name]
        return called(*args)

    return call


class _Context(Context):
    """What a template is given. Nothing that is called in ours wants to be handed the context,
    for which Jinja looks at everything that is called."""

    def call(
        self,
        called: Callable[..., object],
        /,
        *args: object,
        _loop_vars: object = None,
        _block_vars: object = None,
        **facts: object,
    ) -> object:
        """Call a function or macro."""
        return called(*args, **facts)


class _Environment(Environment):
    context_class = _Context

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """What a template is given besides its content: the same for all of ours, and so not laid
        over anything, as Jinja does, from which every mail would have to copy it name by name."""
        assert not d, "no template has globals of its own"
        return self.globals


@cache
def _environment(form: str, tongue: Tongue) -> Environment:
    environment = _Environment(
        loader=PackageLoader("pbem.mail", "templates"),
        autoescape=form == "html",
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
        cache_size=-1,  # all of them are kept
    )
    environment.filters.update(
        {"wrap": wrap, "item": item, "cite": cite, "broken": broken, "code": code}
    )
    environment.globals |= {"_": tongue.say, "n_": tongue.count, "language": tongue.language}
    environment.globals |= {name: _of_this_mail(name) for name in ("link", "cid")}
    return environment


def wrap(text: object, indent: str = "", hang: str | None = None) -> str:
    """A paragraph in lines; the first begins with ``indent``, the others with ``hang``."""
    text = str(text)
    if len(text) <= COLUMNS - len(indent) and text.isprintable():
        text = text.rstrip(" ")  # one short line, as most are
        return indent + text if text else ""
    lines: list[str] = []
    following = indent if hang is None else hang
    for line in text.splitlines() or [""]:
        # What stands between backticks is to be written as it is, so it stays on one line.
        whole = _CODE.sub(lambda found: found[0].replace(" ", _KEPT_SPACE), line)
        lines += _cut(whole.expandtabs(), following if lines else indent, following) or [""]
    return "\n".join(lines).replace(_KEPT_SPACE, " ")


def _cut(rest: str, indent: str, following: str) -> list[str]:
    """A line cut at spaces, as ``textwrap`` would, which takes it word by word; none if it is
    blank. A word that is too long stays whole."""
    lines = []
    while rest:
        room = COLUMNS - len(indent)
        end = len(rest)
        if end > room:
            end = rest.rfind(" ", 0, max(room + 1, 0))
            end = end if end >= 0 else f"{rest} ".find(" ")
        line, rest = rest[:end].rstrip(" "), rest[end:].lstrip(" ")
        if line.strip():
            lines.append(indent + line)
            indent = following
    return lines


def item(text: object, mark: str = "- ") -> str:
    """A paragraph with a mark before it, the lines below standing behind the mark."""
    return wrap(text, mark, " " * len(mark))


def cite(text: object) -> str:
    """What somebody wrote, set off; not with the marks of a quote, which mean an old mail."""
    return wrap(text, "  | ", "  | ")


def broken(text: object) -> Markup:
    """What somebody wrote, for HTML, with its lines as they were."""
    return Markup("<br>").join(str(text).splitlines())


def code(text: object) -> Markup:
    """A sentence for HTML in which what stands between backticks is set as it is written."""
    if "`" not in str(text):
        return escape(text)
    return Markup(_CODE.sub(_code_tag, str(escape(text))))


def _code_tag(found: re.Match[str]) -> str:
    """Short code stays on one line, however narrow the screen."""
    style = ' style="white-space:nowrap"' if len(found[1]) <= SHORT_CODE else ""
    return f"<code{style}>{found[1]}</code>"


def _tidy_text(text: str) -> str:
    text = "\n".join([line.rstrip(" \t") for line in text.split("\n")])
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip("\n") + "\n"


def _tidy_html(html: str) -> str:
    return "\n".join(_shown_lines(html)) + "\n"


def _shown_lines(html: str) -> Iterator[str]:
    """Lines without what is blank, but for preformatted text, which stays as it is."""
    inside = False
    for line in html.splitlines():
        if inside:
            yield line
        elif bare := line.strip():
            yield bare
        inside = "</pre>" not in line and (inside or "<pre" in line)
