"""Conformance vectors: start a reference game from one, replay it, and list every difference.

Two optional keys of `start` go beyond the shared file: `handicap_board`, and `wells` with `cuts`.
A vector may leave out `legal`, where it would be long; the first step then counts and digests it.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.reference.engine import Reference

Vector = dict[str, Any]


def read_vectors(path: Path) -> Iterator[Vector]:
    """One vector a line."""
    with path.open(encoding="ascii") as lines:
        for line in lines:
            yield json.loads(line)


def digest(actions: list[str]) -> str:
    """The first 16 hex digits of the SHA-256 of the sorted actions, joined by line feeds."""
    return hashlib.sha256("\n".join(sorted(actions)).encode("ascii")).hexdigest()[:16]


def start_game(start: dict[str, Any]) -> Reference:
    """The game a vector's `start` describes."""
    options: dict[str, Any] = {
        "wells": start.get("wells"),
        "cuts": start.get("cuts"),
        "dicey": start["dicey"],
        "handicap": start.get("handicap"),
        "handicap_board": start.get("handicap_board"),
    }
    if "position" in start:
        return Reference.from_position(start["position"], **options)
    return Reference.from_setups(
        gold_setup=start["gold_setup"],
        black_setup=start["black_setup"],
        starter=start["starter"],
        starter_energy=start["starter_energy"],
        level=start["level"],
        arena=start["arena"],
        **options,
    )


def differences(vector: Vector) -> list[str]:
    """Where the reference engine and a vector part, in words; empty if they agree."""
    game = start_game(vector["start"])
    found = []
    if "legal" in vector and game.legal() != vector["legal"]:
        wrong = sorted(set(game.legal()) ^ set(vector["legal"]))
        found.append(f"{vector['id']} start: legal actions differ in {wrong[:8]}")
    for number, step in enumerate(vector["steps"]):
        where = f"{vector['id']} step {number} {step.get('act') or step.get('decide')}"
        if "decide" in step:
            game.decide(step["decide"])
        else:
            legal = game.legal()
            if (len(legal), digest(legal)) != (step["legal"], step["legal_digest"]):
                found.append(f"{where}: {len(legal)} legal actions, not those {step['legal']}")
            if step["act"] not in legal:
                return [*found, f"{where}: not legal"]
            game.act(step["act"], step.get("roll"))
        after = game.after()
        found += [
            f"{where}: {key} is {after[key]}, not {value}"
            for key, value in step["after"].items()
            if after[key] != value
        ]
    return found
