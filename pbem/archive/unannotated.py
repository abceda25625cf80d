"""A record as the server wrote it, whatever annotators have added since.

What is an annotator's is known by ``[%by name]`` in a comment; signs and variations are theirs too,
except the branches of plans, which a record has from the beginning (N2.4). So this is the inverse
of ``remark_joining`` for a record of a game that was played here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from notation.record import Comment, Played, Record, Variation
from pbem.archive.remarks import find_author
from pbem.games.ortus.replaying import is_plan


def without_remarks(record: Record) -> Record:
    """The same game without comments, signs and variations of annotators."""
    return replace(
        record, turns=_bare_line(record.turns), comments=_without_authors(record.comments)
    )


def _bare_line(turns: Variation) -> Variation:
    return tuple(
        replace(
            turn,
            orders=[_bare(played) for played in turn.orders],
            comments=_without_authors(turn.comments),
        )
        for turn in turns
    )


def _bare(played: Played) -> Played:
    varied = (_bare_line(variation) for variation in played.variations)
    return replace(
        played,
        nags=(),
        comments=_without_authors(played.comments),
        variations=tuple(variation for variation in varied if is_plan(variation)),
    )


def _without_authors(comments: Iterable[Comment]) -> tuple[Comment, ...]:
    return tuple(comment for comment in comments if find_author(comment) is None)
