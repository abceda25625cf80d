"""One mail a round: whom somebody meets and why, with the games that begin, which it asks for."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.play import games, players
from pbem.play.events import running
from pbem.play.events.advancing import advance
from pbem.play.model import Preferences
from tests.mail.events.fair import Fair
from tests.play.hasty_store import HastyStore


@pytest.fixture
def fair(new_store: HastyStore) -> Fair:
    return Fair(new_store, 4)


def test_everybody_gets_one_mail_for_a_round_and_none_for_its_games(fair: Fair) -> None:
    fair.deliver()
    fair.start()
    mails = fair.deliver()
    assert Counter(mail.letter.player_id for mail in mails) == {
        player.id: 1 for player in fair.players
    }
    assert {mail.kind for mail in mails} == {"event_paired"}
    assert fair.deliver() == []


def test_the_mail_says_whom_one_meets_and_why_with_both_diagrams(fair: Fair) -> None:
    fair.deliver()
    fair.start()
    [mail] = fair.to(fair.players[0], fair.deliver())
    assert mail.subject == "Autumn: round 1 – you meet Player 4"
    assert "You play two games: in one you are Gold and begin, in the other Black." in mail.words
    assert "meet for the first time in this event" in mail.words
    assert "Each player begins with 3 days, and gets 1 day for each turn." in mail.words
    assert "H1  =   =   =   =   =   =   =   =   O1" in mail.text
    assert "H15  =   =   =   =   =   =   =   =   A15" in mail.text
    assert mail.text.count("setup WFEAAEFW") == 2
    assert (
        len([each for each in mail.message.walk() if each.get_content_type() == "image/png"]) == 2
    )


def test_a_single_game_has_both_diagrams_and_nothing_of_an_opponents_set_up(
    new_store: HastyStore,
) -> None:
    fair = Fair(new_store, 2, meeting="single")
    fair.deliver()
    fair.start()
    [row] = fair.running()
    assert row.game_id is not None
    games.submit(fair.around, row.game_id, 0, "setup WFEAAEFW", arrived=fair.now)
    with fair.club.store.read() as unit:
        stored = unit.find_game(row.game_id)
    assert stored is not None
    black = next(each for each in fair.players if each.id == stored.players[1])
    mail = next(each for each in fair.to(black, fair.deliver()) if each.kind == "event_paired")
    assert "The set-up as Gold sees it" in mail.text
    assert "H1  =   =   =   =   =   =   =   =   O1" in mail.text
    assert "W1" not in mail.text


def test_a_reply_goes_straight_to_both_games(fair: Fair) -> None:
    fair.deliver()
    fair.start()
    [mail] = fair.to(fair.players[0], fair.deliver())
    one, other = (str(each).partition(".")[0] for each in mail.letter.facts["requests"])  # type: ignore[attr-defined]
    fair.reply(fair.players[0], mail, f"{one}: setup WFEAAEFW\n{other}: setup FWEAAEWF")
    with fair.club.store.read() as unit:
        for game_id in (one, other):
            seat = unit.find_game(game_id).find_seat(fair.players[0].id)  # type: ignore[union-attr]
            assert [row.seat for row in unit.requests_of(game_id)] == [1 - int(seat or 0)]


def test_a_bye_is_told(new_store: HastyStore) -> None:
    fair = Fair(new_store, 3)
    fair.deliver()
    fair.start()
    mails = fair.deliver()
    [bye] = [mail for mail in mails if "you meet" not in mail.subject]
    assert "You have no opponent in this round" in bye.words
    assert len(mails) == 3


def test_the_mail_waits_for_games_that_have_still_to_begin(fair: Fair) -> None:
    fair.deliver()
    running.start(fair.around, fair.id, fair.director.id, now=fair.now)
    advance(fair.around, fair.id, fair.now, is_stopping=lambda: True)
    assert any(row.game_id is None for row in fair.rows())
    assert fair.deliver() == []
    running.pause(fair.around, fair.id, fair.director.id, now=fair.now)
    assert {mail.kind for mail in fair.deliver()} == {"event_note"}
    running.resume(fair.around, fair.id, fair.director.id, now=fair.now)
    fair.advance(1)
    told = [mail for mail in fair.deliver() if mail.kind == "event_paired"]
    assert len(told) == 4
    assert all(mail.letter.facts["requests"] for mail in told)


def test_from_the_second_round_on_the_table_is_in_it(fair: Fair) -> None:
    fair.start()
    assert all("First turns" not in mail.text for mail in fair.deliver())
    for row in fair.running():
        fair.resign(row, 1)
    fair.advance(1)
    fair.advance(0.01)
    mails = [mail for mail in fair.deliver() if mail.kind == "event_paired"]
    assert len(mails) == 4
    for mail in mails:
        assert "round 2" in mail.subject
        [line] = [line for line in mail.text.splitlines() if line.startswith(">")]
        assert line.split()[-2:] == ["1", "1/2"] or line.split()[-1] == "2/4", line


def test_it_is_in_the_readers_language(fair: Fair) -> None:
    dutch = Preferences(language="nl")
    players.set_preferences(fair.around, fair.players[0].id, dutch, now=fair.now)
    fair.deliver()
    fair.start()
    [mail] = fair.to(fair.players[0], fair.deliver())
    assert mail.subject == "Autumn: ronde 1 – je treft Player 4"
    assert "Je speelt twee partijen" in mail.words
