"""Mails to directors: how an event goes, and games to rule on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.play import games
from pbem.play.events import directing, making, statements
from pbem.play.events.weekly import tell_directors
from tests.mail.events.fair import Fair, Got
from tests.play.hasty_store import HastyStore


@pytest.fixture
def fair(new_store: HastyStore) -> Fair:
    made = Fair(new_store, 4)
    made.start()
    made.deliver()
    return made


def dossier(fair: Fair, text: str = "He has gone silent.") -> Got:
    """Gold of the first game says something."""
    row = fair.running()[0]
    gold = fair.event.encounter(row.encounter).games[row.game].gold
    who = fair.event.entrant(gold).player_id
    which = (row.encounter, row.game)
    statements.state(fair.around, fair.id, who, which, text, now=fair.now)
    [mail] = fair.deliver()
    return mail


def test_a_dossier_goes_to_directors_and_to_nobody_else(fair: Fair) -> None:
    mail = dossier(fair)
    assert mail.letter.player_id == fair.director.id
    assert mail.subject == "Autumn: a game waits for your ruling"
    assert "| He has gone silent." in mail.text
    for letter in "GBDC":
        assert f"\n  {letter}  " in mail.text
    assert "Time left: " in mail.text
    assert "engine" not in mail.text


def test_a_dossier_shows_no_secret_set_up(fair: Fair) -> None:
    row = fair.running()[0]
    assert row.game_id is not None
    games.submit(fair.around, row.game_id, 0, "setup WFEAAEFW", arrived=fair.now)
    fair.deliver()
    mail = dossier(fair)
    assert "WFEAAEFW" not in mail.text
    assert "W1" not in mail.text


def test_a_director_who_plays_in_it_cannot_rule(fair: Fair) -> None:
    row = fair.running()[0]
    gold = fair.event.encounter(row.encounter).games[row.game].gold
    player_id = fair.event.entrant(gold).player_id
    making.add_director(fair.around, fair.id, fair.director.id, player_id, now=fair.now)
    fair.deliver()
    which = (row.encounter, row.game)
    statements.state(fair.around, fair.id, player_id, which, "So?", now=fair.now)
    own = [mail for mail in fair.deliver() if mail.letter.player_id == player_id]
    assert "You play in this game yourself" in own[0].words
    assert "\n  G  " not in own[0].text


def test_a_dossier_is_not_sent_once_the_game_is_ruled(fair: Fair) -> None:
    row = fair.running()[0]
    gold = fair.event.encounter(row.encounter).games[row.game].gold
    who = fair.event.entrant(gold).player_id
    which = (row.encounter, row.game)
    statements.state(fair.around, fair.id, who, which, "So?", now=fair.now)
    directing.adjudicate(fair.around, fair.id, fair.director.id, which, "draw", now=fair.now)
    assert fair.to(fair.director, fair.deliver()) == []


def test_once_a_week_directors_are_told_how_it_goes(fair: Fair) -> None:
    dossier(fair)
    with fair.club.store.begin() as unit:
        player = unit.lock_player(fair.players[1].id)
        assert player is not None
        unit.save_player(replace(player, stopped_since=fair.now))
    fair.advance(2.9)
    for _ in range(2):
        tell_directors(fair.around, now=fair.now)
    fair.advance(5)
    for _ in range(2):
        tell_directors(fair.around, now=fair.now)
    weekly = [mail for mail in fair.deliver() if mail.kind == "director_weekly"]
    assert [mail.letter.player_id for mail in weekly] == [fair.director.id]
    [mail] = weekly
    assert "waits for a ruling." in mail.text
    assert "Player 3, since" in mail.text
    assert "The event ends" in mail.text
    assert "When games will be over" in mail.text


def test_an_event_that_is_over_is_not_told_of(fair: Fair) -> None:
    fair.advance(7)
    tell_directors(fair.around, now=fair.now)
    making.cancel(fair.around, fair.id, fair.director.id, reason="Ice.", now=fair.now)
    assert all(mail.kind != "director_weekly" for mail in fair.deliver())
