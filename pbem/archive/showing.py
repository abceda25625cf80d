"""Frames in a language: the board of one, what was done in sentences, the board in words.

Owns how annotators' arrows and marks come onto a board, and the sentence with which a game ends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pbem.archive.frames import Document, Frame
from pbem.archive.marks import Marks
from pbem.games.ortus.drawing import Trace, draw_position, trace_action, trace_question
from pbem.games.ortus.hexes import BLACK, GOLD
from pbem.games.ortus.messages import explain
from pbem.games.ortus.speech import speak_action, speak_position
from pbem.games.ortus.telling import DRAW_OFFERED, ENDINGS, ROLL, RULED_DRAW
from pbem.games.ortus.words import house_name
from pbem.games.scene import Arrow, ArrowKind, Scene
from pbem.tongue import ENGLISH, N_, Tongue

HOUSE: Final = "{house}"
DRAWN: Final = N_("The game ended in a draw.")
WON: Final = N_("{house} wins.")
UNDECIDED: Final = N_("The game is not decided.")
NOT_PLAYED: Final = N_("This order could not be played: {reason}")
UNREACHED: Final = N_("This order was not reached, because one before it could not be played.")
RULE_ANSWERED: Final = N_("A standing rule answered: {rule}.")
DEFAULT_ANSWERED: Final = N_("No answer came in time, so it was answered as agreed.")
BY_DEFAULT: Final = "default"
RULING: Final = "ruling"
WINS: Final = {name: text for name, text in ENDINGS.items() if HOUSE in text}
DRAWS: Final = {name: text for name, text in ENDINGS.items() if HOUSE not in text}


def draw_frame(
    frame: Frame,
    *,
    names: tuple[str, str] | None = None,
    bottom: int = GOLD,
    tongue: Tongue = ENGLISH,
) -> Scene:
    """The board behind an order, with what the order did and what annotators point at."""
    position, deed, trace = frame.position, frame.deed, Trace()
    if deed is not None:
        trace = trace_action(deed.board, deed.action, position)
        if position.question is not None:
            trace += trace_question(position, deed.action)
    scene = draw_position(position, bottom=bottom, names=names, trace=trace, tongue=tongue)
    return with_marks(scene, frame.marks)


def with_marks(scene: Scene, marks: Marks) -> Scene:
    """A board with what annotators point at."""
    pointing = tuple(Arrow(start, end, ArrowKind.NOTE) for start, end in marks.arrows)
    return replace(scene, arrows=scene.arrows + pointing, noted=marks.hexes) if marks else scene


def tell_frame(frame: Frame, *, tongue: Tongue = ENGLISH) -> tuple[str, ...]:
    """What an order did, in sentences; why it could not be played, if so."""
    if frame.fault is not None:
        return (tongue.say(NOT_PLAYED, reason=explain(frame.fault, tongue=tongue)),)
    if not frame.is_played:
        return (tongue.say(UNREACHED),)
    if frame.deed is None:
        return ()
    position = frame.position
    told = list(speak_action(frame.deed.board, frame.deed.action, position, tongue=tongue))
    roll = _roll(frame)
    if roll:
        told.insert(1, tongue.say(ROLL, roll=roll))
    told += (tell_rule(rule, tongue=tongue) for rule in frame.rules)
    if frame.offers_draw and frame.house is not None:
        told.append(tongue.say(DRAW_OFFERED, house=house_name(tongue, frame.house)))
    return tuple(told)


def tell_rule(rule: str, *, tongue: Tongue = ENGLISH) -> str:
    """What answered for the defender: a standing rule, or what was agreed on for no answer."""
    if rule == BY_DEFAULT:
        return tongue.say(DEFAULT_ANSWERED)
    return tongue.say(RULE_ANSWERED, rule=rule)


def _roll(frame: Frame) -> str:
    """What stands in brackets behind an attack (N5.3)."""
    _, opening, rest = frame.text.partition("(")
    return rest.partition(")")[0] if opening else ""


def tell_end(document: Document, *, tongue: Tongue = ENGLISH) -> str:
    """How the game ended, by its tags."""
    winner = {"1-0": GOLD, "0-1": BLACK}.get(document.result)
    termination = document.tags.get("Termination", "")
    if document.result == "*":
        return tongue.say(UNDECIDED)
    if winner is None:
        text = RULED_DRAW if termination == RULING else DRAWS.get(termination, DRAWN)
        return tongue.say(text)
    facts = {"house": house_name(tongue, winner), "loser": house_name(tongue, 1 - winner)}
    return tongue.say(WINS.get(termination, WON), **facts)


def speak_frame(frame: Frame, *, tongue: Tongue = ENGLISH) -> str:
    """The board behind an order in words, one sentence to a line, with what the order did."""
    return speak_position(frame.position, changes=tell_frame(frame, tongue=tongue), tongue=tongue)
