"""What a player reads when something is refused: one sentence for each code, in one table.

The sentences take their facts by name. They are written for the player who made the mistake: what
is wrong, and what would do.
"""

from __future__ import annotations

from typing import Final, cast

from pbem.games.base import Fault
from pbem.tongue import ENGLISH, N_, Tongue

SENTENCES: Final = {
    # reading an order against the board
    "wrong_letter": N_("{written} is not one of your warriors: slot {warrior[1]} holds {warrior}."),
    "landing_open": N_("More than one landing is possible for {hex}: {landings}. Say which."),
    "not_an_action": N_("`{order}` cannot be part of a turn."),
    # the state of the turn
    "game_over": N_("The game is over."),
    "defence_open": N_("Your attack is being defended; wait for the answer."),
    "no_defence_open": N_("No attack of your opponent waits for your answer."),
    "returning_begun": N_(
        "A Fallen has been put back already: no more moves or attacks this turn."
    ),
    "too_dear": N_("That costs {cost} Energy, and you have {energy}."),
    # moving
    "warrior_fallen": N_("{warrior} is Fallen: it can only be put back, with `{warrior} ret`."),
    "already_moved": N_("{warrior} has moved already this turn."),
    "must_fly": N_("{warrior} does not walk at this level: it flies, as `{warrior}:kite>E7`."),
    "cannot_fly": N_("{warrior} cannot fly; only Wind flies, from level wind on."),
    "no_slide_there": N_("{warrior} cannot fly to {hex}. Its flights end on: {ends}."),
    "no_slide": N_("{warrior} cannot fly to {hex}, nor anywhere else from where it stands."),
    "one_wind_first_turn": N_(
        "In the first turn of the game only one Wind warrior may leave the Haven."
    ),
    "no_step": N_("{warrior} stands on {hex} already."),
    "hex_taken": N_("A warrior stands on {hex}."),
    "hex_core": N_("{hex} is the Core; nobody may stand on it."),
    "hex_cut": N_("{hex} is cut out of this arena."),
    "hex_opposing_haven": N_("{hex} is in your opponent's Haven, which you cannot enter."),
    "no_walk": N_("There is no way for {warrior} to walk to {hex}."),
    # attacking
    "not_from_arena": N_(
        "{warrior} was not on the Arena when this turn began, so it cannot attack."
    ),
    "attacker_in_haven": N_("{warrior} stands in the Haven and cannot attack from there."),
    "already_attacked": N_("{warrior} has attacked already this turn."),
    "verb_not_for_element": N_("{warrior} has no `{verb}` at this level."),
    "target_empty": N_("Nobody stands on {hex}."),
    "target_own": N_("Your own warrior stands on {hex}."),
    "target_in_haven": N_("The warrior on {hex} is safe in its Haven."),
    "target_covered": N_(
        "{target} on {hex} is covered: none of your Earth warriors shares a Hexline with it."
    ),
    "strike_not_next": N_("{warrior} does not stand next to {hex}."),
    "strike_not_next_at_start": N_("{warrior} did not stand next to {hex} when this turn began."),
    "target_is_neighbour": N_(
        "{warrior} stands next to {hex}, and this attack needs an empty hex in between."
    ),
    "no_path": N_("There is no free way from {warrior} to {hex}."),
    "charge_after_move": N_("{warrior} has moved already; a charge needs its move as well."),
    "landing_not_next": N_("{landing} is not next to {hex}."),
    "landing_not_arena": N_("{landing} is in a Haven; a charge lands on the Arena."),
    "no_landing": N_("There is no free hex next to {hex} that can be walked to."),
    "dragons_pair": N_("The Dragons are your two Fires, {first} and {second}."),
    "dragons_spent": N_("{warrior} has no attack left to join the Dragons against {hex}."),
    "dragons_no_hexline": N_("{warrior} has no Hexline to {hex}."),
    "dragons_too_close": N_(
        "{warrior} stands next to {hex}; the Dragons need an empty hex between."
    ),
    # Guide and returning
    "no_guide_step_owed": N_("Your Guide has no step to make."),
    "guide_not_in_haven": N_("Your Guide starts on a hex of your own Haven: {steps}."),
    "guide_not_closer": N_(
        "{hex} is not one step closer to the Core. Your Guide can go to {steps}."
    ),
    "not_fallen": N_("{warrior} is not Fallen."),
    "return_not_haven": N_("{hex} is not in your Haven."),
    "return_taken": N_("A warrior stands on {hex}."),
    "no_guide": N_("Your Guide is not on the board yet."),
    "guide_taken": N_("A warrior stands on {hex}, where your Guide is."),
    "guide_used": N_("Only one Fallen a turn may go to the Guide."),
    "guide_owed": N_("Your Guide has steps to make first."),
    "guide_on_cut": N_("Your Guide stands on {hex}, which is cut out of this arena."),
    # defending
    "saves_too_dear": N_("Those saves cost {cost} Energy together, and you have {energy}."),
    "decided_twice": N_("You both save {hex} and let it fall."),
    "decision_missing": N_("You have not decided about {hexes}."),
    "which_victim": N_("Several warriors are attacked ({hexes}); say which, or `all`."),
    "not_a_victim": N_("No answer is asked for {hex}. Asked about: {hexes}."),
    # who is asked for what
    "not_your_turn": N_("It is not your turn."),
    "defend_first": N_("Your opponent's attack waits for your answer first."),
    "setup_first": N_("Your set-up is asked for, as `setup WFEAAEFW`."),
    "bid_first": N_("A bid is asked for: `bid` with a number, or `pass`."),
    "no_setup_now": N_("Set-ups are over."),
    "setup_already_in": N_("Your set-up is in already."),
    "no_bidding_now": N_("There is no bidding now."),
    "not_your_bid": N_("It is not your turn to bid."),
    "bid_not_lower": N_("A bid must be below {energy}; you bid {bid}."),
    "mixed_orders": N_("`{order}` is another kind of answer than what stands before it."),
    "must_stand_alone": N_("`{order}` must stand alone, without further orders."),
    "no_such_end": N_("The attack cannot end as `{guard}` says."),
    "plan_too_large": N_("This plan has more than {leaves} outcomes; make it shorter."),
    # standing rules and draws
    "standing_twice": N_("There are two `standing:` lines; write one."),
    "standing_before_setup": N_(
        "{warrior} cannot be named before your set-up is in; name an element."
    ),
    "offer_open": N_("Your draw offer is still open."),
    "no_offer": N_("Your opponent has not offered a draw."),
    "claim_too_early": N_("A draw can be claimed after {rounds} quiet rounds; there were {quiet}."),
    "claim_switched_off": N_("Draw claims are switched off in this game."),
    # records
    "not_canonical": N_("The canonical writing is `{canonical}`."),
    "roll_missing": N_("A dicey attack needs its roll."),
    "roll_in_clean_game": N_("There are no dice in this game."),
    "roll_impossible": N_("The die of this attack has no such face."),
    "roll_not_from_seed": N_("The seed gives {expected} for attack {attack}."),
    "verdict_mismatch": N_("The rules give `={expected}` here."),
    "verdict_missing": N_("The defence is not decided, and the game goes on."),
    "turn_not_ended": N_("The turn is not ended, and another begins."),
    "wrong_label": N_("This is turn {expected}."),
    "after_the_end": N_("The game is over before this order."),
    "result_mismatch": N_("The board says {expected}."),
    "bad_start": "{reason}",
    "seed_mismatch": N_("The seed does not fit its hash."),
}
"""One sentence for each code; a syntax error has ``found`` and ``expected`` instead."""

UNREADABLE: Final = N_("Found {found}, expected {expected}.")
END_OF_ORDERS: Final = N_("the end of the orders")
OTHER_VERBS: Final = N_("{warrior} has no `{verb}` at this level; its attacks: {verbs}.")


def explain(fault: Fault, *, tongue: Tongue = ENGLISH) -> str:
    """The sentence for a fault."""
    if fault.code.startswith("syntax_"):
        return _explain_syntax(fault, tongue)
    if fault.code == "verb_not_for_element" and fault.facts.get("verbs"):
        return tongue.say(OTHER_VERBS, **fault.facts)
    if fault.code == "guide_owed":
        return tongue.count(
            "Your Guide has one step to make first.",
            "Your Guide has {count} steps to make first.",
            cast(int, fault.facts["owed"]),
        )
    return tongue.say(SENTENCES[fault.code], **fault.facts)


def _explain_syntax(fault: Fault, tongue: Tongue) -> str:
    found, expected = str(fault.facts["found"]), str(fault.facts["expected"])
    if tongue.language != ENGLISH.language:
        from pbem.games.ortus.expectations import say_expected  # noqa: PLC0415 - seldom needed

        expected = say_expected(expected, tongue)
    shown = f"`{found}`" if found.strip() else tongue.say(END_OF_ORDERS)
    return tongue.say(UNREADABLE, found=shown, expected=expected)
