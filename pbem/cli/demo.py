"""``pbem demo``: the core at work in the terminal, one turn of two players told step by step."""

from __future__ import annotations

from typing import Final, cast

import click
from rich.console import Console
from rich.panel import Panel

from pbem.diagrams.text import scene_text
from pbem.games.base import Accepted, Event, Refused, Start
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.state import State

POSITION: Final = (
    "origin master g 7 | 22 9 | 1 0 | K1 - "
    "| W1@F6 F2@I6 E3@F9 A4@J7 A5@L1 E6@M1 F7@I3 W8@O1 "
    "| W1@G11 F2@I11 E3@F12 A4@H11 A5@L8 E6@C15 F7@D12 W8@A15"
)
"""A lively middle game, for which the story below is written."""

STORY: Final = (
    (0, "F2 rng G11", "{who} tries an order that this level does not know."),
    (
        0,
        "W1 rng G11 [-: A4 six L8@K8; end | +: W1:kite>F8; end]",
        "{who} attacks, and says at once how the turn goes on after either answer.",
    ),
    (1, "standing: block F* <=4; ask all", "{who} leaves a rule for the next attacks."),
    (1, "-", "{who} lets the warrior fall. The plan goes on without another mail."),
    (1, "block L8", "{who} saves the next one, and the turn ends as it was planned."),
)


@click.command()
def demo() -> None:
    """Show the core at work: a board, a refusal, a plan that branches, a defence."""
    console = Console()
    game = Ortus()
    state = game.start(Start("demo", {"position": POSITION, "level": "master"}, bytes(32)))
    _show_board(console, game, state)
    for seat, text, told in STORY:
        who = game.seats[seat]
        console.print(f"\n[bold]{told.format(who=who.capitalize())}[/bold]")
        console.print(Panel(text, title=f"{who} writes", expand=False), markup=False)
        done = game.submit(state, seat, text)
        if isinstance(done, Refused):
            _show_refusal(console, game, done)
            continue
        state = done.state
        _show_events(console, game, done)
    _show_board(console, game, state)
    console.print(
        "\nMore: [bold]pbem --help[/bold], docs/rules.md, docs/notation.md", highlight=False
    )


def _show_board(console: Console, game: Ortus, state: State) -> None:
    console.print(scene_text(game.scene(state, 0)), markup=False, highlight=False)


def _show_refusal(console: Console, game: Ortus, refused: Refused) -> None:
    for fault in refused.faults:
        place = "" if fault.line is None else f"line {fault.line}, column {fault.column}: "
        console.print(f"  Refused. {place}{game.explain(fault)} ({fault.clause})", markup=False)
    for number, suggestion in enumerate(refused.suggestions, start=1):
        console.print(f"    {number}  {suggestion.order}", markup=False, highlight=False)


def _show_events(console: Console, game: Ortus, done: Accepted[State]) -> None:
    for event in done.events:
        told = _told(game, event)
        if told:
            console.print(f"  {told}", markup=False, highlight=False)


def _told(game: Ortus, event: Event) -> str:
    who = "" if event.seat is None else game.seats[event.seat].capitalize()
    facts = event.facts
    match event.name:
        case "acted":
            return f"{who}: {facts['order']} (cost {facts['cost']})"
        case "defence_asked":
            victims = cast(tuple[tuple[str, str, int], ...], facts["victims"])
            asked = ", ".join(f"{name} on {hex_} for {power}" for name, hex_, power in victims)
            return f"{who} is asked: save {asked}? There is {facts['energy']} to pay with."
        case "defended":
            verdicts = cast(tuple[tuple[str, bool], ...], facts["verdicts"])
            answers = ", ".join(f"{hex_} {'saved' if s else 'falls'}" for hex_, s in verdicts)
            return f"{who} answers: {answers}"
        case "standing_rules_set":
            return f"{who}'s rules, which nobody else sees: {facts['rules']}"
        case "turn_began":
            return f"{who}'s turn begins."
    return ""
