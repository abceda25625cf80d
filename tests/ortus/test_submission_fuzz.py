"""Any text in any phase is refused or accepted, nothing else, and a refusal changes nothing."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.base import Accepted, Preview, Refused
from pbem.games.ortus.conformance import legal_texts
from pbem.games.ortus.state import TURN, State
from tests.ortus.games import GAME, SIX, TWO_ARCHERS, VARIANTS, WAVE, random_table, study, table


@cache
def states() -> list[State]:
    """Games in every phase and level."""
    bidding = table(bid=True)
    for house in ("gold", "black"):
        bidding.send(house, "setup WFEAAEFW")
    half = table()
    half.send("black", "setup WFEAAEFW")
    found = [table().state, half.state, bidding.state]
    for place, attack in (
        (TWO_ARCHERS, "W1 rng I4"),
        (SIX, "A4 six G6@F6"),
        (WAVE, "A4 wave G6@F6"),
    ):
        game = study(**place)
        found.append(game.state)
        game.send("gold", f"{attack} [-: end | *: E3>J2]; draw?")
        found.append(game.state)
    game.send("black", "resign")
    found.append(game.state)
    for number, options in enumerate(VARIANTS):
        found.append(random_table(number, options, entries=25 + 9 * number).state)
    found.append(random_table(50, {"level": "master"}, until="defence").state)
    return found


WORDS = """
W1 F2 E3 A4 A5 E6 F7 W8 3 wind3 Water F9 W0 G6 I4 F6 H8 Z9 A15 J2 K2 > : ; , | [ ] + - * @ = -> →
( ) { } kite rng str chg wave six drg guide ret end setup WFEAAEFW bid 5 0 99 pass resign draw?
draw+ draw- draw claim standing: block fall ask all keep 4 <=3 off off. 1. 2) [-: [+: [*:
[G6-,F7+: end] vlieger golf zes einde opgeven remise x & &gt; &lt;= é
"""
PIECES = [*WORDS.split(), "\n", "\n>", "\t", "\x00", "\u200b"]

wordy = st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join)
tight = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
anything = st.text(max_size=60)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(
    number=st.integers(0, 1000),
    seat=st.integers(0, 1),
    text=st.one_of(wordy, wordy, tight, anything),
)
def test_any_text_is_accepted_or_refused(number: int, seat: int, text: str) -> None:
    check(states()[number % len(states())], seat, text)


def check(state: State, seat: int, text: str) -> None:
    before, dumped = repr(state), GAME.dump(state)
    shown = GAME.preview(state, seat, text)
    done = GAME.submit(state, seat, text)
    assert isinstance(shown, Preview) == isinstance(done, Accepted)
    assert repr(state) == before
    assert GAME.dump(state) == dumped
    if isinstance(done, Refused):
        assert done == shown
        assert 1 <= len(done.faults) <= 64
        assert len(done.suggestions) <= 4
        for fault in done.faults:
            assert GAME.explain(fault)
            assert len(GAME.explain(fault)) < 600
        if len(done.faults) == 1:
            for suggestion in done.suggestions:
                mended = GAME.submit(state, seat, suggestion.submission)
                assert isinstance(mended, Accepted), (text, suggestion)
        return
    assert isinstance(shown, Preview)
    assert shown.text == done.text
    again = GAME.submit(state, seat, done.text)
    assert isinstance(again, Accepted), "what was understood can be said again"
    assert (again.text, again.state) == (done.text, done.state)
    assert GAME.load(state.start, GAME.dump(done.state)) == done.state
    for watcher in (0, 1, None):
        GAME.scene(done.state, watcher)


GLUE = ("; ", "; ", "; ", "\n", " [-: ", " [+: ", " [*: ", " | +: ", " | *: ", "]; ", " ")


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    number=st.integers(0, 1000),
    parts=st.lists(st.tuples(st.integers(0, 9999), st.sampled_from(GLUE)), min_size=1, max_size=7),
    tail=st.sampled_from(["", "]", "; end", "]; end", "; draw?", "\nstanding: ask all"]),
)
def test_orders_that_are_legal_each_for_itself(
    number: int, parts: list[tuple[int, str]], tail: str
) -> None:
    turns = [state for state in states() if state.phase == TURN]
    state = turns[number % len(turns)]
    assert state.position is not None
    legal = legal_texts(state.position)
    attacks = [text for text in legal if " ret " not in text and " " in text] or legal
    text = ""
    for index, glue in parts:
        pool = attacks if "[" in glue or index % 3 == 0 else legal
        text += pool[index % len(pool)] + glue
    check(state, state.position.active, text.rstrip("; |\n") + tail)


LONG = {
    "noise": "\x00\xff" * 40_000,
    "one word": "x" * 70_000,
    "orders": "E3>J2; " * 600,
    "brackets": "W1 rng I4 [-: " * 400,
    "closed brackets": "W1 rng I4 " + "[*: W1 rng I4 " * 20 + "]" * 20,
    "branches": "W1 rng I4 [" + " | ".join(["-: end"] * 1000) + "]",
    "decisions": "I4+ " * 5000,
    "standing": "standing: " + "block all; " * 4000,
    "offers": "draw?\n" * 500,
    "lines": "\n" * 60_000,
    "digits": "9" * 50_000,
    "bid": "bid " + "9" * 5000,
    "mistakes": "E3>H8; " * 500,
    "surrogate": "E3>J2 \ud800",
}


@pytest.mark.parametrize("name", sorted(LONG))
def test_long_and_odd_texts_are_refused_with_short_faults(name: str) -> None:
    for state in (states()[0], states()[3], states()[4]):
        for seat in (0, 1):
            done = GAME.submit(state, seat, LONG[name])
            assert isinstance(done, Refused)
            assert len(done.faults) <= 512
            assert all(len(GAME.explain(fault)) < 600 for fault in done.faults)
            assert len(repr(done)) < 400_000
