"""Several at one event, and whoever is killed: one pairing, each game once, nobody mailed twice."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from multiprocessing.process import BaseProcess
from typing import Any

import pytest

from pbem.play.events import making, running
from tests.play.club import Club
from tests.play.events.crew import Task, Where, work
from tests.play.events.festival import Festival
from tests.play.hasty_store import HastyStore

PATIENCE = 60.0
WORKERS = 4

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(["tests.play.events.crew", "pbem.store.schema"])


@pytest.fixture
def outdoors(database_url: str) -> Iterator[Club]:
    """A club in a database of its own, which processes can open."""
    store = HastyStore.open(database_url)
    yield Club(store)
    store.dispose()


def begin(task: Task) -> BaseProcess:
    process = _processes.Process(target=work, args=(task,), daemon=True)
    process.start()
    return process


def end(process: BaseProcess) -> int | None:
    process.join(PATIENCE)
    if process.is_alive():
        process.kill()
        raise AssertionError("it waits for ever")
    return process.exitcode


def started(club: Club, **charter: Any) -> Festival:
    """An event that has begun, and nothing of it is paired."""
    festival = Festival(club, 5, **{"format": "swiss", "rounds": 2, **charter})
    running.start(festival.around, festival.id, festival.director.id, now=festival.now)
    return festival


def check_first_round(festival: Festival) -> None:
    assert festival.names().count("paired") == 1
    rows = festival.rows()
    assert len(rows) == 4
    assert all(row.game_id is not None for row in rows)
    told = [each.player_id for each in festival.notices("event_paired")]
    assert sorted(told) == sorted(player.id for player in festival.players)
    festival.check()


def test_workers_at_one_event_pair_it_once(outdoors: Club, database_url: str) -> None:
    festival = started(outdoors)
    crew = [begin(Task(database_url, festival.id, festival.now)) for _ in range(WORKERS)]
    assert [end(process) for process in crew] == [0] * WORKERS
    check_first_round(festival)


@pytest.mark.parametrize("where", ["inside", "behind"])
def test_a_worker_is_killed_in_every_unit_of_pairing_and_starting(
    outdoors: Club, database_url: str, where: Where
) -> None:
    for unit in count(1):
        festival = started(outdoors, title=f"Killed {where} {unit}")
        end_code = end(begin(Task(database_url, festival.id, festival.now, unit, where)))
        pairings = festival.names().count("paired")
        assert pairings == (0 if (unit, where) == (1, "inside") else 1)
        festival.advance()
        check_one(festival)
        if end_code == 0:
            assert unit > 3, "pairing, and the games of two encounters"
            return
        assert end_code == -signal.SIGKILL


def check_one(festival: Festival) -> None:
    """The same as ``check_first_round``, where the club has other events too."""
    assert festival.names().count("paired") == 1
    rows = festival.rows()
    ids = [row.game_id for row in rows]
    assert len(ids) == len(set(ids)) == 4
    assert None not in ids
    told = [each.player_id for each in festival.notices("event_paired")]
    assert sorted(told) == sorted(player.id for player in festival.players)
    with festival.club.store.read() as unit:
        seated = [unit.games_of(player.id) for player in festival.players]
    assert sorted(len(games) for games in seated) == [0, 2, 2, 2, 2]


def test_results_come_in_while_a_round_turns_over(outdoors: Club, database_url: str) -> None:
    festival = started(outdoors, round_days=5)
    festival.advance()
    ids = [row.game_id or "" for row in festival.running()]
    festival.now += timedelta(days=5)
    crew = [
        begin(Task(database_url, festival.id, festival.now, resigns=((game_id, number % 2),)))
        for number, game_id in enumerate(ids)
    ]
    crew += [begin(Task(database_url, festival.id, festival.now)) for _ in range(2)]
    assert [end(process) for process in crew] == [0] * len(crew)
    festival.advance()
    event = festival.event
    assert event.round == 2
    assert festival.names().count("paired") == 2
    assert all(encounter.is_over for encounter in event.of_round(1))
    assert festival.names().count("result") == len(ids)
    festival.check()


def test_two_directors_do_the_same_at_once(outdoors: Club, database_url: str) -> None:
    festival = started(outdoors)
    second = outdoors.join()
    by = festival.director.id
    making.add_director(festival.around, festival.id, by, second.id, now=festival.now)
    crew = [
        begin(Task(database_url, festival.id, festival.now, pauses_by=each))
        for each in (by, second.id)
    ]
    assert sorted(code for process in crew if (code := end(process)) is not None) == [0, 3]
    assert festival.names().count("paused") == 1
    assert festival.event.phase == "paused"
    paused = festival.log()[-1].act
    news = [each for each in festival.notices("event_news") if each.facts["act"] == paused.number]
    assert sorted(each.player_id for each in news) == [player.id for player in festival.players]
