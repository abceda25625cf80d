"""The record of a game from what happened in it (N5): orders, verdicts, rolls, times, and how it
was played: by rule, by default, from a plan, and the branches of plans that were not (N2.4, N3.4).

While a game runs, its record holds nothing but what both sides and any spectator have seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from notation.errors import NotationError
from notation.orders import Attack, Branch, End, Plan
from notation.position_line import format_position
from notation.reading import parse_order
from notation.record import (
    Comment,
    Played,
    Record,
    RecordTurn,
    Roll,
    Variation,
    Verdicts,
    make_comment,
)
from notation.record_orders import get_canonical_order
from notation.record_writing import format_record
from notation.writing import format_order
from pbem.games.base import Event, Happening
from pbem.games.ortus.arena import BUILT_IN
from pbem.games.ortus.dice import commitment
from pbem.games.ortus.figures import CLAIM_AFTER_ROUNDS, HOUSE_NAMES, LEVELS, SIDE_LETTERS
from pbem.games.ortus.hexes import hex_name, members
from pbem.games.ortus.progress import BY_DEFAULT, BY_NOBODY
from pbem.games.ortus.replaying import RESULT_OF
from pbem.games.ortus.state import State

UNKNOWN: Final[Mapping[str, str]] = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "-",
    "Gold": "?",
    "Black": "?",
}
"""The roster of PGN for what the caller does not know."""


class Chronicle:
    """Gathers turns from what has happened in a game, entry by entry.

    ``is_over``: whether what only one side knew may be told.
    """

    def __init__(self, *, is_over: bool) -> None:
        self._is_over = is_over
        self._turns: list[RecordTurn] = []
        self._offers: list[str] = []
        self._is_turn_open = False

    def tell(self, happening: Happening) -> None:
        """What one entry of the log did."""
        was_decided = False
        for event in happening.events:
            match event.name:
                case "acted":
                    self._act(event)
                    if was_decided or happening.seat != event.seat:
                        self._reveal("[%plan]")
                case "defended":
                    self._last().verdicts += cast(Verdicts, event.facts["verdicts"])
                    if event.facts["by"] == BY_DEFAULT:
                        self._reveal("[%standing default]")
                    elif happening.answered and not was_decided:
                        self._comment(f"[%dclk {happening.answered}]")
                    was_decided = was_decided or event.facts["by"] != BY_NOBODY
                case "rules_answered":
                    rules = cast(tuple[str, ...], event.facts["rules"])
                    for rule in dict.fromkeys(rules):
                        self._reveal(f"[%standing {rule}]")
                case "plan_branched" | "plan_dropped" if self._is_over:
                    self._vary(event)
                case "draw_offered":
                    self._offer(SIDE_LETTERS[event.seat or 0])
                case "turn_ended" | "game_ended" if self._is_turn_open:
                    self._is_turn_open = False
                    if happening.left:
                        mover = SIDE_LETTERS.index(self._turns[-1].side)
                        self._comment(f"[%clk {happening.left[mover]}]")

    def write(self, state: State, tags: Mapping[str, str]) -> str:
        """The whole record in canonical writing; ``tags`` bring what the game does not know."""
        result = "*" if state.result is None else RESULT_OF[state.result.winner]
        position = state.position
        is_open = position is not None and position.question is not None
        attack = self._last() if is_open else None
        turns = tuple(_name_victims(turn, attack) for turn in self._turns)
        comments = tuple(make_comment(offer) for offer in self._offers)
        return format_record(
            Record(_tags(state, {**tags, "Result": result}), turns, result, comments)
        )

    def _act(self, event: Event) -> None:
        number, side = cast(int, event.facts["round"]), SIDE_LETTERS[event.seat or 0]
        if not self._turns or (self._turns[-1].round, self._turns[-1].side) != (number, side):
            self._turns.append(RecordTurn(number, side, []))
            self._is_turn_open = True
        roll = cast(Roll | None, event.facts["roll"])
        order = parse_order(str(event.facts["order"]))
        self._turns[-1].orders.append(Played(order, roll or ()))

    def _last(self) -> Played:
        return self._turns[-1].orders[-1]

    def _reveal(self, text: str) -> None:
        """A comment on what was secret while the game ran (N2.4, N3.3)."""
        if self._is_over:
            self._comment(text)

    def _comment(self, text: str) -> None:
        self._last().comments += (make_comment(text),)

    def _offer(self, side: str) -> None:
        text = f"[%draw offer] {HOUSE_NAMES[SIDE_LETTERS.index(side)].capitalize()}"
        if self._turns and self._turns[-1].orders:
            self._comment(text)
        else:
            self._offers.append(text)

    def _vary(self, event: Event) -> None:
        """Each branch that was not played, as the attack with the verdicts it waited for."""
        turn, attack = self._turns[-1], self._last()
        rest = cast(Plan, event.facts["rest"])
        victims = cast(tuple[str, ...], event.facts["victims"])
        for branch in cast(tuple[Branch, ...], event.facts["unplayed"]):
            known = attack.verdicts + tuple((hex_, False) for hex_ in victims)
            verdicts = _guarded(branch, known)
            line = _line(branch.steps + rest)
            if verdicts is None or not branch.steps or not line:
                continue
            orders = [Played(attack.order, attack.roll, verdicts), *line]
            orders[-1].comments += (Comment("[%plan]"),)
            variation: Variation = (RecordTurn(turn.round, turn.side, orders),)
            attack.variations += (variation,)


def _line(plan: Plan) -> list[Played]:
    """Orders of a plan in a row, as far as they can be written without knowing how they end."""
    played = []
    for step in plan:
        try:
            # An order that no outcome reached may leave a letter or a landing open.
            played.append(Played(get_canonical_order(format_order(step.order))))
        except NotationError:
            break
        if isinstance(step.order, Attack | End):
            break
    return played


def _guarded(branch: Branch, verdicts: Verdicts) -> Verdicts | None:
    """The verdicts that would have led into a branch; None if these victims cannot."""
    wanted = dict(branch.guard.verdicts)
    if None in wanted and verdicts:
        wanted[verdicts[0][0]] = wanted.pop(None)
    hexes = [hex_ for hex_, _ in verdicts]
    if any(hex_ not in hexes for hex_ in wanted):
        return None
    return tuple((hex_, wanted.get(hex_, saved)) for hex_, saved in verdicts)


def _name_victims(turn: RecordTurn, open_attack: Played | None = None) -> RecordTurn:
    """A lone victim is written without its hex (N5.3), unless the attack is not over."""
    orders = [
        replace(
            played,
            verdicts=played.verdicts if played is open_attack else _shortened(played.verdicts),
            variations=tuple(
                tuple(_name_victims(line) for line in variation) for variation in played.variations
            ),
        )
        for played in turn.orders
    ]
    return replace(turn, orders=orders)


def _shortened(verdicts: Verdicts) -> Verdicts:
    return ((None, verdicts[0][1]),) if len(verdicts) == 1 else verdicts


def _tags(state: State, given: Mapping[str, str]) -> dict[str, str]:
    options, start = state.options, state.start
    tags = {name: given.get(name, value) for name, value in UNKNOWN.items()}
    tags["Result"] = given["Result"]
    tags["Termination"] = "unfinished" if state.result is None else state.result.termination
    tags["Arena"] = options.arena.name
    tags["Level"] = LEVELS[options.level]
    tags["Dice"] = "dicey" if options.dicey else "clean"
    if options.position is not None:
        tags["Starter"] = "gold" if options.position.side == "g" else "black"
        tags["Position"] = format_position(options.position)
    elif None not in state.setups:
        auction = state.auction()
        tags["Starter"] = HOUSE_NAMES[auction.leader]
        tags["StarterEnergy"] = str(auction.energy)
        tags["GoldSetup"], tags["BlackSetup"] = map(str, state.setups)
    tags["GameId"] = start.game_id
    tags["SeedHash"] = commitment(start.seed)
    if state.result is not None:
        tags["Seed"] = start.seed.hex()
    if options.handicap:
        tags["Handicap"] = options.handicap
    if options.claim_rounds != CLAIM_AFTER_ROUNDS:
        tags["DrawClaim"] = "off" if options.claim_rounds is None else str(options.claim_rounds)
    if options.arena.name not in BUILT_IN:
        tags["Wells"] = " ".join(hex_name(hex_) for hex_ in members(options.arena.wells))
        if options.arena.cuts:
            tags["Cuts"] = " ".join(hex_name(hex_) for hex_ in members(options.arena.cuts))
    tags.update((name, value) for name, value in given.items() if name not in tags)
    return tags
