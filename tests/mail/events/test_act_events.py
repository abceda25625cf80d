"""Taking part by mail: entering, being there, leaving, challenges, statements."""

from __future__ import annotations

import pytest

from pbem.play.events import challenging
from pbem.play.events.substituting import ask_substitute
from tests.mail.acting.room import facts, sections
from tests.mail.events.fair import Fair
from tests.play.events.festival import day
from tests.play.hasty_store import HastyStore


@pytest.fixture
def fair(new_store: HastyStore) -> Fair:
    return Fair(new_store, 4, max_entrants=5)


@pytest.fixture
def begun(fair: Fair) -> Fair:
    fair.start()
    fair.deliver()
    return fair


def last(fair: Fair, player_number: int) -> str:
    """All that is told to somebody now."""
    return " ".join(mail.words for mail in fair.to(fair.players[player_number], fair.deliver()))


def test_entering_by_mail_has_one_answer_which_tells_of_the_entry(fair: Fair) -> None:
    late = fair.club.join("Late")
    fair.deliver()
    asked = fair.write(late, "events")
    assert sections(asked) == ["events"]
    [mail] = fair.deliver()
    assert f"reply with `enter {fair.id}`" in mail.words
    done = fair.reply(late, mail, f"enter {fair.id}")
    assert sections(done) == []
    assert fair.event.find_entrant(late.id) is not None
    [mail] = fair.deliver()
    assert mail.subject == "You are in: Autumn"
    again = fair.reply(late, mail, f"enter {fair.id}")
    assert facts(again, "not_allowed")["code"] == "entered_already"


def test_without_a_token_nobody_enters_before_an_ok(fair: Fair) -> None:
    late = fair.club.join("Late")
    fair.deliver()
    assert sections(fair.write(late, f"enter {fair.id}")) == ["write_again"]
    assert fair.event.find_entrant(late.id) is None
    [mail] = fair.deliver()
    fair.reply(late, mail, "ok")
    assert fair.event.find_entrant(late.id) is not None


def test_an_event_that_nobody_knows_is_not_entered(fair: Fair) -> None:
    [mail] = fair.to(fair.players[0], fair.deliver())
    done = fair.reply(fair.players[0], mail, "enter abcdef22")
    assert facts(done, "not_allowed")["code"] == "no_such_event"


@pytest.mark.parametrize("body", ["ok", "Ja graag", "here {id}"])
def test_check_in_is_answered_with_ok(new_store: HastyStore, body: str) -> None:
    fair = Fair(new_store, 3, starts_at=day(2).isoformat(), check_in_hours=24)
    fair.deliver()
    fair.advance(1.5)
    [mail] = fair.to(fair.players[0], fair.deliver())
    done = fair.reply(fair.players[0], mail, body.format(id=fair.id))
    assert facts(done, "event_done")["what"] == "checked_in"
    mine = fair.event.find_entrant(fair.players[0].id)
    assert mine is not None
    assert mine.is_checked_in


def test_an_entry_is_taken_back_at_once_before_the_event_begins(fair: Fair) -> None:
    [mail] = fair.to(fair.players[0], fair.deliver())
    done = fair.reply(fair.players[0], mail, "withdraw")
    assert facts(done, "event_done")["what"] == "withdrew"
    assert fair.event.entrant(1).standing == "withdrawn"


def test_withdrawing_from_an_event_that_runs_asks_first(begun: Fair) -> None:
    fair, ann = begun, begun.players[0]
    fair.write(ann, "games")
    [mail] = fair.to(ann, fair.deliver())
    done = fair.reply(ann, mail, f"withdraw {fair.id}")
    assert sections(done) == ["sure_withdraw"]
    assert fair.event.entrant(1).standing == "in"
    [mail] = fair.to(ann, fair.deliver())
    assert "you lose 2 games that are not over" in mail.words
    fair.reply(ann, mail, "ok")
    assert fair.event.entrant(1).standing == "withdrawn"


def test_table_and_reasons(begun: Fair) -> None:
    fair, ann = begun, begun.players[0]
    assert sections(fair.write(ann, f"table {fair.id}\nwhy {fair.id}")) == [
        "event_table",
        "event_why",
    ]
    told = last(fair, 0)
    assert "First turns" in told
    assert "meet for the first time in this event" in told


def test_a_place_is_taken_over_by_a_reply(begun: Fair) -> None:
    fair = begun
    gus = fair.club.join("Gus")
    ask_substitute(fair.around, fair.id, fair.director.id, 1, gus.id, now=fair.now)
    [mail] = fair.to(gus, fair.deliver())
    done = fair.reply(gus, mail, "accept")
    assert facts(done, "event_done")["what"] == "place_taken"
    assert fair.event.entrant(1).player_id == gus.id
    again = fair.reply(gus, mail, "accept")
    assert facts(again, "not_allowed")["code"] == "not_asked"


def test_nobody_else_takes_the_place_with_a_forwarded_mail(begun: Fair) -> None:
    fair = begun
    gus = fair.club.join("Gus")
    ask_substitute(fair.around, fair.id, fair.director.id, 1, gus.id, now=fair.now)
    [mail] = fair.to(gus, fair.deliver())
    done = fair.reply(fair.players[2], mail, "accept")
    assert done.reason == "foreign_from"
    assert fair.event.entrant(1).player_id == fair.players[0].id


@pytest.mark.parametrize(
    ("body", "answer"),
    [("accept", "accepted"), ("decline", "declined"), ("decline\nI am at sea.", "excused")],
)
def test_challenges_by_mail(new_store: HastyStore, body: str, answer: str) -> None:
    fair = Fair(new_store, 3, format="ladder")
    fair.start()
    fair.deliver()
    fair.write(fair.players[1], "games")
    [mail] = fair.to(fair.players[1], fair.deliver())
    rival = fair.players[0]
    done = fair.reply(fair.players[1], mail, f"challenge {fair.id} {rival.name.upper()}")
    assert facts(done, "event_done")["what"] == "challenged"
    [mail] = fair.to(rival, fair.deliver())
    assert mail.subject == "You are challenged: Autumn"
    fair.reply(rival, mail, body)
    [challenge] = fair.event.challenges
    assert challenge.answer == answer
    if answer == "excused":
        assert "I am at sea." in fair.log()[-1].act.reason


def test_a_challenge_names_somebody_of_the_event(new_store: HastyStore) -> None:
    fair = Fair(new_store, 3, format="ladder")
    fair.start()
    challenging.challenge(fair.around, fair.id, fair.players[1].id, 1, now=fair.now)
    [mail] = [each for each in fair.to(fair.players[0], fair.deliver()) if "chall" in each.subject]
    done = fair.reply(fair.players[0], mail, f"challenge {fair.id} Nobody Known")
    assert facts(done, "not_allowed")["code"] == "no_such_name"


def test_a_statement_goes_to_the_directors_with_the_words_below_it_and_to_nobody_else(
    new_store: HastyStore,
) -> None:
    fair = Fair(new_store, 2, meeting="single")
    fair.deliver()
    fair.start()
    ann, ben = fair.players
    [row] = fair.running()
    # A mail about the game itself, in answer to which words go to the opponent.
    [mail] = fair.to(ann, fair.deliver())
    done = fair.reply(ann, mail, f"statement {row.game_id}: I am ahead.\nMy rival sleeps.")
    assert sections(done) == ["event_done"]
    mails = fair.deliver()
    assert fair.to(ben, mails) == []
    [dossier] = fair.to(fair.director, mails)
    assert "| I am ahead. | My rival sleeps." in dossier.words
    with fair.club.store.read() as unit:
        assert list(unit.messages_of(str(row.game_id))) == []


def test_a_statement_about_a_game_of_no_event_is_refused(fair: Fair) -> None:
    match = fair.room.start(gold=fair.players[0], black=fair.players[1])
    mails = fair.to(fair.players[0], fair.deliver())
    done = fair.reply(fair.players[0], mails[0], f"statement {match.id}: So.")
    assert facts(done, "not_allowed")["code"] == "no_event_game"
