"""The games of an event: how they begin, what they bring, and what records say of them."""

from __future__ import annotations

from datetime import timedelta

from pbem.play import games
from pbem.play.archive import record_of
from pbem.play.events import games_of
from tests.play.club import Club
from tests.play.events.festival import Festival


def test_a_pair_swaps_houses_and_gold_starts_in_both(club: Club) -> None:
    festival = Festival(club, 2, format="round_robin")
    festival.start()
    first, second = festival.running()
    with club.store.read() as unit:
        one, other = (unit.find_game(row.game_id or "") for row in (first, second))
    assert one is not None
    assert other is not None
    assert one.players == other.players[::-1]
    assert one.start.options["starter"] == other.start.options["starter"] == "gold"
    assert one.start.options["level"] == "apprentice"


def test_records_and_pages_know_the_event(club: Club) -> None:
    festival = Festival(club, 2, format="round_robin", title="Winter Cup")
    festival.start()
    _, row = festival.running()
    festival.resign(row, 0)
    with club.store.read() as unit:
        stored = games.get_stored(unit, row.game_id or "")
        record = record_of(unit, stored, {})
        place = games_of.event_of(unit, stored.id)
        assert games_of.event_of(unit, "none") is None
    assert '[Event "Winter Cup"]' in record
    assert '[Round "1.2"]' in record
    assert place is not None
    assert place.event.id == festival.id
    assert place.index == 1


def test_who_never_begins_has_forfeited_and_who_runs_out_of_time_later_has_played(
    club: Club,
) -> None:
    festival = Festival(club, 2, format="round_robin", meeting="single")
    festival.start()
    [row] = festival.running()
    games.submit(club.around, row.game_id or "", 0, "setup WWEEAAFF", arrived=festival.now)
    festival.now += timedelta(days=30)
    club.sweep(festival.now)
    festival.advance()
    [encounter] = festival.event.encounters
    result = encounter.games[0].result
    assert result is not None
    assert (result.gold, result.black, result.ending) == (2, 0, "forfeit")
    assert festival.event.phase == "over"


def test_where_nobody_comes_nobody_has_points(club: Club) -> None:
    festival = Festival(club, 2, format="round_robin", meeting="single")
    festival.start()
    festival.now += timedelta(days=30)
    club.sweep(festival.now)
    festival.advance()
    result = festival.event.encounters[0].games[0].result
    assert result is not None
    assert (result.gold, result.black, result.ending) == (0, 0, "void")
    festival.check()


def test_with_a_bid_it_is_told_who_started(club: Club) -> None:
    festival = Festival(club, 2, format="round_robin", meeting="bid")
    festival.start()
    [row] = festival.running()
    with club.store.read() as unit:
        stored = games.get_stored(unit, row.game_id or "")
    assert stored.start.options["bid"] is True
    assert "starter" not in stored.start.options


def test_a_thematic_event_begins_from_its_position(club: Club) -> None:
    position = (
        "origin master b 7 | 22 9 | 1 0 | K1 - "
        "| W1@F6 F2@I6 E3@F9 A4@J7 A5@L1 E6@M1 F7@I3 W8@O1 "
        "| W1@G11 F2@I11 E3@F12 A4@H11 A5@L8 E6@C15 F7@D12 W8@A15"
    )
    agreement = {"clock": "3d+1d", "position": position}
    festival = Festival(club, 2, format="round_robin", agreement=agreement)
    festival.start()
    for row in festival.running():
        festival.resign(row, 0)
    festival.advance()
    event = festival.event
    assert event.phase == "over"
    results = [game.result for game in event.encounters[0].games if game.result]
    assert [result.gold for result in results] == [0, 0]
    assert [result.starter for result in results] == ["black", "black"]
