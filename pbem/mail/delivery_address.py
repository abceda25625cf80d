"""Which of a player's addresses a mail goes to (L5)."""

from __future__ import annotations

from pbem.play.model import Address, Player
from pbem.play.ports import Unit


def choose_address(unit: Unit, player: Player) -> Address | None:
    """The preferred address if it is verified and takes mail, else the fallback, else any other
    such one; None if there is none."""
    for address in unit.addresses_of(player.id):
        if address.verified_at is not None and takes_mail(unit, address.address):
            return address
    return None


def takes_mail(unit: Unit, address: str) -> bool:
    """Whether mail to an address is not suspended."""
    health = unit.find_health(address)
    return health is None or health.bounced_at is None
