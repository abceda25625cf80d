"""The perft tables of tests/data/perft: how they are written, and where their numbers come from.

A table is a text file; each entry has an ``id``, a start, perhaps ``dicey``, and node counts::

    id master-2
    position origin master b 3 | 14 2 | 1 0 | K1 - | W1@H7 ... | F1@H15 ...
    dicey
    perft 1 52
    perft 2 2210

Other starts are ``opening <Gold> <Black> <starter> <energy> <level> <arena>``, and ``wells`` and
``cuts`` may follow a position. Every number was counted by the slow engine of tests/reference,
which shares no code with the one under test; run as a program, this module counts them again::

    python -m tests.ortus.perft_tables tests/data/perft/*.txt
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Final

from tests.reference import Reference
from tests.reference.attacks import ATTACK_VERBS
from tests.reference.vectors import start_game

DIFFERENT_FACES: Final = (0, 2, 4)


@dataclass(slots=True)
class Table:
    """One entry: ``start`` is in the form of a conformance vector, ``nodes`` are by depth."""

    name: str
    start: dict[str, Any] = field(default_factory=lambda: {"dicey": False})
    nodes: dict[int, int] = field(default_factory=dict)


def read_tables(path: Path) -> Iterator[Table]:
    """The entries of one file."""
    table: Table | None = None
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        word, _, rest = line.partition(" ")
        if word == "id":
            if table is not None:
                yield table
            table = Table(rest)
        elif table is None:
            raise ValueError(f"{path.name}, line {number}: an entry begins with its id")
        elif not _read_line(table, word, rest):
            raise ValueError(f"{path.name}, line {number}: what is {word!r}?")
    if table is not None:
        yield table


def _read_line(table: Table, word: str, rest: str) -> bool:
    match word:
        case "position":
            arena, level, _ = rest.split(" ", 2)
            table.start |= {"position": rest, "arena": arena, "level": level}
        case "opening":
            gold, black, starter, energy, level, arena = rest.split()
            table.start |= {
                "gold_setup": gold,
                "black_setup": black,
                "starter": starter,
                "starter_energy": int(energy),
                "level": level,
                "arena": arena,
            }
        case "wells" | "cuts":
            table.start[word] = rest.split()
        case "dicey":
            table.start["dicey"] = True
        case "perft":
            depth, nodes = rest.split()
            table.nodes[int(depth)] = int(nodes)
        case _:
            return False
    return True


def reference_perft(game: Reference, depth: int) -> int:
    """What ``pbem.games.ortus.perft`` counts, counted by the slow engine."""
    if depth == 0:
        return 1
    total = 0
    pending = game.state.pending
    if pending is not None:
        energy = game.state.energy[{"gold": "black", "black": "gold"}[game.state.active]] or 0
        for saves in product((True, False), repeat=len(pending.victims)):
            chosen = list(zip(pending.victims, saves, strict=True))
            if sum(power for (_, power), saved in chosen if saved) <= energy:
                text = " ".join(f"{hex_}{'+' if saved else '-'}" for (hex_, _), saved in chosen)
                after = Reference(game.state)
                after.decide(text)
                total += reference_perft(after, depth - 1)
        return total
    for text in game.legal():
        words = text.split()
        rolls = game.state.dicey and len(words) > 1 and words[1] in ATTACK_VERBS
        for face in DIFFERENT_FACES if rolls else (None,):
            if depth == 1:
                total += 1
                continue
            after = Reference(game.state)
            after.act(text, face)
            total += reference_perft(after, depth - 1)
    return total


def main(paths: list[str]) -> int:
    """Count every table again; 1 if a number differs."""
    wrong = 0
    for path in paths:
        for table in read_tables(Path(path)):
            for depth, nodes in table.nodes.items():
                counted = reference_perft(start_game(table.start), depth)
                verdict = "ok" if counted == nodes else f"but the table says {nodes}"
                wrong += counted != nodes
                print(f"{table.name} perft {depth}: {counted} {verdict}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
