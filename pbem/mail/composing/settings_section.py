"""The settings of a player as an answer shows them: each word and value as it can be written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pbem.mail.composing.desk import Desk
from pbem.play.model import Address, Preferences
from pbem.tongue import N_, Tongue

SETTINGS: Final = {
    "name": N_("name"),
    "language": N_("language"),
    "zone": N_("zone"),
    "board": N_("board"),
    "delivery": N_("delivery"),
    "quiet": N_("quiet"),
    "weekends": N_("weekends"),
    "messages": N_("messages"),
    "notes": N_("notes"),
    "address": N_("address"),
}
"""The word for each setting, as it is written behind ``settings``."""

EXPLAINED: Final = {
    "en": N_("English"),
    "nl": N_("Dutch"),
    "image": N_("a picture in the mail"),
    "text": N_("letters in columns"),
    "spoken": N_("told in words"),
    "each": N_("every mail when it is written"),
    "digest": N_("one mail each morning"),
    "none": N_("only answers to your own mails"),
}
NOBODY_RESTS: Final = N_("your clock runs on Saturdays and Sundays")
RESTS: Final = N_("your clock stands still on Saturdays and Sundays")
STOPS_PLANS: Final = N_("a message stops your plan")
KEEPS_PLANS: Final = N_("plans go on when a message comes")
NOTES: Final = {
    "never": ("never", N_("your private notes stay private")),
    "after": ("after", N_("your private notes join the archived game when it is over")),
    "agreed": ("both", N_("your private notes join the archived game if your opponent's may too")),
}
"""For each wish the word that is written, and what it means."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: the word for it, its value, and what that means."""

    word: str
    value: str
    meaning: str
    is_changed: bool


def show_settings(desk: Desk, facts: Mapping[str, object]) -> dict[str, object]:
    """All settings, those that were just changed marked."""
    named = facts.get("changed")
    changed = set(named) if isinstance(named, (list, tuple)) else set()
    chosen, tongue = desk.player.preferences, desk.tongue
    # Whose an address is that was only named, is not known; nor is it told.
    addresses = [each for each in desk.unit.addresses_of(desk.player.id) if each.verified_at]
    shown = [
        ("name", desk.player.name, ""),
        ("language", chosen.language, _explained(chosen.language, tongue)),
        ("zone", chosen.time_zone, desk.dates.instant(desk.now)),
        ("board", chosen.board, _explained(chosen.board, tongue)),
        ("delivery", chosen.delivery, _explained(chosen.delivery, tongue)),
        ("quiet", *_quiet(chosen, tongue)),
        ("weekends", *_weekends(chosen, tongue)),
        ("messages", *_messages(chosen, tongue)),
        ("notes", *_notes(chosen, tongue)),
        *(("address", each.address, _address_state(each, tongue)) for each in addresses),
    ]
    return {
        "settings": [
            Setting(tongue.say(SETTINGS[key]), value, meaning, key in changed)
            for key, value, meaning in shown
        ]
    }


def _explained(value: str, tongue: Tongue) -> str:
    return tongue.say(EXPLAINED[value]) if value in EXPLAINED else ""


def _quiet(chosen: Preferences, tongue: Tongue) -> tuple[str, str]:
    if chosen.quiet_from is None or chosen.quiet_to is None:
        return "off", tongue.say(N_("your clock runs at night too"))
    hours = f"{chosen.quiet_from:%H:%M}-{chosen.quiet_to:%H:%M}"
    return hours, tongue.say(N_("your clock stands still then"))


def _weekends(chosen: Preferences, tongue: Tongue) -> tuple[str, str]:
    if chosen.rests_on_weekends:
        return "off", tongue.say(RESTS)
    return "on", tongue.say(NOBODY_RESTS)


def _messages(chosen: Preferences, tongue: Tongue) -> tuple[str, str]:
    if chosen.messages_stop_plans:
        return "stop", tongue.say(STOPS_PLANS)
    return "go", tongue.say(KEEPS_PLANS)


def _notes(chosen: Preferences, tongue: Tongue) -> tuple[str, str]:
    word, meaning = NOTES[chosen.notes_join]
    return word, tongue.say(meaning)


def _address_state(address: Address, tongue: Tongue) -> str:
    if address.is_preferred:
        return tongue.say(N_("mails go here"))
    if address.is_fallback:
        return tongue.say(N_("mails go here when the other fails"))
    return tongue.say(N_("you may write from here"))
