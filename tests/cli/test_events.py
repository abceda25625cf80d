"""``pbem event``: the operator's view of events."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import update

from pbem.cli import main
from pbem.store.event_rows import EVENTS
from tests.play.club import Club
from tests.play.events.festival import Festival
from tests.play.hasty_store import HastyStore

Run = Callable[..., Result]


@pytest.fixture
def club(database_url: str) -> Iterator[Club]:
    store = HastyStore.open(database_url)
    yield Club(store)
    store.dispose()


@pytest.fixture
def run(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("PBEM_DATABASE_URL", database_url)
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    return lambda *words: CliRunner().invoke(main, ["event", *words])


def lines(result: Result) -> list[dict[str, object]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.output.splitlines()]


def test_events_are_listed_shown_and_told(club: Club, run: Run) -> None:
    assert run("list").output == "There are no events.\n"
    festival = Festival(club, 3, format="round_robin", title="Cup [b]")
    festival.start()
    [row] = lines(run("list", "--json"))
    assert (row["event"], row["phase"], row["entrants"]) == (festival.id, "running", 3)
    shown = run("show", festival.id).output
    assert "Cup [b]" in shown
    assert "Player 2 - Player 4" in shown or "Player 4 - Player 2" in shown
    names = [act["act"] for act in lines(run("log", festival.id, "--json"))]
    assert names == ["made", "opened", "entered", "entered", "entered", "started", "paired"]
    assert "paired" in run("log", festival.id).output
    rows = lines(run("standings", festival.id, "--json"))
    assert {row["points"] for row in rows} == {"0"}
    assert len(rows) == 3


def test_an_event_goes_on_at_once(club: Club, run: Run) -> None:
    festival = Festival(club, 2, format="round_robin", meeting="single")
    festival.start()
    festival.resign(festival.running()[0], 1)
    assert run("advance", festival.id).output == "2 acts, 0 games begun.\n"
    assert festival.event.phase == "over"
    assert run("advance").output == "0 acts, 0 games begun.\n"
    assert run("list").output == "There are no events.\n"
    assert [row["phase"] for row in lines(run("list", "--all", "--json"))] == ["over"]


def test_an_event_that_is_not_there(run: Run) -> None:
    for words in (("show", "none"), ("log", "none"), ("standings", "none"), ("advance", "none")):
        told = run(*words)
        assert told.exit_code == 1
        assert told.output == "Error: There is no event none.\n"


def test_what_is_kept_is_held_against_the_logs(club: Club, run: Run) -> None:
    festival = Festival(club, 4, format="swiss", meeting="single")
    festival.start()
    festival.play_out(lambda row: row.encounter % 2)
    assert run("check").output == "1 events are what their logs say.\n"
    club.store.change(update(EVENTS).values(round=7))
    told = run("check")
    assert told.exit_code == 1
    assert "its row is not what its log comes to" in told.output
