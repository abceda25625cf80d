"""Ending all mail to an address, and beginning it again (RFC 8058, L3.6).

Who unsubscribes still gets answers to their own mails, and can play; clocks go on. A player is
locked before what is known of their address, as everywhere.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from pbem.play.players import set_preferences
from pbem.play.ports import Surroundings, Unit
from pbem.play.post import AddressHealth

NO_MAIL: Final = "none"
EACH: Final = "each"


def unsubscribe(around: Surroundings, player_id: int, address: str, *, now: datetime) -> None:
    """No more mail to an address, nor to the player whose verified address it is; said again, it
    stays so. Who was only asked, by a player or in their name, ends no mail to that player."""
    with around.store.begin() as unit:
        _set_delivery(around, unit, player_id, address, wants_mail=False, now=now)
        health = unit.find_health(address) or AddressHealth(address)
        if health.unsubscribed_at is None:
            unit.save_health(replace(health, unsubscribed_at=now))


def resubscribe(around: Surroundings, player_id: int, address: str, *, now: datetime) -> None:
    """Mail to an address and to its player again; nothing changes if it had never ended."""
    with around.store.begin() as unit:
        _set_delivery(around, unit, player_id, address, wants_mail=True, now=now)
        health = unit.find_health(address)
        if health is not None and health.unsubscribed_at is not None:
            unit.save_health(replace(health, unsubscribed_at=None))


def is_unsubscribed(unit: Unit, address: str) -> bool:
    """Whether mail to an address was ended by its owner."""
    health = unit.find_health(address)
    return health is not None and health.unsubscribed_at is not None


def _set_delivery(
    around: Surroundings,
    unit: Unit,
    player_id: int,
    address: str,
    *,
    wants_mail: bool,
    now: datetime,
) -> None:
    found = unit.find_address(address)
    player = unit.find_player(player_id)
    if found is None or found.player_id != player_id or found.verified_at is None:
        return
    if player is None or player.deleted_at is not None:
        return
    if (player.preferences.delivery != NO_MAIL) != wants_mail:
        chosen = replace(player.preferences, delivery=EACH if wants_mail else NO_MAIL)
        set_preferences(around.within(unit), player_id, chosen, now=now)
