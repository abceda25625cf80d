"""What players try who mean no good, and what must come of it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, time

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from pbem.cli.proofs import dice
from pbem.cli.proofs import verify as verify_command
from pbem.errors import StoreConflictError
from pbem.play import farewell, games, leave, players
from pbem.play.archive import log_of
from pbem.play.errors import NotAllowedError
from pbem.play.log import GENESIS, ChainError, format_log, parse_log, sealed
from pbem.play.model import Preferences
from pbem.play.players import PlayerFaults, clean_address, clean_name
from pbem.play.verification import replay_log
from tests.ortus.drawing import DEFAULT_SETUP, HOUSES
from tests.play.club import NOON, Club, Match, at

# -- what is held for correction ----------------------------------------------------------------


def test_what_somebody_sends_who_is_not_asked_is_released_in_time(club: Club) -> None:
    match = club.start(correction="1h")
    for house in HOUSES:
        match.hold(house, f"setup {DEFAULT_SETUP}", 0)
    match.sweep(at(1))
    asked = match.request().seat
    waiting = HOUSES[1 - asked]
    match.hold(waiting, "resign", 2)
    assert match.stored.due == at(3)
    assert not match.sweep(at(2.5)).is_over
    match.sweep(at(4))
    assert match.result() == (HOUSES[asked], "resignation")
    assert match.stored.ended_at == at(3)
    match.verify()


# -- keys of submissions ------------------------------------------------------------------------


@pytest.mark.parametrize("correction", ["", "1h"], ids=["played", "held"])
def test_a_key_of_the_opponent_shows_nothing_of_theirs(club: Club, correction: str) -> None:
    match = club.start(correction=correction)
    match.submit("gold", "setup WFEAAEFW", 1, key="mail 1")
    before = club.contents()
    with pytest.raises(NotAllowedError) as caught:
        match.submit("black", "setup FWEAAEWF", 2, key="mail 1")
    assert caught.value.code == "key_of_another_seat"
    assert "WFEAAEFW" not in str(caught.value)
    assert club.contents() == before


@pytest.mark.parametrize("correction", ["", "1h"], ids=["played", "held"])
@pytest.mark.parametrize("key", ["", "a\0b", "a\nb", "\ud800", "x" * 10_000], ids=ascii)
def test_a_key_that_no_store_can_keep_stops_no_game(club: Club, key: str, correction: str) -> None:
    match = club.start(correction=correction)
    with pytest.raises(NotAllowedError) as caught:
        match.submit("gold", "setup WFEAAEFW", 1, key=key)
    assert caught.value.code == "bad_key"
    match.submit("gold", "setup WFEAAEFW", 1, key="x" * 200)
    match.sweep(at(5))
    assert match.entries()[-1].key == "x" * 200
    match.verify()


# -- files said to be logs ----------------------------------------------------------------------

NASTY: tuple[object, ...] = (
    None, True, -1, 10**30, 1.5, float("inf"), "", "\ud800", "\0", [], {}, [[]], {"a": 1},
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "time 0", "time 0\n",
    "default 0 fall", "ruling 7", "general 0: x", "halt: message", "calendar 0 {}",
    "calendar 9 null", "x" * 70_000, "calendar 0 " + "[" * 5000,
)  # fmt: skip


def finished(club: Club) -> Match:
    match = club.start(dice="dicey")
    match.set_up(1)
    games.rule(club.around, match.id, 0, now=at(30))
    return match


def first_fault(lines: list[str]) -> int | None:
    """The entry at fault; None for a sound log. Any other error is a fault of ours."""
    try:
        replay_log(*parse_log(lines))
    except ChainError as error:
        return error.number
    return None


def test_whatever_stands_in_a_log_file_a_fault_is_told_with_its_entry(club: Club) -> None:
    match = finished(club)
    with club.store.read() as unit:
        lines = log_of(unit, match.stored).splitlines()
    assert first_fault(lines) is None
    for place, line in enumerate(lines):
        content = json.loads(line)
        damaged: list[object] = list(NASTY)
        if place > 0:
            fields = range(len(content))
            damaged += [[*content[:n], bad, *content[n + 1 :]] for n in fields for bad in NASTY]
        for bad in damaged:
            text = json.dumps(bad)
            fault = first_fault([*lines[:place], text, *lines[place + 1 :]])
            assert fault == (None if text == json.dumps(content) else max(place - 1, 0))


@pytest.mark.parametrize("name", ["game", "id", "options", "terms", "calendars", "seed_hash"])
def test_a_forged_beginning_is_told_as_one(club: Club, name: str) -> None:
    match = finished(club)
    first, seed = match.entries()[0], match.stored.start.seed
    facts = json.loads(first.text)
    faults = []
    for bad in NASTY:
        entry = sealed(GENESIS, replace(first, text=json.dumps({**facts, name: bad})))
        faults.append(first_fault(format_log(seed, [entry]).splitlines()))
    # A name, no options, or the usual terms make another game, and a sound one.
    assert set(faults) <= ({0, None} if name in ("id", "options", "terms") else {0})
    assert 0 in faults or name == "id"


# -- names and addresses ------------------------------------------------------------------------


def test_a_question_about_one_player_verifies_no_address_of_another(club: Club) -> None:
    address = "ann@example.org"
    ann = players.join(club.around, "Ann", address, now=NOON)
    thief = club.join()
    players.add_address(club.around, thief.id, address, now=at(1))
    with pytest.raises(NotAllowedError) as caught:
        players.verify_address(club.around, ann.id, address, now=at(2))
    assert caught.value.code == "no_such_address"
    with club.store.read() as unit:
        found = unit.find_address(address)
    assert found is not None
    assert found.verified_at is None


@pytest.mark.parametrize(
    "address",
    ["ann@example.org.", "ann@.example.org", "ann@example..org", "ann@example.org\u3164"],
    ids=ascii,
)
def test_one_mailbox_has_no_second_spelling(address: str) -> None:
    with pytest.raises(PlayerFaults):
        clean_address(address)


def test_accents_are_written_in_one_way() -> None:
    assert clean_address("Andre\u0301@Example.org") == clean_address("andr\u00e9@example.org")
    assert clean_name("Andre\u0301") == "Andr\u00e9"


@pytest.mark.parametrize("name", ["\u3164", "\u2800 \u115f", "\u0301\u0301"], ids=ascii)
def test_a_name_can_be_seen(name: str) -> None:
    with pytest.raises(PlayerFaults):
        clean_name(name)


# -- damaged rows -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage",
    [
        "update games set held = '[1]' where id = :game",
        "update games set terms = '[]' where id = :game",
        "update games set clock = '{}' where id = :game",
        "update games set options = '{' where id = :game",
        "update games set last_at = 9000000000000000000 where id = :game",
        "delete from requests where game_id = :game",
    ],
)
def test_a_damaged_game_keeps_no_other_waiting(club: Club, damage: str) -> None:
    damaged, sound = club.start(clock="1d"), club.start(clock="2d")
    club.store.change(text(damage).bindparams(game=damaged.id))
    swept = games.sweep(club.around, at(24 * 3))
    assert set(swept.failed) == {damaged.id}
    assert sound.stored.is_over


def test_many_damaged_games_keep_no_other_waiting(club: Club) -> None:
    damaged = [club.start(clock="1d") for _ in range(3)]
    sound = [club.start(clock="2d") for _ in range(3)]
    for match in damaged:
        club.store.change(text("update games set clock = '' where id = :g").bindparams(g=match.id))
    swept = games.sweep(club.around, at(24 * 3), limit=2)
    assert (swept.games, set(swept.failed)) == (5, {match.id for match in damaged})
    assert sum(match.stored.is_over for match in sound) == 2


def test_a_request_that_is_gone_is_told_with_what_to_run(club: Club) -> None:
    match = club.start()
    match.set_up()
    house = HOUSES[match.request().seat]
    gone = text("delete from requests where game_id = :game").bindparams(game=match.id)
    club.store.change(gone)
    with pytest.raises(StoreConflictError, match=f"pbem verify {match.id}"):
        match.submit(house, "end", 1)


# -- proofs on the command line -----------------------------------------------------------------


@pytest.fixture
def served(club: Club, monkeypatch: pytest.MonkeyPatch) -> Club:
    """The club's store is that of the command line."""
    url = club.store._engine.url.render_as_string(hide_password=False)
    monkeypatch.setenv("PBEM_DATABASE_URL", url)
    return club


def test_dice_tell_nothing_before_their_time(served: Club) -> None:
    match = served.start(dice="dicey")
    seed = match.stored.start.seed.hex()
    early = CliRunner().invoke(dice, [match.id])
    assert early.exit_code == 0, early.output
    assert not any(word in early.output for word in (*HOUSES, seed, "byte"))
    match.set_up(1)
    running = CliRunner().invoke(dice, [match.id]).output
    assert HOUSES[match.request().seat] in running
    assert not any(word in running for word in (seed, "byte", "attack 1"))
    games.rule(served.around, match.id, 0, now=at(2))
    assert seed in CliRunner().invoke(dice, [match.id]).output


@pytest.mark.parametrize(
    "damage", ["held = '[1]'", "options = '{'", "terms = '[]'", "last_at = 9000000000000000000"]
)
def test_verify_goes_on_behind_a_damaged_row(served: Club, damage: str) -> None:
    matches = [finished(served) for _ in range(2)]
    statement = text(f"update games set {damage} where id = :game")
    served.store.change(statement.bindparams(game=matches[0].id))
    done = CliRunner().invoke(verify_command, ["--all", "--jobs", "1"])
    assert isinstance(done.exception, SystemExit)
    assert f"{matches[0].id}: " in done.output
    assert "2 games, 1 with faults" in done.output
    alone = CliRunner().invoke(verify_command, [matches[0].id])
    assert alone.exit_code == 1
    assert "1 game, 1 with faults" in alone.output


def test_dice_of_a_damaged_log(served: Club) -> None:
    match = finished(served)
    damage = text("update log_entries set text = 'setup W' where game_id = :game and number = 1")
    served.store.change(damage.bindparams(game=match.id))
    done = CliRunner().invoke(dice, [match.id])
    assert isinstance(done.exception, SystemExit)
    assert f"The log of {match.id} is damaged" in done.output


# -- clocks ------------------------------------------------------------------------------------


def test_quiet_hours_cannot_move_along_with_the_day(club: Club) -> None:
    gold = club.join()
    match = club.start(gold=gold, clock="3d")

    def rest_from(hour: int, now: float) -> None:
        chosen = Preferences(quiet_from=time(hour), quiet_to=time((hour - 2) % 24))
        players.set_preferences(club.around, gold.id, chosen, now=at(now))

    rest_from(12, 0)
    rest_from(10, 22)
    deadline = match.deadline("gold")
    with pytest.raises(NotAllowedError) as caught:
        rest_from(8, 44)
    assert caught.value.code == "calendar_changed_often"
    assert match.deadline("gold") == deadline
    same = Preferences(language="nl", quiet_from=time(10), quiet_to=time(8))
    assert players.set_preferences(club.around, gold.id, same, now=at(44)).preferences == same
    rest_from(8, 24 * 7)
    match.verify()


# -- leaving ------------------------------------------------------------------------------------


def test_nobody_reads_the_notes_of_who_has_left(club: Club) -> None:
    match, over = club.start(), finished(club)
    for each in (match, over):
        for seat in (0, 1):
            games.write_note(club.around, each.id, seat, f"note {seat}", now=at(31))
        farewell.delete(club.around, each.players[0].id, now=at(32))
    with club.store.read() as unit:
        for each in (match, over):
            assert unit.notes_of(each.id, 0) == []
            assert [note.text for note in unit.notes_of(each.id, 1)] == ["note 1"]


def test_mails_that_wait_follow_a_player_into_another_account(club: Club) -> None:
    match, kept = club.start(), club.join()
    gold, black = match.players
    farewell.merge(club.around, kept.id, gold.id, now=at(1))
    waiting = match.notices_for(f"{match.id}/0")
    assert {notice.player_id for notice in waiting} == {kept.id, black.id}


# -- logs and mails that grow ---------------------------------------------------------------------


def test_a_log_does_not_grow_for_ever(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules can be sent in at any time; whoever does nothing else makes every replay longer."""
    monkeypatch.setattr(games, "UNASKED_A_DAY", 5)
    match = club.start()

    def send(number: int, hours: float) -> None:
        text = f"standing: block all <={number}"
        games.submit(club.around, match.id, 1, text, arrived=at(hours))

    for number in range(5):
        send(number, 0)
    before = club.contents()
    with pytest.raises(NotAllowedError) as caught:
        send(9, 0)
    assert caught.value.code == "sent_often"
    assert club.contents() == before
    for seat in (0, 1):  # what is asked for is always taken
        done = games.submit(club.around, match.id, seat, f"setup {DEFAULT_SETUP}", arrived=at(1))
        assert isinstance(done, games.Taken)
    send(9, 25)


def test_nor_do_the_logs_of_all_games(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "CHANGES_A_DAY", 3)
    match = club.start()
    ann = match.players[0]

    def change(number: int) -> None:
        players.set_general_rules(club.around, ann.id, f"block all <={number}", now=at(1))

    def rest(number: int) -> None:
        day = date(2026, 12, 1 + number)
        leave.take_leave(club.around, ann.id, day, day, now=at(1))
        leave.end_leave(club.around, ann.id, day, now=at(1))

    for use_case in (change, rest):
        for number in range(3):
            use_case(number)
        entries = match.stored.entries
        with pytest.raises(NotAllowedError) as caught:
            use_case(3)
        assert caught.value.code == "changed_often"
        assert match.stored.entries == entries
