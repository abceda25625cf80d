"""Why one stands above another, in a sentence; names of tie-breaks. Pure.

What is said comes from ``pbem.tournaments.explaining``: a code and facts. Names are by the numbers
of entrants, as whoever asks may see them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

from pbem.play.events.saying_why import say_points
from pbem.tongue import N_, Tongue
from pbem.tournaments.charter import TieBreak
from pbem.tournaments.event import show_points
from pbem.tournaments.explaining import Explained
from pbem.tournaments.tie_breaks import show_figure

TIE_BREAKS: Final[Mapping[TieBreak, str]] = {
    "sonneborn_berger": "Sonneborn-Berger",
    "buchholz": "Buchholz",
    "buchholz_cut": N_("Buchholz without the lowest"),
    "buchholz_median": N_("Buchholz without the highest and the lowest"),
    "direct": N_("the direct encounter"),
    "wins": N_("the number of wins"),
    "koya": "Koya",
    "black_starts": N_("games without the first turn"),
}
"""Their names, as they stand in a sentence; those of people are the same everywhere."""

SHORT: Final[Mapping[TieBreak, str]] = {
    "sonneborn_berger": "SB",
    "buchholz": "Buchholz",
    "buchholz_cut": "Buchholz −1",
    "buchholz_median": N_("Median"),
    "direct": N_("Direct"),
    "wins": N_("Wins"),
    "koya": "Koya",
    "black_starts": N_("Second"),
}
"""Their names at the head of a column."""

ABOUT: Final[Mapping[TieBreak, str]] = {
    "sonneborn_berger": N_("The points of each opponent, times the points won of them."),
    "buchholz": N_("The points of all opponents together."),
    "buchholz_cut": N_("The points of all opponents but the one with the fewest."),
    "buchholz_median": N_(
        "The points of all opponents but the one with the fewest and the one with the most."
    ),
    "direct": N_("The points from the games of those who are level with each other."),
    "wins": N_("How many games brought the points of a win."),
    "koya": N_("The points against all who have at least half of what they could have."),
    "black_starts": N_("How many games were played in which the other side had the first turn."),
}
"""What they are, in a sentence."""

SIGNS: Final = N_(
    "› had the first turn; + and − won and lost without play; – is a bye; · is still open; "
    "× was annulled"
)
"""What the signs of a crosstable mean."""

_WHOLE: Final = {
    "points": N_("{above} is above {below}: {more} against {less}."),
    "board_points": N_(
        "{above} is above {below}: both have {points} from matches, and on the boards it is "
        "{more} against {less}."
    ),
    "disqualified": N_("{above} is above {below}, who was disqualified."),
    "rung": N_(
        "{above} is above {below}: {above} stands on rung {more} of the ladder, "
        "{below} on rung {less}."
    ),
    "advance_in": N_(
        "{above} is above {below}: {above} is still in, {below} went out in round {lost}."
    ),
    "advance_ahead": N_(
        "{above} is above {below}: {above} has reached round {round}, {below} round {lost}."
    ),
    "advance_final": N_("{above} is above {below}: {above} won the final."),
    "advance_third": N_("{above} is above {below}: {above} won the match for the third place."),
    "advance_further": N_(
        "{above} is above {below}: {above} went out in round {round}, {below} in round {lost}."
    ),
    "shared_in": N_("{above} and {below} share a place: both are still in."),
    "shared_out": N_("{above} and {below} share a place: both went out in round {lost}."),
}
_REASONS: Final = {
    "direct_two": N_("{above} won their encounter {more}–{less}"),
    "direct_group": N_(
        "from the games of the {count} who are level with each other, "
        "{above} has {more}, {below} has {less}"
    ),
    "direct_average": N_(
        "from the games of the {count} who are level with each other, counted as one game "
        "for each two, {above} has {more}, {below} has {less}"
    ),
    "direct_certain": N_(
        "{above} is ahead of {below} in the games of the {count} who are level, however those "
        "that they have not played with each other might have ended"
    ),
    "sonneborn_berger": N_(
        "the points of the opponents, times the points won of them, are {more} for {above}, "
        "{less} for {below}"
    ),
    "buchholz": N_("the opponents of {above} have {more} together, those of {below} {less}"),
    "buchholz_cut": N_(
        "without the lowest, the opponents of {above} have {more} together, those of {below} {less}"
    ),
    "buchholz_median": N_(
        "without the highest and the lowest, the opponents of {above} have {more} together, "
        "those of {below} {less}"
    ),
    "wins": N_("{above} has more wins: {more} against {less}"),
    "koya": N_(
        "against those who have at least half of the points {above} has won {more}, {below} {less}"
    ),
    "black_starts": N_(
        "{above} has played more games in which the other side had the first turn: "
        "{more} against {less}"
    ),
}
_LEVEL: Final = N_("{above} is above {below}: both have {points}, and {reason}.")
_LEVEL_BY: Final = N_(
    "{above} is above {below}: both have {points} and are level by {level}, and {reason}."
)
_SHARED: Final = N_("{above} and {below} share a place: they are level in all that counts here.")
_SHARED_BY: Final = N_(
    "{above} and {below} share a place: they are level in points and by {level}."
)


def say_explained(explained: Explained, names: Mapping[int, str], *, tongue: Tongue) -> str:
    """Why one stands above another, in one sentence."""
    facts: dict[str, object] = dict(explained.facts)
    for side in ("above", "below"):
        facts[side] = names[int(explained.facts[side])]
    level = _level(explained, tongue)
    if explained.code == "shared":
        return tongue.say(_SHARED_BY if level else _SHARED, level=level, **_without(facts))
    for side in ("more", "less"):
        if side in facts:
            facts[side] = _figure(explained.code, cast(int | str, facts[side]), tongue)
    if "points" in facts:
        facts["points"] = say_points(int(explained.facts["points"]), tongue=tongue)
    if explained.code in _WHOLE:
        return tongue.say(_WHOLE[explained.code], **facts)
    reason = tongue.say(_REASONS[explained.code], **facts)
    text = _LEVEL_BY if level else _LEVEL
    return tongue.say(text, reason=reason, level=level, **_without(facts))


def say_tie_break(tie_break: TieBreak, *, tongue: Tongue) -> str:
    """The name of a tie-break, as it stands in a sentence."""
    return tongue.say(TIE_BREAKS[tie_break])


def say_list(parts: Sequence[str], *, tongue: Tongue) -> str:
    """Several things one after the other: ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    first = ", ".join(parts[:-1])
    return tongue.say(N_("{first} and {last}"), first=first, last=parts[-1])


def _without(facts: Mapping[str, object]) -> dict[str, object]:
    """The facts that nothing else is said for."""
    return {name: fact for name, fact in facts.items() if name != "level"}


def _level(explained: Explained, tongue: Tongue) -> str:
    """The tie-breaks that did not part the two."""
    names = str(explained.facts.get("level", ""))
    return say_list(
        [say_tie_break(cast(TieBreak, name), tongue=tongue) for name in names.split(",") if name],
        tongue=tongue,
    )


def _figure(code: str, figure: int | str, tongue: Tongue) -> str:
    """A figure as it stands in the sentence of its code."""
    if isinstance(figure, str):
        return tongue.say(N_("{points} points"), points=figure)
    if code == "rung":
        return str(figure)
    if code == "direct_two":
        return show_points(figure)
    if code in ("wins", "black_starts", "sonneborn_berger"):
        return show_figure(cast(TieBreak, code), figure)
    return say_points(figure, tongue=tongue)
