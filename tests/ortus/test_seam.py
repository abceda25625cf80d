"""Ortus fills the server's seam."""

from __future__ import annotations

from pbem.games.base import Game
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.state import State


def test_ortus_is_a_game_as_the_server_wants_one() -> None:
    seam: Game[State] = Ortus()  # the type checker compares all signatures here
    wanted = {name for name in vars(Game) if not name.startswith("_")}
    assert wanted <= set(dir(seam))
    assert seam.name == "ortus"
    assert list(seam.seats) == ["gold", "black"]
