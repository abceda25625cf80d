"""Standing defence rules as text (N3.1): ``block F* <=4; block all <=2 keep 5; ask all``.

Owns the type of a rule, its reading and its writing. What a rule answers to an attack is
``pbem.games.ortus.standing``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StandingRule:
    """One rule: ``answer`` is block, fall or ask; ``whom`` is ``all``, ``F*`` or ``W3``."""

    answer: str
    whom: str
    up_to: int | None = None
    keep: int | None = None
