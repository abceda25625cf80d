"""The parts of an answer about remarks on a game that is over, and about private notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pbem.archive.remarks import explain_remark
from pbem.games.base import Fault
from pbem.games.ortus.figures import SIDE_LETTERS
from pbem.mail.composing.desk import Desk
from pbem.play.joining_notes import effective_wish, find_wish
from pbem.play.model import StoredGame
from pbem.play.story import Story
from pbem.tongue import N_, Tongue

_SHOWN: Final = 72

WISHES: Final = {
    "never": N_("Your private notes of this game stay private."),
    "after": N_("Your private notes of this game join it in the archive when it is over."),
    "agreed": N_(
        "Your private notes of this game join it in the archive when it is over, if your opponent"
        " lets theirs join too."
    ),
}
OTHERWISE: Final = {
    "never": N_(
        "To let them join it in the archive, reply with `notes after`, or with `notes both` if they"
        " are to join only together with your opponent's."
    ),
    "after": N_("To keep them private, reply with `notes never`."),
    "agreed": N_("To keep them private, reply with `notes never`."),
}
"""How a player can change that."""
EXAMPLE: Final = N_("A fine turn.")
HAVE_JOINED: Final = N_("Your private notes have joined this game in the archive.")


@dataclass(frozen=True, slots=True)
class RemarkFault:
    """What is wrong: the line, a caret under the place, the number of the line, the reason."""

    line: str
    caret: str
    number: int | None
    reason: str


def show_replay(desk: Desk, facts: Mapping[str, object]) -> dict[str, object]:
    """Where the remarks can be seen."""
    return {"url": f"{desk.office.site_url}/archive/{facts['number']}"}


def show_remark_faults(desk: Desk, facts: Mapping[str, object]) -> dict[str, object]:
    """All that is wrong with remarks, each at its place."""
    lines = str(facts["text"]).split("\n")
    told = facts["faults"]
    assert isinstance(told, (list, tuple))
    # A sign and a comment behind the same turn have the same fault: it is told once.
    return {"faults": list(dict.fromkeys(_show(desk, lines, each) for each in told))}


def _show(desk: Desk, lines: list[str], plain: Mapping[str, object]) -> RemarkFault:
    facts, number, column = plain["facts"], plain["line"], plain["column"]
    assert isinstance(facts, Mapping)
    fault = Fault(str(plain["code"]), str(plain["clause"]), facts)
    line = caret = ""
    if isinstance(number, int) and isinstance(column, int) and 0 < number <= len(lines):
        whole = lines[number - 1]
        start = max(0, min(column - 1, len(whole)) - _SHOWN // 2) if len(whole) > _SHOWN else 0
        line = whole[start : start + _SHOWN].expandtabs(1)
        caret = " " * min(column - 1 - start, _SHOWN) + "^"
    shown = number if isinstance(number, int) and len(lines) > 1 else None
    return RemarkFault(line, caret, shown, explain_remark(fault, tongue=desk.tongue))


def show_wish(desk: Desk, facts: Mapping[str, object]) -> dict[str, object]:
    """What will become of the private notes of a game."""
    text = HAVE_JOINED if facts["has_joined"] else WISHES[str(facts["wish"])]
    return {"said": desk.tongue.say(text)}


def example_remark(story: Story, tongue: Tongue) -> str:
    """A remark on the last turn of a game, as it may be written; nothing if none was played."""
    for chapter in reversed(story.chapters):
        for event in reversed(chapter.events):
            if event.name == "acted":
                label = f"{event.facts['round']}{SIDE_LETTERS[event.seat or 0]}"
                return f"{label}. ! {{{tongue.say(EXAMPLE)}}}"
    return ""


def tell_wish(desk: Desk, stored: StoredGame, seat: int) -> str:
    """What becomes of a player's private notes now that the game is over; nothing without any."""
    if not desk.unit.notes_of(stored.id, seat):
        return ""
    if find_wish(desk.unit, stored.id, seat).joined_at is not None:
        return desk.tongue.say(HAVE_JOINED)
    wish = effective_wish(desk.unit, stored, seat)
    return f"{desk.tongue.say(WISHES[wish])} {desk.tongue.say(OTHERWISE[wish])}"
