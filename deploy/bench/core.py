"""The core against python-chess, in one run and one process: ``python deploy/bench/core.py``.

Positions are those that conformance vectors start from. Records are whole random games of all
levels, read strictly and replayed in full. ``--json`` prints figures instead of a table.
"""

from __future__ import annotations

import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import chess
import chess.pgn
from measuring import Figure, at_least, at_most, median_ms, rates, report, shown

from notation.record_reading import parse_record
from pbem.diagrams.png import scene_png
from pbem.diagrams.svg import scene_svg
from pbem.diagrams.text import scene_text
from pbem.games.base import Start
from pbem.games.ortus.conformance import start_position
from pbem.games.ortus.drawing import draw_position
from pbem.games.ortus.figures import LEVELS
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.generation import legal_actions
from pbem.games.ortus.position import Position
from pbem.games.ortus.replaying import replay
from pbem.games.ortus.sampling import random_game
from pbem.games.scene import Scene

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT.parent / "shared" / "conformance" / "ortus.jsonl"
OWN_VECTORS = ROOT / "tests" / "data" / "vectors" / "ortus-own.jsonl"
GAMES = 150
CHESS_GAMES = 60


def vector_positions() -> list[Position]:
    file = VECTORS if VECTORS.exists() else OWN_VECTORS
    with file.open() as lines:
        return [start_position(json.loads(line)["start"]) for line in lines]


def ortus_records() -> list[str]:
    game, texts = Ortus(), []
    for number in range(GAMES):
        start = Start(f"bench{number}", {"level": LEVELS[number % 5]}, bytes([number]) * 32)
        log = random_game(Random(number), start)
        texts.append(game.record(start, log, {"Event": "Bench"}))
    return texts


def chess_games() -> tuple[list[str], list[chess.Board]]:
    rng, texts, boards = Random(1), [], []
    for _ in range(CHESS_GAMES):
        board, game = chess.Board(), chess.pgn.Game()
        node: chess.pgn.GameNode = game
        while not board.is_game_over() and board.ply() < 120:
            move = rng.choice(list(board.legal_moves))
            board.push(move)
            node = node.add_variation(move)
            if board.ply() % 12 == 0:
                boards.append(board.copy())
        texts.append(str(game))
    return texts, boards


def generation(boards: list[chess.Board]) -> list[Figure]:
    positions = vector_positions()
    chess_rates, our_rates = rates(
        [
            lambda: sum(len(list(board.legal_moves)) for board in boards),
            lambda: sum(len(legal_actions(position)) for position in positions),
        ]
    )
    ratio = statistics.median(
        ours / theirs for ours, theirs in zip(our_rates, chess_rates, strict=True)
    )
    return [
        shown("python-chess: legal moves", statistics.median(chess_rates), "moves/s"),
        shown("legal actions", statistics.median(our_rates), "actions/s"),
        at_least("legal actions / legal moves", ratio, "x", 3),
    ]


def reading(pgns: list[str]) -> list[Figure]:
    records = ortus_records()

    def read_chess() -> int:
        plies = 0
        for text in pgns:
            game = chess.pgn.read_game(io.StringIO(text))
            assert game is not None
            plies += sum(1 for _ in game.mainline_moves())
        return plies

    def read_ours() -> int:
        orders = 0
        for text in records:
            record = parse_record(text)
            replayed = replay(record)
            assert not replayed.faults
            orders += sum(len(turn.orders) for turn in record.turns)
        return orders

    chess_rates, our_rates = rates([read_chess, read_ours])
    ratio = statistics.median(
        ours / theirs for ours, theirs in zip(our_rates, chess_rates, strict=True)
    )
    return [
        shown("python-chess: read_game", statistics.median(chess_rates), "plies/s"),
        shown("strict record reading", statistics.median(our_rates), "orders/s"),
        at_least("orders / plies", ratio, "x", 1.5),
    ]


def pictures() -> list[Figure]:
    scenes = [draw_position(position) for position in vector_positions()[:20]]
    pngs = [scene_png(scene) for scene in scenes]
    return [
        at_most("PNG board, 700 px", _each_ms(scene_png, scenes), "ms", 5),
        at_most("PNG size", statistics.median(map(len, pngs)) / 1000, "kB", 30),
        at_most("SVG board", _each_ms(scene_svg, scenes), "ms", 2),
        at_most("text board", _each_ms(scene_text, scenes), "ms", 0.3),
    ]


def _each_ms(draw: Callable[[Scene], object], scenes: list[Scene]) -> float:
    return statistics.median(median_ms(partial(draw, scene), repeats=9) for scene in scenes)


ALL_NOTATION = "notation.record_reading, notation.record_writing, notation.reading"

IMPORT_CODE = """
import sys, time
before = set(sys.modules)
began = time.perf_counter()
import {module}
took = time.perf_counter() - began
foreign = sorted(
    name for name in set(sys.modules) - before
    if name.partition(".")[0] not in sys.stdlib_module_names | {{"notation"}}
)
print(took * 1000, len(foreign))
"""


def imports() -> list[Figure]:
    found = {}
    # As on any machine where it has run before: the first run writes the bytecode.
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for module in ("notation", "notation.reading", ALL_NOTATION, "pbem.games.ortus.game"):
            runs = [_import_once(module, environment) for _ in range(10)][1:]
            found[module] = (statistics.median(took for took, _ in runs), runs[0][1])
    return [
        at_most("import notation", found["notation"][0], "ms", 30),
        # Names are loaded when they are first used, so these two are what a program pays then.
        shown("import notation.reading", found["notation.reading"][0], "ms"),
        shown("import all of notation", found[ALL_NOTATION][0], "ms"),
        at_most("all of notation: foreign modules", found[ALL_NOTATION][1], "modules", 0),
        at_most("import pbem.games.ortus.game", found["pbem.games.ortus.game"][0], "ms", 80),
    ]


def _import_once(module: str, environment: dict[str, str]) -> tuple[float, int]:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_CODE.format(module=module)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=environment,
    )
    took, foreign = done.stdout.split()
    return float(took), int(foreign)


if __name__ == "__main__":
    pgns, boards = chess_games()
    report([*generation(boards), *reading(pgns), *pictures(), *imports()])
