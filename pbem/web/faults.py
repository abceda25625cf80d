"""What the pages say when something was not done, in the viewer's language."""

from __future__ import annotations

from flask import g

from pbem.games.base import OptionsError
from pbem.mail.refusals import say_not_allowed
from pbem.play.errors import PlayError
from pbem.play.players import PlayerFaults
from pbem.play.saying import say_faults, say_schedule_error
from pbem.schedule.errors import ScheduleError


def say_error(error: PlayError) -> str:
    """Why a use case was refused."""
    return say_not_allowed(error.code, error.facts, g.tongue)


def say_fields(error: PlayerFaults | OptionsError) -> dict[str, str]:
    """What is wrong with a form, by field."""
    return say_faults(error.faults, tongue=g.tongue)


def say_schedule(error: ScheduleError) -> str:
    """What is wrong with times and leaves."""
    return " ".join(say_schedule_error(error, tongue=g.tongue))
