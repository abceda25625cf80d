"""The parts of an answer (``pbem.mail.answers``), each with what its template needs.

Most sections say what their facts say. Those about orders ask the game again, from the state the
game was in when the mail was read: what was wrong, what would happen, what has happened since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pbem.games.base import Fault, Forecast, Refused, Suggestion
from pbem.mail.answers import SECTIONS, Section
from pbem.mail.composing.account_sections import ACCOUNT_SECTIONS
from pbem.mail.composing.desk import Desk
from pbem.mail.composing.event_sections import EVENT_SECTIONS
from pbem.mail.composing.game_views import Board, GameSight
from pbem.play.story import load_story

MAX_BOARDS: Final = 4
"""Outcomes of one ``try`` that are shown with a board; the others are named."""

MAX_HISTORY: Final = 120
_SHOWN: Final = 72

Values = dict[str, object]


@dataclass(frozen=True, slots=True)
class FaultView:
    """What is wrong: the line, a caret under the place, the reason, the clause of the rules."""

    line: str
    caret: str
    number: int | None
    reason: str
    clause: str


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """One way a submission can go."""

    steps: tuple[str, ...]
    board: Board | None
    reason: str
    asks: str


def describe_sections(
    desk: Desk, sight: GameSight | None, sections: Iterable[Section]
) -> list[Values]:
    """The sections of an answer, ready for their templates; none about a game that is gone."""
    described = (_describe(desk, sight, each) for each in sections if each.name in SECTIONS)
    return [values for values in described if values is not None]


def _describe(desk: Desk, sight: GameSight | None, section: Section) -> Values | None:
    values: Values = {"name": section.name, "about": section.game_id or "", **section.facts}
    game_id = section.game_id or (section.facts.get("game") if section.name == "played" else None)
    if game_id is not None:
        sight = find_sight(desk, str(game_id))
    if section.name in _OF_GAMES:
        if sight is None:
            return None
        return values | _OF_GAMES[section.name](desk, sight, section.facts)
    if section.name in ACCOUNT_SECTIONS:
        return values | ACCOUNT_SECTIONS[section.name](desk, section.facts)
    if section.name in EVENT_SECTIONS:
        return values | EVENT_SECTIONS[section.name](desk, section.facts)
    return values


def find_sight(desk: Desk, game_id: str, upto: int | None = None) -> GameSight | None:
    """A game of the player's, seen from their seat."""
    stored = desk.unit.find_game(game_id)
    seat = None if stored is None else stored.find_seat(desk.player.id)
    if seat is None:
        return None
    return GameSight(desk, load_story(desk.unit, game_id, upto=upto), seat)


# -- refused orders -----------------------------------------------------------------------------


def _refusal(desk: Desk, sight: GameSight, facts: Mapping[str, object]) -> Values:
    story, text = sight.story, str(facts["text"])
    done = story.play.preview(story.state, sight.seat, text, tongue=desk.tongue)
    refused = done if isinstance(done, Refused) else Refused(())
    return refusal_values(desk, sight, text, refused)


def refusal_values(desk: Desk, sight: GameSight, text: str, refused: Refused) -> Values:
    """Why orders were refused, and what could be meant instead."""
    return {
        "text": text,
        "faults": [_fault(desk, sight, text, fault) for fault in refused.faults],
        "suggestions": [_suggested(each) for each in refused.suggestions],
    }


def _suggested(suggestion: Suggestion) -> str:
    """What would be played; of more than a line, the order that differs from what was refused."""
    whole = suggestion.submission.strip()
    is_line = len(whole) <= _SHOWN and len(whole.splitlines()) == 1
    return whole if is_line else f"… {suggestion.order} …"


def _fault(desk: Desk, sight: GameSight, text: str, fault: Fault) -> FaultView:
    line, caret = "", ""
    lines = text.splitlines()
    if fault.line is not None and 0 < fault.line <= len(lines):
        whole, column = lines[fault.line - 1], max(fault.column or 1, 1)
        start = max(0, min(column - 1, len(whole)) - _SHOWN // 2) if len(whole) > _SHOWN else 0
        line = whole[start : start + _SHOWN].expandtabs(1)
        caret = " " * min(column - 1 - start, _SHOWN) + "^"
    reason = sight.story.play.explain(fault, tongue=desk.tongue)
    return FaultView(line, caret, fault.line if len(lines) > 1 else None, reason, fault.clause)


# -- what would happen, what has happened -------------------------------------------------------


def _what_if(desk: Desk, sight: GameSight, facts: Mapping[str, object]) -> Values:
    story, text = sight.story, str(facts["text"])
    done = story.play.preview(story.state, sight.seat, text, tongue=desk.tongue)
    if isinstance(done, Refused):
        return {"outcomes": (), **refusal_values(desk, sight, text, done)}
    outcomes = tuple(
        _outcome(desk, sight, forecast, with_board=number < MAX_BOARDS)
        for number, forecast in enumerate(done.forecasts)
    )
    return {"text": done.text, "outcomes": outcomes, "faults": (), "suggestions": ()}


def _outcome(desk: Desk, sight: GameSight, forecast: Forecast, *, with_board: bool) -> OutcomeView:
    fault = forecast.fault
    return OutcomeView(
        forecast.steps,
        sight.board(forecast.scene) if with_board else None,
        "" if fault is None else sight.story.play.explain(fault, tongue=desk.tongue),
        forecast.asks or "",
    )


def _too_late(desk: Desk, sight: GameSight, facts: Mapping[str, object]) -> Values:
    """What has happened from the entry on that closed the request (L3.5)."""
    since = facts.get("since")
    last = sight.story.entry.number
    first = since if isinstance(since, int) else last
    story = sight.story.since(first - 1)
    told = story.play.tell(story.before, story.events, sight.seat, tongue=desk.tongue)
    return {"happened": told}


def _history(desk: Desk, sight: GameSight, facts: Mapping[str, object]) -> Values:
    """The whole game, entry by entry, as far as this seat may know."""
    lines: list[tuple[str, str]] = []
    chapters = sight.story.chapters
    for before, chapter in pairwise(chapters):
        told = sight.story.play.tell(
            before.course.state, chapter.events, sight.seat, tongue=desk.tongue
        )
        when = desk.dates.short(chapter.entry.at)
        lines += [(when if number == 0 else "", line) for number, line in enumerate(told)]
    return {"lines": lines[-MAX_HISTORY:], "is_cut": len(lines) > MAX_HISTORY}


def _status(desk: Desk, sight: GameSight, facts: Mapping[str, object]) -> Values:
    """Who is to do what, with the board."""
    return {"game": sight.view(with_news=False), "waits": sight.waits_for()}


def _of_view(desk: Desk, sight: GameSight, facts: Mapping[str, object]) -> Values:
    """A game in a few words, or with its board."""
    return {"game": sight.view(with_news=False)}


def _played(desk: Desk, sight: GameSight, facts: Mapping[str, object]) -> Values:
    """Orders for one game out of several."""
    entry = facts.get("entry")
    story = sight.story
    at = entry if isinstance(entry, int) and entry < len(story.chapters) else story.entry.number
    own = load_story(desk.unit, story.stored.id, upto=at, since=at - 1)
    told = own.play.tell(own.before, own.events, sight.seat, tongue=desk.tongue)
    return {"text": own.entry.text, "happened": told, "opponent": sight.name(1 - sight.seat)}


_OF_GAMES: Final[Mapping[str, Callable[[Desk, GameSight, Mapping[str, object]], Values]]] = {
    "refusal": _refusal,
    "what_if": _what_if,
    "too_late": _too_late,
    "history": _history,
    "status": _status,
    "board": _of_view,
    "played": _played,
}
