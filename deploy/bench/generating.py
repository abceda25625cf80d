"""Records of random games, straight from the rules: the same number always gives the same game.

Players, events, days and ratings are made up, so that there is something to search for.
"""

from __future__ import annotations

from random import Random

from notation.record import Played, Record, RecordTurn
from notation.record_writing import format_record
from pbem.games.ortus.actions import ATTACKS
from pbem.games.ortus.arena import BUILT_IN, get_arena
from pbem.games.ortus.defence import possible_answers
from pbem.games.ortus.figures import HOUSE_NAMES, LEVELS, SIDE_LETTERS, rolled_face
from pbem.games.ortus.orders import to_order
from pbem.games.ortus.position import Position, Rules, opening
from pbem.games.ortus.replaying import RESULT_OF, written_verdicts
from pbem.games.ortus.sampling import random_action, random_setup
from pbem.games.ortus.turn import advance, settle

MOST_TURNS = 60
PLAYERS = 400
EVENTS = 40


def random_record(number: int) -> str:
    """One whole game."""
    rng = Random(f"archive/{number}")
    arena = rng.choice(sorted(BUILT_IN))
    rules = Rules(
        arena=get_arena(arena),
        level=rng.randrange(len(LEVELS)),
        elements=(random_setup(rng), random_setup(rng)),
        dicey=rng.random() < 0.3,
        starter=rng.randrange(2),
    )
    position = opening(rules, starter_energy=7)
    turns: list[RecordTurn] = []
    while position.winner is None and len(turns) < MOST_TURNS:
        turns.append(_turn(rng, position))
    winner, ending = position.winner, position.reason
    if winner is None:
        winner, ending = rng.randrange(2), "resignation"
    result = RESULT_OF[winner]
    tags = {
        **_people(rng, number),
        "Result": result,
        "Termination": str(ending),
        "Arena": arena,
        "Level": LEVELS[rules.level],
        "Dice": "dicey" if rules.dicey else "clean",
        "Starter": HOUSE_NAMES[rules.starter],
        "StarterEnergy": "7",
        "GoldSetup": rules.elements[0],
        "BlackSetup": rules.elements[1],
        "GoldRating": str(rng.randrange(900, 2200)),
        "BlackRating": str(rng.randrange(900, 2200)),
    }
    return format_record(Record(tags, tuple(turns), result))


def _people(rng: Random, number: int) -> dict[str, str]:
    gold, black = rng.sample(range(PLAYERS), 2)
    year, month, day = rng.randrange(2016, 2027), rng.randrange(1, 13), rng.randrange(1, 29)
    return {
        "Event": f"Event {rng.randrange(EVENTS)}",
        "Site": "bench.example.org",
        "Date": f"{year}.{month:02}.{day:02}",
        "Round": str(number),
        "Gold": f"Player {gold}",
        "Black": f"Player {black}",
    }


def _turn(rng: Random, position: Position) -> RecordTurn:
    house = position.active
    played: list[Played] = []
    turn = RecordTurn(position.round, SIDE_LETTERS[house], played)
    while position.winner is None and position.active == house and position.round == turn.round:
        action = random_action(rng, position)
        order = to_order(position, action)
        if action.verb not in ATTACKS:
            advance(position, action)
            played.append(Played(order))
            continue
        face = rng.randrange(6) if position.rules.dicey else None
        advance(position, action, face=face)
        while position.question is not None:
            settle(position, rng.choice(list(possible_answers(position))))
        roll = () if face is None else rolled_face(action.verb, face)
        played.append(Played(order, roll, written_verdicts(position)))
    return turn
