"""Properties of the engine on random positions: the list of legal actions and the judge of a single
one agree, whatever is legal can be done and leaves a sound position, and the game is the same from
both sides of the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.ortus.actions import (
    ATTACKS,
    CHARGE,
    CHARGES,
    DRAGONS,
    END_TURN,
    GUIDE,
    KITE,
    ON_GUIDE,
    RANGE,
    RETURN,
    SIX,
    STRIKE,
    WALK,
    WAVE,
    Action,
)
from pbem.games.ortus.defence import possible_answers
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.hexes import (
    BLACK,
    BOARD,
    CORE,
    GOLD,
    HAVENS,
    HEXES,
    NEIGHBOURS,
    OFF_BOARD,
    distance,
    members,
)
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.legality import cheapest, check
from pbem.games.ortus.position import SLOTS, Position
from pbem.games.ortus.turn import decide, perform
from tests.ortus.positions import mirrored, mirrored_action, random_face, random_position, wander

seeds = st.integers(0, 2**32 - 1)
levels = st.integers(0, 4)


def candidates(position: Position, rng: Random) -> Iterator[Action]:
    """All actions one could name; charges from anywhere only for hexes with warriors."""
    yield END_TURN
    for hex_ in HEXES:
        yield Action(GUIDE, to=hex_)
        for slot in SLOTS:
            for verb in (WALK, KITE, STRIKE, RANGE, RETURN):
                yield Action(verb, slot, hex_)
    for slot in SLOTS:
        yield Action(RETURN, slot, ON_GUIDE)
    taken = list(members(position.occupied[GOLD] | position.occupied[BLACK]))
    for target in [*taken, *rng.sample(HEXES, 3)]:
        landings = [*members(NEIGHBOURS[target]), *rng.sample(HEXES, 2)]
        for slot in SLOTS:
            for verb in (CHARGE, WAVE, SIX):
                for landing in landings:
                    yield Action(verb, slot, target, landing)
            for partner in SLOTS:
                yield Action(DRAGONS, slot, target, partner=partner)


def is_legal(position: Position, action: Action) -> bool:
    try:
        check(position, action)
    except Illegal:
        return False
    return True


@settings(max_examples=25, derandomize=True, deadline=None)
@given(seed=seeds, level=levels)
def test_legal_actions_are_exactly_those_that_check_accepts(seed: int, level: int) -> None:
    rng = Random(seed)
    position = wander(random_position(rng, level=level), rng, rng.randrange(5))
    listed = legal_actions(position)
    accepted = {action for action in candidates(position, rng) if is_legal(position, action)}
    assert Counter(listed) == Counter(accepted)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(seed=seeds, level=levels)
def test_the_cheapest_are_those_of_which_check_says_so(seed: int, level: int) -> None:
    rng = Random(seed)
    position = wander(random_position(rng, level=level), rng, rng.randrange(5))
    legal = legal_actions(position)
    for verbs in (ATTACKS, {WALK, KITE}, {WALK}, {RANGE}, CHARGES):
        some = [action for action in legal if action.verb in verbs]
        costs = {action: check(position, action) for action in some}
        wanted = [action for action in some if costs[action] == min(costs.values())]
        assert sorted(cheapest(position, some)) == sorted(wanted)


@settings(max_examples=25, derandomize=True, deadline=None)
@given(seed=seeds, level=levels)
def test_moves_can_be_asked_for_by_where_they_end(seed: int, level: int) -> None:
    rng = Random(seed)
    position = wander(random_position(rng, level=level), rng, rng.randrange(5))
    ends = rng.getrandbits(256) & BOARD
    wanted = [
        action
        for action in legal_actions(position)
        if action.verb not in (WALK, KITE) or ends >> action.to & 1
    ]
    assert legal_actions(position, ends=ends) == wanted


def assert_sound(position: Position) -> None:
    arena = position.rules.arena
    standing = []
    for house in (GOLD, BLACK):
        on_board = [hex_ for hex_ in position.hexes[house] if hex_ != OFF_BOARD]
        assert sum(1 << hex_ for hex_ in on_board) == position.occupied[house]
        assert all(arena.free_ground[house] >> hex_ & 1 for hex_ in on_board)
        standing += on_board
        assert position.energy[house] >= 0
        steps_taken = position.honour[house]
        if house == position.active:
            steps_taken -= position.owed
        guide = position.guide[house]
        assert (guide == OFF_BOARD) == (steps_taken == 0)
        assert guide == OFF_BOARD or distance(guide, CORE) == 8 - steps_taken
    assert len(standing) == len(set(standing)), "two warriors on one hex"
    question = position.question
    if question is not None:
        assert position.winner is None
        energy = position.energy[position.passive]
        assert any(0 < victim.power <= energy for victim in question.victims)
        for victim in question.victims:
            assert position.hexes[position.passive][victim.slot] == victim.hex
            assert arena.ground >> victim.hex & 1


def followers(position: Position, rng: Random) -> Iterator[tuple[Action | None, Position]]:
    """What can come next: some of the legal actions, or every answer to the open defence."""
    if position.question is not None:
        for saves in possible_answers(position):
            yield None, decide(position, saves)
        return
    actions = legal_actions(position)
    attacks = [action for action in actions if action.verb in ATTACKS]
    others = rng.sample(actions, min(20, len(actions)))
    for action in attacks[:60] + others:
        yield action, perform(position, action, face=random_face(rng, position, action))


@settings(max_examples=150, derandomize=True, deadline=None)
@given(seed=seeds, level=levels)
def test_legals_are_legal_and_leave_a_sound_position(seed: int, level: int) -> None:
    rng = Random(seed)
    position = wander(random_position(rng, level=level), rng, rng.randrange(8))
    assert_sound(position)
    before = position.key()
    for action, after in followers(position, rng):
        assert_sound(after)
        if action is not None and action.verb == "end":
            assert after.active == position.passive
            assert after.fallen(position.active) == []
            continue
        assert after.active == position.active
        own, other = position.active, position.passive
        fell = len(after.fallen(other)) - len(position.fallen(other))
        assert after.honour[own] - position.honour[own] == fell >= 0
        assert after.honour[other] == position.honour[other]
        spent = position.energy[own] - after.energy[own]
        assert spent == (0 if action is None else check(position, action))
        if after.winner is None:
            stepped = action is not None and action.verb == GUIDE
            assert after.owed == position.owed + fell - stepped
    assert position.key() == before, "performing an action changed the position it began from"


@settings(max_examples=150, derandomize=True, deadline=None)
@given(seed=seeds, level=levels)
def test_warriors_in_their_haven_are_never_hit(seed: int, level: int) -> None:
    rng = Random(seed)
    position = wander(random_position(rng, level=level), rng, rng.randrange(4))
    for _, after in followers(position, rng):
        hit = [victim.hex for victim in after.question.victims] if after.question else []
        fell = [
            hex_
            for hex_, now in zip(
                position.hexes[position.passive], after.hexes[position.passive], strict=True
            )
            if now == OFF_BOARD and hex_ != OFF_BOARD
        ]
        assert not any(HAVENS[position.passive] >> hex_ & 1 for hex_ in hit + fell)


def without_order(position: Position) -> tuple[object, ...]:
    """A position's key; the order of victims by letter and number (R6.1) has no mirror image."""
    plain = position.copy()
    plain.verdicts = tuple(sorted(position.verdicts))
    if position.question is not None:
        plain.question = position.question._replace(
            victims=tuple(sorted(position.question.victims))
        )
    return plain.key()


@settings(max_examples=40, derandomize=True, deadline=None)
@given(seed=seeds, level=levels)
def test_the_half_turned_board_has_the_same_legal_actions_and_results(
    seed: int, level: int
) -> None:
    rng = Random(seed)
    position = wander(random_position(rng, level=level), rng, rng.randrange(6))
    image = mirrored(position)
    assert mirrored(image) == position
    expected = {mirrored_action(action) for action in legal_actions(position)}
    assert set(legal_actions(image)) == expected
    for action in rng.sample(sorted(expected), min(30, len(expected))):
        face = random_face(rng, image, action)
        there = perform(position, mirrored_action(action), face=face)
        here = perform(image, action, face=face)
        if there.winner is not None and action.verb == SIX:
            # At the eighth honour the order of the victims says who stays on the board.
            assert here.winner == 1 - there.winner
            continue
        assert without_order(here) == without_order(mirrored(there))


@settings(max_examples=150, derandomize=True, deadline=None)
@given(seed=seeds, level=levels)
def test_the_half_turned_board_answers_defences_alike(seed: int, level: int) -> None:
    rng = Random(seed)
    position = random_position(rng, level=level)
    for _ in range(12):
        if position.question is not None:
            break
        position = wander(position, rng, 1)
    image = mirrored(position)
    for saves in possible_answers(position):
        here, there = decide(position, saves), decide(image, saves)
        assert without_order(there) == without_order(mirrored(here))
