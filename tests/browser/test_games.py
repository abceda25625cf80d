"""Whole games on the pages: with the mouse, a finger, keys alone, by writing, in Dutch without
scripts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.finding import need_playwright

need_playwright()

from pbem.games.ortus.defence_briefing import FALL_LABEL, ON, SAVE_LABEL
from tests.browser import scripts
from tests.browser.hands import DutchHand, Finger, Hand, Keyboard, Mouse
from tests.browser.house import House
from tests.browser.visitors import PHONE, Door

PLAYED = "Played: {text}"
PHONE_LIKE: dict[str, Any] = {"size": PHONE, "has_touch": True, "is_mobile": True}
WAYS = {
    "clicking": (Mouse, "en", {}),
    "a telephone": (Finger, "en", PHONE_LIKE),
    "keyboard": (Keyboard, "en", {}),
    "writing": (Hand, "en", {}),
    "Dutch, without scripts": (DutchHand, "nl", {"java_script_enabled": False}),
}


@pytest.fixture
def hands(request: pytest.FixtureRequest, house: House, door: Door) -> tuple[Hand, Hand]:
    """Ann's and Ben's, both of one kind."""
    kind, language, chosen = request.param
    ann, ben = (house.join(name, language=language) for name in ("Ann", "Ben"))
    return kind(door.let_in(ann, **chosen)), kind(door.let_in(ben, **chosen))


@pytest.mark.parametrize("hands", WAYS.values(), ids=WAYS.keys(), indirect=True)
def test_a_game_from_the_invitation_to_a_resignation(
    house: House, hands: tuple[Hand, Hand]
) -> None:
    ann, ben = hands
    ann.open("/players")
    ann.press(ann.link("Ben"))
    ann.press(ann.link("Invite to a game"))
    ann.choose("Level", "Wind: the Kites fly")
    ann.choose("Your House", "Gold")
    ann.send()
    ann.sees("Your invitation is on its way.")

    ben.open("/challenges")
    ben.press(ben.button("Accept"))
    ben.sees("Your set-up")
    ben.set_up(scripts.BLACKS_SETUP, scripts.BLACKS_SWAP)
    ben.sees(PLAYED, text="setup")
    assert ann.visitor.player is not None
    (game_id,) = house.games_of(ann.visitor.player)

    ann.open("/games")
    ann.press(ann.link("Ben"))
    ann.set_up(scripts.GOLDS_SETUP)
    ann.sees(PLAYED, text="setup")
    if house.asked(game_id) == [(1, "turn")]:  # the lot says who starts
        ben.open(f"/games/{game_id}")
        ben.play((scripts.END,))
        ben.sees(PLAYED, text="end")
        ann.open(f"/games/{game_id}")
    ann.play(scripts.FLIGHT)
    ann.sees(PLAYED, text="W1:kite>H7; end")

    ben.open(f"/games/{game_id}")
    ben.play(scripts.REPLY)
    ben.sees(PLAYED, text="W8:kite>G9; end")

    ann.open(f"/games/{game_id}")
    ann.play(scripts.SHOT)
    ann.sees(PLAYED, text="W1 rng G9")

    ben.open(f"/games/{game_id}")
    victim = ben.say(ON, warrior=f"{ben.say('Wind')} 8", hex="G9")
    ben.press(ben.button(FALL_LABEL, victims=victim))
    ben.sees(PLAYED, text="G9-")
    ben.press(ben.link("Resign or offer a draw"))
    ben.press(ben.button("Resign"))
    ben.sees("{name} has won.", name="Ann")

    texts = [text for _, text in house.log(game_id)]
    assert scripts.notation(scripts.SHOT) in texts
    assert texts[-2:] == ["G9-", "resign"]
    assert house.stored(game_id).winner == 0


@pytest.mark.parametrize("hands", [WAYS["clicking"], WAYS["writing"]], indirect=True)
def test_a_game_to_the_fifth_well(house: House, hands: tuple[Hand, Hand]) -> None:
    ann, ben = hands
    assert ann.visitor.player is not None
    assert ben.visitor.player is not None
    game_id = house.start(ann.visitor.player, ben.visitor.player, position=scripts.STUDY)
    ann.open(f"/games/{game_id}")
    ann.play(scripts.FIFTH_WELL)
    ann.sees(PLAYED, text="E6>J10")

    ben.open(f"/games/{game_id}")
    ben.press(ben.button(SAVE_LABEL, victims="Fire 2 on H11"))
    ben.sees(PLAYED, text="H11+")
    ben.play((scripts.END,))
    ben.sees("{name} has won.", name="Ann")

    stored = house.stored(game_id)
    assert (stored.winner, stored.termination) == (0, "wells")
