"""Writes our own small set of vectors: the scenarios, and random play for every variant.

    python -m tests.reference.own_vectors > tests/data/vectors/ortus-own.jsonl

The file lets the real engine be checked where the shared vectors are not at hand. `legal` is
left out where it is long: the first step counts and digests it.
"""

import json
import sys
from collections.abc import Iterator

from tests.reference.play import fragments, verb_of
from tests.reference.scenarios import Scenario, scenarios
from tests.reference.state import LEVELS
from tests.reference.vectors import Vector, digest, start_game

LONGEST_LEGAL = 60


def scripted(scenario: Scenario) -> Vector:
    """Play a scenario's script."""
    game = start_game(scenario.start)
    vector: Vector = {
        "id": scenario.name,
        "covers": scenario.covers,
        "start": scenario.start,
        "legal": game.legal(),
        "steps": [],
    }
    for text in scenario.script.split("; "):
        if text[-1] in "+-":
            game.decide(text)
            vector["steps"].append({"decide": text, "after": game.after()})
            continue
        act, _, face = text.partition("#")
        legal = game.legal()
        step: dict[str, object] = {"legal": len(legal), "legal_digest": digest(legal), "act": act}
        if face:
            step["roll"] = int(face)
        game.act(act, int(face) if face else None)
        vector["steps"].append({**step, "after": game.after()})
    return vector


def facets(vector: Vector) -> set[tuple[str, ...]]:
    """What a vector of random play shows: verbs by level, arena, dice and handicap."""
    start = vector["start"]
    level, dice = start["level"], "dicey" if start["dicey"] else "clean"
    found: set[tuple[str, ...]] = {(level, start["arena"], dice)}
    for step in vector["steps"]:
        found.add((level, dice, verb_of(step["act"]) if "act" in step else "decide"))
        if step["after"]["winner"]:
            found.add((step["after"]["reason"], step["after"]["winner"]))
    return found


def random_part(*, bytes_left: int, tries: int) -> Iterator[Vector]:
    """Fragments of random play that show the most facets for their size, until full."""
    stock = []
    for number, level in enumerate(LEVELS):
        source = fragments(700 + number, length=14, level=level)
        stock += [next(source) for _ in range(tries)]
    stock = [vector for vector in stock if len(vector["steps"]) <= 14]
    shown: set[tuple[str, ...]] = set()
    while stock:
        best = max(stock, key=lambda vector: len(facets(vector) - shown) / len(vector["steps"]))
        new = facets(best) - shown
        stock.remove(best)
        bytes_left -= len(written(best))
        if not new or bytes_left < 0:
            return
        shown |= new
        yield {**best, "covers": "random play: " + ", ".join(" ".join(f) for f in sorted(new))}


def written(vector: Vector) -> str:
    """One line of the file."""
    if len(vector["legal"]) > LONGEST_LEGAL:
        vector = {key: value for key, value in vector.items() if key != "legal"}
    return json.dumps(vector, separators=(",", ":")) + "\n"


def main() -> None:
    """Write the file to the standard output."""
    lines = [written(scripted(scenario)) for scenario in scenarios()]
    left = 295_000 - sum(map(len, lines))
    lines += [written(vector) for vector in random_part(bytes_left=left, tries=60)]
    sys.stdout.write("".join(lines))


if __name__ == "__main__":
    main()
