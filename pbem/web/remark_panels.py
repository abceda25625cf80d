"""What stands beside a replayed game about the moment shown: remarks, discussion, and forms.

The same for the page and for the piece of it that a script fetches when the moment changes. Who may
see the game has been asked before; everything here is shown escaped, as words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote_plus

from flask import g, request

from pbem.archive.places import Place, parse_place
from pbem.play.annotating import remarks_that_stand
from pbem.play.annotations import KeptRemark
from pbem.play.archived import ArchivedGame
from pbem.play.discussing import PostPage, talk_about
from pbem.play.joining_notes import effective_wish, find_wish
from pbem.play.players import MAX_NAME
from pbem.play.ports import Unit
from pbem.web.account import NOTE_WORDS
from pbem.web.visiting import get_around

MOST_AUTHORS: Final = 50
SIGNS: Final = ("!!", "!", "!?", "?!", "?", "??")


@dataclass(frozen=True, slots=True)
class NoteChoice:
    """Whether the viewer's private notes of a game join it: a list to choose from, and what holds;
    None if they have joined."""

    options: tuple[tuple[str, str], ...]
    chosen: str | None


@dataclass(frozen=True, slots=True)
class Panel:
    """Everything about one moment. ``by`` are the annotators shown, None for all of them."""

    number: int
    place: str
    turn: str
    remarks: tuple[KeptRemark, ...]
    authors: tuple[str, ...]
    by: tuple[str, ...] | None
    posts: PostPage
    notes: NoteChoice | None

    @property
    def label(self) -> str:
        """The place as people write it: a turn and the number of an order."""
        return self.place.rpartition("/")[2]

    @property
    def signs(self) -> tuple[str, ...]:
        """The signs that have buttons."""
        return SIGNS

    @property
    def query(self) -> str:
        """What an address has to say so that the same annotators are shown."""
        return author_query(self.by)

    def is_shown(self, author: str) -> bool:
        """Whether the remarks of somebody are shown."""
        return self.by is None or author in self.by


def read_authors() -> tuple[str, ...] | None:
    """The annotators that a visitor wants to see; None for all. An empty name is nobody's, so that
    all can be left out."""
    chosen = request.args.getlist("by")[:MOST_AUTHORS]
    return tuple(name[:MAX_NAME] for name in chosen) if chosen else None


def author_query(by: tuple[str, ...] | None) -> str:
    """The same as the beginning of a query."""
    return "".join(f"by={quote_plus(name)}&" for name in by or ())


def make_panel(game: ArchivedGame, place: str, *, by: tuple[str, ...] | None) -> Panel:
    """The panel of a game at a place; the beginning of the game has none to remark on."""
    here = find_place(place)
    with get_around().store.read() as unit:
        stands = remarks_that_stand(unit, game.number)
        after = request.args.get("talk", 0, type=int)
        turn = "" if here is None else here.turn
        posts = (
            talk_about(unit, game.number, turn, after=max(0, after)) if turn else PostPage((), None)
        )
        notes = _find_notes(unit, game)
    authors = tuple(dict.fromkeys(each.author for each in stands))
    return Panel(
        number=game.number,
        place="" if here is None else str(here),
        turn=turn,
        remarks=tuple(
            each
            for each in stands
            if here is not None
            and each.place in _places_shown(here)
            and (by is None or each.author in by)
        ),
        authors=authors,
        by=by,
        posts=posts,
        notes=notes,
    )


def find_place(text: str) -> Place | None:
    """A place as an address has it; None for the beginning of the game and for nonsense."""
    try:
        return parse_place(text)
    except ValueError:
        return None


def _places_shown(here: Place) -> tuple[str, ...]:
    """What stands behind the label is shown with the first order."""
    before = Place(here.turn, 0, here.path)
    return (str(before), str(here)) if here.order == 1 else (str(here),)


def _find_notes(unit: Unit, game: ArchivedGame) -> NoteChoice | None:
    if g.viewer is None or game.game_id is None or g.viewer.id not in game.players:
        return None
    stored = unit.find_game(game.game_id)
    seat = None if stored is None else stored.find_seat(g.viewer.id)
    if stored is None or seat is None or not unit.notes_of(game.game_id, seat):
        return None
    options = tuple((key, g.tongue.say(words)) for key, words in NOTE_WORDS.items())
    has_joined = find_wish(unit, game.game_id, seat).joined_at is not None
    return NoteChoice(options, None if has_joined else effective_wish(unit, stored, seat))
