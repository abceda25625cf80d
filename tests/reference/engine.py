"""The reference engine as the outside sees it: one game, played by strings.

What is legal is decided in `legality`; `turn` and `attacks` make the changes.
"""

from typing import Any, Self

from tests.reference.attacks import ATTACK_VERBS, attack, settle
from tests.reference.board import HOUSES, opponent
from tests.reference.legality import energy_of, legal_actions
from tests.reference.state import (
    RefusedError,
    State,
    copied,
    find_arena,
    position_line,
    state_from_position,
    state_from_setups,
)
from tests.reference.turn import end_turn, kite, return_fallen, step_guide, walk


def read_decision(text: str) -> dict[str, bool]:
    """Victims with True for saved, from a canonical answer such as `G4+ G5-`."""
    words = text.split()
    if not words or any(word[-1] not in "+-" for word in words):
        raise RefusedError(f"not a decision: {text!r}")
    return {word[:-1]: word.endswith("+") for word in words}


class Reference:
    """One game, played by strings."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._legal: list[str] | None = None

    @classmethod
    def from_setups(
        cls,
        *,
        gold_setup: str,
        black_setup: str,
        starter: str = "gold",
        starter_energy: int = 7,
        level: str = "master",
        arena: str = "origin",
        wells: list[str] | None = None,
        cuts: list[str] | None = None,
        dicey: bool = False,
        handicap: dict[str, int] | None = None,
        handicap_board: dict[str, str] | None = None,
    ) -> Self:
        """A new game; `wells` (and `cuts`) make an arena of one's own."""
        state = state_from_setups(
            gold_setup=gold_setup,
            black_setup=black_setup,
            starter=starter,
            starter_energy=starter_energy,
            arena=find_arena(arena, wells, cuts),
            level=level,
            dicey=dicey,
        )
        return cls(state)._with_handicaps(handicap, handicap_board)

    @classmethod
    def from_position(
        cls,
        line: str,
        *,
        wells: list[str] | None = None,
        cuts: list[str] | None = None,
        dicey: bool = False,
        handicap: dict[str, int] | None = None,
        handicap_board: dict[str, str] | None = None,
    ) -> Self:
        """A game that begins from a position line."""
        arena = None if wells is None else find_arena(line.split(maxsplit=1)[0], wells, cuts)
        state = state_from_position(line, arena=arena, dicey=dicey)
        return cls(state)._with_handicaps(handicap, handicap_board)

    def _with_handicaps(self, extra: dict[str, int] | None, boards: dict[str, str] | None) -> Self:
        """R9.2: `+N` and a board exclude each other."""
        if any((extra or {}).values()) and any((boards or {}).values()):
            raise RefusedError("a game has an extra or a board, not both")
        self.state.handicap.update(extra or {})
        self.state.board.update(boards or {})
        return self

    def legal(self) -> list[str]:
        """All legal actions, sorted; none while a defence is open or when the game is over."""
        if self._legal is None:
            self._legal = legal_actions(self.state)
        return list(self._legal)

    def act(self, text: str, face: int | None = None) -> None:
        """Play one canonical action; `face` is the face index of a dicey attack (R9.1)."""
        if text not in self.legal():
            raise RefusedError(f"not legal: {text!r}")
        words = text.split()
        verb = words[1] if len(words) > 1 else ""
        rolls = self.state.dicey and verb in ATTACK_VERBS
        if rolls != (face is not None):
            raise RefusedError(
                f"a roll {'is missing' if rolls else 'does not belong here'}: {text}"
            )
        state = copied(self.state)
        if verb in ATTACK_VERBS:
            attack(state, words[0].split("+"), verb, words[2], face)
        elif verb == "ret":
            return_fallen(state, words[0], words[2])
        elif text == "end":
            end_turn(state)
        elif text.startswith("guide>"):
            step_guide(state, text.removeprefix("guide>"))
        elif ":kite>" in text:
            kite(state, *text.split(":kite>"))
        else:
            walk(state, *text.split(">"))
        self.state, self._legal = state, None

    def decide(self, text: str) -> None:
        """Answer the open defence (R6.1, R6.2)."""
        pending = self.state.pending
        if pending is None:
            raise RefusedError("no defence is open")
        answers = read_decision(text)
        if set(answers) != {victim for victim, _ in pending.victims}:
            raise RefusedError(f"{text!r} does not answer for {pending.victims}")
        cost = sum(power for victim, power in pending.victims if answers[victim])
        if cost > energy_of(self.state, opponent(self.state.active)):
            raise RefusedError(f"{text!r} cannot be paid")
        state = copied(self.state)
        settle(state, saved={victim for victim, save in answers.items() if save})
        self.state, self._legal = state, None

    def quiet_rounds(self) -> int:
        """R8.3: complete rounds since the one in which a warrior last fell, or since the start."""
        state = self.state
        first = state.first_whole_round if state.last_fall is None else state.last_fall + 1
        return max(0, state.round - first)

    def may_claim_draw(self) -> bool:
        """R8.3."""
        return self.state.pending is None and not self.state.winner and self.quiet_rounds() >= 25

    def position(self) -> str:
        """The position line; it tells everything only at the start of a turn."""
        return position_line(self.state)

    def after(self) -> dict[str, Any]:
        """The state in the form of the conformance vectors."""
        state = self.state
        pending = state.pending
        return {
            "turn": state.round,
            "active": state.active,
            "energy": {house: state.energy[house] for house in HOUSES},
            "honour": dict(state.honour),
            "guide": dict(state.guide),
            **{house: dict(state.warriors[house]) for house in HOUSES},
            "pending": None if pending is None else [list(victim) for victim in pending.victims],
            "winner": state.winner,
            "reason": state.reason,
        }
