"""Archived games for tests, made of facts alone."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from pbem.archive.facts import Facts
from pbem.play.archived import ArchivedGame, NewGame
from pbem.play.ports import Surroundings
from tests.play.club import NOON

PLAIN: Final = Facts(
    digest="",
    gold="Ann",
    black="Ben",
    gold_rating=None,
    black_rating=None,
    event="Club evening",
    round="1",
    site="?",
    date="2026.11.16",
    result="1-0",
    termination="guide",
    turns=20,
    level="master",
    arena="origin",
    dice="clean",
    starter="gold",
    gold_setup="WFEAAEFW",
    black_setup="FWEAAEWF",
)
_OF_GAME: Final = {"visibility", "source", "game_id", "players", "index", "record"}


def new_game(name: str, **chosen: Any) -> NewGame:
    """A game that is like no other by its name; facts and the rest as chosen."""
    facts = {key: value for key, value in chosen.items() if key not in _OF_GAME}
    rest = {key: value for key, value in chosen.items() if key in _OF_GAME}
    digest = sha256(name.encode()).hexdigest()
    rest.setdefault("record", f"the record of {name}")
    return NewGame(replace(PLAIN, digest=digest, **facts), **rest)


def shelve(around: Surroundings, *games: NewGame) -> list[int]:
    """Archive games; their numbers."""
    with around.store.begin() as unit:
        return list(unit.add_archived(games, NOON))


def numbers_of(games: tuple[ArchivedGame, ...]) -> list[int]:
    return [game.number for game in games]
