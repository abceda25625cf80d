"""``pbem archive``: import, export, search, as an operator has them."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner, Result

from notation.position_line import format_position
from notation.record_reading import parse_record
from pbem.cli import main
from pbem.games.ortus.record_start import first_position
from pbem.play import exporting
from tests.archive.files import in_one, many


@pytest.fixture(autouse=True)
def _a_store(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_DATABASE_URL", database_url)


def run(*words: str, **more: str | bytes) -> Result:
    return CliRunner().invoke(main, ["archive", *words], **more)  # type: ignore[arg-type]


def import_text(folder: Path, text: str | bytes, *options: str, name: str = "games.ogn") -> Result:
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return run("import", str(file), "--jobs", "1", *options)


def exported(*options: str) -> str:
    told = run("export", *options)
    assert told.exit_code == 0, told.output
    return told.stdout


def counts(told: Result) -> list[int]:
    """Games, added, mended, duplicates, refused of the first file."""
    found = re.search(r"(?m)^ *((?:[\d,]+ +){5})/", told.stdout)
    assert found is not None, told.output
    return [int(figure.replace(",", "")) for figure in found[1].split()]


def test_the_sample_is_canonical_legal_and_has_all_that_annotating_knows(tmp_path: Path) -> None:
    text = run("sample").stdout
    told = import_text(tmp_path, text, "--strict")
    assert told.exit_code == 0, told.output
    assert counts(told) == [1, 1, 0, 0, 0]
    assert exported("--player", "Mira") == text
    record = parse_record(text)
    orders = [played for turn in record.turns for played in turn.orders]
    assert any(played.variations for played in orders)
    assert any(played.nags for played in orders)
    for command in ("[%by ", "[%arrow ", "[%mark ", "[%sign ", "[%diagram]"):
        assert command in text


def test_an_illegal_order_in_game_731_of_a_thousand(tmp_path: Path) -> None:
    games = many(1000)
    good = games[730]
    games[730] = re.sub(r"(?m)^(1[gb]\. ).*$", r"\1guide>H8; end", good, count=1)
    text = in_one(*games)
    file = tmp_path / "games.ogn"
    file.write_text(text)
    told = run("import", str(file), "--jobs", "2")
    assert told.exit_code == 1
    assert counts(told) == [1000, 999, 0, 0, 1]
    [fault] = [each for each in told.stdout.splitlines() if each.startswith(f"{file}:")]
    place = next(
        number
        for number, written in enumerate(text.split("\n"), 1)
        if written.endswith("guide>H8; end")
    )
    assert fault.startswith(f"{file}:{place}:5: "), fault
    assert exported("--all") == in_one(*games[:730], *games[731:])


def test_what_is_there_is_said_and_stays(tmp_path: Path) -> None:
    text = in_one(*many(3))
    import_text(tmp_path, text)
    [newest, *_] = _numbers(run("search", "--json"))
    again = import_text(tmp_path, many(3)[2] + "\n" + many(4)[3])
    assert (again.exit_code, counts(again)) == (0, [2, 1, 0, 1, 0])
    assert f"games.ogn:1:1: the same game as number {newest}" in again.stdout
    assert exported("--all") == in_one(text, many(4)[3])


def test_a_line_of_fifty_megabytes(tmp_path: Path) -> None:
    games = many(3)
    with (tmp_path / "games.ogn").open("w") as file:
        file.write(games[0] + "\n" + games[1].split("\n\n")[0] + "\n\n")
        for _ in range(50):
            file.write("x" * 1_000_000)
        file.write("\n1-0\n\n" + games[2])
    told = run("import", str(tmp_path / "games.ogn"), "--jobs", "1")
    assert counts(told) == [3, 2, 0, 0, 1]
    assert "line_too_long" in told.stdout
    assert exported("--all") == in_one(games[0], games[2])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    text = many(1)[0].replace("Player 0", "Zoë")
    strict = import_text(tmp_path, text.encode(encoding), "--strict")
    assert (strict.exit_code == 0) == (encoding == "utf-8")
    assert ("UTF-16" in strict.stdout) == (encoding == "utf-16")
    told = import_text(tmp_path, text.encode(encoding))
    assert told.exit_code == 0, told.output
    assert exported("--player", "ZOË") == text


def test_line_ends_of_other_systems(tmp_path: Path) -> None:
    text = in_one(*many(3))
    told = import_text(tmp_path, text.replace("\n", "\r\n"), "-v")
    assert counts(told) == [3, 3, 3, 0, 0]
    assert "carriage_return] (mended)" in told.stdout
    assert exported("--all") == text


def test_a_cut_file(tmp_path: Path) -> None:
    games = many(3)
    text = in_one(*games)
    told = import_text(tmp_path, text[:-200])
    assert told.exit_code == 1
    assert counts(told) == [3, 2, 0, 0, 1]
    assert exported("--all") == in_one(*games[:2])


def test_no_games_and_no_file(tmp_path: Path) -> None:
    told = import_text(tmp_path, "")
    assert told.exit_code == 1
    assert "there are no games in it" in told.output
    told = run("import", str(tmp_path / "none.ogn"))
    assert told.exit_code == 1
    assert "No such file" in told.output


def test_from_standard_input() -> None:
    told = run("import", "-", "--jobs", "1", input=many(2)[1])
    assert told.exit_code == 0, told.output
    assert exported("--all") == many(2)[1]


def test_which_games_are_exported_must_be_said() -> None:
    assert run("export").exit_code == 2
    assert run("export", "--all", "--player", "Ann").exit_code == 2


def test_an_export_replaces_nothing(tmp_path: Path) -> None:
    import_text(tmp_path, many(1)[0])
    target = tmp_path / "out.ogn"
    target.write_text("mine")
    told = run("export", "--all", "-o", str(target))
    assert (told.exit_code, target.read_text()) == (1, "mine")
    assert sorted(path.name for path in tmp_path.glob("*ogn*")) == ["games.ogn", "out.ogn"]


def test_a_zip_with_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "FILE_GAMES", 3)
    monkeypatch.setattr(exporting, "_PAGE", 2)
    games = many(7)
    games[6] = games[6].replace("Player 6", "=SUM(A1)")
    import_text(tmp_path, in_one(*games))
    target = tmp_path / "out.zip"
    assert run("export", "--all", "-o", str(target)).exit_code == 0
    with ZipFile(target) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert names == ["games-0001.ogn", "games-0002.ogn", "games-0003.ogn", "index.csv"]
        texts = {name: archive.read(name).decode() for name in names}
    assert in_one(*(texts[name] for name in names[:3])) == in_one(*games)
    rows = list(csv.DictReader(io.StringIO(texts["index.csv"], newline="")))
    assert [row["file"] for row in rows] == [names[0]] * 3 + [names[1]] * 3 + [names[2]]
    for row, game in zip(rows, games, strict=True):
        lines = texts[row["file"]].split("\n")[int(row["line"]) - 1 :]
        assert "\n".join(lines).startswith(game)
    assert rows[1]["gold"] == "Player 1"
    assert rows[6]["gold"] == "'=SUM(A1)"


def _numbers(told: Result) -> list[int]:
    assert told.exit_code == 0, told.output
    return [json.loads(line)["number"] for line in told.stdout.splitlines()]


def test_searching(tmp_path: Path) -> None:
    import_text(tmp_path, in_one(*many(8)))
    everything = _numbers(run("search", "--json"))
    assert len(everything) == 8
    [number] = _numbers(run("search", "--player", "player 3", "--json"))
    assert _numbers(run("search", "--level", "master", "--json")) != everything
    assert _numbers(run("search", "--from", "2026-11-05", "--json")) == everything[:4]
    assert _numbers(run("search", "--to", "2026.10", "--json")) == []
    assert _numbers(run("search", "--dice", "dicey", "--turns-from", "1", "--json"))
    shown = run("search", "--player", "player 3")
    assert f"{number} " in shown.stdout
    assert "Player 3" in shown.stdout
    assert "2026.11.04 Player 3" in " ".join(shown.stdout.split())
    assert "No game is like that." in run("search", "--event", "nowhere").stdout


def test_a_pattern_and_a_setup_that_cannot_be(tmp_path: Path) -> None:
    import_text(tmp_path, in_one(*many(2)))
    told = run("search", "--pattern", "three-wells")
    assert told.exit_code == 2
    assert "gold or black" in told.output
    assert run("search", "--pattern", "Gold  three-wells").exit_code == 0
    told = run("search", "--setup", "WW")
    assert told.exit_code == 2
    assert "eight letters" in told.output
    assert run("search", "--setup", "wfeaaefw").exit_code == 0


def test_page_after_page(tmp_path: Path) -> None:
    import_text(tmp_path, in_one(*many(5)))
    first = run("search", "--limit", "3")
    [after] = re.findall(r"--after (\S+)", first.stdout)
    assert len(_numbers(run("search", "--after", after, "--json"))) == 2
    assert run("search", "--after", "x").exit_code == 2
    assert run("search", "--from", "yesterday").exit_code == 2


def test_by_position(tmp_path: Path) -> None:
    import_text(tmp_path, in_one(*many(8)))
    record = parse_record(many(8)[2])
    line = format_position(first_position(record).line())
    found = _numbers(run("search", "--position", line, "--json"))
    assert len(found) == 1
    assert _numbers(run("search", "--position", line, "--turned", "--json")) == found
    assert run("search", "--position", "nonsense").exit_code == 1
    assert run("search", "--turned").exit_code == 2


def test_a_position_of_a_game_with_dice(tmp_path: Path) -> None:
    import_text(tmp_path, in_one(*many(8)))
    position = first_position(parse_record(many(8)[3]))
    assert position.rules.dicey
    line = format_position(position.line())
    assert _numbers(run("search", "--position", line, "--json")) == []
    assert len(_numbers(run("search", "--position", line, "--dice", "dicey", "--json"))) == 1


def test_nothing_to_export_is_no_file(tmp_path: Path) -> None:
    for name in ("none.ogn", "none.zip"):
        told = run("export", "--player", "nobody", "-o", str(tmp_path / name))
        assert told.exit_code == 1
        assert "No game is like that: nothing was written." in told.output
    assert not list(tmp_path.glob("*none*"))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x7fELF\x02\x01\x01\0\0\0\xff\xfe", "this is no text"),
        (b"PK\x03\x04\x14\0\0\0\x08\0\x1b[31m", "this is a zip: unpack it"),
    ],
)
def test_what_is_no_text_is_told_in_one_line_and_keeps_no_other_file_from_coming_in(
    tmp_path: Path, data: bytes, said: str
) -> None:
    (tmp_path / "noise.bin").write_bytes(data)
    (tmp_path / "good.ogn").write_text(many(1)[0])
    files = [str(tmp_path / name) for name in ("noise.bin", "good.ogn")]
    told = run("import", *files, "--jobs", "1")
    assert told.exit_code == 1
    assert f"noise.bin: {said}" in told.output
    assert "noise.bin:1:" not in told.output
    assert exported("--all") == many(1)[0]


def test_a_file_that_is_not_there_keeps_no_other_from_coming_in(tmp_path: Path) -> None:
    (tmp_path / "good.ogn").write_text(many(1)[0])
    files = [str(tmp_path / name) for name in ("none.ogn", "good.ogn")]
    told = run("import", *files, "--jobs", "1")
    assert told.exit_code == 1
    assert "none.ogn: No such file or directory" in told.output
    assert exported("--all") == many(1)[0]


def test_a_position_of_a_game_with_a_handicap(tmp_path: Path) -> None:
    game = many(1)[0].replace('[GoldSetup "', '[Handicap "gold +2"]\n[GoldSetup "', 1)
    told = import_text(tmp_path, game)
    assert told.exit_code == 0, told.output
    line = format_position(first_position(parse_record(exported("--all"))).line())
    assert "No game" in run("search", "--position", line).stdout
    assert "Player 0" in run("search", "--position", line, "--handicap", "gold +2").stdout
    told = run("search", "--position", line, "--handicap", "gold +9")
    assert told.exit_code == 1
    assert "The handicap must be a House with +1 to +4" in told.output
    assert "--handicap is for --position" in run("search", "--handicap", "gold +2").output


def test_a_database_without_tables_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_DATABASE_URL", f"sqlite:///{tmp_path / 'other.sqlite3'}")
    told = run("search")
    assert told.exit_code == 1
    assert f"The database {tmp_path / 'other.sqlite3'} has no tables yet" in told.output
    assert "PBEM_DATA_DIR" in told.output
