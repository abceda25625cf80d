"""Clocks in games (R9.3, L1.6, L5, L6): nothing depends on when anybody looks."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import pytest

from pbem.errors import StoreBusyError, StoreUnavailableError
from pbem.play import games, leave, open_game, players
from pbem.play.calendars import LONGEST_STOP, STOPS_TOGETHER
from pbem.play.errors import NotAllowedError
from pbem.play.model import Notice, Preferences
from pbem.schedule.errors import ScheduleError
from pbem.schedule.leave import LeaveRules
from pbem.store.games import GameRow
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import NOON, TICK, Club, Match, at

HOUR = timedelta(hours=1)
SHOT = "W1 rng I4"


def reminders(match: Match) -> list[tuple[int, datetime]]:
    """Per cent and instant of the reminders that were written, in order."""
    found: list[Notice] = []
    for row in match.requests(only_open=False):
        for percent in range(1, 100):
            found += match.notices_for(f"request/{row.id}/{percent}")
    return sorted((int(str(each.facts["percent"])), each.created_at) for each in found)


# -- flags --------------------------------------------------------------------------------------


@pytest.mark.parametrize("looks", [[10], [10, 11, 500], [9.999, 10, 10]], ids=str)
def test_flag_at_the_exact_deadline(club: Club, looks: list[float]) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    assert match.stored.due == at(5), "half of the time"
    for hours in looks:
        match.sweep(at(hours))
    assert match.result() == ("black", "time")
    (entry,) = match.entries(1)
    assert (entry.text, entry.at, entry.arrived) == ("time 0", at(10), at(10))
    assert match.stored.ended_at == at(10)
    assert match.notices(1) == {"gold": "game_over", "black": "game_over"}
    match.verify()


def test_flag_without_any_sweep(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    assert match.refused("gold", "end", 10) == "game_over"
    assert match.texts() == [(None, "time 0")]
    assert match.stored.ended_at == at(10)


def test_stored_in_time_beats_the_flag_however_late_it_is_read(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    match.sweep(at(9))
    match.send("gold", "end", at(10) - TICK)
    assert match.bank("gold") == TICK
    assert match.asked() == [("black", "turn")]
    match.verify()


def test_both_late_with_their_setups(club: Club) -> None:
    match = club.start(clock="10h")
    match.send("gold", "setup WFEAAEFW", 4)
    match.sweep(at(40))
    assert match.result() == ("gold", "time")
    assert match.entries()[-1].at == at(10)
    match.verify()


@pytest.mark.parametrize("looks", [[40], [9.999, 10, 11]], ids=str)
def test_nobody_sends_a_setup(club: Club, looks: list[float]) -> None:
    """Both flags at one instant: neither House can be said to be first."""
    match = club.start(clock="10h")
    for hours in looks:
        match.sweep(at(hours))
    assert match.result() == (None, "ruling")
    assert match.texts() == [(None, "ruling draw")]
    assert match.stored.ended_at == at(10)
    assert match.notices(1) == {"gold": "game_over", "black": "game_over"}
    assert match.requests() == []
    match.verify()


def test_nobody_sends_a_setup_but_one_flag_is_first(club: Club) -> None:
    late = club.join(quiet_from=time(23), quiet_to=time(7))
    match = club.start(clock="30h", gold=late)
    match.sweep(at(100))
    assert match.result() == ("gold", "time"), "eight hours of the night do not count for Gold"
    assert match.stored.ended_at == at(30)
    match.verify()


# -- banks --------------------------------------------------------------------------------------


def test_increment_and_cap(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h+3h cap 11h")
    match.send("gold", "W1>F5", 1)
    assert match.bank("gold") == 10 * HOUR, "the question is still open"
    match.send("gold", "end", 4)
    assert match.bank("gold") == 9 * HOUR
    match.send("black", "end", 5)
    assert match.bank("black") == 11 * HOUR, "never over the cap"
    assert match.deadline("gold") == at(14)
    match.verify()


def test_increment_for_a_turn_that_a_plan_ended(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h+3h")
    match.send("gold", f"{SHOT}; end", 1)
    match.send("black", "I4-", 3)
    assert match.bank("gold") == 12 * HOUR
    assert match.bank("black") == 8 * HOUR, "without a clock of its own a defence uses the bank"
    match.verify()


def test_longest_time_for_one_decision(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h longest 4h")
    assert match.deadline("gold") == at(4)
    match.send("gold", "end", 3)
    match.send("black", "end", 3)
    assert match.deadline("gold") == at(7)
    match.send("gold", "end", 6)
    match.send("black", "end", 6)
    match.send("gold", "end", 9)
    match.send("black", "end", 9)
    assert match.deadline("gold") == at(10), "one hour is left in the bank"
    match.sweep(at(12))
    assert match.result() == ("black", "time")
    match.verify()


# -- defence clocks -----------------------------------------------------------------------------


@pytest.mark.parametrize(("default", "sign"), [("fall", "-"), ("save", "+")])
def test_end_of_a_defence_clock_is_the_default(club: Club, default: str, sign: str) -> None:
    match = club.study(TWO_ARCHERS, clock=f"10h defence 2h {default}")
    match.send("gold", f"{SHOT} [{sign}: W1>F5; end]", 1)
    assert match.deadline("black") == at(3)
    match.sweep(at(9))
    assert match.texts(2) == [(None, f"default 1 {default}")]
    assert match.entries()[-1].at == at(3)
    assert match.asked() == [("black", "turn")], "Gold's plan ran on"
    assert match.bank("black") == 10 * HOUR
    assert match.deadline("black") == at(13)
    assert match.notices(2) == {"gold": "news", "black": "turn_request"}
    match.verify()


def test_default_saves_only_what_can_be_paid(club: Club) -> None:
    place = {
        "gold": "A4@E6 F2@E4", "black": "W1@G6 F2@F7 A4@G5", "level": "water", "energy": (14, 7)
    }  # fmt: skip
    match = club.study(place, clock="10h defence 2h save")
    match.send("gold", "A4 six G6@F6", 1)
    match.sweep(at(3))
    position = match.state.position
    assert position is not None
    assert position.energy[1] == 1
    assert [saved for _, saved in position.verdicts] == [True, True, False]
    match.verify()


def test_rules_left_meanwhile_come_before_the_default(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h defence 2h fall")
    match.send("gold", SHOT, 1)
    match.send("black", "standing: block all", 2)
    assert match.asked() == [("black", "defence")]
    match.sweep(at(3))
    position = match.state.position
    assert position is not None
    assert position.energy[1] == 10
    assert match.entries()[-1].at == at(3)
    match.verify()


def test_defence_in_time(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h defence 2h fall")
    match.send("gold", SHOT, 1)
    match.send("black", "I4+", at(3) - TICK)
    assert match.asked() == [("gold", "turn")]
    assert match.deadline("gold") == at(12) - TICK
    late = club.study(TWO_ARCHERS, clock="10h defence 2h fall")
    late.send("gold", SHOT, 1)
    request = late.request().id
    done = late.submit("black", "I4+", 3, request_id=request)
    assert isinstance(done, games.TooLate)
    assert [entry.seat for entry in done.since] == [None]
    match.verify()
    late.verify()


def test_several_ends_in_one_late_look(club: Club) -> None:
    """A default, the plan that runs on, another default, and a flag: each at its own instant."""
    match = club.study(TWO_ARCHERS, clock="10h defence 2h fall")
    match.send("black", "standing: ask all", 0)
    match.send("gold", f"{SHOT} [-: end]", 1)
    match.sweep(at(1000))
    assert [(entry.text, entry.at) for entry in match.entries(3)] == [
        ("default 1 fall", at(3)),
        ("time 1", at(13)),
    ]
    assert match.result() == ("gold", "time")
    match.verify()


# -- calendars ----------------------------------------------------------------------------------


def test_leave_moves_a_deadline(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="3d")
    gold, first, last = match.players[0].id, date(2026, 11, 18), date(2026, 11, 19)
    before = club.contents()
    offer = leave.offer_leave(club.around, gold, first, last, now=at(1))
    assert club.contents() == before
    effect = offer.effects[match.id]
    assert effect.before is not None
    assert effect.after is not None
    assert (effect.before.at, effect.after.at) == (at(days=3), at(days=5))
    assert offer.days_left == {2026: 28}
    leave.take_leave(club.around, gold, first, last, now=at(1))
    assert match.deadline("gold") == at(days=5)
    match.send("gold", "end", at(days=2))
    assert match.bank("gold") == timedelta(days=1, hours=12), "one may play while on leave"
    match.verify()


def test_leave_is_never_retroactive(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="3d")
    gold = match.players[0].id
    with pytest.raises(ScheduleError):
        leave.take_leave(club.around, gold, date(2026, 11, 16), date(2026, 11, 20), now=at(days=1))
    with pytest.raises(ScheduleError):
        leave.take_leave(
            club.around, gold, date(2026, 12, 1), date(2027, 1, 5), now=at(1),
            rules=LeaveRules(days_per_year=10),
        )  # fmt: skip
    leave.take_leave(club.around, gold, date(2026, 11, 18), date(2026, 11, 30), now=at(1))
    # Back after half a day, which stays as it was.
    leave.end_leave(club.around, gold, date(2026, 11, 18), now=at(48))
    assert match.deadline("gold") == at(days=3, hours=12)
    with pytest.raises(NotAllowedError):
        leave.end_leave(club.around, gold, date(2026, 11, 19), now=at(50))
    match.verify()


def test_leave_after_the_deadline_saves_nobody(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="1d")
    leave.take_leave(
        club.around, match.players[0].id, date(2026, 11, 19), date(2026, 11, 20), now=at(30)
    )
    assert match.result() == ("black", "time")
    assert [entry.text for entry in match.entries(1)] == ["time 0"]
    assert match.stored.ended_at == at(24)


def test_weekends_from_the_first_day(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="6d", gold=club.join(rests_on_weekends=True))
    assert match.deadline("gold") == at(days=8)
    players.set_preferences(club.around, match.players[0].id, Preferences(), now=at(days=6))
    # Saturday and half of Sunday have been rested; that stays.
    assert match.deadline("gold") == at(days=7, hours=12)
    match.verify()


def test_bounces_stop_and_go_on(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    gold = match.players[0].id
    leave.stop_clocks(club.around, gold, now=at(4))
    leave.stop_clocks(club.around, gold, now=at(5))
    assert match.deadline("gold") == at(4 + 6) + LONGEST_STOP
    match.sweep(at(300))
    assert not match.stored.is_over
    leave.resume_clocks(club.around, gold, now=at(300))
    leave.resume_clocks(club.around, gold, now=at(301))
    assert match.deadline("gold") == at(306)
    assert len(match.texts()) == 2
    match.sweep(at(2000))
    assert match.stored.ended_at == at(306)
    match.verify()


@pytest.mark.parametrize("looks", [[2000], [5, 100, 340, 345, 346, 2000]], ids=str)
def test_a_stop_does_not_last_for_ever(club: Club, looks: list[float]) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    leave.stop_clocks(club.around, match.players[0].id, now=at(4))
    for hours in looks:
        match.sweep(at(hours))
    assert match.result() == ("black", "time")
    assert match.stored.ended_at == at(10) + LONGEST_STOP == at(346)
    match.verify()


def test_a_second_stop_behind_the_first(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    gold = match.players[0].id
    leave.stop_clocks(club.around, gold, now=at(4))
    leave.resume_clocks(club.around, gold, now=at(24))
    leave.stop_clocks(club.around, gold, now=at(26))
    # Both count together: the second is over when the first would have been.
    assert match.deadline("gold") == at(4 + 4) + LONGEST_STOP
    match.verify()


def test_bouncing_again_gains_no_time(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="100d")
    gold = match.players[0].id
    stop, resume = leave.stop_clocks, leave.resume_clocks
    stop(club.around, gold, now=at(0))
    assert match.deadline("gold") == at(0) + timedelta(days=100) + LONGEST_STOP
    resume(club.around, gold, now=at(14 * 24))
    stop(club.around, gold, now=at(20 * 24))
    assert match.deadline("gold") == at(0) + timedelta(days=100) + LONGEST_STOP
    resume(club.around, gold, now=at(21 * 24))
    stop(club.around, gold, now=at(0) + STOPS_TOGETHER)
    assert match.deadline("gold") == at(0) + timedelta(days=100) + 2 * LONGEST_STOP
    match.verify()


def test_a_stop_does_not_save_who_was_late(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    leave.stop_clocks(club.around, match.players[0].id, now=at(10))
    assert match.result() == ("black", "time")


# -- reminders ----------------------------------------------------------------------------------


def test_reminders_once_each(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    for hours in (4, 5, 5.5, 8, 8, 9, 9.5, 9.9):
        match.sweep(at(hours))
    assert reminders(match) == [(50, at(5)), (80, at(8)), (95, at(9.5))]
    match.send("gold", "end", 9.95)
    match.sweep(at(12))
    assert len(reminders(match)) == 3


def test_a_late_look_sends_only_the_latest(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    match.sweep(at(9))
    assert reminders(match) == [(80, at(8))]
    over = club.study(TWO_ARCHERS, clock="10h")
    over.sweep(at(20))
    assert reminders(over) == []


def test_no_reminder_is_lost_when_others_act_before_the_sweep(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h remind 50")
    match.send("black", "draw?", 6)
    match.sweep(at(6))
    assert reminders(match) == [(50, at(5))]


def test_reminders_follow_the_calendar(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h remind 50")
    leave.stop_clocks(club.around, match.players[0].id, now=at(4))
    match.sweep(at(50))
    assert reminders(match) == []
    leave.resume_clocks(club.around, match.players[0].id, now=at(100))
    match.sweep(at(101))
    assert reminders(match) == [(50, at(101))]


# -- the order of time --------------------------------------------------------------------------


def test_mails_read_out_of_order(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h defence 4h fall")
    match.send("black", "standing: ask all", 5)
    match.send("gold", SHOT, 2)
    first, second = match.entries(1)
    assert (first.at, second.arrived, second.at) == (at(5), at(2), at(5))
    assert match.bank("gold") == 8 * HOUR, "what counts is when it came in"
    assert match.deadline("black") == at(9), "and nobody is asked before that"
    match.verify()


def test_an_answer_that_came_before_its_question_was_read(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    match.send("gold", SHOT, 5)
    match.send("black", "I4-", 3)
    assert match.bank("black") == 10 * HOUR
    assert [entry.at for entry in match.entries(1)] == [at(5), at(5)]
    match.send("gold", "end", 4)
    assert match.bank("gold") == 5 * HOUR
    match.verify()


def test_held_before_its_question_was_asked(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h", correction="1h")
    match.hold("gold", SHOT, 5)
    match.sweep(at(6))
    match.hold("black", "I4-", 3)
    assert match.stored.held[0].until == at(7)
    match.sweep(at(7))
    assert match.bank("black") == 10 * HOUR
    assert match.asked() == [("gold", "turn")]
    match.verify()


def test_sweep_takes_the_soonest_first(club: Club) -> None:
    matches = [club.study(TWO_ARCHERS, clock=f"{hours}h remind never") for hours in (9, 3, 6)]
    assert games.sweep(club.around, at(10), limit=2) == games.Swept(2, {})
    assert [match.stored.is_over for match in matches] == [False, True, True]
    assert games.sweep(club.around, at(10), limit=2) == games.Swept(1, {})
    assert games.sweep(club.around, at(10)) == games.Swept(0, {})
    assert NOON < matches[1].stored.ended_at == at(3)  # type: ignore[operator]


@pytest.mark.parametrize("column", ["state", "clock", "terms"])
def test_a_broken_game_does_not_keep_the_others_waiting(club: Club, column: str) -> None:
    matches = [club.study(TWO_ARCHERS, clock=f"{hours}h remind never") for hours in (3, 6, 9)]
    broken = matches[0]
    # Nothing in the cache of courses may stand in for what is stored.
    row = GameRow.__table__  # type: ignore[attr-defined]
    damage = {"clock": "no clock"} if column == "terms" else "{"
    club.store.change(row.update().where(row.c.id == broken.id).values({column: damage}))
    open_game._courses.clear()
    swept = games.sweep(club.around, at(10))
    assert (swept.games, set(swept.failed)) == (3, {broken.id})
    assert swept.failed[broken.id]
    assert [match.stored.is_over for match in matches] == [False, True, True]
    assert games.sweep(club.around, at(10)) == games.Swept(1, swept.failed)


@pytest.mark.parametrize("error", [StoreBusyError("locked"), StoreUnavailableError("no server")])
def test_a_sweep_without_a_store_stops(
    club: Club, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """That is no fault of the game: there is no point in trying all the others."""
    club.study(TWO_ARCHERS, clock="3h")

    def fail(*args: object) -> None:
        raise error

    monkeypatch.setattr(games, "look_after", fail)
    with pytest.raises(type(error)):
        games.sweep(club.around, at(10))
