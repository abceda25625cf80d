"""Standing rules tried out: what each one means in words, and what it would have answered so far.

Sees one seat's own rules and what has happened to its warriors, nothing of the other side. What
rules answer is ``defence``; nothing here changes a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, cast

from notation.standing import StandingRule, format_standing
from pbem.games.base import Event, Refused, Rehearsal, Rehearsed
from pbem.games.ortus.defence import find_standing_answer
from pbem.games.ortus.defence_briefing import ON
from pbem.games.ortus.following import Moment, Verdicts, follow
from pbem.games.ortus.hexes import get_hex, hex_name
from pbem.games.ortus.position import Position
from pbem.games.ortus.progress import BY_NOBODY
from pbem.games.ortus.refusals import read_submission
from pbem.games.ortus.state import Rulebook, State
from pbem.games.ortus.words import ELEMENTS, WARRIOR, sentence, warrior
from pbem.tongue import ENGLISH, N_, Tongue

ANSWERS: Final = {
    "block": N_("save {whom}{limit}{keep}"),
    "fall": N_("let {whom} fall{limit}{keep}"),
    "ask": N_("ask me about {whom}{limit}{keep}"),
}
EVERYBODY: Final = N_("anybody")
EVERY: Final = N_("any {element}")
UP_TO: Final = N_(", if the Power is {power} or less")
KEEPING: Final = N_(", if {energy} Energy or more is left then")

VICTIM: Final = N_("{warrior} on {hex}, Power {power}")
WAS_SAVED: Final = N_("was saved")
FELL: Final = N_("fell")
FELL_UNASKED: Final = N_("fell unasked: it could not be paid")
SAVED_FREE: Final = N_("was saved for nothing")
GAME_OVER: Final = N_("stayed: the game was over")
STILL_OPEN: Final = N_("you are being asked now")
WOULD_SAVE: Final = N_("save")
WOULD_FALL: Final = N_("let fall")
WOULD_ASK: Final = N_("ask you")
NOTHING_TO_SAY: Final = N_("nothing to answer")


@dataclass(frozen=True, slots=True)
class _Question:
    """A moment in which a seat was attacked.

    ``position`` is the board on which the victims stand; it has the question if ``is_put``.
    ``verdicts`` are what came of it, none while it is open.
    """

    number: int
    attack: str
    position: Position
    is_put: bool
    verdicts: Verdicts = ()


def rehearse_rules(
    moments: Sequence[tuple[State, Sequence[Event]]],
    seat: int,
    text: str | None,
    *,
    tongue: Tongue = ENGLISH,
) -> Rehearsal | Refused:
    """Try rules on all that has happened to a seat; without a text those that hold now."""
    present = moments[-1][0]
    rules: Rulebook = present.standing[seat]
    if text is not None:
        submission = read_submission(present.view(seat), f"standing: {_one_line(text)}")
        if isinstance(submission, Refused):
            return submission
        rules = submission.standing or ()
    general = present.general[seat]
    return Rehearsal(
        text=format_standing(rules),
        meanings=tuple(say_rule(rule, tongue=tongue) for rule in rules),
        general=tuple(say_rule(rule, tongue=tongue) for rule in general),
        attacks=tuple(
            _rehearse(question, seat, rules + general, tongue)
            for question in _questions(moments, seat)
        ),
    )


def _one_line(text: str) -> str:
    """Rules on lines of their own are rules behind each other."""
    return "; ".join(line.strip(" ;") for line in text.splitlines() if line.strip(" ;"))


# -- rules in words -------------------------------------------------------------------------------


def say_rule(rule: StandingRule, *, tongue: Tongue = ENGLISH) -> tuple[str, str]:
    """A rule as it is written, and what it means."""
    limit = "" if rule.up_to is None else tongue.say(UP_TO, power=rule.up_to)
    keep = "" if rule.keep is None else tongue.say(KEEPING, energy=rule.keep)
    said = tongue.say(ANSWERS[rule.answer], whom=_whom(rule.whom, tongue), limit=limit, keep=keep)
    return format_standing((rule,)), sentence(said) + "."


def _whom(whom: str, tongue: Tongue) -> str:
    if whom == "all":
        return tongue.say(EVERYBODY)
    element = tongue.say(ELEMENTS[whom[0]])
    if whom.endswith("*"):
        return tongue.say(EVERY, element=element)
    return tongue.say(WARRIOR, element=element, slot=whom[1])


# -- what was asked -------------------------------------------------------------------------------


def _questions(moments: Sequence[tuple[State, Sequence[Event]]], seat: int) -> Iterator[_Question]:
    """Every attack on a seat, in the order in which they were answered; the open one last."""
    for number, (state, events) in enumerate(moments):
        attack = state.attack
        for moment in follow(state, events):
            if moment.event.name == "acted":
                attack = str(moment.event.facts["order"])
            elif moment.event.name == "defended" and moment.event.seat == seat:
                yield from _answered(number, attack, moment)
    present = moments[-1][0]
    position = present.position
    if position is not None and position.question is not None and position.passive == seat:
        yield _Question(len(moments) - 1, present.attack, position, is_put=True)


def _answered(number: int, attack: str, moment: Moment) -> Iterator[_Question]:
    """What was put to the player, and what fell with it without being put (R6.2)."""
    verdicts = cast(Verdicts, moment.event.facts["verdicts"])
    before, standing = moment.before, moment.standing
    assert before is not None
    assert standing is not None
    put = 0
    if before.question is not None and moment.event.facts["by"] != BY_NOBODY:
        put = len(before.question.victims)
        yield _Question(number, attack, before, True, verdicts[:put])
    if verdicts[put:]:
        yield _Question(number, attack, standing, False, verdicts[put:])


def _rehearse(question: _Question, seat: int, rules: Rulebook, tongue: Tongue) -> Rehearsed:
    if not question.is_put:
        return _unasked(question, seat, tongue)
    position, verdicts = question.position, question.verdicts
    assert position.question is not None
    victims = tuple(
        tongue.say(
            VICTIM,
            warrior=warrior(tongue, position, seat, victim.slot),
            hex=hex_name(victim.hex),
            power=victim.power,
        )
        for victim in position.question.victims
    )
    then = [WAS_SAVED if saved else FELL for _, saved in verdicts] or [STILL_OPEN] * len(victims)
    then += [GAME_OVER] * (len(victims) - len(then))
    answer = find_standing_answer(position, rules)
    would = [WOULD_ASK] * len(victims)
    if answer is not None:
        would = [WOULD_SAVE if saved else WOULD_FALL for saved in answer.saves]
    return Rehearsed(
        question.number,
        question.attack,
        victims,
        tuple(map(tongue.say, then)),
        tuple(map(tongue.say, would)),
        () if answer is None else tuple(format_standing((rule,)) for rule in answer.rules),
    )


def _unasked(question: _Question, seat: int, tongue: Tongue) -> Rehearsed:
    """Nobody was asked, so no rule would have been either (R6.2)."""
    hexes = question.position.hexes[seat]
    victims = tuple(
        tongue.say(
            ON,
            warrior=warrior(tongue, question.position, seat, hexes.index(get_hex(hex_))),
            hex=hex_,
        )
        for hex_, _ in question.verdicts
    )
    then = [SAVED_FREE if saved else FELL_UNASKED for _, saved in question.verdicts]
    return Rehearsed(
        question.number,
        question.attack,
        victims,
        tuple(map(tongue.say, then)),
        (tongue.say(NOTHING_TO_SAY),) * len(victims),
        (),
    )
