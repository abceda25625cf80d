"""Whether remarks fit the record they are about: places that exist, variations that are legal.

Orders may be written as players write them; here they become canonical, by the board on which they
are played (N1.2, N1.4). Owns the positions inside a record and the way from a draft to a remark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from notation.errors import shorten
from notation.hexes import HEX_NAMES
from notation.orders import End, Order
from notation.record import Command, Comment, Played, Record, RecordTurn, Variation, make_comment
from notation.record_orders import find_verdicts
from notation.record_writing import format_nags, format_played
from notation.writing import format_order
from pbem.archive.marks import ARROW
from pbem.archive.places import (
    MAX_PATH,
    Branching,
    Place,
    find_line,
    find_turn,
    label_of,
)
from pbem.archive.remark_reading import Draft, format_variation, read_signs, read_variation
from pbem.archive.remarks import (
    DIAGRAM,
    MARKS,
    MAX_COMMENT,
    MAX_FAULTS,
    MAX_HEXES,
    MAX_VARIATION,
    Kind,
    Remark,
    RemarkError,
)
from pbem.games.base import Fault
from pbem.games.ortus.figures import SIDE_LETTERS
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.orders import to_action, to_order
from pbem.games.ortus.position import Position
from pbem.games.ortus.record_start import RecordFault, first_position
from pbem.games.ortus.replaying import RecordPlayer


def judge_drafts(record: Record, drafts: Iterable[Draft]) -> tuple[Remark, ...]:
    """The remarks of a text, in canonical writing. Raises RemarkError with all that is wrong."""
    judge = _Judge(record)
    remarks: list[Remark] = []
    faults: list[Fault] = []
    for draft in drafts:
        try:
            place = judge.find_place(draft)
            remarks.append(judge.make(place, draft))
        except RecordFault as wrong:
            faults.append(wrong.fault)
            if len(faults) == MAX_FAULTS:
                break
    if faults:
        raise RemarkError(faults)
    return tuple(remarks)


def make_remark(record: Record, place: Place, kind: Kind, text: str) -> Remark:
    """A remark at a place that is known, as a form sends it: a comment without braces, signs, a
    variation with brackets or without. Raises RemarkError."""
    draft = Draft(place.turn, kind, 1, 1)
    match kind:
        case "comment":
            draft = replace(draft, comment=make_comment(" ".join(text.split())).text)
        case "sign":
            draft = replace(draft, nags=read_signs(text))
        case "variation":
            _check_length("variation_too_long", text, MAX_VARIATION, draft)
            draft = replace(draft, variation=read_variation(text, place.turn))
    judge = _Judge(record)
    try:
        judge.check_place(place, kind)
        return judge.make(place, draft)
    except RecordFault as wrong:
        raise RemarkError((wrong.fault,)) from None


def position_at(record: Record, place: Place, *, replacing: bool = False) -> Position:
    """The board at a place, or the one from which a variation there begins (N5.4).

    Raises RemarkError if there is no such place.
    """
    judge = _Judge(record)
    try:
        judge.check_place(place, "comment")
        return judge.board_before(place) if replacing else judge.board_behind(place)
    except RecordFault as wrong:
        raise RemarkError((wrong.fault,)) from None


@dataclass(slots=True)
class _Line:
    """A line of play, and the boards on which its turns begin, as far as they were needed."""

    turns: Sequence[RecordTurn]
    boards: list[Position]
    player: RecordPlayer

    def board_of(self, label: str) -> Position:
        """The board on which a turn begins, for the caller to change."""
        number = next(at for at, turn in enumerate(self.turns) if label_of(turn) == label)
        while len(self.boards) <= number:
            board = self.boards[-1].copy()
            for played in self.turns[len(self.boards) - 1].orders:
                self.player.play_order(board, played)
            self.boards.append(board)
        return self.boards[number].copy()


class _Judge:
    def __init__(self, record: Record) -> None:
        self._record = record
        self._lines: dict[tuple[Branching, ...], _Line] = {}

    # -- places -----------------------------------------------------------------------------------

    def find_place(self, draft: Draft) -> Place:
        """Where a draft stands: at the order it names or counts, else about the whole turn."""
        turn = self._get_turn((), draft.turn, draft)
        count = len(turn.orders)
        if draft.named is not None:
            return Place(draft.turn, self._find_named(turn, draft))
        if draft.number is not None:
            place = Place(draft.turn, draft.number)
            self._check_number(place, draft.kind, count, draft)
            return place
        # A variation of the whole turn stands behind `end`, or behind the first order (N5.4).
        is_ended = isinstance(turn.orders[-1].order, End)
        return Place(draft.turn, 1 if draft.kind == "variation" and not is_ended else count)

    def check_place(self, place: Place, kind: Kind) -> None:
        """Raises RecordFault if a remark of this kind cannot stand there."""
        draft = Draft(place.turn, kind, 1, 1)
        if len(place.path) > MAX_PATH:
            raise _wrong("variations_too_deep", draft, most=MAX_PATH)
        turn = self._get_turn(place.path, place.turn, draft)
        self._check_number(place, kind, len(turn.orders), draft)

    def _check_number(self, place: Place, kind: Kind, count: int, draft: Draft) -> None:
        if place.order > count:
            raise _wrong("no_such_number", draft, turn=place.turn, count=count)
        if not place.order and kind != "comment":
            raise _wrong("only_comments_there", draft)

    def _get_turn(self, path: tuple[Branching, ...], label: str, draft: Draft) -> RecordTurn:
        line = find_line(self._record.turns, path)
        if line is None:
            raise _wrong("no_such_line", draft)
        if not line:
            raise _wrong("no_turns", draft)
        turn = find_turn(line, label)
        if turn is None:
            first, last = label_of(line[0]), label_of(line[-1])
            raise _wrong("no_such_turn", draft, turn=label, first=first, last=last)
        return turn

    def _find_named(self, turn: RecordTurn, draft: Draft) -> int:
        """The number of the order that a draft names, in any spelling."""
        assert draft.named is not None
        board = self._get_line(()).board_of(draft.turn)
        found = []
        for number, played in enumerate(turn.orders, start=1):
            if _find_canonical(board, draft.named.order) == played.order:
                found.append(number)
            self._get_line(()).player.play_order(board, played)
        order = format_order(draft.named.order)
        if not found:
            orders = "; ".join(format_order(played.order) for played in turn.orders)
            raise _wrong("order_not_played", draft, order=order, turn=draft.turn, orders=orders)
        if len(found) > 1:
            places = ", ".join(f"{draft.turn}.{number}" for number in found)
            raise _wrong("order_played_twice", draft, order=order, places=places)
        played = turn.orders[found[0] - 1]
        named = draft.named
        if (named.roll and named.roll != played.roll) or (
            named.verdicts and named.verdicts != played.verdicts
        ):
            bare = Played(played.order, played.roll, played.verdicts)
            raise _wrong("other_outcome", draft, played=format_played(bare))
        return found[0]

    # -- boards -----------------------------------------------------------------------------------

    def _get_line(self, path: tuple[Branching, ...]) -> _Line:
        line = self._lines.get(path)
        if line is None:
            turns = find_line(self._record.turns, path)
            assert turns is not None, "the place was checked"
            if path:
                fork = path[-1]
                board = self.board_before(Place(fork.turn, fork.order, path[:-1]))
            else:
                board = first_position(self._record)
            line = _Line(turns, [board], RecordPlayer(self._record, is_varying=bool(path)))
            self._lines[path] = line
        return line

    def board_before(self, place: Place) -> Position:
        """The board from which a variation at a place begins: behind ``end`` that of its turn."""
        turn = find_turn(self._get_line(place.path).turns, place.turn)
        assert turn is not None, "the place was checked"
        if place.order and isinstance(turn.orders[place.order - 1].order, End):
            return self._get_line(place.path).board_of(place.turn)
        return self.board_behind(replace(place, order=max(0, place.order - 1)))

    def board_behind(self, place: Place) -> Position:
        """The board behind the order of a place."""
        line = self._get_line(place.path)
        board = line.board_of(place.turn)
        turn = find_turn(line.turns, place.turn)
        assert turn is not None, "the place was checked"
        for played in turn.orders[: place.order]:
            line.player.play_order(board, played)
        return board

    # -- content ----------------------------------------------------------------------------------

    def make(self, place: Place, draft: Draft) -> Remark:
        """The remark of a draft at its place. Raises RecordFault."""
        match draft.kind:
            case "comment":
                text = draft.comment
                _check_comment(Comment(text), draft.line, draft.column)
            case "sign":
                text = format_nags(draft.nags)
            case _:
                player = RecordPlayer(self._record, is_varying=True)
                board = self.board_before(place)
                text = format_variation(_make_canonical(player, board, draft.variation))
                if len(text) > MAX_VARIATION:
                    count = len(text)
                    raise _wrong("variation_too_long", draft, most=MAX_VARIATION, count=count)
        return Remark(place, draft.kind, text)


def _make_canonical(player: RecordPlayer, board: Position, variation: Variation) -> Variation:
    """A variation as a record has it, played to its end on a board. Raises RecordFault."""
    turns = []
    for number, turn in enumerate(variation):
        label = f"{board.round}{SIDE_LETTERS[board.active]}"
        if number and label == label_of(variation[number - 1]):
            raise RecordFault("turn_not_ended", "N5.2", turn.line, turn.column)
        if label_of(turn) != label:
            raise RecordFault("wrong_label", "N5.2", turn.line, turn.column, expected=label)
        began = board.copy()
        orders = []
        for played in turn.orders:
            before = board.copy()
            done = _play_freely(player, board, played)
            _check_comments(played.comments, played.line, played.column)
            start = began if isinstance(done.order, End) else before
            done.variations = tuple(
                _make_canonical(player, start.copy(), inner) for inner in played.variations
            )
            orders.append(done)
        _check_comments(turn.comments, turn.line, turn.column)
        turns.append(replace(turn, orders=orders))
    return tuple(turns)


def _play_freely(player: RecordPlayer, board: Position, played: Played) -> Played:
    """Play an order in any spelling; it comes back as a record has it. What became of an attack
    may be left out where only one thing could."""
    if board.winner is not None or board.question is not None:
        player.play_order(board, played)  # raises
    try:
        order = to_order(board, to_action(board, played.order))
    except Illegal as illegal:
        raise RecordFault(
            illegal.code, illegal.clause, played.line, played.column, **illegal.facts
        ) from None
    done = replace(played, order=order, variations=())
    trial = board.copy()
    try:
        player.play_order(trial, done)
    except RecordFault as wrong:
        expected = wrong.fault.facts.get("expected")
        if wrong.fault.code != "verdict_mismatch" or played.verdicts or not expected:
            raise
        done.verdicts = find_verdicts(str(expected)) or ()
    player.play_order(board, done)
    return done


def _find_canonical(board: Position, order: Order) -> Order | None:
    if board.winner is not None or board.question is not None:
        return None
    try:
        return to_order(board, to_action(board, order))
    except Illegal:
        return None


def _check_comments(comments: Sequence[Comment], line: int, column: int) -> None:
    for comment in comments:
        _check_comment(comment, line, column)


def _check_comment(comment: Comment, line: int, column: int) -> None:
    """Length and commands: nobody's name, clock or plan can be written into a comment."""
    text = comment.text
    if not text:
        raise RecordFault("comment_empty", "N5.4", line, column)
    if len(text) > MAX_COMMENT:
        count = len(text)
        raise RecordFault("comment_too_long", "N5.4", line, column, most=MAX_COMMENT, count=count)
    for command in comment.commands:
        if command.name not in MARKS:
            name = shorten(command.name)
            raise RecordFault("command_unknown", "N5.4", line, column, name=name)
        if not _is_mark(command):
            found, example = shorten(str(command)), MARKS[command.name]
            raise RecordFault("bad_mark", "N5.4", line, column, found=found, example=example)


def _is_mark(command: Command) -> bool:
    """Whether a mark names hexes of the board, an arrow pairs of them, a diagram nothing."""
    if command.name == DIAGRAM:
        return not command.argument
    hexes = command.argument.split(" ")
    is_paired = command.name != ARROW or len(hexes) % 2 == 0
    return is_paired and len(hexes) <= MAX_HEXES and HEX_NAMES.issuperset(hexes)


def _check_length(code: str, text: str, most: int, draft: Draft) -> None:
    if len(text) > 2 * most:  # before it is read; the canonical writing is measured again
        raise RemarkError((_wrong(code, draft, most=most, count=len(text)).fault,))


def _wrong(code: str, draft: Draft, **facts: object) -> RecordFault:
    return RecordFault(code, "N5.4", draft.line, draft.column, **facts)
