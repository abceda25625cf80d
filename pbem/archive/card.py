"""What stands on the card of a game, the picture that is shown where somebody links to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pbem.archive.facts_told import find_fact, names_of
from pbem.archive.frames import Document
from pbem.archive.showing import draw_frame, tell_end
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.words import LEVEL_NAMES
from pbem.games.scene import Scene
from pbem.tongue import ENGLISH, N_, Tongue

AFTER: Final = N_("After {turn}")
LEVEL: Final = N_("Level {level}")
ARENA: Final = N_("arena {arena}")

_SCORES: Final = {"1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("½", "½")}


@dataclass(frozen=True, slots=True)
class Card:
    """One card. ``scores`` are empty for a game that is not decided; ``scene`` is None without a
    board."""

    names: tuple[str, str]
    scores: tuple[str, str]
    event: str
    told: str
    facts: str
    scene: Scene | None


def make_card(document: Document, *, place: str | None = None, tongue: Tongue = ENGLISH) -> Card:
    """The card of a game at its end, or at a place of it if there is such a one."""
    tags, say = document.tags, tongue.say
    frame = document.find(place) if place else None
    told = tell_end(document, tongue=tongue) if frame is None else say(AFTER, turn=frame.label)
    if frame is None and document.main:
        frame = document.main[-1]
    level = tags.get("Level")
    facts = [say(LEVEL, level=say(LEVEL_NAMES[LEVELS.index(level)]))] if level in LEVELS else []
    if arena := find_fact(tags, "Arena"):
        facts.append(say(ARENA, arena=arena))
    if turns := len(document.line.turns):
        facts.append(tongue.count("one turn", "{count} turns", turns))
    known = (find_fact(tags, "Event"), find_fact(tags, "Date"))
    return Card(
        names=names_of(tags, tongue=tongue),
        scores=_SCORES.get(document.result, ("", "")),
        event=" · ".join(filter(None, known)),
        told=told,
        facts=" · ".join(facts),
        scene=None if frame is None else draw_frame(frame, tongue=tongue),
    )
