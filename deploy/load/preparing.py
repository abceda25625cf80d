"""A store made ready: its tables, games that wait to be played, and others that nobody plays."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from random import Random

from deploy.load.arranging import Arranged, arrange
from deploy.load.stored import store_games
from pbem.bootstrap import open_surroundings
from pbem.config import read_settings
from pbem.store.database import make_engine
from pbem.store.schema import upgrade


def prepare(environ: dict[str, str], games: int, stored: int = 0) -> list[Arranged]:
    """A store with games in it that wait for their first mails, and others that nobody plays.

    Nothing in it is left to chance, so that two runs play the same.
    """
    settings = read_settings(environ)
    engine = make_engine(settings.database_url)
    upgrade(engine)
    engine.dispose()
    now = datetime.now(UTC)
    with open_surroundings(settings) as around:
        if stored:
            old = replace(around, entropy=Random("stored").randbytes)
            store_games(old, settings.database_url, stored, now)
        return arrange(replace(around, entropy=Random("played").randbytes), games, now)
