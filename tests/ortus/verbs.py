"""What a test does with a drawn position: play orders, ask what is legal and why not.

Everything is said in notation. A warrior is named as in a drawing: ``W3`` is Gold's, ``w3`` is
Black's.
"""

from __future__ import annotations

from notation.orders import Decision
from notation.reading import parse_order, parse_orders
from pbem.games.ortus.arena import get_arena
from pbem.games.ortus.figures import COLLECTING, LEVELS, STARTER_ENERGY
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.geometry import is_covered, is_shielded, share_hexline
from pbem.games.ortus.hexes import BLACK, GOLD, OFF_BOARD, get_hex, hex_name
from pbem.games.ortus.illegal import Illegal
from pbem.games.ortus.legality import check
from pbem.games.ortus.orders import action_text, to_action
from pbem.games.ortus.position import Position, Rules, opening
from pbem.games.ortus.turn import decide, perform
from tests.ortus.drawing import DEFAULT_SETUP, HOUSES


def first_turn(
    gold: str = DEFAULT_SETUP,
    black: str = DEFAULT_SETUP,
    *,
    level: str = "master",
    arena: str = "origin",
    starter: str = "gold",
    starter_energy: int = STARTER_ENERGY,
    bonus: tuple[int, int] = (0, 0),
    collecting: tuple[tuple[int, ...], tuple[int, ...]] = (COLLECTING, COLLECTING),
) -> Position:
    """The first turn of a game from these set-ups."""
    rules = Rules(
        arena=get_arena(arena),
        level=LEVELS.index(level),
        elements=(gold, black),
        bonus=bonus,
        collecting=collecting,
        starter=HOUSES.index(starter),
    )
    return opening(rules, starter_energy=starter_energy)


def play(position: Position, orders: str, *, face: int | None = None) -> Position:
    """The position after these orders and decisions, ``"W3 rng G4; G4-; end"``.

    A defence takes as many decisions in a row as it has victims. ``face`` is what the die of every
    attack shows. Orders of several turns may follow each other.
    """
    answers: dict[str, bool] = {}
    steps = [step for part in orders.split(";") for step in parse_orders(part)]
    for order in (step.order for step in steps):
        if isinstance(order, Decision):
            assert position.question is not None, f"nothing to decide at {order}"
            victims = [hex_name(victim.hex) for victim in position.question.victims]
            assert order.victim in victims, f"{order.victim} is not one of {victims}"
            answers[order.victim] = order.saved
            if len(answers) == len(victims):
                position = decide(position, [answers[victim] for victim in victims])
                answers = {}
            continue
        assert not answers, f"undecided victims at {order}"
        action = to_action(position, order)
        rolls = position.rules.dicey and action_is_attack(action.verb)
        position = perform(position, action, face=face if rolls else None)
    assert not answers, "undecided victims"
    return position


def action_is_attack(verb: str) -> bool:
    return verb in {"str", "rng", "chg", "wave", "six", "drg"}


def legal(position: Position, prefix: str = "") -> set[str]:
    """The canonical texts of all legal actions that begin so."""
    texts = [action_text(position, action) for action in legal_actions(position)]
    assert len(texts) == len(set(texts)), "an action is listed twice"
    return {text for text in texts if text.startswith(prefix)}


def refusal(position: Position, order: str) -> str:
    """The code with which an order is refused; it must be missing from the legal actions too."""
    try:
        action = to_action(position, parse_order(order))
        check(position, action)
    except Illegal as reason:
        assert order not in legal(position), f"{order} is listed as legal"
        return reason.code
    raise AssertionError(f"{order} is legal")


def cost(position: Position, order: str) -> int:
    """The Energy that a legal order costs; it must be among the legal actions too."""
    action = to_action(position, parse_order(order))
    price = check(position, action)
    assert action_text(position, action) in legal(position), f"{order} is not listed as legal"
    return price


def _find(position: Position, warrior: str) -> tuple[int, int]:
    house = GOLD if warrior.isupper() else BLACK
    slot = int(warrior[1]) - 1
    assert position.rules.warrior_name(house, slot) == warrior.upper(), f"there is no {warrior}"
    return house, slot


def where(position: Position, warrior: str) -> str | None:
    """The hex of a warrior; None for a Fallen."""
    house, slot = _find(position, warrior)
    hex_ = position.hexes[house][slot]
    return None if hex_ == OFF_BOARD else hex_name(hex_)


def guides(position: Position) -> tuple[str | None, str | None]:
    """The hexes of both Guides."""
    gold, black = (None if hex_ == OFF_BOARD else hex_name(hex_) for hex_ in position.guide)
    return gold, black


def asked(position: Position) -> list[tuple[str, int]] | None:
    """The victims of the open defence with the Power of each; None when nothing is open."""
    if position.question is None:
        return None
    return [(hex_name(victim.hex), victim.power) for victim in position.question.victims]


def hexline(position: Position, a: str, b: str) -> bool:
    """Whether two hexes with warriors share a Hexline."""
    return share_hexline(position, get_hex(a), get_hex(b))


def covered(position: Position, warrior: str) -> bool:
    """Whether a warrior is covered."""
    return is_covered(position, *_find(position, warrior))


def shielded(position: Position, warrior: str) -> bool:
    """Whether a warrior is shielded."""
    return is_shielded(position, *_find(position, warrior))


def winner(position: Position) -> tuple[str, str] | None:
    """The House that has won and how; None while the game goes on."""
    if position.winner is None:
        return None
    assert position.reason is not None, "a win has a reason"
    return HOUSES[position.winner], position.reason
