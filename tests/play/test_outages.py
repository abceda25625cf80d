"""Clocks stand while the server is not well or owes an answer, and no flag falls past a mail that
is not read yet (L1.6)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from pbem.errors import StoreUnavailableError
from pbem.play import games, outages, players
from pbem.play.archive import record_of
from pbem.play.course import stood_text
from pbem.play.model import Outage, Preferences
from pbem.play.outages import MOST_OWED, note_pulse, owe_answer, tell_games
from pbem.play.post import HANDLED, HELD, QUARANTINED, Arrival
from pbem.play.verification import replay_log
from pbem.schedule.clock import Clock
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import TICK, Club, Match, at

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


def pulse(club: Club, hours: float | datetime, *, is_well: bool = True) -> Outage | None:
    now = hours if isinstance(hours, datetime) else at(hours)
    return note_pulse(club.around, now, is_well=is_well)


def well(club: Club, hours: float) -> None:
    """All has been well until then."""
    with club.store.begin() as unit:
        unit.beat(at(hours))


def arrive(club: Club, hours: float | datetime, key: str = "k", lane: str = "lane") -> int:
    """A mail is stored."""
    arrived = hours if isinstance(hours, datetime) else at(hours)
    with club.store.begin() as unit:
        return unit.add_inbound(Arrival(key, "reply/x", lane, None, b"x", arrived, "smtp"))


def finish(club: Club, number: int, state: str = HANDLED) -> None:
    with club.store.begin() as unit:
        found = unit.lock_inbound(number)
        assert found is not None
        unit.save_inbound(replace(found, state=state))


def stood(match: Match) -> list[tuple[str, datetime]]:
    return [(entry.text, entry.at) for entry in match.entries(1) if entry.text.startswith("stood")]


# -- outages ------------------------------------------------------------------------------------


def test_an_outage_moves_every_deadline_by_its_length(club: Club) -> None:
    turn = club.study(TWO_ARCHERS, clock="10h")
    setup = club.start(clock="5h")
    assert pulse(club, 1) is None
    found = pulse(club, 4)
    assert found == Outage(at(1), at(4))
    assert turn.deadline("gold") == at(13)
    assert [row.deadline for row in setup.requests()] == [at(8), at(8)]
    assert stood(turn) == [(stood_text(None, at(1), at(4)), at(4))]
    assert turn.notices(1) == {}, "nobody gets a mail about it"
    for match in (turn, setup):
        match.verify()
    with club.store.read() as unit:
        assert unit.outages() == []
    well(club, 13)
    club.sweep(at(13))
    assert (turn.result(), turn.stored.ended_at) == (("black", "time"), at(13))
    assert setup.stored.ended_at == at(8)
    turn.verify()
    with club.store.read() as unit:
        assert '[Termination "time"]' in record_of(unit, turn.stored, {})


def test_a_short_silence_is_no_outage(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    for minutes in (0, 1, 11, 21):
        assert pulse(club, at(minutes=minutes)) is None
    assert match.texts() == []
    assert pulse(club, at(minutes=31) + TICK) == Outage(at(minutes=21), at(minutes=31) + TICK)


def test_no_pulse_while_the_server_is_not_well(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    pulse(club, 1)
    before = club.contents()
    assert pulse(club, 2, is_well=False) is None
    assert club.contents() == before
    assert pulse(club, 3) == Outage(at(1), at(3))
    assert match.deadline("gold") == at(12)


def test_a_pulse_twice_changes_nothing(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    pulse(club, 1)
    pulse(club, 4)
    before = club.contents()
    assert pulse(club, 4) is None
    assert tell_games(club.around) == {}
    assert club.contents() == before
    pulse(club, 2)  # a clock of another machine that is late
    assert match.deadline("gold") == at(13)
    assert len(stood(match)) == 1


def test_a_sweep_goes_no_further_than_the_last_pulse(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h remind never")
    pulse(club, 9)
    assert club.sweep(at(20)) == 0
    assert not match.stored.is_over
    pulse(club, 20)
    assert club.sweep(at(20)) == 0
    assert match.deadline("gold") == at(21)
    match.verify()


def test_without_any_pulse_a_sweep_goes_as_far_as_it_is_told(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    club.sweep(at(10))
    assert match.stored.is_over


def test_games_are_told_a_few_at_a_time(club: Club) -> None:
    matches = sorted((club.study(TWO_ARCHERS, clock="10h") for _ in range(5)), key=lambda m: m.id)
    over = club.study(TWO_ARCHERS, clock="1h")
    club.sweep(at(1))
    pulse(club, 1)
    note_pulse(club.around, at(3), is_well=True, limit=2)
    assert [len(stood(match)) for match in matches] == [1, 1, 0, 0, 0]
    note_pulse(club.around, at(3) + MINUTE, is_well=True, limit=2)
    assert [len(stood(match)) for match in matches] == [1, 1, 1, 1, 0]
    note_pulse(club.around, at(3) + 2 * MINUTE, is_well=True, limit=2)
    assert [match.deadline("gold") for match in matches] == [at(12)] * 5
    assert stood(over) == []
    with club.store.read() as unit:
        assert unit.outages() == []


def test_a_game_is_told_before_anything_happens_in_it(club: Club) -> None:
    """Whoever plays before all games are told loses nothing by it."""
    match = club.study(TWO_ARCHERS, clock="10h")
    other = club.study(TWO_ARCHERS, clock="2h")
    pulse(club, 1)
    with club.store.begin() as unit:  # the games are not told yet
        unit.save_outage(Outage(at(1), at(4)))
    well(club, 4.5)
    match.send("gold", "end", 4.5)
    assert match.bank("gold") == 8.5 * HOUR
    assert match.deadline("black") == at(14.5)
    other.send("gold", "end", 4.5)
    assert other.bank("gold") == 0.5 * HOUR
    before = [each.texts() for each in (match, other)]
    assert tell_games(club.around) == {}
    assert [each.texts() for each in (match, other)] == before
    for each in (match, other):
        each.verify()


def test_a_submission_during_an_outage(club: Club) -> None:
    """The web may work while no mail does: the clocks stand all the same."""
    match = club.study(TWO_ARCHERS, clock="10h")
    pulse(club, 1)
    match.send("gold", "end", 3)
    assert match.bank("gold") == 9 * HOUR
    pulse(club, 5)
    assert match.deadline("black") == at(15), "asked at 3, stood until 5"
    assert [text for text, _ in stood(match)] == [
        stood_text(None, at(1), at(3)),
        stood_text(None, at(1), at(5)),
    ]
    match.verify()


def test_what_was_over_before_an_outage_stays_over(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    with club.store.begin() as unit:
        unit.beat(at(11))
        unit.beat(at(20))
        unit.save_outage(Outage(at(11), at(20)))
    tell_games(club.around)
    assert match.result() == ("black", "time")
    assert match.texts() == [(None, "time 0")]
    assert match.stored.ended_at == at(10)
    match.verify()


def test_what_was_due_before_an_outage_happens_first(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h", correction="2h")
    match.hold("gold", "end", 1)
    pulse(club, 4)
    pulse(club, 8)
    assert [(entry.text.split()[0], entry.at) for entry in match.entries(1)] == [
        ("end", at(3)),
        ("stood", at(8)),
    ]
    assert match.deadline("black") == at(17)
    match.verify()


def test_what_is_due_behind_an_outage_comes_later(club: Club) -> None:
    """A defence has its own clock, which stands too."""
    match = club.study(TWO_ARCHERS, clock="10h defence 2h fall")
    pulse(club, 0.5)
    pulse(club, at(0.5) + MINUTE)
    match.send("gold", "W1 rng I4", at(0.5) + 2 * MINUTE)
    deadline = match.deadline("black")
    assert deadline == at(2.5) + 2 * MINUTE
    pulse(club, at(0.5) + 3 * MINUTE)
    pulse(club, 30.5)
    assert match.deadline("black") == deadline + 30 * HOUR - 3 * MINUTE
    match.verify()


def test_a_held_submission_and_an_outage(club: Club) -> None:
    """Held at 1, not well from 2 to 5: released, it has cost the time until it came in; undone,
    all the time but the outage."""
    dropped, played = (club.study(TWO_ARCHERS, clock="10h", correction="8h") for _ in range(2))
    for match in (dropped, played):
        match.hold("gold", "end", 1)
    pulse(club, 2)
    pulse(club, 5)
    for match in (dropped, played):
        assert len(stood(match)) == 1
        assert match.deadline("gold") is None
        match.verify()
    well(club, 6)
    assert dropped.undo("gold", 6) is not None
    assert dropped.deadline("gold") == at(13)
    well(club, 9)
    played.sweep(at(9))
    assert played.bank("gold") == 9 * HOUR
    for match in (dropped, played):
        match.verify()


def test_an_answer_from_before_an_outage_costs_no_more_than_until_then(club: Club) -> None:
    """Stored at 1, the server stops at 2, and reads it when the games were told."""
    match = club.study(TWO_ARCHERS, clock="10h")
    pulse(club, 2)
    pulse(club, 5)
    match.send("gold", "end", 1)
    assert match.bank("gold") == 9 * HOUR
    match.verify()


def test_games_are_told_when_what_came_in_before_is_read(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    pulse(club, 2)
    number = arrive(club, 1)
    pulse(club, 5)
    assert stood(match) == []
    finish(club, number)
    pulse(club, at(5) + MINUTE)
    assert match.deadline("gold") == at(13)


def test_a_game_that_cannot_be_told_does_not_keep_the_others_waiting(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = sorted((club.study(TWO_ARCHERS, clock="10h") for _ in range(4)), key=lambda m: m.id)
    pulse(club, 1)
    with club.store.begin() as unit:
        unit.beat(at(4))
        unit.save_outage(Outage(at(1), at(4)))
    real = games.look_after
    fault: Exception = ValueError("damaged")

    def look_after(around: object, game_id: str, now: datetime) -> object:
        if game_id == matches[1].id:
            raise fault
        return real(around, game_id, now)  # type: ignore[arg-type]

    monkeypatch.setattr(outages, "look_after", look_after)
    assert tell_games(club.around) == {matches[1].id: "ValueError: damaged"}
    assert [len(stood(match)) for match in matches] == [1, 0, 1, 1]
    with club.store.begin() as unit:
        assert unit.outages() == []
        unit.save_outage(Outage(at(1), at(4)))
    fault = StoreUnavailableError("no disk")
    with pytest.raises(StoreUnavailableError):
        tell_games(club.around)


def test_several_workers_note_one_outage(club: Club) -> None:
    matches = [club.study(TWO_ARCHERS, clock="10h") for _ in range(5)]
    pulse(club, 1)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: pulse(club, 4), range(4)))
    assert [outage for outage in found if outage] == [Outage(at(1), at(4))]
    pulse(club, at(4) + MINUTE)  # whoever was skipped is told now
    assert [len(stood(match)) for match in matches] == [1] * 5
    assert {match.deadline("gold") for match in matches} == {at(13)}


def test_a_log_with_outages_can_be_replayed_anywhere(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    pulse(club, 1)
    pulse(club, 4)
    well(club, 5)
    match.send("gold", "resign", 5)
    course, head = replay_log(match.stored.start.seed, match.entries())
    assert head == match.stored.head
    assert course.clock == Clock.from_plain(match.clock.to_plain())
    assert course.clock.seats[0].bank == 8 * HOUR


# -- owed answers -------------------------------------------------------------------------------


def test_the_clock_stands_while_an_answer_is_owed(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    assert match.refused("gold", "A1 > A9", 1)
    assert owe_answer(club.around, match.id, 0, arrived=at(1), now=at(3))
    assert match.deadline("gold") == at(12)
    assert not owe_answer(club.around, match.id, 0, arrived=at(1), now=at(3))
    assert not owe_answer(club.around, match.id, 1, arrived=at(1), now=at(3)), "not asked"
    assert match.deadline("gold") == at(12)
    match.verify()


def test_a_prompt_answer_is_not_owed(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    assert not owe_answer(club.around, match.id, 0, arrived=at(1), now=at(1) + MINUTE)
    assert match.texts() == []


def test_an_answer_beyond_the_deadline_is_owed_too(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    arrive(club, at(10) - TICK)  # what is being read
    assert owe_answer(club.around, match.id, 0, arrived=at(10) - TICK, now=at(12))
    assert match.deadline("gold") == at(12) + TICK
    match.verify()


def test_nobody_gains_much_by_keeping_the_server_busy(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="100h")
    for number in range(MOST_OWED + 3):
        owe_answer(club.around, match.id, 0, arrived=at(10 * number), now=at(10 * number + 9))
    assert match.deadline("gold") == at(100) + MOST_OWED * outages.LONGEST_OWED
    match.send("gold", "end", 70)
    match.send("black", "end", 71)
    assert owe_answer(club.around, match.id, 0, arrived=at(72), now=at(73)), "another question"
    match.verify()


def test_nothing_is_owed_in_a_game_that_is_over(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    assert not owe_answer(club.around, match.id, 0, arrived=at(10), now=at(12))
    assert match.result() == ("black", "time")


def test_nothing_is_owed_for_what_is_held(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h", correction="2h")
    match.hold("gold", "end", 1)
    assert not owe_answer(club.around, match.id, 0, arrived=at(1), now=at(2))
    match.verify()


# -- mails that are not read yet ----------------------------------------------------------------


def test_a_sweep_goes_no_further_than_the_oldest_unread_mail(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    number = arrive(club, 9)
    club.sweep(at(20))
    assert not match.stored.is_over
    match.send("gold", "end", 9)
    finish(club, number)
    assert match.bank("gold") == HOUR
    club.sweep(at(20))
    assert match.result() == ("gold", "time")
    assert match.stored.ended_at == at(19)
    match.verify()


@pytest.mark.parametrize("state", [HELD, QUARANTINED, HANDLED])
def test_a_mail_that_is_done_with_holds_nothing_up(club: Club, state: str) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    finish(club, arrive(club, 9), state)
    club.sweep(at(20))
    assert match.result() == ("black", "time")


def test_a_mail_that_crashes_its_reader_holds_the_world_up_for_a_while_only(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    arrive(club, 9)
    for minutes in range(4):
        assert not match.stored.is_over
        with club.store.begin() as unit:
            unit.claim_inbound(at(20, minutes=minutes), lease=MINUTE, limit=5)
        club.sweep(at(20))
    assert match.result() == ("black", "time")


def test_a_mail_beats_the_flag_also_when_the_opponent_is_read_first(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    first = arrive(club, at(10) - TICK, "a", "gold")
    second = arrive(club, 11, "b", "black")
    games.write_message(club.around, match.id, 1, "are you there?", now=at(11))
    players.set_preferences(
        club.around, match.players[1].id, Preferences(time_zone="Asia/Tokyo"), now=at(11)
    )
    assert not match.stored.is_over
    finish(club, second)
    match.send("gold", "end", at(10) - TICK)
    finish(club, first)
    match.verify()
    club.sweep(at(11))
    assert not match.stored.is_over


def test_ones_own_flag_falls_whoever_has_mail_waiting(club: Club) -> None:
    """Somebody's unread mail is no reason to take a turn that is late."""
    match = club.study(TWO_ARCHERS, clock="10h")
    arrive(club, 1, "a", "somebody")
    arrive(club, 11, "b", "gold")
    assert match.refused("gold", "end", 11) == "game_over"
    assert match.result() == ("black", "time")
    match.verify()


def test_a_repeated_mail_holds_nothing_up(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10h")
    number = arrive(club, 9)
    with club.store.begin() as unit:
        found = unit.lock_inbound(number)
        assert found is not None
        unit.save_inbound(replace(found, state=HANDLED, outcome={"answer": ["c", 1, "receipt"]}))
    arrive(club, 9)
    club.sweep(at(20))
    assert match.stored.is_over
