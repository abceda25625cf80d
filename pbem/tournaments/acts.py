"""What acts do to an event: ``fold`` makes the event of its log, ``apply`` does one more.

Owns which act is possible in which phase and which are directors' alone. Acts about entrants are in
``act_entries``, those about rounds and results in ``act_rounds``. Acts of the server (``by`` None)
are those that happen by themselves, and what the operator does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from pbem.tournaments import act_challenges, act_entries, act_rounds, ladder, pausing, teams
from pbem.tournaments.act_model import BEFORE, GOING, NOT_OVER, Act, ActRefused
from pbem.tournaments.beginning import enough
from pbem.tournaments.charter import Charter
from pbem.tournaments.charter_plain import charter_from_plain
from pbem.tournaments.event import Event, Phase
from pbem.tournaments.steps import Begin

__all__ = ["Act", "ActRefused", "apply", "begin", "fold"]

MADE: Final = "made"
CHANGEABLE: Final = frozenset({"title", "about", "round_days", "allows_late", "max_entrants"})
"""What of a charter can still change when the event has begun."""
LONGEST_EXTENSION: Final = 90
"""Days by which a round can be prolonged in one act."""

Apply = Callable[[Event, Act], Event]


def fold(event_id: str, acts: Iterable[Act], since: Event | None = None) -> Event | None:
    """The event that a log comes to, or what it comes to from ``since`` on; None without acts."""
    event = since
    for act in acts:
        event = begin(event_id, act) if event is None else apply(event, act)
    return event


def begin(event_id: str, act: Act) -> Event:
    """The event of its first act. Raises ActRefused."""
    if act.name != MADE or act.number != 1:
        raise ActRefused("no_such_event")
    charter = charter_from_plain(act.facts["charter"])
    return Event(event_id, charter, () if act.by is None else (act.by,), acts=1)


def apply(event: Event, act: Act) -> Event:
    """The event behind one more act. Raises ActRefused, and nothing has changed."""
    if act.number != event.acts + 1:
        raise ActRefused("log_broken", number=act.number)
    found = ACTS.get(act.name)
    if found is None:
        raise ActRefused("no_such_act", name=act.name)
    phases, is_directors, do = found
    if is_directors and act.by is not None and act.by not in event.directors:
        raise ActRefused("not_director")
    if event.phase not in phases:
        raise ActRefused(NOT_NOW[event.phase])
    if act.name in NEED_REASON and not act.reason.strip():
        raise ActRefused("needs_reason")
    return replace(do(event, act), acts=act.number)


def _changed(event: Event, act: Act) -> Event:
    charter = charter_from_plain(act.facts["charter"])
    fixed = set() if event.phase in BEFORE else _differences(event.charter, charter) - CHANGEABLE
    if event.entrants and charter.format != event.charter.format:
        fixed.add("format")
    if fixed:
        names = ", ".join(sorted(fixed))
        raise ActRefused("charter_fixed", names=names)
    return replace(event, charter=charter)


def _differences(one: Charter, other: Charter) -> set[str]:
    return {name for name in Charter.__slots__ if getattr(one, name) != getattr(other, name)}


def _phase(wanted: Phase) -> Apply:
    return lambda event, act: replace(event, phase=wanted)


def _started(event: Event, act: Act) -> Event:
    for number in act.facts.get("absent", ()):
        event = act_entries.put(event, replace(event.entrant(number), standing="withdrawn"))
    for number in act.facts.get("moved_up", ()):
        event = act_entries.put(event, replace(event.entrant(number), standing="in"))
    found, least = enough(event, Begin())
    if found < least:
        raise ActRefused("too_few_entrants", found=found, least=least)
    event = replace(event, phase="running", is_closed=True)
    if event.charter.format == "ladder":
        return ladder.begun(event, act.at)
    return teams.begun(event) if event.charter.format == "teams" else event


def _put_off(event: Event, act: Act) -> Event:
    """The start is put off; check-in is asked for anew."""
    charter = replace(event.charter, starts_at=datetime.fromisoformat(act.facts["starts_at"]))
    entrants = tuple(replace(each, is_checked_in=False) for each in event.entrants)
    return replace(event, charter=charter, entrants=entrants, check_in_asked=False)


def _paused(event: Event, act: Act) -> Event:
    return pausing.paused(event, act.at)


def _resumed(event: Event, act: Act) -> Event:
    return pausing.resumed(event, act.at)


def _closed_entries(event: Event, act: Act) -> Event:
    if event.is_closed:
        raise ActRefused("done_already")
    return replace(event, is_closed=True)


def _extended(event: Event, act: Act) -> Event:
    days = act.facts.get("days")
    if not isinstance(days, int) or not 1 <= days <= LONGEST_EXTENSION:
        raise ActRefused("bad_extension", most=LONGEST_EXTENSION)
    return replace(event, extra_days=event.extra_days + days)


def _director_added(event: Event, act: Act) -> Event:
    if act.player is None or act.player in event.directors:
        raise ActRefused("director_already")
    return replace(event, directors=(*event.directors, act.player))


def _director_removed(event: Event, act: Act) -> Event:
    if act.player not in event.directors:
        raise ActRefused("no_such_director")
    # Who leaves for good is removed by the server, also as the last one.
    if len(event.directors) == 1 and act.by is not None:
        raise ActRefused("last_director")
    return replace(event, directors=tuple(each for each in event.directors if each != act.player))


NOT_NOW: Final[Mapping[Phase, str]] = {
    "draft": "event_draft",
    "open": "event_open",
    "running": "event_running",
    "paused": "event_paused",
    "over": "event_over",
    "cancelled": "event_cancelled",
}
"""Why an act cannot be done, by the phase that the event is in."""
NEED_REASON: Final = frozenset({"corrected", "annulled", "disqualified", "warned", "cancelled"})
"""Acts of directors that say why."""

_ENTRIES: Final[Mapping[str, tuple[tuple[Phase, ...], bool, Apply]]] = {
    "entered": (("open",), False, act_entries.entered),
    "late_entry": (("running",), False, act_entries.late_entry),
    "left": (("open",), False, act_entries.left),
    "moved_up": (("open",), False, act_entries.moved_up),
    "check_in_asked": (("open",), True, act_entries.check_in_asked),
    "checked_in": (("open",), False, act_entries.checked_in),
    "withdrew": (GOING, False, act_entries.withdrew),
    "disqualified": (("open", *GOING), True, act_entries.disqualified),
    "warned": (("open", *GOING), True, act_entries.warned),
    "substitute_asked": (GOING, True, act_entries.substitute_asked),
    "substitute_declined": (GOING, False, act_entries.substitute_declined),
    "substituted": (GOING, False, act_entries.substituted),
}
_ROUNDS: Final[Mapping[str, tuple[tuple[Phase, ...], bool, Apply]]] = {
    "paired": (("running",), True, act_rounds.paired),
    "turned_over": (("running",), True, act_rounds.turned_over),
    "result": (GOING, False, act_rounds.result),
    "adjudicated": (GOING, True, act_rounds.adjudicated),
    "corrected": ((*GOING, "over"), True, act_rounds.corrected),
    "annulled": ((*GOING, "over"), True, act_rounds.annulled),
}
_EVENT: Final[Mapping[str, tuple[tuple[Phase, ...], bool, Apply]]] = {
    "changed": (NOT_OVER, True, _changed),
    "opened": (("draft",), True, _phase("open")),
    "closed_entries": (("open",), True, _closed_entries),
    "put_off": (("open",), True, _put_off),
    "started": (("open",), True, _started),
    "paused": (("running",), True, _paused),
    "resumed": (("paused",), True, _resumed),
    "extended": (GOING, True, _extended),
    "director_added": (NOT_OVER, True, _director_added),
    "director_removed": (NOT_OVER, True, _director_removed),
    "finished": (("running",), True, _phase("over")),
    "cancelled": (NOT_OVER, True, _phase("cancelled")),
}
_CHALLENGES: Final[Mapping[str, tuple[tuple[Phase, ...], bool, Apply]]] = {
    "challenged": (("running",), False, act_challenges.challenged),
    "challenge_accepted": (("running",), False, act_challenges.accepted),
    "challenge_declined": (("running",), False, act_challenges.declined),
    "challenge_lapsed": (("running",), True, act_challenges.lapsed),
    "slipped": (("running",), True, act_challenges.slipped),
}
ACTS: Final[Mapping[str, tuple[tuple[Phase, ...], bool, Apply]]] = {
    **_ENTRIES,
    **_ROUNDS,
    **_EVENT,
    **_CHALLENGES,
}
"""Every act but the first: in which phases it is possible, whether only directors (and the server)
do it, and what it does."""
