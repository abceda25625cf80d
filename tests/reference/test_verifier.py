"""The verifier written from docs/verifying.md alone against ours: they agree on random games, and
on what was changed in them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest

from notation.record_reading import read_records
from pbem.games.ortus.replaying import replay
from pbem.play.log import ChainError, parse_log
from pbem.play.proof import prove_log
from tests.play.logged_games import LoggedGame, play_logged
from tests.play.test_whole_games import VARIANTS
from tests.reference import verifier

NAMES = [name for name in VARIANTS if name.startswith("dicey") or name in ("all", "bonus", "wind")]


@cache
def game_of(name: str) -> LoggedGame:
    return play_logged(Random(name), VARIANTS[name], f"{name}-game", 14)


def is_sound_for_us(log: str) -> bool:
    try:
        prove_log(*parse_log(log.splitlines()))
    except ChainError:
        return False
    return True


@pytest.mark.parametrize("name", NAMES)
def test_both_find_random_games_sound(name: str) -> None:
    game = game_of(name)
    found, faults = verifier.check_log(game.log.splitlines())
    assert faults == []
    assert verifier.check_record(game.record(), found) == []
    assert found["head"] == prove_log(game.start.seed, game.entries).head


@pytest.mark.parametrize("name", NAMES)
def test_both_find_what_was_changed_in_a_log(name: str) -> None:
    rng, lines = Random(name), game_of(name).log.splitlines()
    for _ in range(12):
        changed = list(lines)
        place = rng.randrange(1, len(lines))
        content = json.loads(changed[place])
        match rng.randrange(5):
            case 0:
                content[5] += " "
            case 1:
                content[4] = content[4][:-1] + ("0" if content[4][-1] != "0" else "1")
            case 2:
                content[2] = content[2].replace("2026", "2025")
            case 3:
                content[1] = 1 if content[1] != 1 else 0
            case 4:
                del changed[place]
        if len(changed) == len(lines):
            changed[place] = json.dumps(content)
        elif place == len(lines) - 1:
            continue  # a log without its last entry is that of a game that is not over
        assert verifier.check_log(changed)[1], content
        assert not is_sound_for_us("\n".join(changed))


@pytest.mark.parametrize("name", [name for name in NAMES if "dicey" in name])
def test_both_find_every_roll_that_was_changed(name: str) -> None:
    text = game_of(name).record()
    moves = text.index("\n\n")
    rolls = [found for found in re.finditer(r"\((\d)(/\d)?\)=", text) if found.start() > moves]
    assert rolls
    for roll in rolls:
        other = {"3": "4", "4": "5", "5": "3"}.get(roll[1], "4")
        for faces in verifier.FACES.values():
            if roll[0][1:-2] in faces:
                other = next(face for face in faces if face != roll[0][1:-2])
        forged = f"{text[: roll.start()]}({other})={text[roll.end() :]}"
        in_variation = text[: roll.start()].rsplit("\n", 1)[1].startswith("    (")
        ours = replay(next(read_records(forged, mode="recover")).record).faults
        if not in_variation:
            assert verifier.check_record(forged)
            assert ours


def test_it_is_short_and_needs_nothing_but_the_standard_library(tmp_path: Path) -> None:
    source = Path(verifier.__file__).read_text()
    assert len(source.splitlines()) < 150
    modules = set(re.findall(r"^(?:import|from) (\w+)", source, re.MULTILINE))
    assert modules <= set(sys.stdlib_module_names)
    game = game_of("all")
    (tmp_path / "game.log").write_text(game.log, encoding="utf-8")
    (tmp_path / "game.ogn").write_text(game.record(), encoding="utf-8")
    command = [sys.executable, "-I", verifier.__file__, "game.log", "game.ogn"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert game.entries[-1].hash in done.stdout
