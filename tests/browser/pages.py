"""Every page there is, as somebody sees it: the list that is looked at, measured and read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from tests.web.town import Town

Who = Literal["nobody", "ann", "ben", "cleo"]

_OF_A_GAME: Final = ("turn", "attacked", "kept", "opening", "over")


@dataclass(frozen=True, slots=True)
class Place:
    """A page and its visitor."""

    name: str
    path: str
    who: Who = "nobody"


def all_places(town: Town) -> list[Place]:
    """All pages, with names that are good for files."""
    found = [
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
        Place("nothing", "/nothing-here"),
        Place("api", "/api/v1/docs"),
        Place("mail-link", "/mail/confirm/nonsense"),
        Place("game-watched", f"/games/{town.attacked}"),
        Place("mine", "/games", "ann"),
        Place("mine-none", "/games", "cleo"),
        Place("new", "/new", "ann"),
        Place("challenges", "/challenges", "ann"),
        Place("player", f"/players/{town.ben.id}", "ann"),
        Place("settings", "/settings", "ann"),
        Place("leave", "/settings/leave?first=2027-01-04&last=2027-01-08", "ann"),
        Place("delete", "/settings/delete", "ann"),
    ]
    found += [Place(f"game-{name}", f"/games/{town.games[name]}", "ann") for name in _OF_A_GAME]
    found += [
        Place("game-past", f"/games/{town.over}?at=3", "ann"),
        Place("game-setup", f"/games/{town.opening}", "ben"),
        Place("game-defence", f"/games/{town.attacked}", "ben"),
        Place("standing", f"/games/{town.over}/standing", "ben"),
        Place("standing-running", f"/games/{town.turn}/standing", "ann"),
        Place("resign", f"/games/{town.turn}/resign", "ann"),
    ]
    return found
