"""The pages that links in mails lead to (L3.6): GET and HEAD show, POST acts.

Programs that look through mail open every link, so a page only has a button. The link itself is
the proof: it cannot be guessed, and the pages use no cookie, so nothing can be done in a visitor's
name from elsewhere. What a button does is a use case of ``pbem.play``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from flask import Blueprint, Response, g, make_response, render_template

from pbem.errors import StoreError
from pbem.mail.dates import Calendar
from pbem.mail.headers import decode_words
from pbem.mail.links import (
    ADDRESS,
    ADDRESS_FOR,
    UNSUBSCRIBE,
    find_message_id,
    read_confirm,
)
from pbem.mail.parts import read_message
from pbem.mail.redact import clean_message
from pbem.mail.reply import read_reply
from pbem.play.errors import PlayError
from pbem.play.model import Address, Player
from pbem.play.players import verify_address
from pbem.play.ports import Unit
from pbem.play.post import HELD, NEW, Inbound, Letter
from pbem.play.subscribing import is_unsubscribed, resubscribe, unsubscribe
from pbem.tongue import Tongue
from pbem.web.browsers import browser_language
from pbem.web.house import get_house

links: Final = Blueprint("links", __name__, url_prefix="/mail")

MAX_SHOWN: Final = 2000
MAX_SUBJECT: Final = 200
_MAX_LINK: Final = 200
_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)


# -- a mail that was held -----------------------------------------------------------------------


@links.get("/confirm/<link>")
def ask_confirm(link: str) -> Response:
    """Show a held mail and ask whether the player wrote it (L3.3)."""
    house = get_house()
    number = read_confirm(house.office, link[:_MAX_LINK], now=house.clock())
    if not isinstance(number, int):
        return _gone(number == "expired")
    with house.around.store.read() as unit:
        inbound = unit.find_inbound(number)
        if inbound is None:
            return _gone(True)
        player = _find_player(unit, inbound.player_id)
    tongue = _tongue_of(player)
    if not _waits(inbound):
        return _page("confirm.html", tongue, is_done=True)
    zone = player.preferences.time_zone if player else "UTC"
    arrived = Calendar(tongue, zone, house.clock()).instant(inbound.arrival.arrived)
    return _page("confirm.html", tongue, is_done=False, arrived=arrived, mail=_shown(inbound))


@links.post("/confirm/<link>")
def confirm(link: str) -> Response:
    """The player wrote it: it is read like any other, as of when it arrived."""
    house = get_house()
    number = read_confirm(house.office, link[:_MAX_LINK], now=house.clock())
    if not isinstance(number, int):
        return _gone(number == "expired")
    with house.around.store.begin() as unit:
        inbound = unit.lock_inbound(number)
        if inbound is None:
            return _gone(True)
        player = _find_player(unit, inbound.player_id)
        if _waits(inbound):
            unit.save_inbound(
                replace(inbound, state=NEW, is_confirmed=True, reason=None, attempts=0)
            )
    house.tell([number])
    return _page("confirm.html", _tongue_of(player), is_done=True)


def _waits(inbound: Inbound) -> bool:
    return inbound.state == HELD and not inbound.is_confirmed


def _shown(inbound: Inbound) -> dict[str, str]:
    """What the player needs to know the mail again, without any token (L3.4)."""
    raw = inbound.arrival.raw
    subjects = read_message(raw).values("subject")
    return {
        "subject": clean_message(decode_words(subjects[0] if subjects else ""))[:MAX_SUBJECT],
        "text": clean_message(read_reply(raw).text)[:MAX_SHOWN],
    }


# -- an address ---------------------------------------------------------------------------------


@links.get("/address/<link>")
def ask_address(link: str) -> Response:
    """Ask whether an address is the player's who named it."""
    house = get_house()
    with house.around.store.read() as unit:
        letter = _find_letter(unit, ADDRESS, link)
        if letter is None or letter.made_at + ADDRESS_FOR < house.clock():
            return _gone(letter is not None)
        player = _find_player(unit, letter.player_id)
        address = unit.find_address(_address_in(letter))
    if player is None or address is None or address.player_id != player.id:
        return _gone(True)
    return _address_page(player, address)


@links.post("/address/<link>")
def confirm_address(link: str) -> Response:
    """The address is the player's; the same as a reply that says so."""
    house = get_house()
    now = house.clock()
    with house.around.store.read() as unit:
        letter = _find_letter(unit, ADDRESS, link)
        player = None if letter is None else _find_player(unit, letter.player_id)
    if letter is None or player is None or letter.made_at + ADDRESS_FOR < now:
        return _gone(letter is not None)
    try:
        address = verify_address(house.around, player.id, _address_in(letter), now=now)
    except PlayError:  # dropped, or named by somebody else since
        return _gone(True)
    return _address_page(player, address)


def _address_page(player: Player, address: Address) -> Response:
    return _page(
        "address.html",
        _tongue_of(player),
        address=address.address,
        name=player.name,
        is_done=address.verified_at is not None,
    )


def _address_in(letter: Letter) -> str:
    return str(letter.facts.get("address", letter.address))


# -- no more mail -------------------------------------------------------------------------------


@links.get("/unsubscribe/<link>")
def ask_unsubscribe(link: str) -> Response:
    """Ask whether all mail to an address is to end."""
    house = get_house()
    with house.around.store.read() as unit:
        letter = _find_letter(unit, UNSUBSCRIBE, link)
        if letter is None:
            return _gone(False)
        player = _find_player(unit, letter.player_id)
        is_done = is_unsubscribed(unit, letter.address)
        games = len(unit.games_of(letter.player_id, is_over=False))
    return _page(
        "unsubscribe.html",
        _tongue_of(player),
        address=_veiled(letter.address),
        is_done=is_done,
        games=games,
        link=link,
    )


@links.post("/unsubscribe/<link>")
def end_mail(link: str) -> Response:
    """End it: by the button, or by a mail program with one click (RFC 8058)."""
    return _change_mail(link, wants_mail=False)


@links.post("/unsubscribe/<link>/undo")
def begin_mail(link: str) -> Response:
    """It was a slip: mail goes on."""
    return _change_mail(link, wants_mail=True)


def _change_mail(link: str, *, wants_mail: bool) -> Response:
    house = get_house()
    with house.around.store.begin() as unit:
        letter = _find_letter(unit, UNSUBSCRIBE, link)
        if letter is None:
            return _gone(False)
        player = _find_player(unit, letter.player_id)
        change = resubscribe if wants_mail else unsubscribe
        change(house.around.within(unit), letter.player_id, letter.address, now=house.clock())
    return _page(
        "unsubscribe.html",
        _tongue_of(player),
        address=_veiled(letter.address),
        is_done=not wants_mail,
        is_undone=wants_mail,
        link=link,
    )


def _veiled(address: str) -> str:
    """An address its owner knows, and nobody else to whom the mail was passed on."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}…@{domain}"


# -- what they share ----------------------------------------------------------------------------


@links.errorhandler(StoreError)
def _later(error: StoreError) -> Response:
    response = _page("later.html", _tongue_of(None), status=503)
    response.headers["Retry-After"] = "60"
    return response


def _find_letter(unit: Unit, purpose: str, link: str) -> Letter | None:
    message_id = find_message_id(get_house().office, purpose, link[:_MAX_LINK])
    return None if message_id is None else unit.find_letter_by_message_id(message_id)


def _find_player(unit: Unit, player_id: int | None) -> Player | None:
    player = None if player_id is None else unit.find_player(player_id)
    return None if player is None or player.deleted_at is not None else player


def _tongue_of(player: Player | None) -> Tongue:
    """The player's language; where nobody is known, the browser's."""
    if player is not None:
        return get_house().tongues(player.preferences.language)
    return get_house().tongues(browser_language())


def _gone(was_ours: bool) -> Response:
    """A link that is over, or that we never made. Neither says more."""
    return _page("gone.html", _tongue_of(None), status=410 if was_ours else 404)


def _page(template: str, tongue: Tongue, *, status: int = 200, **shown: object) -> Response:
    office = get_house().office
    g.tongue = tongue
    page = render_template(
        f"mail/{template}", _=tongue.say, n_=tongue.count, tongue=tongue, office=office, **shown
    )
    response = make_response(page, status)
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Content-Language"] = tongue.language
    return response
