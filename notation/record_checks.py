"""What must hold within one record besides spelling (N5.1 to N5.4).

Owns the checks that need more than one order: tags, the sequence of labels, where a turn ends,
which attack may be open, rolls against the kind of dice. Both readings use them. Whether the
orders are legal is for the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from notation.errors import NotationError
from notation.orders import Attack, End
from notation.record import Played, RecordTurn
from notation.record_orders import find_roll_fault, find_verdict_fault, is_open
from notation.record_tags import check_tags, find_position_tag
from notation.record_writing import format_played


class Labels(NamedTuple):
    """How turns are counted: the first label, and the side whose turn begins a round."""

    first: tuple[int, str]
    opener: str

    def follow(self, label: tuple[int, str]) -> tuple[int, str]:
        """The label behind a label."""
        number, side = label
        other = "b" if side == "g" else "g"
        return (number + 1 if other == self.opener else number), other


def find_labels(tags: Mapping[str, str]) -> Labels | None:
    """How this game counts, None if the tags do not say. From a position on, Gold opens (N4)."""
    if "Position" in tags:
        position = find_position_tag(tags)
        return None if position is None else Labels((position.round, position.side), "g")
    starter = tags.get("Starter")
    return Labels((1, starter[0]), starter[0]) if starter in {"gold", "black"} else None


def check_tag_values(
    tags: Mapping[str, str], lines: Mapping[str, int], *, end: int, has_turns: bool
) -> Iterator[NotationError]:
    """Faults of the tags. ``lines`` says where each stands, ``end`` which line follows them."""
    for fault in check_tags(tags, has_turns=has_turns):
        line = lines.get(fault.tag, end)
        column = len(fault.tag) + 4 + fault.offset if fault.tag in lines else 1
        yield NotationError(
            fault.code, line=line, column=column, found=fault.found, expected=fault.expected
        )


def check_turns(turns: Sequence[RecordTurn], tags: Mapping[str, str]) -> Iterator[NotationError]:
    """Faults of the main line and its variations, in the order of the text."""
    labels = find_labels(tags)
    first = labels.first if labels else None
    return _check_line(turns, labels, first, dicey=tags.get("Dice") == "dicey", main=True)


def _check_line(
    turns: Iterable[RecordTurn],
    labels: Labels | None,
    expected: tuple[int, str] | None,
    *,
    dicey: bool,
    main: bool,
) -> Iterator[NotationError]:
    before: Played | None = None
    for turn in turns:
        label = (turn.round, turn.side)
        if before is not None and before.order.__class__ is not End:
            yield _turn_fault("turn_not_ended", turn, "end, or no further turn")
        if expected is not None and label != expected:
            yield _turn_fault("label_sequence", turn, f"{expected[0]}{expected[1]}.")
        expected = labels.follow(label) if labels else None
        before = None
        for played in turn.orders:
            order = played.order
            if before is not None:
                if before.order.__class__ is End:
                    yield _fault("order_behind_end", played, "nothing more in this turn")
                elif before.order.__class__ is Attack and is_open(before.verdicts):
                    yield _fault("missing_verdict", before, "= and what became of the victims")
            before = played
            if order.__class__ is Attack:
                assert isinstance(order, Attack)
                yield from _check_attack(played, order, dicey=dicey, main=main)
            elif played.verdicts or played.roll:
                yield _fault("verdict_without_attack", played, "a verdict or roll only at attacks")
            for variation in played.variations:
                yield from _check_line(variation, labels, label, dicey=dicey, main=False)
        if before is None:
            yield _turn_fault("empty_turn", turn, "an order")


def _check_attack(
    played: Played, attack: Attack, *, dicey: bool, main: bool
) -> Iterator[NotationError]:
    if played.roll:
        fault = find_roll_fault(attack, played.roll) if dicey else "no roll without dicey Dice"
        if fault:
            yield _fault("bad_roll", played, fault)
    elif dicey and main:
        yield _fault("missing_roll", played, "a roll behind the attack")
    fault = find_verdict_fault(attack, played.verdicts) if played.verdicts else None
    if fault:
        yield _fault("bad_verdict", played, fault)


def _fault(code: str, played: Played, expected: str) -> NotationError:
    bare = Played(played.order, played.roll, played.verdicts)
    found = format_played(bare)
    return NotationError(
        code, line=played.line, column=played.column, found=found, expected=expected
    )


def _turn_fault(code: str, turn: RecordTurn, expected: str) -> NotationError:
    found = f"{turn.round}{turn.side}."
    return NotationError(code, line=turn.line, column=turn.column, found=found, expected=expected)
