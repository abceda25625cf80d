"""The tags of a game as people read them: names, the result, and facts with labels.

They are in a reader's language, and in the order of a title page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.archive.facts import is_known
from pbem.archive.frames import Document
from pbem.games.ortus.figures import HOUSE_NAMES, LEVELS
from pbem.games.ortus.words import LEVEL_NAMES, house_name
from pbem.tongue import ENGLISH, N_, Tongue

EVENT: Final = N_("Event")
ROUND: Final = N_("Round")
SITE: Final = N_("Played at")
DATE: Final = N_("Date")
LEVEL: Final = N_("Level")
ARENA: Final = N_("Arena")
DICE: Final = N_("Dice")
WITH_DICE: Final = N_("with dice")
HANDICAP: Final = N_("Handicap")
STARTER: Final = N_("Starts")
STARTS_WITH: Final = N_("{house}, with {energy} Energy")
SETUPS: Final = N_("Set-ups")
CLOCK: Final = N_("Clock")
ANNOTATORS: Final = N_("Annotated by")
RATED: Final = N_("{name} ({rating})")

HOUSE_TAGS: Final = ("Gold", "Black")
MOST_ANNOTATORS: Final = 20


def tell_facts(document: Document, *, tongue: Tongue = ENGLISH) -> Iterator[tuple[str, str]]:
    """Labels with their values; what is not known is left out."""
    say, tags = tongue.say, document.tags
    for house, tag in enumerate(HOUSE_TAGS):
        name, rating = find_fact(tags, tag), find_fact(tags, f"{tag}Rating")
        if name is not None:
            rated = say(RATED, name=name, rating=rating) if rating else name
            yield house_name(tongue, house), rated
    for label, tag in ((EVENT, "Event"), (ROUND, "Round"), (SITE, "Site"), (DATE, "Date")):
        value = find_fact(tags, tag)
        if value is not None:
            yield say(label), value
    if tags.get("Level") in LEVELS:
        yield say(LEVEL), say(LEVEL_NAMES[LEVELS.index(tags["Level"])])
    if arena := find_fact(tags, "Arena"):
        yield say(ARENA), arena
    if tags.get("Dice") == "dicey":
        yield say(DICE), say(WITH_DICE)
    if handicap := find_fact(tags, "Handicap"):
        yield say(HANDICAP), handicap
    if tags.get("Starter") in HOUSE_NAMES:
        starter = house_name(tongue, HOUSE_NAMES.index(tags["Starter"]))
        energy = find_fact(tags, "StarterEnergy")
        told = say(STARTS_WITH, house=starter, energy=energy) if energy else starter
        yield say(STARTER), told
    gold, black = find_fact(tags, "GoldSetup"), find_fact(tags, "BlackSetup")
    if gold and black:
        yield say(SETUPS), f"{gold} – {black}"
    if clock := find_fact(tags, "Clock"):
        yield say(CLOCK), clock
    annotators = document.annotators
    if annotators:
        named = ", ".join(annotators[:MOST_ANNOTATORS])
        yield say(ANNOTATORS), named + ("…" if len(annotators) > MOST_ANNOTATORS else "")


def names_of(tags: Mapping[str, str], *, tongue: Tongue = ENGLISH) -> tuple[str, str]:
    """The names of Gold's and of Black's player; the House where nobody is named."""
    gold, black = (
        find_fact(tags, tag) or house_name(tongue, house) for house, tag in enumerate(HOUSE_TAGS)
    )
    return gold, black


def show_result(result: str) -> str:
    """A result as it is printed: ``1–0``, ``½–½``."""
    return result.replace("1/2", "½").replace("-", "–")


def find_fact(tags: Mapping[str, str], tag: str) -> str | None:
    """What a tag tells; None if that is not known."""
    value = " ".join(tags.get(tag, "").split())
    return value if is_known(value) else None
