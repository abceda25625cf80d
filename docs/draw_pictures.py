"""Draws the boards of the documentation: ``python -m docs.draw_pictures``.

Owns the positions shown in ``docs/*.md`` and what is drawn on top of them. How a board looks is
``pbem.diagrams``; the words under a picture are in the page that shows it. Draw again whenever a
position here or the look of a board changes: a test compares every file with what is drawn now.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from notation.position_line import parse_position
from pbem.diagrams.legend import legend_svg
from pbem.diagrams.svg import scene_svg
from pbem.games.ortus.arena import Arena, get_arena, make_arena
from pbem.games.ortus.drawing import draw_board, draw_legend, draw_position
from pbem.games.ortus.position import Position, from_line
from pbem.games.scene import Arrow, ArrowKind, Scene

PICTURES: Final = Path(__file__).resolve().parent / "pictures"
WIDTH: Final = 480

RIFT: Final = make_arena(
    "rift",
    wells=["F6", "I6", "L6", "B8", "N8", "D10", "G10", "J10"],
    cuts=["E8", "F8", "J8", "K8"],
)
"""The arena of ``docs/arenas.md``."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One board. Without a ``line`` it is empty.

    Arrows and Hexlines are pairs of hexes, written ``F5-F8``; ``path`` hexes are outlined; on
    ``struck`` hexes a warrior has just fallen.
    """

    name: str
    line: str | None = None
    arena: Arena | None = None
    moves: str = ""
    slides: str = ""
    attacks: str = ""
    lines: str = ""
    path: str = ""
    struck: str = ""

    def find_position(self) -> Position | None:
        """The position of the picture, None for an empty board."""
        if self.line is None:
            return None
        line = parse_position(self.line)
        return from_line(line, self.arena or get_arena(line.arena))

    def scene(self) -> Scene:
        """What the picture shows."""
        position = self.find_position()
        if position is None:
            arena = self.arena or get_arena("origin")
            scene = Scene(board=draw_board(arena), title=f"Ortus. The arena {arena.name}")
        else:
            scene = draw_position(position)
        return replace(
            scene,
            arrows=(
                *_arrows(self.moves, ArrowKind.MOVE),
                *_arrows(self.slides, ArrowKind.SLIDE),
                *_arrows(self.attacks, ArrowKind.ATTACK),
            ),
            lines=tuple(_pairs(self.lines)),
            highlighted=tuple(self.path.split()),
            struck=tuple(self.struck.split()),
        )

    def svg(self) -> str:
        """The file, byte for byte."""
        return scene_svg(self.scene(), width=WIDTH) + "\n"


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(pair.partition("-")[0], pair.partition("-")[2]) for pair in text.split()]


def _arrows(text: str, kind: ArrowKind) -> list[Arrow]:
    return [Arrow(source, target, kind) for source, target in _pairs(text)]


def _line(head: str, *, gold: str = "", black: str = "") -> str:
    """A position line with everybody at home who is not named; set-ups are WFEAAEFW."""
    homes = ("H1 I1 J1 K1 L1 M1 N1 O1", "H15 G15 F15 E15 D15 C15 B15 A15")
    fields = [head]
    for named, slots in zip((gold, black), homes, strict=True):
        moved = dict(warrior.split("@") for warrior in named.split())
        names = [f"{element}{slot}" for slot, element in enumerate("WFEAAEFW", start=1)]
        pairs = zip(names, slots.split(), strict=True)
        fields.append(" ".join(f"{name}@{moved.pop(name, home)}" for name, home in pairs))
        if moved:
            raise ValueError(f"no such warriors: {', '.join(moved)}")
    return " | ".join(fields)


ALL: Final = (
    Picture(
        "readme-board",
        "origin master g 7 | 22 9 | 1 0 | K1 - | W1@F6 F2@I6 E3@F9 A4@J7 A5@L1 E6@M1 F7@I3 W8@O1"
        " | W1@G11 F2@I11 E3@F12 A4@H11 A5@L8 E6@C15 F7@D12 W8@A15",
        attacks="F6-G11",
        path="F6 G11",
    ),
    Picture("opening", _line("origin master g 1 | 7 14 | 0 0 | - -")),
    Picture("lines", lines="C6-O6 F3-F15 A11-K1", path="F6"),
    Picture("crown", arena=get_arena("crown")),
    Picture("cuts", arena=RIFT),
    Picture(
        "collecting",
        _line(
            "origin apprentice g 3 | 22 3 | 0 0 | - -",
            gold="F2@F6 W8@L6 E3@G4",
            black="A4@J10 F2@G11",
        ),
        path="F6 L6",
    ),
    Picture(
        "walk",
        _line("origin apprentice g 2 | 14 9 | 0 0 | - -", black="W1@I3"),
        path="I1 I2 H3 H4 I4 I5 I6",
    ),
    Picture(
        "strike",
        _line("origin apprentice g 4 | 14 5 | 0 0 | - -", gold="F2@G6 W1@E8", black="A4@G7"),
        attacks="G6-G7",
        path="F8",
    ),
    Picture(
        "range",
        _line(
            "origin apprentice g 4 | 18 6 | 0 0 | - -",
            gold="W1@F5 F2@H6 W8@L6",
            black="E3@F8 A4@H10",
        ),
        attacks="F5-F8 H9-H10",
        path="F6 F7 H7 G8 G9 H9",
    ),
    Picture(
        "charge",
        _line("origin apprentice g 4 | 14 4 | 0 0 | - -", gold="E3@E5", black="F2@F8 A4@D9"),
        moves="E5-E8",
        attacks="E8-F8",
        path="E8 F7 G7 E9 G8 F9",
    ),
    Picture(
        "guide",
        _line("origin apprentice g 6 | 18 2 | 2 0 | K2 -", gold="W1@F6 E6@L5", black="F2@F8"),
        attacks="F6-F8",
        path="J3 K3",
    ),
    Picture(
        "returning",
        _line(
            "origin apprentice g 7 | 14 6 | 3 0 | K3 -",
            gold="E3@x A5@x W1@G5 F2@J1",
            black="W1@F8",
        ),
        path="K3 H1 I1 L1",
    ),
    Picture(
        "five-wells",
        _line(
            "origin apprentice b 9 | 4 18 | 0 0 | - -",
            gold="W1@F6 F2@I6 W8@L6 F7@N8 E3@B8",
            black="W1@G10 F2@J7 A4@C9 E3@E8",
        ),
        path="B8 F6 I6 L6 N8",
    ),
    Picture(
        "hexlines",
        _line(
            "origin master b 5 | 3 18 | 0 0 | - -",
            gold="A4@J10 W1@I7",
            black="F2@F10 W1@F6 A4@F4 E3@H11",
        ),
        lines="F10-F6 F10-J10",
    ),
    Picture(
        "kite",
        _line("origin wind g 5 | 18 6 | 0 0 | - -", gold="W1@E8 A4@B8", black="E3@C10"),
        slides="E8-E14 E8-E4 E8-G8 E8-C8 E8-D9 E8-K2",
        path="E14 E4 G8 C8 D9 K2",
    ),
    Picture(
        "jaguar",
        _line("origin earth b 6 | 4 14 | 0 0 | - -", gold="E3@F6 E6@L6", black="E3@F11 W1@D9"),
        attacks="D9-F6",
        lines="F11-F6",
    ),
    Picture(
        "bear",
        _line("origin earth b 6 | 7 14 | 0 0 | - -", gold="A4@G7 E3@D8", black="E3@F12 W1@E11"),
        moves="F12-G8",
        attacks="G8-G7",
        lines="G8-D8",
    ),
    Picture(
        "wave",
        _line("origin master b 7 | 9 14 | 0 0 | - -", gold="F2@F9 E3@F7 F7@F4", black="A4@G12"),
        moves="G12-F10",
        attacks="F10-F9 F9-F7 F7-F4",
    ),
    Picture(
        "six",
        _line("origin water b 7 | 5 14 | 0 0 | - -", gold="F2@F8 E3@G8 A4@E9", black="A4@F13"),
        moves="F13-F9",
        attacks="F9-F8 F9-G8 F9-E9",
    ),
    Picture(
        "phoenix",
        _line(
            "origin master b 8 | 6 14 | 0 0 | - -",
            gold="F2@D6 A4@G6 F7@G3",
            black="A5@F10 W1@K6",
        ),
        lines="D6-G6 G6-G3 D6-G3",
    ),
    Picture(
        "phoenix-broken",
        _line(
            "origin master b 8 | 4 10 | 0 0 | - -",
            gold="F2@D6 A4@G6 F7@G3",
            black="A5@F6 W1@K6",
        ),
        moves="F10-F6",
        attacks="F6-G6",
        lines="G6-G3 D6-G3",
    ),
    Picture(
        "dragons",
        _line("origin master b 8 | 5 18 | 0 0 | - -", gold="E3@G7", black="F2@C9 F7@G11 E3@D10"),
        moves="C9-D7",
        attacks="D7-G7 G11-G7",
        lines="D10-G7",
    ),
    Picture(
        "position-line",
        "origin earth g 5 | 18 9 | 1 0 | K1 - | W1@F6 F2@G5 E3@x A4@J6 A5@L1 E6@I4 F7@N1 W8@O1"
        " | W1@H15 F2@F9 E3@F12 A4@I9 A5@D15 E6@C15 F7@B15 W8@A15",
    ),
)


def get_picture(name: str) -> Picture:
    """A picture by its name. Raises KeyError if there is none."""
    return {picture.name: picture for picture in ALL}[name]


def draw_all() -> dict[str, str]:
    """Every file by its name, byte for byte: the boards and the legend."""
    legend = legend_svg(draw_legend(), title="The signs in the pictures", width=WIDTH)
    return {"legend": legend + "\n"} | {picture.name: picture.svg() for picture in ALL}


def main() -> None:
    """Draw all pictures, and remove those that are not drawn any more."""
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.glob("*.svg"):
        old.unlink()
    drawn = draw_all()
    for name, svg in drawn.items():
        (PICTURES / f"{name}.svg").write_text(svg, encoding="utf-8")
    print(f"{len(drawn)} pictures drawn")


if __name__ == "__main__":
    main()
