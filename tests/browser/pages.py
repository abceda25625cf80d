"""Every page there is, as somebody sees it: the list that is looked at, measured and read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from pbem.play.model import Player
from tests.web.town import Town

Who = Literal["nobody", "ann", "ben", "cleo"]


@dataclass(frozen=True, slots=True)
class Place:
    """A page and its visitor. In the path, names of games of the town stand in braces."""

    name: str
    path: str
    who: Who = "nobody"

    def path_in(self, town: Town) -> str:
        """Where it is in a town."""
        return self.path.format_map(town.games | {"archived": str(town.archived)})


def people(town: Town) -> dict[Who, Player | None]:
    """Who visits."""
    return {"nobody": None, "ann": town.ann, "ben": town.ben, "cleo": town.cleo}


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
    Place("standing-running", "/games/{turn}/standing", "ann"),
    Place("resign", "/games/{turn}/resign", "ann"),
)
