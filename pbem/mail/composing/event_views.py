"""What mails show of an event: how it stands, its names, its table, the act that they are about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pbem.mail.composing.desk import Desk
from pbem.mail.links import event_url
from pbem.play.events.naming import Names, names_in
from pbem.play.events.open_event import NoSuchEventError, get_event
from pbem.play.events.saying_log import say_act
from pbem.play.events.viewing import see_event
from pbem.tournaments.act_model import Act
from pbem.tournaments.event import Challenge, Entrant, Event, show_points
from pbem.tournaments.standings import standings

EVENT: Final = "event"
"""In notices and letters about an event: its id; and what stands before the token in Reply-To."""
EVENT_MAIL: Final = "event_mail"
"""In letters about an event: the kind of its notice, and so what an ``ok`` means."""
SHOWN_ROWS: Final = 16
"""How much of a table stands in a mail; the page has all of it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a table; ``starts`` are games with the first turn of all games."""

    place: str
    name: str
    points: str
    starts: str
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Table:
    """The upper part of a table, and the reader's own line wherever it stands."""

    rows: tuple[Place, ...]
    mine: Place | None
    count: int


@dataclass(frozen=True, slots=True)
class EventSight:
    """Looks at an event for one mail."""

    desk: Desk
    event: Event
    names: Names
    act: Act | None

    @property
    def url(self) -> str:
        """Where it is on the web."""
        return event_url(self.desk.office, self.event.id)

    @property
    def root(self) -> str:
        """What all mails about it hang on."""
        return f"{EVENT}.{self.event.id}"

    def say_act(self) -> str:
        """What happened, as the public log says it; empty if the mail is about no act."""
        return "" if self.act is None else say_act(self.act, self.names, self.desk.tongue)

    def reason(self) -> str:
        """The reason that a director gave for it."""
        return "" if self.act is None else self.act.reason

    def find_challenge(self) -> Challenge | None:
        """The challenge that the mail is about."""
        number = self.desk.facts.get("challenge")
        known = isinstance(number, int) and 1 <= number <= len(self.event.challenges)
        return self.event.challenges[int(str(number)) - 1] if known else None

    @property
    def mine(self) -> Entrant | None:
        """The reader's own place."""
        return self.event.find_entrant(self.desk.player.id)

    def table(self, most: int = SHOWN_ROWS) -> Table:
        """The table that the reader is in, else that of the final or the first one."""
        event, mine = self.event, self.mine
        own = [] if mine is None else [each.stage for each in event.of_entrant(mine.number)]
        stages = sorted({each.stage for each in event.encounters}) or [""]
        stage = own[-1] if own else "final" if "final" in stages else stages[0]
        rows = [
            Place(
                place=f"{row.place}=" if row.is_shared else str(row.place),
                name=self.names.of(row.entrant),
                points=show_points(row.points),
                starts=f"{row.starts}/{row.starts + row.other_starts}",
                is_mine=mine is not None and row.entrant == mine.number,
            )
            for row in standings(event, stage)
        ]
        shown = tuple(row for number, row in enumerate(rows) if number < most or row.is_mine)
        return Table(shown, next((row for row in rows if row.is_mine), None), len(rows))

    def opens(self, **more: object) -> Mapping[str, object]:
        """What a reply to the mail is about."""
        return {EVENT: self.event.id, EVENT_MAIL: self.desk.notice.kind, **more}


def sight_of(desk: Desk, event_id: str) -> EventSight:
    """An event that something in a mail is about. Raises NoSuchEventError."""
    event = see_event(desk.unit, event_id, viewer=desk.player.id)
    return EventSight(desk, event, names_in(desk.unit, event), None)


def find_sight(desk: Desk) -> EventSight | None:
    """The event that a mail is about; None if it is gone."""
    try:
        event = get_event(desk.unit, str(desk.facts[EVENT]))
    except NoSuchEventError:
        return None
    number = desk.facts.get("act")
    act = None
    if isinstance(number, int):
        kept = desk.unit.acts_of(event.id, since=number)
        act = kept[0].act if kept else None
    others = () if act is None else (act.by, act.player)
    return EventSight(desk, event, names_in(desk.unit, event, others), act)
