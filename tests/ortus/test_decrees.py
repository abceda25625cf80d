"""Acts of the server: time, rulings, defaults, rules for all games, halts."""

from __future__ import annotations

import pytest

from pbem.games.base import Result
from pbem.games.ortus.decrees import DecreeError
from tests.ortus.games import GAME, SIX, TWO_ARCHERS, WAVE, study, table


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("time 0", Result(1, "time")),
        ("time 1", Result(0, "time")),
        ("ruling 0", Result(0, "ruling")),
        ("ruling 1", Result(1, "ruling")),
        ("ruling draw", Result(None, "ruling")),
    ],
)
def test_a_game_ends_by_decree_in_any_phase(text: str, result: Result) -> None:
    opening = table(bid=True)
    bidding = table(bid=True)
    for house in ("gold", "black"):
        bidding.send(house, "setup WFEAAEFW")
    defending = study(**TWO_ARCHERS)
    defending.send("gold", "W1 rng I4 [-: end]; F2 rng I4; end")
    for game in (opening, bidding, defending, study(**TWO_ARCHERS)):
        done = game.decree(text)
        assert GAME.find_result(game.state) == result
        assert [event.name for event in done.events if event.only_for is None] == ["game_ended"]
        assert done.events[-1].seat == result.winner
        assert done.events[-1].facts == {
            "winner": result.winner,
            "termination": result.termination,
        }
        assert game.asked() == []
        assert game.state.waiting is None
        assert done.text == text


@pytest.mark.parametrize(
    ("text", "caption", "statuses"),
    [
        ("time 0", "Black wins", ["", "wins"]),
        ("ruling 0", "Gold wins", ["wins", ""]),
        ("ruling draw", "drawn", ["", ""]),
    ],
)
def test_the_last_board_tells_how_the_game_ended(
    text: str, caption: str, statuses: list[str]
) -> None:
    game = study(**TWO_ARCHERS)
    game.decree(text)
    scene = GAME.scene(game.state, 0)
    assert scene.caption.startswith(f"Round 5, {caption}")
    assert [panel.status for panel in scene.panels] == statuses


@pytest.mark.parametrize(
    "text",
    [
        "",
        "time",
        "time 2",
        "time 0 ",
        " time 0",
        "time 0\n",
        "TIME 0",
        "ruling gold",
        "default 0",
        "default 0 block",
        "general 0 block all",
        "general 0: block all\nstanding: off",
        "halt",
        "halt: A message",
        "resign",
        "end",
        "time ٠",
        pytest.param("x" * 100_000, id="long"),
    ],
)
def test_what_is_no_decree(text: str) -> None:
    game = study(**TWO_ARCHERS)
    with pytest.raises(DecreeError) as caught:
        GAME.decree(game.state, text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", ["time 0", "ruling draw", "general 0: ask all", "halt: message"])
def test_no_decree_after_the_end(text: str) -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "resign")
    with pytest.raises(DecreeError, match="over"):
        GAME.decree(game.state, text)


def test_a_default_needs_an_open_defence_of_that_seat() -> None:
    game = study(**TWO_ARCHERS)
    for text in ("default 1 fall", "default 0 fall"):
        with pytest.raises(DecreeError, match="no defence"):
            GAME.decree(game.state, text)
    game.send("gold", "W1 rng I4")
    with pytest.raises(DecreeError, match="no defence"):
        GAME.decree(game.state, "default 0 fall")


def test_a_default_answers_and_the_plan_goes_on() -> None:
    game = study(**TWO_ARCHERS)
    game.send("gold", "W1 rng I4 [-: E3>J2]; end")
    done = game.decree("default 1 fall")
    assert [event.name for event in done.events if event.only_for is None][:2] == [
        "defended",
        "acted",
    ]
    assert done.events[0].facts["by"] == "default"
    assert game.asked() == [("black", "turn")]
    assert "[%" not in game.record(), "how it was answered is told when the game is over"
    game.send("black", "resign")
    assert "{[%standing default]}" in game.record()


def test_a_default_saves_in_order_as_long_as_it_lasts() -> None:
    game = study(**SIX, energy=(14, 6))
    game.send("gold", "A4 six G6@F6")
    done = game.decree("default 1 save")
    assert done.events[0].facts["verdicts"] == (("G6", True), ("F7", True), ("G5", False))


def test_a_default_answers_one_question_of_a_wave() -> None:
    game = study(**WAVE)
    game.send("gold", "A4 wave G6@F6")
    game.decree("default 1 fall")
    assert game.asked() == [("black", "defence")]


def test_n3_1_rules_for_all_games_name_no_warrior() -> None:
    game = table()
    done = game.decree("general 0: block W* <=4; ask all")
    assert [(event.name, event.only_for) for event in done.events] == [("general_rules_set", 0)]
    assert len(game.state.general[0]) == 2
    assert game.state.general[1] == ()
    for text in ("general 0: block W3", "general 0: banana", "general 0: "):
        with pytest.raises(DecreeError):
            GAME.decree(game.state, text)
    game.decree("general 0: off")
    assert game.state.general == ((), ())


def test_a_halt_without_a_plan_says_nothing() -> None:
    game = study(**TWO_ARCHERS)
    assert game.decree("halt: message").events == ()
    assert table().decree("halt: message").events == ()
