"""Every command of L6 in a whole mail: bytes in, rows out."""

from __future__ import annotations

from datetime import date, time

import pytest

from pbem.mail.compose import compose
from pbem.play import players
from pbem.play.model import Player
from pbem.play.players import MAX_ADDRESSES, MOST_ASKED
from pbem.play.post import Inbound, Outgoing
from tests.mail.acting.room import Room, facts, sections
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import Match, at
from tests.play.events.festival import Festival


def player_of(room: Room, player: Player) -> Player:
    with room.store.read() as unit:
        found = unit.find_player(player.id)
    assert found is not None
    return found


def answer_text(room: Room, mail: Inbound) -> str:
    """What the answer to a mail says."""
    outgoing = Outgoing(1, room.answer_to(mail), "answer")
    composed = compose(room.around, room.office, outgoing, at())
    assert composed is not None
    return composed.text


# -- what is only told --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("help", "help"),
        ("hulp", "help"),
        ("status", "status"),
        ("bord", "board"),
        ("history", "history"),
        ("partijen", "games"),
        ("settings", "settings"),
    ],
)
def test_questions_to_the_server(
    room: Room, match: Match, ann: Player, line: str, name: str
) -> None:
    before = match.stored
    mail = room.mail(ann, line, room.letter(ann, match))
    assert sections(mail) == [name]
    answer = room.answer_to(mail)
    assert (answer.kind, answer.cause, answer.game_id) == ("answer", f"mail/{mail.id}", match.id)
    assert answer.facts["inbound"] == mail.id
    assert (answer.facts["seat"], answer.facts["entry"]) == (0, 0)
    assert answer.facts["sections"] == mail.outcome["sections"]
    assert match.stored == before


def test_questions_work_with_an_old_token(room: Room, match: Match, ann: Player) -> None:
    old = room.letter(ann, match)
    match.send("gold", "end", 1)
    assert sections(room.mail(ann, "board", old, now=at(2))) == ["board"]


def test_several_commands_in_one_mail_get_one_answer(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "status\nHISTORY\nhelp", room.letter(ann, match))
    assert sections(mail) == ["status", "history", "help"]


def test_a_command_in_the_subject_of_an_empty_mail(room: Room, ann: Player) -> None:
    assert sections(room.mail(ann, "", "play", subject="Help")) == ["help"]
    assert sections(room.mail(ann, "", "play", subject="settings name X")) == ["empty"]
    assert sections(room.mail(ann, "", "play", subject="accept")) == ["empty"]


def test_about_another_game_by_its_id(room: Room, match: Match, ann: Player, bob: Player) -> None:
    other = room.study(TWO_ARCHERS, gold=bob, black=ann)
    mail = room.mail(ann, f"board {other.id}", room.letter(ann, match))
    assert mail.outcome["sections"] == [{"name": "board", "facts": {}, "game": other.id}]


def test_nobody_sees_a_game_of_others_by_its_id(room: Room, match: Match, bob: Player) -> None:
    cor = room.join("Cor")
    other = room.study(TWO_ARCHERS, gold=cor, black=bob)
    letter = room.letter(cor, other)
    mail = room.mail(cor, f"board {match.id}", letter)
    assert sections(mail) == ["unknown_command"]


def test_without_a_token_the_only_game_is_meant(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "board", "play")
    assert mail.outcome["sections"] == [{"name": "board", "facts": {}, "game": match.id}]
    other = room.study(TWO_ARCHERS, gold=ann, black=room.join("Cor"))
    mail = room.mail(ann, "board", "play")
    assert facts(mail, "which_game")["games"] == sorted([match.id, other.id])
    assert sections(room.mail(ann, "status", "play")) == ["games"]


def test_try_shows_and_changes_nothing(room: Room, match: Match, ann: Player) -> None:
    before = room.contents()
    mail = room.mail(ann, "Hm.\ntry W1 rng I4\nF2>I6; end", room.letter(ann, match))
    assert sections(mail) == ["message_kept_back", "what_if"]
    assert facts(mail, "what_if") == {"text": "W1 rng I4\nF2>I6; end"}
    assert facts(mail, "message_kept_back")["why"] == "question"
    after = room.contents()
    changed = {table for table in before if before[table] != after[table]}
    assert changed <= {"inbound", "letters", "notices", "counters"}


@pytest.mark.parametrize(
    "body",
    [
        "F2>I6; end\ntry W1>F5",
        "try resign",
        "try\nresign",
        "try standing: block all",
        "2\ntry F2>I6",
        "try draw?",
    ],
)
def test_a_mail_with_try_plays_nothing_at_all(
    room: Room, match: Match, ann: Player, body: str
) -> None:
    mail = room.mail(ann, body, room.letter(ann, match))
    assert set(sections(mail)) == {"what_if"}
    assert (match.texts(), match.stored.is_over) == ([], False)


def test_try_has_a_limit(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "try F2>I6\n" * 12, room.letter(ann, match))
    assert sections(mail) == ["what_if"] * 5 + ["left_out"]


def test_words_beside_a_question_are_not_passed_on(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "status\n\nThanks,\nAnn", room.letter(ann, match))
    assert sections(mail) == ["message_kept_back", "status"]
    with room.store.read() as unit:
        assert unit.messages_of(match.id) == []


def test_nearly_a_command(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "stauts", room.letter(ann, match))
    assert facts(mail, "unknown_command") == {"text": "stauts", "nearest": ["status"]}
    with room.store.read() as unit:
        assert unit.messages_of(match.id) == []


@pytest.mark.parametrize("words", ["Correct!", "Close call!", "Here we go"])
def test_words_that_events_use_too_go_to_the_opponent(
    room: Room, match: Match, ann: Player, words: str
) -> None:
    mail = room.mail(ann, words, room.letter(ann, match))
    assert sections(mail) == ["message_passed"]
    with room.store.read() as unit:
        assert [message.text for message in unit.messages_of(match.id)] == [words]


def test_words_where_there_is_no_opponent(room: Room, ann: Player) -> None:
    mail = room.mail(ann, "Hello there,\nhow does this work?", "play")
    assert facts(mail, "unknown_command") == {"text": "Hello there,", "nearest": []}


def test_too_many_commands(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "status\n" * 50, room.letter(ann, match))
    assert sections(mail) == ["left_out"] + ["status"] * 20


def test_on_doubt_only_questions_on_top_are_answered(room: Room, match: Match, ann: Player) -> None:
    body = "status\nsettings name Eve\nF2>I6\n\n> old\n\nW1>F5"
    mail = room.mail(ann, body, room.letter(ann, match))
    assert sections(mail) == ["doubt", "status"]
    assert player_of(room, ann).name == "Ann"


# -- settings -----------------------------------------------------------------------------------


def test_settings(room: Room, match: Match, ann: Player) -> None:
    line = "settings name Ann of Utrecht, language nl, quiet 22:00-07:00, zone Europe/Amsterdam"
    mail = room.mail(ann, line, room.letter(ann, match))
    assert facts(mail, "settings")["changed"] == ["name", "language", "quiet", "zone"]
    player = player_of(room, ann)
    assert player.name == "Ann of Utrecht"
    chosen = player.preferences
    assert (chosen.language, chosen.time_zone) == ("nl", "Europe/Amsterdam")
    assert (chosen.quiet_from, chosen.quiet_to) == (time(22), time(7))
    assert match.texts()[0][1].startswith("calendar 0")


def test_settings_are_all_or_nothing(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "settings name Eve, zone Nowhere/City", room.letter(ann, match))
    assert sections(mail) == ["faults"]
    assert player_of(room, ann).name == "Ann"


def test_nothing_is_told_of_what_was_undone(room: Room, ann: Player) -> None:
    line = "settings address add ann@example.net, address prefer other@example.net"
    mail = room.mail(ann, line, room.letter(ann, kind="answer"))
    assert sections(mail) == ["not_allowed"]
    assert "address_confirmation" not in {kind for _, _, kind in room.notices()}
    with room.store.read() as unit:
        assert unit.find_address("ann@example.net") is None


def test_settings_count_from_arrival(room: Room, match: Match, ann: Player) -> None:
    """A mail that was in time sets nothing back: its orders are still in time."""
    letter = room.letter(ann, match)
    body = "settings weekends off\nF2>I6; end"
    room.write(body, sender=room.address(ann), to=letter, now=at(9))
    room.read(at(300))
    assert match.texts()[-1] == (0, "F2>I6; end")


def test_addresses(room: Room, ann: Player) -> None:
    letter = room.letter(ann, kind="answer")
    mail = room.mail(ann, "settings address add Ann@Example.net", letter)
    assert facts(mail, "address_added") == {"address": "ann@example.net"}
    (asked,) = [row for row in room.notices() if row[2] == "address_confirmation"]
    assert asked == (f"mail/{mail.id}/ann@example.net", ann.id, "address_confirmation")
    mail = room.mail(ann, "settings address prefer ann@example.net", letter)
    assert facts(mail, "not_allowed")["code"] == "address_not_verified"
    question = room.letter(ann, kind="address_confirmation", address="ann@example.net")
    mail = room.mail(ann, "ok", question)
    assert facts(mail, "address_confirmed") == {"address": "ann@example.net"}
    own = room.address(ann)
    room.mail(ann, f"settings address prefer ann@example.net, address fallback {own}", letter)
    with room.store.read() as unit:
        marks = {
            each.address: (each.is_preferred, each.is_fallback)
            for each in unit.addresses_of(ann.id)
        }
    assert marks == {"ann@example.net": (True, False), own: (False, True)}
    room.mail(ann, "settings address fallback off, address drop ann@example.net", letter)
    with room.store.read() as unit:
        (left,) = unit.addresses_of(ann.id)
    assert (left.address, left.is_preferred) == (own, True)
    mail = room.mail(ann, f"settings address drop {own}", letter)
    assert facts(mail, "not_allowed")["code"] == "last_address"


@pytest.mark.parametrize(
    ("lines", "confirmed", "asks"),
    [
        ("settings address add {}", 1, True),
        ("settings address add {}", MAX_ADDRESSES, False),
        ("settings address add {}, address prefer {}", 1, False),
        ("settings address add {}\nsettings address drop {}", 1, True),
        ("settings address add {}\nsettings board text", 1, True),
        ("settings address add {}\n" * (MOST_ASKED + 1), 1, True),
    ],
)
def test_whose_an_address_is_is_not_told(
    room: Room, ann: Player, bob: Player, lines: str, confirmed: int, asks: bool
) -> None:
    """Whatever is done with it, one that is taken is answered like one that is free; and its owner
    gets a link to sign in."""
    for number in range(1, confirmed):
        address = f"more{number}@example.net"
        players.add_address(room.around, ann.id, address, now=at())
        players.verify_address(room.around, ann.id, address, now=at())
    told = []
    for address in (room.address(bob), "free@example.net"):
        mail = room.mail(ann, lines.replace("{}", address), room.letter(ann, kind="answer"))
        told.append((sections(mail), answer_text(room, mail).replace(address, "X")))
    assert told[0] == told[1]
    links = [row for row in room.notices() if row[2] == "sign_in"]
    assert {player_id for _, player_id, _ in links} == ({bob.id} if asks else set())
    with room.store.read() as unit:
        found = unit.find_address(room.address(bob))
        assert found is not None
        assert found.player_id == bob.id


def test_an_address_is_not_asked_for_ever(room: Room, ann: Player) -> None:
    letter = room.letter(ann, kind="answer")
    told = [
        sections(room.mail(ann, "settings address add victim@example.net", letter, twice=False))
        for _ in range(MOST_ASKED + 1)
    ]
    assert told[0] == ["address_added"]
    assert told[-1] == ["not_allowed"]


@pytest.mark.parametrize("line", ["settings address add {}", "invite {}"])
@pytest.mark.parametrize("address", ["play@play.example.org", "game.x@PLAY.example.org"])
def test_addresses_of_our_own_are_nobodys(room: Room, ann: Player, line: str, address: str) -> None:
    mail = room.mail(ann, line.format(address), room.letter(ann, kind="answer"))
    assert sections(mail) == ["faults"]


def test_a_player_cannot_have_the_whole_world_asked(room: Room, ann: Player) -> None:
    letter = room.letter(ann, kind="answer")
    told = []
    for number in range(11):
        address = f"victim{number}@example.net"
        body = f"settings address add {address}\nsettings address drop {address}"
        told.append(sections(room.mail(ann, body, letter, twice=False))[0])
    assert told == ["address_added"] * 10 + ["not_allowed"]


def test_stop_and_start(room: Room, match: Match, ann: Player) -> None:
    letter = room.letter(ann, match)
    mail = room.mail(ann, "STOP", letter)
    assert facts(mail, "mail_stopped") == {"address": room.address(ann)}
    assert player_of(room, ann).preferences.delivery == "none"
    mail = room.mail(ann, "start", letter)
    assert sections(mail) == ["mail_resumed"]
    assert player_of(room, ann).preferences.delivery == "each"


# -- leave --------------------------------------------------------------------------------------


def test_leave_is_shown_first_and_taken_with_ok(room: Room, match: Match, ann: Player) -> None:
    letter = room.letter(ann, match)
    offered = room.mail(ann, "leave 2026-12-20 2027-01-05", letter)
    told = facts(offered, "leave_offered")
    assert (told["first"], told["last"]) == ("2026-12-20", "2027-01-05")
    assert told["days_left"] == {"2026": 18, "2027": 25}
    assert set(told["effects"]) == {match.id}
    assert player_of(room, ann).leaves == ()
    taken = room.mail(ann, "ok", room.answer_letter(offered, match), now=at(1))
    assert sections(taken) == ["leave_taken"]
    (leave,) = player_of(room, ann).leaves
    assert (leave.first, leave.last) == (date(2026, 12, 20), date(2027, 1, 5))


def test_before_a_leave_its_effect_on_events_is_told(room: Room, ann: Player) -> None:
    terms = {"clock": "90d", "level": "apprentice"}
    festival = Festival(room, 2, format="round_robin", max_entrants=3, agreement=terms)
    festival.enter(ann)
    festival.start()
    offered = room.mail(ann, "leave 2026-11-20 2026-12-06", room.letter(ann))
    [told] = facts(offered, "leave_offered")["events"]
    assert told["event"] == "Autumn"
    assert 5 < told["days"] < 17
    assert set(told["waiting"]) == {player.name for player in festival.players[:2]}
    text = " ".join(answer_text(room, offered).split())
    assert f"Your event Autumn would end about {told['days']} days later." in text
    assert f"Who would wait longer for you: {', '.join(told['waiting'])}." in text


def test_ok_counts_once(room: Room, match: Match, ann: Player) -> None:
    offered = room.mail(ann, "leave 2026-12-20 2027-01-05", room.letter(ann, match))
    letter = room.answer_letter(offered, match)
    room.mail(ann, "ok", letter)
    assert sections(room.mail(ann, "Ja", letter)) == ["ok_gone"]
    assert len(player_of(room, ann).leaves) == 1


@pytest.mark.parametrize("body", ["OK!\n\nBest wishes,\nAnn", "ja, graag\n\nGroeten"])
def test_ok_with_a_greeting_below(room: Room, match: Match, ann: Player, body: str) -> None:
    offered = room.mail(ann, "leave 2026-12-20 2027-01-05", room.letter(ann, match))
    mail = room.mail(ann, body, room.answer_letter(offered, match))
    assert sections(mail) == ["message_kept_back", "leave_taken"]
    with room.store.read() as unit:
        assert unit.messages_of(match.id) == []


def test_ok_where_nothing_was_asked_is_a_message(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "ok", room.letter(ann, match))
    assert facts(mail, "message_passed") == {"text": "ok"}


def test_ok_of_another_player_counts_for_nothing(
    room: Room, match: Match, ann: Player, bob: Player
) -> None:
    offered = room.mail(ann, "leave 2026-12-20 2027-01-05", room.letter(ann, match))
    forged = room.letter(bob, match, kind="answer", inbound=offered.id)
    assert sections(room.mail(bob, "ok", forged)) == ["message_passed"]
    assert player_of(room, ann).leaves == player_of(room, bob).leaves == ()


def test_leave_with_ok_at_once_and_off(room: Room, match: Match, ann: Player) -> None:
    letter = room.letter(ann, match)
    room.mail(ann, "verlof 2026-12-20 2026-12-24 ja", letter)
    room.mail(ann, "leave 2027-03-01 ok", letter)
    assert len(player_of(room, ann).leaves) == 2
    mail = room.mail(ann, "leave off", letter)
    assert facts(mail, "leave_ended") == {"first": "2026-12-20"}
    mail = room.mail(ann, "verlof uit 2027-03-01", letter)
    assert facts(mail, "leave_ended") == {"first": "2027-03-01"}
    mail = room.mail(ann, "leave off", letter)
    assert facts(mail, "not_allowed")["code"] == "no_such_leave"


@pytest.mark.parametrize(
    "line", ["leave 20-12-2026", "leave 2026-11-16 2026-11-17", "leave 2026-12-20 2026-12-01 ok"]
)
def test_leave_that_cannot_be(room: Room, match: Match, ann: Player, line: str) -> None:
    mail = room.mail(ann, line, room.letter(ann, match))
    assert sections(mail) == ["faults"]
    assert facts(mail, "faults")["command"] == line
    assert player_of(room, ann).leaves == ()


def test_leave_without_days_is_asked_about(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "leave", room.letter(ann, match))
    assert facts(mail, "unknown_command")["nearest"] == ["leave", "resign", "stop"]


# -- rules for all games --------------------------------------------------------------------------


def test_rules_for_all_games(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "standing all: block F* <= 4; ask all", room.letter(ann, match))
    assert facts(mail, "rules_set") == {"rules": "block F* <=4; ask all"}
    assert player_of(room, ann).standing == "block F* <=4; ask all"
    assert match.texts() == [(None, "general 0: block F* <=4; ask all")]


def test_rules_for_all_games_name_no_warrior(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "standing all: block W3", room.letter(ann, match))
    assert sections(mail) == ["faults"]


# -- without a token it is not sure who wrote (L3.2) ----------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "settings name Eve",
        "stop",
        "leave 2026-12-20 ok",
        "standing all: fall all",
        "invite victim@example.net",
        "accept",
    ],
)
def test_without_a_token_nothing_changes_before_ok(
    room: Room, match: Match, ann: Player, line: str
) -> None:
    mail = room.mail(ann, line, "play")
    assert facts(mail, "write_again") == {"commands": [line]}
    assert player_of(room, ann) == ann
    assert [kind for cause, _, kind in room.notices() if cause.startswith("mail/")] == ["answer"]


def test_ok_does_what_was_written_without_a_token(room: Room, match: Match, ann: Player) -> None:
    mail = room.mail(ann, "settings name Annie\nboard", "play")
    assert sections(mail) == ["write_again", "board"]
    done = room.mail(ann, "ok", room.answer_letter(mail))
    assert sections(done) == ["settings"]
    assert player_of(room, ann).name == "Annie"


# -- bundles ------------------------------------------------------------------------------------


@pytest.fixture
def others(room: Room, ann: Player) -> list[Match]:
    """Two more games in which it is Ann's turn."""
    return [room.study(TWO_ARCHERS, gold=ann, black=room.join(name)) for name in ("Cor", "Dirk")]


def test_a_bundle_is_answered_in_one_mail(
    room: Room, match: Match, others: list[Match], ann: Player
) -> None:
    asked = room.mail(ann, "bundle", room.letter(ann, match))
    games = [match, *others]
    assert sorted(facts(asked, "bundle")["requests"]) == sorted(game.request().id for game in games)
    assert sorted(room.answer_to(asked).facts["requests"]) == sorted(  # type: ignore[call-overload]
        game.request().id for game in games
    )
    letter = room.answer_letter(asked)
    body = (
        f"{games[0].id}: F2>I6; end\n\n"
        f"game {games[1].id}\nHi Cor!\nW1 str N8; end\n\n"
        f"[{games[2].id}]\nF2>I6\nend\n# careful"
    )
    mail = room.mail(ann, body, letter)
    assert games[0].texts() == games[2].texts() == [(0, "F2>I6; end")]
    assert games[1].texts() == [], "all or nothing for each game"
    told = {(section["name"], section["game"]) for section in mail.outcome["sections"]}  # type: ignore[attr-defined]
    assert told == {
        ("played", games[0].id),
        ("refusal", games[1].id),
        ("message_kept_back", games[1].id),
        ("played", games[2].id),
        ("noted", games[2].id),
    }
    answer = room.answer_to(mail)
    assert answer.kind == "answer"
    assert answer.facts["requests"] == [games[1].request().id]
    mended = room.mail(ann, f"{games[1].id}: 1", room.answer_letter(mail))
    assert len(games[1].texts()) == 1
    assert room.answer_to(mended).kind == "answer"


def test_orders_above_any_heading_are_asked_about(
    room: Room, match: Match, others: list[Match], ann: Player
) -> None:
    letter = room.answer_letter(room.mail(ann, "bundle", room.letter(ann, match)))
    mail = room.mail(ann, "F2>I6; end", letter)
    assert facts(mail, "which_game")["text"] == "F2>I6; end"
    assert all(game.texts() == [] for game in (match, *others))


def test_a_bundle_of_one_needs_no_heading(room: Room, match: Match, ann: Player) -> None:
    letter = room.answer_letter(room.mail(ann, "bundle", "play"))
    room.mail(ann, "F2>I6; end", letter)
    assert match.texts() == [(0, "F2>I6; end")]


def test_one_game_twice_in_a_bundle_is_two_sets(
    room: Room, match: Match, others: list[Match], ann: Player
) -> None:
    letter = room.answer_letter(room.mail(ann, "bundle", room.letter(ann, match)))
    mail = room.mail(ann, f"{match.id}: F2>I6\n{match.id}: end", letter)
    assert facts(mail, "doubt")["reasons"] == ["two_sets"]
    assert match.texts() == []


def test_the_same_orders_for_two_games_are_both_played(
    room: Room, match: Match, others: list[Match], ann: Player
) -> None:
    asked = room.mail(ann, "bundle", room.letter(ann, match))
    letter = room.answer_letter(asked)
    body = f"{match.id}\nF2>I6\n\n> {others[0].id}\n\n{others[0].id}\nF2>I6\n"
    room.mail(ann, body, letter)
    assert match.texts() == others[0].texts() == [(0, "F2>I6")]


def test_an_old_request_in_a_bundle_is_late_alone(
    room: Room, match: Match, others: list[Match], ann: Player
) -> None:
    letter = room.answer_letter(room.mail(ann, "bundle", room.letter(ann, match)))
    match.send("gold", "end")
    match.send("black", "end")
    mail = room.mail(ann, f"{match.id}: F2>I6\n{others[0].id}: F2>I6", letter, now=at(1))
    assert sorted(sections(mail)) == ["played", "too_late"]
    assert others[0].texts() == [(0, "F2>I6")]
