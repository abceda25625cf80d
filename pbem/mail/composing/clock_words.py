"""The terms of a game in words, for an invitation: how much time there is (R9.3)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from pbem.mail.dates import say_duration
from pbem.schedule.rules import ClockRules
from pbem.tongue import N_, Tongue

BANK: Final = N_("Each player has {time} for the whole game.")
BANK_GROWS: Final = N_("Each player begins with {time}, and gets {more} for each turn.")
CAP: Final = N_("Nobody saves up more than {time}.")
LONGEST: Final = N_("One turn takes {time} at most.")
DEFENCE: Final = {
    "fall": N_("A defence has {time} of its own; without an answer whoever is attacked falls."),
    "save": N_("A defence has {time} of its own; without an answer whoever can be paid is saved."),
}
CORRECTION: Final = N_("What you send can be taken back for {time}.")


def say_clock(rules: ClockRules, tongue: Tongue) -> tuple[str, ...]:
    """The rules of a clock, one sentence each."""
    return tuple(_clock(rules, tongue))


def _clock(rules: ClockRules, tongue: Tongue) -> Iterator[str]:
    bank = say_duration(rules.bank, tongue)
    if rules.increment:
        yield tongue.say(BANK_GROWS, time=bank, more=say_duration(rules.increment, tongue))
    else:
        yield tongue.say(BANK, time=bank)
    if rules.cap is not None:
        yield tongue.say(CAP, time=say_duration(rules.cap, tongue))
    if rules.longest is not None:
        yield tongue.say(LONGEST, time=say_duration(rules.longest, tongue))
    if rules.defence is not None:
        text = DEFENCE[rules.defence_default]
        yield tongue.say(text, time=say_duration(rules.defence, tongue))


def say_correction(window: timedelta, tongue: Tongue) -> str:
    """The correction window; empty if there is none (L6)."""
    return tongue.say(CORRECTION, time=say_duration(window, tongue)) if window else ""
