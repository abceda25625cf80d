"""What nobody can do to an event: have it come to nothing, judge their own game, write to others
without end, or announce what no calendar has."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.games.base import OptionsError
from pbem.play import farewell, games
from pbem.play.errors import NotAllowedError
from pbem.play.events import (
    directing,
    entering,
    making,
    running,
    statements,
    substituting,
)
from pbem.play.events.dossiers import open_dossier
from pbem.play.events.naming import names_in
from pbem.play.events.open_event import MOST_A_DAY
from pbem.play.model import Player
from tests.play.club import NOON, Club
from tests.play.events.festival import Festival, day

# -- accounts that become one ----------------------------------------------------------------------


def _two_entered_and_one_left(festival: Festival) -> tuple[Player, Player]:
    gone, kept = festival.players[:2]
    entering.leave(festival.around, festival.id, gone.id, now=NOON)
    return kept, gone


def _two_played_and_one_withdrew(festival: Festival) -> tuple[Player, Player]:
    festival.start()
    kept, gone = festival.players[0], _stranger_to(festival, 1)
    entering.leave(festival.around, festival.id, gone.id, now=NOON)
    festival.advance()
    return kept, gone


def _two_played_and_it_is_over(festival: Festival) -> tuple[Player, Player]:
    festival.start()
    gone = _stranger_to(festival, 1)
    festival.play_out(lambda row: 0)
    return festival.players[0], gone


def _both_direct(festival: Festival) -> tuple[Player, Player]:
    second = festival.club.join()
    making.add_director(
        festival.around, festival.id, festival.director.id, second.id, now=festival.now
    )
    return festival.director, second


def _one_is_asked_to_replace_the_other(festival: Festival) -> tuple[Player, Player]:
    festival.start()
    asked = festival.club.join()
    substituting.ask_substitute(
        festival.around, festival.id, festival.director.id, 1, asked.id, now=NOON
    )
    return festival.players[0], asked


def _one_has_replaced_the_other(festival: Festival) -> tuple[Player, Player]:
    kept, asked = _one_is_asked_to_replace_the_other(festival)
    substituting.take_place(festival.around, festival.id, asked.id, now=NOON)
    return kept, asked


def _one_was_disqualified_and_the_other_came(festival: Festival) -> tuple[Player, Player]:
    by = festival.director.id
    directing.disqualify(festival.around, festival.id, by, 1, reason="Rude.", now=NOON)
    return festival.enter(), festival.players[0]


def _stranger_to(festival: Festival, number: int) -> Player:
    """Somebody in the event who has not met this entrant."""
    event = festival.event
    met = {each.opponent_of(number) for each in event.of_entrant(number)}
    other = next(each for each in event.entrants if each.number not in {number, *met})
    return next(each for each in festival.players if each.id == other.player_id)


@pytest.mark.parametrize(
    "happens",
    [
        _two_entered_and_one_left,
        _two_played_and_one_withdrew,
        _two_played_and_it_is_over,
        _both_direct,
        _one_is_asked_to_replace_the_other,
        _one_has_replaced_the_other,
        _one_was_disqualified_and_the_other_came,
    ],
)
def test_accounts_that_met_in_an_event_stay_two_and_the_event_is_whole(
    club: Club, happens: Callable[[Festival], tuple[Player, Player]]
) -> None:
    festival = Festival(club, 4, format="swiss", rounds=1, meeting="single")
    kept, gone = happens(festival)
    with pytest.raises(NotAllowedError, match="same_event"):
        farewell.merge(club.around, kept.id, gone.id, now=festival.now)
    festival.check()


def test_who_left_an_event_before_their_other_account_came_can_be_one(club: Club) -> None:
    festival = Festival(club, 4, format="swiss")
    gone = festival.players[0]
    entering.leave(club.around, festival.id, gone.id, now=NOON)
    kept = festival.enter()
    farewell.merge(club.around, kept.id, gone.id, now=NOON)
    festival.check()
    assert [each.player_id for each in festival.event.entrants].count(kept.id) == 2


def test_a_director_and_an_entrant_who_were_both_told_can_be_one(club: Club) -> None:
    festival = Festival(club, 4, format="swiss")
    festival.start()
    substitute = club.join()
    by = festival.director.id
    substituting.ask_substitute(club.around, festival.id, by, 1, substitute.id, now=NOON)
    substituting.take_place(club.around, festival.id, substitute.id, now=NOON)
    (told,) = {each.cause for each in festival.notices("event_substituted")}
    rival = next(
        each.player_id
        for each in festival.notices("event_substituted")
        if each.player_id in {player.id for player in festival.players[1:]}
    )
    farewell.merge(club.around, rival, by, now=NOON)
    mine = [
        each
        for each in festival.notices("event_substituted")
        if (each.cause, each.player_id) == (told, rival)
    ]
    assert len(mine) == 1
    assert festival.event.directors == (rival,)


# -- directors who play ----------------------------------------------------------------------------


@pytest.fixture
def playing(club: Club) -> Festival:
    """An event whose director plays in it against its first entrant."""
    festival = Festival(club, 1, format="knockout")
    festival.enter(festival.director)
    festival.start()
    return festival


def test_a_director_does_not_read_what_the_opponent_says_of_their_game(
    club: Club, playing: Festival
) -> None:
    for player in playing.players:
        statements.state(club.around, playing.id, player.id, (1, 0), "Look.", now=NOON)
    with club.store.read() as unit:
        seen = open_dossier(unit, playing.id, playing.director, (1, 0), now=NOON)
    assert [each.player_id for each in seen.statements] == [playing.director.id]


@pytest.mark.parametrize("is_annulled", [False, True])
@pytest.mark.parametrize("put_out", [directing.disqualify, directing.withdraw])
def test_a_director_does_not_put_out_whom_they_play(
    club: Club, playing: Festival, put_out: Callable[..., object], is_annulled: bool
) -> None:
    by = playing.director.id
    with pytest.raises(NotAllowedError, match="own_game_to_rule"):
        put_out(
            club.around,
            playing.id,
            by,
            1,
            reason="I would lose.",
            is_annulled=is_annulled,
            now=NOON,
        )
    directing.withdraw(club.around, playing.id, by, 2, now=NOON)
    assert playing.event.entrant(2).standing == "withdrawn"


def test_a_director_who_gave_up_a_place_does_not_judge_its_games(
    club: Club, playing: Festival
) -> None:
    by, after = playing.director.id, club.join()
    substituting.ask_substitute(club.around, playing.id, by, 2, after.id, now=NOON)
    substituting.take_place(club.around, playing.id, after.id, now=NOON)
    with pytest.raises(NotAllowedError, match="own_game_to_rule"):
        directing.adjudicate(club.around, playing.id, by, (1, 0), "black", now=NOON)
    with club.store.read() as unit:
        assert open_dossier(unit, playing.id, playing.director, (1, 0), now=NOON).is_own


# -- substitutes -----------------------------------------------------------------------------------


def test_nobody_takes_over_the_other_side_of_what_was_theirs(club: Club) -> None:
    festival = Festival(club, 2, format="knockout")
    festival.start()
    by, after, before = festival.director.id, club.join(), festival.players[0]
    substituting.ask_substitute(club.around, festival.id, by, 1, after.id, now=NOON)
    substituting.take_place(club.around, festival.id, after.id, now=NOON)
    with pytest.raises(NotAllowedError, match="sat_opposite"):
        substituting.ask_substitute(club.around, festival.id, by, 2, before.id, now=NOON)
    assert festival.event.asked == ()


def test_a_substitute_reads_no_notes_of_who_had_the_place(club: Club) -> None:
    festival = Festival(club, 2, format="knockout", meeting="single")
    festival.start()
    (row,) = festival.running()
    assert row.game_id is not None
    number = festival.event.encounter(1).games[0].gold
    for seat in (0, 1):
        games.write_note(club.around, row.game_id, seat, f"note {seat}", now=NOON)
    by, after = festival.director.id, club.join()
    substituting.ask_substitute(club.around, festival.id, by, number, after.id, now=NOON)
    substituting.take_place(club.around, festival.id, after.id, now=NOON)
    with club.store.read() as unit:
        assert unit.notes_of(row.game_id, 0) == []
        assert [note.text for note in unit.notes_of(row.game_id, 1)] == ["note 1"]


def test_who_was_asked_twice_and_takes_one_place_is_asked_no_more(club: Club) -> None:
    festival = Festival(club, 4, format="swiss")
    festival.start()
    asked = club.join()
    for entrant in (1, 2):
        substituting.ask_substitute(
            club.around, festival.id, festival.director.id, entrant, asked.id, now=NOON
        )
    substituting.take_place(club.around, festival.id, asked.id, now=NOON)
    assert festival.event.asked == ()
    with club.store.read() as unit:
        assert [role for _, role in unit.events_of(asked.id)] == ["entrant"]


# -- too often -------------------------------------------------------------------------------------


def test_nobody_enters_and_leaves_without_end(club: Club) -> None:
    festival = Festival(club, 0, format="swiss")
    player = club.join()
    for _ in range(MOST_A_DAY["entered"]):
        entering.enter(club.around, festival.id, player.id, now=NOON)
        entering.leave(club.around, festival.id, player.id, now=NOON)
    with pytest.raises(NotAllowedError, match="acted_often"):
        entering.enter(club.around, festival.id, player.id, now=NOON)
    festival.check()
    festival.now = day(2)
    festival.enter(player)


def test_nobody_is_asked_without_end_by_one_director(club: Club) -> None:
    festival = Festival(club, 2, format="swiss")
    festival.start()
    by, asked = festival.director.id, club.join()

    def ask() -> None:
        substituting.ask_substitute(club.around, festival.id, by, 1, asked.id, now=NOON)

    for _ in range(MOST_A_DAY["substitute_asked"]):
        ask()
    with pytest.raises(NotAllowedError, match="acted_often"):
        ask()
    assert len(festival.notices("substitute_asked")) == MOST_A_DAY["substitute_asked"]


def test_nobody_is_told_of_pauses_without_end(club: Club) -> None:
    festival = Festival(club, 2, format="swiss")
    festival.start()
    by = festival.director.id
    for _ in range(MOST_A_DAY["paused"]):
        running.pause(club.around, festival.id, by, now=NOON)
        running.resume(club.around, festival.id, by, now=NOON)
    with pytest.raises(NotAllowedError, match="acted_often"):
        running.pause(club.around, festival.id, by, now=NOON)
    assert festival.event.phase == "running"


def test_names_of_many_are_read_at_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    festival = Festival(club, 5, format="swiss")
    with club.store.read() as unit:
        expected = {each.id: each.name for each in (festival.director, *festival.players)}
        monkeypatch.setattr(type(unit), "find_player", lambda *_: pytest.fail("one by one"))
        assert names_in(unit, festival.event).players == expected


@pytest.mark.parametrize("sign", ["\0", "\x1b[2J", "\ud800"])
def test_what_is_announced_has_no_signs_that_no_mail_can_have(club: Club, sign: str) -> None:
    with pytest.raises(OptionsError) as refused:
        Festival(club, 0, format="swiss", about=f"Bring tea.\n{sign}")
    assert set(refused.value.faults) == {"about"}


# -- what no calendar has --------------------------------------------------------------------------


@pytest.mark.parametrize("when", ["0001-01-01T00:00+14:00", "9999-12-31T23:59-12:00"])
def test_an_instant_beyond_all_calendars_is_a_fault_of_the_form(club: Club, when: str) -> None:
    with pytest.raises(OptionsError) as refused:
        Festival(club, 0, format="swiss", starts_at=when)
    assert set(refused.value.faults) == {"starts_at"}
