"""What is wrong with what a player has given, in the player's language.

Preferences, agreements, clocks and leaves say what is wrong in English: the schedule is pure and
knows no languages. This is the book of those texts; a test holds it against the code that says
them. Refusals that have a code of their own are said by whoever talks to the player.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from pbem.games.registry import NAMES, get_game
from pbem.phrasebook import Phrasebook
from pbem.schedule.errors import ScheduleError
from pbem.tongue import N_, Tongue

FAULTS: Final = (
    # agreements
    N_("must be one of {allowed}"),
    N_("must be some of {allowed}"),
    N_("must be at most one day"),
    N_("must be open, private, or delayed with a number of turns up to 99"),
    N_("must be true or false"),
    # clocks
    N_("expected {expected}, not {found}"),
    N_("expected {expected}"),
    N_("a duration for the {name}"),
    N_("a duration such as 14d, 36h or 1d12h"),
    N_("a duration with the larger units first"),
    N_("a duration of at most 1000 days"),
    N_("only one {name}"),
    N_("only one list of reminders"),
    N_("+, cap, longest, defence or remind"),
    N_("per cents such as 50,80,95, or never"),
    N_("a clock is a short text"),
    N_("must be more than nothing"),
    N_("must be at most 1000 days"),
    N_("must be a number of whole seconds"),
    N_("must not be below the bank"),
    N_("must not be longer than the bank"),
    N_("must be fall or save"),
    N_("must be fall or save, not {found}"),
    N_("needs a defence clock to take effect"),
    N_("at most {count}"),
    N_("must be from 1 to 99 per cent"),
    N_("must be whole numbers"),
    N_("must rise"),
    N_("{found} must be {expected}"),
    # calendars
    N_("must be a local hour and minute"),
    N_("must differ from where they begin"),
    N_("{length} are quiet, and at most {most} may be"),
    N_("{found} must be two times of the day, such as 22:00-07:00"),
    N_("there is no time zone {found}"),
    N_("has {count} periods, and at most {most} may be kept"),
    N_("a leave has a last day"),
    # leaves
    N_("must be from 0 to 366"),
    N_("must be from nothing to two years"),
    N_("must be two dates, such as 2026-12-20 2027-01-05"),
    N_("must end after it begins"),
    N_("{found} must be year, month and day, such as 2026-12-20"),
    N_("there is no {found}"),
    N_("{day} does not come there"),
    N_("must lie within the next two years"),
    N_("may begin on {earliest} at the earliest"),
    N_("overlaps the leave {days}"),
    N_("takes {days} days more than {year} has left"),
    N_("is over already"),
    # players
    N_("must have a beginning and an end"),
    N_("must have 1 to {most} characters"),
    N_("must be a mail address, as ann@example.org"),
    N_("rules for all games may name only all and elements"),
    # events
    N_("there is no bidding from a position"),
    N_("must have at most {most} characters"),
    N_("must be a whole number from {least} to {most}"),
    N_("must be an instant, such as 2026-12-01T18:00"),
    N_("is the event's to say"),
    N_("games of an event are not private"),
    N_("must be plain text"),
    N_("must not be behind the start"),
    N_("needs a start that is known"),
    N_("must not be below the least number"),
    N_("must not be below the least rating"),
    N_("must be fewer than a group has"),
    N_("must be fewer than half of a division"),
    N_("a ladder has no check-in"),
)


@cache
def _book() -> Phrasebook:
    texts = list(FAULTS)
    for name in NAMES:
        texts += get_game(name).fault_texts
    return Phrasebook(texts)


def say_fault(text: str, *, tongue: Tongue) -> str:
    """One thing that is wrong: a text of the book, or one that is said as it stands."""
    said = _book().say(text, tongue)
    return tongue.say(text) if said == text else said


def say_faults(faults: Mapping[str, str], *, tongue: Tongue) -> dict[str, str]:
    """What is wrong, by field: the faults of an OptionsError or of PlayerFaults."""
    return {name: say_fault(text, tongue=tongue) for name, text in faults.items()}


def say_schedule_error(error: ScheduleError, *, tongue: Tongue) -> tuple[str, ...]:
    """Everything that is wrong with a clock, a calendar or a leave."""
    return tuple(say_fault(fault.text, tongue=tongue) for fault in error.faults)
