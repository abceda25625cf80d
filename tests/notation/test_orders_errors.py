"""N1.7, N1.8: every error has its code, its place in the text as written, and plain words."""

from __future__ import annotations

import pytest

from notation import NotationError, parse_order, parse_orders, read_orders
from notation.orders import End
from notation.reading import ERROR_CODES

FAULTS = [
    # text, with ^ before the place of the error; code
    ("F2 ^x G4", "verb_missing"),
    ("F2^xG4", "verb_missing"),
    ("F2 ^G4", "verb_missing"),
    ("F2^", "verb_missing"),
    ("F2^\nend", "verb_missing"),
    ("end; ^F2; F7>I9", "orders_after_end"),
    ("F7>I9; F2^; end", "verb_missing"),
    ("F2 ^@G4", "verb_missing"),
    ("F2 ^hits G4", "unknown_word"),
    ("^Thanks, F2>G4", "unknown_word"),
    ("^friends", "unknown_word"),
    ("^ask", "unknown_word"),
    ("^of", "unknown_word"),
    ("F2 rng ^str G4", "two_verbs"),
    ("F2 rng G4 ^str", "two_verbs"),
    ("W3:kite ^rng G4", "two_verbs"),
    ("A5 six streams ^wave G4", "two_verbs"),
    ("F2>G4 ^rng H5", "two_verbs"),
    ("drg ^str G4", "two_verbs"),
    ("block ^fall G4", "two_verbs"),
    ("F2 rng^", "hex_missing"),
    ("F2 rng^\nend", "hex_missing"),
    ("F2 rng ^of G4", "hex_missing"),
    ("F2>^", "hex_missing"),
    ("guide>^", "hex_missing"),
    ("E1 chg G4@^", "hex_missing"),
    ("E4 ret ^end", "hex_missing"),
    ("F2 rng ^W3", "bad_hex"),
    ("F2 rng ^P4", "bad_hex"),
    ("F2 rng ^G16", "bad_hex"),
    ("F2 rng ^G04", "bad_hex"),
    ("F2 rng ^G0", "bad_hex"),
    ("F2 rng ^4", "bad_hex"),
    ("F2 rng ^G 4", "bad_hex"),
    ("F2 rng ^fire 4", "bad_hex"),
    ("^G 4+", "bad_hex"),
    ("^3+", "bad_hex"),
    ("block ^W3", "bad_hex"),
    ("block ^everything", "hex_missing"),
    ("F2 rng ^A1", "off_board"),
    ("F2>^O15", "off_board"),
    ("^W3+", "bad_hex"),
    ("^G4>G5", "bad_warrior"),
    ("^F9>G4", "bad_warrior"),
    ("^F0>G4", "bad_warrior"),
    ("^F22>G4", "bad_warrior"),
    ("^9>G4", "bad_warrior"),
    ("^W 3>G4", "bad_warrior"),
    ("Wind^-3>G4", "bad_warrior"),
    ("Wind ^W3>G4", "bad_warrior"),
    ("^rng G4", "warrior_missing"),
    ("^x G4", "warrior_missing"),
    ("^-> G4", "warrior_missing"),
    ("^@G4", "warrior_missing"),
    ("^: G4", "warrior_missing"),
    ("^F2 drg G4", "dragons_pair"),
    ("F2 rng G4^@F5", "landing_unused"),
    ("F2 str G4 ^@ F5", "landing_unused"),
    ("G4^", "sign_missing"),
    ("G4^\n- fall", "sign_missing"),
    ("G4+ G5^", "sign_missing"),
    ("G4+, G5^; end", "sign_missing"),
    ("^block, fall G4", "victim_missing"),
    ("G4+, ^block", "victim_missing"),
    ("G4 - ^block", "separator_missing"),
    ("G4 – ^fall, G5 – block", "separator_missing"),
    ("^+G4", "bare_sign"),
    ("^+ F2>G4", "bare_sign"),
    ("F2>G4\n^+", "bare_sign"),
    ("--\n^-", "bare_sign"),
    ("^-; end", "bare_sign"),
    ("F2>G4 ^end", "not_alone"),
    ("F2 ^done", "not_alone"),
    ("G4+ ^resign", "not_alone"),
    ("end ^F2>G4", "separator_missing"),
    ("F2>G4. ^F7>I9", "separator_missing"),
    ("F2>G4 ^pass", "separator_missing"),
    ("F2>G4 ^standing: off", "separator_missing"),
    ("F2>G4^, F7>I9", "unexpected"),
    ("F2>G4^>H5", "unexpected"),
    ("^=", "unexpected"),
    ("^(F2>G4)", "unexpected"),
    ("^draw", "draw_alone"),
    ("^draw!", "draw_alone"),
    ("^draw\nend", "draw_alone"),
    ("claim^", "draw_missing"),
    ("claim ^victory", "draw_missing"),
    ("bid^", "number_missing"),
    ("bid ^five", "number_missing"),
    ("bid ^100", "number_missing"),
    ("bid ^-1", "number_missing"),
    ("setup^", "setup_count"),
    ("setup ^WFE", "setup_count"),
    ("setup ^WFEAAEFF", "setup_count"),
    ("setup ^WFEAAEFWW", "setup_count"),
    ("setup ^WFEA\nend", "setup_count"),
    ("setup ^W1 F2", "setup_count"),
    ("setup ^WFEAAEFX", "setup_letter"),
    ("^2", "lone_number"),
    ("^12.", "lone_number"),
    ("^2)", "lone_number"),
    ("^2\nF2>G4", "lone_number"),
    ("^> F2>G4", "quoted_line"),
    ("F2>G4\n^> F7>I9", "quoted_line"),
    ("F2\n\n^> E7", "quoted_line"),
    ("F2 rng\n^> G4", "quoted_line"),
    ("F2>\n^> G4", "quoted_line"),
    ("F2\n>G4\n^>H5", "quoted_line"),
    ("F2\n> E7; W3\n^> G4", "quoted_line"),
    ("F2 rng G4 [-: F7>I9\n^> end]", "quoted_line"),
    ("end; ^F2>G4", "orders_after_end"),
    ("end\n^draw+", "orders_after_end"),
    ("end\ndraw?\nstanding: off\n^end", "orders_after_end"),
    ("F2 rng G4 [-: end; ^F7>I9]", "orders_after_end"),
    ("F2 rng G4 [-: end; ^draw?]", "orders_after_end"),
    ("F2>G4 ^[-: end]", "bracket_without_attack"),
    ("G4- ^[-: end]", "bracket_without_attack"),
    ("^[-: end]", "bracket_without_attack"),
    ("F2 rng G4; ^[-: end]", "bracket_without_attack"),
    ("F2 rng G4 [-: end] ^[+: end]", "two_brackets"),
    ("F2 rng G4 [-: end] ^F7>I9", "separator_missing"),
    ("F2 rng G4 ^[-: end", "bracket_unclosed"),
    ("F2 rng G4 ^[-: F7 rng G5 [+: end]", "bracket_unclosed"),
    ("F2>G4^]", "bracket_unopened"),
    ("^]", "bracket_unopened"),
    ("F2>G4; ^| +: end", "bracket_unopened"),
    ("F2 rng G4 [^]", "bad_guard"),
    ("F2 rng G4 [^", "bad_guard"),
    ("F2 rng G4 [- ^end]", "bad_guard"),
    ("F2 rng G4 [-: end | ^]", "bad_guard"),
    ("F2 rng G4 [^-> end]", "bad_guard"),
    ("F2 rng G4 [fall ^all: end]", "bad_guard"),
    ("F2 rng G4 [* ^end]", "bad_guard"),
    ("F2 rng G4 [^2: end]", "bad_guard"),
    ("F2 rng G4 [+^-: end]", "bad_guard"),
    ("A5 six G4@F5 [G4-,G5-,F6-,E6-,E5-,F4-,^G3-: end]", "bad_guard"),
    ("A5 six G4@F5 [^fall G4, G5, F6, E6, E5, F4, G3: end]", "bad_guard"),
    ("F2 rng G4 [G4 - ^block: end]", "bad_guard"),
    ("F2 rng G4 [G4^: end]", "sign_missing"),
    ("F2 rng G4 [-: ^standing: off]", "standing_in_branch"),
    ("^", "no_orders"),
    ("^\n \n;", "no_orders"),
    # The column is the one of the text as it was written.
    ("\u200b\u200b F2\u200b ^x G4", "verb_missing"),
    ("“F2&gt;G4”; *F7* &nbsp;^x&nbsp;G4", "verb_missing"),
    ("1. F2>G4\n\n  2. F7 rng ^A1", "off_board"),
    ("F2>G4\u2028F7 ^x I9", "verb_missing"),
    ("F2>G4\r\n\tF7 ^x I9", "verb_missing"),
]


@pytest.mark.parametrize(("marked", "code"), FAULTS)
def test_faults(marked: str, code: str) -> None:
    before, _, after = marked.partition("^")
    lines = (before + "|").splitlines()
    with pytest.raises(NotationError) as caught:
        parse_orders(before + after)
    error = caught.value
    if code == "no_orders":
        assert error.code == code
        return
    assert (error.code, error.line, error.column) == (code, len(lines), len(lines[-1]))
    assert error.code in ERROR_CODES
    with pytest.raises(NotationError, match="expected"):
        parse_order(before + after)


def test_every_code_has_an_example() -> None:
    shown = {code for _, code in FAULTS}
    assert shown == ERROR_CODES - {
        "one_order",
        "too_deep",
        "too_long",
        "too_many_branches",
        "too_many_orders",
    }


@pytest.mark.parametrize("text", ["F2 x G4", "F2xG4", "f2 G4", "Fire 2 x G4", "F2", "F2 hits G4"])
def test_without_a_verb_the_error_names_the_warrior(text: str) -> None:
    """N1.3: so that its attacks can be listed."""
    with pytest.raises(NotationError) as caught:
        parse_orders(text)
    assert caught.value.warrior == "F2"


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("F2 rng A1", "A1", "a hex on the board: row 1 runs from H1 to O1"),
        ("F2 rng K13", "K13", "a hex on the board: row 13 runs from A13 to J13"),
        ("F2 x G4", "x", "a verb between F2 and the hex, as in `F2 rng G4`"),
        ("E1 x G4", "x", "a verb between E1 and the hex, as in `E1 chg G4`"),
        ("ret J1", "ret", "a warrior before `ret`, as in `E4 ret J1`"),
        ("block them", "them", "a hex such as G4, or `all`"),
        ("F2", "end of text", "`>` and a hex, or an attack such as `rng G4`"),
        ("F2\nend", "end of line", "`>` and a hex, or an attack such as `rng G4`"),
        (
            "setup WWEAAEFW",
            "WWEAAEFW",
            "eight elements for slots 1 to 8, two each of W, E, A and F; "
            "there are 3 W, 2 E, 2 A, 1 F",
        ),
        (
            "setup WFE",
            "WFE",
            "eight elements for slots 1 to 8, two each of W, E, A and F; there are 3",
        ),
        ("F2>G4\x07", "\\x07", "`;`, a new line or the end of the orders"),
        ("F2>G4\ud800", "\\ud800", "`;`, a new line or the end of the orders"),
        (
            "y" * 50,
            "y" * 39 + "…",
            "an order such as `F2>G4`, `F2 rng G4` or `end`",
        ),
    ],
)
def test_the_words_of_an_error(text: str, found: str, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_orders(text)
    assert (caught.value.found, caught.value.expected) == (found, expected)


@pytest.mark.parametrize(
    ("text", "place"),
    [("F2>G4; end", (1, 8)), ("G4+ G5-", (1, 1)), ("F2 rng G4 [-: end]", (1, 1))],
)
def test_one_order_is_one_order(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(NotationError) as caught:
        parse_order(text)
    assert (caught.value.code, caught.value.line, caught.value.column) == ("one_order", *place)


def test_errors_are_collected_order_by_order() -> None:
    plan, errors = read_orders(
        "F2>G4\nF7 x I9; W1>H5\nW3 rng A1 [-: end | +:\n F7>I9]; E3>E5\nA5\nstanding: blok wat\nend"
    )
    assert [(error.code, error.line) for error in errors][:3] == [
        ("verb_missing", 2),
        ("off_board", 3),
        ("verb_missing", 5),
    ]
    assert errors[3].line == 6
    assert len(errors) == 4
    assert [step.place.line for step in plan] == [1, 2, 4, 7]


def test_an_error_below_a_line_break_is_told_once() -> None:
    plan, errors = read_orders("F2 rng\nA1; end")
    assert [error.code for error in errors] == ["off_board"]
    assert [step.order for step in plan] == [End()]


def test_a_text_without_errors_has_none() -> None:
    assert read_orders("F2>G4; end") == (parse_orders("F2>G4; end"), ())
