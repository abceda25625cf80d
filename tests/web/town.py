"""A town to look at: players and games in every state, with everything that must stay secret.

Ann plays Gold and Ben plays Black in all games; Cleo watches. For browsers and for programs alike:
it is made through the use cases on any store.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from pbem.play import access, games, invitations, leave, players
from pbem.play.archiving import archive_finished
from pbem.play.events import entering, making
from pbem.play.model import Player, Preferences
from pbem.play.ports import Surroundings
from pbem.play.rating import count_ratings, take_in

GOLD: Final = 0
BLACK: Final = 1
POSITION: Final = (
    "origin master g 7 | 22 9 | 1 0 | K1 - "
    "| W1@F6 F2@I6 E3@F9 A4@J7 A5@L1 E6@M1 F7@I3 W8@O1 "
    "| W1@G11 F2@I11 E3@F12 A4@H11 A5@L8 E6@C15 F7@D12 W8@A15"
)
"""A middle game in which Gold can attack at once."""

ANNS_RULES: Final = "block F* <=3 keep 7; ask all"
BENS_RULES: Final = "fall W* <=1; ask all"
ANNS_GENERAL_RULES: Final = "block all <=1 keep 9"
BENS_GENERAL_RULES: Final = "fall all <=1 keep 8"
ANNS_NOTE: Final = "Ann thinks of Hannibal"
BENS_NOTE: Final = "Ben thinks of Fabius"
MESSAGE: Final = "A word between the two of us"
PLANNED: Final = "A5>L4; E6>M3"
"""In the branch of a plan that waits for a defence."""
KEPT: Final = "F7>I5; A5>L3"
"""In orders that are kept for correction."""
ANNS_SETUP: Final = "AFEWWEFA"


@dataclass(frozen=True, slots=True)
class Town:
    """Who lives there and what they play."""

    ann: Player
    ben: Player
    cleo: Player
    opening: str
    """Ann's set-up is in, Ben's is not."""
    turn: str
    """Ann is to move."""
    attacked: str
    """Ann has attacked with a plan, Ben is asked for a defence."""
    kept: str
    """Ann's orders are kept for correction."""
    private: str
    private_over: str
    """Ann resigned it; it is the two players' alone all the same."""
    delayed: str
    over: str
    to_ann: str
    """An invitation from Ben."""
    open: str
    """Cleo's challenge to everybody."""
    event: str
    """Ann directs it, Ben has entered it; it has not begun."""
    token: str
    """The secret of Ann's token for programs."""
    token_number: int
    archived: int
    """The number of the game that is over in the archive."""
    archived_private: int
    """The number of the private game that is over."""

    @property
    def games(self) -> dict[str, str]:
        """The games by what they are."""
        running = ("opening", "turn", "attacked", "kept", "private", "delayed")
        names = (*running, "over", "private_over")
        return {name: getattr(self, name) for name in names}


def build_town(around: Surroundings, now: datetime, **chosen: Any) -> Town:
    """Everything above; ``chosen`` are preferences of all players."""
    ann, ben, cleo = (_join(around, name, now, chosen) for name in ("Ann", "Ben", "Cleo"))

    def start(**agreement: Any) -> str:
        offer = invitations.invite(around, ann.id, ben.id, agreement, now=now, host_seat=GOLD)
        return invitations.accept(around, ben.id, offer.id, now=now).id

    def send(game_id: str, seat: int, text: str) -> None:
        done = games.submit(around, game_id, seat, text, arrived=now)
        is_new = isinstance(done, games.Taken) or (isinstance(done, games.Kept) and done.is_new)
        assert is_new, f"{text}: {done}"

    def study(*, rules: tuple[str, str] | None = (ANNS_RULES, BENS_RULES), **agreement: Any) -> str:
        game_id = start(position=POSITION, **agreement)
        for seat, text in enumerate(rules or ()):
            send(game_id, seat, f"standing: {text}")
        games.write_message(around, game_id, BLACK, MESSAGE, now=now)
        games.write_note(around, game_id, GOLD, ANNS_NOTE, now=now)
        games.write_note(around, game_id, BLACK, BENS_NOTE, now=now)
        return game_id

    # What held in a game that is over is known to all: other rules than those that hold now.
    over = study(rules=("block E* <=2; ask all", "fall A* <=1; ask all"))
    send(over, GOLD, "W1 rng G11 [-: A5>L3; end]")
    send(over, BLACK, "G11-")
    send(over, BLACK, "resign")
    private_over = study(rules=None, visibility="private")
    send(private_over, GOLD, "W1 rng G11 [-: A5>L3; end]")
    send(private_over, BLACK, "G11-")
    send(private_over, GOLD, "resign")
    players.set_general_rules(around, ann.id, ANNS_GENERAL_RULES, now=now)
    players.set_general_rules(around, ben.id, BENS_GENERAL_RULES, now=now)
    attack = f"W1 rng G11 [-: {PLANNED}; end | +: end]"
    opening = start(level="master")
    send(opening, GOLD, f"setup {ANNS_SETUP}")
    turn = study()
    attacked = study()
    send(attacked, GOLD, attack)
    kept = start(position=POSITION, correction="1h")
    send(kept, GOLD, f"{KEPT}; end")  # rules would be kept instead, had they been sent before
    private = study(visibility="private")
    send(private, GOLD, attack)
    delayed = study(visibility="delayed 3")
    send(delayed, GOLD, attack)
    to_ann = invitations.invite(around, ben.id, ann.id, {"level": "wind"}, now=now)
    everybody = invitations.invite(around, cleo.id, None, {"level": "master"}, now=now)
    invitations.invite(around, ann.id, None, {"level": "apprentice"}, now=now)
    charter = {"title": "Winter cup", "format": "knockout", "agreement": {"level": "wind"}}
    event = making.make(around, ann.id, charter, now=now).id
    making.open_entries(around, event, ann.id, now=now)
    entering.enter(around, event, ben.id, now=now)
    first = (now + timedelta(days=20)).date()
    leave.take_leave(around, ann.id, first, date.fromordinal(first.toordinal() + 6), now=now)
    archive_finished(around, {"Site": "play.example.org"}, now=now)
    take_in(around)
    count_ratings(around)
    with around.store.read() as unit:
        archived, hidden = map(unit.find_archived_game, (over, private_over))
    assert archived is not None
    assert hidden is not None
    given = access.make_token(around, ann.id, "My notebook", access.SCOPES, now=now)
    return Town(
        ann=ann,
        ben=ben,
        cleo=cleo,
        opening=opening,
        turn=turn,
        attacked=attacked,
        kept=kept,
        private=private,
        private_over=private_over,
        delayed=delayed,
        over=over,
        to_ann=to_ann.id,
        open=everybody.id,
        event=event,
        token=given.secret,
        token_number=given.kept.id,
        archived=archived.number,
        archived_private=hidden.number,
    )


def _join(around: Surroundings, name: str, now: datetime, chosen: dict[str, Any]) -> Player:
    return players.join(
        around,
        name,
        f"{name.lower()}@example.org",
        now=now,
        preferences=Preferences(**chosen),
        verified=True,
    )
