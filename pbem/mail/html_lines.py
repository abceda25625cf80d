"""Lines of HTML, with the containers of quoted mail and of signatures known (L4.1).

Owns turning a document into lines by its block tags, and the names that mail programs give to
their containers. The document is walked with a list, not by recursion, and cut where it is nested
deeper than anyone writes. What the words of a line say about quoting is ``quotes.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pbem.mail.text_lines import LINE_BREAKS, MAX_LINES, Line, clean, marked

_MAX_NESTING: Final = 300  # the parser takes quadratic time on nested blocks
_MAX_NODES: Final = 8000


def _names(text: str) -> frozenset[str]:
    return frozenset(text.lower().split())


_SILENT: Final = _names(
    "script style head title template meta link textarea select option datalist iframe svg xml"
    " -comment"
)
_BLOCKS: Final = _names(
    """
    address article aside blockquote body center dd div dl dt fieldset figure footer form
    h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section table tbody tfoot thead tr ul
    """
)
# Tags that close by themselves do not nest.
_NESTING: Final = re.compile(
    r"<(/?)(?!(?:br|img|hr|p|li|meta|link|input|col|area|base|wbr|source|td|tr|th|o:p)\b)[a-z]",
    re.IGNORECASE,
)

# Thunderbird, Evolution, Roundcube, Fastmail and Apple Mail use a blockquote; Gmail names the
# attribution, Yahoo, Proton, Tuta, Zimbra, GMX, Spark, Airmail, Outlook for Mac and for
# telephones, NetEase, Alibaba, QQ and others a container around all that is old.
_QUOTE_CLASSES: Final = _names(
    """
    gmail_attr gmail_quote_attribution moz-cite-prefix moz-forward-container yahoo_quoted
    protonmail_quote tutanota_quote alimail-quote qmbox clean_bq airmail_on missive_quote
    zmail_extra zmail_extra_hr freshdesk_quote front-blockquote mailru-blockquote ymail_attr
    cloudmagic-smart-quote ntes_quote hs_reply outlookmessageheader
    """
)
_QUOTE_IDS: Final = _names(
    """
    olk_src_body_section mail-editor-reference-message-container isreplycontent isforwardcontent
    reply-intro divneteasemailcard qt replybody origbody forwardbody
    """
)
_CUT_IDS: Final = _names("divrplyfwdmsg appendonsend stopspelling zwchr")
_SIGNATURE_CLASSES: Final = _names(
    "gmail_signature moz-signature protonmail_signature_block sh-signature tutanota_signature"
)
_SIGNATURE_IDS: Final = _names(
    "signature ms-outlook-mobile-signature applemailsignature mobisignature"
)
_INDENT: Final = re.compile(r"border(?:-left)?\s*:\s*(?:none|0)", re.IGNORECASE)
# What nobody sees is nothing that somebody wrote (L4.4). Space before a paragraph is no height.
_HIDDEN: Final = re.compile(
    r"display:none|mso-hide:all|visibility:(?:hidden|collapse)|(?<![\w-])(?:opacity|font-size):"
    r"0*\.?0+(?:px|pt|em|rem|%)?(?![.\w])|(?<![\w-])(?:max-)?(?:height|width):0(?:px|pt|em|rem)?"
    r"(?![.\w%])(?=.*overflow:hidden)|overflow:hidden(?=.*(?<![\w-])(?:max-)?(?:height|width):0"
    r"(?:px|pt|em|rem)?(?![.\w%]))"
)
_CSS_ESCAPE: Final = re.compile(r"\\([0-9a-f]{1,6})[ \t]?|\\(.)|/\*.*?\*/|[ \t\r\n\f]+")


def html_lines(html: str) -> tuple[list[Line], bool]:
    """The lines of an HTML part, and whether it was too large or nested to be read to its end."""
    end = _find_too_deep(html)
    walk = _Walk()
    try:
        root = LexborHTMLParser(html if end is None else html[:end]).root
        lines = walk.lines(root) if root is not None else []
    except (ValueError, RuntimeError, MemoryError):  # what the parser says to hopeless input
        lines = []
    return [_remarked(line) for line in lines], end is not None or walk.nodes > _MAX_NODES


def _remarked(line: Line) -> Line:
    """Text typed with ``>`` into HTML is marked too."""
    if line.role == "cut":
        return line
    again = marked(line.text)
    return Line(again.text, line.depth + again.depth, line.text, line.role)


def _find_too_deep(html: str) -> int | None:
    depth = 0
    for match in _NESTING.finditer(html):
        depth = max(0, depth - 1) if match[1] else depth + 1
        if depth > _MAX_NESTING:
            return match.start()
    return None


class _Walk:
    """Goes through a document and collects its lines."""

    __slots__ = ("depth", "found", "nodes", "pre", "signatures", "text")

    def __init__(self) -> None:
        self.found: list[Line] = []
        self.text: list[str] = []
        # How many containers of each kind are open.
        self.depth = self.signatures = self.pre = 0
        self.nodes = 0

    def lines(self, root: LexborNode) -> list[Line]:
        """All lines in the order of the document, and at most a few more than may be used."""
        # A node to open, or None with the tag and role of one to close.
        stack: list[tuple[LexborNode | None, str, str]] = [(root, "", "")]
        while stack and self.nodes <= _MAX_NODES and len(self.found) <= 2 * MAX_LINES:
            node, tag, role = stack.pop()
            self.nodes += 1
            if node is None:
                self._close(tag, role)
                continue
            tag = node.tag or ""
            if tag == "-text":
                self._add(node.text_content or "")
            elif tag == "br":
                self._break(always=True)
            elif tag not in _SILENT:
                role = _role(node, tag)
                if role == "hidden":
                    continue
                self._open(tag, role)
                stack.append((None, tag, role))
                stack.extend((child, "", "") for child in reversed(list(_children(node))))
        self._break()
        return self.found

    def _open(self, tag: str, role: str) -> None:
        if tag in _BLOCKS or role:
            self._break()
        elif tag in ("td", "th"):
            self.text.append(" ")
        if role == "cut":
            self.found.append(Line("", 0, "", "cut"))
        if tag == "hr":
            self.found.append(Line("________", self.depth, "________"))
        self.depth += role == "quote"
        self.signatures += role == "signature"
        self.pre += tag == "pre"

    def _close(self, tag: str, role: str) -> None:
        if tag in _BLOCKS or role:
            self._break()
        self.depth -= role == "quote"
        self.signatures -= role == "signature"
        self.pre -= tag == "pre"

    def _add(self, text: str) -> None:
        if not self.pre:
            self.text.append(re.sub(r"[ \t\r\n\f]+", " ", text))
            return
        first, *others = LINE_BREAKS.split(text)
        self.text.append(first)
        for other in others:
            self._break(always=True)
            self.text.append(other)

    def _break(self, *, always: bool = False) -> None:
        joined = "".join(self.text)
        self.text = []
        # A no-break space makes an empty paragraph a blank line, as it does on the screen.
        if not always and not joined.strip(" \t\r\n\f"):
            return
        text = clean(joined).rstrip() if self.pre else re.sub(r" {2,}", " ", clean(joined)).strip()
        self.found.append(Line(text, self.depth, text, "signature" if self.signatures else ""))


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child is not None:
        yield child
        child = child.next


def _role(node: LexborNode, tag: str) -> str:
    """What a container is by its names: quote, cut, signature, hidden or nothing."""
    attributes = {name.lower(): (value or "") for name, value in node.attributes.items()}
    if not attributes and tag not in ("blockquote", "includetail"):
        return ""
    style = attributes.get("style", "")[:500]
    # A program that quotes the page of another puts "x_" before its names.
    identifier = attributes.get("id", "").lower().removeprefix("x_")
    marker = attributes.get("data-marker", "")
    name = attributes.get("name", "").lower()
    classes = {item.lower().removeprefix("x_") for item in attributes.get("class", "").split()}
    if "hidden" in attributes or (style and _HIDDEN.search(_plain_style(style))):
        return "hidden"
    if identifier in _CUT_IDS or marker == "__DIVIDER__":
        return "cut"
    if _is_quote(node, tag, attributes, classes):
        return "quote"
    if (
        classes & _SIGNATURE_CLASSES
        or identifier in _SIGNATURE_IDS
        or attributes.get("data-smartmail") == "gmail_signature"
        or marker == "__SIG_PRE__"
        or name == "messagesignaturesection"
    ):
        return "signature"
    return ""


def _plain_style(style: str) -> str:
    """A style in small letters, without blanks, comments and escapes."""
    return _CSS_ESCAPE.sub(_unescaped, style.lower())


def _unescaped(found: re.Match[str]) -> str:
    if found[1]:
        code = int(found[1], 16)
        return chr(code) if 0 < code < 0x110000 else ""
    return found[2] or ""


def _is_quote(node: LexborNode, tag: str, attributes: dict[str, str], classes: set[str]) -> bool:
    identifier = attributes.get("id", "").lower().removeprefix("x_")
    if tag == "blockquote":
        # Without a border it is a paragraph that the writer moved to the right (Gmail).
        is_bare = not classes and "cite" not in attributes and "type" not in attributes
        return not (is_bare and _INDENT.search(attributes.get("style", "")[:500]))
    if "gmail_quote" in classes and not _has_blockquote(node):
        return True  # a forwarded mail; around a reply the blockquotes inside say what is old
    return bool(
        classes & _QUOTE_CLASSES
        or identifier in _QUOTE_IDS
        or identifier.startswith(("yahoo_quoted", "ymail_quoted"))
        or attributes.get("data-marker") == "__QUOTED_TEXT__"
        or attributes.get("name", "").lower() in ("quote", "messagereplysection")
        or tag == "includetail"
    )


def _has_blockquote(node: LexborNode) -> bool:
    """Whether a blockquote stands directly inside, as Gmail writes it, or one step further in."""
    return any(
        inner.tag == "blockquote" or any(child.tag == "blockquote" for child in _children(inner))
        for inner in _children(node)
    )
