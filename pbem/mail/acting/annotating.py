"""Remarks by mail: an answer to any mail of a game that is over, all or nothing; and whether one's
private notes may join it.
"""

from __future__ import annotations

from dataclasses import asdict, replace

from pbem.archive.remarks import MAX_TEXT, RemarkError
from pbem.mail.acting.errand import Errand, plain
from pbem.mail.commands import Command
from pbem.mail.redact import clean_message
from pbem.mail.settings_text import NOTE_WORDS
from pbem.mail.what import Part
from pbem.play import annotating
from pbem.play.annotations import KeptRemark
from pbem.play.errors import NotAllowedError
from pbem.play.games import get_stored
from pbem.play.joining_notes import effective_wish, find_wish, wish_for_notes


def annotate(errand: Errand, part: Part) -> Part:
    """Take the remarks of a part and withdraw what it says; the part without them. If any of it
    cannot be done, nothing is, and the words that came along stay here."""
    if not (part.remarks or part.withdrawals):
        return part
    game_id = errand.find_game(part.game_id)
    assert game_id is not None, "only a game that is over has remarks"
    rest = replace(part, remarks="", withdrawals=())
    text = clean_message(part.remarks, most=MAX_TEXT)
    if not errand.is_sure:
        errand.tell("remarks_unsure", game_id, text=text)
        return rest
    told = len(errand.sections)
    is_done = False
    with errand.attempt(text):
        try:
            with errand.unit.nested():
                _do(errand, game_id, part, text)
                is_done = True
        except RemarkError as error:
            del errand.sections[told:]
            annotating.count_refused(errand.unit, errand.player.id, now=errand.at)
            faults = [plain(asdict(fault)) for fault in error.faults]
            errand.tell("remarks_refused", game_id, text=text, faults=faults)
    message = clean_message(part.message)
    if message and not is_done:
        errand.tell("message_kept_back", game_id, text=message, why="remarks")
        return replace(rest, message="")
    return rest


def _do(errand: Errand, game_id: str, part: Part, text: str) -> None:
    around, player_id = errand.around, errand.player.id
    archived = errand.unit.find_archived_game(game_id)
    if archived is None:
        raise NotAllowedError("not_archived_yet")
    number = archived.number
    for turn, order in part.withdrawals:
        gone = annotating.withdraw_at(around, player_id, number, turn, order, now=errand.at)
        places = [each.place for each in gone]
        errand.tell("remarks_withdrawn", game_id, number=number, places=places)
    if text:
        taken = annotating.take_text(around, player_id, number, text, now=errand.at)
        errand.tell(
            "remarked",
            game_id,
            number=number,
            remarks=[written(each) for each in taken.kept],
            known=[written(each) for each in taken.known],
        )


def written(remark: KeptRemark) -> str:
    """A remark as it can be sent again: ``3b.2 !``, ``3b.2 {Good.}``, ``3b.2 (F2>G4; end)``."""
    marks = {"comment": ("{", "}"), "variation": ("(", ")")}.get(remark.kind, ("", ""))
    return f"{remark.place} {marks[0]}{remark.text}{marks[1]}"


def wish_notes(errand: Errand, command: Command) -> None:
    """Whether the private notes of one game may join it."""
    game_id = errand.find_game(command.game_id)
    seat = None if game_id is None else errand.find_seat(game_id)
    if game_id is None or seat is None:
        errand.tell("which_game", text=command.text, games=list(errand.running_games()))
        return
    with errand.attempt(command.text):
        if command.words:
            wish = str(NOTE_WORDS[command.words[0]])
            wish_for_notes(errand.around, game_id, seat, wish, now=errand.at)
        stored = get_stored(errand.unit, game_id)
        errand.tell(
            "notes_wish",
            game_id,
            wish=effective_wish(errand.unit, stored, seat),
            has_joined=find_wish(errand.unit, game_id, seat).joined_at is not None,
        )
