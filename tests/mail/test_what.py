"""What a whole mail asks for (L4.5, L4.7, L6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.known_lines import KnownLines, prints_of
from pbem.mail.parts import read_message
from pbem.mail.what import Part, Wanted, find_wanted, read_lines

GAMES = frozenset({"k3f7abcd", "aaaa2222"})


def wanted(body: str, *, subject: str = "Re: game", sent: tuple[str, ...] = ()) -> Wanted:
    raw = f"From: a@example.org\r\nSubject: {subject}\r\n\r\n{body}\r\n".encode()
    return find_wanted(
        read_message(raw),
        sent=KnownLines(prints_of(sent)),
        games=GAMES,
        has_headings="k3f7abcd" in body,
    )


def only(body: str, *, sent: tuple[str, ...] = ()) -> Part:
    found = wanted(body, sent=sent)
    assert found.doubts == ()
    (part,) = found.parts
    return part


def test_orders_message_and_notes() -> None:
    part = only("Hi!\n\nW3:kite>E7\nF2 rng G4; end\n\nSee you.\n# aims at G4")
    assert part.orders == "W3:kite>E7\nF2 rng G4; end"
    assert part.message == "Hi!\n\nSee you."
    assert part.notes == ("aims at G4",)
    assert part.commands == ()


def test_an_attempt_makes_the_whole_of_it_orders() -> None:
    part = only("F2>G4\nW3 jumps to E7")
    assert part.orders == "F2>G4\nW3 jumps to E7"


@pytest.mark.parametrize(
    "line",
    [
        "setup WFEAAEF",
        "My set-up: W F E A A E F",
        "WFEAAEFW",
        "standing: block F* <=",
        "standing block all less than 2",
        "block F* if <= 4",
        "keep 5 and block all <= 2, standing",
        "draw",
        "remise!",
        "bid seven",
    ],
)
def test_what_was_meant_for_the_game_is_no_message(line: str) -> None:
    part = only(line)
    assert (part.orders, part.message) == (line, "")


@pytest.mark.parametrize(
    "line",
    [
        "A draw would be fair, I think.",
        "You set up well!",
        "I like fall.",
        "we are a few",
        "The bid was too low for me, sorry.",
        "Ask me anything",
    ],
)
def test_what_was_meant_for_the_opponent_is_one(line: str) -> None:
    part = only(line)
    assert (part.orders, part.message) == ("", line)


def test_a_command_that_stands_in_our_own_mail_is_still_one() -> None:
    """A letter that says how to answer may hold the very line."""
    sent = ("To play, answer with the word:", "accept", "+", "2", "k3f7abcd")
    assert [command.name for command in only("accept", sent=sent).commands] == ["accept"]
    assert only("2", sent=sent).choice == 2
    assert only("+", sent=sent).orders == "+"
    assert only("k3f7abcd\n+", sent=sent).game_id == "k3f7abcd"


def test_but_not_below_a_copy_of_it() -> None:
    sent = ("To play, answer with the word:", "accept")
    found = wanted("Hello!\nTo play, answer with the word:\naccept", sent=sent)
    assert found.commands == ()


def test_directly_above_a_copy_it_is_asked_about() -> None:
    sent = ("accept", "To play, answer with the word above.")
    found = wanted("accept\nTo play, answer with the word above.", sent=sent)
    assert found.doubts == ("copy_of_sent",)
    assert found.parts == ()


def test_commands_in_a_quote_are_not_carried_out() -> None:
    found = wanted("Thanks!\n\nOn Mon, 16 Nov 2026 at 12:00 X <x@example.org> wrote:\n> accept")
    assert found.commands == ()


@pytest.mark.parametrize(
    ("body", "game_id", "orders"),
    [
        ("k3f7abcd\nF2>G4", "k3f7abcd", "F2>G4"),
        ("K3F7ABCD:\nF2>G4", "k3f7abcd", "F2>G4"),
        ("game k3f7abcd\nF2>G4", "k3f7abcd", "F2>G4"),
        ("Partij: k3f7abcd\nF2>G4", "k3f7abcd", "F2>G4"),
        ("[k3f7abcd] F2>G4", "k3f7abcd", "F2>G4"),
        ("*k3f7abcd*: F2>G4", "k3f7abcd", "F2>G4"),
        ("k3f7abcd: +", "k3f7abcd", "+"),
        ("k3f7abcd -", "k3f7abcd", "-"),
        ("aaaa2222 F2>G4; end", "aaaa2222", "F2>G4; end"),
    ],
)
def test_headings(body: str, game_id: str, orders: str) -> None:
    part = only(body)
    assert (part.game_id, part.orders) == (game_id, orders)


@pytest.mark.parametrize("body", ["k3f7abcd is a fine game", "zzzz7777: F2>G4", "k3f7abcde: hi"])
def test_what_is_no_heading(body: str) -> None:
    assert all(part.game_id is None for part in wanted(body).parts)


def test_several_games() -> None:
    found = wanted("k3f7abcd: F2>G4\nHello A\n\naaaa2222\n2\nboard")
    first, second = found.parts
    assert (first.game_id, first.orders, first.message) == ("k3f7abcd", "F2>G4", "Hello A")
    assert (second.game_id, second.choice) == ("aaaa2222", 2)
    assert [(each.name, each.game_id) for each in second.commands] == [("board", "aaaa2222")]


def test_a_try_takes_the_orders_below_it() -> None:
    part = only("try W3 rng G4 [-: end |\n+: F2 rng G4]; end\ntry F2>G4")
    assert [each.argument for each in part.tries] == [
        "W3 rng G4 [-: end |\n+: F2 rng G4]; end",
        "F2>G4",
    ]
    assert (part.orders, part.commands) == ("", ())


def test_orders_above_a_try_are_tried_too() -> None:
    part = only("F2>G4; end\ntry F2>G5; end")
    assert [each.argument for each in part.tries] == ["F2>G4; end", "F2>G5; end"]
    assert part.orders == ""


def test_a_try_in_one_game_keeps_all_others_from_being_played() -> None:
    found = wanted("k3f7abcd: F2>G4\naaaa2222\ntry F2>G5")
    assert [part.orders for part in found.parts] == ["", ""]
    assert [part.tries[0].argument for part in found.parts] == ["F2>G4", "F2>G5"]


def test_subjects_count_only_for_mails_without_text() -> None:
    assert [each.name for each in wanted("", subject="HELP").commands] == ["help"]
    assert wanted("", subject="Re: help").is_empty
    assert wanted("", subject="resign").is_empty
    assert wanted("Hello", subject="help").commands == ()
    assert [each.name for each in wanted("", subject="unsubscribe").commands] == ["stop"]


@pytest.mark.parametrize(
    ("body", "only_plays"),
    [
        ("F2>I6; end", True),
        ("F2>I6\n\nGood luck!", False),
        ("F2>I6\nstatus", False),
        ("F2>I6\n# a note", False),
        ("Good luck!", False),
        ("k3f7abcd: F2>I6", False),
        ("", False),
    ],
)
def test_what_only_plays(body: str, only_plays: bool) -> None:
    assert wanted(body).only_plays is only_plays


def test_agreeing() -> None:
    assert wanted("\nOK.\n").agrees
    assert wanted("ok\n\nAnn").agrees
    assert not wanted("ok\nF2>G4").agrees
    assert not wanted("Ann\nok").agrees


@given(st.lists(st.text(max_size=60), max_size=12))
def test_no_lines_whatever_raise(lines: list[str]) -> None:
    found = read_lines(lines, games=GAMES)
    assert all(isinstance(part, Part) for part in found.parts)


@given(
    st.lists(
        st.sampled_from(
            ["try", "F2>G4", "resign", "accept", "2", "+", "k3f7abcd", "# note", "hello", ""]
        ),
        max_size=8,
    )
)
def test_with_try_nothing_is_left_to_play(lines: list[str]) -> None:
    found = read_lines(lines, games=GAMES)
    if "try" in lines:
        assert all(not part.orders and part.choice is None for part in found.parts)
