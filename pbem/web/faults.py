"""What the pages say when something was not done, in the viewer's language."""

from __future__ import annotations

from typing import Final

from flask import g

from pbem.games.base import OptionsError
from pbem.mail.refusals import say_not_allowed
from pbem.play.errors import PlayError
from pbem.play.players import PlayerFaults
from pbem.play.saying import say_faults, say_schedule_error
from pbem.schedule.errors import ScheduleError
from pbem.tongue import N_

PLACED: Final = N_("Line {line}, column {column}: {reason}")


def say_error(error: PlayError) -> str:
    """Why a use case was refused."""
    return say_not_allowed(error.code, error.facts, g.tongue)


def say_fields(error: PlayerFaults | OptionsError) -> dict[str, str]:
    """What is wrong with a form, by field."""
    return say_faults(error.faults, tongue=g.tongue)


def say_placed(line: int | None, column: int | None, reason: str) -> str:
    """What is wrong with a text, with its place."""
    said: str = g.tongue.say(PLACED, line=line or 1, column=column or 1, reason=reason)
    return said


def say_schedule(error: ScheduleError) -> str:
    """What is wrong with times and leaves."""
    return " ".join(say_schedule_error(error, tongue=g.tongue))
