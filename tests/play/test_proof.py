"""Whether a record and a log are of one game: what agrees, and where a forgery is found."""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from notation.record import Record
from notation.record_reading import parse_record, read_records
from pbem.archive.facts import facts_of
from pbem.archive.places import Place
from pbem.archive.remark_joining import join_remarks
from pbem.archive.remarks import Remark
from pbem.archive.unannotated import without_remarks
from pbem.cli.proofs import verify
from pbem.play.archive import log_of, record_of
from pbem.play.archived import NewGame
from pbem.play.archiving import archive_finished
from pbem.play.exporting import exported, zip_bytes
from pbem.play.log import LogEntry, parse_log
from pbem.play.proof import find_disagreement, logged_digest, prove_log
from tests.archive.files import many
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import Club, at
from tests.play.shelf import shelve
from tests.play.test_whole_games import VARIANTS, play_out

Log = tuple[bytes, list[LogEntry]]
LUCKY = many(8)[7]
"""A game with dice whose seed nobody knows."""


@pytest.fixture
def played(club: Club) -> tuple[str, Log]:
    """The record and the log of a game with a plan, a rule, a default and several turns."""
    match = club.study(TWO_ARCHERS, clock="9d defence 3d fall", dice="dicey")
    match.send("black", "standing: block A4 <=5", 0.5)
    match.send("gold", "W1 rng I4 [-: A5>L2 | +: F2 rng I4]; end", 1)
    if match.request().kind == "defence":
        match.send("black", "I4-", 30)
    match.send("black", "E6>C13; end", 40)
    match.send("gold", "end", 41)
    match.send("black", "resign", 50)
    with club.store.read() as unit:
        record = record_of(unit, match.stored, {"Event": "Cup"})
        return record, parse_log(log_of(unit, match.stored).splitlines())


def read(text: str) -> Record:
    return next(read_records(text, mode="recover")).record


@pytest.mark.parametrize("name", VARIANTS)
def test_n5_6_records_and_logs_of_whole_games_agree(club: Club, name: str) -> None:
    match = club.start(clock="100d+1d defence 4d fall", **VARIANTS[name])
    play_out(match, Random(name), most=40)
    with club.store.read() as unit:
        text, log = record_of(unit, match.stored, {}), log_of(unit, match.stored)
    seed, entries = parse_log(log.splitlines())
    proof = prove_log(seed, entries)
    assert (proof.game_id, proof.head) == (match.id, match.stored.head)
    assert proof.digest == logged_digest(parse_record(text))
    assert find_disagreement(parse_record(text), seed, entries) is None


def test_what_a_log_does_not_know_is_free(played: tuple[str, Log]) -> None:
    text, log = played
    other = text.replace('[Event "Cup"]', '[Event "?"]').replace(
        "[LogHash", '[GoldRating "1700"]\n[LogHash'
    )
    assert other != text
    assert logged_digest(read(other)) == prove_log(*log).digest
    assert find_disagreement(read(other), *log) is None


def test_remarks_change_nothing(played: tuple[str, Log]) -> None:
    text, log = played
    record = parse_record(text)
    remarks = [
        Remark(Place("5g", 1), "comment", "Well aimed. [%arrow F4 I4]", "Ann", 1),
        Remark(Place("5g", 1), "sign", "! $14", "Ben", 2),
        Remark(Place("5b", 0), "comment", "And now?", "Ben", 3),
        Remark(Place("5b", 2), "variation", "E6>C12; end", "Ann [x]", 4),
        Remark(Place("5b", 2), "comment", "So it goes.", "Ben", 5),
    ]
    joined = join_remarks(record, remarks)
    assert joined.left_out == ()
    assert joined.record != record
    assert without_remarks(joined.record) == record
    assert logged_digest(joined.record) == prove_log(*log).digest


def test_an_annotator_who_writes_down_a_branch_of_a_plan_shares_it(
    played: tuple[str, Log],
) -> None:
    record = parse_record(played[0])
    attack = record.turns[0].orders[0]
    (branch,) = attack.variations
    figures = "/".join(map(str, attack.roll))
    line = f"W1 rng I4({figures})={'+' if branch[0].orders[0].verdicts[0][1] else '-'}; "
    line += "F2 rng I4" if "=+" in line else "A5>L2; end"
    joined = join_remarks(record, [Remark(Place("5g", 1), "variation", line, "Ann", 1)])
    assert len(joined.record.turns[0].orders[0].variations) == 1
    assert without_remarks(joined.record) == record


@pytest.mark.parametrize(
    ("old", "new", "says", "log_says"),
    [
        ('[Date "2026', '[Date "2025', 'Date "2025.11.16"', '"2026.11.16"'),
        ("[Clock", "[Nothing", "no Clock", '"9d defence 3d fall"'),
        ("[SeedHash", '[Handicap "gold +2"]\n[SeedHash', 'Handicap "gold +2"', "none"),
        ("E6>C13", "E6>C14", "E6>C14", "E6>C13"),
        ("[%clk 8d", "[%clk 7d", "7d", "8d"),
        (" {[%plan]} {[%clk", " {[%clk", "end {[%clk", "{[%plan]}"),
        ("block A4 <=5", "block A4 <=3", "<=3", "<=5"),
        ("\n6g. end {[%clk 8d22h]}", "", "1-0", "6g."),
        ("5b. E6>C13;", "5b.", "end", "E6>C13"),
    ],
)
def test_n5_6_every_forgery_is_found_with_its_place(
    played: tuple[str, Log], old: str, new: str, says: str, log_says: str
) -> None:
    text, log = played
    assert old in text, text
    forged = read(text.replace(old, new, 1))
    assert logged_digest(forged) != prove_log(*log).digest
    found = find_disagreement(forged, *log)
    assert found is not None
    assert says in found.says
    assert log_says in found.log_says
    line = text[: text.index(old)].count("\n") + 1
    assert found.line in (line, line + 1) or says.startswith("no ") or "6g" in old


class TestExports:
    @pytest.fixture
    def export(self, club: Club, tmp_path: Path) -> Path:
        """A zip of the archive: two games that were played here, and one from elsewhere."""
        for number, dice in enumerate(("clean", "dicey")):
            play_out(club.start(clock="99d", dice=dice), Random(number), most=30)
        assert archive_finished(club.around, {"Site": "here"}, now=at(1000)).failed == {}
        shelve(club.around, NewGame(facts_of(parse_record(LUCKY)), LUCKY))
        file = tmp_path / "export.zip"
        file.write_bytes(b"".join(zip_bytes(club.around, exported(club.around, viewer=None))))
        return file

    def test_the_chains_of_our_games_are_proven_and_dice_from_elsewhere_are_not(
        self, export: Path
    ) -> None:
        done = CliRunner().invoke(verify, [str(export)])
        assert done.exit_code == 0, done.output
        assert "games-0001.ogn:" in done.output, "which dice are not proven is told"
        assert done.output.endswith(
            "3 records and 2 logs, 0 with faults; 2 records as the log says; 1 record with dice"
            " that are not proven; 1 index as the records say\n"
        )

    def test_the_index_says_where_each_log_begins(self, export: Path) -> None:
        with ZipFile(export) as opened:
            assert opened.namelist() == ["games-0001.ogn", "games-0001.log", "index.csv"]
            logs = opened.read("games-0001.log").decode().splitlines()
            records = opened.read("games-0001.ogn").decode().splitlines()
            rows = list(csv.DictReader(opened.read("index.csv").decode().splitlines()))
        assert [row["log"] for row in rows] == ["games-0001.log"] * 2 + [""]
        assert rows[2]["log_line"] == ""
        for row in rows:
            assert records[int(row["line"]) - 1].startswith("[Event")
        for row in rows[:2]:
            assert logs[int(row["log_line"]) - 1].startswith('{"version": 1')

    @pytest.mark.parametrize(
        ("member", "old", "new", "said"),
        [
            ("games-0001.log", b"end", b"eNd", "games-0001.log: entry "),
            ("games-0001.ogn", b"[%clk 9", b"[%clk 8", "[N5.6 log_mismatch]"),
            ("index.csv", b",here,", b",there,", "index.csv: row 2 says 'there' as site"),
            ("index.csv", b"1.ogn,1,", b"2.ogn,1,", "row 2 says 'games-0002.ogn' as file"),
            ("index.csv", b".log,1,", b".log,2,", "index.csv: row 2 says '2' as log_line"),
        ],
    )
    def test_whatever_was_changed_is_found(
        self, export: Path, member: str, old: bytes, new: bytes, said: str
    ) -> None:
        done = CliRunner().invoke(verify, [str(changed(export, member, old, new))])
        assert done.exit_code == 1
        assert said in done.output

    def test_a_game_left_out_of_the_index_or_of_the_records_is_found(self, export: Path) -> None:
        with ZipFile(export) as opened:
            last = opened.read("index.csv").splitlines(keepends=True)[-1]
        done = CliRunner().invoke(verify, [str(changed(export, "index.csv", last, b""))])
        assert "index.csv: row 4 says '' as file" in done.output
        more = changed(export, "index.csv", last, last + last)
        done = CliRunner().invoke(verify, [str(more)])
        assert "index.csv: row 5 is of a game that is not there" in done.output
        assert done.exit_code == 1


def changed(export: Path, member: str, old: bytes, new: bytes) -> Path:
    other = export.with_name("changed.zip")
    with ZipFile(export) as before, ZipFile(other, "w") as after:
        for name in before.namelist():
            data = before.read(name)
            if name == member:
                assert old in data
                data = data.replace(old, new, 1)
            after.writestr(name, data)
    return other
