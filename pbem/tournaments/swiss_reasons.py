"""Why two meet in a Swiss round, who starts, and who has the bye: codes with their facts.

All of it is read from the field that was paired. Why two others did not meet is ``why_not``; the
sentences are in ``pbem.play.events.saying_why``.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.tournaments.event import Why
from pbem.tournaments.field import Field, Player
from pbem.tournaments.starts import Choice


def reasons(
    field: Field, upper: Player, lower: Player, *, choice: Choice | None
) -> tuple[Why, ...]:
    """Why two meet, from what weighs most; ``choice`` is None where both start once."""
    return (
        *_meeting(field, upper, lower),
        *_points(field, upper, lower),
        *_running(upper),
        *_running(lower),
        *_start(upper, lower, choice),
    )


def reasons_for_bye(field: Field, one: Player) -> tuple[Why, ...]:
    """Why somebody has no opponent."""
    players = len(field.players)
    facts: dict[str, int | str] = {
        "entrant": one.number,
        "players": players,
        "place": one.place + 1,
        "points": one.points,
        "byes": one.byes,
    }
    if one.byes:
        code = "bye_again"
    elif all(each.byes for each in field.players[one.place + 1 :]):
        code = "bye_lowest"
    else:
        code = "bye_lowest_possible"
    return Why(code, facts), *_running(one)


def _meeting(field: Field, upper: Player, lower: Player) -> Iterator[Why]:
    before = field.find_meetings(upper.number, lower.number)
    facts: dict[str, int | str] = {"entrant": upper.number, "other": lower.number}
    if before is None:
        yield Why("first_meeting", facts)
    else:
        yield Why("repeat_unavoidable", facts | {"times": before[0], "round": before[1]})


def _points(field: Field, upper: Player, lower: Player) -> Iterator[Why]:
    facts: dict[str, int | str] = {
        "points": upper.points,
        "size": upper.size,
        "entrant": upper.number,
        "place": upper.spot + 1,
        "other": lower.number,
        "other_place": lower.spot + 1,
    }
    if upper.points != lower.points:
        yield Why(
            "floated",
            {
                "down": upper.number,
                "points": upper.points,
                "up": lower.number,
                "other_points": lower.points,
            },
        )
        return
    if field.round > 1:
        yield Why(
            "same_score",
            {"entrant": upper.number, "other": lower.number, "points": upper.points},
        )
    half = upper.size // 2
    if upper.spot < half <= lower.spot:
        yield Why("seeded_halves" if field.round == 1 else "halves", facts)
    else:
        yield Why("same_half", facts)


def _running(one: Player) -> Iterator[Why]:
    if one.running:
        yield Why("running_as_draws", {"entrant": one.number, "count": one.running})


def _start(upper: Player, lower: Player, choice: Choice | None) -> Iterator[Why]:
    if choice is None:
        yield Why("both_start", {"entrant": upper.number, "other": lower.number})
        return
    yield choice.why
    if choice.why.code.startswith("house"):
        yield Why("bid_decides")
    for one in (upper, lower):
        tilt = one.tilt + (1 if choice.gold == one.number else -1)
        if abs(tilt) > max(1, abs(one.tilt)):
            had = one.past.had + (choice.gold == one.number)
            yield Why(
                "starts_unbalanced",
                {"entrant": one.number, "had": had, "games": len(one.past.houses) + 1},
            )
