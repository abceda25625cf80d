"""Mails about entering, news, rulings and the end: to whom they go and what they say."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.mail.composing.event_mails import EVENT_MAILS
from pbem.play import players
from pbem.play.events import directing, entering, making, running
from pbem.play.events.notices import KINDS
from pbem.play.events.substituting import ask_substitute, decline_place
from tests.mail.events.fair import Fair
from tests.play.events.festival import day
from tests.play.hasty_store import HastyStore


@pytest.fixture
def fair(new_store: HastyStore) -> Fair:
    return Fair(new_store, 3, max_entrants=3)


def test_every_kind_of_notice_about_events_has_a_mail() -> None:
    assert set(EVENT_MAILS) == set(KINDS)


def test_who_enters_is_told_what_the_event_is(fair: Fair) -> None:
    [mail] = fair.to(fair.players[0], fair.deliver())
    assert mail.subject == "You are in: Autumn"
    assert "There are 3 places." in mail.words
    assert f"reply with `withdraw {fair.id}`" in mail.words
    assert f"/events/{fair.id}" in mail.text


def test_who_waits_is_told_so_and_when_a_place_is_free(fair: Fair) -> None:
    fair.deliver()
    late = fair.enter()
    [mail] = fair.deliver()
    assert mail.subject == "You are on the waiting list: Autumn"
    assert "You are number 1 of those who wait" in mail.words
    entering.leave(fair.around, fair.id, fair.players[0].id, now=fair.now)
    fair.advance(0.1)
    [mail] = fair.deliver()
    assert mail.letter.player_id == late.id
    assert mail.subject == "You are in: Autumn"


def test_a_word_that_somebody_waits_is_not_sent_when_it_is_not_true_any_more(fair: Fair) -> None:
    fair.deliver()
    late = fair.enter()
    entering.leave(fair.around, fair.id, late.id, now=fair.now)
    assert fair.deliver() == []


def test_only_who_has_not_checked_in_is_asked_to(new_store: HastyStore) -> None:
    fair = Fair(new_store, 3, starts_at=day(2).isoformat(), check_in_hours=24)
    fair.deliver()
    fair.advance(1.5)
    entering.check_in(fair.around, fair.id, fair.players[0].id, now=fair.now)
    mails = fair.deliver()
    assert {mail.letter.player_id for mail in mails} == {each.id for each in fair.players[1:]}
    assert all(mail.subject == "Are you there? Autumn begins soon" for mail in mails)


def test_news_go_to_all_who_are_in_with_the_directors_reason(fair: Fair) -> None:
    fair.start()
    fair.deliver()
    running.pause(fair.around, fair.id, fair.director.id, reason="Ice & snow.", now=fair.now)
    mails = fair.deliver()
    assert {mail.letter.player_id for mail in mails} == {each.id for each in fair.players}
    assert all("Dora paused the event. | Ice & snow." in mail.words for mail in mails)


def test_a_warning_is_for_one_player_alone(fair: Fair) -> None:
    fair.start()
    fair.deliver()
    directing.warn(fair.around, fair.id, fair.director.id, 2, reason="Be civil.", now=fair.now)
    [mail] = fair.deliver()
    assert mail.letter.player_id == fair.players[1].id
    assert "Dora warned Player 3. | Be civil." in mail.words


def test_a_ruling_is_told_to_both(fair: Fair) -> None:
    fair.start()
    fair.deliver()
    row = fair.running()[0]
    which = (row.encounter, row.game)
    directing.adjudicate(fair.around, fair.id, fair.director.id, which, "black", now=fair.now)
    ruled = [mail for mail in fair.deliver() if mail.kind == "event_note"]
    encounter = fair.event.encounter(row.encounter)
    both = {fair.event.entrant(each).player_id for each in encounter.entrants}
    assert {mail.letter.player_id for mail in ruled} == both
    assert all("0–1" in mail.text for mail in ruled)


def test_a_question_that_was_answered_is_not_asked(fair: Fair) -> None:
    fair.start()
    gus = fair.club.join("Gus")
    fair.deliver()
    ask_substitute(fair.around, fair.id, fair.director.id, 1, gus.id, now=fair.now)
    decline_place(fair.around, fair.id, gus.id, now=fair.now)
    assert fair.to(gus, fair.deliver()) == []


def test_the_end_shows_the_table_and_ones_own_line(new_store: HastyStore) -> None:
    fair = Fair(new_store, 4, format="round_robin")
    fair.start()
    fair.play_out(lambda row: 1)
    over = [mail for mail in fair.deliver() if mail.kind == "event_over"]
    assert {mail.letter.player_id for mail in over} == {
        fair.director.id,
        *(each.id for each in fair.players),
    }
    for mail in over:
        assert mail.subject == "Autumn is over"
        own = [line for line in mail.text.splitlines() if line.startswith(">")]
        is_director = mail.letter.player_id == fair.director.id
        assert len(own) == (0 if is_director else 1)
        assert ("Your place:" in mail.text) is not is_director


def test_an_event_that_is_called_off_has_no_table(fair: Fair) -> None:
    fair.deliver()
    making.cancel(fair.around, fair.id, fair.director.id, reason="No hall.", now=fair.now)
    mails = fair.deliver()
    assert len(mails) == 3
    assert all(mail.subject == "Autumn was called off" for mail in mails)
    assert all("No hall." in mail.text and "First turns" not in mail.text for mail in mails)


def test_who_wants_a_digest_has_the_news_in_it_once(fair: Fair) -> None:
    fair.start()
    fair.deliver()
    ann = fair.players[0]
    daily = replace(ann.preferences, delivery="digest")
    players.set_preferences(fair.around, ann.id, daily, now=fair.now)
    running.pause(fair.around, fair.id, fair.director.id, reason="Ice.", now=fair.now)
    running.resume(fair.around, fair.id, fair.director.id, now=fair.now)
    assert fair.to(ann, fair.deliver()) == []
    fair.now += timedelta(days=1)
    [mail] = [each for each in fair.to(ann, fair.deliver()) if each.kind == "bundle"]
    assert "News of Autumn" in mail.text
    assert "Dora paused the event. | Ice. Dora let the event go on." in mail.words
    running.pause(fair.around, fair.id, fair.director.id, reason="Snow.", now=fair.now)
    fair.now += timedelta(days=1)
    [mail] = [each for each in fair.to(ann, fair.deliver()) if each.kind == "bundle"]
    assert "Snow." in mail.text
    assert "Ice." not in mail.text
