"""Documents: every order of a record as a frame, variations and all."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from notation.record import Comment, Played, Record, RecordTurn
from notation.record_reading import parse_record, read_records
from pbem.archive.frames import START, Document, Frame, Line, Note
from pbem.archive.framing import MOST_LETTERS, make_document
from pbem.archive.marks import Marks
from pbem.catalogues import get_tongue
from pbem.games.ortus.replaying import moments
from tests.archive.annotated import ANNOTATED
from tests.ortus.games import VARIANTS, random_table


def document(text: str) -> Document:
    return make_document(next(read_records(text, mode="recover")).record)


@pytest.fixture
def annotated() -> Document:
    return document(ANNOTATED)


def places(line: Line) -> list[str]:
    """The places of a line."""
    return [starred(frame) for turn in line.turns for frame in turn.frames]


def starred(frame: Frame) -> str:
    """A place, with a star for the name of a variation."""
    return re.sub(":[0-9a-f]{16}/", "*", frame.place)


def get(made: Document, place: str) -> Frame:
    return next(frame for frame in made.frames if starred(frame) == place)


def test_the_main_line_and_its_variations_have_places(annotated: Document) -> None:
    assert [frame.place for frame in annotated.main] == [
        START,
        *("1g.1", "1g.2", "1g.3", "1g.4"),
        *("1b.1", "1b.2", "1b.3", "1b.4", "1b.5"),
        *("2g.1", "2g.2", "2g.3", "2g.4"),
        "2b.1",
    ]
    assert places(annotated.line) == [frame.place for frame in annotated.main[1:]]
    end = annotated.find("1b.5")
    assert end is not None
    (varied,) = end.lines
    assert places(varied) == [
        *("1b.5*1b.1", "1b.5*1b.2", "1b.5*1b.3"),
        *("1b.5*2g.1", "1b.5*2g.2"),
        *("1b.5*2b.1", "1b.5*2b.2"),
    ]
    inner = get(annotated, "1b.5*2g.2")
    assert inner is not None
    assert places(inner.lines[0]) == ["1b.5*2g.2*2g.1", "1b.5*2g.2*2g.2"]


def test_a_place_is_found_and_nonsense_is_not(annotated: Document) -> None:
    for frame in annotated.frames:
        assert annotated.find(frame.place) is frame
    first = annotated.find("1b")
    assert first is not None
    assert first.place == "1b.1"
    assert annotated.find("9g.1") is None
    assert annotated.find("") is None


def test_a_variation_behind_the_end_replaces_the_turn_else_one_order(annotated: Document) -> None:
    def alternatives(place: str) -> list[str]:
        frame = get(annotated, place)
        return [starred(other) for other in annotated.alternatives(frame)]

    assert alternatives("1b.1") == ["1b.1", "1b.5*1b.1"]
    assert alternatives("1b.5*1b.1") == ["1b.1", "1b.5*1b.1"]
    assert alternatives("1b.5") == ["1b.5"]
    assert alternatives("2g.1") == ["2g.1", "2g.1*2g.1"]
    assert alternatives(START) == [START]


def test_one_can_walk_through_each_line(annotated: Document) -> None:
    frame, walked = annotated.frames[0], [START]
    while (following := annotated.find_following(frame)) is not None:
        assert following.before == frame.number
        frame = following
        walked.append(frame.place)
    assert walked == [frame.place for frame in annotated.main]


def test_what_stands_in_comments_is_told_apart(annotated: Document) -> None:
    assert annotated.notes == (Note("Played at leisure.", "Cleo"),)
    assert annotated.line.turns[0].notes == (Note("A quiet start."),)
    frame = annotated.find("1b.1")
    assert frame is not None
    assert frame.signs == (2, 14)
    assert frame.notes == (Note("Near."),)
    assert frame.marks == Marks((("H7", "H11"),), ("H11",))
    end, shot, offer = (annotated.find(place) for place in ("1b.5", "2g.1", "2g.4"))
    assert end is not None
    assert shot is not None
    assert offer is not None
    assert (end.clock, end.notes) == ("27d3h", ())
    assert (shot.text, shot.rules) == ("W1 rng H11=-", ("fall all",))
    assert offer.offers_draw
    assert [(line.is_plan, line.by) for line in (*end.lines, *shot.lines)] == [
        (False, "Mira"),
        (True, ""),
    ]
    assert annotated.annotators == ("Cleo", "Mira")


def test_a_fault_ends_its_own_line_and_nothing_else(annotated: Document) -> None:
    bad, behind = get(annotated, "1b.5*2b.1"), get(annotated, "1b.5*2b.2")
    good = get(annotated, "1b.5*2g.2")
    assert bad is not None
    assert behind is not None
    assert good is not None
    assert bad.fault is not None
    assert not bad.is_played
    assert not behind.is_played
    assert behind.fault is None
    assert bad.position == behind.position == good.position
    assert all(frame.is_played for frame in annotated.main)


def test_a_wrong_label_is_shown_at_the_turn(annotated: Document) -> None:
    wrong = document(ANNOTATED.replace("2b. E3>K1", "3b. E3>K1"))
    bad = get(wrong, "1b.5*3b.1")
    assert bad is not None
    assert bad.fault is not None
    assert bad.fault.code == "wrong_label"


def test_the_last_board_shows_how_the_game_ended(annotated: Document) -> None:
    last = annotated.main[-1]
    assert (last.position.winner, last.position.reason) == (0, "resignation")
    assert annotated.line.turns[-1].frames[-1] is last


@cache
def random_record(number: int) -> Record:
    game = random_table(number, VARIANTS[number], entries=120)
    return parse_record(game.record(Gold="A", Black="B"))


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_the_frames_of_a_random_game_are_its_moments(number: int) -> None:
    record = random_record(number)
    made = make_document(record)
    expected = [position for _, _, position in moments(record)]
    assert [frame.position for frame in made.main[1:-1]] == expected[:-1]
    assert all(frame.is_played and frame.deed for frame in made.main[1:])
    assert made.left_out == 0


@pytest.mark.parametrize("number", range(0, len(VARIANTS), 3))
def test_every_frame_can_be_drawn_and_told_in_both_languages(number: int) -> None:
    from pbem.archive.showing import draw_frame, speak_frame, tell_end, tell_frame
    from pbem.diagrams.svg import scene_svg

    made = make_document(random_record(number))
    for language in ("en", "nl"):
        tongue = get_tongue(language)
        assert tell_end(made, tongue=tongue)
        for frame in made.frames[-40:]:
            assert scene_svg(draw_frame(frame, names=("A", "B"), tongue=tongue))
            assert tell_frame(frame, tongue=tongue)
            assert speak_frame(frame, tongue=tongue)


def test_marks_come_onto_the_board(annotated: Document) -> None:
    from pbem.archive.showing import draw_frame
    from pbem.games.scene import Arrow, ArrowKind

    frame = annotated.find("1b.1")
    assert frame is not None
    scene = draw_frame(frame)
    assert Arrow("H7", "H11", ArrowKind.NOTE) in scene.arrows
    assert scene.noted == ("H11",)


# -- bounds -------------------------------------------------------------------------------------


def swollen(variations: int) -> Record:
    """The annotated game with the same variation many times."""
    record = parse_record(ANNOTATED.replace("     2b. E3>K1; end)", "     2b. A1>H13; end)"))
    turn = record.turns[1]
    last = turn.orders[-1]
    orders = [*turn.orders[:-1], replace(last, variations=last.variations * variations)]
    return replace(record, turns=(record.turns[0], replace(turn, orders=orders), *record.turns[2:]))


def count(record: Record) -> int:
    def within(turns: tuple[RecordTurn, ...]) -> int:
        return sum(
            1 + sum(within(variation) for variation in played.variations)
            for turn in turns
            for played in turn.orders
        )

    return within(record.turns)


@pytest.mark.parametrize("most", [20, 100, 1000])
def test_the_game_comes_first_and_what_is_left_out_is_counted(most: int) -> None:
    record = swollen(90)
    made = make_document(record, most_frames=most)
    assert len(made.main) == 15
    assert len(made.frames) <= most + 1
    assert len(made.frames) - 1 + made.left_out == count(record)
    assert (made.left_out == 0) == (most == 1000)
    for frame in made.frames:
        found = made.find(frame.place)
        assert found is not None
        assert found.text == frame.text


def test_even_the_game_itself_has_an_end() -> None:
    record = parse_record(ANNOTATED.replace("     2b. E3>K1; end)", "     2b. A1>H13; end)"))
    made = make_document(record, most_frames=6)
    assert len(made.frames) == 7
    assert len(made.frames) - 1 + made.left_out == count(record)


def test_comments_without_end_are_left_out() -> None:
    record = random_record(0)
    long = Comment("a" * (MOST_LETTERS // 3))
    played = Played(record.turns[0].orders[0].order, comments=(long,) * 5)
    turn = replace(record.turns[0], orders=[played])
    made = make_document(replace(record, turns=(turn,), result="*"))
    assert len(made.frames[1].notes) == 3
    assert made.notes_left_out == 2


def test_a_record_without_a_board_has_no_frames() -> None:
    text = "\n".join(
        [*ANNOTATED.splitlines()[:9], "", "1-0", ""],
    )
    made = document(text)
    assert (made.frames, made.fault) == ((), None)
    started = document(ANNOTATED.replace('[GoldSetup "WAFEEFAW"]\n', ""))
    assert started.frames == ()
    assert started.fault is not None
    assert started.fault.code == "bad_start"
