"""What has happened, in sentences: all that is public, and nothing that is not (N2.4, N3.4)."""

from __future__ import annotations

import pytest

from pbem.catalogues import get_tongue
from pbem.games.base import Accepted, Event
from pbem.games.ortus.state import State
from pbem.tongue import ENGLISH, Tongue
from tests.ortus.games import GAME, SIX, TWO_ARCHERS, WAVE, Table, study, table

DUTCH = get_tongue("nl")
GOLD, BLACK, EVERYBODY = 0, 1, None


class Play:
    """A game, and how what happens in it is told."""

    def __init__(self, game: Table) -> None:
        self.game = game
        self._before = game.state
        self._events: tuple[Event, ...] = ()

    def send(self, house: str, text: str) -> None:
        self._keep(self.game.state, self.game.send(house, text))

    def decree(self, text: str) -> None:
        self._keep(self.game.state, self.game.decree(text))

    def _keep(self, before: State, done: Accepted[State]) -> None:
        self._before, self._events = before, done.events

    def told(self, seat: int | None, tongue: Tongue = ENGLISH) -> list[str]:
        return list(GAME.tell(self._before, self._events, seat, tongue=tongue))


def test_an_attack_and_its_answer() -> None:
    play = Play(study(**TWO_ARCHERS))
    play.send("gold", "W1 rng I4")
    assert play.told(EVERYBODY) == [
        "Gold's Wind 1 on F4 shot at Black's Water 4 on I4.",
        "Black is asked to defend Water 4 on I4 (Power 4).",
    ]
    assert play.told(GOLD)[0] == "Your Wind 1 on F4 shot at Black's Water 4 on I4."
    assert play.told(BLACK) == ["Gold's Wind 1 on F4 shot at your Water 4 on I4."]
    play.send("black", "+")
    assert play.told(GOLD) == ["Black's Water 4 on I4 was saved for 4 Energy."]
    play.send("gold", "F2 rng I4")
    play.send("black", "-")
    assert play.told(BLACK) == [
        "Your Water 4 on I4 fell.",
        "Gold now stands at 1 of 8 honour.",
    ]
    assert play.told(GOLD, DUTCH) == [
        "Water 4 van Zwart op I4 viel.",
        "Je staat nu op 1 van de 8 Eer.",
    ]


def test_a_turn_that_ends_tells_what_the_server_did_and_who_is_next() -> None:
    play = Play(study(gold="W1@F6 F2@I7 E3@x", black="A4@I4 E3@N8", energy=(22, 0)))
    play.send("gold", "F2 rng I4; end")
    assert play.told(BLACK) == [
        "Gold's Fire 2 on I7 shot at your Water 4 on I4.",
        "Your Water 4 on I4 fell: there was not enough Energy to save it.",
        "Gold now stands at 1 of 8 honour.",
        "Gold's Guide went to K1.",
        "Gold's Earth 3 came back on J1.",
        "Gold ended the turn.",
        "You began round 5 with 18 Energy.",
    ]


def test_m4_1_a_wave_is_told_victim_by_victim() -> None:
    play = Play(study(**WAVE))
    play.send("gold", "A4 wave G6@F6")
    play.send("black", "-")
    assert play.told(EVERYBODY) == [
        "Black's Wind 1 on G6 fell.",
        "Gold now stands at 1 of 8 honour.",
        "Black is asked to defend Fire 2 on I6 (Power 3).",
    ]
    play.send("black", "+")
    assert play.told(EVERYBODY) == ["Black's Fire 2 on I6 was saved for 3 Energy."]


def test_r6_1_behind_the_eighth_honour_nobody_falls() -> None:
    play = Play(study(**SIX, guide=("H7", None)))
    play.send("gold", "A4 six G6@F6")
    play.send("black", "fall all")
    assert play.told(EVERYBODY) == [
        "Black's Wind 1 on G6 fell.",
        "Gold now stands at 8 of 8 honour.",
        "The Guide has reached the Core: Gold wins.",
    ]


def test_n3_4_the_rule_that_answered_is_named_to_the_defender_only() -> None:
    play = Play(study(**TWO_ARCHERS))
    play.send("black", "standing: block A* <=4; fall all")
    assert play.told(BLACK) == ["Your standing rules for this game: block A* <=4; fall all"]
    assert play.told(GOLD) == play.told(EVERYBODY) == []
    play.send("gold", "W1 rng I4")
    assert play.told(BLACK) == [
        "Gold's Wind 1 on F4 shot at your Water 4 on I4.",
        "Your standing rule `block A* <=4` answered for I4.",
        "Your Water 4 on I4 was saved for 4 Energy.",
    ]
    assert play.told(GOLD) == [
        "Your Wind 1 on F4 shot at Black's Water 4 on I4.",
        "Black's Water 4 on I4 was saved for 4 Energy.",
    ]


def test_rules_that_are_cleared() -> None:
    play = Play(study(**TWO_ARCHERS))
    play.send("black", "standing: off")
    assert play.told(BLACK) == ["You have no standing rules for this game."]
    play.decree("general 1: block all <=2")
    assert play.told(BLACK) == ["Your standing rules for all games hold here too: block all <=2"]
    play.decree("general 1: off")
    assert play.told(BLACK) == ["You have no standing rules for all games."]


def test_n2_3_a_plan_that_stopped_says_where_and_why_to_its_author_only() -> None:
    play = Play(study(**TWO_ARCHERS))
    play.send("gold", "W1 rng I4; F2 rng I4; end")
    play.send("black", "-")
    assert play.told(GOLD)[2:] == [
        "Your plan stopped before `F2 rng I4`: Nobody stands on I4. What was behind it is dropped."
    ]
    assert play.told(BLACK)[2:] == []
    assert play.told(GOLD, DUTCH)[2:] == [
        "Je plan stopte voor `F2 rng I4`: Op I4 staat niemand. Wat erachter stond, vervalt."
    ]


@pytest.mark.parametrize(
    ("stop", "why"),
    [
        ("draw?", "Your plan stopped, because a draw was offered. The rest of it is dropped."),
        (
            "halt: message",
            "Your plan stopped, because your opponent wrote to you. The rest of it is dropped.",
        ),
        ("halt: other", "Your plan was stopped. The rest of it is dropped."),
    ],
)
def test_n2_3_a_plan_is_stopped_by_others_too(stop: str, why: str) -> None:
    play = Play(study(**TWO_ARCHERS))
    play.send("gold", "W1 rng I4 [-: F2>I6]; end")
    if stop.startswith("halt"):
        play.decree(stop)
    else:
        play.send("black", stop)
    assert why in play.told(GOLD)
    assert why not in [*play.told(BLACK), *play.told(EVERYBODY)]
    assert "I6" not in " ".join(play.told(BLACK))


def test_the_opening_is_told_without_the_secret_part() -> None:
    play = Play(table(bid=True))
    play.send("gold", "setup WFEAAEFW")
    assert play.told(GOLD) == ["You sent a set-up."]
    assert play.told(BLACK) == ["Gold sent a set-up."]
    play.send("black", "setup FWEAAEWF")
    assert play.told(GOLD) == [
        "Black sent a set-up.",
        "Both set-ups are in. Gold: WFEAAEFW. Black: FWEAAEWF.",
        "The lot fell on Gold to start.",
    ]
    play.send("black", "bid 5")
    assert play.told(GOLD) == ["Black bid 5 for the first turn."]
    play.send("gold", "pass")
    assert play.told(GOLD) == ["You passed.", "Black began round 1 with 5 Energy."]
    chosen = Play(table(starter="black"))
    chosen.send("gold", "setup WFEAAEFW")
    chosen.send("black", "setup FWEAAEWF")
    assert "Black is the one to start." in chosen.told(EVERYBODY)


def test_r9_1_a_roll_is_told() -> None:
    play = Play(study(**TWO_ARCHERS, options={"dice": "dicey"}))
    play.send("gold", "W1 rng I4")
    assert play.told(EVERYBODY)[1] in {f"The die showed {face}." for face in (3, 4, 5)}


def test_an_answer_by_default_is_told() -> None:
    play = Play(study(**TWO_ARCHERS))
    play.send("gold", "W1 rng I4")
    play.decree("default 1 fall")
    assert play.told(BLACK)[:2] == [
        "No answer came in time, so it was answered as agreed.",
        "Your Water 4 on I4 fell.",
    ]


ENDS = {
    "black: resign": "Black resigned: Gold wins.",
    "time 0": "The time of Gold was over: Black wins.",
    "ruling 1": "The director ruled: Black wins.",
    "ruling draw": "The director ruled: a draw.",
    "gold: claim draw": "A draw was claimed: for a long time no warrior had fallen.",
}


@pytest.mark.parametrize(("end", "said"), ENDS.items())
def test_the_end_is_told_with_how_it_came(end: str, said: str) -> None:
    play = Play(study(**TWO_ARCHERS, options={"draw_claim": 1}))
    for house in ("gold", "black", "gold", "black"):
        play.send(house, "end")
    if ":" in end:
        play.send(*end.split(": "))
    else:
        play.decree(end)
    for watcher in (GOLD, BLACK, EVERYBODY):
        assert play.told(watcher)[-1] == said


def test_r8_1_five_wells_and_draws() -> None:
    wells = "W1@F6 F2@I6 E3@L6 A4@B8 A5@N8"
    play = Play(study(gold=wells, black="A4@I4", to_move="black"))
    play.send("black", "end")
    assert play.told(EVERYBODY) == ["Black ended the turn.", "Five Wells were held: Gold wins."]
    offer = Play(study(**TWO_ARCHERS))
    offer.send("gold", "draw?")
    assert offer.told(BLACK) == ["Gold offered a draw."]
    offer.send("black", "draw-")
    assert offer.told(GOLD) == ["Black declined the draw."]
    offer.send("gold", "draw?")
    offer.send("black", "draw+")
    assert offer.told(GOLD) == ["The players agreed on a draw."]


def test_a_picture_shows_what_happened_since() -> None:
    game = study(**TWO_ARCHERS)
    before = game.state
    events = [*game.send("gold", "F2>I6; W1 rng I4").events, *game.send("black", "-").events]
    scene = GAME.scene(game.state, BLACK, since=(before, events))
    assert [(arrow.source, arrow.target, arrow.kind.value) for arrow in scene.arrows] == [
        ("I7", "I6", "move"),
        ("F4", "I4", "attack"),
    ]
    assert set(scene.highlighted) == {"I7", "I6", "F4", "I4"}
    assert scene.struck == ("I4",)
    assert scene.bottom_seat == BLACK
    assert GAME.scene(game.state, BLACK).arrows == ()


def test_a_picture_of_an_open_defence_shows_who_attacks_whom() -> None:
    game = study(**WAVE)
    game.send("gold", "A4 wave G6@F6")
    game.send("black", "-")
    scene = GAME.scene(game.state, BLACK)
    assert [(arrow.source, arrow.target) for arrow in scene.arrows] == [("F6", "I6")]
    six = study(**SIX)
    before = six.state
    events = six.send("gold", "A4 six G6@F6").events
    shown = GAME.scene(six.state, BLACK, since=(before, events))
    assert [(arrow.source, arrow.target) for arrow in shown.arrows] == [
        ("E6", "F6"),
        ("F6", "G6"),
        ("F6", "F7"),
        ("F6", "G5"),
    ]
    six.send("black", "block all")
    assert GAME.scene(six.state, BLACK).arrows == ()


def test_a_board_in_words_says_to_a_seat_which_house_it_has() -> None:
    game = table(bid=True)
    game.send("gold", "setup WFEAAEFW")
    assert GAME.speak(game.state, GOLD).splitlines() == [
        "You play Gold.",
        "Set-ups are secret until both are in.",
        "Your set-up: WFEAAEFW.",
    ]
    for watcher in (BLACK, EVERYBODY):
        assert "WFEAAEFW" not in GAME.speak(game.state, watcher)
    game.send("black", "setup FWEAAEWF")
    bidding = GAME.speak(game.state, BLACK, tongue=DUTCH).splitlines()
    assert bidding[:3] == [
        "Je speelt Zwart.",
        "Goud zou beginnen met 7; er kan geboden worden.",
        "Goud heeft 7 Energie en 0 Eer.",
    ]
    game.send("black", "pass")
    assert GAME.speak(game.state, EVERYBODY).startswith("Round 1. Gold is to move.\n")
    game.send("gold", "resign")
    assert "The game is over: Black wins." in GAME.speak(game.state, GOLD)


def test_options_are_described() -> None:
    described = GAME.describe(
        {"level": "master", "dice": "dicey", "handicap": "gold +2", "bid": True}
    )
    assert described == (
        "Level: master.",
        "Arena: origin.",
        "With dice: the Power of each attack is rolled.",
        "Handicap: Gold has 2 more Energy for defending.",
        "The lot says who starts.",
        "The first turn can be bid for.",
        "A draw can be claimed after 25 rounds in which no warrior falls.",
    )
    other = GAME.describe(
        {"handicap": "black I", "starter": "black", "draw_claim": False}, tongue=DUTCH
    )
    assert other == (
        "Niveau: leerling.",
        "Arena: origin.",
        "Zonder dobbelstenen.",
        "Handicap: Zwart verzamelt 16/20/24/27/30 Energie bij 0 tot 4 Bronnen.",
        "Zwart begint.",
        "Remise kan niet geclaimd worden.",
    )
