"""The first game: a position, an opponent who plays by a script, and what is to be learnt when.

Everything goes through the seam of the game, as on the real pages. Nothing is stored: a game is
what its player has sent so far, played again each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from pbem.games.base import Accepted, Event, Game, Refused, Start
from pbem.games.registry import get_game
from pbem.tongue import N_

PUPIL: Final = 0
TEACHER: Final = 1
MAX_SENT: Final = 16
MAX_LENGTH: Final = 300
MAX_REACTIONS: Final = 8
POSITION: Final = (
    "origin apprentice g 3 | 18 6 | 0 0 | - - |"
    " W1@F6 F2@I3 E3@E6 A4@K1 A5@L1 E6@M1 F7@N1 W8@O1 |"
    " W1@H15 F2@I11 E3@F15 A4@F9 A5@D15 E6@C15 F7@B15 W8@A15"
)
_SEED: Final = bytes(32)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One step: what it is about, and an order that does it."""

    name: str
    title: str
    texts: tuple[str, ...]
    example: str = ""


MOVE: Final = Lesson(
    "move",
    N_("Move a warrior"),
    (
        N_(
            "You play Gold. Fire 2 stands on I3, and I6 is a Well: whoever stands on Wells has more"
            " Energy next turn."
        ),
        N_(
            "Click Fire 2 and then I6, or write the order. A step costs 1 Energy. Then press Send:"
            " without `end` your turn goes on."
        ),
    ),
    "F2>I6",
)
ATTACK: Final = Lesson(
    "attack",
    N_("Attack"),
    (
        N_(
            "Wind 1 was on the Arena when your turn began, so it may attack. Black's Water on F9 is"
            " three steps away: shooting at it costs 3 Energy and has Power 4."
        ),
        N_("Black has 6 Energy, enough to save the Water. Let us see."),
    ),
    "W1 rng F9",
)
AGAIN: Final = Lesson(
    "again",
    N_("Attack again"),
    (
        N_(
            "Black paid, and its warrior stays. But now too little Energy is left over there to"
            " save anybody once more: the next attack cannot be defended."
        ),
        N_(
            "Earth 3 can charge: it runs to a hex next to its target, here E9. That costs 1 Energy"
            " a step."
        ),
    ),
    "E3 chg F9@E9",
)
END: Final = Lesson(
    "end",
    N_("End your turn"),
    (
        N_(
            "A warrior that falls is 1 honour for you, and your Guide goes a step towards the Core."
            " The first step puts it on your Haven; if you do not choose, the server does."
        ),
        N_("What Energy you have left now is all you have to defend with. End your turn."),
    ),
    "guide>K1; end",
)
DEFEND: Final = Lesson(
    "defend",
    N_("Defend"),
    (
        N_("Now Black attacks. Pay the Power and your warrior stays, or let it fall."),
        N_("By mail you would answer with one sign: `+` saves, `-` lets it fall."),
    ),
    "+",
)
STANDING: Final = Lesson(
    "standing",
    N_("Leave a standing rule"),
    (
        N_(
            "By mail such a question can take days. A standing rule answers at once, and only you"
            " know it. This one saves anybody from an attack of Power 4 or less:"
        ),
    ),
    "standing: block all <=4",
)
WATCH: Final = Lesson(
    "watch",
    N_("See it answer"),
    (N_("End your turn. When Black attacks again, your rule answers, and nobody has to wait."),),
    "end",
)
DONE: Final = Lesson(
    "done",
    N_("That is the game"),
    (
        N_(
            "You have moved, attacked, defended and left a rule. What is missing you learn on the"
            " way: five Wells at the beginning of your turn win, and so does the eighth honour."
        ),
    ),
)
LESSONS: Final = (MOVE, ATTACK, AGAIN, END, DEFEND, STANDING, WATCH, DONE)


@lru_cache(maxsize=128)
def first_game(sent: tuple[str, ...] = ()) -> FirstGame:
    """The game behind what its player has sent; the board's script asks for one many times.

    Raises CannotFollowError.
    """
    return FirstGame(sent=sent)


class CannotFollowError(ValueError):
    """What was sent is no game that could have been played here."""


@dataclass
class FirstGame:
    """The game as it stands behind what its player has sent."""

    play: Game[Any] = field(default_factory=lambda: get_game("ortus"))
    sent: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        options = {"position": POSITION}
        self.state: Any = self.play.start(Start("tutorial", options, _SEED))
        self.before: Any = self.state
        self.events: list[Event] = []
        """What the last thing sent has led to, from ``before`` on."""
        self.all_events: list[Event] = []
        self._has_attacked = False
        if len(self.sent) > MAX_SENT or any(len(text) > MAX_LENGTH for text in self.sent):
            raise CannotFollowError("too long")
        for text in self.sent:
            if isinstance(self._take(text), Refused):
                raise CannotFollowError(text)

    def send(self, text: str) -> FirstGame | Refused:
        """The game behind one more submission, and what the teacher does then; or why not."""
        if len(self.sent) >= MAX_SENT:
            raise CannotFollowError("too long")
        done = self.play.submit(self.state, PUPIL, text)
        if isinstance(done, Refused):
            return done
        return first_game((*self.sent, done.text))

    @property
    def lesson(self) -> Lesson:
        """What is to be learnt next."""
        if self._ended_turns() > 1 or self.play.find_result(self.state) is not None:
            return DONE
        if any(asked.seat == PUPIL and asked.is_reply for asked in self._requests()):
            return DEFEND
        if self._ended_turns():
            return WATCH if self._happened("standing_rules_set") else STANDING
        orders = [str(event.facts["order"]) for event in self._mine("acted")]
        attacks = [order for order in orders if ">" not in order]
        if not attacks:
            return ATTACK if orders else MOVE
        fell = any(not saved for event in self._theirs() for _, saved in event.facts["verdicts"])  # type: ignore[attr-defined]
        return END if fell or len(attacks) > 1 else AGAIN

    def _take(self, text: str) -> Accepted[Any] | Refused:
        self.before, self.events = self.state, []
        done = self._submit(PUPIL, text)
        if not isinstance(done, Refused):
            for _ in range(MAX_REACTIONS):
                if not self._react():
                    break
        return done

    def _submit(self, seat: int, text: str) -> Accepted[Any] | Refused:
        done = self.play.submit(self.state, seat, text)
        if not isinstance(done, Refused):
            self.state = done.state
            if any(event.name == "turn_ended" for event in done.events):
                self._has_attacked = False
            self.events += done.events
            self.all_events += done.events
        return done

    # -- the teacher ------------------------------------------------------------------------------

    def _react(self) -> bool:
        """Do what the teacher is asked for, if anything."""
        asked = next((asked for asked in self._requests() if asked.seat == TEACHER), None)
        if asked is None:
            return False
        if asked.is_reply:
            briefing = self.play.brief(self.state, TEACHER)
            assert briefing is not None
            self._submit(TEACHER, briefing.answers[0].text)
        elif self._has_attacked:
            self._submit(TEACHER, "end")
        else:
            self._has_attacked = True
            self._submit(TEACHER, self._attack())
        return True

    def _attack(self) -> str:
        """The cheapest attack that asks the pupil something; any other if there is none."""
        found = self.play.choose(self.state, TEACHER, ())
        choices = () if found is None else found.choices
        attacks = sorted(
            (choice for choice in choices if choice.kind == "attack"),
            key=lambda choice: (choice.cost, choice.order),
        )
        for choice in attacks:
            done = self.play.submit(self.state, TEACHER, choice.order)
            if not isinstance(done, Refused) and self._concerns_pupil(done.events):
                return choice.order
        return attacks[0].order if attacks else "end"

    @staticmethod
    def _concerns_pupil(events: Sequence[Event]) -> bool:
        return any(event.name in ("defence_asked", "rules_answered") for event in events)

    # -- what has happened ------------------------------------------------------------------------

    def _requests(self) -> Sequence[Any]:
        return self.play.requests(self.state)

    def _happened(self, name: str) -> bool:
        return any(event.name == name for event in self.all_events)

    def _mine(self, name: str) -> Iterator[Event]:
        return (event for event in self.all_events if event.name == name and event.seat == PUPIL)

    def _theirs(self) -> Iterator[Event]:
        return (
            event for event in self.all_events if event.name == "defended" and event.seat == TEACHER
        )

    def _ended_turns(self) -> int:
        return sum(1 for _ in self._mine("turn_ended"))
