"""A defence explained: who attacks whom, why with that Power, what each answer costs and leads to.

The question must be answerable on a telephone with one letter (L6), so everything is counted out:
Energy now and after, honour, Wells, how a wave runs on, whether the game would be over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from notation.orders import Attack
from notation.reading import parse_order
from pbem.games.base import Answer, Briefing
from pbem.games.ortus.abilities import is_bear
from pbem.games.ortus.actions import CHARGE, DRAGONS, RANGE, SIX, STRIKE, WAVE
from pbem.games.ortus.defence import possible_answers, saving_cost
from pbem.games.ortus.figures import (
    DARK_BLUE,
    DICE,
    HONOUR_TO_WIN,
    LIGHT_BLUE,
    WIND_LEVEL,
    powers,
    rolled_face,
)
from pbem.games.ortus.hexes import hex_name
from pbem.games.ortus.position import Position, Victim
from pbem.games.ortus.state import DEFENCE
from pbem.games.ortus.turn import decide
from pbem.games.ortus.words import (
    ATTACK_NAMES,
    BEAR,
    STORM,
    house_name,
    listed,
    owned,
    sentence,
    warrior,
)
from pbem.tongue import ENGLISH, N_, Tongue

MAX_ANSWERS: Final = 8
ON: Final = N_("{warrior} on {hex}")
SAVE_ONE: Final = N_("Save {victim}? Power {power}")
SAVE_SEVERAL: Final = N_("Save {victims}?")

ATTACKING: Final = {
    STRIKE: N_("{who} on {start} strikes {target}."),
    RANGE: N_("{who} on {start} shoots at {target}."),
    CHARGE: N_("{who} charged from {start} to {landing} and attacks {target}."),
    WAVE: N_("{who} charged from {start} to {landing} and attacks {target}."),
    SIX: N_("{who} charged from {start} to {landing} and attacks {target}."),
    DRAGONS: N_("{who} on {start} and {partner} on {beside} attack {target} together."),
}
YOUR: Final = N_("your {victim}")
WAVE_GOES_ON: Final = N_("The wave of {who} on {landing} runs on and hits {target}.")
SIX_OTHERS: Final = N_("It also hits {targets}, next to it.")

POWER_IS: Final = N_("{attack}: Power {power}.")
BEAR_ROLL: Final = N_("{attack}: the {die} die showed {roll}; with 1 more that is Power {power}.")
ROLL: Final = N_("{attack}: the {die} die showed {roll}, so the Power is {power}.")
WAVE_POWER: Final = N_(
    "{attack}: Power {first} for the first warrior hit, then {second}, then {third}."
)
WAVE_ROLL: Final = N_(
    "{attack}: the {die} die showed {roll}, so the Power is {first} for the first warrior hit,"
    " then {second}, then {third}."
)
SIX_POWER: Final = N_("{attack}: Power {first} for each warrior hit.")
SIX_ROLL: Final = N_(
    "{attack}: the {die} die showed {roll}, so the Power is {first} for the target and {second} for"
    " every other."
)
DARK: Final = N_("dark blue")
LIGHT: Final = N_("light blue")
YELLOW: Final = N_("yellow")
SHIELD: Final = N_("Your Phoenix shields {victim}: the Power is lowered from {full} to {power}.")
COST: Final = N_("Saving {victim} costs {power} Energy. You have {energy}.")
COSTS: Final = N_("Saving {victim}: {power} Energy.")
HAVE: Final = N_("You have {energy} Energy.")
UNTIL: Final = N_("What you keep has to last for every attack until your next turn.")
COMES_BACK: Final = N_("What falls comes back when your next turn ends.")
HOW_SEVERAL: Final = N_(
    "Answer for every hex, with `+` to save and `-` to let it fall, as in `{example}`."
)

MORE_WAYS: Final = N_("There are more ways to answer than are listed; all that you can pay count.")

SAVE_LABEL: Final = N_("Save {victims}")
FALL_LABEL: Final = N_("Let {victims} fall")
BOTH_LABEL: Final = N_("Save {saved}, let {fallen} fall")
LEFT: Final = N_("{energy} Energy left.")
WAVE_STOPS: Final = N_("The wave ends there.")
HONOUR: Final = N_("{house} comes to {honour} of {most} honour.")
LOST: Final = N_("That is honour {most} of {most}: {house} wins the game.")
WELLS: Final = N_("Wells held: {after} instead of {before}.")
ASKED_NEXT: Final = N_("The wave then hits {victim} with Power {power}, and you are asked again.")
TAKEN_NEXT: Final = N_("The wave then takes {victims} as well: there is not enough Energy left.")
FREE_NEXT: Final = N_("The wave then reaches {victim} with Power 0, which harms nobody.")


def brief_defence(position: Position, attack: str, *, tongue: Tongue = ENGLISH) -> Briefing:
    """The open question for the House that defends; ``attack`` is the order of the attack."""
    return _Defence(position, attack, tongue).brief()


class _Defence:
    """One open defence, and the words for it."""

    def __init__(self, position: Position, attack: str, tongue: Tongue) -> None:
        order = parse_order(attack)
        assert isinstance(order, Attack)
        assert order.who is not None
        assert position.question is not None
        self._position = position
        self._order = order
        self._tongue = tongue
        self._victims = position.question.victims
        self._question = position.question
        self._attacker = position.active
        self._slot = int(order.who[1]) - 1
        self._energy = position.energy[position.passive]

    def brief(self) -> Briefing:
        """The whole question."""
        combinations = list(possible_answers(self._position))
        answers = tuple(self._answer(saves) for saves in _most_useful(combinations))
        lines = [*self._attack(), *self._powers(), *self._costs()]
        if len(self._victims) > 1:
            lines.append(self._say(HOW_SEVERAL, example=answers[0].text))
        if len(answers) < len(combinations):
            lines.append(self._say(MORE_WAYS))
        return Briefing(DEFENCE, self._headline(), tuple(lines), answers)

    def _say(self, text: str, **facts: object) -> str:
        return sentence(self._tongue.say(text, **facts))

    # -- names ------------------------------------------------------------------------------------

    def _name(self, victim: Victim) -> str:
        return warrior(self._tongue, self._position, self._position.passive, victim.slot)

    def _on(self, victim: Victim) -> str:
        return self._tongue.say(ON, warrior=self._name(victim), hex=hex_name(victim.hex))

    def _your(self, victim: Victim) -> str:
        return self._tongue.say(YOUR, victim=self._on(victim))

    def _listed(self, victims: Sequence[Victim]) -> str:
        return listed(self._tongue, [self._on(victim) for victim in victims])

    def _attacking_house(self) -> str:
        return house_name(self._tongue, self._attacker)

    # -- the question -----------------------------------------------------------------------------

    def _headline(self) -> str:
        if len(self._victims) == 1:
            (victim,) = self._victims
            return self._say(SAVE_ONE, victim=self._on(victim), power=victim.power)
        names = [self._name(victim) for victim in self._victims]
        return self._say(SAVE_SEVERAL, victims=listed(self._tongue, names))

    def _attack(self) -> Iterator[str]:
        """Who attacks whom, and what it hits besides."""
        position, order = self._position, self._order
        hexes = position.hexes[self._attacker]
        facts = {
            "who": owned(self._tongue, position, self._attacker, self._slot, seat=None),
            "start": hex_name(hexes[self._slot]),
            "target": self._your(self._victims[0]),
        }
        if order.landing is not None:
            # A charge needs its warrior's move, so it stood there when the turn began (R5.5).
            facts["start"] = hex_name(position.start_hexes[self._slot])
            facts["landing"] = order.landing
        if order.partner is not None:
            partner = int(order.partner[1]) - 1
            facts["partner"] = warrior(self._tongue, position, self._attacker, partner)
            facts["beside"] = hex_name(hexes[partner])
        if self._hits_before():
            yield self._say(WAVE_GOES_ON, **facts)
            return
        yield self._say(ATTACKING[order.verb], **facts)
        others = [self._your(victim) for victim in self._victims[1:]]
        if others:
            yield self._say(SIX_OTHERS, targets=listed(self._tongue, others))

    def _hits_before(self) -> int:
        """How many a wave has taken before this question (M4.1)."""
        return len(self._position.verdicts) if self._order.verb == WAVE else 0

    # -- its Power --------------------------------------------------------------------------------

    def _figures(self) -> tuple[int, ...]:
        """The Power for each victim before any shield."""
        figures = self._attack_figures()
        if self._order.verb == WAVE:
            return (figures[self._hits_before()],)
        return (figures[0], *(figures[-1:] * (len(self._victims) - 1)))

    def _attack_figures(self) -> tuple[int, ...]:
        return powers(self._order.verb, is_bear=self._is_bear(), face=self._position.rolled)

    def _is_bear(self) -> bool:
        rules = self._position.rules
        element = rules.elements[self._attacker][self._slot]
        return is_bear(self._order.verb, element, rules.level)

    def _powers(self) -> Iterator[str]:
        """How the Power comes about: the attack, the roll, the shield (R5, R9.1, M5.1)."""
        figures, rolled = self._attack_figures(), self._position.rolled
        verb = self._order.verb
        facts: dict[str, object] = {
            "attack": self._tongue.say(self._attack_name()),
            "power": figures[0],
            **dict(zip(("first", "second", "third"), figures, strict=False)),
        }
        many = {WAVE: (WAVE_POWER, WAVE_ROLL)}
        if len(self._victims) > 1:
            many[SIX] = SIX_POWER, SIX_ROLL
        plain, text = many.get(verb, (POWER_IS, BEAR_ROLL if self._is_bear() else ROLL))
        if rolled is None:
            yield self._say(plain, **facts)
        else:
            roll = "/".join(map(str, rolled_face(verb, rolled)))
            yield self._say(text, die=self._tongue.say(_die(verb)), roll=roll, **facts)
        for victim, full in zip(self._victims, self._figures(), strict=True):
            if victim.power < full:
                yield self._say(SHIELD, victim=self._on(victim), full=full, power=victim.power)

    def _attack_name(self) -> str:
        if self._is_bear():
            return BEAR
        rules = self._position.rules
        is_wind = rules.elements[self._attacker][self._slot] == "W"
        if self._order.verb == RANGE and is_wind and rules.level >= WIND_LEVEL:
            return STORM
        return ATTACK_NAMES[self._order.verb]

    def _costs(self) -> Iterator[str]:
        if len(self._victims) == 1:
            (victim,) = self._victims
            yield self._say(
                COST, victim=self._name(victim), power=victim.power, energy=self._energy
            )
        else:
            for victim in self._victims:
                yield self._say(COSTS, victim=self._on(victim), power=victim.power)
            yield self._say(HAVE, energy=self._energy)
        yield self._say(UNTIL)
        yield self._say(COMES_BACK)

    # -- the answers ------------------------------------------------------------------------------

    def _answer(self, saves: tuple[bool, ...]) -> Answer:
        pairs = list(zip(self._victims, saves, strict=True))
        saved = [victim for victim, is_saved in pairs if is_saved]
        fallen = [victim for victim, is_saved in pairs if not is_saved]
        if len(pairs) == 1:
            text = "+" if saved else "-"
        else:
            text = " ".join(f"{hex_name(victim.hex)}{'+' if s else '-'}" for victim, s in pairs)
        if not fallen:
            label = self._say(SAVE_LABEL, victims=self._listed(saved))
        elif not saved:
            label = self._say(FALL_LABEL, victims=self._listed(fallen))
        else:
            label = self._say(BOTH_LABEL, saved=self._listed(saved), fallen=self._listed(fallen))
        return Answer(text, label, tuple(self._leads_to(saves)))

    def _leads_to(self, saves: tuple[bool, ...]) -> Iterator[str]:
        before, after = self._position, decide(self._position, saves)
        house = before.passive
        yield self._say(LEFT, energy=self._energy - saving_cost(self._question, saves))
        yield from self._wave_on(after, saves)
        if after.winner is not None:
            yield self._say(LOST, house=self._attacking_house(), most=HONOUR_TO_WIN)
            return
        honour = after.honour[self._attacker]
        if honour == before.honour[self._attacker]:
            return
        yield self._say(HONOUR, house=self._attacking_house(), honour=honour, most=HONOUR_TO_WIN)
        held = before.wells_held(house), after.wells_held(house)
        if held[0] != held[1]:
            yield self._say(WELLS, before=held[0], after=held[1])

    def _wave_on(self, after: Position, saves: tuple[bool, ...]) -> Iterator[str]:
        """Where a wave goes on to when its victim falls (M4.1)."""
        if not self._question.wave_powers or self._order.verb != WAVE:
            return
        if saves[0]:
            yield self._say(WAVE_STOPS)
            return
        later = after.verdicts[len(self._position.verdicts) + 1 :]
        taken = [self._standing(hex_) for hex_, saved in later if not saved]
        if taken:
            yield self._say(TAKEN_NEXT, victims=self._listed(taken))
        for hex_, saved in later:
            if saved:
                yield self._say(FREE_NEXT, victim=self._on(self._standing(hex_)))
        if after.question is not None:
            (victim,) = after.question.victims
            yield self._say(ASKED_NEXT, victim=self._on(victim), power=victim.power)

    def _standing(self, hex_: int) -> Victim:
        return Victim(self._position.hexes[self._position.passive].index(hex_), hex_, 0)


def _die(verb: str) -> str:
    if DICE[verb] == DARK_BLUE:
        return DARK
    return LIGHT if DICE[verb] == LIGHT_BLUE else YELLOW


def _most_useful(combinations: list[tuple[bool, ...]]) -> list[tuple[bool, ...]]:
    """The answers to offer: those that save most, and in any case to let all fall."""
    ranked = sorted(combinations, key=lambda saves: -sum(saves))
    if len(ranked) <= MAX_ANSWERS:
        return ranked
    return [*ranked[: MAX_ANSWERS - 1], ranked[-1]]
