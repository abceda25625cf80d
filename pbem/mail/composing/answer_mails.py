"""The answer to a mail that became no entry of a log, or several (L5, L6).

An answer shows the sections of what the mail came to. Where it is about a game it also says what
is still asked there, and can itself be answered with orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pbem.mail.answers import ANSWER, Section
from pbem.mail.composing.bundles import bundled_games
from pbem.mail.composing.desk import Desk
from pbem.mail.composing.drafts import Draft
from pbem.mail.composing.extras import find_extras
from pbem.mail.composing.game_mails import root_of
from pbem.mail.composing.game_views import GameSight
from pbem.mail.composing.sections import describe_sections
from pbem.mail.composing.telling import ENTRY
from pbem.play.story import load_story
from pbem.tongue import N_

WITH_BOARD: Final = frozenset(
    {"refusal", "too_late", "not_asked", "kept", "already_kept", "undone", "nothing_to_undo"}
    | {"choice_gone", "doubt", "sure_resign", "empty"}
)
"""Sections whose reader will want to look at the board next."""

HEADLINES: Final = {
    "refusal": N_("Not played yet: please mend your orders"),
    "too_late": N_("Too late: nothing was played"),
    "not_asked": N_("Nothing was played"),
    "kept": N_("Kept for correction"),
    "already_kept": N_("Not taken: something is kept already"),
    "undone": N_("Taken back"),
    "nothing_to_undo": N_("Nothing to take back"),
    "what_if": N_("What would happen"),
    "doubt": N_("Please say it again: nothing was played"),
    "choice_gone": N_("Nothing was played"),
    "sure_resign": N_("Do you want to resign?"),
    "empty": N_("We found nothing in your mail"),
    "message_passed": N_("Your message was passed on"),
    "message_kept_back": N_("Your message was not passed on"),
    "noted": N_("Your note is kept"),
    "remarked": N_("Your remarks are in the archive"),
    "remarks_withdrawn": N_("Your remarks are withdrawn"),
    "remarks_refused": N_("Nothing was taken: please mend your remarks"),
    "remarks_unsure": N_("Your remarks were not taken"),
    "notes_wish": N_("Your private notes"),
    "unknown_command": N_("We did not understand that"),
    "not_allowed": N_("That was not done"),
    "faults": N_("That was not done"),
    "help": N_("All commands"),
    "status": N_("How the game stands"),
    "board": N_("The board"),
    "history": N_("The story of the game"),
    "games": N_("Your games"),
    "settings": N_("Your settings"),
    "leave_offered": N_("Do you want to take this leave?"),
    "leave_taken": N_("Your leave"),
    "leave_ended": N_("Your leave is over"),
    "rules_set": N_("Your standing rules"),
    "invited": N_("Your invitation"),
    "accepted": N_("The game has begun"),
    "declined": N_("The invitation is closed"),
    "joined": N_("Welcome"),
    "address_confirmed": N_("Your address is confirmed"),
    "address_added": N_("One more address"),
    "bundle": N_("The games that wait for you"),
    "played": N_("Your orders were played"),
    "which_game": N_("Which game do you mean?"),
    "which_invitation": N_("Which invitation do you mean?"),
    "no_invitation": N_("Nothing was done"),
    "write_again": N_("Please confirm what you wrote"),
    "ok_gone": N_("Nothing was done"),
    "mail_stopped": N_("No more mails"),
    "mail_resumed": N_("You get our mails again"),
    "not_confirmed": N_("Please confirm your address"),
    "events": N_("Events"),
    "event_table": N_("The table"),
    "event_why": N_("Why you meet whom you meet"),
    "event_done": N_("Done"),
    "sure_withdraw": N_("Do you want to withdraw?"),
    "left_out": N_("Not everything was done"),
}
"""What an answer is called, by its first section that says most."""

_LESSER: Final = ("noted", "message_passed", "message_kept_back", "left_out", "ok_gone")


def draft_answer(desk: Desk) -> Draft:
    """The answer to one mail."""
    facts, game_id = desk.facts, desk.notice.game_id
    sections = _sections(facts.get("sections"))
    sight = _sight(desk, game_id, facts.get("seat"), facts.get("entry"))
    described = describe_sections(desk, sight, sections)
    asked = _asked(sections, facts.get("requests"))
    shows_board = bool(WITH_BOARD & {section.name for section in sections})
    seats = [] if game_id is None or sight is None else [(game_id, sight.seat)]
    extras = find_extras(desk, seats)
    opens: dict[str, object] = {"inbound": facts.get("inbound"), **extras.kept}
    if asked:
        opens["requests"] = asked
    if sight is not None:
        opens[ENTRY] = sight.story.entry.number
    return Draft(
        template=ANSWER,
        content={
            "headline": desk.tongue.say(_headline(sections)),
            "sections": described,
            "game": None if sight is None else sight.view(with_board=shows_board, with_news=False),
            "game_id": game_id or "",
            "games": bundled_games(desk, asked) if _is_bundle(sections) else (),
            "messages": []
            if sight is None
            else [(sight.name(each.seat), each.text) for each in extras.messages],
            "held": extras.held,
        },
        about=game_id or "play",
        game_id=game_id,
        seat=None if sight is None else sight.seat,
        request_id=None if sight is None else sight.request_id,
        opens=opens,
        thread=desk.thread(root_of(game_id) if game_id else None, desk.find_answered()),
    )


def _headline(sections: Sequence[Section]) -> str:
    """What the answer is about most of all."""
    names = [section.name for section in sections]
    ranked = sorted(names, key=lambda name: _LESSER.index(name) + 1 if name in _LESSER else 0)
    return HEADLINES.get(ranked[0] if ranked else "empty", HEADLINES["empty"])


def _sections(plain: object) -> list[Section]:
    assert isinstance(plain, (list, tuple))
    return [Section.from_plain(each) for each in plain]


def _is_bundle(sections: Iterable[Section]) -> bool:
    return any(section.name == "bundle" for section in sections)


def _asked(sections: Iterable[Section], also: object) -> list[str]:
    """All requests that a reply to this mail may answer."""
    asked = [str(each) for each in also] if isinstance(also, (list, tuple)) else []
    for section in sections:
        found = section.facts.get("requests") if section.name == "bundle" else ()
        asked += [str(each) for each in found] if isinstance(found, (list, tuple)) else []
    return list(dict.fromkeys(asked))


def _sight(desk: Desk, game_id: str | None, seat: object, entry: object) -> GameSight | None:
    """The game that the mail was about, as it stood when the mail was read."""
    if game_id is None or not isinstance(seat, int):
        return None
    upto = entry if isinstance(entry, int) else None
    story = load_story(desk.unit, game_id, upto=upto)
    return GameSight(desk, story.since(story.entry.number), seat)
