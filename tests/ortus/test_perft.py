"""The engine counts the nodes that the perft tables give; the slow engine counted them first."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.games.ortus.conformance import start_position
from pbem.games.ortus.perft import divide, perft
from tests.ortus.perft_tables import Table, read_tables, reference_perft
from tests.reference.vectors import start_game

FILES = sorted((Path(__file__).parents[1] / "data" / "perft").glob("*.txt"))
TABLES = [table for path in FILES for table in read_tables(path)]


@pytest.mark.parametrize("table", TABLES, ids=[table.name for table in TABLES])
def test_perft_agrees_with_its_table(table: Table) -> None:
    position = start_position(table.start)
    assert {depth: perft(position, depth) for depth in table.nodes} == table.nodes


def test_there_is_a_table_for_every_level_and_variant() -> None:
    assert {path.stem for path in FILES} == {
        "apprentice",
        "wind",
        "earth",
        "water",
        "master",
        "variants",
    }
    assert len({table.name for table in TABLES}) == len(TABLES) >= 20
    assert any(3 in table.nodes for table in TABLES)


def test_the_slow_engine_counts_the_same() -> None:
    table = min(TABLES, key=lambda table: table.nodes.get(2, 10**9))
    assert reference_perft(start_game(table.start), 2) == table.nodes[2]


def test_divide_adds_up_to_perft() -> None:
    table = min(TABLES, key=lambda table: table.nodes.get(2, 10**9))
    position = start_position(table.start)
    assert sum(nodes for _, nodes in divide(position, 2)) == perft(position, 2)


def test_a_table_with_an_unknown_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("id one\nmoves 3\n", encoding="ascii")
    with pytest.raises(ValueError, match=r"bad\.txt, line 2"):
        list(read_tables(path))
