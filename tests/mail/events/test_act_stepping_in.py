"""Directors step in by mail: entries, the start, places, and results of games."""

from __future__ import annotations

import pytest

from pbem.play.events import making
from pbem.play.events.ports import GameOfEvent
from pbem.play.model import Player
from pbem.play.post import Inbound
from tests.mail.acting.room import facts, sections
from tests.mail.events.fair import Fair
from tests.play.events.festival import TERMS
from tests.play.hasty_store import HastyStore


@pytest.fixture
def fair(new_store: HastyStore) -> Fair:
    made = Fair(new_store, 4, round_days=20)
    made.start()
    made.deliver()
    return made


@pytest.fixture
def row(fair: Fair) -> GameOfEvent:
    return fair.running()[0]


def order(fair: Fair, player: Player, body: str) -> Inbound:
    """A player answers a mail of ours with a command."""
    fair.write(player, "events")
    mail = fair.to(player, fair.deliver())[-1]
    return fair.reply(player, mail, body)


def refused(fair: Fair, body: str) -> object:
    """Why a command of the director's was not done; then nothing of it is in the log."""
    before = len(fair.log())
    done = order(fair, fair.director, body)
    assert len(fair.log()) == before
    return facts(done, "not_allowed")["code"]


def receipt(fair: Fair) -> str:
    """What the director is answered; it goes out with what all others are told."""
    return fair.to(fair.director, fair.deliver())[-1].words


def points(fair: Fair, row: GameOfEvent) -> tuple[int, int] | None:
    result = fair.event.encounter(row.encounter).games[row.game].result
    return None if result is None else (result.gold, result.black)


def test_an_event_is_opened_closed_and_begun(new_store: HastyStore) -> None:
    fair = Fair(new_store, 0, opens=False)
    assert sections(order(fair, fair.director, f"open {fair.id}")) == ["event_done"]
    assert "Autumn is open for entries." in receipt(fair)
    for _ in range(4):
        fair.enter()
    assert sections(order(fair, fair.director, f"Sluit {fair.id}.")) == ["event_done"]
    assert "Entering Autumn has ended." in receipt(fair)
    assert sections(order(fair, fair.director, f"begin {fair.id}")) == ["event_done"]
    assert "Autumn begins. Pairings and games follow within a minute." in receipt(fair)
    assert fair.names()[:2] == ["made", "opened"]
    assert fair.names()[-2:] == ["closed_entries", "started"]
    fair.advance()
    assert len(fair.running()) == 4


def test_an_event_with_too_few_does_not_begin(new_store: HastyStore) -> None:
    fair = Fair(new_store, 1)
    assert refused(fair, f"begin {fair.id}") == "too_few_entrants"
    assert fair.event.phase == "open"


def test_nobody_opens_or_finds_the_draft_of_another(new_store: HastyStore) -> None:
    fair = Fair(new_store, 0, opens=False)
    stranger = fair.club.join("Olga")
    done = order(fair, stranger, f"open {fair.id}")
    assert facts(done, "not_allowed")["code"] == "no_such_event"
    assert fair.event.phase == "draft"


@pytest.mark.parametrize("word", ["disqualify", "diskwalificeer"])
def test_somebody_is_disqualified(fair: Fair, word: str) -> None:
    ann = fair.players[1]
    done = order(fair, fair.director, f"{word} {fair.id} {ann.name.upper()}: two accounts.")
    assert sections(done) == ["event_done"]
    act = fair.log()[-1].act
    assert (act.name, act.by, act.player) == ("disqualified", fair.director.id, ann.id)
    assert act.reason == "two accounts."
    assert fair.event.entrant(2).standing == "disqualified"
    told = fair.to(ann, fair.deliver())
    assert any("two accounts." in mail.words for mail in told)


def test_a_disqualification_needs_a_name_and_a_reason(fair: Fair) -> None:
    name = fair.players[1].name
    assert refused(fair, f"disqualify {fair.id} {name}") == "needs_reason"
    assert refused(fair, f"disqualify {fair.id} {name}-Marie: out") == "no_such_name"
    assert refused(fair, f"disqualify {fair.id} {name} out") == "no_such_name"
    assert refused(fair, f"disqualify {fair.id} Nobody: out") == "no_such_name"


def test_who_waits_can_be_disqualified_too(new_store: HastyStore) -> None:
    fair = Fair(new_store, 3, max_entrants=2)
    assert fair.event.entrant(3).standing == "waiting"
    order(fair, fair.director, f"disqualify {fair.id} {fair.players[2].name}: two accounts")
    assert fair.event.entrant(3).standing == "disqualified"


def test_of_two_with_one_name_the_number_says_who_is_meant(new_store: HastyStore) -> None:
    fair = Fair(new_store, 2)
    twins = [fair.enter(fair.club.join("Twin")) for _ in range(2)]
    assert refused(fair, f"disqualify {fair.id} Twin: out") == "several_named"
    order(fair, fair.director, f"disqualify {fair.id} {twins[1].id}: out")
    assert [each.standing for each in fair.event.entrants] == ["in", "in", "in", "disqualified"]


def test_a_substitute_is_asked_and_takes_the_place(fair: Fair) -> None:
    bob = fair.club.join("Bob Jr.")
    fair.club.join("Bob Jr. the Second")
    name = fair.players[0].name
    done = order(fair, fair.director, f"substitute {fair.id} {name}: bob jr.")
    assert sections(done) == ["event_done"]
    [mail] = [each for each in fair.deliver() if each.letter.player_id == bob.id]
    fair.reply(bob, mail, "accept")
    assert fair.event.entrant(1).player_id == bob.id
    assert fair.names()[-2:] == ["substitute_asked", "substituted"]


def test_a_substitute_is_one_player(fair: Fair) -> None:
    twins = [fair.club.join("Twin") for _ in range(2)]
    name = fair.players[0].name
    assert refused(fair, f"substitute {fair.id} {name}: Twin") == "several_named"
    assert refused(fair, f"substitute {fair.id} {name}: Tw") == "no_such_player"
    assert refused(fair, f"substitute {fair.id} {name}") == "no_such_player"
    assert refused(fair, f"substitute {fair.id} {name}: 99999") == "no_such_player"
    assert refused(fair, f"substitute {fair.id} Nobody: Twin") == "no_such_name"
    order(fair, fair.director, f"vervang {fair.id} {name}: #{twins[1].id}")
    assert [each.player_id for each in fair.event.asked] == [twins[1].id]


@pytest.mark.parametrize(
    ("said", "scores"),
    [("gold", (2, 0)), ("Zwart", (0, 2)), ("draw", (1, 1)), ("remise", (1, 1))],
)
def test_a_result_is_corrected(
    fair: Fair, row: GameOfEvent, said: str, scores: tuple[int, int]
) -> None:
    fair.resign(row, 0 if said == "gold" else 1)
    fair.advance()
    done = order(fair, fair.director, f"correct {fair.id} {row.game_id} {said}: a slip")
    assert sections(done) == ["event_done"]
    assert points(fair, row) == scores
    act = fair.log()[-1].act
    assert (act.name, act.reason) == ("corrected", "a slip")
    told = [mail for mail in fair.deliver() if mail.subject == "A director has ruled: Autumn"]
    assert len(told) == 2


def test_what_is_wrong_with_a_correction_is_told(fair: Fair, row: GameOfEvent) -> None:
    game = row.game_id
    assert refused(fair, f"correct {fair.id} {game} gold: a slip") == "no_result_yet"
    fair.resign(row, 0)
    fair.advance()
    assert refused(fair, f"correct {fair.id} {game} gold") == "needs_reason"
    assert refused(fair, f"correct {fair.id} {game} Ann: a slip") == "which_result"
    assert refused(fair, f"correct {fair.id} gold: a slip") == "no_such_encounter"
    assert refused(fair, f"correct {fair.id} aaaa2222 gold: a slip") == "no_such_encounter"
    assert points(fair, row) == (0, 2)


def test_a_game_is_named_with_its_own_event(fair: Fair, row: GameOfEvent) -> None:
    raw = {"title": "Spring", "format": "swiss", "agreement": TERMS}
    other = making.make(fair.around, fair.director.id, raw, now=fair.now)
    assert refused(fair, f"annul {other.id} {row.game_id}: no") == "no_such_encounter"
    assert points(fair, row) is None


@pytest.mark.parametrize("word", ["annul", "annuleer"])
def test_a_game_is_annulled(fair: Fair, row: GameOfEvent, word: str) -> None:
    assert refused(fair, f"{word} {fair.id} {row.game_id}") == "needs_reason"
    done = order(fair, fair.director, f"{word} {fair.id} {row.game_id}: played twice")
    assert sections(done) == ["event_done"]
    assert fair.log()[-1].act.name == "annulled"
    assert points(fair, row) == (0, 0)
    assert "counts for nothing" in receipt(fair)


@pytest.mark.parametrize(
    "command",
    [
        "close {id}",
        "begin {id}",
        "disqualify {id} Player 3: out",
        "substitute {id} Player 3: Dora",
        "correct {id} {game} gold: so",
        "annul {id} {game}: so",
    ],
)
def test_players_step_into_nothing(fair: Fair, row: GameOfEvent, command: str) -> None:
    before = len(fair.log())
    body = command.format(id=fair.id, game=row.game_id)
    done = order(fair, fair.players[0], body)
    assert facts(done, "not_allowed")["code"] == "not_director"
    assert len(fair.log()) == before


def test_without_a_token_the_director_is_asked_first(fair: Fair, row: GameOfEvent) -> None:
    done = fair.write(fair.director, f"annul {fair.id} {row.game_id}: played twice")
    assert sections(done) == ["write_again"]
    assert points(fair, row) is None
    [mail] = fair.to(fair.director, fair.deliver())
    fair.reply(fair.director, mail, "ok")
    assert fair.log()[-1].act.name == "annulled"
