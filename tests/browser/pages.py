"""Every page there is, as somebody sees it: the list that is looked at, measured and read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from pbem.play.model import Player
from pbem.play.ports import Surroundings
from tests.web.fair import Fair, build_fair, fill_fair
from tests.web.town import Town, build_town

Who = Literal["nobody", "ann", "ben", "cleo", "dora", "emil"]


@dataclass(frozen=True, slots=True)
class Ground:
    """What there is to visit: a town with its games, and a fair with its events."""

    town: Town
    fair: Fair
    events: dict[str, str]

    @property
    def names(self) -> dict[str, str]:
        """What the paths of places name."""
        return {**self.town.games, "archived": str(self.town.archived), **self.events}


def build_ground(around: Surroundings, now: datetime, **chosen: Any) -> Ground:
    """The town first: some places know the numbers of its players."""
    town = build_town(around, now, **chosen)
    fair = build_fair(around, now, **chosen)
    return Ground(town, fair, {f"{k}_event": v for k, v in fill_fair(fair).items()})


@dataclass(frozen=True, slots=True)
class Place:
    """A page and its visitor. In the path, names of games of the town stand in braces, and names
    of events of the fair."""

    name: str
    path: str
    who: Who = "nobody"

    def path_in(self, ground: Ground) -> str:
        """Where it is."""
        return self.path.format_map(ground.names)


def people(ground: Ground) -> dict[Who, Player | None]:
    """Who visits: Ann, Ben and Cleo of the town, Dora and Emil of the fair."""
    town, fair = ground.town, ground.fair
    return {
        "nobody": None,
        "ann": town.ann,
        "ben": town.ben,
        "cleo": town.cleo,
        "dora": fair.dora,
        "emil": fair.others[0],
    }


_LINE: Final = (
    "origin master g 1 | 7 14 | 0 0 | - -"
    " | W1@H1 F2@I1 E3@J1 A4@K1 A5@L1 E6@M1 F7@N1 W8@O1"
    " | W1@H15 F2@G15 E3@F15 A4@E15 A5@D15 E6@C15 F7@B15 W8@A15"
)

PLACES: Final = (
    Place("front", "/"),
    Place("sign-in", "/sign-in"),
    Place("sign-in-sent", "/sign-in/sent"),
    Place("sign-in-over", "/sign-in/nonsense"),
    Place("sign-up", "/sign-up"),
    Place("challenges-visitor", "/challenges"),
    Place("help", "/help"),
    Place("help-rules", "/help/rules"),
    Place("help-notation", "/help/notation"),
    Place("help-mail", "/help/mail"),
    Place("tutorial", "/tutorial"),
    Place("tutorial-play", "/tutorial/play"),
    Place("players", "/players"),
    Place("ratings", "/ratings/master"),
    Place("ratings-provisional", "/ratings/master?provisional=1"),
    Place("ratings-player", "/players/1/ratings/master", "ann"),
    Place("archive", "/archive?level=master"),
    Place("archive-position", "/archive/position"),
    Place("archive-position-found", f"/archive/position?turned=1&line={_LINE}"),
    Place("archive-setups", "/archive/setups"),
    Place("studies", "/archive/studies"),
    Place("study-new", "/archive/studies/new", "ann"),
    Place("nothing", "/nothing-here"),
    Place("api", "/api/v1/docs"),
    Place("mail-link", "/mail/confirm/nonsense"),
    Place("game-watched", "/games/{attacked}"),
    Place("mine", "/games", "ann"),
    Place("mine-none", "/games", "cleo"),
    Place("new", "/new", "ann"),
    Place("challenges", "/challenges", "ann"),
    Place("player", "/players/2", "ann"),
    Place("settings", "/settings", "ann"),
    Place("leave", "/settings/leave?first=2027-01-04&last=2027-01-08", "ann"),
    Place("delete", "/settings/delete", "ann"),
    Place("game-turn", "/games/{turn}", "ann"),
    Place("game-attacked", "/games/{attacked}", "ann"),
    Place("game-kept", "/games/{kept}", "ann"),
    Place("game-opening", "/games/{opening}", "ann"),
    Place("game-over", "/games/{over}", "ann"),
    Place("game-past", "/games/{over}?at=3", "ann"),
    Place("game-setup", "/games/{opening}", "ben"),
    Place("game-defence", "/games/{attacked}", "ben"),
    Place("standing", "/games/{over}/standing", "ben"),
    Place("replay", "/archive/{archived}"),
    Place("replay-annotating", "/archive/{archived}?at=7g.1", "ann"),
    Place("replay-vary", "/archive/{archived}/vary?at=7g.1", "ann"),
    Place("booklet", "/archive/{archived}/booklet"),
    Place("words", "/archive/{archived}/words"),
    Place("replay-embed", "/archive/{archived}/embed?at=7g.1"),
    Place("events", "/events", "emil"),
    Place("events-visitor", "/events"),
    Place("events-mine", "/events/mine", "emil"),
    Place("event-formats", "/events/new", "ann"),
    Place("event-form", "/events/new?format=swiss", "ann"),
    Place("event-open", "/events/{open_event}"),
    Place("event-swiss", "/events/{swiss_event}", "emil"),
    Place("event-rounds", "/events/{swiss_event}/rounds", "emil"),
    Place("event-encounter", "/events/{swiss_event}/encounters/1?who=1&instead=3"),
    Place("event-table", "/events/{robin_event}/table", "emil"),
    Place("event-bracket", "/events/{knockout_event}/table"),
    Place("event-ladder", "/events/{ladder_event}/table", "emil"),
    Place("event-teams", "/events/{teams_event}/table"),
    Place("event-over", "/events/{over_event}"),
    Place("event-chances", "/events/{robin_event}/chances"),
    Place("event-log", "/events/{swiss_event}/log"),
    Place("event-desk", "/events/{swiss_event}/desk", "dora"),
    Place("event-change", "/events/{swiss_event}/change", "dora"),
    Place("event-dossier", "/events/{robin_event}/games/15/0", "dora"),
    Place("event-withdraw", "/events/{swiss_event}/withdraw", "emil"),
    Place("event-leave", "/settings/leave?first=2027-01-04&last=2027-01-08", "emil"),
    Place("standing-running", "/games/{turn}/standing", "ann"),
    Place("resign", "/games/{turn}/resign", "ann"),
)
