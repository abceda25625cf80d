"""Events in words: every act has a sentence, and names are those of who had the place then."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from pbem.catalogues import get_tongue
from pbem.play.events.naming import Names
from pbem.play.events.saying_charter import (
    FORMAT_NAMES,
    FORMAT_SENTENCES,
    MEETING_NAMES,
    MEETING_SENTENCES,
    PHASE_NAMES,
    say_event,
    say_format,
    say_limits,
)
from pbem.play.events.saying_log import SENTENCES, say_act
from pbem.tongue import ENGLISH
from pbem.tournaments.acts import ACTS, MADE, Act
from pbem.tournaments.charter import FORMATS, MEETINGS, Charter
from pbem.tournaments.event import (
    Challenge,
    Encounter,
    Entrant,
    Event,
    EventGame,
    Holder,
)
from tests.play.club import NOON

PLAYERS = {1: "Dora", 11: "Ann", 12: "Ben", 13: "Cleo"}


@pytest.fixture
def names() -> Names:
    """Ann's place went to Cleo with act 20; Ben plays too, and Dora directs."""
    event = Event(
        "cup",
        Charter("Cup", "knockout"),
        directors=(1,),
        entrants=(
            Entrant(1, (Holder(11, 2), Holder(13, 20))),
            Entrant(2, (Holder(12, 3),)),
        ),
        encounters=(Encounter(1, 1, 1, 2, (EventGame(1, 2), EventGame(2, 1))),),
        challenges=(Challenge(1, 1, 2, NOON),),
    )
    return Names(event, PLAYERS)


def act(name: str, number: int = 5, *, by: int | None = 1, **facts: Any) -> Act:
    player = facts.pop("player", None)
    return Act(number, NOON, by, name, player, facts)


def test_every_act_has_a_sentence_and_no_other_has() -> None:
    assert set(SENTENCES) == {*ACTS, MADE, "forfeit"}


FACTS: dict[str, Any] = {
    "entrant": 1,
    "rival": 2,
    "challenge": 1,
    "encounter": 1,
    "game": 0,
    "gold": 2,
    "black": 0,
    "round": 3,
    "days": 7,
    "found": 1,
    "least": 4,
    "starts_at": (NOON + timedelta(days=7)).isoformat(),
}


@pytest.mark.parametrize("name", [*ACTS, MADE])
@pytest.mark.parametrize("language", ["en", "nl"])
def test_every_act_is_said_whole(names: Names, name: str, language: str) -> None:
    said = say_act(act(name, player=12, **FACTS), names, get_tongue(language))
    assert said.endswith(".")
    assert "{" not in said
    assert "?" not in said


def test_a_result_names_who_sat_there_then(names: Names) -> None:
    facts = {"encounter": 1, "game": 1, "gold": 1, "black": 1}
    assert say_act(act("result", 9, by=None, **facts), names, ENGLISH) == "Ben – Ann: ½–½."
    assert say_act(act("corrected", 21, **facts), names, ENGLISH) == (
        "Dora corrected Ben – Cleo: ½–½."
    )
    unplayed = act("result", 9, by=None, ending="forfeit", **facts)
    assert "without having been played" in say_act(unplayed, names, ENGLISH)


def test_what_happens_by_itself_is_the_servers(names: Names) -> None:
    assert say_act(act("paused", by=None), names, ENGLISH) == "The server paused the event."


def test_a_player_who_cannot_be_found(names: Names) -> None:
    assert names.of_player(None) == names.of_player(99) == "?"
    assert (names.of(1), names.at(1, 1), names.at(1, 19), names.at(1, 20)) == (
        "Cleo",
        "Ann",
        "Ann",
        "Cleo",
    )


def test_all_that_an_event_can_be_has_its_words() -> None:
    assert set(FORMAT_NAMES) == set(FORMAT_SENTENCES) == {*FORMATS}
    assert set(MEETING_NAMES) == set(MEETING_SENTENCES) == {*MEETINGS}
    assert {"draft", "open", "running", "paused", "over", "cancelled"} == set(PHASE_NAMES)


@pytest.mark.parametrize("format_", FORMATS)
def test_an_event_is_told_in_two_sentences(format_: Any) -> None:
    said = say_event(Charter("Cup", format_), ENGLISH)
    assert said.count(". ") == 1
    assert said.endswith(".")


def test_sentences_of_formats_have_their_numbers() -> None:
    groups = Charter("A", "round_robin", group_size=6, finalists=2)
    assert "groups of up to 6; the best 2" in say_format(groups, ENGLISH)
    assert say_format(Charter("A", "round_robin", cycles=2), ENGLISH).endswith("2 times.")
    assert say_format(Charter("A", "swiss", rounds=7), ENGLISH).startswith("7 rounds")
    assert "up to 5 places" in say_format(Charter("A", "ladder", reach=5), ENGLISH)


def test_limits_are_told_one_by_one() -> None:
    charter = Charter(
        "A",
        "swiss",
        min_entrants=4,
        max_entrants=16,
        min_rating=1400,
        round_days=30,
        check_in_hours=24,
        starts_at=datetime.fromisoformat("2026-12-01T12:00:00+00:00"),
    )
    told = " ".join(say_limits(charter, ENGLISH))
    for part in ("16 places", "at least 4", "1400 and more", "30 days", "last 24 hours"):
        assert part in told
    assert list(say_limits(Charter("A", "swiss"), ENGLISH)) == []


def test_rounds_of_a_knock_out_have_no_last_day() -> None:
    assert list(say_limits(Charter("A", "swiss", round_days=30), ENGLISH))
    assert list(say_limits(Charter("A", "knockout", round_days=30), ENGLISH)) == []
