"""``pbem verify`` on files, without a server: what is proven, and what is found out."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from pbem.cli import exhibits, log_files, main
from tests.play.logged_games import LoggedGame, logged_game

CLEAN, DICEY = logged_game(1), logged_game(2, dice="dicey")


def verify(*words: str | Path, stdin: bytes | None = None) -> Result:
    done = CliRunner().invoke(main, ["verify", *map(str, words)], input=stdin)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code in (0, 1)
    return done


def write(folder: Path, game: LoggedGame) -> tuple[Path, Path]:
    record, log = (folder / f"{game.start.game_id}.{ending}" for ending in ("ogn", "log"))
    record.write_text(game.record(Event="Cup"), encoding="utf-8")
    log.write_text(game.log, encoding="utf-8")
    return record, log


def packed(*members: tuple[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as export:
        for name, text in members:
            export.writestr(name, text)
    return data.getvalue()


EXPORT = packed(
    ("games/1.ogn", CLEAN.record()),
    ("games/2.ogn", DICEY.record()),
    ("logs/1.log", CLEAN.log),
    ("logs/2.log", DICEY.log),
    ("index.csv", "number,gold,black\n"),
)


class TestSoundFiles:
    @pytest.mark.parametrize("game", [CLEAN, DICEY], ids=["clean", "dicey"])
    def test_a_record_alone(self, tmp_path: Path, game: LoggedGame) -> None:
        record, _ = write(tmp_path, game)
        done = verify(record)
        assert done.exit_code == 0, done.output
        assert "1 record and 0 logs, 0 with faults" in done.output
        assert "1 record without the log that proves the clocks" in done.output

    def test_records_with_their_logs(self, tmp_path: Path) -> None:
        files = [*write(tmp_path, CLEAN), *write(tmp_path, DICEY)]
        done = verify(*files)
        assert done.exit_code == 0, done.output
        assert f"LogHash {CLEAN.entries[-1].hash}" in done.output
        assert "2 records and 2 logs, 0 with faults; 2 records as the log says\n" in done.output

    def test_many_logs_in_one_file(self, tmp_path: Path) -> None:
        files = [*write(tmp_path, CLEAN), *write(tmp_path, DICEY)]
        both = tmp_path / "both.log"
        both.write_text(CLEAN.log + DICEY.log, encoding="utf-8")
        done = verify(files[0], files[2], both)
        assert done.exit_code == 0, done.output
        assert f"both.log:{CLEAN.log.count(chr(10)) + 1}: " in done.output
        assert "2 records and 2 logs, 0 with faults; 2 records as the log says" in done.output

    def test_many_games_in_one_file(self, tmp_path: Path) -> None:
        _, log = write(tmp_path, CLEAN)
        both = tmp_path / "both.ogn"
        both.write_text(f"{DICEY.record()}\n{CLEAN.record()}", encoding="utf-8")
        done = verify(both, log)
        assert done.exit_code == 0, done.output
        assert "1 record as the log says; 1 record without the log" in done.output

    def test_an_export(self, tmp_path: Path) -> None:
        file = tmp_path / "export.zip"
        file.write_bytes(EXPORT)
        before = sorted(tmp_path.iterdir())
        done = verify(file)
        assert done.exit_code == 0, done.output
        assert done.output == (
            "2 records and 2 logs, 0 with faults; 2 records as the log says;"
            " 1 other file not looked at\n"
        )
        assert sorted(tmp_path.iterdir()) == before

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (CLEAN.record().encode(), "1 record and 0 logs"),
            (CLEAN.log.encode(), "0 records and 1 log"),
            (EXPORT, "2 records and 2 logs"),
        ],
        ids=["record", "log", "export"],
    )
    def test_standard_input(self, data: bytes, said: str) -> None:
        done = verify("-", stdin=data)
        assert done.exit_code == 0, done.output
        assert f"{said}, 0 with faults" in done.output

    def test_remarks_of_annotators_change_nothing(self, tmp_path: Path) -> None:
        record, log = write(tmp_path, CLEAN)
        text = record.read_text()
        record.write_text(re.sub(r"(\n1[gb]\. )", r"\1{[%by Ann] A quiet start.} ", text))
        assert record.read_text() != text
        done = verify(record, log)
        assert done.exit_code == 0, done.output
        assert "1 record as the log says" in done.output


class TestFindings:
    def test_a_record_that_is_not_what_the_log_says(self, tmp_path: Path) -> None:
        record, log = write(tmp_path, CLEAN)
        text = record.read_text()
        at = text.index("[%clk ")
        record.write_text(text[:at] + text[at:].replace("[%clk 1", "[%clk 2", 1))
        done = verify(record, log)
        assert done.exit_code == 1
        line = text[:at].count("\n") + 1
        assert re.search(rf"{record}:{line}:\d+: The record says .*\[N5.6 log_mis", done.output)
        assert "1 with faults" in done.output
        assert verify(record).exit_code == 0, "a record alone proves no clock"

    def test_a_result_that_fits_the_board_but_not_the_log(self, tmp_path: Path) -> None:
        record, log = write(tmp_path, CLEAN)
        text = record.read_text().replace('"resignation"', '"time"')
        record.write_text(text)
        done = verify(record, log)
        assert done.exit_code == 1
        assert f"{record}:8:1: " in done.output
        assert 'Termination "time"' in done.output

    def test_an_illegal_order_and_a_roll(self, tmp_path: Path) -> None:
        record, _ = write(tmp_path, DICEY)
        text = record.read_text()
        roll = re.search(r"\((\d)/(\d)\)", text)
        assert roll is not None
        other = next(face for face in ("(4/1)", "(5/2)", "(6/3)") if face != roll[0])
        record.write_text(text.replace(roll[0], other, 1))
        done = verify(record)
        assert done.exit_code == 1
        assert re.search(rf"{record}:\d+:\d+: .*\[R9", done.output)

    @pytest.mark.parametrize("tag", ["GameId", "SeedHash", "Seed"])
    def test_dice_that_nobody_can_check(self, tmp_path: Path, tag: str) -> None:
        record, _ = write(tmp_path, DICEY)
        record.write_text(re.sub(rf'\[{tag} ".*"\]\n', "", record.read_text()))
        done = verify(record)
        assert done.exit_code == 0, "nobody has promised what these dice were"
        assert f"{record}:1:1: The dice are not proven" in done.output
        assert "0 with faults" in done.output
        assert "1 record with dice that are not proven" in done.output
        assert CliRunner().invoke(main, ["check", str(record)]).exit_code == 0

    def test_a_log_that_was_changed(self, tmp_path: Path) -> None:
        record, log = write(tmp_path, CLEAN)
        lines = log.read_text().splitlines()
        lines[3] = lines[3].replace("setup ", "setup  ")
        lines[4] = lines[4].replace("T", " ", 1)
        log.write_text("\n".join(lines))
        done = verify(record, log)
        assert done.exit_code == 1
        assert f"{log}: entry 2: " in done.output
        assert "1 record and 1 log, 1 with faults" in done.output

    def test_one_of_many_logs_that_was_changed(self, tmp_path: Path) -> None:
        (record, _), (other, _) = write(tmp_path, CLEAN), write(tmp_path, DICEY)
        text = other.read_text().replace('"resignation"', '"time"')
        other.write_text(text)
        both = tmp_path / "both.log"
        both.write_text(CLEAN.log.replace("setup ", "setup  ", 1) + DICEY.log, encoding="utf-8")
        done = verify(record, other, both)
        assert done.exit_code == 1
        assert f"{both}: entry " in done.output
        assert 'Termination "time", the log' in done.output
        assert "2 records and 2 logs, 2 with faults" in done.output

    def test_two_logs_of_one_game(self, tmp_path: Path) -> None:
        _, log = write(tmp_path, CLEAN)
        shorter = tmp_path / "shorter.log"
        shorter.write_text("".join(log.read_text().splitlines(keepends=True)[:-1]))
        done = verify(log, shorter)
        assert done.exit_code == 1
        assert f"{shorter}: another log of the game game1 than {log}" in done.output
        assert verify(log, log).exit_code == 0

    def test_what_cannot_be_opened_does_not_stop_the_rest(self, tmp_path: Path) -> None:
        record, log = write(tmp_path, CLEAN)
        done = verify(tmp_path / "none.log", tmp_path, record, log)
        assert done.exit_code == 1
        assert "none.log: No such file" in done.output
        assert "Is a directory" in done.output
        assert "1 record and 1 log, 2 with faults; 1 record as the log says" in done.output

    @pytest.mark.parametrize("name", ["empty.ogn", "empty.zip", "empty.log", "empty"])
    def test_nothing_proves_nothing(self, tmp_path: Path, name: str) -> None:
        file = tmp_path / name
        file.write_bytes(packed() if name.endswith("zip") else b"")
        assert verify(file).exit_code == 1

    def test_neither_files_nor_all(self) -> None:
        assert CliRunner().invoke(main, ["verify"]).exit_code == 2


class TestNastyExports:
    def said(self, tmp_path: Path, data: bytes) -> str:
        file = tmp_path / "export.zip"
        file.write_bytes(data)
        done = verify(file)
        assert done.exit_code == 1
        assert "Traceback" not in done.output
        assert list(tmp_path.iterdir()) == [file]
        return done.output

    @pytest.mark.parametrize(
        "name", ["/etc/a.ogn", "../a.ogn", "a/../../b.log", "..\\a.ogn", "C:\\a.ogn", "C:/a.log"]
    )
    def test_a_name_that_leads_out(self, tmp_path: Path, name: str) -> None:
        output = self.said(tmp_path, packed((name, CLEAN.record()), ("b.ogn", CLEAN.record())))
        assert "leads out of the export" in output
        assert "1 record and 0 logs, 1 with faults" in output

    def test_an_export_inside_an_export(self, tmp_path: Path) -> None:
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as export:
            export.writestr("more.zip", EXPORT)
            export.writestr("a.ogn", CLEAN.record())
        output = self.said(tmp_path, inner.getvalue())
        assert "export.zip/more.zip: is an export inside an export" in output

    def test_an_encrypted_member(self, tmp_path: Path) -> None:
        data = bytearray(packed(("a.ogn", CLEAN.record())))
        for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            data[data.index(mark) + offset] |= 1
        assert "export.zip/a.ogn: is encrypted" in self.said(tmp_path, bytes(data))

    def test_another_way_of_packing(self, tmp_path: Path) -> None:
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_BZIP2) as export:
            export.writestr("a.ogn", CLEAN.record())
        assert "is packed in a way" in self.said(tmp_path, data.getvalue())

    def test_a_damaged_member(self, tmp_path: Path) -> None:
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_STORED) as export:
            export.writestr("a.ogn", CLEAN.record())
            export.writestr("b.log", CLEAN.log)
        damaged = data.getvalue().replace(b'[Event "', b'[Evens "').replace(b'"seed"', b'"need"')
        output = self.said(tmp_path, damaged)
        assert "export.zip/a.ogn: cannot be read: Bad CRC-32" in output
        assert "export.zip/b.log: " in output

    def test_a_bomb(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(exhibits, "ALWAYS_ALLOWED", 1 << 20)
        output = self.said(tmp_path, packed(("a.log", "0" * (20 << 20)), ("b.ogn", "x")))
        assert "export.zip: unpacks to far more than an export of games does" in output

    def test_one_that_says_it_is_small(self, tmp_path: Path) -> None:
        """What is written of a member's length is all that is ever read of it."""
        text = CLEAN.record()
        data = packed(("a.ogn", text + " " * (4 << 20)))
        short = len(text).to_bytes(4, "little")
        size = (len(text) + (4 << 20)).to_bytes(4, "little")
        assert data.count(size) >= 1
        assert "a.ogn: cannot be read: " in self.said(tmp_path, data.replace(size, short))

    def test_an_endless_list_of_contents(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(exhibits, "MAX_DIRECTORY", 200)
        output = self.said(tmp_path, packed(*((f"{number}.ogn", "") for number in range(9))))
        assert "its list of contents is too long" in output

    def test_an_endless_log(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(log_files, "MAX_LOG", len(CLEAN.log) // 2)
        output = self.said(tmp_path, packed(("a.log", CLEAN.log)))
        assert "longer than any log" in output

    @pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), EXPORT[:500]])
    def test_what_is_none(self, tmp_path: Path, data: bytes) -> None:
        self.said(tmp_path, data)

    @given(st.lists(st.tuples(st.integers(0, len(EXPORT) - 1), st.integers(0, 255)), min_size=1))
    def test_whatever_is_damaged_is_told(self, changes: list[tuple[int, int]]) -> None:
        data = bytearray(EXPORT)
        for place, byte in changes:
            data[place] = byte
        verify("-", stdin=bytes(data))
