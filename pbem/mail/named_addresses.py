"""Addresses that people name, by mail, on pages or by programs: whose they are is told to nobody.

Whether an address belongs to somebody else makes no difference to what is answered: its owner gets
a link to sign in, and decides. Nobody can be sent many mails this way (L5): who has named an
address too often is told so; what others have done with it only keeps the mail from being sent.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pbem.mail.answers import ADDRESS_CONFIRMATION
from pbem.mail.office import Office
from pbem.play import access, players
from pbem.play.errors import NotAllowedError
from pbem.play.model import Notice, Preferences
from pbem.play.ports import Surroundings, Unit

MOST_A_DAY: Final = 10
"""How many addresses a player may have asked in a day: they may be anybody's."""

_TAKEN: Final = "address_taken"
_DAY: Final = timedelta(days=1)


def clean_foreign_address(office: Office, address: str) -> str:
    """An address that may be a person's: not one at our own domain, where only we read mail, and
    some are keys to a player's game. Raises PlayerFaults."""
    cleaned = players.clean_address(address)
    if cleaned.rpartition("@")[2].rstrip(".") == office.domain.lower():
        raise players.PlayerFaults({"address": players.NO_ADDRESS})
    return cleaned


def name_address(
    around: Surroundings,
    office: Office,
    player_id: int,
    address: str,
    *,
    now: datetime,
    cause: str | None = None,
) -> bool:
    """Ask the owner of one more address whether it is the player's; it counts once it is confirmed.

    ``cause`` is the mail that named it; a page or a program names it once a minute at most. True if
    the player has confirmed it before. Raises PlayerFaults and NotAllowedError, neither of
    which says anything about the address.
    """
    address = clean_foreign_address(office, address)
    with around.store.begin() as unit:
        inside = around.within(unit)
        _make_room(inside, unit, player_id)
        is_taken = False
        try:
            added = players.add_address(inside, player_id, address, now=now)
        except NotAllowedError as error:
            if error.code != _TAKEN:
                raise
            is_taken = True
        else:
            if added.verified_at is not None:
                return True
        players.check_named_often(unit, player_id, address, now)
        if unit.count_event(f"confirm/{player_id}", now, _DAY) > MOST_A_DAY:
            raise NotAllowedError("address_asked_often", most=MOST_A_DAY)
        if is_taken:
            access.ask_for_link(inside, address, now=now)
        elif players.may_ask(unit, address, now):
            cause = cause or f"address/{player_id}/{now:%Y%m%d%H%M}"
            _ask(unit, player_id, f"{cause}/{address}", address, now)
    return False


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
            _ask(unit, player.id, f"join/{player.id}", address, now)
    except NotAllowedError as error:
        if error.code == _TAKEN:
            access.ask_for_link(around, address, now=now)
        elif error.code == "joined_often":
            raise


def _ask(unit: Unit, player_id: int, cause: str, address: str, now: datetime) -> None:
    facts = {"address": address}
    unit.add_notice(Notice(cause, player_id, ADDRESS_CONFIRMATION, now, facts=facts))


def _make_room(around: Surroundings, unit: Unit, player_id: int) -> None:
    """Addresses that were never confirmed are not shown: they go first when there are many."""
    mine = unit.addresses_of(player_id)
    waiting = [each for each in mine if each.verified_at is None]
    if len(mine) >= players.MAX_ADDRESSES and waiting:
        players.drop_address(around, player_id, waiting[0].address)
