"""Once a week directors are written to, however often that is looked at."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pbem.play.events import making
from pbem.play.events.weekly import tell_directors, week_of
from tests.play.club import Club
from tests.play.events.festival import Festival


def test_weeks_begin_on_mondays_at_six() -> None:
    monday = datetime(2026, 11, 16, 6, tzinfo=UTC)
    assert week_of(monday) == monday
    assert week_of(monday + timedelta(days=6, hours=20)) == monday
    assert week_of(monday - timedelta(minutes=1)) == monday - timedelta(days=7)


def test_each_director_of_a_running_event_is_told_once_a_week(club: Club) -> None:
    festival = Festival(club, 4, format="swiss")
    Festival(club, 0, format="swiss")  # is open
    second = club.join()
    by = festival.director.id
    making.add_director(club.around, festival.id, by, second.id, now=festival.now)
    festival.start()
    assert tell_directors(club.around, now=festival.now) == 0, "it was made on this Monday"
    for days in (7, 8, 13, 14, 14):
        assert tell_directors(club.around, now=festival.now + timedelta(days=days)) == 1
    told = festival.notices("director_weekly")
    assert sorted((each.player_id, str(each.facts["week"])) for each in told) == sorted(
        (player_id, week) for player_id in (by, second.id) for week in ("2026-11-23", "2026-11-30")
    )
