"""The command line as a user meets it: what it prints, and how it ends."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from pbem.cli import main
from pbem.games.base import Start
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.sampling import random_game

ROOT = Path(__file__).resolve().parents[2]
OWN_VECTORS = ROOT / "tests" / "data" / "vectors" / "ortus-own.jsonl"
SHARED_VECTORS = ROOT.parent / "shared" / "conformance" / "ortus.jsonl"
QUIET = (
    "origin apprentice g 5 | 2 9 | 0 0 | - - "
    "| W1@F6 F2@I6 E3@J1 A4@K1 A5@L1 E6@M1 F7@N1 W8@O1 "
    "| W1@H15 F2@G15 E3@F15 A4@E15 A5@D15 E6@C15 F7@B15 W8@A15"
)


def run(*words: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, list(words), input=stdin)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    from random import Random

    game = Ortus()
    texts = []
    for number in range(2):
        start = Start(f"cli{number}", {"level": "master", "dice": "dicey"}, bytes([number]) * 32)
        texts.append(game.record(start, random_game(Random(number), start), {"Event": "Cli"}))
    file = tmp_path / "games.ogn"
    file.write_text("\n".join(texts), encoding="utf-8")
    return file


class TestHelp:
    @pytest.mark.parametrize("name", main.commands)
    def test_every_command_explains_itself(self, name: str) -> None:
        done = run(name, "--help")
        assert done.exit_code == 0
        assert done.output.startswith(f"Usage: main {name} ")

    def test_every_command_is_listed_with_a_whole_sentence(self) -> None:
        done = run("--help")
        assert done.exit_code == 0
        listed = done.output.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
        assert [line.split()[0] for line in listed] == sorted(main.commands)
        assert all(line.endswith(".") and not line.endswith("...") for line in listed)

    def test_a_name_that_is_nearly_right_is_guessed(self) -> None:
        done = run("moevs")
        assert done.exit_code == 2
        assert "Did you mean 'moves'?" in done.output


class TestConform:
    def test_our_own_vectors_agree(self) -> None:
        done = run("conform", str(OWN_VECTORS))
        assert done.exit_code == 0, done.output
        assert done.output.endswith(" vectors, 0 differences\n")

    @pytest.mark.skipif(not SHARED_VECTORS.exists(), reason="the shared vectors are not here")
    def test_the_shared_vectors_agree(self) -> None:
        done = run("conform", str(SHARED_VECTORS))
        assert done.exit_code == 0, done.output
        assert "80 vectors, 0 differences" in done.output

    def test_every_wrong_figure_is_found_and_named(self, tmp_path: Path) -> None:
        vectors = [json.loads(line) for line in OWN_VECTORS.read_text().splitlines()]
        vector = next(
            vector for vector in vectors if any("act" in step for step in vector["steps"])
        )
        number = next(n for n, step in enumerate(vector["steps"]) if "act" in step)
        after = vector["steps"][number]["after"]
        for field, wrong in [
            ("energy", {"gold": 99, "black": 99}),
            ("honour", {"gold": 5, "black": 0}),
            ("turn", 77),
            ("active", "nobody"),
            ("pending", [["A8", 1]]),
            ("gold", {}),
            ("winner", "gold?"),
        ]:
            right = after[field]
            after[field] = wrong
            file = tmp_path / "wrong.jsonl"
            file.write_text(json.dumps(vector) + "\n")
            done = run("conform", str(file))
            after[field] = right
            assert done.exit_code == 1
            assert f"{vector['id']} step {number + 1} after.{field}: expected" in done.output
        vector["steps"][number]["legal_digest"] = "0" * 16
        file.write_text(json.dumps(vector) + "\n")
        assert "legal_digest: expected 0000000000000000, got" in run("conform", str(file)).output

    @pytest.mark.parametrize(
        "line",
        [
            "",
            "{",
            "[1]",
            "null",
            '{"id": "x"}',
            '{"id": "x", "start": {}, "steps": []}',
            "\x00",
            '{"id":"x","start":{"position":"origin"},"steps":[]}',
            "[" * 100_000,
        ],
    )
    def test_what_is_no_vector_is_a_difference_not_a_crash(self, tmp_path: Path, line: str) -> None:
        file = tmp_path / "bad.jsonl"
        file.write_text(line + "\n")
        done = run("conform", str(file))
        assert done.exit_code == 1
        assert isinstance(done.exception, SystemExit)


class TestPerftAndMoves:
    def test_perft_counts_and_divides(self) -> None:
        whole = int(run("perft", QUIET, "2").output)
        divided = run("perft", QUIET, "2", "--divide").output.splitlines()
        assert divided[-1] == f"total: {whole}"
        assert sum(int(line.rpartition(": ")[2]) for line in divided[:-1]) == whole

    def test_moves_lists_what_perft_counts(self) -> None:
        listed = json.loads(run("moves", QUIET, "--json").output)
        assert len(listed) == int(run("perft", QUIET, "1").output)
        assert {"action": "W1>G6", "cost": 1} in listed
        assert {"action": "end", "cost": 0} in listed
        assert f"{len(listed)} legal actions" in run("moves", QUIET).output

    def test_a_position_can_come_from_standard_input(self) -> None:
        assert run("perft", "-", "1", stdin=QUIET + "\n").output == run("perft", QUIET, "1").output

    @pytest.mark.parametrize(
        ("position", "said"),
        [
            ("", "expected"),
            ("origin", "expected"),
            (QUIET.replace("W1@F6", "W1@H8"), "Core"),
            (QUIET.replace("W1@F6", "W1@I6"), "empty hex"),
            (QUIET.replace("origin", "nowhere"), "--arena FILE"),
            ("x" * 100_000, "expected"),
            ("\x00", "expected"),
        ],
    )
    def test_a_bad_position_is_explained(self, position: str, said: str) -> None:
        done = run("moves", position)
        assert done.exit_code == 1
        assert said in done.output
        assert isinstance(done.exception, SystemExit)
        assert len(done.output) < 1000


class TestRender:
    def test_a_position_in_every_form(self, tmp_path: Path) -> None:
        assert "W1" in run("render", QUIET).output
        assert "Wind 1 on F6, a Well" in run("render", QUIET, "--spoken").output
        assert run("render", QUIET, "--svg").output.startswith("<svg")
        picture = tmp_path / "board.png"
        assert run("render", QUIET, "--png", "-o", str(picture), "--width", "400").exit_code == 0
        assert Image.open(io.BytesIO(picture.read_bytes())).width == 400

    def test_from_either_side(self) -> None:
        gold, black = (run("render", QUIET, "--side", side).output for side in ("gold", "black"))
        assert gold != black

    def test_a_moment_of_a_record(self, record: Path) -> None:
        first = run("render", f"{record}@1g", "--spoken").output
        assert first != run("render", f"{record}#2@1g", "--spoken").output
        assert first != run("render", str(record), "--spoken").output
        assert "has no turn 999g" in run("render", f"{record}@999g").output
        assert "has no game 3" in run("render", f"{record}#3").output

    def test_what_is_neither_is_explained(self, tmp_path: Path) -> None:
        done = run("render", str(tmp_path / "missing.ogn"))
        assert done.exit_code == 1
        assert "No such file" in done.output


class TestRecords:
    def test_good_records_pass(self, record: Path) -> None:
        done = run("check", str(record))
        assert done.exit_code == 0, done.output
        assert done.output.endswith("2 games, 0 with faults\n")

    def test_every_fault_is_reported_with_its_place(self, record: Path) -> None:
        lines = record.read_text().splitlines(keepends=True)
        at = next(n for n, line in enumerate(lines) if line.startswith("2g. "))
        lines[at] = "2g. W1>A8; end\n"
        record.write_text("".join(lines))
        done = run("check", str(record))
        assert done.exit_code == 1
        assert f"{record}:{at + 1}:5: " in done.output
        assert "2 games, 1 with faults" in done.output

    def test_formatting_mends_spelling_and_is_stable(self, record: Path) -> None:
        canonical = record.read_bytes()
        record.write_bytes(b"\xef\xbb\xbf" + canonical.replace(b"\n", b"\r\n"))
        assert run("format", str(record)).output.encode() == canonical
        assert run("format", "-i", str(record)).exit_code == 0
        assert record.read_bytes() == canonical
        assert list(record.parent.iterdir()) == [record]

    @pytest.mark.parametrize(
        ("canonical", "written"),
        [("; ", ";   "), (". ", ".\n  "), (" {", "{"), ("{", "{ "), ("    (", "  (")],
    )
    def test_formatting_mends_layout(self, record: Path, canonical: str, written: str) -> None:
        tags, blank, moves = record.read_text().partition("\n\n")
        record.write_text(tags + blank + moves.replace(canonical, written, 1))
        assert run("format", str(record)).output == tags + blank + moves

    def test_formatting_leaves_a_file_with_faults_alone(self, record: Path) -> None:
        broken = record.read_text().replace("; end\n", "; xyzzy\n", 1)
        record.write_text(broken)
        done = run("format", "-i", str(record))
        assert done.exit_code == 1
        assert "nothing was written" in done.output
        assert record.read_text() == broken
        assert list(record.parent.iterdir()) == [record]

    def test_formatting_reads_standard_input(self, record: Path) -> None:
        canonical = record.read_text()
        assert run("format", "-", stdin=canonical.replace("\n", "\r\n")).output == canonical
        assert run("check", "-", stdin=canonical).output.endswith("2 games, 0 with faults\n")

    def test_formatting_in_place_keeps_the_mode_and_the_link(self, record: Path) -> None:
        record.chmod(0o640)
        link = record.parent / "link.ogn"
        link.symlink_to(record)
        assert run("format", "-i", str(link)).exit_code == 0
        assert link.is_symlink()
        assert record.stat().st_mode & 0o777 == 0o640

    def test_formatting_never_replaces_what_it_cannot_decode(self, record: Path) -> None:
        # Beyond the first megabyte, from which the encoding is guessed.
        written = record.read_bytes() + b"\n" * (1 << 20) + b"\xff"
        record.write_bytes(written)
        done = run("format", "-i", str(record))
        assert done.exit_code == 1
        assert "not all text" in done.output
        assert record.read_bytes() == written

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        done = run("format", "-i", str(tmp_path / "none" / "games.ogn"))
        assert isinstance(done.exception, SystemExit)
        assert "No such file" in done.output

    @pytest.mark.parametrize("command", [["check"], ["format"], ["moves"], ["render"]])
    def test_noise_on_standard_input(self, command: list[str]) -> None:
        done = run(*command, "-", stdin=b"\xa3\xff\x00" * 1000)
        assert isinstance(done.exception, SystemExit)
        assert done.exit_code == 1

    def test_a_game_number_beyond_all_bounds(self, record: Path) -> None:
        done = run("render", f"{record}#{10**30}")
        assert isinstance(done.exception, SystemExit)
        assert done.exit_code == 1

    @pytest.mark.parametrize(
        "data", [b"", b"\x00" * 5000, b"\xff\xfe\x00\xd8", b"[" * 100_000, b"noise\n" * 20_000]
    )
    def test_noise_is_refused_without_a_crash(self, tmp_path: Path, data: bytes) -> None:
        file = tmp_path / "noise.ogn"
        file.write_bytes(data)
        for command in ("check", "format"):
            done = run(command, str(file))
            assert done.exception is None or isinstance(done.exception, SystemExit)
            assert len(done.output) < 100_000


class TestArenas:
    def test_an_arena_of_ones_own(self, tmp_path: Path) -> None:
        file = tmp_path / "rift.toml"
        wells = ["F6", "I6", "L6", "B8", "N8", "D10", "G10", "J10"]
        file.write_text(f'name = "rift"\nwells = {wells}\ncuts = ["E8", "K8"]\n')
        position = QUIET.replace("origin", "rift")
        assert run("moves", position, "--arena", str(file)).exit_code == 0
        file.write_text('name = "rift"\nwells = ["A1", "H8"]\ncuts = ["E8"]\n')
        done = run("moves", position, "--arena", str(file))
        assert done.exit_code == 1
        assert done.output.count("\n  - ") >= 3


class TestVerifyFile:
    def test_a_log_is_verified_without_a_server(self, tmp_path: Path) -> None:
        from datetime import UTC, datetime

        from pbem.play.course import begin_course, first_text, follow
        from pbem.play.log import GENESIS, LogEntry, format_log, sealed
        from pbem.play.terms import parse_terms
        from pbem.schedule.calendar import Calendar

        at = datetime(2026, 11, 16, tzinfo=UTC)
        start = Start("filed", {"level": "wind"}, bytes(32))
        terms, calendars = parse_terms({}), [Calendar(), Calendar()]
        course = begin_course(start, "ortus", terms, calendars, at)
        texts: list[tuple[int | None, str]] = [
            (None, first_text(start, "ortus", terms, calendars)),
            (0, "setup WFEAAEFW"),
            (1, "setup FWEAAEWF"),
        ]
        entries: list[LogEntry] = []
        for number, (seat, text) in enumerate(texts):
            previous = entries[-1].hash if entries else GENESIS
            entries.append(sealed(previous, LogEntry(number, seat, text, at, at, b"salt", "")))
            if number:
                followed = follow(course, seat, text, arrived=at, at=at)
                course = followed.course  # type: ignore[union-attr]
        file = tmp_path / "filed.log"
        file.write_text(format_log(start.seed, entries), encoding="utf-8")
        done = run("verify", str(file))
        assert done.exit_code == 0, done.output
        assert f"3 entries, not over, LogHash {entries[-1].hash}" in done.output

        file.write_text(file.read_text().replace("setup WFEAAEFW", "setup WWEAAEFF"))
        done = run("verify", str(file))
        assert done.exit_code == 1
        assert "entry 1" in done.output

    @pytest.mark.parametrize("text", ["", "{", "[]\n", "\x00", '{"seed": "zz"}\n', "[" * 50_000])
    def test_what_is_no_log_is_refused(self, tmp_path: Path, text: str) -> None:
        file = tmp_path / "bad.log"
        file.write_text(text)
        done = run("verify", str(file))
        assert done.exit_code == 1
        assert isinstance(done.exception, SystemExit)
        assert "Traceback" not in done.output
