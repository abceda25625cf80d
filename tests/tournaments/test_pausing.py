"""A pause moves what is to come by its length."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from pbem.tournaments import acts, ladder, pausing, progress
from pbem.tournaments.steps import Lapse, PairRound
from tests.tournaments.simulating import STARTS, opened

DAY = timedelta(days=1)


def test_a_round_has_its_days_without_the_pause() -> None:
    event = replace(opened(4, format="swiss", round_days=30), phase="running")
    made = progress.pair(event, seed=b"seed")
    event = replace(event, encounters=made, round=1, round_began=STARTS)
    event = pausing.paused(event, STARTS + 10 * DAY)
    assert progress.due_at(event) is None
    event = pausing.resumed(event, STARTS + 50 * DAY)
    assert (event.phase, event.paused_at) == ("running", None)
    assert progress.due_at(event) == STARTS + 70 * DAY
    assert progress.next_step(event, STARTS + 70 * DAY) == PairRound(2, running=(1, 2))


def test_a_challenge_keeps_its_time_for_an_answer_and_nobody_slips_for_the_pause() -> None:
    event = ladder.begun(replace(opened(5, format="ladder"), phase="running"), STARTS)
    event = ladder.challenged(event, 4, 3, STARTS + 2 * DAY)
    event = pausing.paused(event, STARTS + 4 * DAY)
    event = pausing.resumed(event, STARTS + 104 * DAY)
    answer_by = STARTS + 102 * DAY + ladder.ANSWER_TIME
    assert progress.due_at(event) == answer_by
    assert progress.next_step(event, answer_by) == Lapse(1)
    event = ladder.answered(event, 1, "excused", STARTS + 105 * DAY)
    assert progress.due_at(event) == STARTS + 100 * DAY + ladder.IDLE_TIME


def test_the_acts_of_a_director_pause_and_resume() -> None:
    event = replace(opened(4, format="swiss", round_days=30), phase="running", round_began=STARTS)
    event = acts.apply(event, acts.Act(1, STARTS + DAY, 1, "paused"))
    assert (event.phase, event.paused_at) == ("paused", STARTS + DAY)
    event = acts.apply(event, acts.Act(2, STARTS + 4 * DAY, 1, "resumed"))
    assert event.round_began == STARTS + 3 * DAY
