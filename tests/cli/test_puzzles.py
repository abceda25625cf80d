"""``pbem archive puzzle check``."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from pbem.cli import main
from tests.archive.test_puzzles import ARCHERS, SOLUTION, record
from tests.ortus.games import TWO_ARCHERS


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["archive", "puzzle", "check", *words])


def test_puzzles_that_hold_and_that_do_not(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.ogn"
    good = record("honour 1", SOLUTION, **ARCHERS)
    known = record("honour 1", "W1 rng I4=-; end", **TWO_ARCHERS, energy=(3, 3))
    parried = record("honour 1", "W1 rng I4=-; end", **ARCHERS)
    illegal = record("honour 1", "W1 rng H8=-; end", **ARCHERS)
    file.write_text("\n".join((good, known, parried, illegal)))
    done = run(str(file))
    assert done.exit_code == 1
    lines = done.output.splitlines()
    assert lines[-1] == "4 puzzles, 2 with faults"
    assert "Gold is to gain 1 honour in this turn." in lines[0]
    assert lines[1].endswith("first attacks that solve it: F2 rng I4, W1 rng I4.")
    assert lines[2].endswith("goes like this: W1 rng I4=I4+ [not_reached]")
    assert "[R5.2 target_empty]" in lines[3]
    file.write_text(good)
    assert run(str(file), "--limit", "0").exit_code == 0
    file.write_text("nonsense\n")
    assert run(str(file)).exit_code == 1
