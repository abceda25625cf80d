"""The reference engine against the vectors, and its own few promises."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.reference import Reference, RefusedError
from tests.reference.board import ARENAS, COORDINATES, arena_faults, name_of
from tests.reference.own_vectors import scripted, written
from tests.reference.play import fragments, verb_of
from tests.reference.scenarios import SETUP, Scene, scenarios
from tests.reference.starts import random_arena
from tests.reference.state import LEVELS
from tests.reference.vectors import Vector, differences, read_vectors, start_game

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "conformance" / "ortus.jsonl"
OWN = ROOT / "tests" / "data" / "vectors" / "ortus-own.jsonl"
VERBS = {"walk", "kite", "str", "rng", "chg", "wave", "six", "drg", "guide", "ret", "end"}


@pytest.mark.skipif(not SHARED.exists(), reason="the shared vectors are not beside the repository")
@pytest.mark.parametrize("part", range(4))
def test_agrees_with_the_shared_vectors(part: int) -> None:
    vectors = list(read_vectors(SHARED))
    assert len(vectors) == 80
    assert [fault for vector in vectors[part::4] for fault in differences(vector)] == []


def test_agrees_with_our_own_vectors() -> None:
    assert [fault for vector in read_vectors(OWN) for fault in differences(vector)] == []


def test_the_file_holds_the_scenarios_as_they_are_now() -> None:
    lines = OWN.read_text("ascii").splitlines(keepends=True)
    expected = [written(scripted(scenario)) for scenario in scenarios()]
    assert lines[: len(expected)] == expected


def test_our_own_vectors_cover_what_can_be_varied() -> None:
    vectors = list(read_vectors(OWN))
    starts = [vector["start"] for vector in vectors]
    verbs = {
        (start["level"], verb_of(step["act"]))
        for start, vector in zip(starts, vectors, strict=True)
        for step in vector["steps"]
        if "act" in step
    }
    elements_only = {"kite": 1, "wave": 3, "six": 3, "drg": 4}  # the level that brings the verb
    for number, level in enumerate(LEVELS):
        possible = {verb for verb in VERBS if elements_only.get(verb, 0) <= number}
        assert {verb for at, verb in verbs if at == level} == possible, level
    variants = {(start["level"], start["arena"], start["dicey"]) for start in starts}
    assert {arena for _, arena, _ in variants} == {*ARENAS, "own"}
    assert {(level, dicey) for level, _, dicey in variants} == {
        (level, dicey) for level in LEVELS for dicey in (True, False)
    }
    boards = {tuple(start.get("handicap_board", {}).values()) for start in starts}
    assert {("I",), ("II",)} <= boards
    assert OWN.stat().st_size <= 300_000


def wrong_copies(vector: Vector) -> Iterator[Vector]:
    text = json.dumps(vector)
    last = len(vector["steps"]) - 1
    for key, value in (
        ("turn", 99),
        ("active", "nobody"),
        ("energy", {"gold": 99, "black": 99}),
        ("honour", {"gold": 9, "black": 9}),
        ("guide", {"gold": "A8", "black": "A8"}),
        ("gold", {}),
        ("black", {}),
        ("pending", [["A8", 1]]),
        ("winner", "nobody"),
        ("reason", "ruling"),
    ):
        wrong = json.loads(text)
        wrong["steps"][last]["after"][key] = value
        yield wrong
    for key, value in (("legal", 0), ("legal_digest", "0" * 16), ("act", "W1>A1")):
        wrong = json.loads(text)
        wrong["steps"][0][key] = value
        yield wrong
    wrong = json.loads(text)
    wrong["legal"] = ["end"]
    yield wrong


def test_a_wrong_figure_is_noticed() -> None:
    vector = next(vector for vector in read_vectors(OWN) if vector["id"] == "wave-saved")
    assert differences(vector) == []
    for wrong in wrong_copies(vector):
        assert len(differences(wrong)) == 1


def test_random_play_repeats_itself_and_replays() -> None:
    vectors = list(islice(fragments(11, length=12), 12))
    assert vectors == list(islice(fragments(11, length=12), 12))
    assert vectors != list(islice(fragments(12, length=12), 12))
    assert [fault for vector in vectors for fault in differences(vector)] == []


def test_positions_are_read_as_they_were_written() -> None:
    for vector in islice(fragments(5, length=1), 20):
        start = vector["start"]
        if "position" in start:
            assert start_game(start).position() == start["position"]


def half_turned(text: str) -> str:
    """The same action seen from the other side of the board."""
    for mark in ("@", ">", " "):
        if mark in text:
            return mark.join(half_turned(part) for part in text.split(mark))
    if text in COORDINATES:
        q, r = COORDINATES[text]
        return name_of(-q, -r) or ""
    return text


def turned_line(line: str) -> str:
    """A position line with Gold and Black exchanged and the board turned half round."""
    head, *pairs, gold, black = line.split(" | ")
    arena, level, side, number = head.split()
    swapped = [" ".join(half_turned(word) for word in reversed(pair.split())) for pair in pairs]
    turned = [
        " ".join(
            f"{name}@{half_turned(place)}" for name, place in (w.split("@") for w in house.split())
        )
        for house in (black, gold)
    ]
    return " | ".join(
        [f"{arena} {level} {'b' if side == 'g' else 'g'} {number}", *swapped, *turned]
    )


def test_turning_the_board_maps_legal_actions_onto_each_other() -> None:
    seen = 0
    for vector in islice(fragments(8, length=1), 30):
        start = vector["start"]
        if "position" not in start:
            continue
        turned = start_game({**start, "position": turned_line(start["position"])})
        moves = [text for text in vector["legal"] if not text.startswith("guide")]
        # A warrior's name can look like a hex (A4, E3), so it stays out of the turning.
        expected = sorted(
            text[:2] + half_turned(text[2:]) if text[2:3] != "d" else text for text in moves
        )
        assert turned.legal() == expected
        seen += 1
    assert seen > 10


def quiet_game(*, starter: str = "gold") -> Reference:
    return Reference.from_setups(gold_setup=SETUP, black_setup=SETUP, starter=starter)


@pytest.mark.parametrize("starter", ["gold", "black"])
def test_a_draw_can_be_claimed_after_25_complete_rounds(starter: str) -> None:  # R8.3
    game = quiet_game(starter=starter)
    for turn in range(50):
        assert not game.may_claim_draw(), turn
        game.act("end")
    assert game.quiet_rounds() == 25
    assert game.may_claim_draw()


def test_a_fall_starts_the_count_again() -> None:  # R8.3
    start = Scene(gold="W1@G7", black="W1@G8", level="wind", energy=(14, 0)).start()
    game = start_game(start)
    game.act("W1 str G8")  # in round 5, which does not count
    for _ in range(51):
        assert not game.may_claim_draw()
        game.act("end")
    assert not game.may_claim_draw()
    game.act("end")
    assert game.state.round == 31
    assert game.may_claim_draw()


def test_a_half_round_at_the_start_does_not_count() -> None:  # R8.3, N4
    game = start_game(Scene(side="black").start())
    game.act("end")
    assert game.quiet_rounds() == 0
    game.act("end")
    game.act("end")
    assert game.quiet_rounds() == 1


@pytest.mark.parametrize(
    ("answer", "energy"),
    [("J10+ I9+ I10-", 5), ("J10+", 14), ("J10+ I9+ I10+ A8-", 14), ("", 14), ("J10 I9 I10", 14)],
)
def test_a_bad_decision_is_refused_and_changes_nothing(answer: str, energy: int) -> None:  # R6
    scene = Scene(gold="A4@I5", black="W1@J10 A4@I9 W8@I10", energy=(14, energy))
    game = start_game(scene.start())
    game.act("A4 six J10@J9")
    before = game.after()
    with pytest.raises(RefusedError):
        game.decide(answer)
    assert game.after() == before
    assert game.legal() == []


def test_what_is_not_legal_is_refused() -> None:
    game = quiet_game()
    for text in ("W1>H2", "F2 rng G4", "E3 ret J1", "guide>K1", "", "end;", "F2>H8"):
        with pytest.raises(RefusedError):
            game.act(text)
    with pytest.raises(RefusedError, match="roll"):
        game.act("end", face=3)
    with pytest.raises(RefusedError, match="no defence"):
        game.decide("G4+")


def test_handicaps_exclude_each_other() -> None:  # R9.2
    with pytest.raises(RefusedError, match="not both"):
        Reference.from_setups(
            gold_setup=SETUP,
            black_setup=SETUP,
            handicap={"gold": 2},
            handicap_board={"gold": "I"},
        )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("origin", "moon"),
        ("master", "expert"),
        (" g ", " r "),
        ("14 14", "14"),
        ("W1@H1", "W1@H8"),
        ("W1@H1", "W1@H15"),
        ("W1@H1", "W1@A1"),
        ("W1@H1", "W1@I1"),
        ("W1@H1", "F1@H1"),
        ("W1@H1", "W2@H1"),
        ("W1@H15", "W1@x"),
        ("0 0", "8 0"),
        ("0 0", "1 0"),
        ("- -", "K1 -"),
        ("0 0 | - -", "2 0 | K1 -"),
        (" | ", " / "),
    ],
)
def test_a_bad_position_line_is_refused(old: str, new: str) -> None:  # N4
    line: str = Scene().start()["position"]
    assert Reference.from_position(line).position() == line
    assert old in line
    with pytest.raises(RefusedError):
        Reference.from_position(line.replace(old, new, 1))


def test_arenas_are_checked() -> None:  # R1.6
    for arena in ARENAS.values():
        assert arena_faults(sorted(arena.wells), []) == []
    wells = sorted(ARENAS["origin"].wells)
    assert len(arena_faults(wells[:7], [])) == 1
    assert len(arena_faults([*wells[:7], "H1"], [])) == 1
    assert len(arena_faults([*wells[:7], wells[0]], [])) == 1
    assert len(arena_faults(wells, ["F6", "J10"])) == 2
    assert len(arena_faults(wells, ["G7"])) == 1
    assert len(arena_faults(wells, ["H8"])) == 1
    # O1 has two Arena neighbours; without them it is shut in, and so is its half turn A15.
    assert len(arena_faults(wells, ["O2", "N2", "A14", "B14"])) == 2
    # A10 and O6 are shut in by their neighbours, for both Houses.
    ring = ["A9", "A11", "B9", "B10", "O7", "O5", "N7", "N6"]
    assert len(arena_faults(wells, ring)) == 4
    rng = Random(3)
    for _ in range(20):
        assert arena_faults(*random_arena(rng)) == []
