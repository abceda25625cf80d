"""What is at hand while one mail is acted on, and what there is to tell about it so far.

Everything happens at the instant the mail arrived (L1.6): a mail that was stored before a flag
fell is read as if it had been read at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

from pbem.games.base import OptionsError
from pbem.mail.answers import Section
from pbem.mail.office import Office
from pbem.mail.redact import clean_message, redact
from pbem.mail.what import Wanted
from pbem.play.errors import PlayError
from pbem.play.log import instant_text
from pbem.play.model import Address, Notice, OpenRequest, Player, split_request_id
from pbem.play.outages import owe_answer
from pbem.play.players import PlayerFaults
from pbem.play.ports import Surroundings, Unit
from pbem.play.post import Inbound, Letter, mail_key
from pbem.schedule.errors import ScheduleError
from pbem.tally import TALLY

_WRITTEN: Final = frozenset({"text", "command", "commands", "below"})
"""Facts that are what the player wrote."""


@dataclass
class Errand:
    """One mail being acted on. ``around`` does everything inside ``unit``."""

    around: Surroundings
    unit: Unit
    office: Office
    inbound: Inbound
    player: Player
    address: Address
    letter: Letter | None
    now: datetime
    sections: list[Section] = field(default_factory=list)
    played: list[tuple[str, int]] = field(default_factory=list)
    """Games and entries that the mail became."""
    told: list[Notice] = field(default_factory=list)
    """Who is told of the entries that are new."""
    refusals: dict[str, dict[str, object]] = field(default_factory=dict)
    """By game: what was refused, and what can be answered with a number (N1.7)."""
    on_ok: list[str] = field(default_factory=list)
    """Lines that are done when the answer to this mail is answered with ok."""
    requests: list[str] = field(default_factory=list)
    """Further requests that a reply to the answer may be about."""
    answered: Notice | None = None
    """A mail about an event that says all there is to answer."""

    words: str = ""
    """What was written beside commands, cleaned: a reason, where one is asked for."""

    @property
    def at(self) -> datetime:
        """When the mail arrived, which is when it counts."""
        return self.inbound.arrival.arrived

    @property
    def key(self) -> str:
        """The name of the mail as a cause and as the key of submissions."""
        return mail_key(self.inbound.id)

    @property
    def game_id(self) -> str | None:
        """The game that the mail is about."""
        return None if self.letter is None else self.letter.game_id

    @property
    def bundled(self) -> Sequence[str]:
        """The requests that were asked in one mail with others."""
        found = () if self.letter is None else self.letter.facts.get("requests", ())
        return [str(each) for each in found] if isinstance(found, list | tuple) else []

    @property
    def is_sure(self) -> bool:
        """Whether a token says who wrote: From alone can be forged (L3.2)."""
        return self.letter is not None

    def tell(self, name: str, about: str | None = None, **facts: object) -> None:
        """One more section of the answer; ``about`` is a game, if it is another than the mail's."""
        game_id = about if about != self.game_id else None
        # What the player wrote is shown again, but no token with it (L3.4).
        shown = {
            key: _redacted(value) if key in _WRITTEN else value for key, value in facts.items()
        }
        self.sections.append(Section(name, plain(shown), game_id))

    def keep_rest(self, wanted: Wanted) -> None:
        """Words behind an ``ok`` that was meant for us go nowhere."""
        for part in wanted.parts:
            rest = clean_message(part.message).partition("\n")[2].strip()
            if rest:
                self.tell("message_kept_back", text=rest, why="question")

    def find_seat(self, game_id: str) -> int | None:
        """The player's seat in a game."""
        stored = self.unit.find_game(game_id)
        return None if stored is None else stored.find_seat(self.player.id)

    def find_game(self, named: str | None) -> str | None:
        """The game that orders or a command are for: the one named, else the one of the mail."""
        if named is not None or self.game_id is not None:
            return named or self.game_id
        games = {split_request_id(request)[0] for request in self.bundled}
        return games.pop() if len(games) == 1 else None

    def is_over(self, game_id: str) -> bool:
        """Whether nothing can be played in a game any more."""
        stored = self.unit.find_game(game_id)
        return stored is not None and stored.is_over

    def running_games(self) -> Sequence[str]:
        """The player's games that are not over."""
        return self.unit.games_of(self.player.id, is_over=False)

    def open_request(self, game_id: str) -> OpenRequest | None:
        """What the player is asked for in a game now."""
        seat = self.find_seat(game_id)
        asked = [row for row in self.unit.requests_of(game_id) if row.seat == seat]
        return asked[-1] if asked else None

    def owe_answer(self, game_id: str) -> None:
        """The player is asked to write again, and did not have to wait at their own expense: the
        clock stood from when the mail arrived until now."""
        seat = self.find_seat(game_id)
        if seat is not None and self.open_request(game_id) is not None:
            owe_answer(self.around, game_id, seat, arrived=self.at, now=self.now)

    @contextmanager
    def attempt(self, command: str) -> Iterator[None]:
        """Do something that may not be allowed: then it is undone, and the answer says why."""
        told = len(self.sections)
        try:
            with self.unit.nested():
                yield
        except (PlayError, OptionsError, ScheduleError) as error:
            del self.sections[told:]
            self._tell_error(error, command)

    def _tell_error(self, error: PlayError | OptionsError | ScheduleError, command: str) -> None:
        if isinstance(error, PlayerFaults | OptionsError):
            self.tell("faults", faults=error.faults, command=command)
        elif isinstance(error, ScheduleError):
            codes = [
                {"code": fault.code, "where": fault.where, "facts": dict(fault.facts)}
                for fault in error.faults
            ]
            texts = {fault.where: fault.text for fault in error.faults}
            self.tell("faults", faults=texts, codes=codes, command=command)
        else:
            TALLY.add("refusals", error.code)
            self.tell("not_allowed", code=error.code, facts=error.facts, command=command)


def _redacted(value: object) -> object:
    if isinstance(value, list):
        return [_redacted(each) for each in value]
    return redact(value) if isinstance(value, str) else value


def plain(facts: Mapping[str, object]) -> dict[str, object]:
    """Facts as JSON can keep them."""
    return {str(name): _plain(value) for name, value in facts.items()}


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return instant_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return plain(value)
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
