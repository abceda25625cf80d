"""Studies and puzzles: who may make them, what is kept, and what is said of bad ones."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from notation.record_reading import parse_record
from pbem.archive.puzzles import Goal, Problem
from pbem.errors import StoreConflictError
from pbem.play import farewell, studies
from pbem.play.errors import NotAllowedError
from pbem.play.studied import NewStudy
from pbem.play.studies import Draft, NoSuchStudyError, StudyFaults, attempt, get_puzzle, get_study
from pbem.tongue import ENGLISH
from tests.ortus.games import TWO_ARCHERS, line
from tests.play.club import NOON, Club

LINE = line(**TWO_ARCHERS, energy=(6, 4))
SOLUTION = "w1 rng i4=-; end {Well aimed.} (W1 rng I4=+; F2 rng I4=-; end)"


def draft(**chosen: Any) -> Draft:
    usual: dict[str, Any] = {"title": "Two archers", "text": SOLUTION, "line": LINE}
    return Draft(**{**usual, **chosen})


def kept(club: Club, number: int, viewer: int | None = None) -> Any:
    with club.around.store.read() as unit:
        return get_study(unit, number, viewer=viewer)


def test_orders_become_a_canonical_record(club: Club) -> None:
    ann = club.join("Ann")
    number = studies.make(club.around, ann.id, draft(), now=NOON)
    study = kept(club, number)
    assert (study.title, study.author, study.is_puzzle, study.newer) == (
        "Two archers",
        "Ann",
        False,
        None,
    )
    record = parse_record(study.record)  # strictly
    assert record.tags["Position"] == LINE
    assert record.turns[0].orders[-1].variations
    assert "Ann" not in study.record  # a name in it could not be forgotten


def test_a_puzzle_is_checked_and_can_be_tried(club: Club) -> None:
    ann = club.join("Ann")
    goal = Goal("honour", 1)
    number = studies.make(club.around, ann.id, draft(goal=goal), now=NOON)
    puzzle = get_puzzle(kept(club, number))
    assert puzzle.goal == goal
    done = attempt(puzzle, "f2 rng i4 [+: w1 rng i4]; end", tongue=ENGLISH)
    assert done.tried is not None
    assert done.tried.is_solved
    done = attempt(puzzle, "F2 rng I4; end", tongue=ENGLISH)
    assert done.tried is not None
    assert (len(done.tried.reached), len(done.tried.missed)) == (1, 1)
    assert attempt(puzzle, "F2 rng H8", tongue=ENGLISH).tried is None
    with pytest.raises(StudyFaults) as refused:
        studies.make(club.around, ann.id, draft(goal=goal, text="W1 rng I4=-; end"), now=NOON)
    [problem] = refused.value.wrong
    assert isinstance(problem, Problem)
    assert problem.code == "not_reached"


def test_nobody_waits_while_a_study_is_read(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = club.join("Ann")
    read = studies._read

    def read_slowly(*args: Any, **named: Any) -> str:
        club.join("Ben")
        return read(*args, **named)

    monkeypatch.setattr(studies, "_read", read_slowly)
    assert studies.make(club.around, ann.id, draft(), now=NOON)


def test_an_own_arena_is_played_on(club: Club) -> None:
    ann = club.join("Ann")
    number = studies.make(club.around, ann.id, draft(goal=Goal("honour", 1)), now=NOON)
    wells = "F6 I6 L6 B8 N8 D10 G10 J10"
    text = kept(club, number).record.replace("origin", "mine")
    text = text.replace('[Goal "', f'[Wells "{wells}"]\n[Cuts "C9 M7"]\n[Goal "')
    own = studies.make(club.around, ann.id, draft(text=text, goal=Goal("honour", 1)), now=NOON)
    puzzle = get_puzzle(kept(club, own))
    assert puzzle.position.rules.arena.cuts
    done = attempt(puzzle, "F2 rng I4; W1 rng I4; end", tongue=ENGLISH)
    assert done.tried is not None
    assert done.tried.is_solved


@pytest.mark.parametrize(
    ("chosen", "place"),
    [
        ({"text": "W1 rng H8=-; end"}, (1, 1)),
        ({"text": "{Now}\n5g. W1 rng I4=-;\nW8>>; end"}, None),
        ({"text": "W1 rng I4=-; end (nonsense)"}, None),
        ({"line": "origin master"}, None),
        ({"text": '[Event "x"]\n\n1g. end\n*\n'}, None),
        ({"text": '[Event "x"]\n\n*\n\n[Event "y"]\n\n*\n'}, None),
        ({"text": "x" * 20_001}, None),
    ],
)
def test_what_is_wrong_has_its_place(
    club: Club, chosen: dict[str, Any], place: tuple[int, int] | None
) -> None:
    ann = club.join("Ann")
    with pytest.raises(StudyFaults) as refused:
        studies.make(club.around, ann.id, draft(**chosen), now=NOON)
    assert refused.value.wrong
    if place is not None:
        [fault] = refused.value.wrong
        assert not isinstance(fault, Problem)
        assert (fault.line, fault.column) == place
    with club.around.store.read() as unit:
        assert unit.newest_studies(viewer=ann.id, before=None, limit=9) == []


@pytest.mark.parametrize(
    "text",
    [
        "W1 rng I4=- {[%by Ben] I never saw it.}; end",
        "{[%by Ben] Mine.}\n5g. W1 rng I4=-; end",
        "W1 rng I4=-; end (W1 rng I4=+; end {Well. [%by Ben]})",
    ],
)
def test_nobody_speaks_for_another(club: Club, text: str) -> None:
    ann = club.join("Ann")
    with pytest.raises(StudyFaults) as caught:
        studies.make(club.around, ann.id, draft(text=text), now=NOON)
    assert caught.value.wrong == (Problem("others_words"),)


def test_versions_follow_each_other_and_only_their_owner_makes_them(club: Club) -> None:
    ann, ben = club.join("Ann"), club.join("Ben")
    first = studies.make(club.around, ann.id, draft(), now=NOON)
    second = studies.make(club.around, ann.id, draft(title="Better", replaces=first), now=NOON)
    assert kept(club, first).newer == second
    assert kept(club, second).replaces == first
    with club.around.store.read() as unit:
        found = unit.newest_studies(viewer=None, before=None, limit=9)
    assert [study.title for study in found] == ["Better"]
    for player, replaces in ((ben, second), (ann, first)):
        with pytest.raises(NotAllowedError, match="not_your_study"):
            studies.make(club.around, player.id, draft(replaces=replaces), now=NOON)
    twice = NewStudy(ann.id, "Late", "", False, "open", first)
    with pytest.raises(StoreConflictError), club.around.store.begin() as unit:
        unit.add_study(twice, NOON)


def test_private_studies_are_their_owners(club: Club) -> None:
    ann, ben = club.join("Ann"), club.join("Ben")
    number = studies.make(club.around, ann.id, draft(visibility="private"), now=NOON)
    assert kept(club, number, ann.id).title == "Two archers"
    for viewer in (None, ben.id):
        with pytest.raises(NoSuchStudyError):
            kept(club, number, viewer)
        with club.around.store.read() as unit:
            assert unit.newest_studies(viewer=viewer, before=None, limit=9) == []
    with pytest.raises(NoSuchStudyError):
        kept(club, 10**30)


def test_who_leaves_takes_private_studies_along(club: Club) -> None:
    ann = club.join("Ann")
    private = studies.make(club.around, ann.id, draft(visibility="private"), now=NOON)
    shown = studies.make(club.around, ann.id, draft(), now=NOON)
    assert '"studies"' in farewell.export(club.around, ann.id)
    farewell.delete(club.around, ann.id, now=NOON)
    assert kept(club, shown).author != "Ann"
    assert kept(club, private, ann.id).record == ""


def test_there_is_a_bound_to_a_day(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "STUDIES_A_DAY", 1)
    ann = club.join("Ann")
    studies.make(club.around, ann.id, draft(), now=NOON)
    with pytest.raises(NotAllowedError, match="studied_often"):
        studies.make(club.around, ann.id, draft(), now=NOON)
    studies.make(club.around, ann.id, draft(), now=NOON + timedelta(days=1, seconds=1))
    for title in ("", "   ", "x" * 121, "a\x00b"):
        with pytest.raises(StudyFaults):
            studies.make(club.around, ann.id, draft(title=title), now=NOON + timedelta(days=9))
