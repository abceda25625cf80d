"""What a seat is asked for, said so that it can be answered (L6), in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.catalogues import get_tongue
from pbem.games.base import Accepted, Briefing
from pbem.tongue import ENGLISH, Tongue
from tests.ortus.drawing import HOUSES
from tests.ortus.games import GAME, SIX, TWO_ARCHERS, WAVE, Table, study, table

DUTCH = get_tongue("nl")


def briefed(game: Table, house: str, tongue: Tongue = ENGLISH) -> Briefing:
    briefing = GAME.brief(game.state, HOUSES.index(house), tongue=tongue)
    assert briefing is not None
    return briefing


def attacked(place: dict[str, Any], order: str, **changes: Any) -> Table:
    game = study(**{**place, **changes})
    game.send("gold", order)
    return game


def written(briefing: Briefing) -> str:
    """A briefing as one text: headline, lines, and each answer with what it leads to."""
    answers = [
        f"[{answer.text}] {answer.label}. {' '.join(answer.leads_to)}"
        for answer in briefing.answers
    ]
    return "\n".join([briefing.headline, *briefing.lines, *answers])


def test_a_defence_with_one_victim_is_answered_with_one_letter() -> None:
    assert written(briefed(attacked(TWO_ARCHERS, "W1 rng I4"), "black")) == (
        "Save Water 4 on I4? Power 4\n"
        "Gold's Wind 1 on F4 shoots at your Water 4 on I4.\n"
        "Range: Power 4.\n"
        "Saving Water 4 costs 4 Energy. You have 14.\n"
        "What you keep has to last for every attack until your next turn.\n"
        "What falls comes back when your next turn ends.\n"
        "[+] Save Water 4 on I4. 10 Energy left.\n"
        "[-] Let Water 4 on I4 fall. 14 Energy left. Gold comes to 1 of 8 honour."
    )


def test_the_same_in_dutch() -> None:
    assert written(briefed(attacked(TWO_ARCHERS, "W1 rng I4"), "black", DUTCH)) == (
        "Water 4 op I4 redden? Kracht 4\n"
        "Wind 1 van Goud op F4 schiet op je Water 4 op I4.\n"
        "Afstand: Kracht 4.\n"
        "Water 4 redden kost 4 Energie. Je hebt er 14.\n"
        "Wat je overhoudt moet genoeg zijn voor elke aanval tot je volgende beurt.\n"
        "Wat valt, komt terug aan het eind van je volgende beurt.\n"
        "[+] Water 4 op I4 redden. Nog 10 Energie over.\n"
        "[-] Water 4 op I4 laten vallen. Nog 14 Energie over. Goud komt op 1 van de 8 Eer."
    )


@pytest.mark.parametrize("sign", ["+", "-"])
def test_one_letter_is_accepted_and_leads_where_it_says(sign: str) -> None:
    game = attacked(TWO_ARCHERS, "W1 rng I4")
    answer = next(each for each in briefed(game, "black").answers if each.text == sign)
    after = game.send("black", sign).state.position
    assert after is not None
    assert answer.leads_to[0] == f"{after.energy[1]} Energy left."


def test_m4_1_a_wave_says_where_it_runs_on_to() -> None:
    game = attacked(WAVE, "A4 wave G6@F6")
    first = briefed(game, "black")
    assert (
        "Flow of Crashing Waves: Power 5 for the first warrior hit, then 3, then 1." in first.lines
    )
    save, fall = first.answers
    assert save.leads_to == ("9 Energy left.", "The wave ends there.")
    assert fall.leads_to[1] == (
        "The wave then hits Fire 2 on I6 with Power 3, and you are asked again."
    )
    game.send("black", "-")
    second = briefed(game, "black")
    assert second.headline == "Save Fire 2 on I6? Power 3"
    assert second.lines[0] == (
        "The wave of Gold's Water 4 on F6 runs on and hits your Fire 2 on I6."
    )
    assert "Wells held: 0 instead of 1." in second.answers[1].leads_to


def test_m4_1_a_wave_that_cannot_be_paid_later_says_whom_it_takes() -> None:
    """The first victim is shielded, the second is not."""
    place = {"gold": "A4@E6", "black": "W1@G6 A4@I6 F2@G9 F7@D9", "level": "master"}
    game = attacked(place, "A4 wave G6@F6", energy=(14, 2))
    briefing = briefed(game, "black")
    assert briefing.headline == "Save Wind 1 on G6? Power 2"
    assert briefing.answers[1].leads_to == (
        "2 Energy left.",
        "The wave then takes Water 4 on I6 as well: there is not enough Energy left.",
        "Gold comes to 2 of 8 honour.",
        "Wells held: 0 instead of 1.",
    )


def test_m4_2_several_victims_have_an_answer_for_each_way_to_pay() -> None:
    briefing = briefed(attacked(SIX, "A4 six G6@F6"), "black")
    assert briefing.headline == "Save Wind 1, Fire 2 and Water 4?"
    assert briefing.lines[:3] == (
        "Gold's Water 4 charged from E6 to F6 and attacks your Wind 1 on G6.",
        "It also hits your Fire 2 on F7 and your Water 4 on G5, next to it.",
        "Strike of Six Streams: Power 3 for each warrior hit.",
    )
    assert [answer.text for answer in briefing.answers] == [
        "G6+ F7+ G5+",
        "G6+ F7+ G5-",
        "G6+ F7- G5+",
        "G6- F7+ G5+",
        "G6+ F7- G5-",
        "G6- F7+ G5-",
        "G6- F7- G5+",
        "G6- F7- G5-",
    ]
    poor = briefed(attacked(SIX, "A4 six G6@F6", energy=(14, 3)), "black")
    assert [answer.text for answer in poor.answers] == [
        "G6+ F7- G5-",
        "G6- F7+ G5-",
        "G6- F7- G5+",
        "G6- F7- G5-",
    ]


def test_of_many_ways_the_most_useful_are_listed() -> None:
    many = {**SIX, "black": "W1@G6 F2@F7 A4@G5 A5@F5 E3@E7", "gold": "A4@C6 F2@E4"}
    briefing = briefed(attacked(many, "A4 six G6@F6"), "black")
    texts = [answer.text for answer in briefing.answers]
    assert len(texts) == 8
    assert texts[0].count("+") == 4  # 14 Energy, 3 for each of five
    assert texts[-1].count("-") == 5
    assert briefing.lines[-1].startswith("There are more ways to answer than are listed")


def test_m5_1_a_shield_says_from_what_it_lowers_the_power() -> None:
    place = {"gold": "W1@C6 A4@K3", "black": "F2@F6 F7@I6 E3@N8", "level": "master"}
    briefing = briefed(attacked(place, "W1 rng F6"), "black")
    assert briefing.headline == "Save Fire 2 on F6? Power 2"
    assert briefing.lines[1:3] == (
        "Road of the Storm: Power 4.",
        "Your Phoenix shields Fire 2 on F6: the Power is lowered from 4 to 2.",
    )


@pytest.mark.parametrize(
    ("place", "order", "attack"),
    [
        (
            {"gold": "E3@C6", "black": "W1@G6", "level": "earth"},
            "E3 chg G6@F6",
            "Raging Bear: the dark blue die showed 4/1; with 1 more that is Power 5.",
        ),
        (
            {"gold": "F2@E6 F7@G4", "black": "W1@G6", "level": "master"},
            "drg G6",
            "The Dragons: the yellow die showed 3, so the Power is 3.",
        ),
        (
            {"gold": "F2@F6", "black": "W1@G6", "level": "water"},
            "F2 str G6",
            "Strike: the light blue die showed 2/4, so the Power is 2.",
        ),
        (
            WAVE,
            "A4 wave G6@F6",
            "Flow of Crashing Waves: the dark blue die showed 4/1, so the Power is 4 for the first"
            " warrior hit, then 3, then 2.",
        ),
        (
            SIX,
            "A4 six G6@F6",
            "Strike of Six Streams: the light blue die showed 2/4, so the Power is 2 for the target"
            " and 4 for every other.",
        ),
    ],
    ids=["bear", "dragons", "strike", "wave", "six"],
)
def test_r9_1_a_roll_is_explained(place: dict[str, Any], order: str, attack: str) -> None:
    for number in range(50):
        game = study(seed=bytes([number]) * 32, options={"dice": "dicey"}, **place)
        game.send("gold", order)
        if attack in (GAME.brief(game.state, 1) or Briefing("", "")).lines:
            return
    raise AssertionError(GAME.brief(game.state, 1))


def test_r8_2_an_answer_that_loses_the_game_says_so() -> None:
    game = attacked(TWO_ARCHERS, "W1 rng I4", guide=("H7", None))
    fall = briefed(game, "black").answers[1]
    assert fall.leads_to[-1] == "That is honour 8 of 8: Gold wins the game."
    assert isinstance(GAME.submit(game.state, 1, fall.text), Accepted)


def test_nobody_else_is_briefed() -> None:
    game = attacked(TWO_ARCHERS, "W1 rng I4")
    assert GAME.brief(game.state, 0) is None
    game.send("black", "resign")
    assert GAME.brief(game.state, 0) is None
    assert GAME.brief(game.state, 1) is None


def test_a_set_up_is_asked_with_examples_that_are_accepted() -> None:
    game = table()
    for seat, hexes in enumerate(("H1 I1 J1 K1 L1 M1 N1 O1", "H15 G15 F15 E15 D15 C15 B15 A15")):
        briefing = GAME.brief(game.state, seat)
        assert briefing is not None
        assert hexes in briefing.lines[0]
        for example in briefing.examples:
            assert isinstance(GAME.submit(game.state, seat, example), Accepted)


def test_r9_4_a_bid_has_every_lower_number_and_what_it_leads_to() -> None:
    game = table(bid=True)
    game.send("gold", "setup WFEAAEFW")
    game.send("black", "setup WFEAAEFW")
    game.send("black", "bid 2")
    briefing = briefed(game, "gold")
    assert briefing.lines[0] == "Black would start with 2 Energy; the other has 14."
    assert [(answer.text, answer.leads_to[0]) for answer in briefing.answers] == [
        ("pass", "Black starts with 2 Energy, and you have 14."),
        ("bid 1", "You start with 1 Energy, unless Black bids less."),
        ("bid 0", "You start with no Energy: nobody can bid less."),
    ]
    for answer in briefing.answers:
        assert isinstance(GAME.submit(game.state, 0, answer.text), Accepted)


def test_a_turn_says_what_there_is_and_what_is_owed() -> None:
    game = study(gold="W1@F6 F2@I7 E3@x", black="A4@I4 E3@N8", energy=(22, 0))
    assert briefed(game, "gold").lines == (
        "You hold one Well and have 22 Energy for this turn.",
        "What is left when the turn ends is all you have for defending.",
        "Fallen: Earth 3. What has fallen comes back when you end the turn; you may say where, as"
        " in `E3 ret J1`.",
        "Write `end` when your turn is over.",
    )
    game.send("gold", "F2 rng I4")
    going_on = briefed(game, "gold")
    assert going_on.headline == "Your turn goes on: round 5, 19 Energy left"
    assert (
        "Your Guide has one step to make. It starts on a hex of your Haven, as in `guide>K1`; else"
        " the server puts it there." in going_on.lines
    )


def test_a_turn_has_examples_that_could_be_sent() -> None:
    briefing = briefed(study(**TWO_ARCHERS), "gold")
    assert briefing.examples == ("F2 rng I4", "F2>I6; end", "end")


def test_r8_3_an_offered_draw_and_a_claim_are_mentioned() -> None:
    game = study(**TWO_ARCHERS, options={"draw_claim": 1})
    for house in ("gold", "black", "gold", "black"):
        game.send(house, "end")
    game.send("black", "draw?")
    lines = briefed(game, "gold").lines
    assert lines[-1] == "Black offers a draw: `draw+` accepts it, `draw-` declines it."
    assert any("`claim draw`" in line for line in lines)
