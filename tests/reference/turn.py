"""Moves, Guide steps, returning, the end of a turn and collecting (R3, R4, R6.4, R7, R8.1, R9.2).

The functions change the state they are given; `engine` gives them a copy.
"""

from tests.reference.board import DIRECTIONS, GOLD, HAVEN, opponent, step
from tests.reference.legality import energy_of, guide_steps, occupied_hexes, walks
from tests.reference.state import State, begin_turn

# R3.1 and R9.2: the Energy for 0 to 4 Wells.
COLLECTING = {
    "": (14, 18, 22, 25, 28),
    "I": (16, 20, 24, 27, 30),
    "II": (18, 22, 26, 29, 32),
}


def spend(state: State, house: str, amount: int) -> None:
    """Take Energy that is known to be there."""
    state.energy[house] = energy_of(state, house) - amount


def pay_walk(state: State, name: str, place: str, *, a_step: int) -> None:
    """R4.2 and R5.5: walk to a hex and pay each step."""
    origin = state.warriors[state.active][name]
    assert origin is not None
    spend(state, state.active, walks(state, state.active, origin)[place] * a_step)
    state.warriors[state.active][name] = place


def walk(state: State, name: str, place: str) -> None:
    """R4."""
    pay_walk(state, name, place, a_step=1)
    state.moved.add(name)


def kite(state: State, name: str, place: str) -> None:
    """M2.1; M2.2 counts who leaves the Haven."""
    if state.warriors[state.active][name] in HAVEN[state.active]:
        state.winds_out += 1
    state.warriors[state.active][name] = place
    state.moved.add(name)


def step_guide(state: State, place: str) -> None:
    """R6.4: one owed step."""
    state.guide[state.active] = place
    state.owed -= 1


def return_fallen(state: State, name: str, place: str) -> None:
    """R7.1."""
    if place == "guide":
        state.guide_used = True
        state.warriors[state.active][name] = state.guide[state.active]
    else:
        state.warriors[state.active][name] = place
    state.returning = True


def default_guide_step(state: State) -> str:
    """R6.4: the step the server takes for a player who chose none."""
    house = state.active
    guide = state.guide[house]
    if guide is None:
        return HAVEN[house][3]
    legal = guide_steps(state)
    sign = 1 if house == GOLD else -1
    for dq, dr in DIRECTIONS:
        ahead = step(guide, (sign * dq, sign * dr))
        if ahead in legal:
            return ahead
    raise AssertionError("some neighbour is always closer")


def default_returns(state: State) -> None:
    """R7.2: in slot order, on the own slot if it is empty, else on the lowest empty one."""
    warriors = state.warriors[state.active]
    slots = HAVEN[state.active]
    for name in warriors:
        if warriors[name] is None:
            occupied = occupied_hexes(state)
            own = slots[int(name[1:]) - 1]
            empty = [slot for slot in slots if slot not in occupied]
            warriors[name] = own if own in empty else empty[0]


def end_turn(state: State) -> None:
    """R3.3, R6.4, R7, R9.2: the rest of the turn, then the opponent's turn begins."""
    while state.owed:
        step_guide(state, default_guide_step(state))
    default_returns(state)
    spend(state, state.active, -state.handicap[state.active])  # R9.2
    state.turns_ended += 1
    state.active = opponent(state.active)
    if state.active == state.starter:
        state.round += 1
    begin_turn(state)
    collect(state)


def collect(state: State) -> None:
    """R3.1, R8.1, and R9.2 for the boards."""
    house = state.active
    held = len(state.arena.wells & set(state.warriors[house].values()))
    if held >= 5:
        state.energy[house] = None
        state.winner, state.reason = house, "wells"
        return
    first_of_second_player = state.from_setups and state.turns_ended == 1
    board = "" if first_of_second_player else state.board[house]
    state.energy[house] = COLLECTING[board][held]
