"""What directors do, what only they can do, and what is left of it in the public log."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.play import games
from pbem.play.errors import NotAllowedError
from pbem.play.events import directing, making, running, statements, substituting
from tests.play.club import Club
from tests.play.events.festival import Festival


@pytest.fixture
def festival(club: Club) -> Festival:
    made = Festival(club, 4, format="round_robin", meeting="single", round_days=20, pace="rounds")
    made.start()
    return made


def test_a_ruling_is_in_the_event_and_in_the_game(festival: Festival) -> None:
    row = festival.running()[0]
    directing.adjudicate(
        festival.around,
        festival.id,
        festival.director.id,
        (row.encounter, row.game),
        "black",
        reason="Five Wells.",
        now=festival.now,
    )
    result = festival.event.encounter(row.encounter).games[0].result
    assert result is not None
    assert (result.gold, result.black, result.ending) == (0, 2, "adjudicated")
    with festival.club.store.read() as unit:
        stored = games.get_stored(unit, row.game_id or "")
        assert unit.find_event_game(stored.id) is not None
    assert (stored.winner, stored.termination) == (1, "ruling")
    festival.advance()
    assert festival.names().count("result") == 0, "it is not taken in again"
    assert len(festival.notices("event_ruled")) == 2
    with pytest.raises(NotAllowedError, match="game_over"):
        directing.adjudicate(
            festival.around, festival.id, None, (row.encounter, row.game), "gold", now=festival.now
        )
    festival.check()


def test_a_game_that_was_over_is_not_ruled_on(festival: Festival) -> None:
    row = festival.running()[0]
    festival.resign(row, 0)
    with pytest.raises(NotAllowedError, match="game_over"):
        directing.adjudicate(
            festival.around, festival.id, None, (row.encounter, row.game), "gold", now=festival.now
        )
    festival.advance()
    result = festival.event.encounter(row.encounter).games[0].result
    assert result is not None
    assert (result.gold, result.ending) == (0, "played")


def test_a_correction_needs_a_reason_and_leaves_the_game_alone(festival: Festival) -> None:
    row = festival.running()[0]
    which = (row.encounter, row.game)
    by = festival.director.id
    with pytest.raises(NotAllowedError, match="no_result_yet"):
        directing.correct(
            festival.around, festival.id, by, which, "draw", reason="So.", now=festival.now
        )
    festival.resign(row, 0)
    festival.advance()
    with pytest.raises(NotAllowedError, match="needs_reason"):
        directing.correct(
            festival.around, festival.id, by, which, "draw", reason=" ", now=festival.now
        )
    directing.correct(
        festival.around, festival.id, by, which, "draw", reason="A bug.", now=festival.now
    )
    result = festival.event.encounter(row.encounter).games[0].result
    assert result is not None
    assert (result.gold, result.black, result.ending) == (1, 1, "corrected")
    with festival.club.store.read() as unit:
        assert games.get_stored(unit, row.game_id or "").termination == "resignation"
        log = [kept.act for kept in unit.acts_of(festival.id)]
    assert [act.reason for act in log if act.name == "corrected"] == ["A bug."]


def test_an_annulled_game_ends_and_brings_nobody_anything(festival: Festival) -> None:
    row = festival.running()[0]
    directing.annul(
        festival.around,
        festival.id,
        festival.director.id,
        (row.encounter, row.game),
        reason="Both were ill.",
        now=festival.now,
    )
    result = festival.event.encounter(row.encounter).games[0].result
    assert result is not None
    assert (result.gold, result.black, result.ending) == (0, 0, "void")
    assert row.game_id not in {each.game_id for each in festival.running()}
    festival.advance()
    assert festival.event.encounter(row.encounter).games[0].result == result


def test_warning_and_disqualifying(festival: Festival) -> None:
    by, place = festival.director.id, 2
    directing.warn(festival.around, festival.id, by, place, reason="Be civil.", now=festival.now)
    assert festival.event.entrant(place).warnings == 1
    directing.disqualify(
        festival.around, festival.id, by, place, reason="Still not.", now=festival.now
    )
    festival.advance()
    event = festival.event
    assert event.entrant(place).standing == "disqualified"
    results = [game.result for each in event.of_entrant(place) for game in each.games]
    assert all(result is not None and result.ending == "forfeit" for result in results)
    told = festival.notices("event_warning")
    assert [each.player_id for each in told] == [event.entrant(place).player_id] * 2
    festival.check()


def test_games_of_somebody_who_is_out_can_be_nobodys(festival: Festival) -> None:
    directing.withdraw(
        festival.around,
        festival.id,
        festival.director.id,
        1,
        reason="Called away.",
        is_annulled=True,
        now=festival.now,
    )
    festival.advance()
    event = festival.event
    results = [game.result for each in event.of_entrant(1) for game in each.games]
    assert all(result is not None and result.ending == "void" for result in results)
    festival.check()


def test_a_pause_stops_rounds_and_starts_nothing_but_results_count(festival: Festival) -> None:
    by = festival.director.id
    running.pause(festival.around, festival.id, by, reason="Holidays.", now=festival.now)
    for row in festival.running():
        festival.resign(row, 0)
    festival.advance(60)
    assert festival.event.round == 1
    assert all(each.is_over for each in festival.event.of_round(1))
    assert festival.running() == []
    running.resume(festival.around, festival.id, by, now=festival.now)
    festival.advance()
    assert festival.event.round == 2
    assert len(festival.running()) == 2
    news = festival.notices("event_news")
    assert len(news) == 8, "four players, told of the pause and of its end"
    festival.check()


def test_a_round_turns_over_at_its_limit_and_later_if_it_is_extended(festival: Festival) -> None:
    running.extend(
        festival.around, festival.id, festival.director.id, 5, now=festival.now, reason="Snow."
    )
    festival.advance(21)
    assert festival.event.round == 1
    festival.advance(4)
    assert festival.event.round == 2
    assert len(festival.running()) == 4, "the games of the first round go on"
    festival.check()


DEEDS: dict[str, Callable[[Festival, int], object]] = {
    "start": lambda f, by: running.start(f.around, f.id, by, now=f.now),
    "pause": lambda f, by: running.pause(f.around, f.id, by, now=f.now),
    "extend": lambda f, by: running.extend(f.around, f.id, by, 3, now=f.now),
    "end": lambda f, by: running.end(f.around, f.id, by, now=f.now),
    "cancel": lambda f, by: making.cancel(f.around, f.id, by, reason="x", now=f.now),
    "change": lambda f, by: making.change(f.around, f.id, by, {"about": "x"}, now=f.now),
    "add": lambda f, by: making.add_director(f.around, f.id, by, by, now=f.now),
    "remove": lambda f, by: making.remove_director(f.around, f.id, by, f.director.id, now=f.now),
    "warn": lambda f, by: directing.warn(f.around, f.id, by, 1, reason="x", now=f.now),
    "disqualify": lambda f, by: directing.disqualify(f.around, f.id, by, 1, reason="x", now=f.now),
    "withdraw": lambda f, by: directing.withdraw(f.around, f.id, by, 1, now=f.now),
    "rule": lambda f, by: directing.adjudicate(f.around, f.id, by, (1, 0), "gold", now=f.now),
    "correct": lambda f, by: directing.correct(
        f.around, f.id, by, (1, 0), "gold", reason="x", now=f.now
    ),
    "annul": lambda f, by: directing.annul(f.around, f.id, by, (1, 0), reason="x", now=f.now),
    "substitute": lambda f, by: substituting.ask_substitute(f.around, f.id, by, 1, by, now=f.now),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_only_directors_do_what_directors_do(festival: Festival, deed: str) -> None:
    stranger = festival.club.join()
    before = festival.club.contents()
    for by in (stranger.id, festival.players[0].id):
        with pytest.raises(NotAllowedError, match="not_director"):
            DEEDS[deed](festival, by)
    assert festival.club.contents() == before


def test_directors_come_and_go_but_the_last_stays(festival: Festival) -> None:
    second = festival.club.join()
    by = festival.director.id
    making.add_director(festival.around, festival.id, by, second.id, now=festival.now)
    with pytest.raises(NotAllowedError, match="director_already"):
        making.add_director(festival.around, festival.id, by, second.id, now=festival.now)
    making.remove_director(festival.around, festival.id, second.id, by, now=festival.now)
    assert festival.event.directors == (second.id,)
    with pytest.raises(NotAllowedError, match="not_director"):
        running.pause(festival.around, festival.id, by, now=festival.now)
    with pytest.raises(NotAllowedError, match="last_director"):
        making.remove_director(festival.around, festival.id, second.id, second.id, now=festival.now)


def test_little_of_the_charter_changes_once_it_runs(festival: Festival) -> None:
    by = festival.director.id
    with pytest.raises(NotAllowedError, match="charter_fixed"):
        making.change(festival.around, festival.id, by, {"meeting": "pair"}, now=festival.now)
    making.change(festival.around, festival.id, by, {"round_days": 9}, now=festival.now)
    festival.advance(10)
    assert festival.event.round == 2


def test_a_substitute_is_asked_agrees_and_takes_over_what_runs(festival: Festival) -> None:
    club, by = festival.club, festival.director.id
    festival.resign(next(row for row in festival.running() if row.encounter == 1), 0)
    festival.advance(21)
    before = festival.players[0]
    shy, eager = club.join(), club.join()
    for each in (shy, eager):
        substituting.ask_substitute(festival.around, festival.id, by, 1, each.id, now=festival.now)
    with pytest.raises(NotAllowedError, match="not_asked"):
        substituting.take_place(festival.around, festival.id, shy.id, now=festival.now)
    substituting.take_place(festival.around, festival.id, eager.id, now=festival.now)
    place = festival.event.entrant(1)
    assert [holder.player_id for holder in place.holders] == [before.id, eager.id]
    with club.store.read() as unit:
        running_games = unit.games_of(eager.id)
        assert unit.games_of(before.id, is_over=False) == []
        assert {unit.find_event_game(each) is not None for each in running_games} == {True}
        assert unit.events_of(before.id) == []
    assert len(running_games) >= 1
    assert {each.player_id for each in festival.notices("substitute_asked")} == {
        shy.id,
        eager.id,
    }
    festival.play_out(lambda row: row.encounter % 2)
    festival.check()


def test_who_was_asked_may_say_no(festival: Festival) -> None:
    asked = festival.club.join()
    by = festival.director.id
    substituting.ask_substitute(festival.around, festival.id, by, 1, asked.id, now=festival.now)
    substituting.decline_place(festival.around, festival.id, asked.id, now=festival.now)
    assert festival.event.asked == ()
    with pytest.raises(NotAllowedError, match="not_asked"):
        substituting.take_place(festival.around, festival.id, asked.id, now=festival.now)
    with pytest.raises(NotAllowedError, match="entered_already"):
        substituting.ask_substitute(
            festival.around, festival.id, by, 1, festival.players[1].id, now=festival.now
        )


def test_statements_are_for_directors_and_their_authors(festival: Festival) -> None:
    event = festival.event
    game = event.encounter(1).games[0]
    author, other = (event.entrant(each).player_id for each in (game.gold, game.black))
    stranger = festival.club.join()
    for text in ("I stand better.", "I stand much better."):
        statements.state(festival.around, festival.id, author, (1, 0), text, now=festival.now)
    with pytest.raises(NotAllowedError, match="not_in_event"):
        statements.state(festival.around, festival.id, stranger.id, (1, 0), "Hm.", now=festival.now)

    def read_by(viewer: int | None) -> list[str]:
        with festival.club.store.read() as unit:
            found = statements.statements_for(unit, festival.id, 1, 0, viewer=viewer)
            return [each.text for each in found]

    assert read_by(author) == read_by(festival.director.id) == ["I stand much better."]
    assert read_by(other) == read_by(None) == []
    assert len(festival.notices("director_dossier")) == 1


def test_a_cancelled_event_starts_and_counts_nothing_more(festival: Festival) -> None:
    row = festival.running()[0]
    making.cancel(
        festival.around, festival.id, festival.director.id, reason="Nobody came.", now=festival.now
    )
    festival.resign(row, 0)
    done = festival.advance(30)
    assert (done.acts, done.games) == (1, 0)
    assert festival.event.encounter(row.encounter).games[0].result is None
    assert festival.advance().events == 0
    assert festival.names()[-1] == "cancelled"
