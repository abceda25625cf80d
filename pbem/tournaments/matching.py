"""The cheapest way to pair all of a field, by maximum-weight matching.

Costs have levels; one number holds them all, each level in digits of its own that even the sum over
a whole round cannot overflow, and the lowest digits are drawn by lot, so that there is one best
pairing and not two. rustworkx counts in 128 bits. What costs what is left to ``weighing``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pbem.tournaments.seeding import lot
from pbem.tournaments.weighing import Cost

Pair = tuple[int, int]
"""Two places of the field, the smaller first."""

MOST_BITS: Final = 122
"""What a weight may need: the matching adds a few of them within 127 bits."""
LOT_BITS: Final = 36
"""How many bits of each weight are drawn by lot, if there is room."""


def find_matching(count: int, costs: Mapping[Pair, Cost], *, seed: bytes) -> set[Pair] | None:
    """The cheapest pairing of all from 0 to ``count``; None if not all can be paired."""
    # Loaded where it is used: who only reads an event does without.
    import rustworkx  # noqa: PLC0415

    pairs = sorted(costs)
    weights = _weights([costs[pair] for pair in pairs], pairs, count // 2, seed)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from(
        [(one, other, weight) for (one, other), weight in zip(pairs, weights, strict=True)]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < count:
        return None
    return {(min(pair), max(pair)) for pair in found}


def _weights(costs: Sequence[Cost], pairs: Sequence[Pair], most: int, seed: bytes) -> list[int]:
    """One number for each cost: the cheaper, the larger. ``most`` of them are added up."""
    if not costs:
        return []
    levels = [(list(column), max(column)) for column in zip(*costs, strict=True) if any(column)]
    spare = MOST_BITS
    digits: list[tuple[list[int], int]] = []
    for column, largest in levels:
        base = (largest * most + 1).bit_length()
        # Only absurd events come here: the last levels lose their finest differences.
        drop = max(0, base - max(spare, 1))
        digits.append(([value >> drop for value in column], base - drop))
        spare = max(0, spare - base)
    by_lot = max(0, min(LOT_BITS, spare - most.bit_length()))
    found = [0] * len(costs)
    for column, bits in digits:
        found = [value << bits | digit for value, digit in zip(found, column, strict=True)]
    room = by_lot + most.bit_length() if by_lot else 0
    mask = (1 << by_lot) - 1
    found = [
        value << room | (lot(seed, *pair) & mask) for value, pair in zip(found, pairs, strict=True)
    ]
    largest = max(found)
    return [largest - value for value in found]
