"""Lines of our own HTML are found as those of anybody else's are, only faster."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from pbem.mail.composing.game_views import Board
from pbem.mail.composing.rendering import _environment
from pbem.mail.html_lines import html_lines
from pbem.mail.own_lines import own_lines
from pbem.mail.text_lines import clean, fold
from pbem.tongue import ENGLISH

TEXTS = (
    "F2>G4; end",
    "> quoted & more",
    "a  b\u00a0c",
    "<b>not bold</b>",
    "W1 rng G11 [-: end | +: `try`]",
    "one\n\n  two\n>three",
    "\u200eleft",
    "&lt;",
    "",
)


def compared(lines: Iterable[str]) -> list[str]:
    """Lines as they are compared, without those that are blank."""
    return [folded for line in lines if (folded := fold(clean(line)))]


@pytest.mark.parametrize("macro", ["title", "p", "small", "block", "quote", "notice", "strong"])
@pytest.mark.parametrize("text", TEXTS)
def test_what_players_write(macro: str, text: str) -> None:
    parts = _environment("html", ENGLISH).get_template("parts.html").module
    made = f"<body><table><tr><td>{getattr(parts, macro)(text)}</td></tr></table></body>"
    assert compared(own_lines(made)) == compared(line.text for line in html_lines(made)[0])


@pytest.mark.parametrize(
    "board",
    [
        Board("text", text="  A  B\n(W1) .\n\n  ##", title="x"),
        Board("spoken", spoken=("Gold: W1 on A4.", "Black: > none"), title="x"),
    ],
)
def test_boards(board: Board) -> None:
    parts = _environment("html", ENGLISH).get_template("parts.html").module
    made = f"<body>{parts.board(board)}</body>"  # type: ignore[attr-defined]
    assert compared(own_lines(made)) == compared(line.text for line in html_lines(made)[0])


def test_cells_stand_apart() -> None:
    parts = _environment("html", ENGLISH).get_template("parts.html").module
    rows = [("Time zone", "UTC"), ("`board`", "a > b")]
    made = f"<body>{parts.pairs(rows)}</body>"  # type: ignore[attr-defined]
    found = [line.text for line in html_lines(made)[0] if line.text]
    assert found == ["Time zone UTC", "`board` a > b"]
    assert compared(own_lines(made)) == compared(found)
