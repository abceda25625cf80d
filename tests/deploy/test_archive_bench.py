"""The bench of the archive, small: it runs, and what goes in comes out as the same bytes."""

from __future__ import annotations

from pathlib import Path

import archive as bench
from generating import random_record

from notation.record_reading import parse_record
from pbem.games.ortus.replaying import replay

SIZE = bench.Size(games=12, fewer=6, stored=36, asked=2, jobs=1)


def test_a_small_run(tmp_path: Path) -> None:
    file = tmp_path / "games.ogn"
    file.write_text("\n".join(random_record(number) for number in range(SIZE.games)))
    found = bench.bench("SQLite", bench.sqlite_maker(tmp_path), file, SIZE)
    figures = {figure.name: figure for figure in found}
    assert figures["SQLite: same bytes after import, export, import, export"].ok
    assert figures["SQLite: import"].value > 0
    searches = [name for name in figures if "search by" in name]
    assert len(searches) >= 18
    assert len(figures) == len(found)


def test_the_same_number_is_the_same_game() -> None:
    texts = [random_record(number) for number in (3, 3, 4)]
    assert texts[0] == texts[1] != texts[2]
    for text in texts:
        assert not replay(parse_record(text)).faults
