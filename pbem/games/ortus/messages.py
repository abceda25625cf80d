"""What a player reads when something is refused: one sentence for each code, in one table.

The sentences take their facts by name. They are written for the player who made the mistake: what
is wrong, and what would do.
"""

from __future__ import annotations

from typing import Final

from pbem.games.base import Fault
from pbem.tongue import ENGLISH, Tongue

SENTENCES: Final = {
    # reading an order against the board
    "wrong_letter": "{written} is not one of your warriors: slot {warrior[1]} holds {warrior}.",
    "landing_open": "More than one landing is possible for {hex}: {landings}. Say which.",
    "not_an_action": "`{order}` cannot be part of a turn.",
    # the state of the turn
    "game_over": "The game is over.",
    "defence_open": "Your attack is being defended; wait for the answer.",
    "no_defence_open": "No attack of your opponent waits for your answer.",
    "returning_begun": "A Fallen has been put back already: no more moves or attacks this turn.",
    "too_dear": "That costs {cost} Energy, and you have {energy}.",
    # moving
    "warrior_fallen": "{warrior} is Fallen: it can only be put back, with `{warrior} ret`.",
    "already_moved": "{warrior} has moved already this turn.",
    "must_fly": "{warrior} does not walk at this level: it flies, as `{warrior}:kite>E7`.",
    "cannot_fly": "{warrior} cannot fly; only Wind flies, from level wind on.",
    "no_slide_there": "{warrior} cannot fly to {hex}. Its flights end on: {ends}.",
    "one_wind_first_turn": (
        "In the first turn of the game only one Wind warrior may leave the Haven."
    ),
    "no_step": "{warrior} stands on {hex} already.",
    "hex_taken": "A warrior stands on {hex}.",
    "hex_core": "{hex} is the Core; nobody may stand on it.",
    "hex_cut": "{hex} is cut out of this arena.",
    "hex_opposing_haven": "{hex} is in your opponent's Haven, which you cannot enter.",
    "no_walk": "There is no way for {warrior} to walk to {hex}.",
    # attacking
    "not_from_arena": "{warrior} was not on the Arena when this turn began, so it cannot attack.",
    "attacker_in_haven": "{warrior} stands in the Haven and cannot attack from there.",
    "already_attacked": "{warrior} has attacked already this turn.",
    "verb_not_for_element": "{warrior} has no `{verb}` at this level{instead}.",
    "target_empty": "Nobody stands on {hex}.",
    "target_own": "Your own warrior stands on {hex}.",
    "target_in_haven": "The warrior on {hex} is safe in its Haven.",
    "target_covered": (
        "{target} on {hex} is covered: none of your Earth warriors shares a Hexline with it."
    ),
    "strike_not_next": "{warrior} does not stand next to {hex}.",
    "strike_not_next_at_start": "{warrior} did not stand next to {hex} when this turn began.",
    "target_is_neighbour": (
        "{warrior} stands next to {hex}, and this attack needs an empty hex in between."
    ),
    "no_path": "There is no free way from {warrior} to {hex}.",
    "charge_after_move": "{warrior} has moved already; a charge needs its move as well.",
    "landing_not_next": "{landing} is not next to {hex}.",
    "landing_not_arena": "{landing} is in a Haven; a charge lands on the Arena.",
    "no_landing": "There is no free hex next to {hex} that can be walked to.",
    "dragons_pair": "The Dragons are your two Fires, {first} and {second}.",
    "dragons_spent": "{warrior} has no attack left to join the Dragons against {hex}.",
    "dragons_no_hexline": "{warrior} has no Hexline to {hex}.",
    "dragons_too_close": "{warrior} stands next to {hex}; the Dragons need an empty hex between.",
    # Guide and returning
    "no_guide_step_owed": "Your Guide has no step to make.",
    "guide_not_in_haven": "Your Guide starts on a hex of your own Haven: {steps}.",
    "guide_not_closer": "{hex} is not one step closer to the Core. Your Guide can go to {steps}.",
    "not_fallen": "{warrior} is not Fallen.",
    "return_not_haven": "{hex} is not in your Haven.",
    "return_taken": "A warrior stands on {hex}.",
    "no_guide": "Your Guide is not on the board yet.",
    "guide_taken": "A warrior stands on {hex}, where your Guide is.",
    "guide_used": "Only one Fallen a turn may go to the Guide.",
    "guide_owed": "Your Guide has {owed} step(s) to make first.",
    "guide_on_cut": "Your Guide stands on {hex}, which is cut out of this arena.",
    # defending
    "saves_too_dear": "Those saves cost {cost} Energy together, and you have {energy}.",
    "decided_twice": "You both save {hex} and let it fall.",
    "decision_missing": "You have not decided about {hexes}.",
    "which_victim": "Several warriors are attacked ({hexes}); say which, or `all`.",
    "not_a_victim": "No answer is asked for {hex}. Asked about: {hexes}.",
    # who is asked for what
    "not_your_turn": "It is not your turn.",
    "defend_first": "Your opponent's attack waits for your answer first.",
    "setup_first": "Your set-up is asked for, as `setup WFEAAEFW`.",
    "bid_first": "A bid is asked for: `bid` with a number, or `pass`.",
    "no_setup_now": "Set-ups are over.",
    "setup_already_in": "Your set-up is in already.",
    "no_bidding_now": "There is no bidding now.",
    "not_your_bid": "It is not your turn to bid.",
    "bid_not_lower": "A bid must be below {energy}; you bid {bid}.",
    "mixed_orders": "`{order}` is another kind of answer than what stands before it.",
    "must_stand_alone": "`{order}` must stand alone, without further orders.",
    "no_such_end": "The attack cannot end as `{guard}` says.",
    "plan_too_large": "This plan has more than {leaves} outcomes; make it shorter.",
    # standing rules and draws
    "standing_twice": "There are two `standing:` lines; write one.",
    "standing_before_setup": "{warrior} cannot be named before your set-up is in; name an element.",
    "offer_open": "Your draw offer is still open.",
    "no_offer": "Your opponent has not offered a draw.",
    "claim_too_early": "A draw can be claimed after {rounds} quiet rounds; there were {quiet}.",
    "claim_switched_off": "Draw claims are switched off in this game.",
    # records
    "not_canonical": "The canonical writing is `{canonical}`.",
    "roll_missing": "A dicey attack needs its roll.",
    "roll_in_clean_game": "There are no dice in this game.",
    "roll_impossible": "The die of this attack has no such face.",
    "roll_not_from_seed": "The seed gives {expected} for attack {attack}.",
    "verdict_mismatch": "The rules give `={expected}` here.",
    "verdict_missing": "The defence is not decided, and the game goes on.",
    "turn_not_ended": "The turn is not ended, and another begins.",
    "wrong_label": "This is turn {expected}.",
    "after_the_end": "The game is over before this order.",
    "result_mismatch": "The board says {expected}.",
    "bad_start": "{reason}",
    "seed_mismatch": "The seed does not fit its hash.",
}
"""One English sentence for each code; a syntax error has ``found`` and ``expected`` instead."""

UNREADABLE: Final = "Found {found}, expected {expected}."


def explain(fault: Fault, *, tongue: Tongue = ENGLISH) -> str:
    """The sentence for a fault."""
    if fault.code.startswith("syntax_"):
        found = str(fault.facts["found"])
        shown = f"`{found}`" if found.strip() else "the end of the orders"
        return UNREADABLE.format(found=shown, expected=fault.facts["expected"])
    facts = dict(fault.facts)
    if fault.code == "verb_not_for_element":
        verbs = str(facts.get("verbs", ""))
        facts["instead"] = f"; it has {verbs}" if verbs else ""
    return tongue.say(SENTENCES[fault.code], **facts)
