"""N1.3: every verb in its long forms, English and Dutch, glued or apart, in any case."""

from __future__ import annotations

import pytest

from notation import format_plan, parse_orders
from notation.words import ELEMENTS, WORDS


@pytest.mark.parametrize(
    ("spellings", "pattern", "canonical"),
    [
        ("kite vlieger", "W3:{}>E7", "W3:kite>E7"),
        ("str strike slag", "F2 {} G4", "F2 str G4"),
        ("rng range shoot storm afstand", "F2 {} G4", "F2 rng G4"),
        ("chg charge bear beer", "E1 {} G4@F5", "E1 chg G4@F5"),
        ("wave flow golf", "A5 {} G4@F5", "A5 wave G4@F5"),
        ("six streams zes stromen", "A5 {} G4@F5", "A5 six G4@F5"),
        ("drg dragons draken", "F2+F7 {} G4", "F2+F7 drg G4"),
        ("drg dragons draken", "{} G4", "drg G4"),
        ("guide gids", "{}>K3", "guide>K3"),
        ("guide gids", "E4 ret {}", "E4 ret guide"),
        ("ret return terug", "E4 {} J1", "E4 ret J1"),
        ("end done einde klaar", "{}", "end"),
        ("setup opstelling", "{} WFEAAEFW", "setup WFEAAEFW"),
        ("bid bod", "{} 5", "bid 5"),
        ("pass pas", "{}", "pass"),
        ("resign opgeven", "{}", "resign"),
        ("draw remise", "{}?", "draw?"),
        ("draw remise", "claim {}", "claim draw"),
        ("block save red blok", "{} G4", "G4+"),
        ("block save red blok", "{}", "block"),
        ("fall val", "{} G4", "G4-"),
        ("all alles", "block {}", "block all"),
        ("→ -> to > naar --> => – —", "F2 {} G4", "F2>G4"),
        ("wind", "{} 3>G4", "W3>G4"),
        ("earth aarde", "{} 3>G4", "E3>G4"),
        ("water", "{} 3>G4", "A3>G4"),
        ("fire vuur", "{} 3>G4", "F3>G4"),
    ],
)
def test_long_forms(spellings: str, pattern: str, canonical: str) -> None:
    for spelling in spellings.split():
        text = pattern.format(spelling if spelling not in "–—" else f"{spelling}>")
        assert format_plan(parse_orders(text)) == canonical
        assert format_plan(parse_orders(text.upper())) == canonical


def test_every_spelling_is_in_small_letters_and_means_one_thing() -> None:
    spellings = [*WORDS, *ELEMENTS]
    assert len(spellings) == len(set(spellings))
    assert all(spelling == spelling.lower() for spelling in spellings)


@pytest.mark.parametrize(
    "name",
    [
        "six",
        "strike of six streams",
        "Strike of the Six Streams",
        "Slag van Zes Stromen",
        "slag van de zes stromen",
        "zes stromen",
        "str six",
        "six strike",
        "slag\nvan zes\nstromen",
    ],
)
def test_six_beside_strike_is_six(name: str) -> None:
    assert format_plan(parse_orders(f"A5 {name} G4@F5")) == "A5 six G4@F5"
