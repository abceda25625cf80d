"""The order in which entrants are seeded, and lots: drawn from a seed, so that anybody can repeat
them. Who meets whom by it is left to the formats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import TypeVar

from pbem.tournaments.event import Entrant

T = TypeVar("T", bound=int | str)


def seeded(entrants: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """Entrants from the first seed on: the higher rating, then who entered earlier."""
    return tuple(sorted(entrants, key=lambda each: (-each.rating, each.number)))


def serpentine(members: Sequence[T], groups: int) -> tuple[tuple[T, ...], ...]:
    """Groups of nearly equal size and strength: there and back over them, in the order given."""
    found: list[list[T]] = [[] for _ in range(groups)]
    for index, member in enumerate(members):
        lap, step = divmod(index, groups)
        found[step if lap % 2 == 0 else groups - 1 - step].append(member)
    return tuple(map(tuple, found))


def lot(seed: bytes, *words: int | str) -> int:
    """A number of 64 bits that nobody chose: the same for the same seed and words."""
    said = "/".join(map(str, words)).encode()
    return int.from_bytes(blake2b(said, key=seed[:64], digest_size=8).digest(), "big")


def drawn(members: Iterable[T], seed: bytes, *words: int | str) -> tuple[T, ...]:
    """Members in an order by lot."""
    return tuple(sorted(members, key=lambda each: (lot(seed, *words, each), each)))
