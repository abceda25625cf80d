"""Random games by the reference engine alone, written as conformance vectors.

    python -m tests.reference.play --seed 7 --count 100 > vectors.jsonl

Attacks and approaches are preferred, so that warriors meet, fall and return.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from itertools import islice, product
from random import Random

from tests.reference.attacks import ATTACK_VERBS
from tests.reference.board import distance, opponent
from tests.reference.engine import Reference
from tests.reference.legality import energy_of
from tests.reference.starts import (
    Start,
    position_start,
    random_variant,
    scattered_line,
    setups_start,
)
from tests.reference.vectors import Vector, digest, start_game

Watcher = Callable[[Reference, str], None]


def verb_of(text: str) -> str:
    """The kind of a canonical action; `walk` and `kite` for moves."""
    if " " in text:
        return text.split()[1]
    if text == "end" or text.startswith("guide>"):
        return text[:5].removesuffix(">")
    return "kite" if ":kite>" in text else "walk"


def choose_move(rng: Random, game: Reference, moves: list[str]) -> str:
    """The best of a few random moves: near a Well of nobody's own, or near the enemy."""
    state = game.state
    own = set(state.warriors[state.active].values())
    enemies = {place for place in state.warriors[opponent(state.active)].values() if place}
    aims = sorted((set(state.arena.wells) | enemies) - own)

    def remoteness(move: str) -> int:
        place = move.rpartition(">")[2]
        return min((distance(place, aim) for aim in aims), default=0)

    return min(rng.sample(moves, min(len(moves), rng.choice([1, 4, 8]))), key=remoteness)


def choose_action(rng: Random, game: Reference) -> str:
    """A legal action, chosen so that things happen."""
    kinds: dict[str, list[str]] = {}
    for text in game.legal():
        kinds.setdefault(verb_of(text), []).append(text)
    weights = {"walk": 8, "kite": 6, "guide": 5, "ret": 1, "end": 1}
    weights |= {"str": 12, "drg": 200, "rng": 8, "chg": 8, "wave": 10, "six": 10}
    if game.state.returning:
        weights["ret"] = 8
    kind = rng.choices(list(kinds), [weights[kind] for kind in kinds])[0]
    if kind in ("walk", "kite"):
        return choose_move(rng, game, kinds[kind])
    return rng.choice(kinds[kind])


def choose_decision(rng: Random, game: Reference) -> str:
    """An answer that can be paid, any of them with the same chance."""
    pending = game.state.pending
    assert pending is not None
    purse = energy_of(game.state, opponent(game.state.active))
    answers = [
        answer
        for answer in product("+-", repeat=len(pending.victims))
        if sum(
            power for (_, power), sign in zip(pending.victims, answer, strict=True) if sign == "+"
        )
        <= purse
    ]
    signs = rng.choice(answers)
    return " ".join(
        f"{victim}{sign}" for (victim, _), sign in zip(pending.victims, signs, strict=True)
    )


def fragment(
    rng: Random, start: Start, *, name: str, length: int, watch: Watcher | None = None
) -> Vector:
    """Play at most `length` steps from a start; `watch` sees the game before each of them."""
    game = start_game(start)
    vector: Vector = {"id": name, "start": start, "legal": game.legal(), "steps": []}
    while len(vector["steps"]) < length and game.state.winner is None:
        step: dict[str, object]
        if game.state.pending is not None:
            answer = choose_decision(rng, game)
            if watch:
                watch(game, answer)
            game.decide(answer)
            step = {"decide": answer}
        else:
            legal = game.legal()
            text = choose_action(rng, game)
            if watch:
                watch(game, text)
            step = {"legal": len(legal), "legal_digest": digest(legal), "act": text}
            face = rng.randrange(6) if start["dicey"] and verb_of(text) in ATTACK_VERBS else None
            if face is not None:
                step["roll"] = face
            game.act(text, face)
        vector["steps"].append({**step, "after": game.after()})
    return vector


def fragments(seed: int, *, length: int = 30, level: str | None = None) -> Iterator[Vector]:
    """Vectors without end: games from set-ups, from scattered and from reached positions."""
    rng = Random(seed)
    reached: list[tuple[Start, str]] = []  # turn starts of earlier play

    def watch(game: Reference, text: str) -> None:
        state = game.state
        if text == "end" or state.moved or state.attacked or state.owed or state.returning:
            return
        if state.round > 1 and state.pending is None and rng.random() < 0.5:
            variant = {"level": state.level, "arena": state.arena.name, "dicey": state.dicey}
            if state.arena.name == "own":
                variant |= {"wells": sorted(state.arena.wells), "cuts": sorted(state.arena.cuts)}
            reached.append((variant, game.position()))

    number = 0
    while True:
        kind, variant = rng.random(), random_variant(rng, level=level)
        if kind < 0.3:
            start = setups_start(rng, variant)
        elif kind < 0.6 and reached:
            start = position_start(rng, *reached.pop(rng.randrange(len(reached))))
        else:
            start = position_start(rng, variant, scattered_line(rng, variant))
        steps = length * 3 if kind < 0.3 else length
        yield fragment(rng, start, name=f"r{seed}-{number}", length=steps, watch=watch)
        del reached[:-200]
        number += 1


def main() -> None:
    """Write vectors to the standard output."""
    parser = argparse.ArgumentParser(description="Write random conformance vectors.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--length", type=int, default=30, help="steps of a fragment")
    options = parser.parse_args()
    for vector in islice(fragments(options.seed, length=options.length), options.count):
        sys.stdout.write(json.dumps(vector) + "\n")


if __name__ == "__main__":
    main()
