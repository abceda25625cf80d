"""No mail tells one seat what is only the other's: plans, rules, notes, the seed (N2.4, N3.3)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pbem.cli.sample_mails import MIDDLE, PLAN
from pbem.cli.stage import OFFICE, Stage, at
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.sampling import Habits, submit_thriftily
from pbem.mail.answers import Section
from pbem.mail.composing.model import Composed
from pbem.mail.mime import to_bytes
from pbem.play import games, players
from pbem.play.players import BOARDS
from tests.mail.stages import Sketches
from tests.play.hasty_store import HastyStore

QUICK = replace(OFFICE, drawings=Sketches())
RULES = Ortus()
LONG_ENOUGH = 12
"""A shorter text may stand in a mail by chance."""


def all_of(mail: Composed) -> str:
    """Everything in a mail that somebody can read, and what is kept of it."""
    files = [each.text for each in mail.attachments]
    return "\n".join([mail.subject, mail.text, mail.html, repr(mail.letter), *files])


@pytest.mark.parametrize("board", BOARDS)
def test_what_a_seat_keeps_to_itself(new_store: HastyStore, board: str) -> None:
    stage = Stage(new_store, board=board, office=QUICK)
    players.set_general_rules(stage.around, stage.ben.id, "block E* keep 13", now=at(0))
    game_id = stage.start(0, position=MIDDLE, level="master")
    mails = stage.post(0)
    stage.send(game_id, 1, "standing: block A* keep 17; ask all", 1)
    games.write_note(stage.around, game_id, 1, "a note of Ben's", now=at(1))
    games.write_note(stage.around, game_id, 0, "a note of Ann's", now=at(1))
    mails += stage.post(1)
    stage.send(game_id, 0, PLAN, 2)
    mails += stage.post(2)
    for player in (stage.ann, stage.ben):
        for hours, name in enumerate(("status", "board", "history", "games", "settings")):
            about = None if name in ("games", "settings") else game_id
            mails.append(stage.answered(Section(name), 3 + hours, about, player=player).mail)
        try_it = Section("what_if", {"text": "end" if player == stage.ann else "+"})
        mails.append(stage.answered(try_it, 9, game_id, player=player).mail)
        late = Section("too_late", {"text": "end", "since": 1})
        mails.append(stage.answered(late, 10, game_id, player=player).mail)
    stage.send(game_id, 1, "+", 11)
    mails += stage.post(11)
    with stage.around.store.read() as unit:
        seed = games.get_stored(unit, game_id).start.seed
    secrets = {
        stage.ann.id: ("keep 13", "keep 17", "keep=17", "a note of Ben"),
        stage.ben.id: ("six L8", "L8@K8", "F8; end", "a note of Ann"),
    }
    readers = set()
    for mail in mails:
        seen, reader = all_of(mail), mail.letter.player_id
        readers.add(reader)
        for secret in (*secrets[reader], seed.hex(), repr(seed)):
            assert secret not in seen, mail.letter.kind
    assert readers == set(secrets)
    own = "".join(all_of(mail) for mail in mails if mail.letter.player_id == stage.ben.id)
    assert "keep 17" in own, "but everybody is told their own"


def test_a_lone_set_up(new_store: HastyStore) -> None:
    stage = Stage(new_store, office=QUICK)
    game_id = stage.start(0)
    stage.send(game_id, 1, "setup AWFEEFWA", 1)
    mails = stage.post(1)
    mails.append(stage.answered(Section("history"), 2, game_id).mail)
    mails.append(stage.answered(Section("board"), 3, game_id).mail)
    for mail in mails:
        if mail.letter.player_id == stage.ann.id:
            assert "AWFEEFWA" not in all_of(mail)
    assert any("AWFEEFWA" in all_of(mail) for mail in mails)


@pytest.mark.parametrize("number", range(3))
def test_whole_games_of_planners(new_store: HastyStore, number: int) -> None:
    """What one seat writes is never seen by the other as it was written, while the game runs."""
    stage = Stage(new_store, board=BOARDS[number], office=QUICK)
    game_id = stage.start(0, level="master", dice=("clean", "dicey")[number % 2])
    rng, habits = Random(number), Habits(plans=0.8, rules=0.2)
    written: tuple[list[str], list[str]] = ([], [])
    for hours in range(1, 41):
        with stage.around.store.read() as unit:
            stored = games.get_stored(unit, game_id)
        state = RULES.load(stored.start, stored.state)
        if stored.is_over or not RULES.requests(state):
            break
        entry, _ = submit_thriftily(rng, RULES, state, habits)
        assert entry.seat is not None
        written[entry.seat].append(entry.text)
        stage.send(game_id, entry.seat, entry.text, hours / 10)
        for mail in stage.post(hours / 10):
            if mail.letter.kind == "game_over":
                continue
            assert mail.letter.seat is not None or mail.letter.game_id is None
            others = written[1 - (mail.letter.seat or 0)]
            data = all_of(mail)
            for text in others:
                if len(text) >= LONG_ENOUGH and mail.letter.game_id:
                    assert text not in data
            assert stored.start.seed.hex() not in data
            to_bytes(mail, QUICK)
    assert min(map(len, written)) > 3
