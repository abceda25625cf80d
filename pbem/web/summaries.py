"""Lists of games and of players: one line each, made from what is stored, without replaying
anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.games.registry import get_game
from pbem.play.model import Player, StoredGame
from pbem.play.ports import Surroundings, Unit
from pbem.play.viewing import open_turns

MAX_FINISHED = 50
MAX_PLACE = 80
"""How long a place in the list of players can be: a number and a name."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in a list. ``asked`` is the word for what its player is asked for, None if nothing."""

    game_id: str
    game: str
    seat: int
    opponent: str
    opponent_id: int
    turns: int
    asked: str | None
    asked_at: datetime | None
    request: str | None
    """The id of what is asked."""
    deadline: datetime | None
    is_held: bool
    open_turns: int | None
    """How many turns everybody may know of; None if it is nobody else's to see."""
    winner: int | None
    termination: str | None
    ended_at: datetime | None
    created_at: datetime

    @property
    def is_open(self) -> bool:
        """Whether everybody may see it, if late."""
        return self.open_turns is not None

    @property
    def has_won(self) -> bool | None:
        """Whether its player has won; None for a draw, or while it runs."""
        return None if self.winner is None else self.winner == self.seat


def my_games(
    around: Surroundings, player: Player, *, now: datetime
) -> tuple[Sequence[Summary], Sequence[Summary]]:
    """A player's running games, those that wait for the player first, by deadline; and the last
    ones that are over."""
    with around.store.read() as unit:
        running = [
            _sum_up(unit, player, game_id) for game_id in unit.games_of(player.id, is_over=False)
        ]
        ended = [
            _sum_up(unit, player, game_id) for game_id in unit.games_of(player.id, is_over=True)
        ]
    far = datetime.max.replace(tzinfo=now.tzinfo)
    running.sort(key=lambda game: (game.asked is None, game.deadline or far, game.game_id))
    ended.sort(key=lambda game: game.ended_at or far, reverse=True)
    return running, ended[:MAX_FINISHED]


def page_of_games(
    around: Surroundings,
    player: Player,
    state: str,
    *,
    after: str,
    limit: int,
    only_open: bool = False,
) -> Sequence[Summary]:
    """Some of a player's games behind an id, in order of id: ``all``, ``running``, ``over``, or
    ``waiting`` for the player; ``only_open`` leaves out those that not everybody may see."""
    is_over = {"all": None, "over": True}.get(state, False)
    found: list[Summary] = []
    with around.store.read() as unit:
        for game_id in unit.games_of(player.id, is_over=is_over):
            if len(found) == limit:
                break
            if game_id > after:
                game = _sum_up(unit, player, game_id)
                if (game.asked or state != "waiting") and (game.is_open or not only_open):
                    found.append(game)
    return found


def page_of_players(
    unit: Unit, wanted: str, *, after: str, limit: int
) -> tuple[Sequence[Player], str | None]:
    """Some players whose name begins with something, by name and then by number; and behind which
    the next ones come, None if there are no more. Many may have one name, so that tells both."""
    number, _, name = after.partition(" ")
    is_place = number.isascii() and number.isdigit()
    place = (name, int(number)) if is_place else ("", 0)
    found = unit.players_by_name(wanted, after=place, limit=limit + 1)
    page = found[:limit]
    return page, f"{page[-1].id} {page[-1].name}" if len(found) > limit else None


def find_known(unit: Unit, number: int) -> Player | None:
    """A player whom everybody may know: one who has confirmed an address, and is still there."""
    player = unit.find_player(number)
    if player is None or player.deleted_at is not None:
        return None
    return player if any(each.verified_at for each in unit.addresses_of(number)) else None


def _sum_up(unit: Unit, player: Player, game_id: str) -> Summary:
    stored = unit.find_game(game_id)
    assert stored is not None, "a game is never removed"
    seat = stored.find_seat(player.id)
    assert seat is not None
    return sum_up(unit, stored, seat)


def sum_up(unit: Unit, stored: StoredGame, seat: int) -> Summary:
    """One game as its player sees it in a list."""
    other = stored.players[1 - seat]
    opponent = unit.find_player(other)
    asked = next((row for row in unit.requests_of(stored.id) if row.seat == seat), None)
    return Summary(
        game_id=stored.id,
        game=get_game(stored.game).name,
        seat=seat,
        opponent="?" if opponent is None else opponent.name,
        opponent_id=other,
        turns=stored.turns,
        asked=None if asked is None else asked.kind,
        asked_at=None if asked is None else asked.opened_at,
        request=None if asked is None else asked.id,
        deadline=None if asked is None else asked.deadline,
        is_held=any(held.seat == seat for held in stored.held),
        open_turns=open_turns(stored),
        winner=stored.winner,
        termination=stored.termination,
        ended_at=stored.ended_at,
        created_at=stored.created_at,
    )
