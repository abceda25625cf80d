"""Joining remarks of several annotators into a record: canonical N5, each marked by its author.

Every comment begins with ``[%by name]``. Signs become signs of the order, and ``[%by name]
[%sign !]`` says whose they are; a variation begins with ``{[%by name]}``. Two annotators who give
the same variation share it. The record itself is left as it is.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace

from notation.record import (
    MAX_COMMENTS,
    MAX_NESTING,
    MAX_VARIATIONS,
    Played,
    Record,
    RecordTurn,
    Variation,
    make_comment,
)
from notation.record_reading import MAX_GAME, MAX_LINE
from notation.record_writing import format_nags, format_record
from pbem.archive.places import find_line, find_order, find_turn, name_variation
from pbem.archive.remark_reading import read_signs, read_variation
from pbem.archive.remarks import BY, SIGN, Remark, RemarkError
from pbem.games.base import Fault


@dataclass(frozen=True, slots=True)
class Joined:
    """A record with remarks, and those that have no place in it: the variation in which they
    stood was changed or withdrawn, or there is no room for them or for the rest of them."""

    record: Record
    left_out: tuple[Remark, ...] = ()


def join_remarks(
    record: Record, remarks: Iterable[Remark], *, standing: Container[int] = ()
) -> Joined:
    """Write remarks into a record, whatever order they come in. Raises RemarkError if it is full;
    those that are ``standing``, by number, are left out then.

    They must have been judged for this record.
    """
    turns = tuple(_copy_turn(turn) for turn in record.turns)
    left_out = []
    for remark in sorted(remarks, key=lambda each: (len(each.place.path), each.number)):
        try:
            has_place = _write(turns, remark)
        except RemarkError:
            if remark.number not in standing:
                raise
            has_place = False
        if not has_place:
            left_out.append(remark)
    return Joined(replace(record, turns=turns), tuple(left_out))


def check_size(record: Record) -> str:
    """The text of a record that can be read again. Raises RemarkError if it is too long."""
    text = format_record(record)
    if len(text) > MAX_GAME or any(len(line) > MAX_LINE for line in text.split("\n")):
        raise _full()
    return text


def _full() -> RemarkError:
    return RemarkError((Fault("record_full", "N5.4"),))


def _copy_turn(turn: RecordTurn) -> RecordTurn:
    return replace(turn, orders=[_copy_played(played) for played in turn.orders])


def _copy_played(played: Played) -> Played:
    if not played.variations:
        return replace(played)
    varied = tuple(tuple(_copy_turn(turn) for turn in line) for line in played.variations)
    return replace(played, variations=varied)


def _write(turns: Sequence[RecordTurn], remark: Remark) -> bool:
    place = remark.place
    line = find_line(turns, place.path)
    turn = None if line is None else find_turn(line, place.turn)
    if line is None or turn is None:
        return False
    played = find_order(line, place.turn, place.order)
    author = _by(remark.author)
    match remark.kind:
        case "comment" if played is not None or not place.order:
            _add_comment(played or turn, f"{author} {remark.text}")
        case "sign" if played is not None:
            _add_signs(played, read_signs(remark.text), author)
        case "variation" if played is not None:
            variation = read_variation(remark.text, place.turn)
            _add_variation(played, variation, author, depth=len(place.path) + 1)
        case _:
            return False
    return True


def _by(author: str) -> str:
    """``[%by Ann]``; a name cannot end the command."""
    return f"[%{BY} {author.replace('[', '(').replace(']', ')')}]"


def _add_comment(where: Played | RecordTurn, text: str) -> None:
    comment = make_comment(text)
    if comment in where.comments:
        return
    if len(where.comments) >= MAX_COMMENTS:
        raise _full()
    where.comments += (comment,)


def _add_signs(played: Played, nags: Sequence[int], author: str) -> None:
    _add_comment(played, f"{author} [%{SIGN} {format_nags(nags)}]")
    played.nags = tuple(sorted({*played.nags, *nags}))


def _add_variation(played: Played, variation: Variation, author: str, *, depth: int) -> None:
    """Add a variation, or what is new in it if it is there already."""
    if depth > MAX_NESTING:
        raise _full()
    name = name_variation(variation)
    found = next((each for each in played.variations if name_variation(each) == name), None)
    if found is None:
        if len(played.variations) >= MAX_VARIATIONS:
            raise _full()
        found = tuple(_bare_turn(turn) for turn in variation)
        played.variations += (found,)
    _add_comment(found[0], author)
    for into, turn in zip(found, variation, strict=True):
        for comment in turn.comments:
            _add_comment(into, f"{author} {comment.text}")
        for kept, each in zip(into.orders, turn.orders, strict=True):
            if each.nags:
                _add_signs(kept, each.nags, author)
            for comment in each.comments:
                _add_comment(kept, f"{author} {comment.text}")
            for inner in each.variations:
                _add_variation(kept, inner, author, depth=depth + 1)


def _bare_turn(turn: RecordTurn) -> RecordTurn:
    orders = [Played(each.order, each.roll, each.verdicts) for each in turn.orders]
    return RecordTurn(turn.round, turn.side, orders)
