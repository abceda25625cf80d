"""Ortus fills the server's seam."""

from __future__ import annotations

import subprocess
import sys

from pbem.games.base import Game
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.state import State


def test_ortus_is_a_game_as_the_server_wants_one() -> None:
    seam: Game[State] = Ortus()  # the type checker compares all signatures here
    wanted = {name for name in vars(Game) if not name.startswith("_")}
    assert wanted <= set(dir(seam))
    assert seam.name == "ortus"
    assert list(seam.seats) == ["gold", "black"]


def test_playing_waits_for_no_pictures_and_no_records() -> None:
    code = "import sys, pbem.games.ortus.game; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    later = {"drawing", "showing", "speech", "chronicle", "replaying", "sampling", "conformance"}
    later |= {"telling", "briefing", "describing", "expectations", "following", "words"}
    assert not loaded & {f"pbem.games.ortus.{name}" for name in later}
    assert not loaded & {"pbem.games.scene", "notation.record", "difflib"}
