"""The opening behind the seam: secret set-ups, lot, bids, and games from a position (R2, R9.4)."""

from __future__ import annotations

import pytest

from pbem.games.base import Event, Start
from pbem.games.ortus.dice import commitment, lot
from pbem.games.ortus.game import Ortus
from tests.ortus.drawing import HOUSES
from tests.ortus.games import GAME, Table, line, table
from tests.ortus.seats import seed_for

GOLD_SETUP, BLACK_SETUP = "WWEEAAFF", "FFAAEEWW"


def seen_by(shown: Table, seat: int | None) -> str:
    """Everything that a seat, or a spectator, is given, as text."""
    scene = GAME.scene(shown.state, seat)
    pieces = sorted(f"{piece.seat}{piece.label}@{piece.cell}" for piece in scene.pieces)
    told = [event for event in shown.events if event.only_for in (None, seat)]
    view = "" if seat is None else repr(GAME.view(shown.state, seat))
    return f"{view} {pieces} {scene.caption} {told}"


def names(events: tuple[Event, ...]) -> list[str]:
    return [event.name for event in events]


@pytest.mark.parametrize("first", HOUSES)
@pytest.mark.parametrize("bid", [False, True])
def test_r2_2_a_set_up_is_secret_until_both_are_in(first: str, bid: bool) -> None:
    game = table(bid=bid)
    seat = HOUSES.index(first)
    mine, theirs = (GOLD_SETUP, BLACK_SETUP) if seat == 0 else (BLACK_SETUP, GOLD_SETUP)
    assert game.asked() == [("gold", "setup"), ("black", "setup")]
    placed = game.send(first, f"setup {mine}")
    assert names(placed.events) == ["setup_placed"]
    assert mine in seen_by(game, seat)
    assert mine not in seen_by(game, 1 - seat)
    assert mine not in seen_by(game, None)
    assert f"{seat}{mine[0]}1@" in seen_by(game, seat)
    assert f"'{seat}" not in seen_by(game, 1 - seat)
    assert "@" not in seen_by(game, None)
    # The lot is shown with the set-ups, not before.
    assert GAME.view(game.state, 0).auction is None
    assert GAME.view(game.state, 1).auction is None
    done = game.send(HOUSES[1 - seat], f"setup {theirs}")
    assert "setups_shown" in names(done.events)
    shown = next(event for event in done.events if event.name == "setups_shown")
    assert shown.facts["setups"] == (GOLD_SETUP, BLACK_SETUP)
    assert shown.facts["starter"] == 0
    for watcher in (0, 1, None):
        text = seen_by(game, watcher)
        for house, setup in enumerate((GOLD_SETUP, BLACK_SETUP)):
            assert all(f"{house}{letter}{slot}@" in text for slot, letter in enumerate(setup, 1))


@pytest.mark.parametrize("end", ["resign", "time 1", "ruling draw"])
def test_r2_2_a_game_that_ends_before_both_are_in_never_shows_a_lone_set_up(end: str) -> None:
    game = table()
    game.send("gold", f"setup {GOLD_SETUP}")
    if end == "resign":
        game.send("black", end)
    else:
        game.decree(end)
    assert game.asked() == []
    assert GOLD_SETUP not in seen_by(game, 1)
    assert GOLD_SETUP not in seen_by(game, None)
    assert GOLD_SETUP not in game.record()


def test_a_set_up_cannot_be_changed_or_sent_late() -> None:
    game = table()
    game.send("gold", f"setup {GOLD_SETUP}")
    assert game.refused("gold", f"setup {BLACK_SETUP}").faults[0].code == "setup_already_in"
    game.send("black", f"setup {BLACK_SETUP}")
    assert game.refused("gold", f"setup {GOLD_SETUP}").faults[0].code == "no_setup_now"


def test_no_turn_and_no_bid_before_the_set_ups() -> None:
    game = table(bid=True)
    assert game.refused("gold", "end").faults[0].code == "setup_first"
    assert game.refused("gold", "bid 3").faults[0].code == "no_bidding_now"
    assert game.refused("gold", "block").faults[0].code == "no_defence_open"
    assert game.refused("gold", "claim draw").faults[0].code == "not_your_turn"
    game.send("gold", f"setup {GOLD_SETUP}")
    assert game.refused("gold", "end").faults[0].code == "not_your_turn"


@pytest.mark.parametrize("starter", HOUSES)
def test_r2_4_the_lot_names_the_starter(starter: str) -> None:
    game = table(seed=seed_for(starter))
    game.send("gold", f"setup {GOLD_SETUP}")
    game.send("black", f"setup {BLACK_SETUP}")
    assert game.asked() == [(starter, "turn")]
    assert game.state.position is not None
    energy = game.state.position.energy
    assert energy[HOUSES.index(starter)] == 7
    assert energy[1 - HOUSES.index(starter)] == 14


@pytest.mark.parametrize("starter", HOUSES)
def test_r2_4_or_the_tournament_does(starter: str) -> None:
    other = HOUSES[1 - HOUSES.index(starter)]
    game = table(seed=seed_for(other), starter=starter)
    game.send("gold", f"setup {GOLD_SETUP}")
    done = game.send("black", f"setup {BLACK_SETUP}")
    assert game.asked() == [(starter, "turn")]
    assert names(done.events) == ["setup_placed", "setups_shown", "turn_began"]


def bidding(starter: str = "gold") -> Table:
    game = table(bid=True, starter=starter)
    game.send("black", f"setup {BLACK_SETUP}")
    game.send("gold", f"setup {GOLD_SETUP}")
    return game


def test_r9_4_the_player_who_would_not_start_speaks_first() -> None:
    assert bidding("gold").asked() == [("black", "bid")]
    assert bidding("black").asked() == [("gold", "bid")]


def test_r9_4_bidding_goes_down_in_turn_until_a_pass() -> None:
    game = bidding()
    assert game.refused("gold", "bid 5").faults[0].code == "not_your_bid"
    assert game.refused("black", "bid 7").faults[0].code == "bid_not_lower"
    assert game.refused("black", "end").faults[0].code == "bid_first"
    game.send("black", "bid 5")
    assert game.asked() == [("gold", "bid")]
    assert game.refused("gold", "bid 5").faults[0].facts == {"bid": 5, "energy": 5}
    game.send("gold", "bid 3")
    done = game.send("black", "pass")
    assert names(done.events) == ["bid_passed", "turn_began"]
    assert game.asked() == [("gold", "turn")]
    assert game.state.position is not None
    assert game.state.position.energy == (3, 14)


def test_r9_4_nobody_bids() -> None:
    game = bidding()
    game.send("black", "pass")
    assert game.asked() == [("gold", "turn")]
    assert game.state.position is not None
    assert game.state.position.energy == (7, 14)


def test_r9_4_a_bid_of_nothing_ends_the_bidding() -> None:
    game = bidding()
    game.send("black", "bid 0")
    assert game.asked() == [("black", "turn")]
    assert game.state.position is not None
    assert game.state.position.energy == (14, 0)


def test_r2_4_both_set_ups_are_on_the_board_while_they_bid() -> None:
    game = bidding()
    for watcher in (0, 1, None):
        scene = GAME.scene(game.state, watcher)
        assert len(scene.pieces) == 16
        assert "bids" in scene.caption
        assert [panel.status for panel in scene.panels] == ["", "to bid"]
        assert scene.bottom_seat == (watcher or 0)


def test_without_bids_nobody_may_bid() -> None:
    game = table()
    game.send("gold", f"setup {GOLD_SETUP}")
    game.send("black", f"setup {BLACK_SETUP}")
    assert game.refused("gold", "bid 3").faults[0].code == "no_bidding_now"
    assert game.refused("black", "pass").faults[0].code == "no_bidding_now"


def test_standing_rules_may_name_the_warriors_of_the_set_up_they_come_with() -> None:
    game = table()
    assert game.refused("gold", "standing: block W1").faults[0].code == "standing_before_setup"
    game.send("gold", "standing: block W*; ask all")
    game.send("gold", f"setup {GOLD_SETUP}\nstanding: block W2 <=4; fall F7")
    assert game.state.standing[0][0].whom == "W2"
    wrong = game.refused("black", f"setup {BLACK_SETUP}\nstanding: block W2")
    assert wrong.faults[0].facts == {"written": "W2", "warrior": "F2"}
    assert game.asked() == [("black", "setup")]


def test_a_game_from_a_position_begins_with_the_turn_it_tells() -> None:
    for to_move in HOUSES:
        start = Start("study-9", {"position": line(to_move=to_move, energy=(3, 9))}, bytes(32))
        game = Table(start)
        assert game.asked() == [(to_move, "turn")]
        assert GAME.view(game.state, 0).auction is None
        assert game.state.position is not None
        assert game.state.position.energy == (3, 9)
        assert game.refused("gold", f"setup {GOLD_SETUP}").faults[0].code == "no_setup_now"
        assert game.refused("gold", "bid 3").faults[0].code == "no_bidding_now"


def test_r9_5_both_players_know_the_commitment_and_nobody_the_seed() -> None:
    seed = bytes(range(32))
    game = table(seed=seed)
    for seat in (0, 1):
        view = GAME.view(game.state, seat)
        assert view.commitment == commitment(seed)
        assert repr(seed) not in repr(view)
        assert seed.hex() not in repr(view)
    assert lot(seed, game.start.game_id) in (0, 1)


@pytest.mark.parametrize(
    ("game_id", "seed"), [("zählt", bytes(32)), ("", bytes(32)), ("a b\n", bytes(32)), ("g", b"x")]
)
def test_r9_5_a_game_needs_an_ascii_id_and_a_whole_seed(game_id: str, seed: bytes) -> None:
    with pytest.raises(ValueError, match=r"game id|seed"):
        Ortus().start(Start(game_id, {}, seed))
