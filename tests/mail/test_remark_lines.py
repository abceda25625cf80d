"""Which lines of a reply about a game that is over are remarks."""

from __future__ import annotations

import pytest

from pbem.mail.remark_lines import Cut, cut_remarks


@pytest.mark.parametrize(
    "text",
    [
        "3b. ! {Good.}",
        "  3B . !",
        "*3b.* !",
        "12g. (W3:kite>E7; end)",
        "3b. W3:kite>E7 ?! {Why?}",
        "3b.2 $14",
        "3b. {A long comment\nthat mail has wrapped,\n\ntwice.}",
        "3b. (W3:kite>E7;\nend)",
        "3b. W3:kite>E7\n! {Behind a wrapped line.}\n(F2>G4; end)",
    ],
)
def test_remarks(text: str) -> None:
    lines = ["Thanks for the game!", *text.split("\n"), "", "Regards, Ann"]
    cut = cut_remarks(lines)
    assert cut.remarks == text
    assert cut.rest == ("Thanks for the game!", "", "Regards, Ann")


@pytest.mark.parametrize(
    "text",
    [
        "Thanks for the game",
        "I liked 3b. and what came of it",
        "3 games, 2 wins",
        "2. And another thing",
        "3b",
        "E3>F10; end",
        "{no turn} !",
        "I withdraw what I said about 3b.",
    ],
)
def test_words_are_words(text: str) -> None:
    assert cut_remarks([text]) == Cut(rest=(text,))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("3b. withdraw", ("3b", None)),
        ("3b.2 withdraw", ("3b", 2)),
        ("3B.2 Intrekken.", ("3b", 2)),
        ("withdraw 3b.2", ("3b", 2)),
        ("intrekken: 03b", ("3b", None)),
    ],
)
def test_withdrawing(text: str, place: tuple[str, int | None]) -> None:
    assert cut_remarks(["Hi", text]) == Cut(withdrawals=(place,), rest=("Hi",))


def test_a_bracket_that_is_never_closed_takes_no_further_words_along() -> None:
    cut = cut_remarks(["3b. (W3:kite>E7; end", "", "Thanks for the game!", "Ann"])
    assert cut.remarks == "3b. (W3:kite>E7; end"
    assert cut.rest == ("", "Thanks for the game!", "Ann")
