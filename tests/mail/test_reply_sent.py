"""Copies of our own mails, marked or not: never an order, never message text (L4.4, L4.5)."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.classify import Kind, classify
from pbem.mail.known_lines import KnownLines, prints_of
from pbem.mail.languages import SENTINELS
from pbem.mail.quotes import Doubt
from pbem.mail.reply import Reply, read_reply

SENT = [
    SENTINELS["en"],
    "",
    "Ann, it is your turn (round 7, Gold).",
    "You have 14 Energy. Bob wrote: well done!",
    "",
    "   A   B   C   D",
    " 1 W1  .   .   F2",
    "",
    "An order could be:",
    "E1 chg H7@H9",
    "F2>G5",
    "end",
    "",
    "Reply with your orders. The clock stops on Friday at 20:00.",
]


def read(*lines: str, sent: list[str] | None = None) -> Reply:
    head = "From: ann@mail.example\nContent-Type: text/plain; charset=utf-8\n\n"
    raw = (head + "\n".join(lines)).encode("utf-8", "replace")
    return read_reply(raw, sent=KnownLines(prints_of(SENT if sent is None else sent)))


def played(reply: Reply) -> list[str]:
    """What would be played without asking."""
    if not reply.is_certain:
        return []
    return [item.text for item in classify(reply.sure_texts).of(Kind.ORDERS)]


@pytest.mark.parametrize("sent", [SENT, []], ids=["known", "unknown"])
def test_an_unmarked_copy_below_the_sentinel(sent: list[str]) -> None:
    reply = read("W3:kite>E7", "", *SENT, sent=sent)
    assert reply.text == "W3:kite>E7"
    assert reply.is_certain


def test_an_unmarked_copy_without_sentinel_or_attribution() -> None:
    reply = read("W3:kite>E7", "", *SENT[2:])
    assert played(reply) == ["W3:kite>E7"]
    assert reply.text == "W3:kite>E7"


def test_an_unmarked_copy_alone_plays_nothing() -> None:
    assert read(*SENT[2:]).text == ""
    assert played(read(*SENT)) == []


def test_an_order_of_our_example_may_be_played() -> None:
    assert played(read("F2>G5", "end")) == ["F2>G5", "end"]
    assert played(read("F2>G5", "", *SENT)) == ["F2>G5"]
    assert played(read("F2>G5", "", *[f"> {line}" for line in SENT])) == ["F2>G5"]


def test_an_example_directly_above_a_copy_is_asked_about() -> None:
    reply = read("F2>G5", *SENT[2:])
    assert reply.doubts == (Doubt.COPY_OF_SENT,)


def test_an_order_inside_an_unmarked_copy_is_asked_about() -> None:
    reply = read(*SENT[2:5], "W3:kite>E7", *SENT[5:])
    assert reply.texts == ("W3:kite>E7",)
    assert reply.doubts == (Doubt.COPY_OF_SENT,)


def test_lines_that_we_sent_are_not_passed_on() -> None:
    reply = read("Thank you.", "you have 14 energy.   Bob wrote: well done!", "W3:kite>E7")
    assert "14" not in reply.text


def test_below_an_unmarked_sentinel_with_nothing_above() -> None:
    reply = read(*SENT, "", "W3:kite>E7")
    assert reply.doubts == (Doubt.ORDERS_BELOW,)
    assert reply.below == ("W3:kite>E7",)


def test_below_a_marked_sentinel_counts() -> None:
    assert played(read(*[f"> {line}" for line in SENT], "", "W3:kite>E7")) == ["W3:kite>E7"]


FOREIGN = {"E1 chg H7@H9", "F2>G5", "end"}


@given(
    above=st.lists(st.sampled_from(["W3:kite>E7", "Hello Bob", "", "G4+", "Thanks"]), max_size=3),
    cut=st.integers(0, 6),
    end=st.integers(9, len(SENT)),
    mark=st.sampled_from(["", "> ", ">", ">> ", "| ", "Ortus> "]),
    width=st.sampled_from([0, 40, 60, 72]),
    attribution=st.sampled_from(
        [
            "",
            "On Tue, May 5, 2026 at 8:14 PM Ortus <turn@games.example> wrote:",
            "Op 5 mei 2026 om 20:14 schreef Ortus:",
            "-----Original Message-----",
            "From: Ortus\nSent: 5 May 2026 20:14\nTo: Ann\nSubject: Your turn",
        ]
    ),
)
def test_no_order_of_ours_is_ever_played(
    above: list[str], cut: int, end: int, mark: str, width: int, attribution: str
) -> None:
    """However a program copies our mail, nothing out of it is played."""
    copied: list[str] = []
    for line in SENT[cut:end]:
        copied.extend(textwrap.wrap(line, width) if width and line else [line])
    reply = read(*above, "", *attribution.split("\n"), *[mark + line for line in copied])
    assert not FOREIGN & set(played(reply))
