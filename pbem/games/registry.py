"""The games that can be played here, by name."""

from __future__ import annotations

from functools import cache
from typing import Any

from pbem.games.base import Game

NAMES = ("ortus",)


@cache
def get_game(name: str) -> Game[Any]:
    """A game by its name. Raises KeyError for one that is not here."""
    if name != "ortus":
        raise KeyError(name)
    from pbem.games.ortus.game import Ortus  # noqa: PLC0415 - a game is loaded when it is played

    return Ortus()
