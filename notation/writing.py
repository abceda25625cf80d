"""Writes orders and plans in canonical form, on one line (N1.3: writing is canonical).

The inverse of ``reading.py``: what is written here reads as the same orders. Standing rules are
written by ``standing.py``.
"""

from __future__ import annotations

from notation.orders import (
    Attack,
    Bid,
    Branch,
    Decision,
    DrawAnswer,
    DrawClaim,
    DrawOffer,
    End,
    Guard,
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


def format_order(order: Order) -> str:  # noqa: PLR0911, PLR0912 - one line for each kind of order
    """Write one order."""
    match order:
        case Walk(who, to):
            return f"{who}>{to}"
        case Kite(who, to):
            return f"{who}:kite>{to}"
        case Attack():
            return _format_attack(order)
        case GuideStep(to):
            return f"guide>{to}"
        case Return(who, to):
            return f"{who} ret {to}"
        case End():
            return "end"
        case Decision():
            return _format_decision(order)
        case Setup(elements):
            return f"setup {elements}"
        case Bid(energy):
            return f"bid {energy}"
        case Pass():
            return "pass"
        case Resign():
            return "resign"
        case DrawOffer():
            return "draw?"
        case DrawAnswer(accepted):
            return "draw+" if accepted else "draw-"
        case DrawClaim():
            return "claim draw"
        case Standing(rules):
            from notation.standing import format_standing  # noqa: PLC0415 - rarely needed

            return f"standing: {format_standing(rules)}"


def format_plan(plan: Plan) -> str:
    """Write a plan, on one line unless it holds ``standing:``, which takes the rest of its line."""
    text = ""
    previous: Order | None = None
    for step in plan:
        text += _between(previous, step.order) + _format_step(step)
        previous = step.order
    return text


def _between(previous: Order | None, order: Order) -> str:
    if previous is None:
        return ""
    if isinstance(previous, Standing):
        return "\n"
    # The answer to one question is written as one: ``G4+ G5-`` (N1.5).
    return " " if _names_hex(previous) and _names_hex(order) else "; "


def _names_hex(order: Order) -> bool:
    return isinstance(order, Decision) and order.victim not in (None, "all")


def _format_step(step: Step) -> str:
    text = format_order(step.order)
    if not step.branches:
        return text
    return f"{text} [{' | '.join(map(_format_branch, step.branches))}]"


def _format_branch(branch: Branch) -> str:
    return f"{_format_guard(branch.guard)}: {format_plan(branch.steps)}".rstrip()


def _format_guard(guard: Guard) -> str:
    if not guard.verdicts:
        return "*"
    return ",".join(
        f"{hex_name or ''}{'+' if saved else '-'}" for hex_name, saved in guard.verdicts
    )


def _format_attack(attack: Attack) -> str:
    who = [attack.who] if attack.who else []
    if attack.partner:
        # The lower slot first (M5.3); a slot is the last character of a name.
        who = sorted([*who, attack.partner], key=lambda name: name[-1])
    landing = f"@{attack.landing}" if attack.landing else ""
    return " ".join([*(["+".join(who)] if who else []), attack.verb, attack.target + landing])


def _format_decision(decision: Decision) -> str:
    if decision.victim is None:
        return "block" if decision.saved else "fall"
    if decision.victim == "all":
        return "block all" if decision.saved else "fall all"
    return f"{decision.victim}{'+' if decision.saved else '-'}"
