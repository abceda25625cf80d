"""Forecasts of real events: from the answers that were given, with leaves and clocks."""

from __future__ import annotations

from datetime import date, timedelta

from pbem.play import leave
from pbem.play.events.leaving import effects_on_events
from pbem.play.events.pace import effect_of_leave, forecast_event, habits_of
from pbem.play.model import Player
from pbem.tournaments.forecast import EventForecast
from pbem.tournaments.habits import USUAL, Habit
from tests.play.club import Club, Match, at
from tests.play.events.festival import Festival, day

SLOW = {"clock": "90d", "level": "apprentice"}


def told(festival: Festival) -> EventForecast:
    with festival.around.store.read() as unit:
        return forecast_event(unit, festival.event, now=festival.now)


def habit(club: Club, player: Player, days: float = 60) -> Habit:
    with club.around.store.read() as unit:
        found = habits_of(unit, {player.id: unit.find_player(player.id)}, now=day(days))
    return found[player.id]


def played(club: Club, gold: Player, black: Player, hours: float, *, turns: int = 6) -> Match:
    """Gold answers at once, Black takes so many hours."""
    match = club.start(gold=gold, black=black, starter="gold", clock="90d")
    match.set_up(0)
    now = 0.0
    for _ in range(turns):
        match.send("gold", "end", now)
        now += hours
        match.send("black", "end", now)
    return match


def test_how_long_players_take_is_read_from_their_answers(club: Club) -> None:
    ann, ben = club.join(), club.join()
    played(club, ann, ben, 50, turns=12)
    quick, slow = habit(club, ann), habit(club, ben)
    assert quick.answers == 13
    assert slow.answers == 13
    assert quick.median < USUAL.median < slow.median < timedelta(hours=50)
    assert habit(club, club.join()) == USUAL
    assert habit(club, ben, days=400) == USUAL, "that was long ago"


def test_a_flag_or_somebody_elses_act_is_no_answer(club: Club) -> None:
    ann, ben = club.join(), club.join()
    match = club.start(gold=ann, black=ben, starter="gold", clock="3d")
    match.set_up(0)
    match.send("gold", "end", 1)
    club.sweep(day(30))
    assert match.stored.is_over
    assert habit(club, ben).answers == 1
    assert habit(club, ann).answers == 2


def test_a_leave_is_not_slowness(club: Club) -> None:
    ann, ben, cleo = club.join(), club.join(), club.join()
    leave.take_leave(club.around, ben.id, date(2026, 11, 18), date(2026, 11, 27), now=at(0))
    for black in (ben, cleo):
        match = club.start(gold=ann, black=black, starter="gold", clock="90d")
        match.set_up(0)
        match.send("gold", "end", 0)
        match.send("black", "end", day(13))
    assert habit(club, ben).median < habit(club, cleo).median


def test_a_running_event(club: Club) -> None:
    festival = Festival(club, 4, format="round_robin", meeting="single", agreement=SLOW)
    festival.start()
    before = told(festival)
    assert len(before.games) == 6
    assert before.event is not None
    assert before.event.median > festival.now
    assert before.round == before.event
    assert all(game.time_outs == () for game in before.games)
    festival.advance(30)
    outs = [out for game in told(festival).games for out in game.time_outs]
    assert {out.player_id for out in outs} == {player.id for player in festival.players}
    assert {out.at for out in outs} == {day(90)}, "nobody has answered"
    club.sweep(day(200))
    festival.advance(170)
    over = told(festival)
    assert (over.games, over.round) == ((), None)


def test_rounds_that_follow_make_an_event_longer(club: Club) -> None:
    ends = []
    for rounds in (1, 3):
        festival = Festival(club, 4, format="swiss", rounds=rounds, agreement=SLOW)
        festival.start()
        forecast = told(festival)
        assert forecast.event is not None
        assert forecast.round is not None
        ends.append(forecast.event.median - forecast.round.median)
    assert ends[0] == timedelta(0)
    assert ends[1] > timedelta(days=20)


def test_a_ladder_has_no_end(club: Club) -> None:
    festival = Festival(club, 3, format="ladder", agreement=SLOW)
    festival.start()
    assert told(festival).event is None


def test_what_a_leave_would_do(club: Club) -> None:
    festival = Festival(club, 3, format="round_robin", meeting="single", agreement=SLOW)
    festival.start()
    away = (day(2), day(20))
    before = club.contents()
    with club.around.store.read() as unit:
        one, other = (
            effect_of_leave(unit, festival.event, player.id, away, now=festival.now)
            for player in (festival.players[0], festival.director)
        )
    assert timedelta(days=5) < one.event_later < timedelta(days=18)
    assert set(one.waiting) == {player.id for player in festival.players[1:]}
    assert (other.event_later, other.waiting) == (timedelta(0), ())
    assert club.contents() == before


def test_only_events_that_go_on_and_are_ones_own(club: Club) -> None:
    festival = Festival(club, 3, format="round_robin", max_entrants=4, agreement=SLOW)
    away = (day(2), day(20))
    ann = festival.players[0]

    def told(player: Player) -> list[str]:
        with club.around.store.read() as unit:
            found = effects_on_events(unit, player.id, away, now=festival.now)
        return [name for each in found for name in (each.title, *each.waiting)]

    assert told(ann) == []
    festival.start()
    assert told(ann) == ["Autumn", *(player.name for player in festival.players[1:])]
    assert told(festival.director) == told(club.join()) == []
