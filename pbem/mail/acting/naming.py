"""Who is meant by a name in a mail: somebody in an event, or any player.

Names are not unique. Where two have the same, nobody is guessed at: the number of a player, which
is in the address of their page, can stand for the name.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.mail.acting.errand import Errand
from pbem.play.errors import NotAllowedError
from pbem.play.events.naming import names_in
from pbem.tournaments.event import Entrant, Event

_BEHIND: Final = re.compile(r"\s*(?::\s*(.*))?", re.DOTALL)
"""What may stand behind a name: nothing, or a colon and more; so nobody is taken for another whose
name begins like theirs."""
_NUMBER: Final = re.compile(r"#?(\d{1,9})")
_MOST_NAMESAKES: Final = 50


def find_named(
    errand: Errand, event: Event, text: str, *, has_waiting: bool = False
) -> tuple[Entrant, str]:
    """The entrant whom a text names, and what stands behind the name and a colon.

    Raises NotAllowedError.
    """
    standings = ("in", "waiting") if has_waiting else ("in",)
    places = [each for each in event.entrants if each.standing in standings]
    names = names_in(errand.unit, event)
    found = [
        (each, behind)
        for each in places
        if (behind := _behind(text, names.of(each.number))) is not None
    ] or [
        (each, behind)
        for each in places
        if (behind := _behind(text.removeprefix("#"), str(each.player_id))) is not None
    ]
    if len(found) > 1:
        raise NotAllowedError("several_named", name=_name_in(text))
    if not found:
        raise NotAllowedError("no_such_name", name=_name_in(text))
    return found[0]


def _behind(text: str, name: str) -> str | None:
    if text[: len(name)].casefold() != name.casefold():
        return None
    found = _BEHIND.fullmatch(text, len(name))
    return None if found is None else (found[1] or "").strip()


def _name_in(text: str) -> str:
    return text.partition(":")[0].strip()


def get_player_named(errand: Errand, text: str) -> int:
    """The number of the player whom a text names. Raises NotAllowedError."""
    for name in dict.fromkeys((text.strip(), text.strip(" .!?"))):
        found = errand.unit.players_by_name(name, after=("", 0), limit=_MOST_NAMESAKES)
        same = [each.id for each in found if name and each.name.casefold() == name.casefold()]
        if len(same) > 1:
            raise NotAllowedError("several_named", name=name)
        if same:
            return same[0]
    number = _NUMBER.fullmatch(text.strip(" .!?"))
    if number is None:
        raise NotAllowedError("no_such_player")
    return int(number[1])
