"""Standing rules tried on the game so far: what they mean and what they would have answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from pbem.games.base import Event, Refused, Rehearsal
from pbem.games.ortus.state import State
from tests.ortus.drawing import HOUSES
from tests.ortus.games import GAME, WAVE, Table, study

ARCHERS: dict[str, Any] = {
    "gold": "W1@F5 F2@H6",
    "black": "E3@F8 A4@H10",
    "energy": (18, 9),
}
SIX: dict[str, Any] = {
    "gold": "F2@F8 E3@G8 A4@E9",
    "black": "A4@F13",
    "level": "water",
    "to_move": "black",
    "energy": (5, 14),
}


@dataclass
class Told:
    """A game that remembers every state with what followed it."""

    table: Table
    moments: list[tuple[State, Sequence[Event]]] = field(default_factory=list)

    def send(self, house: str, text: str) -> None:
        before = self.table.state
        done = self.table.send(house, text)
        self.moments.append((before, done.events))

    def rehearse(self, house: str, text: str | None) -> Rehearsal:
        moments = [*self.moments, (self.table.state, ())]
        found = GAME.rehearse(moments, HOUSES.index(house), text)
        assert isinstance(found, Rehearsal), found
        return found

    def refused(self, house: str, text: str) -> str:
        moments = [*self.moments, (self.table.state, ())]
        found = GAME.rehearse(moments, HOUSES.index(house), text)
        assert isinstance(found, Refused)
        return found.faults[0].code


def told(**place: Any) -> Told:
    return Told(study(**place))


def would(rehearsal: Rehearsal) -> list[tuple[str, ...]]:
    return [attack.would for attack in rehearsal.attacks]


@pytest.mark.parametrize(
    ("rules", "meanings"),
    [
        ("block all", ["Save anybody."]),
        ("fall W*", ["Let any Wind fall."]),
        ("ask E4", None),
        ("ask E3", ["Ask me about Earth 3."]),
        (
            "block F* <=4; block all <=2 keep 5",
            [
                "Save any Fire, if the Power is 4 or less.",
                "Save anybody, if the Power is 2 or less, if 5 Energy or more is left then.",
            ],
        ),
        ("off", []),
    ],
)
def test_rules_are_said_in_words(rules: str, meanings: list[str] | None) -> None:
    game = told(**ARCHERS)
    if meanings is None:
        assert game.refused("black", rules) == "wrong_letter"
        return
    rehearsal = game.rehearse("black", rules)
    assert rehearsal.text == rules
    assert [meaning for _, meaning in rehearsal.meanings] == meanings


def test_rules_may_stand_on_lines_of_their_own() -> None:
    assert told(**ARCHERS).rehearse("gold", "blok vuur\n\n fall W*;\n").text == "block F*; fall W*"


def test_rules_that_cannot_be_read_are_refused() -> None:
    assert told(**ARCHERS).refused("gold", "block 3").startswith("syntax_")


def test_every_attack_is_listed_with_what_was_answered_and_what_would_be() -> None:
    game = told(**ARCHERS)
    game.send("gold", "W1 rng F8")
    game.send("black", "F8+")
    game.send("gold", "F2 rng H10")
    game.send("black", "H10-")
    rehearsal = game.rehearse("black", "block E* <=4; ask all")
    assert [attack.attack for attack in rehearsal.attacks] == ["W1 rng F8", "F2 rng H10"]
    assert [attack.number for attack in rehearsal.attacks] == [1, 3]
    assert [attack.victims for attack in rehearsal.attacks] == [
        ("Earth 3 on F8, Power 4",),
        ("Water 4 on H10, Power 4",),
    ]
    assert [attack.then for attack in rehearsal.attacks] == [("was saved",), ("fell",)]
    assert would(rehearsal) == [("save",), ("ask you",)]
    assert [attack.rules for attack in rehearsal.attacks] == [("block E* <=4",), ()]


def test_the_energy_of_that_moment_counts() -> None:
    game = told(**ARCHERS)
    game.send("gold", "W1 rng F8")
    game.send("black", "F8+")
    game.send("gold", "F2 rng H10")
    game.send("black", "H10-")
    assert would(game.rehearse("black", "block all keep 2")) == [("save",), ("ask you",)]


def test_the_attack_that_is_open_is_listed_too() -> None:
    game = told(**ARCHERS)
    game.send("gold", "W1 rng F8")
    (attack,) = game.rehearse("black", "fall all").attacks
    assert (attack.then, attack.would) == (("you are being asked now",), ("let fall",))


def test_several_victims_are_answered_together_or_asked_together() -> None:
    game = told(**SIX)
    game.send("black", "A4 six F8@F9")
    game.send("gold", "F8+ E9- G8-")
    (attack,) = game.rehearse("gold", "block F*; fall all").attacks
    assert attack.then == ("was saved", "fell", "fell")
    assert attack.would == ("save", "let fall", "let fall")
    assert attack.rules == ("block F*", "fall all", "fall all")
    assert would(game.rehearse("gold", "block all")) == [("ask you",) * 3]  # 9 of 5 Energy


def test_what_nobody_was_asked_about_no_rule_would_have_answered() -> None:
    game = told(**{**ARCHERS, "energy": (18, 3)})
    game.send("gold", "W1 rng F8")
    (attack,) = game.rehearse("black", "block all").attacks
    assert attack.victims == ("Earth 3 on F8",)
    assert attack.then == ("fell unasked: it could not be paid",)
    assert attack.would == ("nothing to answer",)


def test_each_attack_of_a_wave_is_listed_and_what_fell_unasked_behind_it() -> None:
    game = told(**{**WAVE, "energy": (14, 6)})
    game.send("gold", "A4 wave G6@F6")
    game.send("black", "G6-")
    game.send("black", "I6-")
    attacks = game.rehearse("black", "fall all").attacks
    assert [attack.victims for attack in attacks] == [
        ("Wind 1 on G6, Power 5",),
        ("Fire 2 on I6, Power 3",),
        ("Water 4 on K6, Power 1",),
    ]
    poor = told(**{**WAVE, "energy": (14, 5)})
    poor.send("gold", "A4 wave G6@F6")
    poor.send("black", "G6-")
    assert len(poor.rehearse("black", "ask all").attacks) == 2


def test_only_the_own_seat_is_rehearsed() -> None:
    game = told(**ARCHERS)
    game.send("black", "standing: fall W*")
    game.send("gold", "W1 rng F8")
    game.send("black", "F8+")
    assert game.rehearse("gold", None).attacks == ()
    assert game.rehearse("gold", None).text == "off"
    assert game.rehearse("black", None).text == "fall W*"


def test_rules_for_all_games_come_after_those_of_the_game() -> None:
    game = told(**ARCHERS)
    before = game.table.state
    done = game.table.decree("general 1: fall E*; ask all")
    game.moments.append((before, done.events))
    game.send("gold", "W1 rng F8")
    rehearsal = game.rehearse("black", "block W*")
    assert [rule for rule, _ in rehearsal.general] == ["fall E*", "ask all"]
    (attack,) = rehearsal.attacks
    assert (attack.then, attack.rules) == (("fell",), ("fall E*",))
    assert would(game.rehearse("black", "block all")) == [("save",)]


def test_nothing_is_changed_by_rehearsing() -> None:
    game = told(**ARCHERS)
    game.send("gold", "W1 rng F8")
    before = GAME.dump(game.table.state)
    game.rehearse("black", "fall all")
    assert GAME.dump(game.table.state) == before
