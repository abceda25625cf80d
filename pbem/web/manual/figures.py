"""The drawn examples of the help pages: their orders are played by the real rules, then drawn.

So an arrow goes where the warrior goes, and what an example says is refused is refused, in the
words a player would read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from notation.orders import Plan
from notation.position_line import parse_position
from notation.reading import parse_orders
from notation.standing import parse_standing
from pbem.diagrams.details import detail_svg, floor_svg, pieces_svg
from pbem.diagrams.page_theme import page_theme
from pbem.games.base import Refused, Start
from pbem.games.ortus.actions import ATTACKS, WAVE, Action
from pbem.games.ortus.arena import Arena, get_arena, make_arena
from pbem.games.ortus.dice import SEED_BYTES
from pbem.games.ortus.drawing import Trace, draw_board, draw_position, trace_action, trace_question
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.hexes import BLACK, GOLD, HAVENS, hex_name, members
from pbem.games.ortus.orders import to_action
from pbem.games.ortus.plans import continue_plan
from pbem.games.ortus.position import Position, from_line
from pbem.games.ortus.rehearsing import say_rule
from pbem.games.ortus.turn import decide, perform
from pbem.games.scene import ArrowKind, Scene
from pbem.tongue import ENGLISH, Tongue
from pbem.web.manual.model import WHOLE, Figure

ORIGIN: Final = "origin"
RIFT: Final = "rift"
"""An arena with cuts, for an example of them."""


@dataclass(frozen=True, slots=True)
class Played:
    """An example played: the board before and after its orders, and what they did."""

    before: Position
    after: Position
    trace: Trace


@cache
def find_arena(name: str) -> Arena:
    """An arena of the examples. Raises KeyError."""
    if name != RIFT:
        return get_arena(name)
    wells = [hex_name(hex_) for hex_ in members(get_arena(ORIGIN).wells)]
    return make_arena(RIFT, wells=wells, cuts=["E8", "F8", "J8", "K8"])


def play_figure(figure: Figure) -> Played:
    """Play the orders of an example. Raises Illegal if they are not legal."""
    line = parse_position(figure.line)
    start = from_line(line, find_arena(line.arena))
    position, trace = start, Trace()
    plan: Plan = parse_orders(figure.orders) if figure.orders else ()
    answers = iter(figure.answers.split())
    while plan and position.winner is None and position.active == start.active:
        step, plan = plan[0], plan[1:]
        before, action = position, to_action(position, step.order)
        position = perform(before, action)
        hit = action.to
        while position.question is not None:
            trace += _trace_victims(position, action, hit)
            hit = position.question.victims[0].hex
            answer = next(answers, None)
            if answer is None:
                return Played(start, position, trace + trace_action(before, action, position))
            position = decide(position, [sign == "+" for sign in answer])
        if action.verb in ATTACKS:
            plan = continue_plan(step.branches, plan, position)
        trace += trace_action(before, action, position)
    return Played(start, position, trace)


def _trace_victims(position: Position, attack: Action, hit: int) -> Trace:
    """Arrows to those who are asked about; a wave comes from the one it hit before."""
    assert position.question is not None
    if attack.verb != WAVE:
        return trace_question(position, attack)
    victim = position.question.victims[0].hex
    if victim == hit:
        return Trace()
    return Trace(((hit, victim, ArrowKind.ATTACK),), frozenset({victim}))


def figure_scene(figure: Figure, *, tongue: Tongue = ENGLISH) -> Scene:
    """What an example shows."""
    played = play_figure(figure)
    shown = played.after if figure.after else played.before
    scene = draw_position(shown, trace=played.trace, tongue=tongue)
    path = figure.path.split()
    return replace(
        scene,
        pieces=() if figure.empty else scene.pieces,
        highlighted=tuple(path) if path else scene.highlighted,
        lines=tuple((a, b) for a, _, b in (pair.partition("-") for pair in figure.lines.split())),
        title=tongue.say(figure.caption).replace("`", ""),
        caption="",
        panels=(),
    )


def draw_figure(figure: Figure, *, tongue: Tongue = ENGLISH) -> str:
    """The picture of an example; the page has to hold the floor of its arena."""
    scene = figure_scene(figure, tongue=tongue)
    cells = () if figure.shown == WHOLE else figure.shown.split() or _taking_part(scene)
    return detail_svg(scene, floor_name(figure.arena), cells, theme=page_theme())


def _taking_part(scene: Scene) -> list[str]:
    """Everything but the Havens that something stands on or happens to."""
    havens = {hex_name(hex_) for house in (GOLD, BLACK) for hex_ in members(HAVENS[house])}
    named = [piece.cell for piece in scene.pieces if piece.cell not in havens]
    named += [end for arrow in scene.arrows for end in (arrow.source, arrow.target)]
    return [cell for cell in (*named, *scene.highlighted) if cell is not None]


def draw_shared(arenas: Iterable[str]) -> str:
    """What the pictures of a page refer to: pieces, and the empty boards of their arenas."""
    theme = page_theme()
    origin = draw_board(get_arena(ORIGIN))
    parts = [pieces_svg(theme=theme), floor_svg(origin, floor_name(ORIGIN), theme=theme)]
    for name in arenas:
        if name != ORIGIN:
            board = draw_board(find_arena(name))
            base = (origin, floor_name(ORIGIN))
            parts.append(floor_svg(board, floor_name(name), base=base, theme=theme))
    return "".join(parts)


def floor_name(arena: str) -> str:
    """The id of an empty board on a page."""
    return f"floor-{arena}"


def find_refusal(figure: Figure) -> Refused | None:
    """What a player would be told who wrote the refused orders of an example."""
    if not figure.refused:
        return None
    start = Start("example", {"position": figure.line}, bytes(SEED_BYTES))
    game = Ortus()
    state = game.start(start)
    seat = game.requests(state)[0].seat
    done = game.submit(state, seat, figure.refused)
    if not isinstance(done, Refused):
        raise ValueError(f"{figure.refused} is not refused")
    return done


def rule_meanings(text: str, *, tongue: Tongue = ENGLISH) -> tuple[tuple[str, str], ...]:
    """Standing rules, each with its meaning."""
    return tuple(say_rule(rule, tongue=tongue) for rule in parse_standing(text))
