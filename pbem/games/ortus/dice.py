"""Lots and dice that anyone can check (R9.5).

Random number ``n`` of a game follows from its secret seed and its id alone, so that everything is
settled, and committed to, before the first move. Drawing the seed is the server's.
"""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache
from typing import Final

SEED_BYTES: Final = 32
_FAIR_BELOW: Final = 252
"""The largest multiple of 6 (and of 2) that a byte can hold: higher bytes are skipped."""


@lru_cache(maxsize=4096)
def commitment(seed: bytes) -> str:
    """What both players get when the game is made: the lower-case hex SHA-256 of the seed."""
    return hashlib.sha256(seed).hexdigest()


def random_byte(seed: bytes, game_id: str, number: int) -> int:
    """The fair byte behind random number ``number`` of a game: 0 to 251."""
    message = f"{game_id}/{number}"
    attempt = 0
    while True:
        for byte in hmac.digest(seed, message.encode("ascii"), "sha256"):
            if byte < _FAIR_BELOW:
                return byte
        attempt += 1
        message = f"{game_id}/{number}/{attempt}"


@lru_cache(maxsize=4096)
def lot(seed: bytes, game_id: str) -> int:
    """The House that the lot names as starter: number 0 of every game, used or not."""
    return random_byte(seed, game_id, 0) % 2


def face(seed: bytes, game_id: str, attack: int) -> int:
    """The face index, 0 to 5, of the game's ``attack``-th declared attack, counted from 1."""
    return random_byte(seed, game_id, attack) % 6
