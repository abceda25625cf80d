"""Files of games for tests: short games by random play, whole and broken."""

from __future__ import annotations

import re
from functools import cache
from random import Random

from pbem.games.base import Start
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.sampling import random_game


@cache
def records(count: int, seed: int = 0) -> tuple[str, ...]:
    """Records of games between people, of all levels, a few with dice."""
    return tuple(_record(number, seed) for number in range(count))


def _record(number: int, seed: int) -> str:
    rng = Random(f"{seed}/{number}")
    options = {"level": LEVELS[number % 5], "dice": "dicey" if number % 4 == 3 else "clean"}
    start = Start(f"game{seed}-{number}", options, rng.randbytes(32))
    game = Ortus()
    log = random_game(rng, start, max_entries=30)
    names = {"Gold": rng.choice(["Ann", "Zoë"]), "Black": "Ben", "Event": f"Cup {number % 3}"}
    state, _ = game.replay(start, log)
    if game.find_result(state) is None:
        seat = game.requests(state)[0].seat
        done = game.submit(state, seat, "resign")
        log = [*log, type(log[0])(seat, done.text)]  # type: ignore[union-attr]
    return game.record(start, log, {**names, "Date": f"2026.11.{number % 28 + 1:02}"})


def in_one(*texts: str) -> str:
    """One file of several games."""
    return "\n".join(texts)


def many(count: int) -> list[str]:
    """So many games, made of few by other names."""
    plain = [re.sub(r'(?m)^\[(GameId|SeedHash|Seed) ".*\n', "", text) for text in records(8)]
    return [
        re.sub(r'\[Gold "[^"]*"\]', f'[Gold "Player {number}"]', plain[number % 8])
        for number in range(count)
    ]
