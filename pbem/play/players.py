"""Players: joining, addresses, preferences, rules for all games.

Days off are in ``leave``, merging and leaving for good in ``farewell``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

from notation.errors import NotationError
from notation.standing import format_standing, parse_standing
from pbem.errors import StoreConflictError
from pbem.play.calendars import calendar_of, refresh_calendars
from pbem.play.errors import NotAllowedError, PlayError
from pbem.play.model import Address, Player, Preferences
from pbem.play.open_game import OpenGame, load_course
from pbem.play.ports import Surroundings, Unit
from pbem.play.starting import lock_player
from pbem.schedule.calendar import Calendar
from pbem.schedule.errors import ScheduleError

LANGUAGES: Final = ("en", "nl")
BOARDS: Final = ("image", "text", "spoken")
DELIVERIES: Final = ("each", "digest", "none")
NOTE_WISHES: Final = ("never", "after", "agreed")
MAX_NAME: Final = 60
NO_ADDRESS: Final = "must be a mail address, as ann@example.org"
MAX_ADDRESSES: Final = 10
MAX_LABEL: Final = 63
"""Letters between two dots of a domain."""
MAX_CHANGES: Final = 2
"""How often a week zone, weekends and quiet hours may change while an answer is awaited."""

CHANGES_A_DAY: Final = 50
"""How often a day rules for all games may change, and days off be taken."""

JOINS_A_DAY: Final = 10
"""How many may join from one place in a day."""

MOST_ASKED: Final = 3
"""How many mails a week go to an address because others named it, before it has answered."""

GUEST: Final = "Guest"
DAY: Final = timedelta(days=1)
WEEK: Final = timedelta(days=7)
_ADDRESS: Final = re.compile(
    r"[^\s@<>\"(),:;\[\]\\\x00-\x1f\x7f]{1,64}@[^\s@<>\"(),:;\[\]\\]{3,190}"
)
_FILLERS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs by their category, but there is nothing to see."""


class PlayerFaults(PlayError):
    """What a player has given cannot be taken; ``faults`` lists it all, by field."""

    code = "player_faults"

    def __init__(self, faults: dict[str, str]) -> None:
        self.faults = faults
        super().__init__(**faults)


def clean_name(name: str) -> str:
    """A name without what could deceive or break a line. Raises PlayerFaults."""
    kept = "".join(char for char in name if not _is_unseen(char))
    shown = " ".join(unicodedata.normalize("NFC", kept).split())
    if not 1 <= len(shown) <= MAX_NAME or all(_is_mark(char) for char in shown):
        raise PlayerFaults({"name": f"must have 1 to {MAX_NAME} characters"})
    return shown


def _is_unseen(char: str) -> bool:
    return unicodedata.category(char)[0] == "C" or char in _FILLERS


def _is_mark(char: str) -> bool:
    """Whether it only stands on or around another character."""
    return unicodedata.category(char)[0] in "MZ"


def clean_address(address: str) -> str:
    """An address in lower case and one spelling: a foreign domain as DNS writes it, in ASCII.

    Raises PlayerFaults for what cannot be one.
    """
    lowered = unicodedata.normalize("NFC", address.strip()).lower()
    local, _, domain = lowered.rpartition("@")
    labels = [_ascii_label(label) for label in domain.split(".")]
    if (
        not _ADDRESS.fullmatch(lowered)
        or any(_is_unseen(char) for char in lowered)
        or len(labels) < 2
        or not all(0 < len(label) <= MAX_LABEL for label in labels)
    ):
        raise PlayerFaults({"address": NO_ADDRESS})
    return f"{local}@{'.'.join(labels)}"


def _ascii_label(label: str) -> str:
    """One part of a domain as DNS knows it; empty for one with letters that stand for others.

    Nothing is mapped but the case: two domains that DNS keeps apart must not become one here.
    """
    if label.isascii():
        return label
    if len(label) > MAX_LABEL or unicodedata.normalize("NFKC", label) != label:
        return ""
    return "xn--" + label.encode("punycode").decode("ascii")


def join(
    around: Surroundings,
    name: str,
    address: str,
    *,
    now: datetime,
    preferences: Preferences | None = None,
    verified: bool = False,
    source: str | None = None,
) -> Player:
    """A new player. The address counts for nothing until it is verified.

    ``source`` is where it comes from (a network address), as far as the caller knows: neither one
    source nor one address can be used to have many mails written (L5).
    """
    name, address = clean_name(name), clean_address(address)
    chosen = check_preferences(preferences or Preferences())
    with _racing_for_address(), around.store.begin() as unit:
        if source is not None and unit.count_event(f"join/{source}", now, DAY) > JOINS_A_DAY:
            raise NotAllowedError("joined_often", most=JOINS_A_DAY)
        if not verified:
            check_asked_often(unit, address, now)
        _free_address(unit, address)
        player = unit.add_player(name, chosen, now)
        unit.add_address(
            Address(
                address,
                player.id,
                now,
                verified_at=now if verified else None,
                is_preferred=True,
            )
        )
        return player


def add_guest(unit: Unit, address: str, language: str, *, now: datetime) -> Player:
    """A player who was invited and knows nothing of it yet, named after the address."""
    _free_address(unit, address)
    player = unit.add_player(_name_for(address), Preferences(language=language), now)
    unit.add_address(Address(address, player.id, now, is_preferred=True))
    return player


def _name_for(address: str) -> str:
    local = address.partition("@")[0].partition("+")[0]
    words = "".join(char if char.isalnum() else " " for char in local)
    try:
        return clean_name(words[:MAX_NAME].title())
    except PlayerFaults:
        return GUEST


def check_asked_often(unit: Unit, address: str, now: datetime) -> None:
    """Count a mail to an address that nobody has confirmed. Raises NotAllowedError if there were
    enough of them lately (L5)."""
    if not may_ask(unit, address, now):
        raise NotAllowedError("address_asked_often", most=MOST_ASKED)


def may_ask(unit: Unit, address: str, now: datetime) -> bool:
    """Count a mail to an address that nobody has confirmed; whether it may be sent (L5)."""
    return unit.count_event(f"asked/{address}", now, WEEK) <= MOST_ASKED


def check_named_often(unit: Unit, player_id: int, address: str, now: datetime) -> None:
    """Count that a player has named an address, whoever it belongs to: what others have done with
    it would tell whether it is known. Raises NotAllowedError."""
    if unit.count_event(f"asked/{address}/{player_id}", now, WEEK) > MOST_ASKED:
        raise NotAllowedError("address_asked_often", most=MOST_ASKED)


def add_address(around: Surroundings, player_id: int, address: str, *, now: datetime) -> Address:
    """One more address; it counts once it is verified. Said again, it stays as it was."""
    address = clean_address(address)
    with _racing_for_address(), around.store.begin() as unit:
        lock_player(unit, player_id)
        found = unit.find_address(address)
        if found is not None and found.player_id == player_id:
            return found
        if len(unit.addresses_of(player_id)) >= MAX_ADDRESSES:
            raise NotAllowedError("too_many_addresses", most=MAX_ADDRESSES)
        _free_address(unit, address)
        added = Address(address, player_id, now)
        unit.add_address(added)
        return added


@contextmanager
def _racing_for_address() -> Iterator[None]:
    """Somebody else was quicker by a moment: to the player it is simply taken."""
    try:
        yield
    except StoreConflictError:
        raise NotAllowedError("address_taken") from None


def _free_address(unit: Unit, address: str) -> None:
    """Nobody can keep an address from its owner by naming it without answering from it."""
    found = unit.lock_address(address)
    if found is None:
        return
    if found.verified_at is not None:
        raise NotAllowedError("address_taken")
    unit.remove_address(address)


def verify_address(around: Surroundings, player_id: int, address: str, *, now: datetime) -> Address:
    """The owner has answered from an address; said again, it stays as it was.

    ``player_id`` is who was asked about: another may have named the address since, and an answer
    about one player must not give it to the other.
    """
    with around.store.begin() as unit:
        found = unit.lock_address(clean_address(address))
        if found is None or player_id != found.player_id:
            raise NotAllowedError("no_such_address")
        if found.verified_at is None:
            found = replace(found, verified_at=now)
            unit.save_address(found)
        return found


def choose_addresses(
    around: Surroundings, player_id: int, *, preferred: str, fallback: str | None = None
) -> Sequence[Address]:
    """Where mail goes, and where it goes when that bounces; both must be verified."""
    with around.store.begin() as unit:
        lock_player(unit, player_id)
        mine = {each.address: each for each in unit.addresses_of(player_id)}
        wanted = [clean_address(preferred)] + ([clean_address(fallback)] if fallback else [])
        for address in wanted:
            if address not in mine or mine[address].verified_at is None:
                raise NotAllowedError("address_not_verified")
        for address, each in mine.items():
            unit.save_address(
                replace(
                    each,
                    is_preferred=address == wanted[0],
                    is_fallback=address in wanted[1:] and address != wanted[0],
                )
            )
        return unit.addresses_of(player_id)


def drop_address(around: Surroundings, player_id: int, address: str) -> None:
    """Forget an address; the last verified one stays.

    One that is none of the player's is forgotten already: were that told, whoever names an address
    and then drops it would learn whether it belongs to somebody else.
    """
    address = clean_address(address)
    with around.store.begin() as unit:
        lock_player(unit, player_id)
        mine = {each.address: each for each in unit.addresses_of(player_id)}
        if address not in mine:
            return
        rest = [each for each in mine.values() if each.address != address and each.verified_at]
        if not rest:
            raise NotAllowedError("last_address")
        unit.remove_address(address)
        if mine[address].is_preferred:
            unit.save_address(replace(rest[0], is_preferred=True, is_fallback=False))


# -- preferences and rules ----------------------------------------------------------------------


def check_preferences(chosen: Preferences) -> Preferences:
    """The same preferences, if they make sense. Raises PlayerFaults with all faults."""
    faults = {
        name: f"must be one of {', '.join(allowed)}"
        for name, value, allowed in (
            ("language", chosen.language, LANGUAGES),
            ("board", chosen.board, BOARDS),
            ("delivery", chosen.delivery, DELIVERIES),
            ("notes_join", chosen.notes_join, NOTE_WISHES),
        )
        if value not in allowed
    }
    always_awake = replace(chosen, quiet_from=None, quiet_to=None)
    faults |= _calendar_faults(always_awake)
    if (chosen.quiet_from is None) != (chosen.quiet_to is None):
        faults["quiet"] = "must have a beginning and an end"
    else:
        quiet = _calendar_faults(replace(chosen, time_zone="UTC"))
        if quiet:
            faults["quiet"] = "; ".join(quiet.values())
    if faults:
        raise PlayerFaults(faults)
    return chosen


def _calendar_faults(chosen: Preferences) -> dict[str, str]:
    try:
        calendar_of(Player(0, "", datetime.min, chosen))
    except ScheduleError as error:
        return {fault.where: fault.text for fault in error.faults}
    return {}


def set_preferences(
    around: Surroundings, player_id: int, chosen: Preferences, *, now: datetime
) -> Player:
    """Other preferences from now on; clocks follow in all running games, never backwards.

    Raises PlayerFaults with all faults, NotAllowedError for hours that change too often.
    """
    check_preferences(chosen)
    with around.store.begin() as unit:
        before = lock_player(unit, player_id)
        player = replace(before, preferences=chosen)
        if calendar_of(player) != calendar_of(before):
            _check_changes(unit, player_id, now)
        unit.save_player(player)
        refresh_calendars(around, unit, player, now)
        return player


def _check_changes(unit: Unit, player_id: int, now: datetime) -> None:
    """Quiet hours that move along with the day would stop a clock for ever.

    Raises NotAllowedError if they changed often enough lately while an answer was awaited.
    """
    for game_id in unit.games_of(player_id, is_over=False):
        stored = unit.find_game(game_id)
        seat = None if stored is None else stored.find_seat(player_id)
        if stored is None or seat is None:
            continue
        spells = load_course(stored).clock.seats[seat].timeline.spells
        lately = [
            spell
            for before, spell in pairwise(spells)
            if spell.since is not None
            and now < spell.since + WEEK
            and _habits(before.calendar) != _habits(spell.calendar)
        ]
        if len(lately) >= MAX_CHANGES:
            raise NotAllowedError("calendar_changed_often", most=MAX_CHANGES)


def _habits(calendar: Calendar) -> Calendar:
    """What a player chooses of a calendar; leave and stops have limits of their own."""
    return replace(calendar, leaves=(), stops=())


def check_changed_often(unit: Unit, bucket: str, now: datetime) -> None:
    """Count a change that is an entry in the log of every running game: a log is replayed, and must
    not grow for ever. Raises NotAllowedError."""
    if unit.count_event(bucket, now, DAY) > CHANGES_A_DAY:
        raise NotAllowedError("changed_often", most=CHANGES_A_DAY)


def rename(around: Surroundings, player_id: int, name: str) -> Player:
    """Another name."""
    with around.store.begin() as unit:
        player = replace(lock_player(unit, player_id), name=clean_name(name))
        unit.save_player(player)
        return player


def set_general_rules(around: Surroundings, player_id: int, text: str, *, now: datetime) -> Player:
    """Standing rules for all games, running ones too (N3.1). Raises PlayerFaults; NotAllowedError
    if they change too often."""
    try:
        rules = parse_standing(text)
    except NotationError as error:
        raise PlayerFaults({"standing": str(error)}) from None
    if any(rule.whom != "all" and not rule.whom.endswith("*") for rule in rules):
        raise PlayerFaults({"standing": "rules for all games may name only all and elements"})
    with around.store.begin() as unit:
        player = replace(lock_player(unit, player_id), standing=format_standing(rules))
        check_changed_often(unit, f"rules/{player_id}", now)
        unit.save_player(player)
        for game_id in unit.games_of(player_id, is_over=False):
            game = OpenGame.lock(around, unit, game_id)
            game.catch_up(now)
            seat = game.stored.find_seat(player_id)
            if seat is not None and not game.stored.is_over:
                game.decree(f"general {seat}: {player.standing}", now)
            game.save(now)
        return player
