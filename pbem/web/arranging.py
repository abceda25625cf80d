"""New games: invitations to one person, challenges to everybody, accepting and declining them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from pbem.games.base import OptionsError
from pbem.games.ortus.arena import BUILT_IN
from pbem.games.ortus.figures import LEVELS
from pbem.games.registry import get_game
from pbem.mail.composing.clock_words import say_clock, say_correction
from pbem.mail.named_addresses import clean_foreign_address
from pbem.play import invitations
from pbem.play.errors import PlayError
from pbem.play.model import Invitation
from pbem.play.players import PlayerFaults
from pbem.play.ports import Unit
from pbem.play.terms import USUAL_CLOCK, parse_agreement
from pbem.tongue import N_
from pbem.web.faults import say_error, say_fields
from pbem.web.visiting import for_players, get_around, get_office, get_viewer

arranging: Final = Blueprint("arranging", __name__)

CLOCKS: Final = (
    (USUAL_CLOCK, N_("Usual: 30 days, one more a turn, 4 days for a defence")),
    ("14d+12h cap 30d defence 2d fall", N_("Brisk: 14 days, 12 hours more a turn, 2 days")),
    ("60d+2d cap 90d defence 7d fall", N_("Slow: 60 days, 2 more a turn, 7 days")),
    ("3d+6h cap 5d defence 12h fall", N_("Fast: 3 days, 6 hours more a turn, 12 hours")),
)
VISIBILITIES: Final = (
    ("open", N_("Everybody may watch")),
    ("delayed 3", N_("Everybody may watch, 3 turns behind")),
    ("private", N_("Nobody else, not even when the game is over")),
)
CORRECTIONS: Final = (
    ("", N_("None: what is sent is played")),
    ("10m", N_("10 minutes")),
    ("1h", N_("One hour")),
    ("6h", N_("Six hours")),
)
LEVEL_WORDS: Final = {
    "apprentice": N_("Apprentice: walking, striking, shooting"),
    "wind": N_("Wind: the Kites fly"),
    "earth": N_("Earth: hidden until revealed"),
    "water": N_("Water: waves and Six Streams"),
    "master": N_("Master: Fire too, with its shields and Dragons"),
}
_TEXTS: Final = ("level", "arena", "dice", "handicap", "clock", "correction", "visibility")


@dataclass(frozen=True, slots=True)
class Offer:
    """An invitation as a page shows it."""

    id: str
    host: str
    host_id: int
    guest: str | None
    is_mine: bool
    lines: tuple[str, ...]
    clock: str
    correction: str


@arranging.get("/new")
@for_players
def new() -> str:
    """The form for a new game; ``with`` names a player to invite."""
    return _form({"guest": request.args.get("with", "")[:120]}, {})


def _form(chosen: Mapping[str, str], faults: Mapping[str, str]) -> str:
    return render_template(
        "arranging/new.html",
        chosen=chosen,
        faults=faults,
        levels=[(level, LEVEL_WORDS.get(level, level)) for level in LEVELS],
        arenas=BUILT_IN,
        clocks=CLOCKS,
        visibilities=VISIBILITIES,
        corrections=CORRECTIONS,
    )


@arranging.post("/new")
@for_players
def offer() -> Any:
    """Invite, or challenge everybody."""
    chosen = {name: value[:200] for name, value in request.form.items()}
    raw: dict[str, object] = {name: chosen[name] for name in _TEXTS if chosen.get(name)}
    raw["rated"] = "rated" in chosen
    if "bid" in chosen:
        raw["bid"] = True
    try:
        host_seat = {"gold": 0, "black": 1}.get(chosen.get("seat", ""))
        _invite(chosen.get("guest", "").strip(), raw, host_seat)
    except (OptionsError, PlayerFaults) as error:
        faults = say_fields(error)
        if "address" in faults:
            faults["guest"] = faults.pop("address")
        return _form(chosen, faults), 422
    except PlayError as error:
        return _form(chosen, {"guest": say_error(error)}), 422
    return redirect(url_for(".challenges"), 303)


def _invite(guest: str, raw: Mapping[str, object], host_seat: int | None) -> None:
    around, host = get_around(), get_viewer().id
    if not guest:
        invitations.invite(around, host, None, raw, now=g.now, host_seat=host_seat)
        flash(g.tongue.say("Your challenge is open to everybody."), "good")
        return
    if "@" in guest:
        address = clean_foreign_address(get_office(), guest)
        invitations.invite_address(around, host, address, raw, now=g.now, host_seat=host_seat)
    else:
        number = int(guest) if guest.isascii() and guest.isdigit() and len(guest) < 10 else -1
        invitations.invite(around, host, number, raw, now=g.now, host_seat=host_seat)
    flash(g.tongue.say("Your invitation is on its way."), "good")


@arranging.get("/challenges")
def challenges() -> str:
    """Invitations to me and from me, and challenges to everybody."""
    with get_around().store.read() as unit:
        everybody = [_offer(unit, each) for each in unit.open_invitations(None)]
        mine: Sequence[Invitation] = unit.open_invitations(g.viewer.id) if g.viewer else ()
        to_me = [_offer(unit, each) for each in mine if each.guest_id == g.viewer.id]
        from_me = [_offer(unit, each) for each in mine if each.host_id == g.viewer.id]
    return render_template(
        "arranging/challenges.html",
        to_me=to_me,
        from_me=from_me,
        everybody=[each for each in everybody if not each.is_mine],
    )


def _offer(unit: Unit, invitation: Invitation) -> Offer:
    agreement = parse_agreement(invitation.agreement)
    host = unit.find_player(invitation.host_id)
    guest = None if invitation.guest_id is None else unit.find_player(invitation.guest_id)
    is_mine = g.viewer is not None and invitation.host_id == g.viewer.id
    named = invitations.find_named(unit, invitation) if is_mine else None
    game = get_game(agreement.game)
    return Offer(
        id=invitation.id,
        host="?" if host is None else host.name,
        host_id=invitation.host_id,
        guest=named or (None if guest is None else guest.name),
        is_mine=is_mine,
        lines=game.describe(agreement.options, tongue=g.tongue),
        clock=" ".join(say_clock(agreement.terms.clock, g.tongue)),
        correction=say_correction(agreement.terms.correction, g.tongue),
    )


@arranging.post("/invitations/<invitation_id>")
@for_players
def answer(invitation_id: str) -> BaseResponse:
    """Accept or decline; as the host, withdraw."""
    around, player = get_around(), get_viewer()
    try:
        if request.form.get("answer") == "accept":
            stored = invitations.accept(around, player.id, invitation_id, now=g.now)
            flash(g.tongue.say("The game has begun."), "good")
            return redirect(url_for("games.show", game_id=stored.id), 303)
        if request.form.get("answer") != "decline":
            abort(400)
        invitations.decline(around, player.id, invitation_id, now=g.now)
        flash(g.tongue.say("The invitation is closed."), "good")
    except PlayError as error:
        flash(say_error(error), "bad")
    return redirect(url_for(".challenges"), 303)


@arranging.post("/games/<game_id>/rematch")
@for_players
def rematch(game_id: str) -> BaseResponse:
    """The same again with Houses swapped."""
    try:
        invitations.rematch(get_around(), get_viewer().id, game_id, now=g.now)
        flash(g.tongue.say("Your invitation is on its way."), "good")
    except PlayError as error:
        flash(say_error(error), "bad")
    return redirect(url_for("games.show", game_id=game_id), 303)
