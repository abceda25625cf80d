"""The events of the demonstration: one that has come to its last round, one that can be entered.

Whoever plays there gets no mail of what was before: the post office stays that of the two who play
the demonstration.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from pbem.play import games, players
from pbem.play.events import advancing, entering, making, running
from pbem.play.model import Player, Preferences
from pbem.play.ports import Surroundings

OTHERS: Final = ("Cora", "Dirk", "Eva", "Finn", "Gijs", "Hanna")
ROUNDS: Final = 3
_DAY: Final = timedelta(days=1)
_AGO: Final = 12 * _DAY
_MOST_MAILS: Final = 1000
_CLOCK: Final = "30d+1d cap 60d defence 4d fall"
_ATTACK: Final = "A4 six L8@K8; end"
_ENDS: Final = (
    ((1, "-"), (1, "resign")),
    ((1, "+"), (0, "resign")),
    ((1, "+"), (0, "draw?"), (1, "draw+")),
)
"""How games go on behind the attack, in turns: who says what."""


def settle_events(around: Surroundings, director: Player, position: str, now: datetime) -> None:
    """A Swiss event from a position in which Gold can attack as ``_ATTACK`` says, and a round robin
    whose entries are open. Nobody is written to about them."""
    begun = now - _AGO
    others = [_join(around, name, begun) for name in OTHERS]
    _play_swiss(around, director, others, position=position, begun=begun)
    _announce_round_robin(around, director, others[: len(others) // 2], now)
    _drop_mails(around, now)


def _drop_mails(around: Surroundings, now: datetime) -> None:
    """Whatever waits to be mailed never is."""
    with around.store.begin() as unit:
        for each in unit.claim_notices(now, lease=_DAY, limit=_MOST_MAILS):
            unit.end_notice(each.id, "moot", at=now)


def _join(around: Surroundings, name: str, now: datetime) -> Player:
    address = f"{name.lower()}@players.example"
    zone = Preferences(time_zone="Europe/Amsterdam")
    return players.join(around, name, address, now=now, preferences=zone, verified=True)


def _play_swiss(
    around: Surroundings,
    director: Player,
    entrants: Sequence[Player],
    *,
    position: str,
    begun: datetime,
) -> None:
    """All rounds but the last are played, and of that one game."""
    charter = {
        "title": "Autumn Swiss",
        "about": "Everybody begins in the same middle game: Gold can attack at once.",
        "format": "swiss",
        "meeting": "single",
        "rounds": ROUNDS,
        "agreement": {"position": position, "level": "master", "clock": _CLOCK},
    }
    event_id = _announce(around, director, charter, entrants, begun)
    running.start(around, event_id, director.id, now=begun + _DAY)
    for number in range(1, ROUNDS + 1):
        at = begun + _DAY * (1 + 3 * (number - 1))
        advancing.advance(around, event_id, at)
        with around.store.read() as unit:
            going = [row for row in unit.games_of_event(event_id) if not row.is_over]
        for index, row in enumerate(going[:1] if number == ROUNDS else going):
            assert row.game_id is not None
            _play(around, row.game_id, (index + number) % len(_ENDS), at)
    advancing.advance(around, event_id, at + _DAY)


def _play(around: Surroundings, game_id: str, way: int, at: datetime) -> None:
    """A game of one turn: an attack, its defence, and the end."""
    for number, (seat, text) in enumerate([(0, _ATTACK), *_ENDS[way]], 1):
        games.submit(around, game_id, seat, text, arrived=at + _DAY * number / 2)


def _announce_round_robin(
    around: Surroundings, director: Player, entrants: Sequence[Player], now: datetime
) -> None:
    charter = {
        "title": "Winter round robin",
        "about": "For everybody. Two games with each of the others, one as Gold and one as Black.",
        "format": "round_robin",
        "meeting": "pair",
        "max_entrants": 6,
        "min_entrants": 4,
        "agreement": {"level": "apprentice", "clock": _CLOCK},
        "starts_at": (now + 7 * _DAY).isoformat(),
    }
    _announce(around, director, charter, entrants, now)


def _announce(
    around: Surroundings,
    director: Player,
    charter: dict[str, object],
    entrants: Sequence[Player],
    now: datetime,
) -> str:
    """Make an event, open it, and have them enter; its id."""
    event_id = making.make(around, director.id, charter, now=now).id
    making.open_entries(around, event_id, director.id, now=now)
    for each in entrants:
        entering.enter(around, event_id, each.id, now=now)
    return event_id
