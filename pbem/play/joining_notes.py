"""Private notes that join the archived game, if their writer wants that: never without.

A player says once for all games, and may say otherwise for one: ``never``; ``after`` the game; or
``agreed``, if the other player's notes may join too. They join once, as comments of that player
where they were written, together with the note that they have joined.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from notation.record import make_comment
from notation.record_reading import parse_record
from pbem.archive.places import Place, find_turn, label_of
from pbem.archive.remarks import MAX_COMMENT
from pbem.games.ortus.figures import SIDE_LETTERS
from pbem.play.annotating import keep_joining
from pbem.play.annotations import NoteWish
from pbem.play.archived import ArchivedGame
from pbem.play.errors import NotAllowedError
from pbem.play.games import check_seat, get_stored
from pbem.play.model import Note, StoredGame
from pbem.play.players import NOTE_WISHES
from pbem.play.ports import Surroundings, Unit
from pbem.play.story import tell_story

NEVER, AFTER, AGREED = NOTE_WISHES


def wish_for_notes(
    around: Surroundings, game_id: str, seat: int, wish: str, *, now: datetime
) -> NoteWish:
    """Say for one game whether one's notes may join; if they may and the game is archived they do
    so now. Raises NotAllowedError if they have joined."""
    if wish not in NOTE_WISHES:
        raise ValueError(f"no such wish: {wish[:20]!r}")
    with around.store.begin() as unit:
        stored = get_stored(unit, game_id)
        check_seat(stored, seat)
        unit.lock_game(game_id)  # so that it is not archived meanwhile
        archived = unit.find_archived_game(game_id)
        if archived is not None:
            unit.lock_remarks(archived.number)
        known = find_wish(unit, game_id, seat)
        if known.joined_at is not None:
            raise NotAllowedError("notes_have_joined")
        unit.save_wish(replace(known, wish=wish))
        if archived is not None:
            join_notes(unit, archived, now=now)
        return find_wish(unit, game_id, seat)


def find_wish(unit: Unit, game_id: str, seat: int) -> NoteWish:
    """What a seat has said about its notes in this game."""
    return unit.find_wish(game_id, seat) or NoteWish(game_id, seat)


def effective_wish(unit: Unit, stored: StoredGame, seat: int) -> str:
    """What holds for the notes of a seat: what was said about this game, else about all."""
    said = find_wish(unit, stored.id, seat).wish
    if said is not None:
        return said
    player = unit.find_player(stored.players[seat])
    return NEVER if player is None else player.preferences.notes_join


def join_notes(unit: Unit, game: ArchivedGame, *, now: datetime) -> int:
    """Let the notes join an archived game of ours that may and have not yet; how many seats'.

    Doing it again changes nothing.
    """
    if game.game_id is None:
        return 0
    stored = get_stored(unit, game.game_id)
    unit.lock_remarks(game.number)
    seats = range(len(stored.players))
    wishes = [effective_wish(unit, stored, seat) for seat in seats]
    both_may = NEVER not in wishes
    count = 0
    for seat in seats:
        known = find_wish(unit, stored.id, seat)
        if known.joined_at is None and (
            wishes[seat] == AFTER or (wishes[seat] == AGREED and both_may)
        ):
            _join_seat(unit, game, stored, seat, now)
            unit.save_wish(replace(known, joined_at=now))
            count += 1
    return count


def _join_seat(
    unit: Unit, game: ArchivedGame, stored: StoredGame, seat: int, now: datetime
) -> None:
    notes = unit.notes_of(stored.id, seat)
    if not notes:
        return
    places = _places(unit, stored, game.number)
    comments = [
        (place, text)
        for note in notes
        if (place := places[min(note.entry, len(places) - 1)]) is not None
        for text in _pieces(note)
    ]
    keep_joining(unit, stored.players[seat], game.number, comments, now=now)


def _places(unit: Unit, stored: StoredGame, number: int) -> list[Place | None]:
    """For each entry of a log the place in the record at which it left the game; None if there is
    no turn to stand at."""
    turns = parse_record(unit.get_record(number)).turns
    here = Place(label_of(turns[0]), 0) if turns else None
    places: list[Place | None] = []
    for chapter in tell_story(unit, stored).chapters:
        for event in chapter.events:
            if event.name == "acted":
                label = f"{event.facts['round']}{SIDE_LETTERS[event.seat or 0]}"
                order = here.order + 1 if here is not None and here.turn == label else 1
                turn = find_turn(turns, label)
                if turn is not None and order <= len(turn.orders):
                    here = Place(label, order)
        places.append(here)
    return places


def _pieces(note: Note) -> Iterator[str]:
    """A note as comments: none too long, and none with a command."""
    text = make_comment(" ".join(note.text.replace("[%", "(%").split())).text
    for start in range(0, len(text), MAX_COMMENT):
        piece = text[start : start + MAX_COMMENT].strip()
        if piece:
            yield piece
