"""Remarks: what one annotator says about one place of a record, and what may be wrong with one.

Owns the model, the limits and the sentences of faults. Reading remarks from text is
``remark_reading``, whether they fit a record ``remark_judging``, writing them into one
``remark_joining``; who may remark, and when, is ``pbem.play.annotating``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from notation.record import Comment
from pbem.archive.marks import ARROW, MARK
from pbem.archive.places import Place
from pbem.games.base import Fault
from pbem.games.ortus.messages import SENTENCES as GAME_SENTENCES
from pbem.games.ortus.messages import explain
from pbem.tongue import ENGLISH, N_, Tongue

Kind = Literal["comment", "sign", "variation"]
KINDS: Final[tuple[str, ...]] = get_args(Kind)

MAX_TEXT: Final = 32 * 1024
"""The longest text from which remarks are read."""
MAX_AT_ONCE: Final = 100
"""How many remarks one text may hold."""
MAX_COMMENT: Final = 2000
MAX_VARIATION: Final = 4000
"""The longest comment and the longest variation, written on one line."""
MAX_FAULTS: Final = 20

BY: Final = "by"
SIGN: Final = "sign"
DIAGRAM: Final = "diagram"
MARKS: Final = {ARROW: "[%arrow E7 G4]", MARK: "[%mark E7]", DIAGRAM: "[%diagram]"}
"""The commands that a comment of an annotator may have, each as an example."""
MAX_HEXES: Final = 32
"""How many hexes one of them may name."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One remark in its canonical writing.

    ``text`` is a comment without its braces, signs as ``! $14``, or a variation on one line and
    without its brackets. ``number`` sorts remarks at one place; ``author`` is shown with it.
    """

    place: Place
    kind: Kind
    text: str
    author: str = ""
    number: int = 0


def find_author(comment: Comment) -> str | None:
    """Whose comment it is, if it says so."""
    return next((each.argument for each in comment.commands if each.name == BY), None)


class RemarkError(ValueError):
    """Remarks that cannot be taken, none of them; ``faults`` are in the order of the text."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(explain_remark(fault) for fault in self.faults))


SENTENCES: Final = {
    # reading
    "remark_label_missing": N_("A remark begins with its turn, as in `3b. !`."),
    "remark_empty": N_("Behind {turn}. no sign, comment or variation follows."),
    "remark_text_too_long": N_("Remarks are read from at most {most} characters at a time."),
    "too_many_remarks": N_("At most {most} remarks can be sent at a time."),
    "remark_unexpected": N_(
        "`{found}` is neither a sign, nor a comment in braces, nor a variation in brackets."
    ),
    "comment_not_closed": N_("This comment is not closed: its second brace is missing."),
    "variation_not_closed": N_("This variation is not closed: its second bracket is missing."),
    "variation_not_opened": N_("This `)` closes no variation."),
    "variation_empty": N_("There is no order in this variation."),
    "variation_nowhere": N_("A variation inside another stands behind an order."),
    "variations_too_deep": N_("Variations can stand {most} deep in each other."),
    "bad_sign": N_("`{found}` is no sign. Signs are ! ? !! ?? !? ?! and $0 to $255."),
    "sign_nowhere": N_("A sign stands behind an order."),
    # places
    "no_such_turn": N_("There is no turn {turn} in this game: it goes from {first} to {last}."),
    "no_turns": N_("No turn was played in this game."),
    "no_such_number": N_("Turn {turn} has the orders 1 to {count}."),
    "no_such_line": N_("The variation in which this should stand is not there any more."),
    "order_not_played": N_("`{order}` was not played in turn {turn}. Played were: {orders}."),
    "order_played_twice": N_("`{order}` was played more than once; write the place: {places}."),
    "other_outcome": N_("It was played as `{played}`."),
    "only_comments_there": N_("Before the first order only a comment can stand."),
    # content
    "comment_empty": N_("This comment is empty."),
    "comment_too_long": N_("A comment has at most {most} characters; this one has {count}."),
    "variation_too_long": N_("A variation has at most {most} characters; this one has {count}."),
    "command_unknown": N_(
        "`[%{name}]` is none of the commands of a remark: `[%arrow E7 G4]`, `[%mark E7]` and"
        " `[%diagram]`."
    ),
    "bad_mark": N_("`{found}` should look like `{example}`."),
    # joining
    "record_full": N_("This game cannot hold more remarks there."),
}
"""One sentence for each code; orders that cannot be read or played have those of the game."""


def explain_remark(fault: Fault, *, tongue: Tongue = ENGLISH) -> str:
    """The sentence for a fault, whether it is the remark's or the game's."""
    if fault.code.startswith("syntax_") or fault.code in GAME_SENTENCES:
        return explain(fault, tongue=tongue)
    return tongue.say(SENTENCES[fault.code], **fault.facts)
