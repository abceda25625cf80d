"""``pbem ratings``: counting again, comparing, listing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import delete, update

from pbem.cli import main
from pbem.play.rating import count_ratings, take_in
from pbem.store.rating_rows import RATINGS
from pbem.tournaments.ratings import period_of
from tests.play.club import Club
from tests.play.hasty_store import HastyStore
from tests.play.test_rating import play

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
    return lambda *words: CliRunner().invoke(main, ["ratings", *words])


def grown(club: Club) -> None:
    ann, ben = club.join("Ann"), club.join("Ben [b]")
    for number in range(3):
        play(club, ann, ben, days=number * 31)


def test_counting_again_and_comparing(club: Club, run: Run) -> None:
    grown(club)
    waits = run("recompute", "--check")
    assert "not counted yet" in waits.output
    take_in(club.around)
    count_ratings(club.around)
    assert run("recompute", "--check").output == "All ratings follow from the games.\n"
    club.store.change(update(RATINGS).where(RATINGS.c.games == 1).values(rating=1999.0))
    found = run("recompute", "--check")
    assert found.exit_code == 1
    assert "1999.0" in found.output
    done = run("recompute")
    assert (done.exit_code, "2 ratings have changed" in done.output) == (0, True)
    assert run("recompute", "--check").exit_code == 0


def test_the_list_of_a_level(club: Club, run: Run) -> None:
    grown(club)
    run("recompute")
    assert run("list", "apprentice").output == "Nobody is in this list.\n"
    this_month = period_of(datetime.now(UTC))
    club.store.change(delete(RATINGS).where(RATINGS.c.games < 3))
    club.store.change(update(RATINGS).values(period=this_month))
    told = run("list", "apprentice", "--provisional", "--json").output.splitlines()
    rows = [json.loads(row) for row in told]
    assert [row["name"] for row in rows] == ["Ann", "Ben [b]"]
    assert rows[0]["rating"] > 1500 > rows[1]["rating"]
    assert {(row["place"], row["games"]) for row in rows} == {(None, 3)}
    assert "Ben [b]" in run("list", "apprentice", "--provisional").output
    assert run("list", "nonsense").exit_code == 2
