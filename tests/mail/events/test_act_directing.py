"""Directing by mail: one letter rules on a game, commands step in; and only directors can."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.play import leave
from pbem.play.events import making, statements
from pbem.play.events.ports import GameOfEvent
from tests.mail.acting.room import facts, sections
from tests.mail.events.fair import Fair, Got
from tests.play.hasty_store import HastyStore


@pytest.fixture
def fair(new_store: HastyStore) -> Fair:
    made = Fair(new_store, 4, round_days=20)
    made.start()
    made.deliver()
    return made


@pytest.fixture
def row(fair: Fair) -> GameOfEvent:
    return fair.running()[0]


@pytest.fixture
def dossier(fair: Fair, row: GameOfEvent) -> Got:
    gold = fair.event.encounter(row.encounter).games[row.game].gold
    who = fair.event.entrant(gold).player_id
    statements.state(fair.around, fair.id, who, (row.encounter, row.game), "So.", now=fair.now)
    [mail] = fair.deliver()
    return mail


def points(fair: Fair, row: GameOfEvent) -> tuple[int, int] | None:
    result = fair.event.encounter(row.encounter).games[row.game].result
    return None if result is None else (result.gold, result.black)


@pytest.mark.parametrize(
    ("body", "scores", "reason"),
    [
        ("G", (2, 0), ""),
        ("b", (0, 2), ""),
        ("D.", (1, 1), ""),
        ("G: Black has left.", (2, 0), "Black has left."),
        ("B\nGold has left.\nFor good.", (0, 2), "Gold has left.\nFor good."),
    ],
)
def test_one_letter_rules(
    fair: Fair,
    row: GameOfEvent,
    dossier: Got,
    body: str,
    scores: tuple[int, int],
    reason: str,
) -> None:
    done = fair.reply(fair.director, dossier, body)
    assert sections(done) == ["event_done"]
    assert points(fair, row) == scores
    act = fair.log()[-1].act
    assert (act.name, act.by, act.reason) == ("adjudicated", fair.director.id, reason)
    mails = fair.deliver()
    [receipt] = fair.to(fair.director, mails)
    assert "Ruled:" in receipt.text
    ruled = [mail for mail in mails if mail.subject == "A director has ruled: Autumn"]
    assert len(ruled) == 2


def test_c_lets_the_game_go_on(fair: Fair, row: GameOfEvent, dossier: Got) -> None:
    before = len(fair.log())
    done = fair.reply(fair.director, dossier, "C")
    assert facts(done, "event_done")["what"] == "goes_on"
    assert points(fair, row) is None
    assert len(fair.log()) == before


@pytest.mark.parametrize("body", ["Gold wins", "Good game", "I think G", "B's clock?", "G4"])
def test_sentences_rule_nothing(fair: Fair, row: GameOfEvent, dossier: Got, body: str) -> None:
    fair.reply(fair.director, dossier, body)
    assert points(fair, row) is None


def test_a_ruling_is_made_once(fair: Fair, row: GameOfEvent, dossier: Got) -> None:
    fair.reply(fair.director, dossier, "G")
    again = fair.reply(fair.director, dossier, "B")
    assert facts(again, "not_allowed")["code"] == "game_over"
    assert points(fair, row) == (2, 0)


def test_another_sender_with_the_directors_token_rules_nothing(
    fair: Fair, row: GameOfEvent, dossier: Got
) -> None:
    done = fair.reply(fair.players[0], dossier, "G")
    assert done.reason == "foreign_from"
    assert points(fair, row) is None


def test_a_letter_in_answer_to_another_mail_rules_nothing(
    fair: Fair, row: GameOfEvent, dossier: Got
) -> None:
    fair.write(fair.director, "events")
    [mail] = fair.to(fair.director, fair.deliver())
    fair.reply(fair.director, mail, "G")
    assert points(fair, row) is None


def test_who_directs_no_longer_cannot_rule(fair: Fair, row: GameOfEvent, dossier: Got) -> None:
    other = fair.club.join("Olga")
    making.add_director(fair.around, fair.id, fair.director.id, other.id, now=fair.now)
    making.remove_director(fair.around, fair.id, other.id, fair.director.id, now=fair.now)
    for body in ("G", "C"):
        done = fair.reply(fair.director, dossier, body)
        assert facts(done, "not_allowed")["code"] == "not_director"
    assert points(fair, row) is None


def test_commands_of_directors(fair: Fair, dossier: Got) -> None:
    name = fair.players[1].name
    for body, act in (
        (f"pause {fair.id} The server moves.", ("paused", "The server moves.")),
        (f"resume {fair.id}", ("resumed", "")),
        (f"verleng {fair.id} 5 dagen Vakantie.", ("extended", "Vakantie.")),
        (f"warn {fair.id} {name.lower()}: be civil", ("warned", "be civil")),
    ):
        done = fair.reply(fair.director, dossier, body)
        assert sections(done) == ["event_done"], body
        last = fair.log()[-1].act
        assert (last.name, last.reason) == act
    assert fair.event.extra_days == 5
    assert fair.event.entrant(2).warnings == 1


@pytest.mark.parametrize("command", ["pause", "extend {id} 5 days", "warn {id} Player 3: out"])
def test_players_direct_nothing(fair: Fair, command: str) -> None:
    fair.write(fair.players[0], "games")
    [mail] = fair.to(fair.players[0], fair.deliver())
    before = len(fair.log())
    body = command.format(id=fair.id) if "{" in command else f"{command} {fair.id}"
    done = fair.reply(fair.players[0], mail, body)
    assert facts(done, "not_allowed")["code"] == "not_director"
    assert len(fair.log()) == before


def test_directors_are_told_of_a_leave_that_is_taken(fair: Fair) -> None:
    first = fair.now.date() + timedelta(days=3)
    leave.take_leave(
        fair.around, fair.players[0].id, first, first + timedelta(days=4), now=fair.now
    )
    [mail] = fair.deliver()
    assert mail.letter.player_id == fair.director.id
    assert mail.subject == "Leave in Autumn"
    assert f"{fair.players[0].name} takes leave from" in mail.words
