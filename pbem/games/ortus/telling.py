"""What has happened in a game, in sentences for one player or for everybody.

Owns one way to tell each event. An event that is for one seat only is told to that seat alone, so
nothing secret can come out here: plans and standing rules are in such events (N2.4, N3.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, cast

from pbem.games.base import Event, Fault
from pbem.games.ortus.actions import END
from pbem.games.ortus.figures import HONOUR_TO_WIN
from pbem.games.ortus.following import Moment, Verdicts
from pbem.games.ortus.hexes import get_hex
from pbem.games.ortus.messages import explain
from pbem.games.ortus.moments import moments_since
from pbem.games.ortus.progress import BY_DEFAULT
from pbem.games.ortus.speech import FELL, speak_action, speak_deed
from pbem.games.ortus.state import State
from pbem.games.ortus.words import house_name, listed, owned, sentence, subject, warrior
from pbem.tongue import ENGLISH, N_, Tongue

SETUP_PLACED: Final = N_("{house} sent a set-up.")
SETUPS_SHOWN: Final = N_("Both set-ups are in. Gold: {gold}. Black: {black}.")
LOT: Final = N_("The lot fell on {house} to start.")
STARTS: Final = N_("{house} is the one to start.")
BID_MADE: Final = N_("{house} bid {bid} for the first turn.")
BID_PASSED: Final = N_("{house} passed.")
TURN_BEGAN: Final = N_("{house} began round {round} with {energy} Energy.")
ROLL: Final = N_("The die showed {roll}.")
SAVED_FOR: Final = N_("{who} on {hex} was saved for {power} Energy.")
SAVED_FREE: Final = N_("{who} on {hex} stays: the Power has run down to 0.")
FELL_UNPAID: Final = N_("{who} on {hex} fell: there was not enough Energy to save it.")
HONOUR: Final = N_("{house} now stands at {honour} of {most} honour.")
YOUR_HONOUR: Final = N_("You now stand at {honour} of {most} honour.")
NO_ANSWER: Final = N_("No answer came in time, so it was answered as agreed.")
ASKED: Final = N_("{house} is asked to defend {victims}.")
VICTIM: Final = N_("{who} on {hex} (Power {power})")
RULE_ANSWERED: Final = N_("Your standing rule `{rule}` answered for {hexes}.")
RULES_SET: Final = N_("Your standing rules for this game: {rules}")
GENERAL_RULES_SET: Final = N_("Your standing rules for all games hold here too: {rules}")
RULES_OFF: Final = N_("You have no standing rules for this game.")
GENERAL_RULES_OFF: Final = N_("You have no standing rules for all games.")
PLAN_STOPPED: Final = N_(
    "Your plan stopped before `{order}`: {reason} What was behind it is dropped."
)
PLAN_STOPPED_BY: Final = {
    "draw_offered": N_("Your plan stopped, because a draw was offered. The rest of it is dropped."),
    "message": N_(
        "Your plan stopped, because your opponent wrote to you. The rest of it is dropped."
    ),
}
PLAN_HALTED: Final = N_("Your plan was stopped. The rest of it is dropped.")
DRAW_OFFERED: Final = N_("{house} offered a draw.")
DRAW_DECLINED: Final = N_("{house} declined the draw.")
ENDINGS: Final = {
    "guide": N_("The Guide has reached the Core: {house} wins."),
    "wells": N_("Five Wells were held: {house} wins."),
    "resignation": N_("{loser} resigned: {house} wins."),
    "agreement": N_("The players agreed on a draw."),
    "claim": N_("A draw was claimed: for a long time no warrior had fallen."),
    "time": N_("The time of {loser} was over: {house} wins."),
    "ruling": N_("The director ruled: {house} wins."),
}
RULED_DRAW: Final = N_("The director ruled: a draw.")


def tell_events(
    before: State, events: Sequence[Event], seat: int | None, *, tongue: Tongue = ENGLISH
) -> tuple[str, ...]:
    """Sentences for a seat (None: for everybody) about what followed a state."""
    teller = _Teller(before, seat, tongue)
    return tuple(
        said
        for moment in moments_since(before, events)
        if moment.event.only_for in (None, seat)
        for said in teller.tell(moment)
    )


class _Teller:
    """Says one moment after the other, in one tongue to one seat."""

    def __init__(self, state: State, seat: int | None, tongue: Tongue) -> None:
        self._state = state
        self._seat = seat
        self._tongue = tongue

    def tell(self, moment: Moment) -> Iterator[str]:
        """The sentences of one moment."""
        event = moment.event
        match event.name:
            case "acted":
                yield from self._deed(moment)
            case "defended":
                yield from self._verdicts(moment)
            case "defence_asked" if event.seat != self._seat:
                yield self._asked(moment)
            case "turn_began":
                yield from self._turn(moment)
            case "setups_shown":
                yield from self._setups(event)
            case "rules_answered":
                yield from self._rules(event)
            case "plan_stopped":
                yield self._plan(event)
            case "game_ended":
                yield self._end(event)
            case _:
                yield from self._plainly(event)

    def _say(self, text: str, **facts: object) -> str:
        return sentence(self._tongue.say(text, **facts))

    def _house(self, house: int) -> str:
        return subject(self._tongue, house, self._seat)

    def _plainly(self, event: Event) -> Iterator[str]:
        """Events that need nothing but who and a fact."""
        match event.name:
            case "standing_rules_set" | "general_rules_set":
                rules = str(event.facts["rules"])
                is_general = event.name == "general_rules_set"
                if rules == "off":
                    yield self._say(GENERAL_RULES_OFF if is_general else RULES_OFF)
                else:
                    yield self._say(GENERAL_RULES_SET if is_general else RULES_SET, rules=rules)
                return
            case "setup_placed":
                text = SETUP_PLACED
            case "bid_made":
                text = BID_MADE
            case "bid_passed":
                text = BID_PASSED
            case "draw_offered":
                text = DRAW_OFFERED
            case "draw_declined":
                text = DRAW_DECLINED
            case _:
                return  # the end of a turn is told with the order; branches are for the record
        assert event.seat is not None
        yield self._say(text, **{**event.facts, "house": self._house(event.seat)})

    def _setups(self, event: Event) -> Iterator[str]:
        gold, black = cast(tuple[str, str], event.facts["setups"])
        yield self._say(SETUPS_SHOWN, gold=gold, black=black)
        starter = cast(int, event.facts["starter"])
        text = LOT if self._state.options.starter is None else STARTS
        yield self._say(text, house=house_name(self._tongue, starter))

    def _turn(self, moment: Moment) -> Iterator[str]:
        event, position = moment.event, moment.after
        if position is None or position.winner is not None or event.seat is None:
            return  # five Wells end the game before anything is collected (R8.1)
        energy = cast(tuple[int, int], event.facts["energy"])[event.seat]
        yield self._say(
            TURN_BEGAN, house=self._house(event.seat), round=event.facts["round"], energy=energy
        )

    def _deed(self, moment: Moment) -> Iterator[str]:
        before, after, action = moment.before, moment.after, moment.action
        assert before is not None
        assert after is not None
        assert action is not None
        if action.verb == END:
            yield from speak_action(before, action, after, seat=self._seat, tongue=self._tongue)
            return
        yield speak_deed(before, action, seat=self._seat, tongue=self._tongue)
        roll = cast(tuple[int, ...] | None, moment.event.facts["roll"])
        if roll is not None:
            yield self._say(ROLL, roll="/".join(map(str, roll)))

    def _verdicts(self, moment: Moment) -> Iterator[str]:
        before, after, standing = moment.before, moment.after, moment.standing
        assert before is not None
        assert after is not None
        assert standing is not None
        event, house = moment.event, before.passive
        paid = {}
        if before is not after and before.question is not None:
            paid = {victim.hex: victim.power for victim in before.question.victims}
        if event.facts["by"] == BY_DEFAULT:
            yield self._say(NO_ANSWER)
        fallen = 0
        for name, saved in cast(Verdicts, event.facts["verdicts"]):
            hex_ = get_hex(name)
            slot = standing.hexes[house].index(hex_)
            who = owned(self._tongue, after, house, slot, seat=self._seat)
            facts = {"who": who, "hex": name}
            if saved:
                power = paid.get(hex_)
                text = SAVED_FREE if power is None else SAVED_FOR
                yield self._say(text, power=power, **facts)
            elif after.hexes[house][slot] != hex_:
                # Behind the eighth honour nobody falls any more (R6.1).
                fallen += 1
                yield self._say(FELL if hex_ in paid else FELL_UNPAID, **facts)
        if fallen:
            yield self._honour(1 - house, after.honour[1 - house])

    def _honour(self, house: int, honour: int) -> str:
        facts = {"honour": honour, "most": HONOUR_TO_WIN}
        if house == self._seat:
            return self._say(YOUR_HONOUR, **facts)
        return self._say(HONOUR, house=house_name(self._tongue, house), **facts)

    def _asked(self, moment: Moment) -> str:
        position, house = moment.after, moment.event.seat
        assert position is not None
        assert position.question is not None
        assert house is not None
        told = [
            self._tongue.say(
                VICTIM,
                who=warrior(self._tongue, position, house, victim.slot),
                hex=hex_,
                power=power,
            )
            for victim, (_, hex_, power) in zip(
                position.question.victims,
                cast(tuple[tuple[str, str, int], ...], moment.event.facts["victims"]),
                strict=True,
            )
        ]
        return self._say(
            ASKED, house=house_name(self._tongue, house), victims=listed(self._tongue, told)
        )

    def _rules(self, event: Event) -> Iterator[str]:
        rules = cast(tuple[str, ...], event.facts["rules"])
        hexes = cast(tuple[str, ...], event.facts["hexes"])
        for rule in dict.fromkeys(rules):
            answered = [hex_ for hex_, by in zip(hexes, rules, strict=True) if by == rule]
            yield self._say(RULE_ANSWERED, rule=rule, hexes=listed(self._tongue, answered))

    def _plan(self, event: Event) -> str:
        reason = str(event.facts["reason"])
        if reason != "illegal":
            return self._say(PLAN_STOPPED_BY.get(reason, PLAN_HALTED))
        why = explain(cast(Fault, event.facts["fault"]), tongue=self._tongue)
        return self._say(PLAN_STOPPED, order=event.facts["order"], reason=why)

    def _end(self, event: Event) -> str:
        winner = cast(int | None, event.facts["winner"])
        termination = str(event.facts["termination"])
        if winner is None:
            return self._say(RULED_DRAW if termination == "ruling" else ENDINGS[termination])
        return self._say(
            ENDINGS[termination],
            house=house_name(self._tongue, winner),
            loser=house_name(self._tongue, 1 - winner),
        )
