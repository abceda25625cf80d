"""The mails to directors: how an event goes, week by week, and games that they are to rule on (L6).

A dossier is ruled on by a reply of one letter; what it shows is ``dossiers``', and so is who may
see it. Forecasts are ``pace``'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.mail.composing.desk import Desk
from pbem.mail.composing.drafts import Draft
from pbem.mail.composing.event_views import EVENT, EventSight, find_sight
from pbem.mail.composing.game_views import Board, show_board
from pbem.mail.dates import say_duration
from pbem.mail.links import event_url
from pbem.play.errors import NotAllowedError
from pbem.play.events import notices
from pbem.play.events.dossiers import Dossier, open_dossier
from pbem.play.events.naming import Names
from pbem.play.events.pace import forecast_event
from pbem.play.events.saying_charter import PHASE_NAMES
from pbem.play.viewing import GameView
from pbem.tongue import N_
from pbem.tournaments.forecast import EventForecast
from pbem.tournaments.walking import Ends, GameForecast, TimeOut

SHOWN_GAMES: Final = 30
LAST_STEPS: Final = 8
TREND_STEPS: Final = 6
LIKELY: Final = N_("probably on {median}, with nine chances of ten by {ninety}")
LATE: Final = {
    "now": N_("{player} against {other}: the time is over on {time}, and no answer has come."),
    "pace": N_("{player} against {other}: at the usual pace the time is over about {time}."),
}
"""By why a flag may fall."""
RULINGS: Final = (
    ("G", N_("Gold wins")),
    ("B", N_("Black wins")),
    ("D", N_("Draw")),
    ("C", N_("The game goes on")),
)
"""What a reply of one letter to a dossier means."""


# -- once a week ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameEnd:
    """When a game will be over."""

    players: str
    ends: str


def draft_weekly(desk: Desk) -> Draft | None:
    """How an event goes; only to who still directs it, and while it goes on."""
    sight = find_sight(desk)
    if sight is None or desk.player.id not in sight.event.directors:
        return None
    event = sight.event
    if event.phase not in ("running", "paused"):
        return None
    told = forecast_event(desk.unit, event, now=desk.now)
    games = sorted(told.games, key=lambda game: game.ends.median, reverse=True)
    return Draft(
        template=notices.WEEKLY,
        content={
            "event": event.charter.title,
            "phase": desk.tongue.say(PHASE_NAMES[event.phase]),
            "round": event.round,
            "round_ends": _likely(desk, told.round),
            "event_ends": _likely(desk, told.event),
            "late": tuple(_late(desk, sight.names, told)),
            "unreachable": tuple(_unreachable(desk, sight)),
            "waiting": tuple(_waiting(desk, sight)),
            "games": tuple(_game_end(desk, sight.names, each) for each in games[:SHOWN_GAMES]),
            "more": max(0, len(games) - SHOWN_GAMES),
            "id": event.id,
            "url": event_url(desk.office, event.id, "desk"),
        },
        about=EVENT,
        opens=sight.opens(),
        thread=desk.thread(sight.root),
    )


def _likely(desk: Desk, ends: Ends | None) -> str:
    if ends is None:
        return ""
    return desk.tongue.say(
        LIKELY, median=desk.dates.day(ends.median.date()), ninety=desk.dates.day(ends.ninety.date())
    )


def _game_end(desk: Desk, names: Names, game: GameForecast) -> GameEnd:
    return GameEnd(
        " – ".join(names.of_player(each) for each in game.players), _likely(desk, game.ends)
    )


def _late(desk: Desk, names: Names, told: EventForecast) -> Iterator[str]:
    found: list[tuple[TimeOut, GameForecast]] = [
        (each, game) for game in told.games for each in game.time_outs
    ]
    for each, game in sorted(found, key=lambda pair: pair[0].at):
        other = next(player for player in game.players if player != each.player_id)
        yield desk.tongue.say(
            LATE[each.why],
            player=names.of_player(each.player_id),
            other=names.of_player(other),
            time=desk.dates.instant(each.at),
        )


def _unreachable(desk: Desk, sight: EventSight) -> Iterator[str]:
    """Whom our mails do not reach, and whose clocks stand for that."""
    for entrant in sight.event.entrants:
        player = desk.find_player(entrant.player_id) if entrant.is_in else None
        if player is not None and player.stopped_since is not None:
            yield desk.tongue.say(
                "{player}, since {time}",
                player=player.name,
                time=desk.dates.instant(player.stopped_since),
            )


def _waiting(desk: Desk, sight: EventSight) -> Iterator[str]:
    """What waits for a director: games about which somebody has said something, places."""
    event, names = sight.event, sight.names
    for encounter in event.encounters:
        for index, game in enumerate(encounter.games):
            if game.result is not None:
                continue
            said = desk.unit.statements_of(event.id, encounter.number, index)
            if said:
                pairing = f"{names.of(game.gold)} – {names.of(game.black)}"
                yield desk.tongue.say("{pairing} waits for a ruling.", pairing=pairing)
    for asked in event.asked:
        yield desk.tongue.say(
            "{player} has not said yet whether to take over the place of {holder}.",
            player=names.of_player(asked.player_id),
            holder=names.of(asked.entrant),
        )


# -- a game to rule on ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Said:
    """What one of the players says."""

    name: str
    when: str
    text: str


def draft_dossier(desk: Desk) -> Draft | None:
    """All there is to know about a game that waits for a ruling, as long as it does."""
    sight = find_sight(desk)
    which = (desk.facts.get("encounter"), desk.facts.get("game"))
    number, index = which
    if sight is None or not isinstance(number, int) or not isinstance(index, int):
        return None
    try:
        found = open_dossier(desk.unit, sight.event.id, desk.player, (number, index), now=desk.now)
    except NotAllowedError:
        return None  # they direct it no longer
    if found.game.result is not None:
        return None
    return Draft(
        template=notices.DOSSIER,
        content={
            "event": sight.event.charter.title,
            "gold": sight.names.of(found.game.gold),
            "black": sight.names.of(found.game.black),
            "round": found.encounter.round,
            "rulings": () if found.is_own else _rulings(desk),
            "statements": tuple(
                Said(sight.names.of_player(each.player_id), desk.dates.instant(each.at), each.text)
                for each in found.statements
            ),
            **_of_view(desk, found),
            "trends": tuple(_trends(desk, found)),
            "url": event_url(desk.office, sight.event.id, "games", number, index),
        },
        about=EVENT,
        opens=sight.opens(encounter=number, game=index),
        thread=desk.thread(sight.root),
    )


def _rulings(desk: Desk) -> tuple[tuple[str, str], ...]:
    return tuple((letter, desk.tongue.say(text)) for letter, text in RULINGS)


def _of_view(desk: Desk, found: Dossier) -> dict[str, object]:
    view = found.view
    if view is None:
        return {"board": None, "clocks": (), "steps": ()}
    return {"board": _board(desk, view), "clocks": _clocks(desk, view), "steps": _steps(desk, view)}


def _board(desk: Desk, view: GameView) -> Board:
    return show_board(desk, view.scene(desk.tongue), lambda: view.spoken(desk.tongue))


def _clocks(desk: Desk, view: GameView) -> Sequence[tuple[str, str]]:
    left = desk.tongue.say("Time left")
    return [
        (name, f"{left}: {say_duration(clock.left, desk.tongue)}")
        for name, clock in zip(view.names, view.clocks, strict=True)
    ]


def _steps(desk: Desk, view: GameView) -> Sequence[tuple[str, str]]:
    told = [step for step in view.steps if step.texts][-LAST_STEPS:]
    return [
        (
            desk.dates.short(step.at),
            f"{'' if step.seat is None else view.names[step.seat] + ': '}{' '.join(step.texts)}",
        )
        for step in told
    ]


def _trends(desk: Desk, found: Dossier) -> Iterator[tuple[str, str]]:
    """The figures of both Houses over the last turns, Gold's first."""
    trends = found.trends
    if trends is None:
        return
    say = desk.tongue.say
    for name, pairs in (
        (say("Energy"), trends.energy),
        (say("Honour"), trends.honour),
        (say("Wells"), trends.wells),
    ):
        yield name, " · ".join(f"{gold}:{black}" for gold, black in pairs[-TREND_STEPS:])
