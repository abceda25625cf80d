"""What was expected instead of what was written, in a player's language.

``notation`` and ``options`` know no languages: they say in English what is wrong. Here are those
texts again, with braces where they name a word, a hex or a number; a text is found again among
them and said anew. A test holds the tables against the code.
"""

from __future__ import annotations

from typing import Final

from pbem.phrasebook import Phrasebook
from pbem.tongue import N_, Tongue

EXPECTED: Final = (
    # orders
    N_("an order such as `F2>G4`, `F2 rng G4` or `end`"),
    N_("a warrior such as W3 (W, E, A or F and a slot 1 to 8)"),
    N_("a warrior such as W3, without a space inside"),
    N_("the slot of the warrior, as in `Wind 3`"),
    N_("`>` and a hex, or an attack such as `rng G4`"),
    N_("`>` and a hex, such as `W3:kite>E7`"),
    N_("`>` and a hex for the Guide, as in `guide>K3`"),
    N_("a verb between {warrior} and the hex, as in `{order}`"),
    N_("an action of {warrior}; `{word}` is an order of its own"),
    N_("one verb in an order, with `;` before the next order"),
    N_("one verb in an order, but `{verb}` stands before it"),
    N_("a warrior and a verb, as in `F2 rng G4`"),
    N_("a warrior before `{word}`, as in `{example}`"),
    N_("a warrior such as W3 before the arrow"),
    N_("a warrior such as W3 before `:`"),
    N_("an attack before the landing hex, as in `E1 chg G4@F5`"),
    N_("a landing hex behind `@`, as in `@F5`"),
    N_("no landing hex: `{verb}` does not move the attacker"),
    N_("both Fire warriors, as in `F2+F7 drg G4`, or none: `drg G4`"),
    N_("the hex of the target, such as G4"),
    N_("a hex such as G4"),
    N_("a hex such as G4, without a space inside"),
    N_("a hex such as G4: a target is named by where it stands"),
    N_("a hex such as G4, a letter A to O and a number 1 to 15"),
    N_("a hex on the board: row {row} runs from {first} to {last}"),
    N_("a hex such as J1, or `guide`"),
    N_("`;` or a new line before `{word}`, which is an order of its own"),
    N_("`;` or a new line before the next order"),
    N_("`;`, a new line or the end of the orders"),
    N_("an order; a number alone only answers the numbered list of a refusal"),
    N_("an order of your own: a line that begins with `>` is taken for a quotation"),
    N_("one order, without a bracket"),
    N_("at most 64 KiB of text"),
    N_("at most {count} orders"),
    # set-up, bid, draw
    N_("the letters W, E, A and F, two of each"),
    N_("eight elements, as in `setup WFEAAEFW`"),
    N_("eight elements for slots 1 to 8, two each of W, E, A and F; there are {count}"),
    N_("a number of Energy, as in `bid 5`"),
    N_("`draw?` to offer, `draw+` to accept, `draw-` to decline, or `claim draw`"),
    N_("`draw` behind `claim`: `claim draw`"),
    # decisions
    N_("`+` (saved) or `-` (falls) behind the hex"),
    N_("a hex before the sign, as in `G4+`; a bare sign counts only as the first line"),
    N_("`,` before `{word}`, or only a sign behind the hex"),
    N_("one of `block` and `fall`, and then a hex"),
    N_("a hex behind it, as in `{example}`"),
    N_("a hex and its sign, such as `G4+`"),
    N_("a hex such as G4, or `all`"),
    # plans
    N_("an attack directly before `[`"),
    N_("a `[` behind an attack before this `]`"),
    N_("a `[` behind an attack before this `|`"),
    N_("`]`, which closes this bracket"),
    N_("`;` or a new line: only an attack can have a bracket"),
    N_("one bracket behind an attack; use `|` inside it"),
    N_("`|` or `]` behind `end`, which ends the turn"),
    N_("nothing behind `end`, which ends the turn"),
    N_("a guard: `-` (fell), `+` (saved), `*` (always) or hexes such as `G4-,G5+`"),
    N_("at most {count} hexes in a guard: no attack hits more"),
    N_("`:` behind the guard"),
    N_("brackets at most {count} deep"),
    N_("at most {count} branches in one submission"),
    # standing rules
    N_("`standing:` on a line of its own"),
    N_("a rule such as ask all, or off"),
    N_("off alone, or rules"),
    N_("block, fall or ask"),
    N_("all, an element such as F*, or a warrior such as W3"),
    N_("a warrior with its element, such as {warrior}; or <= for a Power"),
    N_("{element}* or {warrior} in one"),
    N_("a slot from 1 to 8"),
    N_("<= and a Power, keep and an Energy, or ;"),
    N_("each limit once"),
    N_("a Power from 0 to {most}"),
    N_("an Energy from 0 to {most}"),
    N_("at most {count} rules"),
    N_("at most {count} characters of rules"),
)

OPTION_FAULTS: Final = (
    N_("there is no such option"),
    N_("must be one of {allowed}, not {found}"),
    N_("must be true or false, not {found}"),
    N_("must be true, false or a number of rounds, not {found}"),
    N_("must be a House with +1 to +4 or board I or II, as `gold +2`, not {found}"),
    N_("the position says {value}"),
    N_("the arena file is called {arena}"),
    N_("{arena} is an arena that comes with the game"),
    N_("a game that begins from a position has no opening"),
    N_("line {line}, column {column}: found {found}, expected {expected}"),
)
"""What ``options`` finds wrong. The faults of an arena file and of a position line are for those
who write such files, and stay English."""

_BOOK: Final = Phrasebook(EXPECTED)


def say_expected(text: str, tongue: Tongue) -> str:
    """What was expected, in a player's language."""
    return _BOOK.say(text, tongue)
