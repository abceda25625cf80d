"""Tables as CSV and JSON say what the tables say."""

from __future__ import annotations

import csv
import io
import json

from pbem.play.events.exporting import crosstable_csv, table_csv, table_json
from pbem.tournaments.crosstable import crosstable_of
from pbem.tournaments.event import Event
from pbem.tournaments.standings import table_of
from tests.tournaments.making import make_event

NAMES = {1: "Ann", 2: "Bob, the second", 3: "=1+1"}


def event() -> Event:
    rounds = [["1 2 +="], ["1 3 +."], ["2 3 F="]]
    return make_event(
        rounds, format="round_robin", meeting="pair", tie_breaks=("direct", "sonneborn_berger")
    )


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_table_as_csv() -> None:
    rows = read(table_csv(table_of(event()), NAMES))
    assert [row["name"] for row in rows] == ["Ann", "'=1+1", "Bob, the second"]
    assert [row["points"] for row in rows] == ["2.5", "1.5", "1"]
    assert (rows[0]["direct"], rows[0]["running"], rows[0]["starts"]) == ("", "1", "2")
    assert rows[0]["why"] == "Ann is above =1+1: 2½ points against 1½ points."
    assert rows[-1]["why"] == ""


def test_no_two_columns_have_one_name() -> None:
    head = next(csv.reader(io.StringIO(table_csv(table_of(make_event([["1 2 +"]])), NAMES))))
    assert len(set(head)) == len(head)
    assert {"wins", "won"} <= set(head)


def test_a_crosstable_as_csv() -> None:
    lines = list(csv.reader(io.StringIO(crosstable_csv(crosstable_of(table_of(event())), NAMES))))
    assert lines[0] == ["line", "name", "Ann", "'=1+1", "Bob, the second", "points"]
    assert lines[1] == ["1", "Ann", "", "›1 ·", "›1 ½", "2.5"]
    by_rounds = crosstable_csv(crosstable_of(table_of(make_event([["1 2 +"]]))), NAMES)
    assert by_rounds.startswith("line,name,round 1,points")


def test_no_text_is_a_formula() -> None:
    rows = read(crosstable_csv(crosstable_of(table_of(event())), {1: "@a", 2: "-b", 3: "+c"}))
    assert {row["name"][0] for row in rows} == {"'"}


def test_a_table_as_json() -> None:
    told = json.loads(table_json(event(), table_of(event()), NAMES))
    assert (told["format"], told["version"], told["provisional"]) == ("pbem-event-table", 1, True)
    assert [row["name"] for row in told["rows"]] == ["Ann", "=1+1", "Bob, the second"]
    first = told["rows"][0]
    assert first["figures"] == {"direct": None, "sonneborn_berger": 3.0}
    assert first["games"][3] == {
        "round": 2,
        "opponent": 3,
        "points": None,
        "ending": "running",
        "started": False,
    }
    assert [each["code"] for each in told["why"]] == ["points", "points"]
    assert told["why"][0]["text"].startswith("Ann is above")


def test_byes_and_rounds_without_a_game_are_told_apart() -> None:
    event = make_event([["1 2 +", "3"], ["1 3 +"]])
    told = json.loads(table_json(event, table_of(event), NAMES))
    kinds = {row["name"]: [game["ending"] for game in row["games"]] for row in told["rows"]}
    assert kinds["=1+1"] == ["bye", "played"]
    assert kinds["Bob, the second"] == ["played", "absent"]
