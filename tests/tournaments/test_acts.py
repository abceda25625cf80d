"""Acts: what each does to an event, and when it is refused."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.tournaments.act_entries import MOST_ENTRANTS, put
from pbem.tournaments.act_rounds import encounter_from_plain, encounter_to_plain
from pbem.tournaments.acts import ACTS, Act, ActRefused, apply, begin, fold
from pbem.tournaments.charter import FORMATS, MEETINGS, TIE_BREAKS, Charter
from pbem.tournaments.charter_plain import charter_from_plain, charter_to_plain
from pbem.tournaments.event import Encounter, Event, EventGame, Phase, Why
from tests.tournaments.events import made
from tests.tournaments.simulating import OPENED

DIRECTOR = 1


class Log:
    """An event that grows act by act."""

    def __init__(self, **charter: Any) -> None:
        self.acts = [_made(Charter(**{"title": "Trial", "format": "swiss", **charter}))]
        self.event: Event = begin("e", self.acts[0])

    def do(self, name: str, *, by: int | None = DIRECTOR, **more: Any) -> Event:
        act = Act(
            self.event.acts + 1,
            more.pop("at", OPENED),
            by,
            name,
            more.pop("player", None),
            more,
            more.pop("reason", ""),
        )
        self.event = apply(self.event, act)
        self.acts.append(act)
        return self.event

    def refused(self, name: str, **more: Any) -> str:
        before = self.event
        with pytest.raises(ActRefused) as caught:
            self.do(name, **more)
        assert self.event == before
        return caught.value.code


def _made(charter: Charter) -> Act:
    return Act(1, OPENED, DIRECTOR, "made", facts={"charter": charter_to_plain(charter)})


def started(**charter: Any) -> Log:
    """Four who have begun, and one encounter of two games."""
    log = Log(**charter)
    log.do("opened")
    for player in (11, 12, 13, 14):
        log.do("entered", by=player, player=player)
    log.do("started")
    games = (EventGame(1, 2), EventGame(2, 1))
    encounter = Encounter(1, 1, 1, 2, games, why=(Why("score", {"points": 0}),))
    log.do("paired", by=None, round=1, encounters=[encounter_to_plain(encounter)])
    return log


def test_a_log_comes_to_the_same_in_one_go_and_from_anywhere_on() -> None:
    log = started()
    log.do("result", by=None, encounter=1, game=0, gold=2, black=0)
    log.do("withdrew", by=13, player=13, entrant=3)
    assert fold("e", log.acts) == log.event
    for number in range(1, len(log.acts)):
        part = fold("e", log.acts[:number])
        assert fold("e", log.acts[number:], part) == log.event
    assert fold("e", []) is None


def test_a_log_with_a_gap_or_without_a_beginning_is_none() -> None:
    log = started()
    with pytest.raises(ActRefused, match="log_broken"):
        fold("e", [*log.acts[:3], *log.acts[4:]])
    with pytest.raises(ActRefused, match="no_such_event"):
        fold("e", log.acts[1:])
    assert log.refused("juggled") == "no_such_act"


def test_an_act_of_a_director_is_refused_to_others_and_not_to_the_server() -> None:
    for name, (_, is_directors, _) in ACTS.items():
        if is_directors:
            assert started().refused(name, by=11) == "not_director", name
    assert started().do("paused", by=None).phase == "paused"


@pytest.mark.parametrize(("name", "phase"), [("entered", "open"), ("late_entry", "running")])
def test_an_event_without_a_limit_has_one_all_the_same(name: str, phase: Phase) -> None:
    log = Log(allows_late=True, rounds=9)
    log.event = replace(made(MOST_ENTRANTS), charter=log.event.charter, phase=phase, acts=1)
    assert log.refused(name, by=9999, player=9999) == "event_full"
    assert log.refused(name, by=101, player=101) == "entered_already"
    log.event = put(log.event, replace(log.event.entrant(7), standing="withdrawn"))
    assert log.do(name, by=9999, player=9999).entrants[-1].is_in
    assert log.refused(name, by=9998, player=9998) == "event_full"


def test_who_waits_is_counted_among_the_most() -> None:
    log = Log(max_entrants=8)
    event = made(MOST_ENTRANTS)
    waits = tuple(replace(each, standing="waiting") for each in event.entrants[8:])
    entrants = (*event.entrants[:8], *waits)
    log.event = replace(event, charter=log.event.charter, phase="open", acts=1, entrants=entrants)
    assert log.refused("entered", by=9999, player=9999) == "event_full"


def test_phases_follow_each_other() -> None:
    log = Log()
    assert log.refused("started") == "event_draft"
    log.do("opened")
    assert log.refused("opened") == "event_open"
    assert log.refused("started") == "too_few_entrants"
    log = started()
    assert log.refused("entered", player=15) == "event_running"
    log.do("paused")
    assert log.refused("paused") == "event_paused"
    log.do("resumed")
    log.do("finished")
    assert log.refused("withdrew", entrant=1) == "event_over"
    assert log.refused("cancelled", reason="Why not.") == "event_over"
    log = started()
    log.do("cancelled", reason="Rain.")
    assert log.refused("finished") == "event_cancelled"


@pytest.mark.parametrize("name", ["warned", "disqualified"])
def test_some_acts_need_a_reason(name: str) -> None:
    log = started()
    assert log.refused(name, entrant=1, reason=" ") == "needs_reason"
    log.do(name, entrant=1, reason="So.")


def test_places_are_limited_and_numbers_never_change() -> None:
    log = Log(max_entrants=2)
    log.do("opened")
    for player in (11, 12, 13):
        log.do("entered", by=player, player=player)
    assert [each.standing for each in log.event.entrants] == ["in", "in", "waiting"]
    assert log.refused("entered", by=12, player=12) == "entered_already"
    log.do("left", by=11, player=11, entrant=1)
    log.do("entered", by=14, player=14)
    assert log.event.entrant(4).standing == "waiting", "who waits is before who comes"
    log.do("moved_up", by=None, entrant=3)
    assert [each.number for each in log.event.entrants] == [1, 2, 3, 4]
    assert log.refused("moved_up", by=None, entrant=3) == "not_waiting"
    log.do("closed_entries")
    assert log.refused("entered", by=15, player=15) == "entries_closed"


def test_who_was_disqualified_does_not_come_back() -> None:
    log = Log()
    log.do("opened")
    log.do("entered", by=11, player=11)
    log.do("disqualified", entrant=1, reason="Rude.")
    assert log.refused("entered", by=11, player=11) == "was_disqualified"


def test_results_are_given_once_corrected_and_annulled() -> None:
    log = started()
    which = {"encounter": 1, "game": 1}
    assert log.refused("corrected", **which, gold=2, black=0, reason="x") == "no_result_yet"
    assert log.refused("result", by=None, **which, gold=2, black=2) == "no_such_result"
    log.do("result", by=None, **which, gold=1, black=1)
    assert log.refused("result", by=None, **which, gold=2, black=0) == "has_result"
    assert log.refused("adjudicated", **which, gold=2, black=0) == "has_result"
    log.do("corrected", **which, gold=0, black=2, reason="A slip.")
    log.do("annulled", **which, reason="All of it was one.")
    result = log.event.encounter(1).games[1].result
    assert result is not None
    assert (result.gold, result.black, result.ending) == (0, 0, "void")
    assert log.refused("result", by=None, encounter=2, game=0, gold=2, black=0) == (
        "no_such_encounter"
    )
    assert log.event.encounter(1).games[0].result is None


def test_a_round_is_paired_once() -> None:
    log = started()
    again = [encounter_to_plain(log.event.encounter(1))]
    assert log.refused("paired", by=None, round=2, encounters=again) == "paired_already"
    following = replace(log.event.encounter(1), number=2, round=2, home=9)
    strange = [encounter_to_plain(following)]
    assert log.refused("paired", by=None, round=2, encounters=strange) == "no_such_entrant"


def test_a_new_round_begins_without_the_days_that_were_added_to_the_last() -> None:
    log = started()
    log.do("extended", days=3)
    log.do("extended", days=4)
    assert log.event.extra_days == 7
    assert log.refused("extended", days=0) == "bad_extension"
    assert log.refused("extended", days=1000) == "bad_extension"
    log.do("turned_over", by=None, round=2, at=OPENED + timedelta(days=9))
    assert (log.event.round, log.event.extra_days) == (2, 0)
    assert log.event.round_began == OPENED + timedelta(days=9)


def test_what_was_before_a_substitute_is_their_predecessors() -> None:
    log = started()
    log.do("result", by=None, encounter=1, game=0, gold=2, black=0)
    assert log.refused("substituted", by=21, player=21, entrant=1) == "not_asked"
    log.do("substitute_asked", player=21, entrant=1)
    log.do("substitute_asked", player=22, entrant=1)
    assert log.refused("substituted", by=21, player=21, entrant=1) == "not_asked"
    log.do("substituted", by=22, player=22, entrant=1)
    first, second = log.event.entrant(1).holders
    assert (first.player_id, second.player_id, second.since) == (11, 22, log.event.acts)
    assert log.event.asked == ()


def test_who_enters_when_check_in_has_been_asked_is_there() -> None:
    log = Log(starts_at=OPENED + timedelta(days=1), check_in_hours=5)
    log.do("opened")
    log.do("entered", by=11, player=11)
    log.do("check_in_asked", by=None)
    log.do("entered", by=12, player=12)
    assert [each.is_checked_in for each in log.event.entrants] == [False, True]


def test_a_start_that_is_put_off_forgets_who_checked_in() -> None:
    log = Log(starts_at=OPENED + timedelta(days=1), check_in_hours=5)
    log.do("opened")
    log.do("entered", by=11, player=11)
    log.do("check_in_asked", by=None)
    log.do("checked_in", by=11, player=11, entrant=1)
    later = OPENED + timedelta(days=8)
    log.do("put_off", by=None, starts_at=later.isoformat(), found=1, least=2)
    assert log.event.charter.starts_at == later
    assert not log.event.check_in_asked
    assert not log.event.entrant(1).is_checked_in


charters = st.builds(
    Charter,
    title=st.text(max_size=20),
    format=st.sampled_from(FORMATS),
    agreement=st.dictionaries(st.sampled_from(["clock", "level"]), st.text(max_size=5)),
    meeting=st.sampled_from(MEETINGS),
    tie_breaks=st.lists(st.sampled_from(TIE_BREAKS), unique=True).map(tuple),
    rounds=st.integers(0, 9),
    min_rating=st.none() | st.integers(0, 3000),
    starts_at=st.none() | st.datetimes(timezones=st.just(OPENED.tzinfo)),
    allows_late=st.booleans(),
    third_place=st.booleans(),
)


@given(charters)
def test_a_charter_is_the_same_after_having_been_kept(charter: Charter) -> None:
    assert charter_from_plain(charter_to_plain(charter)) == charter


def test_an_encounter_is_the_same_after_having_been_kept() -> None:
    games = (EventGame(3, 4),)
    made = Encounter(7, 2, 3, 4, games, "final", 1, (Why("a", {"b": 1}),), has_bid=True)
    assert encounter_from_plain(encounter_to_plain(made)) == made
    bye = Encounter(8, 2, 5, None)
    assert encounter_from_plain(encounter_to_plain(bye)) == bye
