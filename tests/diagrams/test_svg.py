from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from notation.hexes import HEX_NAMES
from pbem.diagrams.layout import WIDTH, lay_out
from pbem.diagrams.legend import legend_svg
from pbem.diagrams.svg import scene_svg
from pbem.diagrams.theme import DARK, LIGHT, Theme
from pbem.games.ortus.drawing import draw_legend, draw_position
from pbem.games.scene import Arrow, ArrowKind, Panel, Scene
from tests.diagrams.scenes import OPENING, busy_scene, middle_game, position

SVG = "{http://www.w3.org/2000/svg}"


def read(scene: Scene, theme: Theme = LIGHT) -> ElementTree.Element:
    return ElementTree.fromstring(scene_svg(scene, theme=theme))


def place(element: ElementTree.Element) -> tuple[float, float]:
    found = re.fullmatch(r"translate\((\S+) (\S+)\)", element.attrib["transform"])
    assert found
    return float(found[1]), float(found[2])


def words(root: ElementTree.Element) -> list[str]:
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("bottom", [0, 1])
def test_every_hex_is_there_once_and_named(theme: Theme, bottom: int) -> None:
    root = read(draw_position(position(OPENING), bottom=bottom), theme)
    assert Counter(root_hexes(root)) == Counter(HEX_NAMES)
    assert HEX_NAMES - {"H8"} <= set(words(root))


def root_hexes(root: ElementTree.Element) -> list[str]:
    return [element.attrib["data-hex"] for element in root.iter() if "data-hex" in element.attrib]


def test_every_piece_is_there_with_its_label_and_hex() -> None:
    scene = middle_game()
    root = read(scene)
    shown = {
        (element.attrib["data-seat"], element.attrib["data-piece"], element.attrib["data-on"])
        for element in root.iter()
        if "data-piece" in element.attrib
    }
    standing = {(str(piece.seat), piece.label, piece.cell) for piece in scene.pieces}
    assert shown == standing | {("0", "E3", "")}
    for element in root.iter():
        if "data-piece" in element.attrib:
            assert words(element) == [element.attrib["data-piece"]]


def test_pieces_and_tokens_are_drawn_on_their_hexes() -> None:
    scene = middle_game()
    centres = lay_out(scene.board, scene.bottom_seat).centres
    placed = [element for element in read(scene).iter() if element.attrib.get("data-on")]
    assert len(placed) == len(scene.pieces) + len(scene.tokens)
    for element in placed:
        (x, y), (hex_x, hex_y) = place(element), centres[element.attrib["data-on"]]
        assert abs(x - hex_x) < 20
        assert abs(y - hex_y) < 20


@pytest.mark.parametrize(
    ("bottom", "slots"),
    [(0, "H1 I1 J1 K1 L1 M1 N1 O1"), (1, "H15 G15 F15 E15 D15 C15 B15 A15")],
)
def test_slots_run_left_to_right_below_as_their_player_counts_them(bottom: int, slots: str) -> None:
    """R1.3."""
    centres = lay_out(middle_game().board, bottom).centres
    row = [centres[name] for name in slots.split()]
    assert [x for x, _ in row] == sorted(x for x, _ in row)
    assert {y for _, y in row} == {max(y for _, y in centres.values())}


def test_the_other_side_is_a_half_turn() -> None:
    board = middle_game().board
    gold, black = lay_out(board, 0).centres, lay_out(board, 1).centres
    for name, (x, y) in gold.items():
        turned = black[name]
        assert (x + turned[0], y + turned[1]) == (WIDTH, 2 * gold["H8"][1])


def test_neighbours_are_equally_far_apart() -> None:
    board = middle_game().board
    centres = lay_out(board, 0).centres
    spots = {(cell.q, cell.r): centres[cell.name] for cell in board.cells}
    middle = spots[0, 0]
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
    lengths = [
        ((spots[step][0] - middle[0]) ** 2 + (spots[step][1] - middle[1]) ** 2) ** 0.5
        for step in steps
    ]
    assert max(lengths) - min(lengths) < 0.5


def test_panels_show_their_figures() -> None:
    scene = draw_position(position(), names=("Adrian", "Beau"))
    shown = Counter(words(read(scene)))
    expected = "Adrianto move;Beau;Energy;22;Energy;9;Honour;3;Honour;2;Wells2;GuideJ3;GuideD14"
    assert Counter(expected.split(";")) <= shown
    assert scene.caption in shown


def test_it_tells_what_it_shows_and_runs_nothing() -> None:
    scene = replace(busy_scene(), title="A title", description="First line.\nSecond line.")
    root = read(scene)
    assert root.attrib["role"] == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == "A title"
    assert root[1].tag == f"{SVG}desc"
    assert root[1].text == "First line.\nSecond line."
    assert not list(root.iter(f"{SVG}script"))
    assert not [element for element in root.iter() if "id" in element.attrib]


def test_hostile_words_stay_words() -> None:
    hostile = '</text><script>alert("1")</script>\x00\x1b&amp;'
    scene = replace(
        middle_game(), caption=hostile, title=hostile, panels=(Panel(0, hostile, status=hostile),)
    )
    root = read(scene)
    assert not list(root.iter(f"{SVG}script"))
    assert '</text><script>alert("1")</script>&amp;' in words(root)


def test_a_width_keeps_the_proportions() -> None:
    root = ElementTree.fromstring(scene_svg(middle_game(), width=350))
    _, _, width, height = (float(side) for side in root.attrib["viewBox"].split())
    shown = float(root.attrib["width"]), float(root.attrib["height"])
    assert shown == pytest.approx((350, 350 * height / width))


def test_arrows_lines_and_crosses_show() -> None:
    quiet, busy = scene_svg(middle_game()), scene_svg(busy_scene())
    lined = scene_svg(draw_position(position(), with_hexlines=True))
    assert LIGHT.arrows[ArrowKind.ATTACK] not in quiet
    assert LIGHT.arrows[ArrowKind.ATTACK] in busy
    assert LIGHT.line not in quiet
    assert LIGHT.line in lined


@pytest.mark.parametrize(
    "wrong",
    [
        {"arrows": (Arrow("H1", "Z9", ArrowKind.ATTACK),)},
        {"highlighted": ("Z9",)},
        {"struck": ("Z9",)},
        {"lines": (("Z9", "H1"),)},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_cell_that_is_not_on_the_board_is_an_error(wrong: dict[str, object]) -> None:
    scene = replace(middle_game(), **wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no cell 'Z9'"):
        scene_svg(scene)


def test_two_panels_in_one_corner_are_an_error() -> None:
    scene = replace(middle_game(), panels=(Panel(0, "one"), Panel(0, "two")))
    with pytest.raises(ValueError, match="one panel below"):
        scene_svg(scene)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_legend_explains_every_entry(theme: Theme) -> None:
    entries = draw_legend()
    root = ElementTree.fromstring(legend_svg(entries, title="Legend", theme=theme))
    assert {entry.meaning for entry in entries} <= set(words(root))
