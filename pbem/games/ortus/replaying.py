"""Playing a record again (N5): every order legal, every verdict and roll as the rules give it.

A record alone proves rules, Energy and, once its seed is published, dice (N5.6). Owns what may be
wrong with a record's content; where it begins is ``record_start``'s, its text ``notation``'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from notation.orders import End
from notation.record import Played, Record, RecordTurn, Variation, Verdicts
from notation.writing import format_order
from pbem.games.base import Fault
from pbem.games.ortus import dice
from pbem.games.ortus.actions import ATTACKS, END_TURN, Action
from pbem.games.ortus.arena import Arena
from pbem.games.ortus.figures import (
    DICE,
    SIDE_LETTERS,
    rolled_face,
)
from pbem.games.ortus.hexes import hex_name
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.orders import find_ready_action, to_action, to_order
from pbem.games.ortus.position import Position
from pbem.games.ortus.record_start import RecordFault, first_position, options_of
from pbem.games.ortus.turn import advance, settle

RESULT_OF: Final = {0: "1-0", 1: "0-1", None: "1/2-1/2"}
BOARD_ENDINGS: Final = frozenset({"guide", "wells"})
PLAN_COMMAND: Final = "plan"
_STARTS: Final = {"GoldSetup", "BlackSetup", "Position"}


@dataclass(frozen=True, slots=True)
class Replayed:
    """Where a record ends, as far as it could be played, and what is wrong with it."""

    position: Position | None
    faults: tuple[Fault, ...]


def replay(
    record: Record,
    *,
    arenas: Mapping[str, Arena] | None = None,
    watch: Callable[[Position, RecordTurn], None] | None = None,
) -> Replayed:
    """Play a record through, variations too, and gather its faults.

    A game that was over before both set-ups were in has no position. ``watch`` is shown each turn
    of the main line with the position it begins from, which goes on changing afterwards.
    """
    if not record.turns and not _STARTS & record.tags.keys():
        return Replayed(None, _judge_unplayed(record))
    try:
        position = first_position(record, arenas=arenas)
    except RecordFault as wrong:
        return Replayed(None, (wrong.fault,))
    player = RecordPlayer(record)
    try:
        player.play(position, record.turns, watch)
        _check_ending(record, position, options_of(record.tags, arenas).claim_rounds)
    except RecordFault as wrong:
        player.faults.append(wrong.fault)
    player.faults.sort(key=lambda fault: (fault.line or 0, fault.column or 0))
    return Replayed(position, tuple(player.faults))


def moments(
    record: Record, *, arenas: Mapping[str, Arena] | None = None
) -> Iterator[tuple[RecordTurn, Played, Position]]:
    """Each order of the main line with the position it leads to. Raises RecordFault."""
    position = first_position(record, arenas=arenas)
    player = RecordPlayer(record)
    for turn in record.turns:
        for played in turn.orders:
            player.play_order(position, played)
            yield turn, played, position.copy()


class RecordPlayer:
    """Plays lines of a record and gathers the faults of its variations.

    With ``is_varying`` what it is given to play is not the game itself, whose dice are its seed's.
    """

    def __init__(self, record: Record, *, is_varying: bool = False) -> None:
        self.faults: list[Fault] = []
        self._depth = int(is_varying)
        self._open: Played | None = None
        tags = record.tags
        self._game_id = tags.get("GameId", "")
        self._seed = _seed_of(tags)
        if "Seed" in tags and (
            self._seed is None
            or len(self._seed) != dice.SEED_BYTES
            or tags.get("SeedHash") not in (None, dice.commitment(self._seed))
        ):
            self.faults.append(Fault("seed_mismatch", "R9.5", {}, 1, 1))

    def play(
        self,
        position: Position,
        turns: Sequence[RecordTurn],
        watch: Callable[[Position, RecordTurn], None] | None = None,
    ) -> None:
        """Play whole turns. Raises RecordFault at the first fault of this line."""
        last = len(turns) - 1
        for number, turn in enumerate(turns):
            house = self.begin_turn(position, turn)
            if watch is not None:
                watch(position, turn)
            if any(played.variations for played in turn.orders):
                self._play_varied(position, turn)
            else:
                for played in turn.orders:
                    self.play_order(position, played)
            if number != last:
                self.end_turn(position, turn, house)

    def begin_turn(self, position: Position, turn: RecordTurn) -> int:
        """The House whose turn it is. Raises RecordFault for a label that does not fit."""
        if turn.round != position.round or turn.side != SIDE_LETTERS[position.active]:
            label = f"{position.round}{SIDE_LETTERS[position.active]}"
            raise RecordFault("wrong_label", "N5.2", turn.line, turn.column, expected=label)
        return position.active

    def end_turn(self, position: Position, turn: RecordTurn, house: int) -> None:
        """Look whether a turn behind which another follows is over. Raises RecordFault."""
        if position.question is not None:
            raise self._verdict_missing()
        if position.winner is None and position.active == house:
            raise RecordFault("turn_not_ended", "N5.2", turn.line, turn.column)

    def _play_varied(self, position: Position, turn: RecordTurn) -> None:
        """A turn with variations: behind ``end`` they replace it all, else from there (N5.4)."""
        began = position.copy()
        for played in turn.orders:
            before = position.copy()
            self.play_order(position, played)
            for variation in played.variations:
                self._vary(began if type(played.order) is End else before, variation)

    def _vary(self, position: Position, variation: Variation) -> None:
        if is_plan(variation):
            return  # what a player wrote in advance need not have been possible (N2.4)
        try:
            self._depth += 1
            self.play(position.copy(), variation)
        except RecordFault as wrong:
            self.faults.append(wrong.fault)
        finally:
            self._depth -= 1

    def play_order(self, position: Position, played: Played) -> None:
        """One order with its roll and verdicts, in place. Raises RecordFault."""
        order = played.order
        if position.winner is not None:
            raise RecordFault("after_the_end", "R8", played.line, played.column)
        if position.question is not None:
            raise self._verdict_missing()
        try:
            element, action = find_ready_action(order) or (None, END_TURN)
            if element != "" and element != position.rules.elements[position.active][action.who]:
                action = _get_canonical(position, played)
            if action.verb not in ATTACKS:
                advance(position, action)
                return
            advance(position, action, face=self._face(position, action, played))
        except Illegal as illegal:
            facts = {"order": format_order(order), **illegal.facts}
            raise RecordFault(
                illegal.code, illegal.clause, played.line, played.column, **facts
            ) from None
        _settle(position, played)
        if position.question is not None:
            self._open = played

    def _verdict_missing(self) -> RecordFault:
        assert self._open is not None, "a defence is open behind an attack"
        return RecordFault("verdict_missing", "N5.3", self._open.line, self._open.column)

    def _face(self, position: Position, action: Action, played: Played) -> int | None:
        if not position.rules.dicey:
            if played.roll:
                raise RecordFault("roll_in_clean_game", "N5.3", played.line, played.column)
            return None
        if not played.roll:
            raise RecordFault("roll_missing", "N5.3", played.line, played.column)
        die = DICE[action.verb]
        if played.roll not in die:
            raise RecordFault("roll_impossible", "R9.1", played.line, played.column)
        face = 2 * die.index(played.roll)
        # Only the main line's attacks are the game's; a variation may roll what it likes.
        if self._seed is not None and self._game_id and not self._depth:
            attack = position.attacks + 1
            drawn = rolled_face(action.verb, dice.face(self._seed, self._game_id, attack))
            if drawn != played.roll:
                expected = "/".join(map(str, drawn))
                raise RecordFault(
                    "roll_not_from_seed",
                    "R9.5",
                    played.line,
                    played.column,
                    expected=expected,
                    attack=attack,
                )
        return face


def _seed_of(tags: Mapping[str, str]) -> bytes | None:
    try:
        return bytes.fromhex(tags["Seed"])
    except (KeyError, ValueError):
        return None


def is_plan(variation: Variation) -> bool:
    """Whether a variation is a branch of a plan that was not played (N2.4)."""
    first = variation[0]
    comments = first.comments + (first.orders[-1].comments if first.orders else ())
    return any(command.name == PLAN_COMMAND for comment in comments for command in comment.commands)


def _get_canonical(position: Position, played: Played) -> Action:
    """The action of an order that says all that its action says (N5.5)."""
    action = to_action(position, played.order)
    canonical = to_order(position, action)
    if played.order != canonical:
        raise RecordFault(
            "not_canonical",
            "N5.5",
            played.line,
            played.column,
            canonical=format_order(canonical),
        )
    return action


def _settle(position: Position, played: Played) -> None:
    """Decide the defences of an attack as the record says, and compare (N5.3)."""
    verdicts = played.verdicts
    question = position.question
    while question is not None:
        decided = len(position.verdicts)
        answers = verdicts[decided : decided + len(question.victims)]
        if len(answers) < len(question.victims):
            if verdicts != written_verdicts(position):
                raise _mismatch(position, played)
            return
        try:
            settle(position, [saved for _, saved in answers])
        except Illegal as illegal:
            raise RecordFault(
                illegal.code, illegal.clause, played.line, played.column, **illegal.facts
            ) from None
        question = position.question
    found = position.verdicts
    if len(found) == 1:
        if verdicts != ((None, found[0][1]),):
            raise _mismatch(position, played)
    elif verdicts != tuple((hex_name(hex_), saved) for hex_, saved in found):
        raise _mismatch(position, played)


def _mismatch(position: Position, played: Played) -> RecordFault:
    expected = verdict_text(written_verdicts(position))
    return RecordFault("verdict_mismatch", "N5.3", played.line, played.column, expected=expected)


def written_verdicts(position: Position) -> Verdicts:
    """The verdicts of the last attack as a record has them: a lone victim without its hex."""
    verdicts = position.verdicts
    if len(verdicts) == 1 and position.question is None:
        return ((None, verdicts[0][1]),)
    return tuple((hex_name(hex_), saved) for hex_, saved in verdicts)


def verdict_text(verdicts: Verdicts) -> str:
    """``-`` or ``G4+,G5-``."""
    return ",".join(f"{hex_ or ''}{'+' if saved else '-'}" for hex_, saved in verdicts)


def _check_ending(record: Record, position: Position, claim_rounds: int | None) -> None:
    """The result and its reason against the board (N5.1)."""
    termination = record.tags.get("Termination", "")
    place = (record.turns[-1].line, record.turns[-1].column) if record.turns else (1, 1)
    if position.winner is not None:
        expected = f"{RESULT_OF[position.winner]} by {position.reason}"
        if record.result != RESULT_OF[position.winner] or termination not in (position.reason, ""):
            raise RecordFault("result_mismatch", "N5.1", *place, expected=expected)
    elif termination in BOARD_ENDINGS:
        raise RecordFault("result_mismatch", "N5.1", *place, expected="no winner yet")
    elif termination == "claim":
        quiet = position.quiet_rounds()
        if position.question is not None:
            raise RecordFault("result_mismatch", "R8.3", *place, expected="an open defence")
        if claim_rounds is None or quiet < claim_rounds:
            expected = f"{quiet} quiet rounds"
            raise RecordFault("result_mismatch", "R8.3", *place, expected=expected)


def _judge_unplayed(record: Record) -> tuple[Fault, ...]:
    """The faults of a record without a board: it cannot end by what only a board shows."""
    if record.tags.get("Termination") in BOARD_ENDINGS | {"claim"}:
        return (Fault("result_mismatch", "N5.1", {"expected": "no game"}, 1, 1),)
    return ()
