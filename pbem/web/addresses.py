"""Addresses that players name on pages or by programs: whose they are is told to nobody.

Whether an address belongs to somebody else makes no difference to what is answered: its owner gets
a link to sign in, and decides. Nobody can be sent many mails this way (L5).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pbem.mail.answers import ADDRESS_CONFIRMATION
from pbem.mail.office import Office
from pbem.play import access, players
from pbem.play.errors import NotAllowedError
from pbem.play.model import Notice, Player, Preferences
from pbem.play.ports import Surroundings, Unit

MOST_A_DAY: Final = 10
"""How many addresses one player may have asked about in a day."""

_DAY: Final = timedelta(days=1)
_TAKEN: Final = "address_taken"


def clean_foreign_address(office: Office, address: str) -> str:
    """An address that may be a person's: not one at our own domain. Raises PlayerFaults."""
    cleaned = players.clean_address(address)
    if cleaned.rpartition("@")[2].rstrip(".") == office.domain.lower():
        raise players.PlayerFaults({"address": players.NO_ADDRESS})
    return cleaned


def name_address(
    around: Surroundings, office: Office, player: Player, address: str, *, now: datetime
) -> None:
    """Mail a link to one more address of a player's; it counts once it is confirmed.

    Raises PlayerFaults and NotAllowedError, neither of which says anything about the address.
    """
    address = clean_foreign_address(office, address)
    is_taken = False
    with around.store.begin() as unit:
        _make_room(around.within(unit), unit, player)
        try:
            added = players.add_address(around.within(unit), player.id, address, now=now)
        except NotAllowedError as error:
            if error.code != _TAKEN:
                raise
            is_taken = True
        else:
            if added.verified_at is not None:
                return
        players.check_asked_often(unit, address, now)
        if unit.count_event(f"confirm/{player.id}", now, _DAY) > MOST_A_DAY:
            raise NotAllowedError("address_asked_often", most=MOST_A_DAY)
        if not is_taken:
            cause = f"address/{player.id}/{address}/{now:%Y%m%d%H%M}"
            facts = {"address": address}
            unit.add_notice(Notice(cause, player.id, ADDRESS_CONFIRMATION, now, facts=facts))
    if is_taken:
        access.ask_for_link(around, address, now=now)


def _make_room(around: Surroundings, unit: Unit, player: Player) -> None:
    """Addresses that were never confirmed are not shown: they go first when there are many."""
    mine = unit.addresses_of(player.id)
    waiting = [each for each in mine if each.verified_at is None]
    if len(mine) >= players.MAX_ADDRESSES and waiting:
        players.drop_address(around, player.id, waiting[0].address)


def sign_up(
    around: Surroundings,
    office: Office,
    name: str,
    address: str,
    *,
    language: str,
    source: str | None,
    now: datetime,
) -> None:
    """Mail a confirmation to somebody new; to somebody who is here already, a link to sign in.

    Raises PlayerFaults for what cannot be a name or an address, and NotAllowedError if too many
    came from one source.
    """
    address = clean_foreign_address(office, address)
    wishes = Preferences(language=language)
    try:
        with around.store.begin() as unit:
            player = players.join(
                around.within(unit), name, address, now=now, preferences=wishes, source=source
            )
            facts = {"address": address}
            notice = Notice(f"join/{player.id}", player.id, ADDRESS_CONFIRMATION, now, facts=facts)
            unit.add_notice(notice)
    except NotAllowedError as error:
        if error.code == _TAKEN:
            access.ask_for_link(around, address, now=now)
        elif error.code == "joined_often":
            raise
