"""What a player reads when something was not done: one table by code, said in their language.

Codes are those of ``pbem.play.errors`` and of the doubts and held mails of this package. What is
wrong with orders is the game's to say (``Game.explain``). A test fails when a code has no entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.mail.event_refusals import EVENTS_NOT_ALLOWED
from pbem.tongue import N_, Tongue

NOT_ALLOWED: Final = {
    "no_such_game": N_("There is no game {game}."),
    "no_such_player": N_("There is no such player."),
    "no_such_invitation": N_("There is no invitation {invitation}."),
    "not_allowed": N_("That is not yours to answer."),
    "address_asked_often": N_(
        "That address has had enough mails this week from people it does not know."
    ),
    "address_not_verified": N_("That address has not been confirmed yet."),
    "address_takes_no_mail": N_("That address wants no mail from us, or cannot get it."),
    "address_taken": N_("That address belongs to another player."),
    "bad_key": N_("The mail could not be told from others."),
    "calendar_changed_often": N_(
        "Your hours have changed {most} times in a week while an answer was awaited. Please leave"
        " them as they are for some days."
    ),
    "changed_often": N_("You have changed that {most} times today. Please go on tomorrow."),
    "game_not_over": N_("Game {game} is not over yet."),
    "game_over": N_("Game {game} is over."),
    "guest_has_many_invitations": N_(
        "That player has {most} invitations waiting and gets no more for now."
    ),
    "invitation_closed": N_("That invitation is not open any more."),
    "invited_many_today": N_("You have invited {most} people today. Please go on tomorrow."),
    "joined_often": N_("Too many have joined from where you are. Please try again tomorrow."),
    "key_of_another_seat": N_("That mail was the other player's."),
    "last_address": N_("It is your only confirmed address, so it stays."),
    "no_such_address": N_("That is none of your addresses."),
    "no_such_leave": N_("You have no leave that begins then."),
    "no_such_seat": N_("There is no such seat."),
    "no_such_pass": N_("That link is not good any more."),
    "no_such_remark": N_("That is none of your remarks, or it does not stand any more."),
    "no_such_study": N_("There is no study {study}."),
    "no_such_turn_to_discuss": N_("There is no such turn in this game."),
    "not_archived_yet": N_(
        "This game is being put into the archive. Please send your remarks again in some minutes."
    ),
    "notes_have_joined": N_(
        "Your notes have joined this game already; what stands can be withdrawn."
    ),
    "nothing_to_withdraw": N_("No remark of yours stands at {turn}."),
    "not_your_game": N_("You do not play in game {game}."),
    "not_your_study": N_("That is not your study, or there is a newer version of it."),
    "not_your_invitation": N_("That invitation is for another player."),
    "play_each_other": N_("These two play each other, so they cannot become one."),
    "plays_oneself": N_("Nobody can play against themselves."),
    "posted_often": N_("You have said {most} things about games today. Please go on tomorrow."),
    "remarked_often": N_("You have made {most} remarks today. Please go on tomorrow."),
    "same_player": N_("That is one and the same player."),
    "sent_often": N_(
        "You have sent in {most} rules and offers in this game today. Please go on tomorrow."
    ),
    "studied_often": N_("You have made {most} studies today. Please go on tomorrow."),
    "submission_undone": N_("You have taken that back; it is not played again."),
    "too_many_addresses": N_("You have {most} addresses, and no more can be kept."),
    "too_many_invitations": N_(
        "You have {most} open invitations. Withdraw one before you send another."
    ),
    "too_many_own_remarks": N_("{most} remarks of yours stand on this game, and no more can."),
    "too_many_own_versions": N_(
        "You have made or changed {most} remarks on this game, and no more can be kept."
    ),
    "too_many_tokens": N_("You have {most} tokens, and no more can be kept."),
    "too_many_versions": N_("This game keeps so many remarks that no more can be made."),
    "wrote_often": N_(
        "You have written {most} messages in this game today. Please go on tomorrow."
    ),
    **EVENTS_NOT_ALLOWED,
}
"""By the code of a PlayError."""

DOUBTS: Final = {
    "attribution_on_top": N_("Your mail begins with a line that mail programs put above a quote."),
    "below_signature": N_("What may be your orders stands below a signature."),
    "wrapped_quote": N_("A line may be the rest of a quoted line that was wrapped."),
    "orders_below": N_("There are orders below the line above which to reply."),
    "copy_of_sent": N_("Some lines may be a copy of our own mail."),
    "two_sets": N_("There are two different sets of orders."),
    "text_cut": N_("The mail was too long to be read to its end."),
    "sign_below": N_("A bare + or - counts only on the first line of a reply."),
    "sign_and_words": N_("A + or - counts only if nothing else stands on its line."),
}
"""By the name of a ``quotes.Doubt``, or of one that ``act`` has."""

MACHINES: Final = {
    "empty_return_path": N_("it says that no answer can reach its sender"),
    "auto_submitted": N_("it says that a machine sent it"),
    "precedence": N_("it is marked as bulk mail"),
    "list": N_("it came through a mailing list"),
    "autoreply": N_("it says that it is an automatic reply"),
    "report": N_("it is a delivery report"),
    "own_mail": N_("it is one of our own mails"),
    "own_address": N_("it names our own address as its sender"),
}
"""Why a mail was taken for a machine's (L5), by ``guards.Sign``."""

HELD_REASONS: Final = {
    **MACHINES,
    "to_return_path": N_("it came to an address that takes only delivery reports"),
}
"""Why a mail was held, where the player is told of it in the next mail. Mails that wait to be
confirmed (L3.3), or are for the operator, are not in it."""


def say_not_allowed(code: str, facts: Mapping[str, object], tongue: Tongue) -> str:
    """Why something was not done."""
    text = NOT_ALLOWED.get(code, NOT_ALLOWED["not_allowed"])
    return tongue.find(text).format_map(_Facts(facts))


def say_doubt(name: str, tongue: Tongue) -> str:
    """Why we ask before anything is played."""
    return tongue.say(DOUBTS.get(name, DOUBTS["copy_of_sent"]))


def say_held(reason: str, tongue: Tongue) -> str:
    """Why a mail was held, to go on a sentence."""
    return tongue.say(HELD_REASONS[reason])


class _Facts(dict[str, object]):
    """Facts, with a mark for one that was not stored."""

    def __missing__(self, name: str) -> str:
        return "?"
