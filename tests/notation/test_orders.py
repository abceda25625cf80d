"""N1: each kind of order, and every tolerant spelling of it."""

from __future__ import annotations

import pytest

from notation import find_choice, format_order, format_plan, parse_order, parse_orders, read_orders
from notation.orders import (
    Attack,
    Bid,
    Decision,
    DrawAnswer,
    DrawClaim,
    DrawOffer,
    End,
    GuideStep,
    Kite,
    Order,
    Pass,
    Place,
    Resign,
    Return,
    Setup,
    Standing,
    Walk,
)
from notation.reading import find_plan
from notation.standing import StandingRule

CANONICAL: list[tuple[str, Order]] = [
    ("F2>G4", Walk("F2", "G4")),
    ("3>G14", Walk("3", "G14")),
    ("W3:kite>E7", Kite("W3", "E7")),
    ("F2 str G4", Attack("str", "F2", "G4")),
    ("F2 rng G4", Attack("rng", "F2", "G4")),
    ("F2 rng E7", Attack("rng", "F2", "E7")),
    ("E1 chg G4@F5", Attack("chg", "E1", "G4", "F5")),
    ("E1 chg G4", Attack("chg", "E1", "G4")),
    ("A5 wave G4@F5", Attack("wave", "A5", "G4", "F5")),
    ("A5 six G4@F5", Attack("six", "A5", "G4", "F5")),
    ("F2+F7 drg G4", Attack("drg", "F2", "G4", partner="F7")),
    ("2+F7 drg G4", Attack("drg", "2", "G4", partner="F7")),
    ("drg G4", Attack("drg", None, "G4")),
    ("guide>K3", GuideStep("K3")),
    ("E4 ret J1", Return("E4", "J1")),
    ("E4 ret guide", Return("E4", "guide")),
    ("end", End()),
    ("G4+", Decision("G4", True)),
    ("G4-", Decision("G4", False)),
    ("E4-", Decision("E4", False)),
    ("block all", Decision("all", True)),
    ("fall all", Decision("all", False)),
    ("block", Decision(None, True)),
    ("fall", Decision(None, False)),
    ("setup WFEAAEFW", Setup("WFEAAEFW")),
    ("bid 5", Bid(5)),
    ("bid 0", Bid(0)),
    ("pass", Pass()),
    ("resign", Resign()),
    ("draw?", DrawOffer()),
    ("draw+", DrawAnswer(True)),
    ("draw-", DrawAnswer(False)),
    ("claim draw", DrawClaim()),
    ("standing: off", Standing(())),
    ("standing: block F* <=4", Standing((StandingRule("block", "F*", 4),))),
]


@pytest.mark.parametrize(("text", "order"), CANONICAL)
def test_canonical_orders(text: str, order: Order) -> None:
    assert parse_order(text) == order
    assert [step.order for step in parse_orders(text)] == [order]
    assert format_order(order) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        # Case and spacing do not matter (N1.3).
        ("w3 : KITE > e7", "W3:kite>E7"),
        ("W3 kite E7", "W3:kite>E7"),
        ("W3kite>E7", "W3:kite>E7"),
        ("f2RNGg4", "F2 rng G4"),
        ("F2rng G4", "F2 rng G4"),
        ("e1chgg4@f5", "E1 chg G4@F5"),
        ("E1 chg G4 @ F5", "E1 chg G4@F5"),
        ("e1beerE4", "E1 chg E4"),
        ("F2toG4", "F2>G4"),
        ("  F2\t>\tG4  ", "F2>G4"),
        ("F2: rng G4", "F2 rng G4"),
        ("guideK3", "guide>K3"),
        ("E4 ret to guide", "E4 ret guide"),
        ("blockall", "block all"),
        # A warrior is W3, a slot, or its element spelled out (N1.2).
        ("wind3>G4", "W3>G4"),
        ("Wind 3 > G4", "W3>G4"),
        ("Wind\n3>G4", "W3>G4"),
        ("vuur 2 + Fire7 drg G4", "F2+F7 drg G4"),
        ("3 rng G4", "3 rng G4"),
        # x stands between a verb and a hex.
        ("F2 rng x G4", "F2 rng G4"),
        ("F2 rng xG4", "F2 rng G4"),
        ("F2rngxG4", "F2 rng G4"),
        ("F2 rng × G4", "F2 rng G4"),
        ("drg x G4", "drg G4"),
        # Dragons or decisions.
        ("F7+F2 drg G4", "F2+F7 drg G4"),
        ("F2 +\nF7 drg G4", "F2+F7 drg G4"),
        ("F2\n+ F7 drg G4", "F2+F7 drg G4"),
        ("2\n+7\ndrg\nG4", "2+7 drg G4"),
        ("7+2 drg G4", "2+7 drg G4"),
        ("G4+G5-", "G4+ G5-"),
        ("E4+F7-", "E4+ F7-"),
        # Trailing marks (N1.8) and full stops.
        ("F2>G4!", "F2>G4"),
        ("F2>G4?!", "F2>G4"),
        ("end!", "end"),
        ("end.", "end"),
        ("end...", "end"),
        ("end…", "end"),
        ("end;.", "end"),
        ("draw ?", "draw?"),
        ("draw?!", "draw?"),
        ("remise+!", "draw+"),
        ("F2>G4.; end.", "F2>G4; end"),
        # Ornaments.
        ("*F2>G4*", "F2>G4"),
        ("**F2** > *G4*; _end_", "F2>G4; end"),
        ("* F2>G4\n* end", "F2>G4; end"),
        ("• F2>G4", "F2>G4"),
        ("“F2>G4”; 'end'; `draw?`", "F2>G4; end; draw?"),
        ("„F2>G4“", "F2>G4"),
        # Leftovers of HTML.
        ("F2&gt;G4", "F2>G4"),
        ("F2 -&gt; G4", "F2>G4"),
        ("F2&amp;gt;G4", "F2>G4"),
        ("F2&#x3E;G4", "F2>G4"),
        ("F2 =&gt; G4", "F2>G4"),
        ("F2&nbsp;rng&nbsp;G4", "F2 rng G4"),
        ("&quot;F2&gt;G4&quot;", "F2>G4"),
        ("block G4 &amp; fall G5", "G4+ G5-"),
        ("standing: block F* &lt;=4", "standing: block F* <=4"),
        ("standing: block F* ≤4", "standing: block F* <=4"),
        # Spaces that are none, and characters that cannot be seen.
        ("F2\u00a0rng\u202fG4", "F2 rng G4"),
        ("\ufeffF\u200b2\u2060>G\u00ad4", "F2>G4"),
        ("\u202eF2>G4\u202c", "F2>G4"),
        ("F2 ➡\ufe0f G4", "F2>G4"),
        # Dashes.
        ("G4–", "G4-"),
        ("G4 —", "G4-"),
        ("G4−", "G4-"),
        ("G4&ndash;", "G4-"),
        ("F2 –> G4", "F2>G4"),
        # List marks.
        ("1. F2>G4\n2. end", "F2>G4; end"),
        ("1) F2>G4 2", None),
        ("1.F2>G4", "F2>G4"),
        ("12) 3>G4", "3>G4"),
        ("1.\nF2>G4", "F2>G4"),
        ("1. fall G4; 2. block G5", "G4- G5+"),
        ("- F2>G4\n- end", "F2>G4; end"),
        # Set-ups.
        ("setup wfeaaefw", "setup WFEAAEFW"),
        ("SETUPWFEAAEFW", "setup WFEAAEFW"),
        ("setup: W F E A A E F W", "setup WFEAAEFW"),
        ("setup W,F,E,A, A,E,F,W", "setup WFEAAEFW"),
        ("setup wind fire earth water water earth fire wind", "setup WFEAAEFW"),
        ("opstelling wind vuur aarde water\nwater aarde vuur wind", "setup WFEAAEFW"),
        ("setup WFEA\nAEFW\nend", "setup WFEAAEFW; end"),
        ("bid: 5", "bid 5"),
        ("*standing*: *block F* <=4*", "standing: block F* <=4"),
        ("standing off", "standing: off"),
        ("dragons draken G4", "drg G4"),
        # Several orders.
        ("F2>G4;end", "F2>G4; end"),
        (";;F2>G4;\n;\n\nend;", "F2>G4; end"),
        ("F2>G4\r\nend\r", "F2>G4; end"),
        ("F2>G4\u2028end", "F2>G4; end"),
        ("end; draw?", "end; draw?"),
        ("end\nstanding: off", "end; standing: off"),
    ],
)
def test_forgiving_reading(text: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(ValueError, match="expected"):
            parse_orders(text)
        return
    plan = parse_orders(text)
    assert format_plan(plan) == canonical
    if len(plan) == 1:
        assert parse_order(text) == plan[0].order


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("G4+ G5-", "G4+ G5-"),
        ("G4+, G5-", "G4+ G5-"),
        ("G4 + , G5 -", "G4+ G5-"),
        ("G4+; G5-", "G4+ G5-"),
        ("G4+\nG5-", "G4+ G5-"),
        ("G4+\n, G5-", "G4+ G5-"),
        ("G4+,\nG5-,", "G4+ G5-"),
        ("block G4, fall G5", "G4+ G5-"),
        ("block G4 fall G5", "G4+ G5-"),
        ("block G4, G5 and G6, fall G7", "G4+ G5+ G6+ G7-"),
        ("block G4, G5-", "G4+ G5-"),
        ("block G4,\nG5", "G4+ G5+"),
        ("block G4,\nG5-", "G4+ G5-"),
        ("red G4 en val G5", "G4+ G5-"),
        ("G4\n-", "G4-"),
        ("block", "block"),
        ("fall.", "fall"),
        ("- fall", "fall"),
        ("– block", "block"),
        ("-- fall", "fall"),
        ("--\nfall", "fall"),
        ("—\nblock", "block"),
        ("-----\n\nfall", "fall"),
        # A bare sign counts as the first line that is not blank.
        ("+", "block"),
        ("-", "fall"),
        ("–", "fall"),
        ("\n \u200b\n + \n", "block"),
        ("-.", "fall"),
        ("+!\nstanding: off", "block; standing: off"),
    ],
)
def test_decisions(text: str, canonical: str) -> None:
    """N1.5"""
    assert format_plan(parse_orders(text)) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        # A break separates behind a complete order …
        ("F2>G4\nF7>I9", "F2>G4; F7>I9"),
        ("F2>G4 \nend", "F2>G4; end"),
        ("block\nblock G4", "block; G4+"),
        # … but not inside an order that is not complete …
        ("F2\n>G4", "F2>G4"),
        ("F2 >\nG4", "F2>G4"),
        ("F2 rng\nG4", "F2 rng G4"),
        ("F2\nrng\n\nG4\nend", "F2 rng G4; end"),
        ("W3:\nkite>E7", "W3:kite>E7"),
        ("W3:kite>\nE7", "W3:kite>E7"),
        ("E4 ret\nguide", "E4 ret guide"),
        ("bid\n5", "bid 5"),
        ("claim\ndraw", "claim draw"),
        ("draw\n?", "draw?"),
        ("E1 chg G4@\nF5", "E1 chg G4@F5"),
        ("3\n>G4", "3>G4"),
        # … nor before a line that begins with one of @ [ ] | , :
        ("E1 chg G4\n@F5\nend", "E1 chg G4@F5; end"),
        ("W3\n: kite > E7", "W3:kite>E7"),
        ("F2 rng G4\n[-: end]", "F2 rng G4 [-: end]"),
        ("F2 rng G4 [-: end\n| +: F7>I9\n]\nend", "F2 rng G4 [-: end | +: F7>I9]; end"),
        # A line that begins with > goes on with the unquoted line directly above it.
        ("F2\n> E7", "F2>E7"),
        ("W3:kite\n>E7", "W3:kite>E7"),
        ("guide\n > K3", "guide>K3"),
        ("F2\n&gt; E7", "F2>E7"),
        # An arrow is never a quotation mark.
        ("F2\n\n-> E7", "F2>E7"),
        ("F2\n→ E7", "F2>E7"),
    ],
)
def test_line_breaks(text: str, canonical: str) -> None:
    """N1.1"""
    assert format_plan(parse_orders(text)) == canonical


def test_standing_takes_the_rest_of_its_line() -> None:
    plan = parse_orders("F2>G4; standing: block all <=2; ask all\nend")
    assert [type(step.order) for step in plan] == [Walk, Standing, End]
    assert format_plan(plan) == "F2>G4; standing: block all <=2; ask all\nend"


def test_every_order_knows_its_place_but_is_equal_without_it() -> None:
    plan = parse_orders("1. F2>G4; \u200bE1 chg\n  G4\n G5+ G6-")
    assert [step.place for step in plan] == [
        Place(1, 4),
        Place(1, 12),
        Place(3, 2),
        Place(3, 2),
    ]
    assert plan == parse_orders("F2>G4;E1chgG4;G5+;G6-")


def test_dragons_are_written_with_the_lower_slot_first() -> None:
    """M5.3"""
    assert format_order(Attack("drg", "F7", "G4", partner="F2")) == "F2+F7 drg G4"
    assert format_order(Attack("drg", "2", "G4", partner="F1")) == "F1+2 drg G4"


def test_orders_can_be_kept_in_a_set() -> None:
    assert len({parse_order("F2>G4"), parse_order("f2 -> g4"), parse_order("end")}) == 2


@pytest.mark.parametrize(
    "text",
    [
        "7",
        " 7 \n",
        "7.",
        "7)",
        "(7)",
        "#7",
        "# 7",
        "Reply 7",
        "no. 7",
        "*7*",
        "“7”",
        "7!",
        "- 7",
        "antwoord 7",
        "keuze: 7",
        "\u00a07\u200b",
        "option 7.",
    ],
)
def test_a_lone_number_is_a_choice(text: str) -> None:
    """N1.7"""
    assert find_choice(text) == 7


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "07",
        "100",
        "F2",
        "7 7",
        "7>G4",
        "7\nF2>G4",
        "reply",
        "seven",
        "7" * 5000,
        "7 + 1",
        "bid 7",
        " " * 70000 + "x",
    ],
)
def test_anything_else_is_no_choice(text: str) -> None:
    assert find_choice(text) is None


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("&nbsp;2", 2),
        ("&#160;2.", 2),
        ("1\u200b2", 12),
        ("(7) !", 7),
        ("reply 2", 2),
        ("2 of 3", None),
        ("W1>G4", None),
        ("end", None),
    ],
)
def test_a_quick_look_loses_no_choice(text: str, choice: int | None) -> None:
    assert find_choice(text) == choice


def test_a_plan_is_found_or_nothing() -> None:
    assert find_plan("W1>G4; end") == parse_orders("W1>G4; end")
    assert find_plan("W1>G4; nonsense") is None
    assert read_orders("W1>G4; nonsense")[1]
