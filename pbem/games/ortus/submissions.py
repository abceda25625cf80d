"""A submission read against what its author may see: understood as a whole, or refused as a whole.

Works on a ``View`` only, so that a preview and the real thing make the same checks and neither
can see the other seat's secrets. Text that is no orders at all is refused by ``refusals``, where
every submission comes in; what it then does is ``progress``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from notation.orders import (
    Attack,
    Bid,
    Decision,
    DrawAnswer,
    DrawClaim,
    DrawOffer,
    End,
    GuideStep,
    Kite,
    Order,
    Pass,
    Plan,
    Resign,
    Return,
    Setup,
    Standing,
    Step,
    Walk,
)
from notation.reading import parse_orders
from notation.writing import format_order, format_plan
from pbem.games.base import Fault, Refused, Suggestion
from pbem.games.ortus.defence import saving_cost
from pbem.games.ortus.hexes import hex_name
from pbem.games.ortus.illegal import CLAUSES, Illegal
from pbem.games.ortus.plans import MAX_LEAVES, PlanCheck, PlanTooLarge, check_plan
from pbem.games.ortus.state import BID, DEFENCE, OVER, SETUP, TURN, Rulebook, View
from pbem.games.ortus.suggestions import (
    MAX_SUGGESTIONS,
    MAX_TRIED,
    brackets_fit,
    mend_plan,
    nearest_answers,
    nearest_orders,
)

ORDERS: Final = "orders"
DECISIONS: Final = "decisions"
RESIGN: Final = "resign"
CLAIM: Final = "claim"
ACCEPT: Final = "accept"
ASIDE: Final = "aside"
"""A submission of nothing but what may accompany any other: standing rules, offers, refusals."""


@dataclass(frozen=True, slots=True)
class Submission:
    """What was understood. Which fields are filled depends on ``kind``."""

    kind: str
    text: str
    plan: Plan = ()
    check: PlanCheck | None = None
    saves: tuple[bool, ...] = ()
    setup: str = ""
    bid: int | None = None
    standing: Rulebook | None = None
    offers_draw: bool = False
    declines_draw: bool = False


class Unfit(Exception):
    """A fault found on the way; carries it up to the one place that refuses."""

    suggestions: tuple[Suggestion, ...] = ()

    def __init__(self, code: str, clause: str, step: Step | None = None, **facts: object) -> None:
        place = step.place if step else None
        self.fault = Fault(
            code, clause, facts, place.line if place else None, place.column if place else None
        )
        super().__init__(code)


class Impossible(Exception):
    """A turn that cannot be played; carries the refusal with its suggestions."""

    def __init__(self, refused: Refused) -> None:
        self.refused = refused
        super().__init__()


_ACTIONS: Final = (Walk, Kite, Attack, GuideStep, Return, End)
_ALONE: Final = {Resign: RESIGN, DrawClaim: CLAIM, Setup: SETUP, Bid: BID, Pass: BID}


def _kind_of(order: Order) -> str:
    if isinstance(order, _ACTIONS):
        return ORDERS
    if isinstance(order, Decision):
        return DECISIONS
    if isinstance(order, DrawAnswer):
        return ACCEPT if order.accepted else ASIDE
    return _ALONE.get(type(order), ASIDE)


class Reader:
    """Sorts the orders of one submission and checks them against the view."""

    def __init__(self, view: View, plan: Plan) -> None:
        self._view = view
        self._plan = plan
        self._instead: list[str] = []

    def read(self) -> Submission:
        """What the submission means. Raises Unfit or Impossible."""
        if self._view.phase == OVER:
            raise Unfit("game_over", "R8")
        asides = [step for step in self._plan if _kind_of(step.order) == ASIDE]
        main = tuple(step for step in self._plan if _kind_of(step.order) != ASIDE)
        kind = self._main_kind(main)
        if kind == ACCEPT and any(isinstance(step.order, DrawAnswer) for step in asides):
            raise Unfit("mixed_orders", "N1", main[0], order=format_order(main[0].order))
        submission = Submission(
            kind,
            text="",
            standing=self._standing(asides, main),
            offers_draw=self._offers(asides),
            declines_draw=self._declines(asides),
        )
        try:
            submission = self._read_main(submission, main)
        except Unfit as unfit:
            unfit.suggestions = tuple(
                Suggestion(order, _with_asides(parse_orders(order), asides))
                for order in self._instead
            )
            raise
        return replace(submission, text=_with_asides(submission.plan or main, asides))

    def _read_main(self, submission: Submission, main: Plan) -> Submission:
        match submission.kind:
            case "orders":
                return self._read_turn(submission, main)
            case "decisions":
                return self._read_decisions(submission, main)
            case "setup":
                return replace(submission, setup=self._read_setup(main))
            case "bid":
                return replace(submission, bid=self._read_bid(main))
            case "claim":
                self._check_claim(main[0])
            case "accept":
                self._check_offer(main[0])
        return submission

    def _main_kind(self, main: Plan) -> str:
        if not main:
            return ASIDE
        kind = _kind_of(main[0].order)
        for step in main[1:]:
            if kind not in (ORDERS, DECISIONS):
                raise Unfit("must_stand_alone", "N1", main[0], order=format_order(main[0].order))
            if _kind_of(step.order) != kind:
                raise Unfit("mixed_orders", "N1", step, order=format_order(step.order))
        return kind

    # -- what may accompany anything ----------------------------------------------------------

    def _standing(self, asides: list[Step], main: Plan) -> Rulebook | None:
        setup = self._own_elements()
        if main and isinstance(main[0].order, Setup):
            setup = main[0].order.elements
        found: Rulebook | None = None
        for step in asides:
            if isinstance(step.order, Standing):
                if found is not None:
                    raise Unfit("standing_twice", "N3.1", step)
                found = step.order.rules
                self._check_named(step, found, setup)
        return found

    def _own_elements(self) -> str | None:
        if self._view.position is not None:
            return self._view.position.rules.elements[self._view.seat]
        return self._view.setups[self._view.seat]

    @staticmethod
    def _check_named(step: Step, rules: Rulebook, setup: str | None) -> None:
        for rule in rules:
            if rule.whom == "all" or rule.whom.endswith("*"):
                continue
            if setup is None:
                raise Unfit("standing_before_setup", "N3.1", step, warrior=rule.whom)
            warrior = f"{setup[int(rule.whom[1]) - 1]}{rule.whom[1]}"
            if warrior != rule.whom:
                raise Unfit(
                    "wrong_letter",
                    CLAUSES["wrong_letter"],
                    step,
                    written=rule.whom,
                    warrior=warrior,
                )

    def _offers(self, asides: list[Step]) -> bool:
        offers = [step for step in asides if isinstance(step.order, DrawOffer)]
        allowed = 0 if self._view.offers[self._view.seat] else 1
        if len(offers) > allowed:
            raise Unfit("offer_open", "R8.3", offers[allowed])
        return bool(offers)

    def _declines(self, asides: list[Step]) -> bool:
        declines = [step for step in asides if isinstance(step.order, DrawAnswer)]
        for step in declines:
            self._check_offer(step)
        return bool(declines)

    def _check_offer(self, step: Step) -> None:
        if not self._view.offers[1 - self._view.seat]:
            raise Unfit("no_offer", "R8.3", step)

    # -- the opening ----------------------------------------------------------------------------

    def _read_setup(self, main: Plan) -> str:
        step = main[0]
        assert isinstance(step.order, Setup)
        if self._view.phase != SETUP:
            raise Unfit("no_setup_now", "R2.2", step)
        if SETUP not in self._view.asked:
            raise Unfit("setup_already_in", "R2.2", step)
        return step.order.elements

    def _read_bid(self, main: Plan) -> int | None:
        step, auction = main[0], self._view.auction
        if self._view.phase != BID or auction is None:
            raise Unfit("no_bidding_now", "R9.4", step)
        if BID not in self._view.asked:
            raise Unfit("not_your_bid", "R9.4", step)
        if isinstance(step.order, Bid):
            if not 0 <= step.order.energy < auction.energy:
                self._instead = answers_to(self._view)
                raise Unfit(
                    "bid_not_lower", "R9.4", step, bid=step.order.energy, energy=auction.energy
                )
            return step.order.energy
        return None

    # -- defending ------------------------------------------------------------------------------

    def _read_decisions(self, submission: Submission, main: Plan) -> Submission:
        position = self._view.position
        if DEFENCE not in self._view.asked or position is None or position.question is None:
            raise Unfit("no_defence_open", CLAUSES["no_defence_open"], main[0])
        hexes = [hex_name(victim.hex) for victim in position.question.victims]
        answers: dict[str, bool] = {}
        self._instead = nearest_answers(position, answers)
        for step in main:
            assert isinstance(step.order, Decision)
            for hex_ in self._decided(step, step.order, hexes):
                if answers.setdefault(hex_, step.order.saved) != step.order.saved:
                    raise Unfit("decided_twice", "N1.5", step, hex=hex_)
            self._instead = nearest_answers(position, answers)
        missing = [hex_ for hex_ in hexes if hex_ not in answers]
        if missing:
            raise Unfit("decision_missing", "R6.2", main[-1], hexes=", ".join(missing))
        saves = tuple(answers[hex_] for hex_ in hexes)
        cost = saving_cost(position.question, saves)
        energy = position.energy[position.passive]
        if cost > energy:
            raise Unfit(
                "saves_too_dear", CLAUSES["saves_too_dear"], main[0], cost=cost, energy=energy
            )
        plan = tuple(Step(Decision(hex_, answers[hex_])) for hex_ in hexes)
        return replace(submission, saves=saves, plan=plan)

    @staticmethod
    def _decided(step: Step, order: Decision, hexes: list[str]) -> list[str]:
        if order.victim == "all":
            return hexes
        if order.victim is None:
            if len(hexes) > 1:
                raise Unfit("which_victim", "N1.5", step, hexes=", ".join(hexes))
            return hexes
        if order.victim not in hexes:
            raise Unfit("not_a_victim", "N1.5", step, hex=order.victim, hexes=", ".join(hexes))
        return [order.victim]

    def _check_claim(self, step: Step) -> None:
        position, rounds = self._view.position, self._view.options.claim_rounds
        if rounds is None:
            raise Unfit("claim_switched_off", CLAUSES["claim_switched_off"], step)
        if TURN not in self._view.asked or position is None:
            raise Unfit("not_your_turn", "R8.3", step)
        if position.quiet_rounds() < rounds:
            raise Unfit(
                "claim_too_early",
                CLAUSES["claim_too_early"],
                step,
                quiet=position.quiet_rounds(),
                rounds=rounds,
            )

    # -- a turn ---------------------------------------------------------------------------------

    def _read_turn(self, submission: Submission, main: Plan) -> Submission:
        position = self._view.position
        if position is None or TURN not in self._view.asked:
            raise Unfit(_why_no_turn(self._view), "R3", main[0])
        try:
            check = check_plan(position, main)
        except PlanTooLarge:
            raise Unfit("plan_too_large", "N2.2", main[0], leaves=MAX_LEAVES) from None
        if check.impossible:
            raise Impossible(self._refuse(check))
        return replace(submission, plan=canonical_plan(main, check), check=check)

    def _refuse(self, check: PlanCheck) -> Refused:
        faults = tuple(fault_of(found.step, found.reason) for found in check.impossible)
        first = check.impossible[0]
        tried = MAX_TRIED if len(check.outcomes) <= MAX_LEAVES // 8 else MAX_SUGGESTIONS
        mended = [
            (order, mend_plan(self._plan, first.step, order))
            for order in nearest_orders(first.position, first.step.order)[:tried]
        ]
        # An order that leaves the rest impossible is no help, unless several orders are wrong.
        mended = [(order, plan) for order, plan in mended if brackets_fit(plan)]
        helpful = [pair for pair in mended if self._is_playable(pair[1])]
        if len(faults) > 1:
            helpful = helpful or mended
        return Refused(
            faults,
            tuple(
                Suggestion(order, format_plan(plan)) for order, plan in helpful[:MAX_SUGGESTIONS]
            ),
        )

    def _is_playable(self, plan: Plan) -> bool:
        assert self._view.position is not None
        main = tuple(step for step in plan if _kind_of(step.order) != ASIDE)
        try:
            return not check_plan(self._view.position, main).impossible
        except PlanTooLarge:
            return False


def _why_no_turn(view: View) -> str:
    if DEFENCE in view.asked:
        return "defend_first"
    if SETUP in view.asked:
        return "setup_first"
    if BID in view.asked:
        return "bid_first"
    if view.phase == DEFENCE and view.position is not None and view.position.active == view.seat:
        return "defence_open"
    return "not_your_turn"


def _with_asides(main: Plan, asides: Sequence[Step]) -> str:
    """The canonical text: an answer to an offer first, the rest of what accompanies last."""
    before = tuple(step for step in asides if isinstance(step.order, DrawAnswer))
    behind = tuple(step for step in asides if not isinstance(step.order, DrawAnswer))
    return format_plan(before + main + behind)


def canonical_plan(plan: Plan, check: PlanCheck) -> Plan:
    """The plan with warriors and landings written out wherever all outcomes agree on them."""
    return tuple(
        replace(
            step,
            order=check.orders.get(id(step), step.order),
            branches=tuple(
                replace(branch, steps=canonical_plan(branch.steps, check))
                for branch in step.branches
            ),
        )
        for step in plan
    )


def fault_of(step: Step, reason: Illegal) -> Fault:
    """An illegal order as a fault with its place."""
    facts = {"order": format_order(step.order), **reason.facts}
    return Fault(reason.code, reason.clause, facts, step.place.line, step.place.column)


def answers_to(view: View) -> list[str]:
    """What a seat that is asked to defend or to bid could say."""
    if DEFENCE in view.asked and view.position is not None:
        return nearest_answers(view.position, {})
    if BID in view.asked and view.auction is not None:
        return [f"bid {view.auction.energy - 1}", "pass"]
    return []
