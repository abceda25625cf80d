"""The public log of an event in words: one sentence for each act.

Owns the sentences, by the name of the act (``pbem.tournaments.acts``); a test fails when an act has
none. What a director gave as a reason stands behind it, as it was written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pbem.play.events.naming import Names
from pbem.tongue import N_, Tongue
from pbem.tournaments.act_model import Act
from pbem.tournaments.event import show_points

SENTENCES: Final = {
    "made": N_("{by} prepared the event."),
    "changed": N_("{by} changed what was announced."),
    "opened": N_("{by} opened the event for entries."),
    "entered": N_("{player} entered."),
    "late_entry": N_("{player} came in when it had begun."),
    "left": N_("{player} took the entry back."),
    "moved_up": N_("{player} came in from the waiting list."),
    "check_in_asked": N_("Everybody was asked to say that they are there."),
    "checked_in": N_("{player} is there."),
    "closed_entries": N_("Entering ended."),
    "put_off": N_("The start was put off: {found} were there, and {least} are needed."),
    "started": N_("The event began."),
    "paired": N_("Round {round} was paired."),
    "turned_over": N_("Round {round} began."),
    "result": N_("{pairing}: {score}."),
    "forfeit": N_("{pairing}: {score}, without having been played."),
    "adjudicated": N_("{by} ruled {pairing}: {score}."),
    "corrected": N_("{by} corrected {pairing}: {score}."),
    "annulled": N_("{by} annulled {pairing}: it counts for nothing."),
    "paused": N_("{by} paused the event."),
    "resumed": N_("{by} let the event go on."),
    "extended": N_("{by} prolonged the round by {days} days."),
    "withdrew": N_("{player} withdrew."),
    "disqualified": N_("{by} disqualified {player}."),
    "warned": N_("{by} warned {player}."),
    "substitute_asked": N_("{by} asked {player} to take over the place of {holder}."),
    "substitute_declined": N_("{player} does not take over the place of {holder}."),
    "substituted": N_("{player} took over a place."),
    "challenged": N_("{player} challenged {rival}."),
    "challenge_accepted": N_("{player} accepted the challenge of {challenger}."),
    "challenge_declined": N_("{player} declined the challenge of {challenger}."),
    "challenge_lapsed": N_("{player} did not answer the challenge of {challenger} in time."),
    "slipped": N_("{player} did nothing for long and slipped by one place."),
    "director_added": N_("{player} directs the event too."),
    "director_removed": N_("{player} directs the event no longer."),
    "finished": N_("The event ended."),
    "cancelled": N_("{by} called the event off."),
}
"""By the name of an act; a result that was not played has its own."""
SERVER: Final = N_("The server")
"""Who does what happens by itself."""


def say_act(act: Act, names: Names, tongue: Tongue) -> str:
    """One act of a log, as everybody may read it."""
    text = SENTENCES[_sentence_of(act)]
    return tongue.find(text).format_map(_facts(act, names, tongue))


def _sentence_of(act: Act) -> str:
    is_unplayed = act.name == "result" and act.facts.get("ending") == "forfeit"
    return "forfeit" if is_unplayed else act.name


def _facts(act: Act, names: Names, tongue: Tongue) -> dict[str, Any]:
    facts: dict[str, Any] = {**act.facts}
    facts["by"] = tongue.say(SERVER) if act.by is None else names.of_player(act.by)
    facts["player"] = _player(act, names)
    facts["holder"] = _holder(act, names)
    if isinstance(facts.get("rival"), int):
        facts["rival"] = names.at(facts["rival"], act.number)
    if "challenge" in act.facts:
        challenge = names.event.challenges[act.facts["challenge"] - 1]
        facts["challenger"] = names.at(challenge.challenger, act.number)
        facts["player"] = names.at(challenge.challenged, act.number)
    if "encounter" in act.facts:
        facts["pairing"], facts["score"] = _game(act.facts, names, act.number)
    return facts


def _player(act: Act, names: Names) -> str:
    number = act.facts.get("entrant")
    if act.player is None and isinstance(number, int):
        return names.at(number, act.number)
    return names.of_player(act.player)


def _holder(act: Act, names: Names) -> str:
    number = act.facts.get("entrant")
    return names.at(number, act.number - 1) if isinstance(number, int) else "?"


def _game(facts: Mapping[str, Any], names: Names, at: int) -> tuple[str, str]:
    encounter = names.event.encounter(facts["encounter"])
    game = encounter.games[facts.get("game", 0)]
    pairing = f"{names.at(game.gold, at)} – {names.at(game.black, at)}"
    score = f"{show_points(facts.get('gold', 0))}–{show_points(facts.get('black', 0))}"
    return pairing, score
