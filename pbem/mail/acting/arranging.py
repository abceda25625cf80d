"""Arranging games by mail: inviting, accepting, declining, once more against the same opponent."""

from __future__ import annotations

from pbem.mail.acting.errand import Errand
from pbem.mail.acting.events import answer_asked, asks_in_event, names_event, withdraw
from pbem.mail.commands import Command
from pbem.mail.invitation_text import parse_invitation
from pbem.mail.named_addresses import clean_foreign_address
from pbem.play import invitations
from pbem.play.errors import NotAllowedError
from pbem.play.model import Invitation


def arrange(errand: Errand, command: Command) -> None:
    """Carry out a command about invitations."""
    with errand.attempt(command.text):
        match command.name:
            case "invite":
                _invite(errand, command.argument)
            case "rematch":
                _rematch(errand, command)
            case "withdraw" if names_event(errand, command):
                withdraw(errand, command)
            case "accept" | "decline" if asks_in_event(errand) and not command.argument:
                answer_asked(errand, accepts=command.name == "accept")
            case _:
                _answer(errand, command)


def invitation_of(errand: Errand) -> str | None:
    """The invitation that the mail answered was about."""
    found = None if errand.letter is None else errand.letter.facts.get("invitation")
    return found if isinstance(found, str) else None


def _invite(errand: Errand, text: str) -> None:
    wanted = parse_invitation(text)
    if wanted.address is None:
        invitation = invitations.invite(
            errand.around,
            errand.player.id,
            None,
            wanted.agreement,
            now=errand.at,
            host_seat=wanted.host_seat,
        )
        errand.tell("invited", invitation=invitation.id, address=None)
        return
    address = clean_foreign_address(errand.office, wanted.address)
    invitation = invitations.invite_address(
        errand.around,
        errand.player.id,
        address,
        wanted.agreement,
        now=errand.at,
        host_seat=wanted.host_seat,
    )
    errand.tell("invited", invitation=invitation.id, address=address)


def _rematch(errand: Errand, command: Command) -> None:
    game_id = errand.find_game(command.game_id)
    if game_id is None:
        over = errand.unit.games_of(errand.player.id, is_over=True)
        errand.tell("which_game", text=command.text, games=list(over))
        return
    invitation = invitations.rematch(errand.around, errand.player.id, game_id, now=errand.at)
    errand.tell("invited", invitation=invitation.id, address=None)


def _answer(errand: Errand, command: Command) -> None:
    """Accept, decline or withdraw: the invitation named, else that of the mail, else the only one.

    In a mail about a game ``accept`` may mean an offer of a draw: there it must name one.
    """
    invitation_id = command.argument.lower() or invitation_of(errand)
    if not invitation_id:
        found = _own(errand) if command.name == "withdraw" else _waiting(errand)
        if len(found) != 1 or errand.game_id is not None:
            if found:
                ids = [each.id for each in found]
                errand.tell("which_invitation", invitations=ids, command=command.name)
            else:
                errand.tell("no_invitation", command=command.name)
            return
        invitation_id = found[0].id
    if command.name in ("decline", "withdraw"):
        invitations.decline(errand.around, errand.player.id, invitation_id, now=errand.at)
        errand.tell("declined", invitation=invitation_id)
        return
    if errand.address.verified_at is None and not _is_ours(errand, invitation_id):
        raise NotAllowedError("address_not_verified")
    stored = invitations.accept(errand.around, errand.player.id, invitation_id, now=errand.at)
    errand.tell("accepted", game=stored.id)
    request = errand.open_request(stored.id)
    if request is not None:
        errand.requests.append(request.id)


def _waiting(errand: Errand) -> list[Invitation]:
    """Invitations to the player, oldest first."""
    found = errand.unit.open_invitations(errand.player.id)
    return [each for each in found if each.guest_id == errand.player.id]


def _own(errand: Errand) -> list[Invitation]:
    """Invitations of the player, oldest first."""
    found = errand.unit.open_invitations(errand.player.id)
    return [each for each in found if each.host_id == errand.player.id]


def _is_ours(errand: Errand, invitation_id: str) -> bool:
    return invitation_id == invitation_of(errand)
