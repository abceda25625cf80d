"""Studies and puzzles: making them, looking at them, trying to solve one.

Nothing is overwritten: a change is a new version. What a study is and whether a puzzle holds is
``pbem.archive``; this owns who may do so and how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, Literal

from notation.errors import NotationError
from notation.position_line import format_position, parse_position
from notation.reading import parse_orders
from notation.record_reading import parse_record
from notation.record_writing import format_record
from pbem.archive.puzzles import Goal, Puzzle, Tried, check_puzzle, try_plan
from pbem.archive.solving import find_first_attacks
from pbem.archive.study_making import (
    MAX_TEXT,
    StudyError,
    Wrong,
    is_whole_record,
    read_orders_study,
    read_study,
)
from pbem.errors import PbemError
from pbem.games.base import Preview, Refused, Start
from pbem.games.ortus.arena import BUILT_IN
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.hexes import hex_name, members
from pbem.games.ortus.plans import PlanTooLarge
from pbem.games.ortus.position import Position
from pbem.play.archived import Visibility
from pbem.play.errors import NotAllowedError, PlayError
from pbem.play.ports import Surroundings, Unit
from pbem.play.starting import get_player
from pbem.play.studied import NewStudy, Study
from pbem.tongue import Tongue

STUDIES_A_DAY: Final = 50
MAX_TITLE: Final = 120
ON_A_PAGE: Final = 50
WEB_LIMIT: Final = 2_000
"""Positions that are looked at for other solutions while somebody waits."""
MOST_SEARCHED: Final = 64
"""Puzzles whose other solutions are kept at hand."""

_DAY: Final = timedelta(days=1)


Part = Literal["title", "line", "text"]
"""A part of what somebody has written, as in ``Draft``."""


class NoSuchStudyError(PlayError):
    """There is no such study, or it is another's."""

    code = "no_such_study"


class StudyFaults(PbemError):
    """What was written is no study; ``part`` is what of it will not do."""

    def __init__(self, part: Part, wrong: Sequence[Wrong] = ()) -> None:
        self.part = part
        self.wrong = tuple(wrong)
        super().__init__(f"not a study: its {part}")


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody has written: ``text`` is a whole record, or orders from the position of
    ``line``. With a goal it is to be a puzzle."""

    title: str
    text: str
    line: str = ""
    goal: Goal | None = None
    visibility: Visibility = "open"
    replaces: int | None = None


def make(around: Surroundings, player_id: int, draft: Draft, *, now: datetime) -> int:
    """Keep a study, or a new version of one's own; its number.

    Raises StudyFaults, NoSuchStudyError and NotAllowedError.
    """
    title = " ".join(draft.title.split())
    if not title or len(title) > MAX_TITLE or not title.isprintable():
        raise StudyFaults("title")
    with around.store.read() as unit:
        _check(unit, player_id, draft, now)
    # Read and played through before others have to wait for it, which takes a while.
    record = _read(draft, title=title)
    with around.store.begin() as unit:
        _check(unit, player_id, draft, now)
        study = NewStudy(
            player_id=player_id,
            title=title,
            record=record,
            is_puzzle=draft.goal is not None,
            visibility=draft.visibility,
            replaces=draft.replaces,
        )
        return unit.add_study(study, now)


def _check(unit: Unit, player_id: int, draft: Draft, now: datetime) -> None:
    """Whether a player may make a study now. Raises PlayError."""
    get_player(unit, player_id)
    if draft.replaces is not None:
        before = get_study(unit, draft.replaces, viewer=player_id)
        if before.player_id != player_id or before.newer is not None:
            raise NotAllowedError("not_your_study")
    if unit.count_studies(player_id, since=now - _DAY) >= STUDIES_A_DAY:
        raise NotAllowedError("studied_often", most=STUDIES_A_DAY)


def _read(draft: Draft, *, title: str) -> str:
    text = draft.text
    try:
        if len(text) > MAX_TEXT:
            raise NotationError(
                "game_too_long",
                line=1,
                column=1,
                found="",
                expected=f"at most {MAX_TEXT} characters",
            )
        if is_whole_record(text):
            return format_record(read_study(text, goal=draft.goal))
        try:
            line = parse_position(draft.line)
        except NotationError as error:
            raise StudyFaults("line", [error]) from None
        return format_record(read_orders_study(text, line, title=title, goal=draft.goal))
    except NotationError as error:
        raise StudyFaults("text", [error]) from None
    except StudyError as error:
        raise StudyFaults("text", error.wrong) from None


def get_study(unit: Unit, number: int, *, viewer: int | None) -> Study:
    """A study by number. Raises NoSuchStudyError, also for another's private one."""
    found = unit.find_study(number)
    if found is None or not found.is_seen_by(viewer):
        raise NoSuchStudyError(study=str(number))
    return found


def get_puzzle(study: Study) -> Puzzle:
    """The puzzle of a study that is one: it was checked when it was made."""
    return check_puzzle(parse_record(study.record))


@lru_cache(maxsize=MOST_SEARCHED)
def other_attacks(record: str) -> tuple[str, ...] | None:
    """Every first attack that solves the puzzle of a record, its own among them; None if that is
    not known. Looked for once, for it can take a second."""
    puzzle = check_puzzle(parse_record(record))
    return find_first_attacks(puzzle.position, puzzle.goal, limit=WEB_LIMIT)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of orders that somebody tried: the way they go, as in a game, and whether they
    solve the puzzle; nothing of that where they were refused."""

    preview: Preview | Refused
    tried: Tried | None


def attempt(puzzle: Puzzle, text: str, *, tongue: Tongue) -> Attempt:
    """Try orders, or a plan, on a puzzle."""
    game = Ortus()
    state = game.start(Start("puzzle", _options(puzzle.position), bytes(32)))
    seat = puzzle.position.active
    preview = game.preview(state, seat, text, tongue=tongue)
    if isinstance(preview, Refused):
        return Attempt(preview, None)
    try:
        tried = try_plan(puzzle.position, puzzle.goal, parse_orders(preview.text))
    except (NotationError, PlanTooLarge):
        return Attempt(preview, None)
    return Attempt(preview, tried)


def _options(position: Position) -> dict[str, object]:
    """The options of a game that begins from a position, on whatever arena it has."""
    rules = position.rules
    arena = rules.arena
    wells, cuts = (
        [hex_name(hex_) for hex_ in members(hexes)] for hexes in (arena.wells, arena.cuts)
    )
    options: dict[str, object] = {"position": format_position(position.line())}
    if arena.name not in BUILT_IN:
        options["arena_file"] = f'name = "{arena.name}"\nwells = {wells}\ncuts = {cuts}\n'
    return options
