"""Which lines are commands, in both languages, and which are only words (L6)."""

from __future__ import annotations

from datetime import time

import pytest

from pbem.games.base import OptionsError
from pbem.mail.commands import (
    NAMES,
    asks_about_resigning,
    find_command,
    is_nearly_command,
    is_ok,
    nearest_commands,
    speaks_of_resigning,
)
from pbem.mail.invitation_text import parse_invitation
from pbem.mail.settings_text import parse_settings
from pbem.play.players import PlayerFaults
from pbem.play.terms import parse_agreement

GAMES = {"k3f9abcd"}


@pytest.mark.parametrize(
    ("line", "name", "argument"),
    [
        ("help", "help", ""),
        ("  HELP!  ", "help", ""),
        ("Help?", "help", ""),
        ("?", "help", ""),
        ("*status*", "status", ""),
        ("Stand", "status", ""),
        ("bord.", "board", ""),
        ("board k3f9abcd", "board", ""),
        ("history", "history", ""),
        ("verloop", "history", ""),
        ("games", "games", ""),
        ("partijen", "games", ""),
        ("try F2>G4; end", "try", "F2>G4; end"),
        ("try: draw?", "try", "draw?"),
        ("Probeer F2 naar G4", "try", "F2 naar G4"),
        ("try E3 chgg D12", "try", "E3 chgg D12"),
        ("try", "try", ""),
        ("try W3 rng G4 [-: end |", "try", "W3 rng G4 [-: end |"),
        ("undo", "undo", ""),
        ("terugnemen", "undo", ""),
        ("standing all: block F* <=4; ask all", "rules", "block F* <=4; ask all"),
        ("standing for all games: off.", "rules", "off"),
        ("standing alle partijen: blok alles", "rules", "blok alles"),
        ("leave 2026-12-20 2027-01-05", "leave", "2026-12-20 2027-01-05"),
        ("Leave: 2026-12-20", "leave", "2026-12-20"),
        ("verlof 20-12-2026", "leave", "20-12-2026"),
        ("leave off", "leave", "off"),
        ("vakantie uit 2026-12-20", "leave", "uit 2026-12-20"),
        ("invite friend@example.org master", "invite", "friend@example.org master"),
        ("uitnodigen vriend@example.org", "invite", "vriend@example.org"),
        ("invite everybody wind", "invite", "everybody wind"),
        ("accept", "accept", ""),
        ("Accept!", "accept", ""),
        ("accepteer abcd2345", "accept", "abcd2345"),
        ("decline", "decline", ""),
        ("weiger", "decline", ""),
        ("rematch", "rematch", ""),
        ("revanche k3f9abcd", "rematch", ""),
        ("settings", "settings", ""),
        ("settings language nl", "settings", "language nl"),
        ("instellingen taal nl, bord tekst", "settings", "taal nl, bord tekst"),
        ("bundle", "bundle", ""),
        ("bundel", "bundle", ""),
        ("stop", "stop", ""),
        ("Unsubscribe", "stop", ""),
        ("afmelden", "stop", ""),
        ("start", "start", ""),
        ("events", "events", ""),
        ("Evenementen", "events", ""),
        ("enter k3f7abc2", "enter", "k3f7abc2"),
        ("enter k3f7abc2 Red Team", "enter", "k3f7abc2 Red Team"),
        ("meedoen K3F7ABC2.", "enter", "K3F7ABC2"),
        ("withdraw k3f7abc2", "withdraw", "k3f7abc2"),
        ("withdraw k3f7abc2 ok", "withdraw", "k3f7abc2 ok"),
        ("here k3f7abc2", "here", "k3f7abc2"),
        ("standings k3f7abc2", "table", "k3f7abc2"),
        ("why k3f7abc2?", "why", "k3f7abc2"),
        ("challenge k3f7abc2 Ann", "challenge", "k3f7abc2 Ann"),
        ("statement k3f9abcd: I am ahead.", "statement", "I am ahead."),
        ("pause k3f7abc2 Ice.", "pause", "k3f7abc2 Ice."),
        ("hervat k3f7abc2", "resume", "k3f7abc2"),
        ("extend k3f7abc2 5 days Ice", "extend", "k3f7abc2 5 days Ice"),
        ("warn k3f7abc2 Ann: be civil!", "warn", "k3f7abc2 Ann: be civil!"),
        ("Open k3f7abc2!", "open", "k3f7abc2"),
        ("sluit k3f7abc2", "close", "k3f7abc2"),
        ("begin k3f7abc2.", "begin", "k3f7abc2"),
        ("disqualify k3f7abc2 Ann: out!", "disqualify", "k3f7abc2 Ann: out!"),
        ("vervang k3f7abc2 Ann: Bob Jr.", "substitute", "k3f7abc2 Ann: Bob Jr."),
        ("correct k3f7abc2 k3f8abcd gold: so.", "correct", "k3f7abc2 k3f8abcd gold: so."),
        ("annuleer k3f7abc2 k3f8abcd: dubbel", "annul", "k3f7abc2 k3f8abcd: dubbel"),
    ],
)
def test_commands(line: str, name: str, argument: str) -> None:
    command = find_command(line, games=GAMES)
    assert command is not None
    assert (command.name, command.argument) == (name, argument)
    assert name in NAMES
    assert (command.game_id is not None) == ("k3f9abcd" in line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "help me!",
        "Board games are fun",
        "board xxxxxxxx",
        "status quo",
        "History repeats itself",
        "games people play",
        "leave him alone",
        "leave it to me",
        "Try again, friend",
        "try harder",
        "invite your wife next time",
        "accept my apologies",
        "I accept",
        "stop doing that",
        "start again",
        "undo that?",
        "bundle up, it is cold",
        "events of last week",
        "Why?",
        "why whatever",
        "here together",
        "Enter password",
        "table manners",
        "Challenge accepted",
        "challenge accepted my friend",
        "pause whatever you do",
        "Warn everyone: it rains",
        "resume together",
        "extend k3f7abc2 for ever",
        "here k3f7abc2 I am",
        "challenge k3f7abc2",
        "open",
        "Open whatever",
        "open k3f7abc2 and shut",
        "Close call",
        "close together",
        "begin",
        "Begin together then",
        "begin k3f7abc2 tomorrow",
        "Correct!",
        "correct whatever you like",
        "correct k3f7abc2",
        "annul k3f7abc2",
        "annul everything: now",
        "Substitute teachers: hm",
        "substitute k3f7abc2",
        "Disqualify somebody: me",
        "disqualify k3f7abc2",
        "statement: I am ahead",
        "statement aaaa2222: not a game of mine",
        "standing: block all",
        "standing ovation: you",
        "resign",
        "draw?",
        "helpful",
        "x" * 2000,
    ],
)
def test_words_that_are_no_commands(line: str) -> None:
    assert find_command(line, games=GAMES) is None


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("help", False),
        ("try F2>G4", False),
        ("settings", False),
        ("settings name Ann", True),
        ("leave 2026-12-20 2027-01-05", False),
        ("leave 2026-12-20 2027-01-05 ok", True),
        ("verlof 2026-12-20 ja", True),
        ("leave off", True),
        ("accept", True),
        ("stop", True),
        ("undo", True),
        ("standing all: off", True),
        ("bundle", False),
    ],
)
def test_which_commands_change_something(line: str, *, changes: bool) -> None:
    command = find_command(line)
    assert command is not None
    assert command.changes_something is changes


@pytest.mark.parametrize(
    ("line", "nearest"),
    [
        ("stauts", ["status"]),
        ("boardd", ["board"]),
        ("histroy please", ["history"]),
        ("This is a whole sentence, not a command", []),
        ("hey", []),
    ],
)
def test_slips_of_the_pen(line: str, nearest: list[str]) -> None:
    assert nearest_commands(line)[:1] == nearest


@pytest.mark.parametrize("line", ["stauts", "boardd", "opne k3f7abc2", "Correct k3f7abc2 gold"])
def test_lines_that_are_nearly_commands(line: str) -> None:
    assert is_nearly_command(line)


@pytest.mark.parametrize("line", ["Correct!", "Close call!", "Here we go", "Begin!", "So it is."])
def test_words_of_events_alone_are_said_to_the_opponent(line: str) -> None:
    assert not is_nearly_command(line)


def test_agreeing_and_resigning() -> None:
    assert all(map(is_ok, ["ok", "OK.", " Yes!", "ja", "*ok*", "Yes, please!", "ok thank you"]))
    assert not any(map(is_ok, ["okay then", "no", "", "ok?", "ja maar", "yes 1", "ok > E7"]))
    assert all(map(asks_about_resigning, ["resign?", "Resign ??", "opgeven?"]))
    assert not any(map(asks_about_resigning, ["resign", "resign!", "do you resign?"]))
    assert all(map(speaks_of_resigning, ["I resign, well played", "Ik geef het op", "resign"]))
    assert not speaks_of_resigning("I am not resigned to that")


# -- invite -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "agreement"),
    [
        (
            "friend@example.org master origin 14d",
            {"level": "master", "arena": "origin", "clock": "14d"},
        ),
        (
            "<friend@example.org> 30d+1d cap 60d defence 4d fall water dicey",
            {"clock": "30d+1d cap 60d defence 4d fall", "level": "water", "dice": "dicey"},
        ),
        ("friend@example.org", {}),
        ("friend@example.org Crown BID, unrated", {"arena": "crown", "bid": True, "rated": False}),
        (
            "friend@example.org correction 15m delayed 4 14d",
            {"correction": "15m", "visibility": "delayed 4", "clock": "14d"},
        ),
        ("friend@example.org handicap black +2", {"handicap": "black +2"}),
        ("friend@example.org starter zwart claim off", {"starter": "black", "draw_claim": False}),
        ("friend@example.org claim 40 besloten", {"draw_claim": 40, "visibility": "private"}),
        ("friend@example.org<mailto:friend@example.org> meester", {"level": "master"}),
    ],
)
def test_invitations(text: str, agreement: dict[str, object]) -> None:
    wanted = parse_invitation(text)
    assert (wanted.address, wanted.host_seat) == ("friend@example.org", None)
    assert wanted.agreement == agreement
    parse_agreement(wanted.agreement)


def test_a_seat_a_position_and_everybody() -> None:
    assert parse_invitation("friend@example.org as black").host_seat == 1
    assert parse_invitation("iedereen als goud").address is None
    assert parse_invitation("iedereen als goud").host_seat == 0
    line = "origin master g 5 | 22 9 | 1 0 | K1 - | W1@F6"
    assert parse_invitation(f"friend@example.org position {line}").agreement == {"position": line}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", {"address"}),
        ("master origin", {"address"}),
        ("friend@example.org mastr orgin", {"mastr", "orgin"}),
        ("friend@example.org wind water", {"water"}),
        ("friend@example.org as king", {"as"}),
        ("friend@example.org correction", {"correction"}),
        ("friend@example.org handicap", {"handicap"}),
    ],
)
def test_every_fault_of_an_invitation_is_named(text: str, where: set[str]) -> None:
    with pytest.raises(OptionsError) as error:
        parse_invitation(text)
    assert set(error.value.faults) == where


# -- settings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "preferences"),
    [
        ("language nl", {"language": "nl"}),
        ("taal: Engels", {"language": "en"}),
        ("board text, delivery digest", {"board": "text", "delivery": "digest"}),
        ("zone Europe/Amsterdam", {"time_zone": "Europe/Amsterdam"}),
        ("quiet 22:00-07:00", {"quiet_from": time(22), "quiet_to": time(7)}),
        ("rust 22.30 tot 7", {"quiet_from": time(22, 30), "quiet_to": time(7)}),
        ("quiet off", {"quiet_from": None, "quiet_to": None}),
        ("weekends off", {"rests_on_weekends": True}),
        ("weekend spelen", {"rests_on_weekends": False}),
        ("messages stop", {"messages_stop_plans": True}),
        ("messages = go on", {"messages_stop_plans": False}),
        ("delivery none", {"delivery": "none"}),
        ("notes both", {"notes_join": "agreed"}),
        ("notities na", {"notes_join": "after"}),
    ],
)
def test_settings(text: str, preferences: dict[str, object]) -> None:
    assert parse_settings(text).preferences == preferences


def test_names_and_addresses() -> None:
    assert parse_settings("name Ann, of the North").name == "Ann, of the North"
    wishes = parse_settings("name Ann, language nl; address add ann@example.net")
    assert (wishes.name, wishes.preferences) == ("Ann", {"language": "nl"})
    assert wishes.addresses == (("add", "ann@example.net"),)
    assert wishes.keys == ("name", "language", "address")
    assert parse_settings("adres reserve uit").addresses == (("fallback", "uit"),)
    assert parse_settings("address drop <ann@example.net>").addresses == (
        ("drop", "ann@example.net"),
    )


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("colour blue", {"colour"}),
        ("language klingon, board stone", {"language", "board"}),
        ("quiet 25:00-07:00", {"quiet"}),
        ("quiet often", {"quiet"}),
        ("zone", {"zone"}),
        ("name", {"name"}),
        ("address ann@example.net", {"address"}),
        ("address drop off", {"address"}),
        ("weekends maybe", {"weekends"}),
    ],
)
def test_every_fault_of_settings_is_named(text: str, where: set[str]) -> None:
    with pytest.raises(PlayerFaults) as error:
        parse_settings(text)
    assert set(error.value.faults) == where
