"""The engine against the slow reference of tests/reference, on random play of many kinds.

The reference plays and writes down what it saw; the engine replays it and must see the same:
every list of legal actions, every state, every defence. Only strings pass between the two.
"""

from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from notation.reading import parse_order
from pbem.games.ortus.conformance import compare, describe, start_position
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.legality import check
from pbem.games.ortus.orders import to_action
from pbem.games.ortus.position import Position
from pbem.games.ortus.turn import decide, perform
from tests.reference import Reference
from tests.reference.attacks import ATTACK_VERBS
from tests.reference.board import BLACK, COORDINATES, GOLD, HAVEN, HOUSES, NEIGHBOURS
from tests.reference.play import choose_action, choose_decision, fragment, fragments, verb_of
from tests.reference.starts import (
    Start,
    position_start,
    random_variant,
    scattered_line,
    setups_start,
)
from tests.reference.state import LEVELS
from tests.reference.vectors import read_vectors, start_game

OWN = Path(__file__).parents[1] / "data" / "vectors" / "ortus-own.jsonl"
seeds = st.integers(0, 2**32 - 1)
levels = st.sampled_from(LEVELS)


def scattered_start(rng: Random, level: str) -> Start:
    variant = random_variant(rng, level=level)
    return position_start(rng, variant, scattered_line(rng, variant))


def test_agrees_with_our_own_vectors() -> None:
    assert [difference for vector in read_vectors(OWN) for difference in compare(vector)] == []


@settings(max_examples=50, derandomize=True, deadline=None)
@given(seed=seeds, level=levels)
def test_scattered_positions_play_alike(seed: int, level: str) -> None:
    rng = Random(seed)
    start = scattered_start(rng, level)
    assert list(compare(fragment(rng, start, name=f"scattered {seed}", length=12))) == []


@settings(max_examples=6, derandomize=True, deadline=None)
@given(seed=seeds, level=levels)
def test_games_from_set_ups_play_alike(seed: int, level: str) -> None:
    rng = Random(seed)
    start = setups_start(rng, random_variant(rng, level=level))
    assert list(compare(fragment(rng, start, name=f"set-ups {seed}", length=60))) == []


@settings(max_examples=3, derandomize=True, deadline=None)
@given(seed=seeds)
def test_reached_positions_play_alike(seed: int) -> None:
    for vector in islice(fragments(seed, length=15), 5):
        assert list(compare(vector)) == []


def conceivable(game: Reference) -> Iterator[str]:
    """Canonical texts of every form, most of them illegal."""
    state = game.state
    names = list(state.warriors[state.active])
    fires = "+".join(name for name in names if name[0] == "F")
    targets = [hex_ for house in HOUSES for hex_ in state.warriors[house].values() if hex_]
    targets += ["H8", "A8"]
    slots = [*HAVEN[GOLD], *HAVEN[BLACK]]
    yield "end"
    yield from (f"guide>{hex_}" for hex_ in COORDINATES)
    yield from (f"{fires} drg {target}" for target in targets)
    for name in names:
        yield f"{name} ret guide"
        yield from (f"{name} ret {slot}" for slot in slots)
        for hex_ in COORDINATES:
            yield f"{name}>{hex_}"
            yield f"{name}:kite>{hex_}"
        for target in targets:
            yield f"{name} str {target}"
            yield f"{name} rng {target}"
            for verb, landing in product(("chg", "wave", "six"), (*NEIGHBOURS[target], "H8")):
                yield f"{name} {verb} {target}@{landing}"


def is_legal(position: Position, text: str) -> bool:
    try:
        check(position, to_action(position, parse_order(text)))
    except Illegal:
        return False
    return True


@settings(max_examples=20, derandomize=True, deadline=None)
@given(seed=seeds, level=levels)
def test_whatever_is_not_listed_is_refused(seed: int, level: str) -> None:
    """In step through a fragment, then every conceivable action is asked about."""
    rng = Random(seed)
    start = scattered_start(rng, level)
    game, position = start_game(start), start_position(start)
    for _ in range(rng.randint(0, 8)):
        if game.state.winner is not None:
            break
        if game.state.pending is not None:
            answer = choose_decision(rng, game)
            game.decide(answer)
            position = decide(position, [word.endswith("+") for word in answer.split()])
        else:
            text = choose_action(rng, game)
            face = rng.randrange(6) if start["dicey"] and verb_of(text) in ATTACK_VERBS else None
            game.act(text, face)
            position = perform(position, to_action(position, parse_order(text)), face=face)
        assert describe(position) == game.after()
        assert position.quiet_rounds() == game.quiet_rounds()
    accepted = {text for text in conceivable(game) if is_legal(position, text)}
    assert sorted(accepted) == game.legal()


@settings(max_examples=10, derandomize=True, deadline=None)
@given(seed=seeds)
def test_the_draw_claim_counts_alike(seed: int) -> None:
    """R8.3, over turns that mostly pass."""
    rng = Random(seed)
    start = scattered_start(rng, "wind") | {"dicey": False}
    game, position = start_game(start), start_position(start)
    for _ in range(12):
        if game.state.winner is not None:
            return
        strikes = [text for text in game.legal() if " str " in text]
        text = rng.choice(strikes) if strikes and rng.random() < 0.3 else "end"
        game.act(text)
        position = perform(position, to_action(position, parse_order(text)))
        if game.state.pending is not None:
            answer = choose_decision(rng, game)
            game.decide(answer)
            position = decide(position, [word.endswith("+") for word in answer.split()])
        assert position.quiet_rounds() == game.quiet_rounds()
