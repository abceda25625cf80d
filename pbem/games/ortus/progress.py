"""What a submission does to a game: from one state to the next, with the events on the way.

The only code that rolls dice, reads standing rules and runs plans for real (N2.3, N3). Everything
it is handed has been checked by ``submissions``; a plan can still meet an order that this outcome
makes impossible, and then it stops there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from notation.orders import Branch, Plan
from notation.standing import format_standing
from notation.writing import format_order
from pbem.games.base import Event, Result
from pbem.games.ortus.actions import ATTACKS
from pbem.games.ortus.defence import StandingAnswer, find_standing_answer
from pbem.games.ortus.dice import face
from pbem.games.ortus.figures import rolled_face
from pbem.games.ortus.hexes import hex_name
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.legality import check
from pbem.games.ortus.orders import action_text, to_action
from pbem.games.ortus.plans import continue_plan, matches, named_verdicts
from pbem.games.ortus.position import Position
from pbem.games.ortus.state import OVER, SETUP, State, Waiting, open_play
from pbem.games.ortus.submissions import Submission, fault_of
from pbem.games.ortus.turn import decide, perform

BY_PLAYER = "player"
BY_DEFAULT = "default"
BY_NOBODY = "nobody"


class Progress:
    """Carries out one submission or decree; ``state`` and ``events`` are the result."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.events: list[Event] = []
        self._seat = seat

    def carry_out(self, submission: Submission) -> None:
        """Do all that a submission says, what accompanies it first."""
        self._set_aside(submission)
        match submission.kind:
            case "setup":
                self._place_setup(submission.setup)
            case "bid":
                self._bid(submission.bid)
            case "orders":
                self._lapse_offer()
                self._go_on(self._position(), submission.plan)
            case "decisions":
                self._lapse_offer()
                self._answer(submission.saves)
            case "resign":
                self.conclude(Result(1 - self._seat, "resignation"))
            case "accept":
                self.conclude(Result(None, "agreement"))
            case "claim":
                self.conclude(Result(None, "claim"))
        if submission.offers_draw and self.state.phase != OVER:
            self.state = replace(self.state, offers=self._offers(self._seat, is_open=True))
            self._note("draw_offered")

    def conclude(self, result: Result) -> None:
        """End the game; the winner's seat goes with the event, none with a draw."""
        self._drop_plan()
        self.state = replace(self.state, result=result, waiting=None, offers=(False, False))
        facts = {"winner": result.winner, "termination": result.termination}
        self.events.append(Event("game_ended", result.winner, facts))

    def stop_plan(self, reason: str) -> None:
        """Drop what waits of the plan of the House on turn (N2.3)."""
        position = self.state.position
        if self._drop_plan() and position is not None:
            self._tell(position.active, "plan_stopped", reason=reason)

    def _drop_plan(self) -> bool:
        """Forget what waits of a plan, and keep its branches for the record (N2.4)."""
        waiting, position = self.state.waiting, self.state.position
        if waiting is None or position is None:
            return False
        self.state = replace(self.state, waiting=None)
        if waiting.branches and position.question is not None:
            victims = tuple(hex_name(victim.hex) for victim in position.question.victims)
            self._tell(
                position.active,
                "plan_dropped",
                unplayed=waiting.branches,
                rest=waiting.steps,
                victims=victims,
            )
        return bool(waiting.steps or waiting.branches)

    # -- notes ----------------------------------------------------------------------------------

    def _note(self, name: str, seat: int | None = None, **facts: object) -> None:
        self.events.append(Event(name, self._seat if seat is None else seat, facts))

    def _tell(self, seat: int, name: str, **facts: object) -> None:
        self.events.append(Event(name, seat, facts, only_for=seat))

    def note_rules(self, name: str, rules: str) -> None:
        """Standing rules were set; nobody else may know (N3.3)."""
        self._tell(self._seat, name, rules=rules)

    def _position(self) -> Position:
        assert self.state.position is not None
        return self.state.position

    # -- what accompanies -----------------------------------------------------------------------

    def _set_aside(self, submission: Submission) -> None:
        seat = self._seat
        if submission.standing is not None:
            rules = list(self.state.standing)
            rules[seat] = submission.standing
            self.state = replace(self.state, standing=(rules[0], rules[1]))
            self.note_rules("standing_rules_set", format_standing(submission.standing))
        if submission.declines_draw:
            self._lapse_offer()
            self._note("draw_declined")
        if submission.offers_draw:
            position = self.state.position
            if position is not None and position.active != seat:
                self.stop_plan("draw_offered")

    def _offers(self, seat: int, *, is_open: bool) -> tuple[bool, bool]:
        gold, black = self.state.offers
        return (is_open, black) if seat == 0 else (gold, is_open)

    def _lapse_offer(self) -> None:
        """The other side's offer stands until this side's next order or decision (R8.3)."""
        self.state = replace(self.state, offers=self._offers(1 - self._seat, is_open=False))

    # -- the opening ----------------------------------------------------------------------------

    def _place_setup(self, elements: str) -> None:
        self._lapse_offer()
        setups = list(self.state.setups)
        setups[self._seat] = elements
        self.state = replace(self.state, setups=(setups[0], setups[1]))
        self._note("setup_placed")
        if self.state.phase == SETUP:
            return
        auction = self.state.auction()
        self._note("setups_shown", setups=self.state.setups, starter=auction.leader)
        if auction.bidder is None:
            self._open_play()

    def _bid(self, bid: int | None) -> None:
        self._lapse_offer()
        self.state = replace(self.state, bids=(*self.state.bids, bid))
        self._note("bid_made" if bid is not None else "bid_passed", bid=bid)
        if self.state.auction().bidder is None:
            self._open_play()

    def _open_play(self) -> None:
        self.state = open_play(self.state)
        position = self._position()
        self._note("turn_began", position.active, round=position.round, energy=position.energy)

    # -- a turn ---------------------------------------------------------------------------------

    def _go_on(self, position: Position, plan: Plan) -> None:
        """Play the orders of the House on turn until they end, fail, or ask for a defence."""
        house = position.active
        while plan and position.winner is None and position.active == house:
            step, rest = plan[0], plan[1:]
            try:
                action = to_action(position, step.order)
                cost = check(position, action)
            except Illegal as reason:
                self._tell(
                    house,
                    "plan_stopped",
                    reason="illegal",
                    order=format_order(step.order),
                    # No place: the plan may have been stored since, and its text is long gone.
                    fault=replace(fault_of(step, reason), line=None, column=None),
                )
                plan = ()
                break
            is_attack = action.verb in ATTACKS
            rolled = None
            if is_attack and position.rules.dicey:
                start = self.state.start
                rolled = face(start.seed, start.game_id, position.attacks + 1)
            after = perform(position, action, face=rolled)
            order = action_text(position, action)
            self._note(
                "acted",
                house,
                order=order,
                cost=cost,
                roll=None if rolled is None else rolled_face(action.verb, rolled),
                round=position.round,
            )
            if is_attack:
                self.state = replace(self.state, attack=order)
                position, is_over = self._defend(after, known=0, by=BY_NOBODY)
                if not is_over:
                    self._wait(position, step.branches, rest)
                    return
                plan = self._branch(position, step.branches, rest)
                continue
            if after.active != house:
                self._note("turn_ended", house)
                self._note(
                    "turn_began",
                    after.active,
                    round=after.round,
                    energy=after.energy,
                    wells=after.wells_held(after.active),
                )
            position, plan = after, rest
        self._wait(position, (), ())
        if position.winner is not None:
            assert position.reason is not None
            self.conclude(Result(position.winner, position.reason))

    def _wait(self, position: Position, branches: tuple[Branch, ...], rest: Plan) -> None:
        waiting = Waiting(rest, branches) if rest or branches else None
        attack = "" if position.question is None else self.state.attack
        self.state = replace(self.state, position=position, waiting=waiting, attack=attack)

    def _branch(self, position: Position, branches: Sequence[Branch], rest: Plan) -> Plan:
        """Choose what follows an attack, and keep what was not chosen for the record (N2.4)."""
        if branches:
            verdicts = named_verdicts(position)
            taken = next((b for b in branches if matches(b.guard, verdicts)), None)
            unplayed = tuple(branch for branch in branches if branch is not taken)
            self._tell(position.active, "plan_branched", unplayed=unplayed, rest=rest, victims=())
        return continue_plan(branches, rest, position)

    # -- defending ------------------------------------------------------------------------------

    def _defend(self, position: Position, *, known: int, by: str) -> tuple[Position, bool]:
        """Note what is settled, let standing rules answer what they can (N3), and ask the rest.

        ``known`` verdicts were noted before. The second value tells whether the attack is over.
        """
        defender = position.passive
        while True:
            settled = named_verdicts(position)[known:]
            if settled:
                self._note("defended", defender, verdicts=settled, by=by)
                known += len(settled)
            if position.question is None:
                return position, True
            answer = find_standing_answer(position, self.state.rulebook(defender))
            if answer is None:
                self._note_question(position)
                return position, False
            self._tell_rules(position, answer)
            position, by = decide(position, answer.saves), BY_PLAYER

    def _tell_rules(self, position: Position, answer: StandingAnswer) -> None:
        """The defender, and nobody else, is told which rule answered (N3.4)."""
        assert position.question is not None
        rules = tuple(format_standing((rule,)) for rule in answer.rules)
        hexes = tuple(hex_name(victim.hex) for victim in position.question.victims)
        self._tell(position.passive, "rules_answered", rules=rules, hexes=hexes)

    def _note_question(self, position: Position) -> None:
        question, house = position.question, position.passive
        assert question is not None
        victims = tuple(
            (
                position.rules.warrior_name(house, victim.slot),
                hex_name(victim.hex),
                victim.power,
            )
            for victim in question.victims
        )
        self.state = replace(self.state, asked=self.state.asked + 1)
        self._note("defence_asked", house, victims=victims, energy=position.energy[house])

    def answer_by_default(self, saves: Sequence[bool]) -> None:
        """Answer for a defender whose time is over: by rules left meanwhile, else as agreed."""
        position = self._position()
        answer = find_standing_answer(position, self.state.rulebook(self._seat))
        if answer is None:
            self._answer(saves, by=BY_DEFAULT)
        else:
            self._tell_rules(position, answer)
            self._answer(answer.saves)

    def _answer(self, saves: Sequence[bool], *, by: str = BY_PLAYER) -> None:
        before = self._position()
        waiting = self.state.waiting or Waiting(())
        after = decide(before, saves)
        position, is_over = self._defend(after, known=len(before.verdicts), by=by)
        if not is_over:
            self._wait(position, waiting.branches, waiting.steps)
            return
        self._go_on(position, self._branch(position, waiting.branches, waiting.steps))
