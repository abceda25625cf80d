"""From parts to lines: flowed text, containers of HTML, and which part is read (L4.1)."""

from __future__ import annotations

import pytest

from pbem.mail.html_lines import html_lines
from pbem.mail.reply import Reply, read_reply
from pbem.mail.text_lines import fold, plain_lines


def texts(html: str) -> list[tuple[str, int]]:
    return [(line.text, line.depth) for line in html_lines(html)[0] if line.text]


def read(*lines: str) -> Reply:
    head = "From: ann@mail.example\nContent-Type: text/plain; charset=utf-8\n\n"
    return read_reply((head + "\n".join(lines)).encode())


def alternative(plain: str, html: str) -> Reply:
    return read_reply(
        "From: ann@mail.example\nContent-Type: multipart/alternative; boundary=x\n\n"
        f"--x\nContent-Type: text/plain; charset=utf-8\n\n{plain}\n"
        f"--x\nContent-Type: text/html; charset=utf-8\n\n{html}\n--x--\n".encode()
    )


def test_flowed_lines_are_joined() -> None:
    lines = plain_lines("one \ntwo\n three\n>> four \n>> five\n-- \nAnn", flowed=True)
    assert [(line.text, line.depth) for line in lines] == [
        ("one two", 0),
        ("three", 0),
        ("four five", 2),
        ("--", 0),
        ("Ann", 0),
    ]


def test_lines_are_compared_without_marks_and_spaces() -> None:
    assert fold("> | *It is  your_turn*\u2003\x0bSTRASSE") == fold("itisyourturnstraße")
    assert fold("x" * 999 + "yz") == "x" * 999 + "y"


def test_delsp_takes_the_space_away() -> None:
    (line,) = plain_lines("W3:ki \nte>E7", flowed=True, delsp=True)
    assert line.text == "W3:kite>E7"


def test_stuffed_lines_are_not_marked() -> None:
    assert plain_lines(" >E7", flowed=True)[0].depth == 0
    assert plain_lines(">E7", flowed=True)[0].depth == 1


def test_spaces_and_what_cannot_be_seen() -> None:
    (line,) = plain_lines("F2\u00a0>\u2009G\u200b4\ufeff\u202e")
    assert line.text == "F2 > G4"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("one<br>two<div>three</div>four", ["one", "two", "three", "four"]),
        ("<p>one</p>\n<p>two</p>", ["one", "two"]),
        ("<ul><li>F2&gt;G4</li><li>end</li></ul>", ["F2>G4", "end"]),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>", ["a b", "c"]),
        ("<pre>one\ntwo</pre>", ["one", "two"]),
        ("F2<b>&gt;</b><span>G4</span>", ["F2>G4"]),
        ("a\n  b   c", ["a b c"]),
        ("<style>x</style><script>y</script><!-- z -->a", ["a"]),
        ("<div style='display:none'>hidden F2&gt;G4</div>a", ["a"]),
        ("<div style='mso-hide:all'>hidden</div>a", ["a"]),
        ("<div hidden>hidden</div>a", ["a"]),
        ("<div style='DISPLAY : NONE'>hidden</div>a", ["a"]),
        ("<div style='dis\\70 lay:/**/none'>hidden</div>a", ["a"]),
        ("<div style='visibility:hidden'>hidden</div>a", ["a"]),
        ("<div style='font-size:0px'>hidden</div>a", ["a"]),
        ("<div style='opacity:0.0'>hidden</div>a", ["a"]),
        ("<div style='overflow:hidden;max-height:0'>hidden</div>a", ["a"]),
        ("<textarea>hidden</textarea><svg><text>hidden</text></svg>a", ["a"]),
        ("<div style='opacity:0.9;font-size:0.9em;line-height:0'>a</div>", ["a"]),
        ("<div style='min-height:0;height:0.5em;overflow:hidden'>a</div>", ["a"]),
        ("<div style='overflow:hidden'>a</div><div style='height:0'>b</div>", ["a", "b"]),
        ("<blockquote style='margin:0 0 0 40px;border:none'>moved right</blockquote>", None),
    ],
)
def test_html_becomes_lines(html: str, expected: list[str] | None) -> None:
    assert texts(html) == [(text, 0) for text in expected or ["moved right"]]


@pytest.mark.parametrize(
    "container",
    [
        "<blockquote>{}</blockquote>",
        "<blockquote type='cite'>{}</blockquote>",
        "<blockquote class='gmail_quote' style='border:none'>{}</blockquote>",
        "<div class='gmail_quote'>{}</div>",
        "<div class='yahoo_quoted'>{}</div>",
        "<div id='yahoo_quoted_123'>{}</div>",
        "<div class='protonmail_quote'>{}</div>",
        "<div class='moz-cite-prefix'>{}</div>",
        "<div class='moz-forward-container'>{}</div>",
        "<div class='gmail_attr'>{}</div>",
        "<div class='x_gmail_attr'>{}</div>",
        "<div id='mail-editor-reference-message-container'>{}</div>",
        "<span id='OLK_SRC_BODY_SECTION'>{}</span>",
        "<div data-marker='__QUOTED_TEXT__'>{}</div>",
        "<div name='quote'>{}</div>",
        "<div name='messageReplySection'>{}</div>",
        "<includetail>{}</includetail>",
    ],
)
def test_containers_of_quoted_mail(container: str) -> None:
    html = f"mine{container.format('<div>old</div>')}also mine"
    assert texts(html) == [("mine", 0), ("old", 1), ("also mine", 0)]


def test_gmail_answers_between_quotes_are_not_quoted() -> None:
    html = (
        "<div class='gmail_quote'><div class='gmail_attr'>x</div><blockquote>a</blockquote>"
        "<div>mine</div><blockquote>b</blockquote></div>"
    )
    assert texts(html) == [("x", 1), ("a", 1), ("mine", 0), ("b", 1)]


@pytest.mark.parametrize(
    "mark",
    [
        "<div id='appendonsend'></div>",
        "<div id='divRplyFwdMsg'></div>",
        "<hr id='zwchr'>",
        "<hr data-marker='__DIVIDER__'>",
        "<hr id='x_stopSpelling'>",
    ],
)
def test_marks_above_quoted_mail(mark: str) -> None:
    head = b"From: a@mail.example\nContent-Type: text/html\n\n"
    reply = read_reply(head + f"<p>F2&gt;G4</p>{mark}<p>E1 chg H7@H9</p>".encode())
    assert reply.text == "F2>G4"
    assert reply.is_certain


def test_a_signature_container() -> None:
    head = b"From: a@mail.example\nContent-Type: text/html\n\n"
    body = b"<p>Hi</p><div class='gmail_signature'>Ann<br>Utrecht<br>F2&gt;G4</div>"
    assert read_reply(head + body).texts == ("Hi", "F2>G4")


def test_plain_text_is_read_unless_it_is_blank() -> None:
    assert alternative("plain", "<p>html</p>").text == "plain"
    assert alternative(" \u00a0\n", "<p>html</p>").text == "html"


@pytest.mark.parametrize(
    "html",
    [
        "<p>F2&gt;G4</p><blockquote><p>You have 14 Energy</p><p>E1 chg H7@H9</p></blockquote>",
        "<p>F2&gt;G4</p><hr id='zwchr'><p>You have 14 Energy</p><p>E1 chg H7@H9</p>",
    ],
)
def test_html_tells_what_plain_text_does_not_mark(html: str) -> None:
    reply = alternative("F2>G4\n\nYou have 14 Energy\nE1 chg H7@H9", html)
    assert reply.text == "F2>G4"


def test_an_order_that_is_also_quoted_counts() -> None:
    html = "<p>F2&gt;G4</p><blockquote><p>F2&gt;G4</p></blockquote>"
    assert alternative("F2>G4\n\n> F2>G4", html).text == "F2>G4"


def test_below_an_unmarked_sentinel_nothing_counts() -> None:
    reply = read("F2>G4", "— reply above this line —", "> old", "E1 chg H7@H9")
    assert reply.text == "F2>G4"


def test_names_as_marks() -> None:
    assert read("Yes.", "", "Ann> shall we?", "A> and then?").text == "Yes."
    assert read("guide> K3", "wind 3 > E7").texts == ("guide> K3", "wind 3 > E7")
