"""Records (N5) of games played behind the seam: written, read strictly, replayed, tampered with."""

from __future__ import annotations

import re
from functools import cache

import pytest

from notation.record import Record
from notation.record_reading import parse_record, read_records
from notation.record_writing import format_record
from pbem.games.base import Happening, Start
from pbem.games.ortus.arena import get_arena, make_arena
from pbem.games.ortus.position import Position
from pbem.games.ortus.replaying import Replayed, moments, replay
from tests.ortus.games import (
    GAME,
    SIX,
    TWO_ARCHERS,
    VARIANTS,
    WAVE,
    Table,
    line,
    random_table,
    study,
    table,
)

TAGS = {"Event": "Winter Cup", "Gold": "Adrian", "Black": "Beau", "Date": "2026.11.16"}


def read(text: str) -> Record:
    """Read strictly; writing it again must give the same bytes (N5.5)."""
    record = parse_record(text)
    assert format_record(record) == text
    return record


def faults(text: str) -> list[tuple[str, int | None]]:
    """Code and line of each fault; a record that is not even read strictly is read tolerantly."""
    game = next(read_records(text, mode="recover"))
    found = replay(game.record).faults
    for fault in found:
        assert GAME.explain(fault)
    return [(fault.code, fault.line) for fault in found]


def replayed(game: Table) -> Replayed:
    done = replay(read(game.record(**TAGS)))
    assert done.faults == ()
    assert done.position is not None
    assert seen(done.position) == seen(game.state.position)
    return done


def seen(position: Position | None) -> Position:
    """The position with what a record tells: the figures rolled, not which of two such faces."""
    assert position is not None
    shown = position.copy()
    shown.rolled = None if shown.rolled is None else shown.rolled // 2
    return shown


@cache
def played(number: int) -> Table:
    return random_table(number, VARIANTS[number], entries=150 + 40 * (number % 5))


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_n5_a_random_game_can_be_read_and_replayed(number: int) -> None:
    game = played(number)
    replayed(game)
    text = game.record(**TAGS)
    assert text == game.record(**TAGS)
    assert '[Event "Winter Cup"]' in text


def test_n5_the_seed_is_published_when_the_game_is_over() -> None:
    game = study(**TWO_ARCHERS)
    seed = game.start.seed.hex()
    game.send("gold", "end")
    assert seed not in game.record()
    assert "SeedHash" in game.record()
    game.send("black", "resign")
    assert f'[Seed "{seed}"]' in game.record()
    assert '[Termination "resignation"]' in game.record()
    replayed(game)


@pytest.mark.parametrize(
    ("end", "result", "termination"),
    [
        ("resign", "0-1", "resignation"),
        ("time 1", "1-0", "time"),
        ("ruling draw", "1/2-1/2", "ruling"),
        ("", "*", "unfinished"),
    ],
)
def test_n5_1_results(end: str, result: str, termination: str) -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "E3>J2")
    if end == "resign":
        game.send("gold", end)
    elif end:
        game.decree(end)
    text = game.record()
    assert f'[Result "{result}"]' in text
    assert f'[Termination "{termination}"]' in text
    assert text.rstrip().endswith(result)
    replayed(game)


# -- how a game can stand when its record is written ----------------------------------------------


@pytest.mark.parametrize("entries", [0, 1])
@pytest.mark.parametrize("over", [False, True])
def test_a_game_before_both_set_ups_are_in(entries: int, over: bool) -> None:
    game = table()
    if entries:
        game.send("gold", "setup WFEAAEFW")
    if over:
        game.send("black", "resign")
    record = read(game.record())
    assert "GoldSetup" not in record.tags
    assert replay(record) == Replayed(None, ())


def test_a_game_in_the_bidding() -> None:
    game = table(bid=True)
    for house in ("gold", "black"):
        game.send(house, "setup WFEAAEFW")
    game.send("black", "bid 4")
    assert replay(read(game.record())).faults == ()
    game.send("gold", "bid 2")
    game.send("black", "pass")
    game.send("gold", "F2>I2; end")
    assert '[StarterEnergy "2"]' in game.record()
    replayed(game)


def test_an_attack_left_open_at_the_end() -> None:
    for place, text in ((TWO_ARCHERS, "W1 rng I4"), (SIX, "A4 six G6@F6"), (WAVE, "A4 wave G6@F6")):
        game = study(**place)
        game.send("gold", f"F2>{'I6' if place is TWO_ARCHERS else 'E5'}; {text} [-: end]")
        replayed(game)
        game.send("black", "resign")
        replayed(game)


def test_n5_3_a_wave_left_open_names_its_victim() -> None:
    game = study(**WAVE)
    game.send("gold", "A4 wave G6@F6")
    game.send("black", "G6-")
    assert "A4 wave G6@F6=G6-\n" in game.record()
    replayed(game)
    game.send("black", "I6-")
    assert "A4 wave G6@F6=G6-,I6-\n" in game.record()
    replayed(game)
    game.send("black", "K6+")
    assert "A4 wave G6@F6=G6-,I6-,K6+\n" in game.record()
    replayed(game)


def test_n5_3_a_lone_victim_has_no_hex() -> None:
    game = study(**WAVE)
    game.send("gold", "A4 wave G6@F6; end")
    game.send("black", "G6+")
    assert "A4 wave G6@F6=+; end" in game.record()
    replayed(game)


def test_a_game_from_a_position() -> None:
    game = study(**TWO_ARCHERS, to_move="black", round=9)
    game.send("black", "E3>N9; end")
    game.send("gold", "W1 rng I4; end")
    text = game.record()
    assert "\n9b. E3>N9; end\n10g. W1 rng I4" in text
    assert "Setup" not in text
    replayed(game)


WELLS = "F5 I6 L6 B8 N8 D10 G10 J11"
OWN_ARENA = f'name = "mine"\nwells = {WELLS.split()}\ncuts = ["G7", "I9"]\n'


def test_an_arena_of_ones_own_is_in_the_tags() -> None:
    start = Start("own-1", {"arena_file": OWN_ARENA, "starter": "gold"}, bytes(32))
    game = Table(start)
    for house in ("gold", "black"):
        game.send(house, "setup WFEAAEFW")
    game.send("gold", "F2>I6; end")
    game.send("black", "end")
    assert game.state.position is not None
    assert game.state.position.energy[0] == 18
    text = game.record()
    assert '[Cuts "G7 I9"]' in text
    replayed(game)
    assert faults(text.replace('[Wells "F5', '[Wells "F6')) == [("bad_start", 1)]
    assert faults(text.replace('[Arena "mine"]', '[Arena "origin"]')) == [("bad_start", 1)]
    origin = '[Wells "F6 I6 L6 B8 N8 D10 G10 J10"]'
    assert faults(re.sub(r'\[Wells ".*"\]', origin, text).replace("mine", "crown", 1)) == [
        ("bad_start", 1)
    ]
    no_wells = re.sub(r'\[Wells ".*"\]\n', "", text).replace("mine", "origin", 1)
    assert faults(no_wells) == [("bad_start", 1)]
    without = re.sub(r'\[(Wells|Cuts) ".*"\]\n', "", text)
    assert faults(without) == [("bad_start", 1)]
    arena = make_arena("mine", wells=WELLS.split(), cuts=["G7", "I9"])
    assert replay(parse_record(without), arenas={"mine": arena}).faults == ()


def test_a_claim_on_an_arena_of_ones_own() -> None:
    start = Start("own-2", {"arena_file": OWN_ARENA, "starter": "gold", "draw_claim": 1}, bytes(32))
    game = Table(start)
    for text in ("setup WFEAAEFW", "setup WFEAAEFW"):
        game.send("gold" if not game.log else "black", text)
    game.send("gold", "end")
    game.send("black", "end")
    game.send("gold", "claim draw")
    without = re.sub(r'\[(Wells|Cuts) ".*"\]\n', "", game.record())
    arena = make_arena("mine", wells=WELLS.split(), cuts=["G7", "I9"])
    assert replay(parse_record(without), arenas={"mine": arena}).faults == ()


def test_handicap_and_claim_are_in_the_tags_and_count() -> None:
    game = study(
        gold="W1@F4",
        energy=(5, 5),
        round=30,
        options={"handicap": "black II", "draw_claim": 2},
    )
    game.send("gold", "end")
    assert game.state.position is not None
    assert game.state.position.energy[1] == 18
    game.send("black", "A4>E6; end")
    for _ in range(2):
        game.send("gold", "end")
        game.send("black", "end")
    game.send("gold", "claim draw")
    text = game.record()
    assert '[Handicap "black II"]' in text
    assert '[DrawClaim "2"]' in text
    replayed(game)
    assert faults(text.replace('[DrawClaim "2"]', '[DrawClaim "9"]'))[0][0] == "result_mismatch"
    assert faults(text.replace('[DrawClaim "2"]', '[DrawClaim "off"]'))[0][0] == "result_mismatch"
    assert faults(text.replace('[DrawClaim "2"]', '[DrawClaim "0"]')) == [("bad_start", 1)]
    assert faults(text.replace('[DrawClaim "2"]', '[DrawClaim "x"]')) == [("bad_start", 1)]
    assert faults(text.replace("black II", "black IV")) == [("bad_start", 1)]
    off = study(gold="W1@F4", options={"draw_claim": False})
    off.send("gold", "end")
    assert '[DrawClaim "off"]' in off.record()
    replayed(off)


def test_a_claim_while_a_defence_is_open_is_none() -> None:
    game = study(**TWO_ARCHERS, options={"draw_claim": 1})
    game.send("gold", "end")
    game.send("black", "end")
    game.send("gold", "claim draw")
    text = game.record()
    opened = text.replace("1/2-1/2\n", "1/2-1/2\n", 1).replace(
        "\n5b. end\n", "\n5b. end\n6g. W1 rng I4\n"
    )
    assert opened != text
    assert [code for code, _ in faults(opened)] == ["result_mismatch"]


# -- how it was played ----------------------------------------------------------------------------


def revealed(game: Table) -> str:
    """The record once the game is over. Before that, it tells nothing of how it was played."""
    while_running = game.record()
    assert "(" not in while_running
    assert "[%plan]" not in while_running
    assert "[%standing" not in while_running
    game.send("black", "resign")
    replayed(game)
    return game.record()


def test_n2_4_unplayed_branches_become_variations() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4 [-: E3>J2; end | +: F2 rng I4 [-: end]; A5>L2 | *: A4>K2]; end")
    game.send("black", "fall")
    text = revealed(game)
    assert "W1 rng I4=-" in text
    assert "(W1 rng I4=+; F2 rng I4 {[%plan]})" in text
    assert "(W1 rng I4=-; A4>K2; end {[%plan]})" in text


def test_n2_4_branches_dropped_at_the_end_of_the_game_too() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4 [-: E3>J2 | +: F2 rng I4; A5>L2]; end")
    game.send("black", "resign")
    text = game.record()
    assert "(W1 rng I4=-; E3>J2; end {[%plan]})" in text
    assert "(W1 rng I4=+; F2 rng I4 {[%plan]})" in text
    replayed(game)


@pytest.mark.parametrize("stop", ["draw?", "halt: message"])
def test_n2_4_and_branches_of_a_plan_that_was_stopped(stop: str) -> None:
    game = study(**SIX)
    game.send("gold", "A4 six G6@F6 [-: E3>J2 | G5+: E3>J3; F2>E5 | A8-: end]; end")
    if stop == "draw?":
        game.send("black", stop)
    else:
        game.decree(stop)
    game.send("black", "block all")
    text = revealed(game)
    assert "E3>J2" in text
    assert "E3>J3" in text


def test_n2_4_what_was_left_open_in_a_branch_is_written_as_far_as_it_goes() -> None:
    game = study(**WAVE)
    game.send("gold", "A4 wave G6@F6 [+: 3>J2; 6>M2 | G6-,I6+,K6-: 3>J3 | -: 5>L2]; end")
    game.send("black", "G6+")
    replayed(game)
    assert game.log[0].text.startswith("A4 wave G6@F6 [+: E3>J2; E6>M2 | ")


def test_n3_4_answers_by_rule_are_marked() -> None:
    game = study(**WAVE)
    game.send("black", "standing: fall W*; block F* <=3; ask all")
    game.send("gold", "A4 wave G6@F6; end")
    game.send("black", "draw?")
    text = revealed(game)
    assert "{[%standing fall W*]} {[%standing block F* <=3]}" in text
    assert "[%draw offer]" in text


def test_n5_4_orders_that_were_sent_in_advance_are_marked() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "E3>J2; W1 rng I4 [-: A5>L2; F2>I6]; end")
    game.send("black", "fall")
    text = revealed(game)
    assert "E3>J2; W1 rng I4=-; A5>L2 {[%plan]}; F2>I6 {[%plan]}; end {[%plan]}\n" in text


def test_n5_4_also_behind_an_answer_by_rule_and_a_default() -> None:
    game = study(**TWO_ARCHERS)
    game.send("black", "standing: block A4 keep 8")
    game.send("gold", "W1 rng I4 [+: F2 rng I4]; end")
    game.decree("default 1 fall")
    text = revealed(game)
    assert "W1 rng I4=+ {[%standing block A4 keep 8]}; F2 rng I4=- {[%plan]} {[%standing de" in text
    assert "; end {[%plan]}\n" in text


def test_n5_4_what_was_sent_when_the_outcome_was_known_is_not() -> None:
    game = study(**TWO_ARCHERS, energy=(14, 0))
    game.send("gold", "W1 rng I4; E3>J2; end")
    assert "W1 rng I4=-; E3>J2; end\n" in revealed(game), "nobody could pay (R6.2)"
    by_hand = study(**TWO_ARCHERS)
    by_hand.send("gold", "W1 rng I4")
    by_hand.send("black", "fall")
    by_hand.send("gold", "E3>J2; end")
    assert "W1 rng I4=-; E3>J2; end\n" in revealed(by_hand)


def test_n5_4_after_an_illegal_order_of_a_plan_what_is_sent_by_hand_is_not_marked() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4 [*: E3>J2; F2 rng I4]; end")
    game.send("black", "fall")
    game.send("gold", "A5>L2; end")
    assert "W1 rng I4=-; E3>J2 {[%plan]}; A5>L2; end\n" in revealed(game)


def test_n5_4_the_time_left_when_a_turn_was_over() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "E3>J2")
    game.send("gold", "W1 rng I4 [-: end]")
    game.send("black", "fall")
    game.send("black", "E6>C13")
    game.send("black", "resign")
    _, events = GAME.replay(game.start, game.log)
    left = [((), ""), ((), ""), (("29d4h", "3h"), "2d"), ((), ""), (("29d4h", "59m"), "")]
    happened = [
        Happening(entry.seat, several, *times)
        for entry, several, times in zip(game.log, events, left, strict=True)
    ]
    text = GAME.chronicle(game.state, happened, {})
    assert "W1 rng I4=- {[%dclk 2d]}; end {[%plan]} {[%clk 29d4h]}\n" in text
    assert "5b. E6>C13 {[%clk 59m]}\n1-0" in text
    assert replay(read(text)).faults == ()


def test_offers_before_the_first_order() -> None:
    game = study(**TWO_ARCHERS)
    game.send("black", "draw?")
    game.send("gold", "E3>J2; draw?")
    text = game.record()
    assert text.count("[%draw offer]") == 2
    replayed(game)


# -- tampering ------------------------------------------------------------------------------------


def tampered(text: str, old: str, new: str) -> tuple[str, int]:
    """The text with one thing changed, and the line of it."""
    assert text.count(old) >= 1, old
    at = text.index(old)
    return text[:at] + new + text[at + len(old) :], text.count("\n", 0, at) + 1


@pytest.fixture
def told() -> str:
    game = study(**TWO_ARCHERS, seed=bytes(range(32)), options={"dice": "dicey"})
    game.send("gold", "E3>J2; W1 rng I4; end")
    game.send("black", "block")
    game.send("black", "E6>C13; end")
    game.send("gold", "A5>L2")
    game.send("black", "resign")
    text = game.record()
    replayed(game)
    return text


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("E3>J2", "E3>H8", "hex_core"),
        ("E3>J2", "W3>J2", "wrong_letter"),
        ("E6>C13", "E6>O2; A4>O3", "too_dear"),
        ("W1 rng I4", "F7 rng I4", "not_from_arena"),
        ("5b.", "6b.", "wrong_label"),
        ("6g.", "6b.", "wrong_label"),
        ("=+", "=I4+", "verdict_mismatch"),
        ("=+", "", "verdict_missing"),
        ("=+", "=I4+,N8-", "verdict_mismatch"),
        ("E6>C13; end", "E6>C13", "turn_not_ended"),
    ],
)
def test_n5_6_a_changed_record_is_found_out(told: str, old: str, new: str, code: str) -> None:
    text, place = tampered(told, old, new)
    assert (code, place) in faults(text)


def test_n5_6_a_changed_roll_is_found_out(told: str) -> None:
    roll = re.search(r"rng I4\((\d)\)", told)
    assert roll is not None
    others = {"3", "4", "5"} - {roll[1]}
    for other in others:
        text, place = tampered(told, f"I4({roll[1]})", f"I4({other})")
        assert faults(text) == [("roll_not_from_seed", place)]
    text, place = tampered(told, f"I4({roll[1]})", "I4(9)")
    assert faults(text) == [("roll_impossible", place)]
    text, place = tampered(told, f"I4({roll[1]})", "I4")
    assert faults(text) == [("roll_missing", place)]
    text, place = tampered(told, '[Dice "dicey"]', '[Dice "clean"]')
    assert [code for code, _ in faults(text)] == ["roll_in_clean_game"]


def test_r9_5_a_variation_may_roll_what_it_likes(told: str) -> None:
    played = re.search(r"W1 rng I4\((\d)\)=\+", told)
    assert played is not None
    other = next(figure for figure in "345" if figure != played[1])
    varied = f"{played[0]}\n    (W1 rng I4({other})=-; end)\n   "
    assert faults(told.replace(f"{played[0]};", varied)) == []
    varied = f"{played[0]}\n    (W1 rng I4(6)=-; end)\n   "
    assert [code for code, _ in faults(told.replace(f"{played[0]};", varied))] == [
        "roll_impossible"
    ]


def test_n5_6_a_changed_seed_is_found_out(told: str) -> None:
    seed = bytes(range(32)).hex()
    for other in (bytes(32).hex(), "zz", seed[:-2]):
        assert ("seed_mismatch", 1) in faults(told.replace(seed, other))
    assert ("seed_mismatch", 1) in faults(told.replace('[SeedHash "', '[SeedHash "00'))


def test_n5_6_an_open_wave_cannot_name_others() -> None:
    game = study(**WAVE)
    game.send("gold", "F2>E5; A4 wave G6@F6")
    game.send("black", "G6-")
    text, place = tampered(game.record(), "=G6-", "=-")
    assert faults(text) == [("verdict_mismatch", place)]
    text, place = tampered(game.record(), "=G6-", "=G6-,K6-,I6-")
    assert faults(text) == [("verdict_mismatch", place)]


def test_n5_1_a_changed_result_is_found_out() -> None:
    game = study(**TWO_ARCHERS, guide=("H7", None), energy=(14, 0))
    game.send("gold", "W1 rng I4")
    text = game.record()
    assert '[Termination "guide"]' in text
    replayed(game)
    turned = text.replace("1-0", "0-1")
    assert [code for code, _ in faults(turned)] == ["result_mismatch"]
    other = text.replace('"guide"', '"resignation"')
    assert [code for code, _ in faults(other)] == ["result_mismatch"]
    early = study(**TWO_ARCHERS)
    early.send("gold", "end")
    early.send("black", "resign")
    won = early.record().replace('"resignation"', '"wells"')
    assert [code for code, _ in faults(won)] == ["result_mismatch"]
    on = text.replace("W1 rng I4=-", "W1 rng I4=-; end")
    assert faults(on)[0][0] == "after_the_end"


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        ("GoldSetup", "WFEAAEFF"),
        ("GoldSetup", "WF"),
        ("GoldSetup", ""),
        ("BlackSetup", "XXXXXXXX"),
        ("StarterEnergy", "14"),
        ("StarterEnergy", "-1"),
        ("StarterEnergy", "many"),
        ("Starter", "white"),
        ("Arena", "nowhere"),
        ("Level", "none"),
    ],
)
def test_tags_that_make_no_game(tag: str, value: str) -> None:
    game = table()
    for house in ("gold", "black"):
        game.send(house, "setup WFEAAEFW")
    game.send("gold", "end")
    text = re.sub(rf'\[{tag} ".*"\]', f'[{tag} "{value}"]', game.record())
    found = faults(text)
    assert found == [("bad_start", 1)]


def test_another_set_up_is_found_out() -> None:
    game = table()
    for house in ("gold", "black"):
        game.send(house, "setup WFEAAEFW")
    game.send("gold", "F2>I2; end")
    text = game.record().replace('[GoldSetup "WFEAAEFW"]', '[GoldSetup "FWEAAEFW"]')
    assert [code for code, _ in faults(text)] == ["wrong_letter"]


# -- variations -----------------------------------------------------------------------------------


def with_variation(variation: str) -> str:
    game = study(**TWO_ARCHERS)
    game.send("gold", "E3>J2; A4>K2; end")
    game.send("black", "end")
    return game.record().replace("A4>K2; end", f"A4>K2\n    ({variation})\n    end")


@pytest.mark.parametrize("variation", ["A4>K3; end", "A4>K3!; end {Better.}", "W1 rng I4=-"])
def test_n5_4_a_legal_variation(variation: str) -> None:
    assert faults(with_variation(variation)) == []


@pytest.mark.parametrize(
    ("variation", "code"),
    [
        ("A4>H8; end", "hex_core"),
        ("E3>J3; end", "already_moved"),
        ("W1 rng I4=N8+; end", "verdict_mismatch"),
    ],
)
def test_n5_4_an_illegal_variation_is_a_fault_in_its_place(variation: str, code: str) -> None:
    text = with_variation(variation)
    place = text.count("\n", 0, text.index("(" + variation)) + 1
    assert faults(text) == [(code, place)]
    assert faults(with_variation(f"{variation} {{[%plan]}}")) == []


def test_n5_4_a_variation_behind_end_replaces_the_turn() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "E3>J2; end")
    text = game.record().replace("E3>J2; end", "E3>J2; end\n    (E3>J3; end 5b. E3>N9; end)")
    assert faults(text) == []
    text = text.replace("5b. E3>N9", "5b. E3>H1")
    assert [code for code, _ in faults(text)] == ["hex_opposing_haven"]


def test_moments_show_every_order_of_the_main_line() -> None:
    game = played(4)
    record = read(game.record())
    found = list(moments(record))
    assert len(found) == sum(len(turn.orders) for turn in record.turns)
    assert found[-1][2] == game.state.position


def test_records_of_positions_do_not_need_the_built_in_arena() -> None:
    crown = study(arena="crown", gold="W1@J4", level="wind")
    crown.send("gold", "end")
    done = replayed(crown)
    assert done.position is not None
    assert done.position.rules.arena == get_arena("crown")
    assert line(arena="crown", gold="W1@J4", level="wind") in crown.record()
