"""What a seat is asked for, said so that it can be answered without looking anything up.

Owns set-ups, bids and turns; a defence, which has the most to explain, is ``defence_briefing``.
Knows only what the seat may see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.games.base import Answer, Briefing
from pbem.games.ortus.actions import ATTACKS, KITE, WALK, Action
from pbem.games.ortus.defence_briefing import brief_defence
from pbem.games.ortus.figures import SECOND_ENERGY
from pbem.games.ortus.generation import guide_steps, legal_actions
from pbem.games.ortus.hexes import CORE, HAVEN_SLOTS, OFF_BOARD, distance, hex_name
from pbem.games.ortus.legality import cheapest
from pbem.games.ortus.orders import action_text
from pbem.games.ortus.position import Position
from pbem.games.ortus.state import BID, DEFENCE, SETUP, TURN, State, View
from pbem.games.ortus.turn import default_guide_step, default_return
from pbem.games.ortus.words import house_name, listed, warrior
from pbem.tongue import ENGLISH, N_, Tongue

EXAMPLE_SETUPS: Final = ("setup WFEAAEFW", "setup FWEAAEWF")

ASK_SETUP: Final = N_("Your set-up")
SETUP_SLOTS: Final = N_(
    "Place your eight warriors in your Haven, on the slots 1 to 8 from your left to your right:"
    " {hexes}."
)
SETUP_LETTERS: Final = N_(
    "Write eight letters, one for each slot, each letter twice: W is Wind, E is Earth, A is Water,"
    " F is Fire."
)
SETUP_SECRET: Final = N_("Your opponent sees your set-up when both are in, not before.")

ASK_BID: Final = N_("Your bid for the first turn")
BID_STANDS: Final = N_("{house} would start with {energy} Energy; the other has {other}.")
BID_HOW: Final = N_("To start instead, bid less Energy; the lowest bid starts with what it bid.")
PASS_LABEL: Final = N_("Pass")
PASS_LEADS_TO: Final = N_("{house} starts with {energy} Energy, and you have {other}.")
BID_LABEL: Final = N_("Bid {energy}")
BID_LEADS_TO: Final = N_("You start with {energy} Energy, unless {house} bids less.")
BID_WINS: Final = N_("You start with no Energy: nobody can bid less.")

ASK_TURN: Final = N_("Your turn: round {round}, {energy} Energy")
TURN_GOES_ON: Final = N_("Your turn goes on: round {round}, {energy} Energy left")
FIRST_TURN: Final = N_("This is your first turn. You have {energy} Energy.")
HAVE_ENERGY: Final = N_("You have {energy} Energy for this turn.")
ENERGY_LEFT: Final = N_("You have {energy} Energy left in this turn.")
KEEP_SOME: Final = N_("What is left when the turn ends is all you have for defending.")
ONE_WIND: Final = N_("In this first turn only one of your Wind warriors may leave the Haven.")
GUIDE_NEXT: Final = N_("It can go to {hexes}, as in `guide>{hex}`; else the server moves it.")
GUIDE_FIRST: Final = N_(
    "It starts on a hex of your Haven, as in `guide>{hex}`; else the server puts it there."
)
FALLEN: Final = N_("Fallen: {warriors}.")
COMES_BACK: Final = N_(
    "What has fallen comes back when you end the turn; you may say where, as in `{name} ret {hex}`."
)
HOW_TO_END: Final = N_("Write `end` when your turn is over.")
MAY_CLAIM: Final = N_("No warrior has fallen for {rounds} rounds: you may write `claim draw`.")
DRAW_OFFERED: Final = N_("{house} offers a draw: `draw+` accepts it, `draw-` declines it.")


def brief_seat(state: State, seat: int, *, tongue: Tongue = ENGLISH) -> Briefing | None:
    """What a seat is asked for now; None if nothing."""
    view = state.view(seat)
    briefing = _brief(view, state.attack, tongue)
    if briefing is None or not view.offers[1 - seat]:
        return briefing
    offer = tongue.say(DRAW_OFFERED, house=house_name(tongue, 1 - seat))
    return Briefing(
        briefing.kind,
        briefing.headline,
        (*briefing.lines, offer),
        briefing.answers,
        briefing.examples,
    )


def _brief(view: View, attack: str, tongue: Tongue) -> Briefing | None:
    if SETUP in view.asked:
        return _brief_setup(view, tongue)
    if BID in view.asked:
        return _brief_bid(view, tongue)
    position = view.position
    if position is None:
        return None
    if TURN in view.asked:
        return _brief_turn(view, position, tongue)
    if DEFENCE in view.asked:
        return brief_defence(position, attack, tongue=tongue)
    return None


def _brief_setup(view: View, tongue: Tongue) -> Briefing:
    hexes = " ".join(hex_name(hex_) for hex_ in HAVEN_SLOTS[view.seat])
    return Briefing(
        SETUP,
        tongue.say(ASK_SETUP),
        (
            tongue.say(SETUP_SLOTS, hexes=hexes),
            tongue.say(SETUP_LETTERS),
            tongue.say(SETUP_SECRET),
        ),
        examples=EXAMPLE_SETUPS,
    )


def _brief_bid(view: View, tongue: Tongue) -> Briefing:
    """How the bidding stands and every bid that is left (R9.4)."""
    auction = view.auction
    assert auction is not None
    leader = house_name(tongue, auction.leader)
    facts = {"house": leader, "energy": auction.energy, "other": SECOND_ENERGY}
    answers = [Answer("pass", tongue.say(PASS_LABEL), (tongue.say(PASS_LEADS_TO, **facts),))]
    for energy in range(auction.energy - 1, -1, -1):
        led = tongue.say(BID_LEADS_TO, energy=energy, house=leader)
        answers.append(
            Answer(
                f"bid {energy}",
                tongue.say(BID_LABEL, energy=energy),
                (led if energy else tongue.say(BID_WINS),),
            )
        )
    return Briefing(
        BID,
        tongue.say(ASK_BID),
        (tongue.say(BID_STANDS, **facts), tongue.say(BID_HOW)),
        tuple(answers),
    )


def _brief_turn(view: View, position: Position, tongue: Tongue) -> Briefing:
    facts = {"round": position.round, "energy": position.energy[view.seat]}
    is_begun = bool(position.moved or position.attacked or position.returning)
    return Briefing(
        TURN,
        tongue.say(TURN_GOES_ON if is_begun else ASK_TURN, **facts),
        tuple(_turn_lines(view, position, is_begun, tongue)),
        examples=tuple(_examples(position)),
    )


def _turn_lines(view: View, position: Position, is_begun: bool, tongue: Tongue) -> Iterator[str]:
    seat, energy = view.seat, position.energy[view.seat]
    held = position.wells_held(seat)
    if is_begun:
        yield tongue.say(ENERGY_LEFT, energy=energy)
    elif position.round == 1 and position.rules.has_opening:
        yield tongue.say(FIRST_TURN, energy=energy)
    elif held:
        yield tongue.count(
            "You hold one Well and have {energy} Energy for this turn.",
            "You hold {count} Wells and have {energy} Energy for this turn.",
            held,
            energy=energy,
        )
    else:
        yield tongue.say(HAVE_ENERGY, energy=energy)
    yield tongue.say(KEEP_SOME)
    if position.is_first_turn and position.rules.level > 0:
        yield tongue.say(ONE_WIND)
    if position.owed:
        owed = tongue.count(
            "Your Guide has one step to make.",
            "Your Guide has {count} steps to make.",
            position.owed,
        )
        yield f"{owed} {_guide_choices(position, tongue)}"
    fallen = list(position.fallen(seat))
    if fallen:
        names = [warrior(tongue, position, seat, slot) for slot in fallen]
        back = tongue.say(
            COMES_BACK,
            name=position.rules.warrior_name(seat, fallen[0]),
            hex=hex_name(default_return(position, fallen[0])),
        )
        yield f"{tongue.say(FALLEN, warriors=listed(tongue, names))} {back}"
    rounds = view.options.claim_rounds
    if rounds is not None and position.quiet_rounds() >= rounds:
        yield tongue.say(MAY_CLAIM, rounds=position.quiet_rounds())
    yield tongue.say(HOW_TO_END)


def _guide_choices(position: Position, tongue: Tongue) -> str:
    if position.guide[position.active] == OFF_BOARD:
        return tongue.say(GUIDE_FIRST, hex=hex_name(default_guide_step(position)))
    steps = [hex_name(hex_) for hex_ in guide_steps(position)]
    return tongue.say(GUIDE_NEXT, hexes=listed(tongue, steps), hex=steps[0])


def _examples(position: Position) -> Iterator[str]:
    """Orders that could be sent as they are: an attack, a move, and the end of the turn."""
    actions = legal_actions(position, ends=position.rules.arena.wells)
    attacks = [action for action in actions if action.verb in ATTACKS]
    moves = _moves(actions) or _moves_inwards(position)
    if attacks:
        yield _example(position, attacks)
    if moves:
        yield f"{_example(position, moves)}; end"
    yield "end"


def _example(position: Position, actions: Sequence[Action]) -> str:
    """The first by its text of those that cost least."""
    return min(action_text(position, action) for action in cheapest(position, actions))


def _moves(actions: Sequence[Action]) -> list[Action]:
    return [action for action in actions if action.verb in (WALK, KITE)]


def _moves_inwards(position: Position) -> list[Action]:
    """The moves that end nearest to the Core."""
    moves = _moves(legal_actions(position))
    ways = {hex_: distance(hex_, CORE) for hex_ in {action.to for action in moves}}
    nearest = min(ways.values(), default=0)
    return [action for action in moves if ways[action.to] == nearest]
