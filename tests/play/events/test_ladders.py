"""Ladders: challenges are made, answered, played for, and lapse."""

from __future__ import annotations

import pytest

from pbem.play.errors import NotAllowedError
from pbem.play.events import challenging, running
from tests.play.club import Club
from tests.play.events.festival import Festival


@pytest.fixture
def festival(club: Club) -> Festival:
    made = Festival(club, 5, format="ladder", reach=2)
    made.start()
    assert made.event.ladder == (1, 2, 3, 4, 5)
    return made


def challenge(festival: Festival, challenger: int, rival: int) -> int:
    player_id = festival.event.entrant(challenger).player_id
    made = challenging.challenge(festival.around, festival.id, player_id, rival, now=festival.now)
    return made.number


def player_of(festival: Festival, entrant: int) -> int:
    return festival.event.entrant(entrant).player_id


def test_a_challenge_is_accepted_played_and_changes_the_order(festival: Festival) -> None:
    number = challenge(festival, 3, 1)
    [told] = festival.notices("event_challenged")
    assert told.player_id == player_of(festival, 1)
    with pytest.raises(NotAllowedError, match="not_your_challenge"):
        challenging.accept(
            festival.around, festival.id, player_of(festival, 2), number, now=festival.now
        )
    challenging.accept(
        festival.around, festival.id, player_of(festival, 1), number, now=festival.now
    )
    festival.advance()
    assert len(festival.running()) == 2
    assert len(festival.notices("event_paired")) == 2
    event = festival.event
    for row in festival.running():
        game = event.encounter(row.encounter).games[row.game]
        festival.resign(row, 0 if game.gold == 1 else 1)
    festival.advance(1)
    assert festival.event.ladder == (3, 1, 2, 4, 5)
    festival.check()


def test_declining_costs_the_place_unless_there_is_a_reason(festival: Festival) -> None:
    number = challenge(festival, 3, 2)
    challenging.decline(
        festival.around,
        festival.id,
        player_of(festival, 2),
        number,
        reason="I am at sea.",
        now=festival.now,
    )
    assert festival.event.ladder == (1, 2, 3, 4, 5)
    number = challenge(festival, 4, 2)
    challenging.decline(
        festival.around, festival.id, player_of(festival, 2), number, now=festival.now
    )
    assert festival.event.ladder == (1, 4, 2, 3, 5)
    assert len(festival.notices("event_challenge_answered")) == 2
    with pytest.raises(NotAllowedError, match="challenge_answered"):
        challenging.accept(
            festival.around, festival.id, player_of(festival, 2), number, now=festival.now
        )


def test_a_challenge_without_an_answer_lapses(festival: Festival) -> None:
    challenge(festival, 3, 2)
    festival.advance(6)
    assert festival.event.ladder == (1, 2, 3, 4, 5)
    festival.advance(1)
    assert festival.event.ladder == (1, 3, 2, 4, 5)
    festival.check()


def test_who_cannot_be_challenged(festival: Festival) -> None:
    with pytest.raises(NotAllowedError, match="challenge_too_far"):
        challenge(festival, 5, 1)
    with pytest.raises(NotAllowedError, match="challenge_not_above"):
        challenge(festival, 1, 2)
    with pytest.raises(NotAllowedError, match="no_such_entrant"):
        challenge(festival, 2, 77)
    challenge(festival, 3, 2)
    with pytest.raises(NotAllowedError, match="challenge_busy"):
        challenge(festival, 4, 3)
    stranger = festival.club.join()
    with pytest.raises(NotAllowedError, match="not_in_event"):
        challenging.challenge(festival.around, festival.id, stranger.id, 1, now=festival.now)


def test_who_comes_later_joins_at_the_bottom_and_a_director_ends_it(festival: Festival) -> None:
    festival.enter()
    assert festival.event.ladder == (1, 2, 3, 4, 5, 6)
    by, now = festival.director.id, festival.now
    running.end(festival.around, festival.id, by, reason="The year is over.", now=now)
    assert festival.event.phase == "over"
    with festival.club.store.read() as unit:
        last = unit.acts_of(festival.id)[-1].act
    assert (last.name, last.by, last.reason) == ("finished", by, "The year is over.")
    festival.check()


def test_in_an_event_that_is_no_ladder_nobody_challenges(club: Club) -> None:
    festival = Festival(club, 4, format="swiss")
    festival.start()
    with pytest.raises(NotAllowedError, match="no_ladder"):
        challenge(festival, 4, 1)
