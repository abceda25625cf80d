"""The rounds of an event with their pairings; and of each pairing why it is, and not another."""

from __future__ import annotations

from collections.abc import Sequence

from flask import abort, render_template, request

from pbem.tournaments.acts import Act, fold
from pbem.tournaments.event import Encounter, Event, Why
from pbem.tournaments.why_not import why_not
from pbem.web.events.overview import head_of
from pbem.web.events.pairings import pairing_line, pairing_lines, say_whys
from pbem.web.events.seen import get_seen, see
from pbem.web.events.site import events
from pbem.web.events.stages import say_stage
from pbem.web.navigation import count_waiting
from pbem.web.visiting import get_around


@events.get("/<event_id>/rounds")
@events.get("/<event_id>/rounds/<int:number>")
def rounds(event_id: str, number: int | None = None) -> str:
    """The pairings of a round: the one that is being played, or the one asked for."""
    seen = get_seen(event_id)
    event = seen.event
    known = sorted({each.round for each in event.encounters})
    if number is not None and number not in known:
        abort(404)
    shown = number if number is not None else _present(event, known)
    by_stage: dict[str, list[Encounter]] = {}
    for each in event.of_round(shown):
        by_stage.setdefault(each.stage, []).append(each)
    return render_template(
        "events/rounds.html",
        **head_of(seen),
        known=known,
        shown=shown,
        tables=[
            (say_stage(event, stage), pairing_lines(seen, encounters))
            for stage, encounters in sorted(by_stage.items())
        ],
    )


def _present(event: Event, known: Sequence[int]) -> int:
    begun = [each for each in known if each <= event.round]
    return begun[-1] if begun else (known[0] if known else 0)


@events.get("/<event_id>/encounters/<int:number>")
def encounter(event_id: str, number: int) -> str:
    """One pairing: its games, why it is, and why somebody does not meet whom they ask about."""
    one, other = (request.args.get(name, type=int) for name in ("who", "instead"))
    with get_around().store.read() as unit:
        seen = see(unit, event_id)
        count_waiting(unit)
        if not 1 <= number <= len(seen.event.encounters):
            abort(404)
        found = seen.event.encounter(number)
        acts: Sequence[Act] = ()
        if one in found.entrants and other is not None:
            acts = [kept.act for kept in unit.acts_of(event_id)]
    reasons: tuple[str, ...] = ()
    if acts and one is not None and other is not None and other != one:
        if not 1 <= other <= len(seen.event.entrants):
            abort(404)
        reasons = say_whys(seen, _why_not(event_id, acts, number, (one, other)))
    line = pairing_line(seen, found)
    me = seen.was_me
    asks = me.number if me is not None and me.number in found.entrants else found.home
    return render_template(
        "events/encounter.html",
        **head_of(seen),
        line=line,
        asks=one if one in found.entrants else asks,
        instead=other,
        reasons=reasons,
        others=[each for each in seen.event.entrants if each.number not in found.entrants],
    )


def _why_not(
    event_id: str, acts: Sequence[Act], number: int, couple: tuple[int, int]
) -> tuple[Why, ...]:
    """Why two do not meet in the pairing that an encounter is of, from what was known then."""
    for act in acts:
        if act.name != "paired":
            continue
        numbers = [each["number"] for each in act.facts["encounters"]]
        if number not in numbers:
            continue
        before = fold(event_id, acts[: act.number - 1])
        behind = fold(event_id, [act], before)
        assert before is not None
        assert behind is not None
        paired = tuple(behind.encounter(each) for each in numbers)
        return why_not(before, paired, *couple)
    return ()
