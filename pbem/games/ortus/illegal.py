"""Why an action cannot be done: a stable code for each reason, with the clause it rests on.

What a player reads is made from the code and the facts by ``messages``.
"""

from __future__ import annotations

from typing import Final

CLAUSES: Final = {
    "wrong_letter": "N1.2",
    "landing_open": "N1.4",
    "not_an_action": "N1",
    "game_over": "R8",
    "defence_open": "R6.1",
    "no_defence_open": "R6.1",
    "returning_begun": "R7.1",
    "warrior_fallen": "R3.2",
    "already_moved": "R3.2",
    "must_fly": "M2.1",
    "cannot_fly": "M2.1",
    "no_slide_there": "M2.1",
    "no_slide": "M2.1",
    "one_wind_first_turn": "M2.2",
    "no_step": "R4.2",
    "hex_taken": "R4.1",
    "hex_core": "R1.2",
    "hex_cut": "R1.6",
    "hex_opposing_haven": "R4.1",
    "no_walk": "R4.2",
    "too_dear": "R3.2",
    "not_from_arena": "R5.1",
    "attacker_in_haven": "R5.1",
    "already_attacked": "R3.2",
    "verb_not_for_element": "R5",
    "target_empty": "R5.2",
    "target_own": "R5.2",
    "target_in_haven": "R5.2",
    "target_covered": "M3.1",
    "strike_not_next": "R5.3",
    "strike_not_next_at_start": "R5.3",
    "target_is_neighbour": "R5.4",
    "no_path": "R5.4",
    "charge_after_move": "R5.5",
    "landing_not_next": "R5.5",
    "landing_not_arena": "R5.5",
    "no_landing": "R5.5",
    "dragons_pair": "M5.3",
    "dragons_spent": "M5.3",
    "dragons_no_hexline": "M5.3",
    "dragons_too_close": "M5.3",
    "no_guide_step_owed": "R6.4",
    "guide_not_in_haven": "R6.4",
    "guide_not_closer": "R6.4",
    "not_fallen": "R7.1",
    "return_not_haven": "R7.1",
    "return_taken": "R7.1",
    "no_guide": "R7.1",
    "guide_taken": "R7.1",
    "guide_used": "R7.1",
    "guide_owed": "R7.1",
    "guide_on_cut": "R1.6",
    "saves_too_dear": "R6.1",
    "claim_too_early": "R8.3",
    "claim_switched_off": "R8.3",
}
"""Every code, with the clause it cites."""


class Illegal(Exception):
    """An action that the rules do not allow now.

    ``facts`` are what the message needs: names, hexes, ``cost`` and ``energy`` where they apply.
    """

    def __init__(self, code: str, **facts: object) -> None:
        self.code = code
        self.clause = CLAUSES[code]
        self.facts = facts
        details = ", ".join(f"{name}={value}" for name, value in facts.items())
        super().__init__(f"{code} ({self.clause}){': ' + details if details else ''}")


class Ambiguous(Illegal):
    """Orders that fit several actions; ``facts`` say which."""
